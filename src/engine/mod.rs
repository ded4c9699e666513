//! Engines: where bytes come from. One [`Target`] serves them all, so that the same bytes give the same record.
//!
//! bytes -> decode -> judge -> totals, guide and log. What happens in every execution is in `quiet.rs`; what happens
//! for an input not seen before is `Target::unseen`, which runs with coverage paused.

mod builtin;
#[cfg(any(bugornot_calls, feature = "cli"))]
pub(crate) mod calls;
pub(crate) mod coverage;
mod examples;
mod guide;
mod macros;
mod plain;
mod quiet;
pub(crate) mod serve;
mod settings;

pub use builtin::{Builtin, Ended, Until};
#[cfg(feature = "replay")]
pub(crate) use macros::name_of;
#[doc(hidden)]
pub use macros::{Quiet, afl_main, execute, libfuzzer_start, libfuzzer_step, panics, plain_main};
#[doc(hidden)]
pub use settings::Facts;
pub use settings::Settings;
#[cfg(feature = "cli")]
pub(crate) use settings::parse_bytes;

use crate::{
    Input, Output, Suite, SuiteError, Verdict, hash,
    judge::{Encoded, Guarded, Judge, Place, install_hook},
    log::{
        FORMAT, Header, Phase, RelationInfo, RowParts, Stage, Value, Writer, codec,
        encode::Encoder,
        live::{self, Count, LeftMark, Live},
        told::{self, ToldParts},
    },
};
use arbitrary::Unstructured;
use quiet::Desk;
use std::{
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::atomic::AtomicU32,
};

/// One execution in this many is checked for soundness, among those not seen before.
const SOUNDNESS_EVERY: u64 = 64;

/// A suite, ready to execute inputs.
pub struct Target<In, Out> {
    callbacks: Callbacks,
    judge: Judge<In, Out>,
    settings: Settings,
    header: Header,
    desk: Desk,
    /// Stands in for the live pages where there is no log.
    unlogged: Vec<u64>,
    writer: Option<Writer>,
    encoder: Encoder,
    constants: Vec<i64>,
    /// How many bytes an input can take at the most.
    takes: Option<usize>,
    /// The execution under way.
    phase: Phase,
    bytes: *const [u8],
    input: Option<In>,
    /// What the last execution covered, for the built-in engine.
    covered: Option<Vec<usize>>,
    /// The last execution in full, if somebody wants to be told.
    told: Option<Vec<u8>>,
}

/// What became of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It was judged.
    Judged,
    /// It could not be decoded, or is outside the domain.
    Rejected,
}

/// Executes inputs of a suite whose types are forgotten.
pub trait Execute {
    /// Executes one input.
    fn step(&mut self, bytes: &[u8], phase: Phase) -> Step;
    /// The verdicts of the last input that was judged, by cell.
    fn verdicts(&self) -> Vec<Verdict>;
    /// What describes the suite and the build.
    fn header(&self) -> &Header;
    /// How many bytes an input can take at the most, if that is bounded.
    fn takes(&self) -> Option<usize>;
    /// Opens the log and judges the examples that nobody has judged yet in this campaign. The first step does it too.
    fn begin(&mut self);
    /// From now on, hands out what each execution covers.
    fn watch(&mut self);
    /// What the last execution covered.
    fn covered(&mut self) -> Vec<usize>;
    /// From now on, hands out each execution in full.
    fn tell(&mut self);
    /// The last execution, encoded as `log/told.rs` says; nothing if the input was rejected.
    fn told(&mut self) -> Option<Vec<u8>>;
    /// What each call of one check of an input runs: an encoded list of `calls.rs`'s `Run`.
    #[cfg(bugornot_calls)]
    fn calls(&self, bytes: &[u8], cell: usize) -> Vec<u8>;
}

impl<In: Input, Out: Output> Target<In, Out> {
    /// Declares the suite and makes it ready; nothing is written before the first execution.
    pub fn new(
        name: &str,
        declare: impl FnOnce(&mut Suite<In, Out>),
        settings: Settings,
        facts: &Facts,
    ) -> Result<Self, SuiteError> {
        Self::with(Callbacks::of::<In, Out>(), name, declare, settings, facts)
    }

