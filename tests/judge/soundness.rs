//! Whether functions are functions: the same output for the same input, in every role.

use super::*;

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
fn the_order_of_a_map_s_entries_does_not_count_and_that_of_a_list_beside_it_does() {
    let declare = |suite: &mut Suite<u16, (HashMap<u16, u16>, Vec<u16>)>| {
        let calls = Cell::new(0);
        let map = |number: &u16| (0..6).map(|key| (number ^ key, key)).collect();
        suite.function("map", move |number| (map(number), vec![*number, 1]));
        suite.function("list", move |number| {
            calls.set(calls.get() + 1);
            let list = vec![*number, number ^ 1];
            (map(number), if calls.get() % 2 == 0 { list } else { list.into_iter().rev().collect() })
        });
        suite.relation("same", |number| *number, |_, _| true);
    };
    let (rows, totals) = run(declare, (0..4000u16).map(u16::to_le_bytes));
    assert!(totals.checks > 20, "{}", totals.checks);
    let expected = (1, format!("{:?}", SoundnessKind::Nondeterministic));
    assert_eq!(unsound(&rows), [(expected, totals.checks as usize)].into());
}

#[test]
fn inputs_that_cannot_be_logged_are_told_apart_by_their_bytes() {
    #[derive(Arbitrary, Clone)]
    struct Odd(u16);
    impl Serialize for Odd {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            if self.0 % 2 == 1 { Err(serde::ser::Error::custom("odd")) } else { serializer.serialize_u16(self.0) }
        }
    }
    let inputs = (0..100u16).map(u16::to_le_bytes);
    let declare = |suite: &mut Suite<Odd, u16>| {
        suite.function("half", |number| number.0 / 2);
        suite.relation("next", |number| Odd(number.0 + 1), Equal);
    };
    let (rows, totals) = run(declare, inputs);
    assert_eq!((rows.len(), totals.distinct), (100, 100));
    let odd = rows.iter().find(|row| row.bytes == 7u16.to_le_bytes()).unwrap();
    assert_eq!(odd.fields, [Value::Bytes(vec![7, 0])]);
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
