//! What one execution does and says: every function once per input, one verdict per cell, and nothing escapes.

use arbitrary::{Arbitrary, Unstructured};
use bugornot::{
    Decrease, Equal, Increase, Input, Output, Relation, Suite, Verdict, any,
    engine::{Builtin, Execute, Settings, Step, Target, Until},
    log::{CellDetail, Detail, Log, Outcome, PanicInfo, Phase, Row, SoundnessKind, Totals, Value},
    observe,
};
use serde::Serialize;
use std::{cell::Cell, collections::BTreeMap, path::Path, rc::Rc, thread};

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

/// Panics on 13 and on nothing else.
fn unlucky(number: u8) -> u8 {
    assert!(number != 13, "{number} is unlucky");
    number
}

fn panicked(info: Option<&PanicInfo>, message: &str) {
    let info = info.expect("the panic is told");
    assert_eq!(info.message, message);
    let (file, place) = info.location.split_once(':').expect("file:line:column");
    assert_eq!(file, "tests/judge.rs");
    assert!(place.split(':').all(|number| number.parse::<u32>().is_ok_and(|number| number > 0)), "{place}");
}

fn of(outcome: &Outcome) -> Option<&PanicInfo> {
    match outcome {
        Outcome::Panicked(info) => Some(info),
        Outcome::Output(_) | Outcome::Unknown => None,
    }
}

fn luck(suite: &mut Suite<u8, u8>) {
    suite.function("unlucky", |number| unlucky(*number));
    suite.function("same", |number| *number);
    suite.relation("same", |number| *number, Equal);
    suite.relation("next", |number| number.wrapping_add(1), Increase);
}

#[test]
fn a_panic_on_the_source_is_told_with_message_and_place() {
    let (verdicts, detail) = judge(luck, &[13]);
    use Verdict::{Held, SourcePanicked};
    assert_eq!(verdicts, [SourcePanicked, SourcePanicked, Held, Held]);
    panicked(of(&detail.sources[0]), "13 is unlucky");
    assert_eq!(detail.sources[1], Outcome::Output(Value::I8(13)));
    assert_eq!((SourcePanicked.word(), SourcePanicked.is_panic()), ("source-panicked", true));
}

#[test]
fn a_panic_on_a_follow_up_is_told_with_message_and_place() {
    let (verdicts, detail) = judge(luck, &[12]);
    use Verdict::{FollowUpPanicked, Held};
    assert_eq!(verdicts, [Held, FollowUpPanicked, Held, Held]);
    assert_eq!(detail.cells[1].inputs, [Value::I8(13)]);
    panicked(of(&detail.cells[1].outcomes[0]), "13 is unlucky");
    assert_eq!((FollowUpPanicked.word(), FollowUpPanicked.is_panic()), ("follow-up-panicked", true));
}

#[test]
fn of_several_follow_ups_those_before_a_panic_are_told_too() {
    let (verdicts, detail) = judge(
        |suite: &mut Suite<u8, u8>| {
            suite.function("unlucky", |number| unlucky(*number));
            suite.relation("three", |number| vec![number + 1, number + 2, number + 3], Increase);
        },
        &[11],
    );
    assert_eq!(verdicts, [Verdict::FollowUpPanicked]);
    assert_eq!(detail.cells[0].inputs, [Value::I8(12), Value::I8(13), Value::I8(14)]);
    assert_eq!((detail.cells[0].outcomes.len(), &detail.cells[0].outcomes[0]), (2, &Outcome::Output(Value::I8(12))));
    panicked(of(&detail.cells[0].outcomes[1]), "13 is unlucky");
}

