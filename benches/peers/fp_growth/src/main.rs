//! The `fp-growth` crate on a file of codes (see `benches/measure/tables.rs`); prints seconds on the clock as JSON.
//!
//! usage: peer-fp-growth CODES ROWS VALUES,.. MIN_SUPPORT
//!
//! The crate finds frequent sets of any length and no rules, and has no way to ask for short ones.

use fp_growth::algorithm::FPGrowth;
use std::time::Instant;

const BLOCK: usize = 1 << 14;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [codes, rows, values, support] = arguments.as_slice() else { panic!("CODES ROWS VALUES,.. MIN_SUPPORT") };
    let rows: usize = rows.parse().expect("a number of rows");
    let support: f64 = support.parse().expect("a share");
    let values: Vec<u16> = values.split(',').map(|count| count.parse().expect("a number of values")).collect();
    let start = Instant::now();
    let codes = std::fs::read(codes).expect("the file can be read");
    let width = values.len() + 1;
    let mut transactions = Vec::with_capacity(rows);
    for block in codes.chunks(BLOCK * width) {
        let count = block.len() / width;
        for row in 0..count {
            let mut first = 0;
            let mut items: Vec<u16> = Vec::with_capacity(width);
            for (attribute, size) in values.iter().chain([&2]).enumerate() {
                items.push(first + u16::from(block[attribute * count + row]));
                first += size;
            }
            transactions.push(items);
        }
    }
    let load = start.elapsed().as_secs_f64();
    let least = (support * rows as f64).ceil() as usize;
    let start = Instant::now();
    let found = FPGrowth::new(transactions, least).find_frequent_patterns().frequent_patterns_num();
    println!("{{\"load\": {load}, \"mine\": {}, \"rules\": {found}}}", start.elapsed().as_secs_f64());
}
