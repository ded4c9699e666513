//! A campaign's rows and totals are what its executions were.

use crate::{Pair, Random, calculator, fuzz, judged, open, open_with, rows, totals, values::Raw};
use arbitrary::Arbitrary;
use bugornot::{
    Equal, Suite, Verdict,
    engine::{Builtin, Execute, Settings, Step, Until},
    log::{Log, Outcome, Phase, Value},
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

fn pair(row: &bugornot::log::Row) -> Pair {
    let number = |value: &Value| value.integer().and_then(|number| number.try_into().ok()).expect("a number");
    Pair { a: number(&row.fields[0]), b: number(&row.fields[1]) }
}

#[test]
fn the_rows_of_a_campaign_say_what_judging_their_inputs_says() {
    let directory = tempfile::tempdir().unwrap();
    let mut target = open(directory.path(), calculator);
    Builtin::new(3, Vec::new()).fuzz(&mut target, Until::Runs(4000));
    let rows = rows(directory.path());
    assert!(rows.len() > 500, "{}", rows.len());
    let mut unlogged = open_with(Settings::new(None, 1), calculator);
    for row in &rows {
        let Pair { a, b } = pair(row);
        assert_eq!(row.names[..], ["a", "b"]);
        assert_eq!(row.verdicts[..], judged(a, b).map(Some), "{a} {b}");
        assert_eq!((row.phase, row.weight, row.death.as_ref()), (Phase::Fuzz, 1, None));
        // The raw bytes give the same input and the same verdicts again.
        assert_eq!(unlogged.step(&row.bytes, Phase::Replay), Step::Judged);
        assert_eq!(unlogged.verdicts(), judged(a, b));
    }
    let seen: BTreeSet<_> = rows.iter().flat_map(|row| row.verdicts.iter().copied()).collect();
    assert_eq!(seen, [Verdict::Held, Verdict::Violated, Verdict::NotApplicable].map(Some).into());
    let ids: BTreeSet<u64> = rows.iter().map(|row| row.id).collect();
    assert_eq!(ids.len(), rows.len(), "an execution has one id");
}

#[test]
fn a_detail_holds_what_every_call_gave() {
    let directory = tempfile::tempdir().unwrap();
    fuzz(&mut open(directory.path(), calculator), [[5u8, 3]]);
    let [row] = &rows(directory.path())[..] else { panic!("one row") };
    let output = |number: i8| Outcome::Output(Value::I8(number));
    let detail = row.detail.as_ref().expect("the first rows carry a detail");
    assert_eq!(detail.sources, [output(8), output(2)]);
    let outcomes: Vec<&[Outcome]> = detail.cells.iter().map(|cell| &cell.outcomes[..]).collect();
    assert_eq!(outcomes, [[output(8)], [output(16)], [output(-2)], [output(4)]]);
    // Both cells of a relation have the same follow-up; it is told with the first.
    let inputs: Vec<String> = detail.cells.iter().map(|cell| format!("{:?}", cell.inputs)).collect();
    assert_eq!((inputs[0].matches("I8").count(), inputs[1].matches("I8").count()), (2, 2));
    assert!(inputs[0].contains("I8(3), I8(5)") && inputs[1].contains("I8(10), I8(6)"), "{inputs:?}");
    assert_eq!((&*inputs[2], &*inputs[3]), ("[]", "[]"));
}

#[test]
fn rare_rows_carry_a_detail_and_common_ones_now_and_then() {
    let directory = tempfile::tempdir().unwrap();
    let mut target = open(directory.path(), |suite: &mut Suite<u16, u16>| {
        suite.function("is rare", |number| u16::from(*number % 100 == 0));
        suite.relation("never", |_| 1, |source, _| *source == 0);
    });
    fuzz(&mut target, (0..20_000u16).map(u16::to_le_bytes));
    let (rare, common): (Vec<_>, Vec<_>) =
        rows(directory.path()).into_iter().partition(|row| row.verdicts[0] == Some(Verdict::Violated));
    assert_eq!((rare.len(), common.len()), (200, 19_800));
    assert!(rare.iter().all(|row| row.detail.is_some()));
    let detailed = common.iter().filter(|row| row.detail.is_some()).count();
    assert!((260..1000).contains(&detailed), "{detailed}");
}

#[test]
fn a_repeat_is_counted_and_not_written_again() {
    let directory = tempfile::tempdir().unwrap();
    let mut target = open(directory.path(), calculator);
    for _ in 0..5 {
        fuzz(&mut target, [[1u8, 2], [3, 4], [1, 2]]);
    }
    assert_eq!(rows(directory.path()).len(), 2);
    let totals = totals(directory.path());
    assert_eq!((totals.executions, totals.distinct, totals.rows), (15, 2, 2));
}

#[test]
fn none_of_twenty_thousand_inputs_is_written_again() {
    let directory = tempfile::tempdir().unwrap();
    let mut target = open(directory.path(), |suite: &mut Suite<u32, u32>| {
        suite.function("same", |number| *number);
        suite.relation("same", |number| *number, Equal);
    });
    for _ in 0..2 {
        fuzz(&mut target, (0..20_000u32).map(u32::to_le_bytes));
    }
    let totals = totals(directory.path());
    assert_eq!((totals.executions, totals.distinct, totals.rows), (40_000, 20_000, 20_000));
}

#[test]
fn other_bytes_that_decode_to_the_same_input_are_one_row() {
    let directory = tempfile::tempdir().unwrap();
    let mut target = open(directory.path(), |suite: &mut Suite<(bool, u8), bool>| {
        suite.normalise(|(flag, number)| (flag, number % 10));
        suite.function("flag", |(flag, _)| *flag);
        suite.relation("flip", |(flag, number)| (!flag, *number), Equal);
    });
    fuzz(&mut target, [[1u8, 5], [3, 5], [1, 15], [255, 25]]);
    let [row] = &rows(directory.path())[..] else { panic!("one row") };
    assert_eq!((&row.bytes[..], &row.fields[..]), (&[1, 5][..], &[Value::True, Value::I8(5)][..]));
    let totals = totals(directory.path());
    assert_eq!((totals.executions, totals.distinct), (4, 1));
}

#[test]
fn what_the_type_does_not_use_of_the_bytes_is_no_part_of_the_row() {
    let directory = tempfile::tempdir().unwrap();
    fuzz(&mut open(directory.path(), calculator), [&[1u8, 2][..], &[1, 2, 3], &[1, 2, 3, 4, 5, 6, 7, 8]]);
    let [row] = &rows(directory.path())[..] else { panic!("one row") };
    assert_eq!(row.bytes, [1, 2]);
}

#[test]
fn totals_per_cell_and_verdict_are_exact() {
    let directory = tempfile::tempdir().unwrap();
    let mut target = open(directory.path(), calculator);
    let mut random = Random(7);
    let mut expected = vec![[0; Verdict::COUNT]; 4];
    let mut distinct = BTreeMap::new();
    for _ in 0..6000 {
        let [a, b, ..] = random.next().to_le_bytes().map(|byte| byte % 64);
        target.step(&[a, b], Phase::Fuzz);
        let verdicts = judged(a as i8, b as i8);
        for (cell, verdict) in expected.iter_mut().zip(verdicts) {
            cell[verdict as usize] += 1;
        }
        distinct.insert((a, b), verdicts);
    }
    let totals = totals(directory.path());
    assert_eq!((totals.executions, totals.cells), (6000, expected));
    assert_eq!(totals.distinct as usize, distinct.len());
    let mut expected = vec![[0; Verdict::COUNT]; 4];
    for verdicts in distinct.values() {
        for (cell, verdict) in expected.iter_mut().zip(*verdicts) {
            cell[verdict as usize] += 1;
        }
    }
    assert_eq!(totals.distinct_cells, expected);
}

#[test]
fn the_header_describes_the_suite() {
    let directory = tempfile::tempdir().unwrap();
    let mut settings = Settings::new(Some(directory.path().to_owned()), 42);
    settings.pins.push(("k".into(), "6".into()));
    open_with(settings, |suite: &mut Suite<Pair, i32>| {
        let k = suite.constant("k", 2..=9);
        suite.parameter("by", 0..=3u8);
        suite.function("first", |p| p.a.into());
        suite.function("second", |p| p.b.into());
        suite
            .relation("scale", move |p| Pair { a: p.a.wrapping_mul(k), ..*p }, Equal)
            .describe("times k")
            .only(["first"]);
        suite.relation("same", Clone::clone, Equal).when(|p| p.a > 0).expect_condition("a > 0");
        bugornot::observe!(suite, |p| p.a == p.b);
    })
    .begin();
    let log = Log::open(directory.path()).unwrap();
    let header = log.segments[0].header();
    assert_eq!((header.format, &*header.suite, header.seed), (bugornot::log::FORMAT, "suite", 42));
    assert_eq!(header.functions, ["first", "second"]);
    let relations: Vec<_> = header
        .relations
        .iter()
        .map(|relation| {
            (&*relation.name, &*relation.description, relation.expected.as_deref(), relation.has_precondition)
        })
        .collect();
    assert_eq!(relations, [("scale", "times k", None, false), ("same", "", Some("a > 0"), true)]);
    let cells: Vec<String> = (0..header.cells.len()).map(|cell| header.cell_name(cell)).collect();
    assert_eq!(cells, ["first x scale", "first x same", "second x same"]);
    assert_eq!(header.constants, [("k".to_owned(), Value::I8(6))]);
    assert_eq!((&header.fields[..], &header.parameters[..]), (&["a".into(), "b".into()][..], &["by".to_owned()][..]));
    assert_eq!(header.features, ["p.a == p.b"]);
    assert_eq!((&*header.build.engine, header.build.overflow_checks), ("builtin", cfg!(debug_assertions)));
}

#[test]
fn a_row_that_would_be_too_long_is_counted_and_the_next_is_written() {
    let directory = tempfile::tempdir().unwrap();
    let mut target = open(directory.path(), |suite: &mut Suite<Raw, usize>| {
        suite.function("length", |raw| raw.0.len());
        suite.relation("same", |_| Raw(Vec::new()), |_, _| true);
    });
    fuzz(&mut target, [vec![1; 100], vec![2; 20 << 20], vec![3; 100]]);
    let lengths: Vec<usize> = rows(directory.path()).iter().map(|row| row.bytes.len()).collect();
    assert_eq!(lengths, [100, 100]);
    let totals = totals(directory.path());
    assert_eq!((totals.executions, totals.distinct, totals.rows, totals.oversized), (3, 3, 2, 1));
}

/// Panics when it is serialised, if its number is 13.
#[derive(Arbitrary, Clone, PartialEq)]
struct Unlucky(u8);

impl Serialize for Unlucky {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        assert_ne!(self.0, 13, "unlucky");
        serializer.serialize_u8(self.0)
    }
}