#[test]
fn a_panic_of_the_harness_is_the_harness_s_wherever_it_is() {
    type Relate = for<'suite> fn(&'suite mut Suite<u8, u8>) -> &'suite mut Relation<u8, u8>;
    let relations: [Relate; 5] = [
        |suite| suite.relation("transform", |number| unlucky(*number), Equal),
        |suite| suite.relation("when", |number| *number, Equal).when(|number| unlucky(*number) > 0),
        |suite| suite.relation("judgement", |number| *number, |source, _| unlucky(*source) > 0),
        |suite| suite.judge("from output", |_, output| unlucky(*output), |_| true),
        |suite| suite.judge("over all", |number, _| *number, |check| unlucky(*check.input) > 0),
    ];
    for relation in relations {
        let declare = |suite: &mut Suite<u8, u8>| {
            identity(suite);
            suite.relation("before", |number| *number, Equal);
            relation(suite);
            suite.relation("after", |number| *number, Equal);
        };
        use Verdict::{Held, TransformPanicked};
        assert_eq!(judge(declare, &[12]).0, [Held, Held, Held]);
        let (verdicts, detail) = judge(declare, &[13]);
        assert_eq!(verdicts, [Held, TransformPanicked, Held]);
        panicked(detail.cells[1].harness.as_ref(), "13 is unlucky");
        assert_eq!((&detail.cells[0].harness, &detail.cells[2].harness), (&None, &None));
        assert_eq!((TransformPanicked.word(), TransformPanicked.is_panic()), ("transform-panicked", false));
    }
}

#[test]
fn a_panic_without_a_text_and_one_with_a_long_text_are_told_as_far_as_they_go() {
    let declare = |suite: &mut Suite<u8, u8>| {
        suite.function("any", |_| std::panic::panic_any(7));
        suite.function("long", |_| panic!("{}", "ы".repeat(10_000)));
        suite.relation("same", |number| *number, Equal);
    };
    let (verdicts, detail) = judge(declare, &[1]);
    assert_eq!(verdicts, [Verdict::SourcePanicked; 2]);
    panicked(of(&detail.sources[0]), "(no message)");
    let long = &of(&detail.sources[1]).unwrap().message;
    assert!((200..1000).contains(&long.len()) && long.chars().all(|letter| letter == 'ы'), "{long}");
}

#[test]
fn a_panic_at_another_place_is_another_stratum() {
    let (rows, _) = run(
        |suite: &mut Suite<u16, u16>| {
            suite.function("two places", |number| if *number == 900 { panic!("rare") } else { panic!("common") });
            suite.relation("same", |number| *number, Equal);
        },
        (0..1000u16).map(u16::to_le_bytes),
    );
    let detailed: Vec<i128> =
        rows.iter().filter(|row| row.detail.is_some()).filter_map(|row| row.fields[0].integer()).collect();
    assert!(detailed.len() < 400 && detailed.contains(&900), "{detailed:?}");
}

#[test]
fn several_follow_ups_are_violated_if_one_is() {
    let several = |suite: &mut Suite<(u8, u8), f32>| {
        suite.function("ratio", |&(a, b)| f32::from(a) / f32::from(b));
        suite.relation(
            "array",
            |&(a, b)| [(a, b), (a, b.wrapping_add(1)), (a.wrapping_add(1), b)],
            |one, other| one.partial_cmp(other).map(|order| order.is_le()),
        );
        suite.relation("list", |&(a, b)| Some(vec![(a, b); usize::from(b)]), Equal);
    };
    use Verdict::{Held, Incomparable, Violated};
    assert_eq!(judge(several, &[0, 5]).0, [Held, Held]);
    // The first follow-up is NaN, the last one infinite.
    assert_eq!(judge(several, &[0, 0]).0, [Incomparable, Held]);
    assert_eq!(judge(several, &[4, 5]).0, [Violated, Held]);
    let (_, detail) = judge(several, &[4, 5]);
    assert_eq!((detail.cells[0].outcomes.len(), detail.cells[1].outcomes.len()), (3, 5));
}

