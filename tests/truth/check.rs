//! Holds conditions against the truth. The conditions are Rust that a report printed, pasted into `main`.

use super::cell::{Family, Random};

/// How many times as many inputs as were logged.
const TIMES: usize = 25;

/// Prints the first input about which a condition is wrong.
pub fn check<In: Clone + std::fmt::Debug>(family: &Family<In>, number: usize, condition: fn(In) -> bool) {
    let Some(cell) = family.cells().nth(number) else { return };
    let mut random = Random(2);
    for _ in 0..TIMES * family.logged {
        let input = (family.draw)(&mut random);
        let is_violated = (cell.truth)(&input);
        if condition(input.clone()) != is_violated {
            return println!("{} x {}: {input:?}, violated: {is_violated}", family.name, cell.name);
        }
    }
}
