//! What one execution does and says: every function once per input, one verdict per cell, and nothing escapes.

#[path = "judge/campaign.rs"]
mod campaign;
#[path = "judge/declared.rs"]
mod declared;
#[path = "judge/panics.rs"]
mod panics;
#[path = "judge/soundness.rs"]
mod soundness;

use arbitrary::{Arbitrary, Unstructured};
use bugornot::{
    Decrease, Equal, Increase, Input, Output, Relation, Suite, Verdict, any,
    engine::{Builtin, Execute, Settings, Step, Target, Until},
    log::{CellDetail, Detail, Log, Outcome, PanicInfo, Phase, Row, SoundnessKind, Totals, Value},
    observe,
};
use serde::Serialize;
use std::{
    cell::Cell,
    collections::{BTreeMap, HashMap},
    path::Path,
    rc::Rc,
    thread,
};

fn open<In: Input, Out: Output>(directory: &Path, declare: impl FnOnce(&mut Suite<In, Out>)) -> Target<In, Out> {
    let settings = Settings::new(Some(directory.to_owned()), 1);
    Target::new("suite", declare, settings, &bugornot::__facts!()).expect("the suite makes sense")
}

fn read(directory: &Path) -> (Vec<Row>, Totals) {
    let (mut rows, mut totals) = (Vec::new(), Totals::default());
    for segment in Log::open(directory).expect("the log opens").segments {
        let mut found = segment.rows().expect("the segment opens");
        rows.extend(found.by_ref());
        assert!(found.loss().is_none(), "{:?}", found.loss());
        totals.add(&segment.totals().expect("the totals are sound"));
    }
    (rows, totals)
}

/// Executes inputs one after the other.
fn fuzz(target: &mut dyn Execute, inputs: impl IntoIterator<Item = impl AsRef<[u8]>>) {
    for input in inputs {
        target.step(input.as_ref(), Phase::Fuzz);
    }
}

/// Executes these inputs and reads what was logged.
fn run<In: Input, Out: Output>(
    declare: impl FnOnce(&mut Suite<In, Out>),
    inputs: impl IntoIterator<Item = impl AsRef<[u8]>>,
) -> (Vec<Row>, Totals) {
    let directory = tempfile::tempdir().unwrap();
    let mut target = open(directory.path(), declare);
    target.begin();
    fuzz(&mut target, inputs);
    read(directory.path())
}

/// The verdicts and the detail of one input.
fn judge<In: Input, Out: Output>(declare: impl FnOnce(&mut Suite<In, Out>), input: &[u8]) -> (Vec<Verdict>, Detail) {
    let (rows, _) = run(declare, [input]);
    let [row] = &rows[..] else { panic!("one row, not {rows:?}") };
    let verdicts = row.verdicts.iter().map(|verdict| verdict.expect("every cell has one")).collect();
    (verdicts, *row.detail.clone().expect("the first rows carry a detail"))
}

/// The verdict of a suite of one cell.
fn verdict<In: Input, Out: Output>(declare: impl FnOnce(&mut Suite<In, Out>), input: &[u8]) -> Verdict {
    let (verdicts, _) = judge(declare, input);
    assert_eq!(verdicts.len(), 1);
    verdicts[0]
}

fn identity(suite: &mut Suite<u8, u8>) {
    suite.function("same", |number| *number);
}

/// Panics on 13 and on nothing else.
fn unlucky(number: u8) -> u8 {
    assert!(number != 13, "{number} is unlucky");
    number
}

fn luck(suite: &mut Suite<u8, u8>) {
    suite.function("unlucky", |number| unlucky(*number));
    suite.function("same", |number| *number);
    suite.relation("same", |number| *number, Equal);
    suite.relation("next", |number| number.wrapping_add(1), Increase);
}

