//! Cells with known truth.

pub mod cell;
#[cfg(plain)]
pub mod check;
pub mod floats;
pub mod lists;
pub mod numbers;
pub mod orders;
pub mod pairs;
pub mod texts;
