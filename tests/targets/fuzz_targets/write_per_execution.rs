//! The paper's calculator, with one `write(2)` of 40 bytes in every execution if `WRITE_TO` names a file: what a
//! logger without a mapped file would cost at the least.
#![no_main]

use arbitrary::Arbitrary;
use bugornot::{Equal, Increase, Suite};
use serde::Serialize;
use std::{
    fs::{File, OpenOptions},
    os::fd::AsRawFd,
};

#[derive(Arbitrary, Serialize, Clone, Debug)]
pub struct Pair {
    pub a: i32,
    pub b: i32,
}

fn open() -> Option<File> {
    let path = std::env::var_os("WRITE_TO")?;
    Some(OpenOptions::new().append(true).create(true).open(path).expect("WRITE_TO names a file that can be written"))
}

fn write(file: &File, pair: &Pair) {
    let mut record = [0u8; 40];
    record[..4].copy_from_slice(&pair.a.to_le_bytes());
    record[4..8].copy_from_slice(&pair.b.to_le_bytes());
    // SAFETY: the record is as long as it says, and the file is open for as long as it is borrowed.
    unsafe { libc::write(file.as_raw_fd(), record.as_ptr().cast(), record.len()) };
}

pub fn write_per_execution(suite: &mut Suite<Pair, i64>) {
    let file = open();
    let k = suite.constant("k", 2..=9);
    suite.normalise(move |pair| {
        file.iter().for_each(|file| write(file, &pair));
        Pair { a: pair.a.rem_euclid(10), b: pair.b.rem_euclid(10) }
    });
    suite.examples((0..100).map(|n| Pair { a: n / 10, b: n % 10 }));

    suite.function("add", |p| i64::from(p.a) + i64::from(p.b));
    suite.function("sub", |p| i64::from(p.a) - i64::from(p.b));
    suite.function("mul", |p| i64::from(p.a) * i64::from(p.b));

    suite.relation("MR1", |p| Pair { a: p.b, b: p.a }, Equal);
    suite.relation("MR2", move |p| Pair { a: p.a * k, b: p.b * k }, Increase);
    suite.relation("MR3", move |p| Pair { a: p.a + k, b: p.b + k }, Equal);
    suite.relation("MR4", move |p| Pair { a: p.a - k, b: p.b - k }, Equal);
}

bugornot::fuzz!(write_per_execution);
