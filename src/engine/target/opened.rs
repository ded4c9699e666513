//! What happens once: the segment is opened, a death is written down, and examples are judged.

use super::Target;
use crate::{
    Input, Output,
    engine::examples,
    judge::Guarded,
    log::{Phase, Stage, Writer, codec, live::LeftMark},
};
use arbitrary::Unstructured;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
};

impl<In: Input, Out: Output> Target<In, Out> {
    /// Opens the segment, in the first execution: a fork server must not share it with its children.
    #[expect(
        clippy::print_stderr,
        reason = "the engine owns the terminal, and a fuzz target has no other way to say it"
    )]
    #[inline(always)]
    pub(in crate::engine) fn open(&mut self) {
        if let Some(directory) = self.settings.log.clone() {
            match Writer::open(&directory, &self.header, self.settings.budget) {
                Ok((mut writer, left)) => {
                    let live = &raw mut *writer.live();
                    self.writer = Some(writer);
                    self.place(live);
                    if let Some(left) = left {
                        self.mourn(left);
                    }
                    self.examples(&directory);
                }
                Err(error) => eprintln!(
                    "bugornot: warning: nothing is logged, because `{}` cannot be written: {error}; \
                     set BUGORNOT_LOG to another folder, or to `off`",
                    directory.display()
                ),
            }
        }
    }

    /// Judges the examples that nobody has judged yet in this campaign.
    #[inline(always)]
    fn examples(&mut self, directory: &Path) {
        let count = self.judge.suite.examples.len() as u64;
        if count == 0 {
            return;
        }
        let Some(mut claim) = examples::Claim::open(directory, &codec::encode(&self.header)) else { return };
        for index in claim.next..count {
            claim.begin(index);
            self.execute(&index.to_le_bytes(), Phase::Example, |target| target.example(index as usize));
        }
    }

    /// An example; parameters are drawn from nothing, so it has the first value of each.
    fn example(&self, index: usize) -> Option<In> {
        self.judge.suite.draw_parameters(&mut Unstructured::new(&[])).ok()?;
        self.judge.suite.examples.get(index).cloned()
    }

    /// Writes down the execution that the segment's last process did not survive, decoded if that is safe.
    fn mourn(&mut self, left: LeftMark) {
        let is_whole = left.length == left.bytes.len() as u64;
        // Where decoding or the logger itself did not survive, they are not tried again.
        let is_safe =
            !left.is_mourned && !matches!(Stage::from_number(left.stage), None | Some(Stage::Decode | Stage::Commit));
        self.encoder.clear();
        let _guarded = Guarded::begin();
        let decode = || match left.phase {
            _ if !is_whole || !is_safe => None,
            Phase::Example => example_index(&left.bytes).and_then(|index| self.example(index)),
            _ => self.decode(&left.bytes),
        };
        let input = catch_unwind(AssertUnwindSafe(decode)).ok().flatten();
        let (count, shape) = input.map_or((0, 0), |input| self.encode(&input, &left.bytes, false));
        if let Some(writer) = &mut self.writer {
            writer.death(left, shape, count, &self.encoder);
        }
    }
}

fn example_index(bytes: &[u8]) -> Option<usize> {
    Some(u64::from_le_bytes(bytes.try_into().ok()?) as usize)
}
