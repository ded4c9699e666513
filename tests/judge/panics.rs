//! Panics of the function and of the harness: whose they are, and what is told of them.

use super::*;

fn panicked(info: Option<&PanicInfo>, message: &str) {
    let info = info.expect("the panic is told");
    assert_eq!(info.message, message);
    let (file, place) = info.location.split_once(':').expect("file:line:column");
    assert!(["tests/judge.rs", file!()].contains(&file), "{file}");
    assert!(place.split(':').all(|number| number.parse::<u32>().is_ok_and(|number| number > 0)), "{place}");
}

fn of(outcome: &Outcome) -> Option<&PanicInfo> {
    match outcome {
        Outcome::Panicked(info) => Some(info),
        Outcome::Output(_) | Outcome::Unknown => None,
    }
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
    assert!(info.message.starts_with("it was lucky") && info.location.starts_with(file!()), "{info:?}");
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
