//! Templates: what many rows have in common, told once per block.

use super::RowParts;
use crate::{
    hash,
    log::{Template, live},
};
use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

/// How many templates are remembered at once.
const MAX_TEMPLATES: usize = 1 << 14;

/// Templates by what they say, each with the block that last explained it.
#[derive(Default)]
pub(super) struct Templates {
    numbers: HashMap<u64, usize, BuildHasherDefault<AlreadyHashed>>,
    pub(super) known: Vec<(Template, Option<u32>)>,
}

/// Keys that are hashes need none.
#[derive(Default)]
struct AlreadyHashed(u64);

impl Hasher for AlreadyHashed {
    #[inline(always)]
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline(always)]
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash::of_bytes(bytes, self.0);
    }
}

impl Templates {
    #[unsafe(export_name = "__sanitizer_bugornot_writer_number")]
    pub(super) fn number(&mut self, row: &RowParts<'_>, weight: u8, detailed: bool) -> usize {
        let context =
            u64::from(row.shape) << 32 | u64::from(weight) << 16 | u64::from(detailed) << 8 | row.phase as u64;
        let key = hash::of_bytes(row.verdicts, context);
        if let Some(&number) = self.numbers.get(&key) {
            let (known, _) = &self.known[number];
            let is_it = known.shape == row.shape && known.phase == row.phase && known.weight == weight;
            let is_it = is_it && known.detailed == detailed;
            let codes = row.verdicts.iter().map(|&code| live::number(code));
            if is_it && codes.eq(known.verdicts.iter().copied()) {
                return number;
            }
        }
        if self.known.len() >= MAX_TEMPLATES {
            self.numbers.clear();
            self.known.clear();
        }
        let number = self.known.len();
        let verdicts = row.verdicts.iter().map(|&code| live::number(code)).collect();
        let template =
            Template { number: number as u32 + 1, shape: row.shape, phase: row.phase, weight, detailed, verdicts };
        self.known.push((template, None));
        self.numbers.insert(key, number);
        number
    }
}
