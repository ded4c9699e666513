//! What a suite can declare beside functions and plain relations.

use super::*;

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