#[test]
fn an_output_whose_serialisation_panics_loses_no_verdict() {
    let directory = tempfile::tempdir().unwrap();
    let mut target = open(directory.path(), |suite: &mut Suite<u16, Unlucky>| {
        suite.function("low", |number| Unlucky(*number as u8));
        suite.relation("same", |number| *number, Equal);
    });
    fuzz(&mut target, (0..=1023u16).map(u16::to_le_bytes));
    let numbers: BTreeSet<i128> = rows(directory.path()).iter().filter_map(|row| row.fields[0].integer()).collect();
    let missing: Vec<i128> = (0..=1023).filter(|number| !numbers.contains(number)).collect();
    assert!(missing.is_empty(), "no row for {missing:?}");
}

#[test]
fn an_input_whose_serialisation_panics_keeps_its_verdicts_and_spoils_no_other_row() {
    let directory = tempfile::tempdir().unwrap();
    #[derive(Arbitrary, Serialize, Clone)]
    struct Both {
        tens: u8,
        ones: Unlucky,
    }
    let mut target = open(directory.path(), |suite: &mut Suite<Both, u8>| {
        suite.function("tens", |both| both.tens);
        suite.relation("same", Clone::clone, Equal);
    });
    fuzz(&mut target, [[1u8, 12], [1, 13], [2, 14]]);
    let rows = rows(directory.path());
    let shown: Vec<(String, usize)> = rows.iter().map(|row| (row.names.join(","), row.fields.len())).collect();
    assert_eq!(shown, [("tens,ones".into(), 2), ("input".into(), 1), ("tens,ones".into(), 2)]);
    assert_eq!(totals(directory.path()).distinct, 3);
}

