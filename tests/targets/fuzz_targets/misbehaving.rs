//! A function that behaves for most inputs and, for one in 256, does what `MISBEHAVE` says.
#![no_main]

use bugornot::{Equal, Suite};

fn misbehave() -> u32 {
    match std::env::var("MISBEHAVE").as_deref() {
        Ok("abort") => std::process::abort(),
        Ok("exit") => std::process::exit(0),
        Ok("hang") => loop {
            std::hint::spin_loop();
        },
        Ok("overflow") => overflow(1),
        _ => panic!("misbehaved"),
    }
}

#[expect(unconditional_recursion, reason = "what it is for")]
fn overflow(depth: u64) -> u32 {
    std::hint::black_box(overflow(std::hint::black_box(depth + 1)))
}

pub fn misbehaving(suite: &mut Suite<(u8, u8), u32>) {
    suite.names(["x", "y"]);
    suite.function("sane", |&(x, y)| u32::from(x) + u32::from(y));
    // Misbehaves only in a follow-up of MR2: no source has both, and MR1 keeps `y` as it is.
    suite.assume(|&(x, y)| x != 77 || y != 77);
    suite.function("odd", |&(x, y)| if x == 77 && y == 77 { misbehave() } else { u32::from(x) + u32::from(y) });
    suite.relation("MR1", |&(x, y)| (x ^ 1, y), Equal);
    suite.relation("MR2", |&(x, _)| (x, x), Equal);
}

bugornot::fuzz!(misbehaving);
