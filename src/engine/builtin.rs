//! The built-in engine: plain Rust, seeded, deterministic. For tests, for the uniform phase, and for places where no
//! instrumented build can run.
//!
//! It mutates bytes and keeps an input when the guide sees something new in it: verdicts and features are its only
//! coverage.

use super::{Execute, guide};
use crate::{hash, log::Phase};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

/// The longest input it makes where the type sets no bound.
const MAX_LENGTH: usize = 512;
/// How many mutations are piled up at the most.
const MAX_PILE: u64 = 6;
/// How often the clock is read.
const CLOCK_EVERY: u64 = 256;

/// Set by SIGINT and SIGTERM once [`stop_on_signals`] was called.
static STOP: AtomicBool = AtomicBool::new(false);

/// Lets SIGINT and SIGTERM end a campaign between two executions, so that no check seems to have died of them.
pub(super) fn stop_on_signals() {
    extern "C" fn stop(_: libc::c_int) {
        STOP.store(true, Ordering::Relaxed);
    }
    let handler = stop as extern "C" fn(libc::c_int) as libc::sighandler_t;
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: the handler does nothing but store to an atomic.
        unsafe { libc::signal(signal, handler) };
    }
}

/// When a campaign ends.
#[derive(Clone, Copy, Debug)]
pub enum Until {
    /// After this many executions.
    Runs(u64),
    /// After this long.
    Time(Duration),
}

/// How a campaign ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Executions.
    pub runs: u64,
    /// Inputs kept because they showed something new.
    pub kept: usize,
}

/// A deterministic campaign.
pub struct Builtin {
    random: Random,
    corpus: Vec<Vec<u8>>,
    is_covered: Vec<bool>,
}

/// A small generator: a counter, hashed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        hash::fold(mixed ^ mixed >> 27, 0x94D0_49BB_1331_11EB)
    }

    fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }
}

impl Builtin {
    /// A campaign that follows from this seed and these first inputs.
    pub fn new(seed: u64, corpus: Vec<Vec<u8>>) -> Self {
        Self { random: Random(seed), corpus, is_covered: vec![false; guide::SLOTS] }
    }

    /// The inputs kept so far.
    pub fn corpus(&self) -> &[Vec<u8>] {
        &self.corpus
    }

    /// Fuzzes.
    pub fn fuzz(&mut self, target: &mut dyn Execute, until: Until) -> Ended {
        target.watch();
        let mut seeds = std::mem::take(&mut self.corpus).into_iter();
        let most = target.takes().unwrap_or(MAX_LENGTH);
        let begin = Instant::now();
        let mut runs = 0;
        let mut bytes = Vec::new();
        loop {
            let is_over = match until {
                Until::Runs(limit) => runs >= limit,
                Until::Time(limit) => runs % CLOCK_EVERY == 0 && begin.elapsed() >= limit,
            };
            if is_over || STOP.load(Ordering::Relaxed) {
                self.corpus.extend(seeds);
                return Ended { runs, kept: self.corpus.len() };
            }
            match seeds.next() {
                Some(seed) => bytes = seed,
                None => self.mutate(&mut bytes, most),
            }
            target.step(&bytes, Phase::Fuzz);
            runs += 1;
            let covered = target.covered();
            if covered.iter().any(|&slot| !self.is_covered[slot]) {
                self.corpus.push(bytes.clone());
            }
            covered.into_iter().for_each(|slot| self.is_covered[slot] = true);
        }
    }

    /// Draws this many inputs uniformly: every byte by itself, of all lengths the type can use.
    pub fn uniform(&mut self, target: &mut dyn Execute, count: u64) {
        let mut bytes = Vec::new();
        for _ in 0..count {
            if STOP.load(Ordering::Relaxed) {
                return;
            }
            let length = target.takes().unwrap_or_else(|| self.random.below(MAX_LENGTH + 1));
            bytes.clear();
            bytes.extend((0..length).map(|_| self.random.next() as u8));
            target.step(&bytes, Phase::Uniform);
        }
    }

    /// Makes the next input from the corpus.
    fn mutate(&mut self, bytes: &mut Vec<u8>, most: usize) {
        bytes.clear();
        match self.corpus.len() {
            0 => {}
            count => bytes.extend_from_slice(&self.corpus[self.random.below(count)]),
        }
        if bytes.is_empty() || self.random.below(64) == 0 {
            let length = if most <= 64 { most } else { self.random.below(most) + 1 };
            bytes.clear();
            bytes.extend((0..length).map(|_| self.random.next() as u8));
        }
        for _ in 0..=self.random.next() % MAX_PILE {
            self.mutate_once(bytes, most);
        }
    }

    fn mutate_once(&mut self, bytes: &mut Vec<u8>, most: usize) {
        const INTERESTING: [i64; 12] =
            [0, 1, -1, 2, 9, 10, 127, 255, i16::MAX as i64, i32::MAX as i64, i32::MIN as i64, i64::MAX];
        if bytes.is_empty() {
            bytes.extend((most > 0).then_some(0));
            return;
        }
        let at = self.random.below(bytes.len());
        let width = (1 << self.random.below(4)).min(bytes.len() - at);
        match self.random.below(8) {
            0 => bytes[at] ^= 1 << self.random.below(8),
            1 => bytes[at] = self.random.next() as u8,
            2 => {
                let value = INTERESTING[self.random.below(INTERESTING.len())];
                bytes[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
            }
            3 => self.add_small(&mut bytes[at..at + width]),
            // What makes two fields equal, or one a neighbour of the other.
            4 => {
                let from = self.random.below(bytes.len() - width + 1);
                bytes.copy_within(from..from + width, at);
            }
            5 if bytes.len() < most => {
                let more = (self.random.below(8) + 1).min(most - bytes.len());
                let fill: Vec<u8> = (0..more).map(|_| self.random.next() as u8).collect();
                bytes.splice(at..at, fill);
            }
            6 if bytes.len() > 1 => {
                bytes.drain(at..at + width.min(bytes.len() - 1));
            }
            _ => {
                let other = self.random.below(self.corpus.len().max(1));
                if let Some(other) = self.corpus.get(other).filter(|other| other.len() > at) {
                    let end = (at + width).min(other.len());
                    bytes[at..end].copy_from_slice(&other[at..end]);
                }
            }
        }
    }

    fn add_small(&mut self, place: &mut [u8]) {
        let mut word = [0; 8];
        word[..place.len()].copy_from_slice(place);
        let step = self.random.below(32) as i64 - 16;
        let sum = i64::from_le_bytes(word).wrapping_add(step).to_le_bytes();
        place.copy_from_slice(&sum[..place.len()]);
    }
}