#[test]
fn each_function_is_called_once_on_the_source_and_once_on_each_follow_up() {
    let calls: [Rc<Cell<u64>>; 3] = Default::default();
    let counted = calls.clone();
    let (_, totals) = run(
        move |suite: &mut Suite<u16, u16>| {
            let [one, two, transform] = counted;
            let count = |calls: Rc<Cell<u64>>| {
                move |number: &u16| {
                    calls.set(calls.get() + 1);
                    *number
                }
            };
            suite.function("one", count(one));
            suite.function("two", count(two));
            suite.relation("single", count(transform), Equal);
            suite.relation("three", |number| [*number, 1, 2], |_, _| true);
            suite.relation("only two", |number| *number, Equal).only(["two"]);
            suite.relation("never", |_| None::<u16>, Equal);
        },
        (0..1000u16).map(u16::to_le_bytes),
    );
    // A soundness check calls each function three times more.
    let (executions, checks) = (1000, totals.checks);
    assert_eq!((totals.executions, totals.distinct), (executions, executions));
    assert!((5..40).contains(&checks), "{checks}");
    assert_eq!(
        calls.map(|calls| calls.get()),
        [executions * (1 + 1 + 3) + checks * 3, executions * (1 + 1 + 3 + 1) + checks * 3, executions]
    );
}

#[test]
fn a_relation_that_holds_is_held_and_one_that_does_not_is_violated() {
    let increase = |suite: &mut Suite<u8, u8>| {
        identity(suite);
        suite.relation("plus one", |number| number.wrapping_add(1), Increase);
    };
    assert_eq!(verdict(increase, &[7]), Verdict::Held);
    assert_eq!(verdict(increase, &[255]), Verdict::Violated);
    assert_eq!([Verdict::Held.word(), Verdict::Violated.word()], ["held", "violated"]);
}

#[test]
fn a_transformation_that_gives_none_and_a_precondition_that_fails_are_not_applicable() {
    let none = |suite: &mut Suite<u8, u8>| {
        identity(suite);
        suite.relation("plus one", |number| number.checked_add(1), Increase);
    };
    assert_eq!([verdict(none, &[254]), verdict(none, &[255])], [Verdict::Held, Verdict::NotApplicable]);
    let when = |suite: &mut Suite<u8, u8>| {
        identity(suite);
        suite.relation("plus one", |number| number + 1, Increase).when(|number| *number > 5).when(|number| *number < 9);
    };
    let verdicts = [5, 6, 8, 9, 255].map(|number| verdict(when, &[number]));
    use Verdict::{Held, NotApplicable};
    assert_eq!(verdicts, [NotApplicable, Held, Held, NotApplicable, NotApplicable]);
    assert_eq!(NotApplicable.word(), "not-applicable");
}

#[test]
fn a_precondition_that_fails_spares_the_transformation_and_the_follow_up() {
    let (verdicts, detail) = judge(
        |suite: &mut Suite<u8, u8>| {
            identity(suite);
            suite.relation("never", |_| -> u8 { panic!("not to be called") }, Equal).when(|_| false);
        },
        &[1],
    );
    assert_eq!(verdicts, [Verdict::NotApplicable]);
    assert_eq!(detail.cells, [CellDetail::default()]);
}

#[test]
fn outputs_without_an_order_are_incomparable() {
    let square_root = |suite: &mut Suite<i8, f64>| {
        suite.function("root", |number| f64::from(*number).sqrt());
        suite.relation("equal", |number| number.wrapping_neg(), Equal);
        suite.relation("less", |number| number.wrapping_sub(1), Decrease);
        suite.relation("own", |number| *number, |source, follow_up| source.partial_cmp(follow_up).map(|_| true));
    };
    use Verdict::{Held, Incomparable};
    assert_eq!(judge(square_root, &[4]).0, [Incomparable, Held, Held]);
    assert_eq!(judge(square_root, &[0]).0, [Held, Incomparable, Held]);
    assert_eq!(judge(square_root, &[255]).0, [Incomparable, Incomparable, Incomparable]);
    assert_eq!(Incomparable.word(), "incomparable");
}