    #[inline(always)]
    fn with(
        callbacks: Callbacks,
        name: &str,
        declare: impl FnOnce(&mut Suite<In, Out>),
        settings: Settings,
        facts: &Facts,
    ) -> Result<Self, SuiteError> {
        let suite = Suite::declare(name, settings.draws(), declare)?;
        install_hook();
        coverage::prepare();
        guide::prepare();
        let judge = Judge::new(suite);
        let header = describe(&judge, &settings, facts);
        let constants = header.constants.iter().filter_map(|(_, value)| whole(value)).collect();
        let takes = In::size_hint(0).1.zip(judge.suite.parameters_take()).map(|(input, more)| input + more);
        let cells = judge.cells.len();
        let mut target = Self {
            callbacks,
            judge,
            settings,
            header,
            desk: Desk::new(cfg!(bugornot_engine = "afl")),
            unlogged: vec![0; live::size(cells) / 8],
            writer: None,
            encoder: Encoder::default(),
            constants,
            takes,
            phase: Phase::Fuzz,
            bytes: &[],
            input: None,
            covered: None,
            told: None,
        };
        let unlogged = target.unlogged.as_mut_ptr().cast::<Live>();
        // SAFETY: as large as live pages, aligned to eight bytes, all zero.
        unsafe { (*unlogged).begin() };
        target.place(unlogged);
        Ok(target)
    }

    /// Points the quiet functions at live pages.
    fn place(&mut self, live: *mut Live) {
        let cells = self.judge.cells.len();
        self.desk.live = live;
        self.desk.cells = cells;
        self.desk.verdicts = live.cast::<u8>().wrapping_add(live::VERDICTS_AT);
        self.desk.totals = live.cast::<u8>().wrapping_add(live::totals_at(cells)).cast();
    }

    fn live(&mut self) -> &mut Live {
        // SAFETY: `place` put a valid pointer there, into memory that lives as long as the target.
        unsafe { &mut *self.desk.live }
    }

