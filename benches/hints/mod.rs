//! Hints held against the truth: what is run, what is said of it, and how good that is.

pub mod campaign;
pub mod record;
pub mod score;
pub mod subject;
pub mod tables;
