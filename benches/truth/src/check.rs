//! Holds a subject against itself: what it says of its cells and versions has to be true.

use crate::{
    drawn::drawn,
    subject::{Holds, Kind, Known, Subject, Version},
    version,
};
use bugornot::{
    Input, Output, Verdict,
    engine::{Builtin, Execute, Facts, Settings, Step, Target, Until},
    log::Phase,
};
use std::{
    cell::Cell,
    collections::BTreeMap,
    panic::{self, AssertUnwindSafe, catch_unwind},
    sync::Once,
};

/// Executions of the built-in engine, which finds what is rare.
const GUIDED: u64 = 30_000;

thread_local! {
    static IS_CALLING: Cell<bool> = const { Cell::new(false) };
}

/// What functions panic of is not printed: some of them should.
fn silence_functions() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_CALLING.get() {
                tell(panic);
            }
        }));
    });
}

/// Checks a whole subject.
pub(crate) fn check<In: Input, Out: Output + PartialEq>(subject: &Subject<In, Out>) {
    silence_functions();
    let target = target(subject, 0);
    let names: Vec<String> = (0..target.header().cells.len()).map(|cell| target.header().cell_name(cell)).collect();
    let known: Vec<&str> = subject.cells.iter().map(|(name, _)| *name).collect();
    assert_eq!(sorted(names.iter().map(String::as_str)), sorted(known.into_iter()), "the cells of the suite");
    let inputs = original(subject, target, &names);
    let decoded: Vec<In> = inputs.iter().filter_map(|bytes| subject.decode(bytes)).collect();
    let right: Vec<Vec<Option<Out>>> = decoded.iter().map(|input| outputs(subject, 0, input)).collect();
    for version in subject.versions {
        lines_are_known(subject, version);
        outputs_differ_in_the_region(subject, version, &decoded, &right);
        if matches!(version.kind, Kind::Regional | Kind::Global) {
            a_relation_sees_it(subject, version, &inputs, &names);
        }
    }
}

fn sorted<'name>(names: impl Iterator<Item = &'name str>) -> Vec<&'name str> {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names
}

fn target<In: Input, Out: Output>(subject: &Subject<In, Out>, number: u32) -> Target<In, Out> {
    version::choose(number);
    let facts = Facts { debug_assertions: true, overflow_checks: true, manifest: env!("CARGO_MANIFEST_DIR") };
    Target::new(subject.name, subject.suite, Settings::new(None, 1), &facts).expect("the suite makes sense")
}

/// Every verdict of the original is the true one, and every condition is met and not met; the inputs that showed it.
fn original<In: Input, Out: Output>(
    subject: &Subject<In, Out>,
    mut target: Target<In, Out>,
    names: &[String],
) -> Vec<Vec<u8>> {
    let mut engine = Builtin::new(1, Vec::new());
    engine.fuzz(&mut target, Until::Runs(GUIDED));
    let inputs: Vec<Vec<u8>> = engine.corpus().iter().cloned().chain(drawn()).collect();
    let mut seen: BTreeMap<(&str, Verdict), usize> = BTreeMap::new();
    for bytes in &inputs {
        if target.step(bytes, Phase::Replay) == Step::Rejected {
            continue;
        }
        let input = subject.decode(bytes).expect("it was judged");
        for (name, verdict) in names.iter().zip(target.verdicts()) {
            *seen.entry((name, verdict)).or_default() += 1;
            let expected = subject.holds(name).expect("it is known").at(&input);
            let is_right = match verdict {
                Verdict::Held => expected,
                Verdict::Violated => !expected,
                Verdict::NotApplicable => true,
                _ => false,
            };
            assert!(is_right, "{name} is {verdict} for {}", shown(&input));
        }
    }
    for (name, holds) in subject.cells {
        let count = |verdict| seen.get(&(*name, verdict)).copied().unwrap_or(0);
        let (held, violated) = (count(Verdict::Held), count(Verdict::Violated));
        println!("{name}: {held} held, {violated} violated");
        assert_eq!(held > 0, !matches!(holds, Holds::Never), "{name} is never held");
        assert_eq!(violated > 0, !matches!(holds, Holds::Always), "{name} is never violated");
    }
    inputs
}

/// The fields of an input, whose type need not be printable.
fn shown<In: Input>(input: &In) -> String {
    serde_json::to_string(input).unwrap_or_default()
}

fn lines_are_known<In: Input, Out: Output>(subject: &Subject<In, Out>, version: &Version<In>) {
    let lines = subject.lines_of(version.number).len();
    assert!(lines == 1 || version.kind == Kind::Rewrite, "version {} changes {lines} lines", version.number);
    assert!(subject.versions().iter().filter(|other| other.number == version.number).count() == 1);
}

/// Outputs of all functions; nothing for one that panicked.
fn outputs<In, Out>(subject: &Subject<In, Out>, number: u32, input: &In) -> Vec<Option<Out>> {
    version::choose(number);
    let call = |function: &fn(&In) -> Out| catch_unwind(AssertUnwindSafe(|| function(input))).ok();
    IS_CALLING.set(true);
    let outputs = subject.functions.iter().map(call).collect();
    IS_CALLING.set(false);
    version::choose(0);
    outputs
}

fn outputs_differ_in_the_region<In: Input, Out: Output + PartialEq>(
    subject: &Subject<In, Out>,
    version: &Version<In>,
    inputs: &[In],
    right: &[Vec<Option<Out>>],
) {
    let mut differing = 0;
    for (input, right) in inputs.iter().zip(right) {
        let differs = outputs(subject, version.number, input) != *right;
        differing += usize::from(differs);
        if let Some(region) = version.region {
            assert_eq!(differs, region(input), "version {} for {}", version.number, shown(input));
        }
    }
    let (number, what) = (version.number, version.what);
    println!("{number} {what}: differs for {differing} of {}", inputs.len());
    match version.kind {
        Kind::Rewrite | Kind::Harness => assert_eq!(differing, 0, "version {number} is no rewrite"),
        _ => assert!(differing > 0, "version {number} never differs"),
    }
}

/// A bug that no relation sees is no part of a benchmark of relations.
fn a_relation_sees_it<In: Input, Out: Output + PartialEq>(
    subject: &Subject<In, Out>,
    version: &Version<In>,
    inputs: &[Vec<u8>],
    names: &[String],
) {
    let mut target = target(subject, version.number);
    let mut is_seen_by = |bytes: &Vec<u8>| {
        if target.step(bytes, Phase::Replay) == Step::Rejected {
            return None;
        }
        let input = subject.decode(bytes).expect("it was judged");
        let is_seen = |(name, verdict): &(&String, Verdict)| {
            let should_hold = || subject.holds(name).expect("it is known").at(&input);
            verdict.is_panic() || *verdict == Verdict::Violated && should_hold()
        };
        names.iter().zip(target.verdicts()).find(is_seen).map(|(name, _)| name)
    };
    let seen = inputs.iter().find_map(&mut is_seen_by);
    version::choose(0);
    let (number, what) = (version.number, version.what);
    println!("  seen by {}", seen.unwrap_or_else(|| panic!("no relation sees version {number} ({what})")));
}
