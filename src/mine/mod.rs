//! Mining: from rows with true/false items and a verdict to rules, and to the one short condition.
//!
//! Knows nothing of relations, bugs or terminals: an item is a number, a row is violated or held.

pub mod apriori;
mod bits;
pub mod condition;
pub mod table;
