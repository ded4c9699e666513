//! Several executions: the same seed gives the same rows, and examples are judged once.

use super::*;

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