    /// Opens the segment, in the first execution: a fork server must not share it with its children.
    #[expect(
        clippy::print_stderr,
        reason = "the engine owns the terminal, and a fuzz target has no other way to say it"
    )]
    #[inline(always)]
    fn open(&mut self) {
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
        let (count, shape) = input.map_or((0, 0), |input| self.encode(&input, false));
        if let Some(writer) = &mut self.writer {
            writer.death(left, shape, count, &self.encoder);
        }
    }

    /// The one way bytes become an input: parameters first, then all the rest is the input's. Not inlined: what the
    /// user's types do with the bytes is coverage like any other.
    #[inline(never)]
    fn decode(&self, bytes: &[u8]) -> Option<In> {
        let mut bytes = Unstructured::new(bytes);
        self.judge.suite.draw_parameters(&mut bytes).ok()?;
        let input = In::arbitrary_take_rest(bytes).ok()?;
        self.judge.suite.admit(input)
    }

    /// Encodes a row's values; how many there are, and the shape of the fields. The user's features are asked only where
    /// that is safe.
    #[inline(always)]
    fn encode(&mut self, input: &In, ask: bool) -> (usize, u32) {
        let suite = &self.judge.suite;
        let encoder = &mut self.encoder;
        let (fields, shape) = encoder.fields(input, &suite.names);
        let mut parameters = 0;
        suite.visit_parameters(&mut |parameter| {
            parameter.encode(encoder);
            parameters += 1;
        });
        for _ in parameters..suite.parameter_names().count() {
            encoder.unit();
        }
        for feature in &suite.features {
            match catch_unwind(AssertUnwindSafe(|| ask.then(|| (feature.test)(input)))) {
                Ok(Some(truth)) => encoder.truth(truth),
                Ok(None) | Err(_) => encoder.unit(),
            }
        }
        (fields + suite.parameter_names().count() + suite.features.len(), shape)
    }

    /// Opens the log if this is the first execution, and executes one input.
    #[inline(always)]
    fn step_inline(&mut self, bytes: &[u8], phase: Phase) -> Step {
        self.begin();
        let length = self.takes.map_or(bytes.len(), |takes| takes.min(bytes.len()));
        let bytes = &bytes[..length];
        self.execute(bytes, phase, |target| target.decode(bytes))
    }

    /// Executes an input that `find` finds, with these bytes in the mark.
    #[inline(always)]
    fn execute(&mut self, bytes: &[u8], phase: Phase, find: impl FnOnce(&Self) -> Option<In>) -> Step {
        self.phase = phase;
        self.bytes = bytes;
        // SAFETY: `place` made the desk valid, and the bytes are a slice.
        unsafe {
            quiet::begin(
                &raw mut self.desk,
                bytes.as_ptr(),
                bytes.len(),
                live::phase_code(phase),
                Stage::Decode.number(),
            )
        };
        let _guarded = Guarded::begin();
        let found = catch_unwind(AssertUnwindSafe(|| find(self)));
        let step = match found {
            Ok(Some(input)) => {
                let mut place = place(&self.desk);
                self.judge.run(&input, &mut place);
                self.input = Some(input);
                Step::Judged
            }
            Ok(None) => Step::Rejected,
            Err(_) => {
                place(&self.desk).verdicts.fill(live::code(Verdict::TransformPanicked));
                Step::Judged
            }
        };
        // The callback gets the whole target, so from here on it is reached through one pointer.
        let this = &raw mut *self;
        match step {
            // SAFETY: as above; every cell has a verdict, and `unseen` expects this target.
            Step::Judged => unsafe { quiet::commit(&raw mut (*this).desk, (*this).callbacks.unseen, this.cast()) },
            // SAFETY: as above.
            Step::Rejected => unsafe { quiet::reject(&raw mut (*this).desk) },
        }
        // What is forgotten may panic when it is dropped; each time there is less left.
        while catch_unwind(AssertUnwindSafe(|| self.forget())).is_err() {}
        if self.settings.crash {
            self.crash();
        }
        step
    }

    #[inline(always)]
    fn forget(&mut self) {
        drop(self.input.take());
        self.judge.forget();
    }

    /// Logs an execution not seen before, and tells the guide. Runs with coverage paused.
    #[inline(always)]
    fn unseen(&mut self) {
        // SAFETY: `execute` set it to a slice that outlives the execution.
        let bytes = unsafe { &*self.bytes };
        self.encoder.clear();
        let input = self.input.take();
        let (count, shape) = match &input {
            Some(input) => self.encode(input, true),
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

    /// Aborts if a relation was violated or a function panicked, for platforms that only see crashes.
    #[expect(clippy::print_stderr, reason = "the last words of a process that is about to abort")]
    fn crash(&mut self) {
        let is_bad = |verdict: &Verdict| *verdict == Verdict::Violated || verdict.is_panic();
        if let Some((cell, verdict)) = self.verdicts().into_iter().enumerate().find(|(_, verdict)| is_bad(verdict)) {
            eprintln!("bugornot: {} {verdict}, and BUGORNOT_CRASH is set", self.header.cell_name(cell));
            std::process::abort();
        }
    }
}

impl<In: Input, Out: Output> Execute for Target<In, Out> {
    fn step(&mut self, bytes: &[u8], phase: Phase) -> Step {
        self.step_inline(bytes, phase)
    }

    fn verdicts(&self) -> Vec<Verdict> {
        place(&self.desk).verdicts.iter().filter_map(|&code| live::decode(code).ok().flatten()).collect()
    }

    fn header(&self) -> &Header {
        &self.header
    }

    fn takes(&self) -> Option<usize> {
        self.takes
    }

    #[inline(always)]
    fn begin(&mut self) {
        let this = &raw mut *self;
        // SAFETY: `place` made the desk valid, and `open` expects this target.
        unsafe { quiet::open_once(&raw mut (*this).desk, (*this).callbacks.open, this.cast()) };
    }

    fn watch(&mut self) {
        self.begin();
        self.desk.always = true;
        self.covered = Some(Vec::new());
    }

    fn covered(&mut self) -> Vec<usize> {
        self.covered.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn tell(&mut self) {
        self.begin();
        self.desk.always = true;
        self.told = Some(Vec::new());
    }

    fn told(&mut self) -> Option<Vec<u8>> {
        self.told.as_mut().map(std::mem::take).filter(|told| !told.is_empty())
    }

    #[cfg(bugornot_calls)]
    fn calls(&self, bytes: &[u8], cell: usize) -> Vec<u8> {
        let length = self.takes.map_or(bytes.len(), |takes| takes.min(bytes.len()));
        let mut runs = Vec::new();
        let _guarded = Guarded::begin();
        let found = catch_unwind(AssertUnwindSafe(|| self.decode(&bytes[..length])));
        if let Ok(Some(input)) = found {
            self.judge.calls(cell, &input, &mut |call| runs.push(calls::watch(call)));
        }
        codec::encode(&runs)
    }
}

/// What the quiet functions call back.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Callbacks {
    pub open: unsafe extern "C" fn(*mut c_void),
    pub unseen: unsafe extern "C" fn(*mut c_void),
}

impl Callbacks {
    /// The callbacks where nothing is instrumented.
    fn of<In: Input, Out: Output>() -> Self {
        unsafe extern "C" fn open_here<In: Input, Out: Output>(target: *mut c_void) {
            // SAFETY: the caller's promise is the same.
            unsafe { open::<In, Out>(|_| (), target) }
        }
        unsafe extern "C" fn unseen_here<In: Input, Out: Output>(target: *mut c_void) {
            // SAFETY: as above.
            unsafe { unseen::<In, Out>(|_| (), target) }
        }
        Self { open: open_here::<In, Out>, unseen: unseen_here::<In, Out> }
    }
}

/// [`Target::open`] of a target whose types are forgotten; the suite is passed for its types alone.
///
/// # Safety
/// `target` must be the [`Target`] of this suite, and nobody else may use it.
#[doc(hidden)]
#[inline(always)]
pub unsafe fn open<In: Input, Out: Output>(_: fn(&mut Suite<In, Out>), target: *mut c_void) {
    // SAFETY: the caller's promise.
    let target = unsafe { &mut *target.cast::<Target<In, Out>>() };
    target.open();
}

/// [`Target::unseen`] of a target whose types are forgotten; the suite is passed for its types alone.
///
/// # Safety
/// As for [`open`].
#[doc(hidden)]
#[inline(always)]
pub unsafe fn unseen<In: Input, Out: Output>(_: fn(&mut Suite<In, Out>), target: *mut c_void) {
    // SAFETY: the caller's promise.
    let target = unsafe { &mut *target.cast::<Target<In, Out>>() };
    // A user's `Serialize` may panic; that must not cross the quiet function.
    let _ = catch_unwind(AssertUnwindSafe(|| target.unseen()));
}

/// Where the judge leaves how far it has come.
#[inline(always)]
fn place<'run>(desk: &Desk) -> Place<'run> {
    // SAFETY: the desk's places are valid for as long as the target lives, and one thread executes inputs.
    unsafe {
        Place {
            stage: AtomicU32::from_ptr(&raw mut (*desk.live).mark.stage),
            verdicts: std::slice::from_raw_parts_mut(desk.verdicts, desk.cells),
        }
    }
}

fn example_index(bytes: &[u8]) -> Option<usize> {
    Some(u64::from_le_bytes(bytes.try_into().ok()?) as usize)
}

fn whole(value: &Value) -> Option<i64> {
    value.integer().and_then(|integer| i64::try_from(integer).ok())
}

/// The header of every segment that this build of the suite writes.
fn describe<In: Input, Out: Output>(judge: &Judge<In, Out>, settings: &Settings, facts: &Facts) -> Header {
    let suite = &judge.suite;
    let fields = typical_fields(judge);
    let mut types = format!("{} -> {}", std::any::type_name::<In>(), std::any::type_name::<Out>());
    types.push_str(&fields.join(","));
    Header {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").into(),
        suite: suite.name().into(),
        seed: settings.seed,
        functions: suite.functions.iter().map(|function| function.name.clone()).collect(),
        relations: suite
            .relations
            .iter()
            .map(|relation| RelationInfo {
                name: relation.name.clone(),
                description: relation.description.clone(),
                expected: relation.expected.clone(),
                has_precondition: !relation.when.is_empty(),
            })
            .collect(),
        cells: judge.cells.iter().map(|cell| (cell.function as u16, cell.relation as u16)).collect(),
        constants: suite.constants.clone(),
        fields,
        parameters: suite.parameter_names().map(str::to_owned).collect(),
        features: suite.features.iter().map(|feature| feature.text.clone()).collect(),
        build: settings::build(facts, hash::of_bytes(types.as_bytes(), 0)),
    }
}

/// The fields of the input that a few zeros decode to.
fn typical_fields<In: Input, Out: Output>(judge: &Judge<In, Out>) -> Vec<String> {
    let _guarded = Guarded::begin();
    let decode = || In::arbitrary_take_rest(Unstructured::new(&[0; 256])).ok();
    let Some(input) = catch_unwind(AssertUnwindSafe(decode)).ok().flatten() else { return Vec::new() };
    let mut encoder = Encoder::default();
    let encode = || encoder.fields(&input, &judge.suite.names).1;
    let Ok(shape) = catch_unwind(AssertUnwindSafe(encode)) else { return Vec::new() };
    encoder.shapes.names(shape).iter().map(|&name| name.to_owned()).collect()
}