#[test]
fn follow_ups_can_be_made_from_the_output_of_each_function() {
    let (verdicts, detail) = judge(
        |suite: &mut Suite<Vec<u8>, Vec<u8>>| {
            suite.normalise(|_| vec![1, 2, 3]);
            suite.function("reverse", |list| list.iter().rev().copied().collect());
            suite.function("shorten", |list| list.iter().skip(1).copied().collect());
            suite.judge(
                "twice is nothing",
                |_, output| output.clone(),
                |check| check.follow_up_outputs[0] == *check.input && check.follow_up_inputs[0] == *check.output,
            );
            suite.judge("partial", |_, output| (output.len() > 2).then(|| output.clone()), |_| true);
        },
        &[],
    );
    use Verdict::{Held, NotApplicable, Violated};
    assert_eq!(verdicts, [Held, Held, Violated, NotApplicable]);
    // Each function has follow-ups of its own.
    assert_eq!([0, 2].map(|cell| detail.cells[cell].inputs[0].to_string()), ["[3, 2, 1]", "[2, 3]"]);
}

#[test]
fn parameters_are_drawn_for_each_execution_and_logged_as_the_relation_saw_them() {
    let (rows, _) = run(
        |suite: &mut Suite<u8, i32>| {
            let by = suite.parameter("by", -3..=3i8);
            let text = suite.parameter("text", any::<(bool, u16)>());
            suite.function("wide", |number| i32::from(*number));
            suite.judge("by", |number, _| *number, move |_| by.get() > 0);
            suite.judge("text", |number, _| *number, move |_| text.get().0);
        },
        (0..=255u8).map(|byte| [byte, byte.wrapping_mul(91), 3, 1, byte]),
    );
    assert!(rows.len() > 200, "{}", rows.len());
    let mut seen = BTreeMap::<i128, u32>::new();
    for row in &rows {
        let [by, Value::Tuple(parts)] = &row.parameters[..] else { panic!("{:?}", row.parameters) };
        let by = by.integer().unwrap();
        *seen.entry(by).or_default() += 1;
        let word = |yes| Some(if yes { Verdict::Held } else { Verdict::Violated });
        assert_eq!(row.verdicts[..], [word(by > 0), word(parts[0] == Value::True)], "{row:?}");
        assert_eq!((row.fields.len(), parts[1].integer()), (1, Some(0x0103)));
    }
    assert!(seen.keys().copied().eq(-3..=3), "{seen:?}");
}

#[test]
fn a_relation_is_checked_only_for_the_functions_it_names() {
    let directory = tempfile::tempdir().unwrap();
    let mut target = open(directory.path(), |suite: &mut Suite<u8, u8>| {
        for name in ["one", "two", "three"] {
            suite.function(name, |number| *number);
        }
        suite.relation("all", |number| *number, Equal);
        suite.relation("some", |number| *number, Equal).only(["three", "one"]);
    });
    target.step(&[1], Phase::Fuzz);
    let cells: Vec<String> = (0..5).map(|cell| target.header().cell_name(cell)).collect();
    assert_eq!(cells, ["one x all", "one x some", "two x all", "three x all", "three x some"]);
    assert_eq!(target.verdicts(), [Verdict::Held; 5]);
}

#[test]
fn features_are_logged_under_their_text_and_a_panicking_one_as_unknown() {
    let directory = tempfile::tempdir().unwrap();
    let mut target = open(directory.path(), |suite: &mut Suite<(u8, u8), u8>| {
        let limit = 10;
        suite.function("first", |p| p.0);
        suite.relation("same", |p| *p, Equal);
        observe!(suite, |p| p.0 % 2 == p.1 % 2);
        observe!(suite, |&(a, b)| a / b > 0);
        observe!(suite, move |p| p.0 > limit);
    });
    fuzz(&mut target, [[4u8, 2], [4, 0], [11, 12]]);
    assert_eq!(target.header().features, ["p.0 % 2 == p.1 % 2", "a / b > 0", "p.0 > limit"]);
    let features: Vec<Vec<Option<bool>>> = read(directory.path()).0.into_iter().map(|row| row.features).collect();
    assert_eq!(
        features,
        [
            [Some(true), Some(true), Some(false)],
            [Some(true), None, Some(false)],
            [Some(false), Some(false), Some(true)]
        ]
    );
}

