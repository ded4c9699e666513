//! What happens for an input not seen before: the guide is told, and a row is logged. Runs with coverage paused.

use super::{Target, place};
use crate::{
    Input, Output,
    engine::{guide, quiet},
    hash,
    judge::Encoded,
    log::{
        Phase, RowParts,
        live::{self, Count},
        told::{self, ToldParts},
    },
};

/// One execution in this many is checked for soundness, among those not seen before.
const SOUNDNESS_EVERY: u64 = 64;

impl<In: Input, Out: Output> Target<In, Out> {
    /// Logs an execution not seen before, and tells the guide. Runs with coverage paused.
    #[inline(always)]
    pub(in crate::engine) fn unseen(&mut self) {
        // SAFETY: `execute` set it to a slice that outlives the execution.
        let bytes = unsafe { &*self.bytes };
        self.encoder.clear();
        let input = self.input.take();
        let (count, shape) = match &input {
            Some(input) => self.encode(input, bytes, true),
            None => self.encode_nothing(),
        };
        let verdicts = place(&self.desk).verdicts;
        // Examples run inside the first execution, and their coverage is not its own.
        if self.settings.guide && self.phase != Phase::Example {
            guide::cover(&self.encoder.bytes, verdicts, &self.constants, self.covered.as_mut());
        }
        if self.told.is_some() {
            let detail = self.judge.detail(&mut self.encoder, &Encoded::default());
            let encoder = &self.encoder;
            self.told =
                Some(told::write(&ToldParts { bytes, values: (count, shape), verdicts, detail: &detail, encoder }));
        }
        let sites = self.judge.panic_sites();
        let stratum = hash::of_bytes(verdicts, sites ^ self.phase as u64);
        let fingerprint = hash::of_bytes(&self.encoder.bytes, stratum);
        if quiet::is_new(&mut self.desk, fingerprint) {
            self.count_distinct(verdicts);
            let unsound = match &input {
                Some(input) if fingerprint >> 8 & (SOUNDNESS_EVERY - 1) == 0 => self.recheck(input),
                _ => Encoded::default(),
            };
            self.log(bytes, (count, shape), verdicts, stratum, fingerprint, unsound);
        }
        self.input = input;
    }

    /// The row of an input that could not even be made: decoding or the domain panicked.
    fn encode_nothing(&mut self) -> (usize, u32) {
        let count = self.header.parameters.len() + self.header.features.len();
        (0..count).for_each(|_| self.encoder.unit());
        (count, self.encoder.shape(&[]))
    }

    #[inline(always)]
    fn count_distinct(&mut self, verdicts: &[u8]) {
        let table = self.desk.live.cast::<u8>().wrapping_add(live::distinct_at(verdicts.len())).cast();
        // SAFETY: the table of distinct inputs stands there, as long as the totals.
        unsafe { quiet::tally(verdicts.as_ptr(), table, verdicts.len()) };
        self.live().add(Count::Distinct, 1);
    }

    fn recheck(&mut self, input: &In) -> Encoded {
        let unsound = self.judge.recheck(input, &place(&self.desk), &mut self.encoder);
        self.live().add(Count::Checks, 1);
        self.live().add(Count::Unsound, u64::from(unsound.count > 0));
        unsound
    }

    #[inline(always)]
    fn log(
        &mut self,
        bytes: &[u8],
        (count, shape): (usize, u32),
        verdicts: &[u8],
        stratum: u64,
        fingerprint: u64,
        unsound: Encoded,
    ) {
        let Some(writer) = &mut self.writer else { return };
        let Some((weight, detailed)) = writer.wanted(stratum, fingerprint) else { return };
        let detail = (detailed || unsound.count > 0).then(|| self.judge.detail(&mut self.encoder, &unsound));
        let row = RowParts {
            phase: self.phase,
            bytes: if self.phase == Phase::Example { &[] } else { bytes },
            shape,
            shapes: &self.encoder.shapes,
            shapes_used: &self.encoder.shapes_used,
            count,
            values: &self.encoder.bytes,
            verdicts,
        };
        writer.row(&row, weight, detail.as_deref());
    }
}
