//! Metamorphic fuzzing that explains itself.
//!
//! Declare functions and metamorphic relations as a [`Suite`], let libFuzzer or AFL run it without ever stopping at a
//! violation, and ask the log when each relation is violated.
//!
//! # The rooms, in the order data flows through them
//! | room | does |
//! |---|---|
//! | `suite` | a user declares functions, relations, constants, features |
//! | `judge` | source + follow-ups -> verdicts; catches panics |
//! | [`engine`] | libFuzzer, AFL, built-in, replay: bytes -> judge -> log |
//! | [`log`] | segments of bincode records: write, read, survive anything |
//! | `clean` | damaged, inconsistent, duplicate rows out, counted |
//! | `summary` | the rate of every cell, samples, atypical rows |
//! | [`expression`] | conditions that people write -> tests of rows |
//! | `claim` | what somebody says of a cell, held against every row |
//! | `feature` | fields -> true/false statements: the vocabulary |
//! | `mine` | true/false items and verdicts -> rules and conditions |
//! | `explain` | one cell: features, miner, condition |
//! | `hint` | evidence -> bug, not a bug, or inconclusive |
//! | `locate` | what checks run -> the lines that tell violated from held |
//! | `corpus` | committed inputs and their manifest |
//! | [`mod@replay`] | committed inputs against their manifest and what was decided |
//! | `decision` | the tester's answers: load, check, save |
//! | `minimise` | obligations -> the smallest corpus that keeps them |
//! | `mutants` | changes to the code under test -> who notices them |
//! | `shrink` | bytes made fewer and smaller, as long as they keep what they are needed for |
//! | `witness` | one input that shows what a cell is about, as small as it can be |
//! | `anchor` | what is known from outside a log, held against it |
//! | [`regress`] | decisions, corpus and suite -> Rust tests, and what these run with |
//! | `report` | one report; text, JSON and CSV |
//! | `review` | which cell is decided next, and what a key does |
//! | `cli` | one file per command |
//!
//! Spelling is British.

#[cfg(feature = "cli")]
mod anchor;
#[cfg(feature = "cli")]
mod claim;
#[cfg(feature = "cli")]
pub mod clean;
#[cfg(feature = "replay")]
mod corpus;
#[cfg(feature = "cli")]
mod decision;
pub mod engine;
mod escape;
#[cfg(feature = "cli")]
mod explain;
#[cfg(feature = "cli")]
pub mod expression;
#[cfg(feature = "cli")]
mod feature;
mod hash;
#[cfg(feature = "cli")]
mod hint;
mod judge;
#[cfg(feature = "cli")]
mod locate;
pub mod log;
#[cfg(feature = "cli")]
pub mod mine;
#[cfg(feature = "cli")]
mod minimise;
#[cfg(feature = "cli")]
mod mutants;
#[cfg(feature = "replay")]
pub mod regress;
#[cfg(feature = "replay")]
pub mod replay;
#[cfg(feature = "cli")]
mod report;
#[cfg(feature = "cli")]
mod review;
#[cfg(feature = "replay")]
mod shrink;
mod suite;
#[cfg(feature = "cli")]
pub mod summary;
#[cfg(feature = "cli")]
mod terminal;
mod verdict;
#[cfg(feature = "cli")]
mod witness;

#[cfg(feature = "cli")]
pub mod cli;

pub use suite::{
    Any, Cell, Check, Constant, Draw, Draws, FollowUps, Input, IntoJudgement, Judgement, Output, Parameter, Relation,
    Suite, SuiteError, any,
    outputs::{
        Collection, Comparable, Decrease, Equal, Float, Increase, Negated, NonDecreasing, NonIncreasing, NotEqual,
        Ordered, PermutationOf, PrefixOf, SameLength, ScaledBy, Subset, Superset, WithinAbsolute, WithinRelative,
        WithinUlps,
    },
};
pub use verdict::Verdict;

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