/// Decodes only from a byte below 100.
#[derive(Serialize, Clone, Debug)]
struct Small(u8);

impl<'bytes> Arbitrary<'bytes> for Small {
    fn arbitrary(bytes: &mut Unstructured<'bytes>) -> arbitrary::Result<Self> {
        match u8::arbitrary(bytes)? {
            number @ ..100 => Ok(Self(number)),
            _ => Err(arbitrary::Error::IncorrectFormat),
        }
    }
}

#[test]
fn what_is_judged_and_logged_is_the_normalised_input_and_what_is_outside_the_domain_is_counted() {
    let directory = tempfile::tempdir().unwrap();
    let mut target = open(directory.path(), |suite: &mut Suite<Small, u8>| {
        suite.normalise(|small| Small(small.0 % 50));
        suite.normalise(|small| Small(small.0 * 2));
        suite.assume(|small| small.0 != 20);
        suite.assume(|small| small.0 != 22);
        suite.function("same", |small| small.0);
        // Follow-ups are left as they are.
        suite.relation("odd", |_| Small(77), |_, follow_up| *follow_up == 77);
    });
    let steps = [3u8, 53, 10, 11, 100, 12].map(|number| target.step(&[number], Phase::Fuzz));
    use Step::{Judged, Rejected};
    assert_eq!(steps, [Judged, Judged, Rejected, Rejected, Rejected, Judged]);
    let (rows, totals) = read(directory.path());
    let fields: Vec<&Value> = rows.iter().flat_map(|row| &row.fields).collect();
    assert_eq!(fields, [&Value::I8(6), &Value::I8(24)]);
    assert!(rows.iter().all(|row| row.verdicts[..] == [Some(Verdict::Held)]));
    assert_eq!((totals.executions, totals.rejected, totals.distinct), (3, 3, 2));
}

#[test]
fn a_domain_that_panics_is_the_harness_s_fault_for_every_cell() {
    let places: [fn(&mut Suite<u8, u8>); 2] =
        [|suite| suite.normalise(unlucky), |suite| suite.assume(|number| unlucky(*number) > 0)];
    for domain in places {
        let declare = |suite: &mut Suite<u8, u8>| {
            domain(suite);
            luck(suite);
            observe!(suite, |number| *number > 0);
        };
        let (rows, totals) = run(declare, [[7u8], [13], [8]]);
        assert_eq!(totals.executions, 3);
        let verdicts: Vec<_> = rows.iter().map(|row| row.verdicts[0]).collect();
        assert_eq!(verdicts, [Verdict::Held, Verdict::TransformPanicked, Verdict::Held].map(Some));
        assert_eq!(rows[1].verdicts[..], [Some(Verdict::TransformPanicked); 4]);
        // There is no input to speak of, but its bytes are known.
        assert_eq!((&rows[1].bytes[..], &rows[1].fields[..], &rows[1].names[..]), (&[13][..], &[][..], &[][..]));
        assert_eq!(rows[1].features, [None]);
    }
}

#[test]
fn a_panic_in_a_thread_of_the_function_is_the_function_s_if_it_passes_it_on() {
    let (verdicts, detail) = judge(
        |suite: &mut Suite<u8, u8>| {
            let spawn = |number: u8| thread::spawn(move || unlucky(number));
            suite.function("passes on", move |number| spawn(*number).join().expect("it was lucky"));
            suite.function("swallows", move |number| spawn(*number).join().unwrap_or(0));
            suite.relation("same", |number| *number, Equal);
        },
        &[13],
    );
    assert_eq!(verdicts, [Verdict::SourcePanicked, Verdict::Held]);
    let info = of(&detail.sources[0]).unwrap();
    assert!(info.message.starts_with("it was lucky") && info.location.starts_with("tests/judge.rs:"), "{info:?}");
    assert_eq!(detail.sources[1], Outcome::Output(Value::I8(0)));
}

