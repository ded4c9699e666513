//! An anchor: what is known of a cell from outside the log at hand, such as an earlier log.
//! Held against the log, it says what is a regression and what is not.

pub(crate) mod previous;