/// Cannot be copied if it is right.
#[derive(Arbitrary, Serialize)]
enum Side {
    Left(u16),
    Right(u16),
}

impl Clone for Side {
    fn clone(&self) -> Self {
        match self {
            Self::Left(number) => Self::Left(*number),
            Self::Right(_) => panic!("not to be copied"),
        }
    }
}

#[test]
fn a_copy_that_panics_in_a_soundness_check_spoils_no_row() {
    let directory = tempfile::tempdir().unwrap();
    let mut target = open(directory.path(), |suite: &mut Suite<Side, u16>| {
        suite.function("number", |side| match side {
            Side::Left(number) | Side::Right(number) => *number,
        });
        suite.relation("zero", |_| Side::Left(0), |_, _| true);
    });
    // Some of those on the right are checked.
    let number = |number: u16| if number.is_multiple_of(3) { number } else { number | 1 << 15 };
    for input in (0..1000).map(number) {
        let variant = if input >> 15 == 0 { 0 } else { u32::MAX };
        target.step(&[&variant.to_le_bytes()[..], &input.to_le_bytes()].concat(), Phase::Fuzz);
    }
    let mut found = BTreeSet::new();
    for row in rows(directory.path()) {
        let Value::Variant(number, names) = &row.fields[0] else { panic!("{:?} is no variant", row.fields) };
        let number = number.integer().expect("a number");
        assert_eq!(names.names(), [if number < 1 << 15 { "Left" } else { "Right" }, "Side"], "{number}");
        found.insert(number);
    }
    assert_eq!(found.len(), 1000);
}