/// Panics when it goes away, if its number is 13.
#[derive(Arbitrary, Serialize, Clone, PartialEq)]
struct Clings(u8);

impl Drop for Clings {
    fn drop(&mut self) {
        assert!(self.0 != 13 || thread::panicking(), "clings");
    }
}

#[test]
fn an_output_or_input_that_panics_when_it_is_dropped_stops_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let mut target = open(directory.path(), |suite: &mut Suite<u8, Clings>| {
        suite.function("clings", |number| Clings(*number));
        suite.relation("same", |number| *number, Equal);
    });
    fuzz(&mut target, [[12u8], [13], [14]]);
    let mut target = open(directory.path(), |suite: &mut Suite<Clings, u8>| {
        suite.function("number", |clings| clings.0);
        suite.relation("zero", |_| Clings(0), |_, _| true);
    });
    fuzz(&mut target, [[12u8], [13], [14]]);
    assert_eq!(read(directory.path()).1.executions, 6);
}

/// What the soundness checks found: how often which function was how unsound.
fn unsound(rows: &[Row]) -> BTreeMap<(u16, String), usize> {
    let found = rows.iter().filter_map(|row| row.detail.as_ref()).flat_map(|detail| &detail.unsound);
    found.fold(BTreeMap::new(), |mut sums, soundness| {
        assert_ne!(soundness.first, soundness.second);
        *sums.entry((soundness.function, format!("{:?}", soundness.kind))).or_default() += 1;
        sums
    })
}

fn checked(declare: impl FnOnce(&mut Suite<u16, u64>)) -> (BTreeMap<(u16, String), usize>, Totals) {
    let (rows, totals) = run(declare, (0..4000u16).map(u16::to_le_bytes));
    (unsound(&rows), totals)
}

#[test]
fn a_function_that_answers_differently_each_time_is_found_to_be_nondeterministic() {
    let (unsound, totals) = checked(|suite| {
        let calls = Cell::new(0);
        suite.function("pure", |number| u64::from(*number));
        suite.function("counts", move |_| {
            calls.set(calls.get() + 1);
            calls.get()
        });
        suite.relation("same", |number| *number, |_, _| true);
    });
    assert!(totals.checks > 20, "{}", totals.checks);
    assert_eq!(totals.unsound, totals.checks);
    let expected = (1, format!("{:?}", SoundnessKind::Nondeterministic));
    assert_eq!(unsound, [(expected, totals.checks as usize)].into());
}

#[test]
fn a_function_that_answers_differently_behind_a_transformation_is_found_to_depend_on_its_role() {
    let (unsound, totals) = checked(|suite| {
        let transformed = Rc::new(Cell::new(0));
        let seen = transformed.clone();
        suite.function("pure", |number| u64::from(*number));
        suite.function("leaks", move |number| u64::from(*number) + seen.get());
        suite.relation(
            "leaks",
            move |number| {
                transformed.set(transformed.get() + 1);
                *number
            },
            |_, _| true,
        );
    });
    assert!(totals.checks > 20, "{}", totals.checks);
    assert_eq!(totals.unsound, totals.checks);
    let expected = (1, format!("{:?}", SoundnessKind::RoleDependent));
    assert_eq!(unsound, [(expected, totals.checks as usize)].into());
}

#[test]
fn a_pure_suite_is_found_sound_in_a_hundred_thousand_executions() {
    let directory = tempfile::tempdir().unwrap();
    let mut target = open(directory.path(), |suite: &mut Suite<(i32, f32), f64>| {
        suite.function("sum", |&(a, b)| f64::from(a) + f64::from(b));
        suite.function("root", |&(a, b)| f64::from(a).sqrt() * f64::from(b));
        suite.function("panics", |&(a, b)| if a % 3 == 0 { panic!("{a}") } else { f64::from(b) });
        suite.relation("negated", |&(a, b)| (a.wrapping_neg(), -b), bugornot::Negated);
    });
    Builtin::new(11, Vec::new()).uniform(&mut target, 100_000);
    let (rows, totals) = read(directory.path());
    assert_eq!((totals.executions, totals.unsound), (100_000, 0));
    assert!(totals.checks > 1000, "{}", totals.checks);
    assert_eq!(unsound(&rows), BTreeMap::new());
}

#[derive(Arbitrary, Serialize, Clone)]
struct Request {
    path: String,
    limit: Option<i16>,
    tags: Vec<u8>,
}

fn requests(suite: &mut Suite<Request, Option<i64>>) {
    let k = suite.constant("k", 1..=1000);
    let by = suite.parameter("by", 0..=9u8);
    suite.examples([Request { path: "/".into(), limit: Some(1), tags: vec![1, 2] }]);
    suite.function("score", move |request| Some(i64::from(request.limit?) * k + request.path.len() as i64));
    suite.function("first", |request| Some(i64::from(100 / *request.tags.first()?)));
    suite.relation(
        "longer",
        move |request| Request { path: format!("{}{}", request.path, by.get()), ..request.clone() },
        Increase,
    );
    observe!(suite, |request| request.path.is_empty());
}

#[test]
fn the_same_seed_gives_the_same_campaign_row_by_row() {
    let campaign = |seed: u64| {
        let directory = tempfile::tempdir().unwrap();
        let settings = Settings::new(Some(directory.path().to_owned()), seed);
        let mut target = Target::new("requests", requests, settings, &bugornot::__facts!()).unwrap();
        let mut engine = Builtin::new(seed, vec![b"seed".to_vec()]);
        engine.uniform(&mut target, 500);
        let ended = engine.fuzz(&mut target, Until::Runs(3000));
        let (rows, totals) = read(directory.path());
        (rows, totals, ended, engine.corpus().to_vec())
    };
    let (first, second, other) = (campaign(5), campaign(5), campaign(6));
    assert!(first.0.len() > 1000, "{}", first.0.len());
    assert!(first == second);
    assert!(first.0 != other.0);
    let phases = [Phase::Example, Phase::Uniform, Phase::Fuzz];
    assert!(phases.iter().all(|phase| first.0.iter().any(|row| row.phase == *phase)));
}

fn with_examples(suite: &mut Suite<u8, u8>) {
    suite.examples(0..20);
    suite.examples([100, 5]);
    luck(suite);
}

#[test]
fn each_example_is_judged_once_in_a_campaign_whatever_processes_come() {
    let directory = tempfile::tempdir().unwrap();
    let mut first = open(directory.path(), with_examples);
    let mut second = open(directory.path(), with_examples);
    first.begin();
    second.step(&[200], Phase::Fuzz);
    first.step(&[201], Phase::Fuzz);
    drop((first, second));
    open(directory.path(), with_examples).step(&[202], Phase::Fuzz);
    let (rows, totals) = read(directory.path());
    let examples: Vec<i128> =
        rows.iter().filter(|row| row.phase == Phase::Example).filter_map(|row| row.fields[0].integer()).collect();
    // The last one is there already.
    assert_eq!(examples, (0..20).chain([100]).collect::<Vec<_>>());
    assert_eq!(totals.executions, 22 + 3);
    assert!(rows.iter().filter(|row| row.phase == Phase::Example).all(|row| row.bytes.is_empty()));
}

#[test]
fn other_examples_are_judged_anew() {
    let directory = tempfile::tempdir().unwrap();
    for k in [1, 2, 1] {
        let mut settings = Settings::new(Some(directory.path().to_owned()), 1);
        settings.pins.push(("k".into(), k.to_string()));
        let declare = |suite: &mut Suite<u8, u8>| {
            suite.constant("k", 0..=9);
            with_examples(suite);
        };
        Target::new("suite", declare, settings, &bugornot::__facts!()).unwrap().begin();
    }
    assert_eq!(read(directory.path()).1.executions, 44);
}
