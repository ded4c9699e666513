//! Processes that end in every way there is: what they had logged is there, and what they were at is known.
//!
//! The tests start this very program again, as [`does_nothing_unless_another_test_starts_it`].

#[path = "support/skip.rs"]
mod skip;

use bugornot::{
    Equal, Input, Output, Suite, Verdict,
    engine::{Execute, Settings, Target},
    log::{Death, Log, Loss, Phase, Row, Stage, Totals, Value},
};
use skip::skip;
use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    env,
    io::{Read, Write},
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

const ROLE: &str = "BUGORNOT_TEST_ROLE";
const LOG: &str = "BUGORNOT_TEST_LOG";
const ARGUMENT: &str = "BUGORNOT_TEST_ARGUMENT";

/// This program, to be started again in a role.
fn role(role: &str, log: &Path, argument: &str) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "does_nothing_unless_another_test_starts_it", "--nocapture", "--test-threads=1"]);
    command.env(ROLE, role).env(LOG, log).env(ARGUMENT, argument);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

#[test]
fn does_nothing_unless_another_test_starts_it() {
    let Ok(role) = env::var(ROLE) else { return };
    let (log, argument) = (env::var_os(LOG).unwrap(), env::var(ARGUMENT).unwrap());
    let log = Path::new(&log);
    match role.as_str() {
        "writer" => write_for_ever(log, argument.parse().unwrap()),
        "deadly" => {
            let (place, number) = argument.split_once(' ').unwrap();
            let mut target = open(log, deadly(place));
            target.begin();
            fuzz(&mut target, (0..3).chain(number.parse()).map(|number: u8| [number]));
        }
        "unsound" => {
            let mut target = open(log, dies_when_checked);
            fuzz(&mut target, (0..=u16::MAX).map(u16::to_le_bytes));
        }
        "long" => fuzz(&mut open(log, deadly_text), [[b'x'; 10_000]]),
        "example" => open(log, deadly_examples).begin(),
        "full disk" => fill(log),
        "read-only" => check_nothing_is_logged(log),
        other => panic!("no role is called {other}"),
    }
}

fn open<In: Input, Out: Output>(log: &Path, declare: impl FnOnce(&mut Suite<In, Out>)) -> Target<In, Out> {
    let settings = Settings::new(Some(log.to_owned()), 1);
    Target::new("suite", declare, settings, &bugornot::__facts!()).expect("the suite makes sense")
}

/// Executes inputs one after the other.
fn fuzz(target: &mut dyn Execute, inputs: impl IntoIterator<Item = impl AsRef<[u8]>>) {
    for input in inputs {
        target.step(input.as_ref(), Phase::Fuzz);
    }
}

/// All rows of a log that lost nothing, and its totals.
fn read(log: &Path) -> (Vec<Row>, Totals) {
    let log = Log::open(log).expect("the log opens");
    assert!(log.unreadable.is_empty(), "{:?}", log.unreadable);
    let (mut found, mut totals) = (Vec::new(), Totals::default());
    for segment in log.segments {
        let mut rows = segment.rows().expect("the segment opens");
        found.extend(rows.by_ref());
        assert_eq!(*rows.loss(), Loss::default(), "{}", segment.path().display());
        totals.add(&segment.totals().expect("the totals are sound"));
    }
    (found, totals)
}

/// The only execution that was not survived.
fn death(log: &Path) -> (Row, Death) {
    let rows: Vec<Row> = read(log).0.into_iter().filter(|row| row.death.is_some()).collect();
    let [row] = &rows[..] else { panic!("one death, not {rows:?}") };
    (row.clone(), row.death.clone().unwrap())
}

// ---------------------------------------------------------------------------------------------------------------------
// 200 SIGKILLs

const WRITERS: u32 = 4;
const LIVES: u32 = 50;

/// Takes most of an execution's time, so that most kills hit one.
fn slow(suite: &mut Suite<(u32, u32), u32>) {
    suite.names(["life", "number"]);
    suite.function("second", |&(_, number)| {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_micros(20) {}
        number
    });
    suite.relation("same", |&input| input, Equal);
    suite.relation("next", |&(life, number)| (life, number.wrapping_add(1)), bugornot::Increase);
}

fn bytes(life: u32, number: u32) -> [u8; 8] {
    (u64::from(number) << 32 | u64::from(life)).to_le_bytes()
}

/// Executes one input after the other, and says so after each, past all buffers.
fn write_for_ever(log: &Path, life: u32) {
    let mut target = open(log, slow);
    for number in 0.. {
        target.step(&bytes(life, number), Phase::Fuzz);
        std::io::stderr().write_all(&u64::from(number).to_le_bytes()).unwrap();
    }
}

/// Lets a writer live for some milliseconds beyond its first acknowledgement; how many it gave.
fn live_and_die(log: &Path, life: u32, milliseconds: u64) -> u32 {
    let mut child = role("writer", log, &life.to_string()).spawn().unwrap();
    let mut pipe = child.stderr.take().unwrap();
    let mut said = vec![0; 8];
    pipe.read_exact(&mut said).expect("the writer begins");
    thread::sleep(Duration::from_millis(milliseconds));
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(libc::SIGKILL));
    pipe.read_to_end(&mut said).unwrap();
    let numbers = said.chunks(8).map(|number| u64::from_le_bytes(number.try_into().unwrap()));
    assert!(numbers.eq(0..said.len() as u64 / 8), "the writer said something else");
    said.len() as u32 / 8
}

#[test]
fn no_acknowledged_row_is_lost_by_two_hundred_kills() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path();
    let is_over = &AtomicBool::new(false);
    let (acknowledged, seen): (BTreeMap<u32, u32>, BTreeSet<Vec<u8>>) = thread::scope(|scope| {
        // Reads whatever there is at any moment.
        let reader = scope.spawn(move || {
            let mut deaths = BTreeSet::new();
            while !is_over.load(Ordering::Relaxed) {
                if let Ok(log) = Log::open(log) {
                    assert!(log.unreadable.is_empty(), "{:?}", log.unreadable);
                    for segment in log.segments {
                        let mut rows = segment.rows().unwrap();
                        deaths.extend(rows.by_ref().filter(|row| row.death.is_some()).map(|row| row.bytes));
                        assert_eq!(*rows.loss(), Loss::default(), "while it was written");
                    }
                }
                thread::sleep(Duration::from_millis(30));
            }
            deaths
        });
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                scope.spawn(move || {
                    let mut random = 0x9E37_79B9_u64.wrapping_mul(u64::from(writer) + 1);
                    let lives = (0..LIVES).map(|life| {
                        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                        let life = writer * LIVES + life;
                        (life, live_and_die(log, life, 1 + (random >> 33) % 15))
                    });
                    lives.collect::<Vec<_>>()
                })
            })
            .collect();
        let lives = writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect();
        is_over.store(true, Ordering::Relaxed);
        (lives, reader.join().unwrap())
    });
    let (rows, totals) = read(log);
    let mut written = BTreeMap::<u32, BTreeSet<u32>>::new();
    let mut died = BTreeMap::<u32, u32>::new();
    for row in &rows {
        let input = u64::from_le_bytes(row.bytes[..].try_into().unwrap());
        let (life, number) = (input as u32, (input >> 32) as u32);
        if row.death.is_some() {
            assert_eq!(died.insert(life, number), None, "life {life} died twice");
        } else {
            assert!(written.entry(life).or_default().insert(number), "life {life} has row {number} twice");
            assert_eq!(row.verdicts[..], [Some(Verdict::Held); 2]);
        }
    }
    for (life, count) in &acknowledged {
        let written = &written[life];
        let missing: Vec<u32> = (0..*count).filter(|number| !written.contains(number)).collect();
        assert!(missing.is_empty(), "life {life} had acknowledged {missing:?}");
        // What was under way is the one behind the last acknowledged, and either a row or a death.
        let under_way = written.contains(count).then_some(count);
        assert!(written.last() <= Some(count), "life {life} has {written:?}");
        let death = died.get(life);
        assert!(
            death.is_none_or(|number| number == count && under_way.is_none()),
            "life {life} had acknowledged {count}, died at {death:?}, and has a row of {under_way:?}"
        );
    }
    let never: Vec<_> =
        seen.iter().filter(|&seen| !died.iter().any(|(&life, &at)| bytes(life, at)[..] == **seen)).collect();
    assert!(never.is_empty(), "these were seen to die and did not: {never:?}");
    let deaths = died.len();
    assert!((50..=200).contains(&deaths), "{deaths} of 200 kills hit an execution");
    // A process killed between a row and its counter leaves one row more than it counted.
    let uncounted = (rows.len() - deaths).checked_sub(totals.rows as usize);
    assert!(uncounted.is_some_and(|uncounted| uncounted <= 20), "{uncounted:?} rows are not counted");
    let segments = Log::open(log).unwrap().segments.len();
    assert!(segments <= 2 * WRITERS as usize, "{segments} segments: the dead ones were not taken over");
}

// ---------------------------------------------------------------------------------------------------------------------
// Deaths of every kind

/// What the deadly suite dies of.
const FATAL: u8 = 66;

/// Ends the process, or begins what will not end.
fn die(way: &str) {
    #[expect(unconditional_recursion, reason = "this is how the stack is overflowed")]
    fn overflow(number: u64) -> u64 {
        std::hint::black_box(overflow(std::hint::black_box(number) + 1)) + number
    }
    match way {
        "abort" => std::process::abort(),
        "exit" => std::process::exit(0),
        "overflow" => drop(std::hint::black_box(overflow(0))),
        "hang" => {
            std::io::stderr().write_all(b"!").unwrap();
            loop {
                thread::park();
            }
        }
        other => panic!("nobody dies by {other}"),
    }
}

/// A suite that dies at a place, in a way: `follow-up:abort`.
fn deadly(what: &str) -> impl FnOnce(&mut Suite<u8, u8>) + use<> {
    let (place, way) = what.split_once(':').unwrap_or((what, ""));
    let (place, way) = (place.to_owned(), way.to_owned());
    let die_at = move |here: &str, number: u8| {
        if place == here && number == FATAL {
            die(&way);
        }
    };
    move |suite| {
        let die_at: &'static dyn Fn(&str, u8) = Box::leak(Box::new(die_at));
        suite.normalise(move |number| {
            die_at("domain", number);
            number
        });
        suite.function("fine", |number| *number);
        suite.function("fatal", move |number| {
            die_at("function", *number);
            *number
        });
        suite.relation("same", |number| *number, Equal);
        let next = |number: u8| number.wrapping_add(1);
        let relation = suite.relation(
            "next",
            move |number| {
                die_at("transform", *number);
                next(*number)
            },
            move |source, _| {
                die_at("judgement", *source);
                true
            },
        );
        relation.when(move |number| {
            die_at("when", *number);
            true
        });
        suite.feature("is fine", move |number| {
            die_at("feature", *number);
            true
        });
    }
}

/// Starts the deadly suite and waits for its end; if it hangs, it is killed.
fn ends(log: &Path, what: &str, number: u8) {
    let mut child = role("deadly", log, &format!("{what} {number}")).spawn().unwrap();
    if what.ends_with("hang") {
        let mut pipe = child.stderr.take().unwrap();
        pipe.read_exact(&mut [0]).expect("it hangs");
        child.kill().unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let is_by_exit = what.ends_with("exit") && output.status.code() == Some(0);
    assert!(is_by_exit || output.status.signal().is_some(), "{what}: {output:?}");
}

/// The death after this input, before and after another process has taken the segment over.
fn deaths(what: &str, number: u8) -> [(Row, Death); 2] {
    let directory = tempfile::tempdir().unwrap();
    ends(directory.path(), what, number);
    let before = death(directory.path());
    assert_eq!(before.0.fields, []);
    let mut target = open(directory.path(), deadly("nowhere"));
    target.step(&[200], Phase::Fuzz);
    let after = death(directory.path());
    let (rows, totals) = read(directory.path());
    let numbers: Vec<&[u8]> = rows.iter().map(|row| &row.bytes[..]).collect();
    assert_eq!(numbers, [&[0][..], &[1], &[2], &[number], &[200]], "{what}");
    assert_eq!(Log::open(directory.path()).unwrap().segments.len(), 1);
    let counted = 4 + u64::from(after.1.stage == Stage::Commit);
    assert_eq!(totals.executions, counted, "{what}: only what was judged is counted");
    [before, after]
}

/// Checks a death at a stage, with these verdicts, whether another process has taken the segment over or not.
fn check_death(what: &str, number: u8, stage: Stage, verdicts: [Option<Verdict>; 4], is_decoded: bool) {
    let [before, after] = deaths(what, number);
    for (row, death) in [&before, &after] {
        assert_eq!((row.id, row.phase, &row.bytes[..]), (4, Phase::Fuzz, &[number][..]), "{what}");
        assert_eq!((death.stage, death.length), (stage, 1), "{what}");
        assert_eq!(row.verdicts[..], verdicts, "{what}");
    }
    let (row, _) = after;
    if is_decoded {
        assert_eq!(
            (&row.names[..], &row.fields[..]),
            (&["input".to_owned()][..], &[Value::I8(number as i8)][..]),
            "{what}"
        );
    } else {
        assert_eq!((row.names.len(), row.fields.len()), (0, 0), "{what}");
    }
}

const HELD: Option<Verdict> = Some(Verdict::Held);
const DIED: Option<Verdict> = Some(Verdict::Died);

#[test]
fn a_function_that_ends_the_process_on_the_source_is_named_with_its_input() {
    for way in ["abort", "overflow", "exit", "hang"] {
        check_death(&format!("function:{way}"), FATAL, Stage::Source(1), [None, None, DIED, DIED], true);
    }
}

#[test]
fn a_function_that_ends_the_process_on_a_follow_up_is_named_with_its_cell() {
    // The cells are fine x same, fine x next, fatal x same, fatal x next.
    for way in ["abort", "overflow", "exit", "hang"] {
        check_death(&format!("function:{way}"), FATAL - 1, Stage::FollowUp(3), [HELD, HELD, HELD, DIED], true);
    }
}

#[test]
fn a_relation_that_ends_the_process_is_named() {
    for place in ["transform", "when"] {
        check_death(&format!("{place}:abort"), FATAL, Stage::Transform(1), [HELD, DIED, HELD, DIED], true);
    }
    check_death("judgement:abort", FATAL, Stage::Judge(1), [HELD, DIED, HELD, None], true);
}

#[test]
fn an_input_that_nobody_decoded_yet_has_no_names() {
    let directory = tempfile::tempdir().unwrap();
    ends(directory.path(), "function:abort", FATAL);
    let (row, _) = death(directory.path());
    assert_eq!((&row.names[..], &row.fields[..]), (&[][..], &[][..]));
}

#[test]
fn a_domain_that_ends_the_process_is_named_and_not_entered_again() {
    check_death("domain:abort", FATAL, Stage::Decode, [None; 4], false);
}

#[test]
fn a_feature_that_ends_the_process_ends_no_other_and_is_not_forgotten() {
    let directory = tempfile::tempdir().unwrap();
    ends(directory.path(), "feature:abort", FATAL);
    let (before, _) = death(directory.path());
    assert_eq!((&before.bytes[..], &before.verdicts[..]), (&[FATAL][..], &[HELD; 4][..]));
    // Those that come after it must not evaluate that feature on that input again.
    let next = role("deadly", directory.path(), "feature:abort 5").output().unwrap();
    assert!(next.status.success(), "{next:?}");
    let (after, _) = death(directory.path());
    assert_eq!((after.id, &after.bytes, &after.verdicts), (before.id, &before.bytes, &before.verdicts));
}

thread_local! {
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

/// Ends the process when a function is called on an input more often than the relations do.
fn dies_when_checked(suite: &mut Suite<u16, u16>) {
    suite.normalise(|number| {
        CALLS.set(0);
        number
    });
    suite.function("fine", |number| *number);
    suite.function("fatal", |number| {
        CALLS.set(CALLS.get() + 1);
        if CALLS.get() > 2 {
            std::process::abort();
        }
        *number
    });
    suite.relation("same", |number| *number, Equal);
}

#[test]
fn a_function_that_ends_the_process_in_a_soundness_check_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let output = role("unsound", directory.path(), "").output().unwrap();
    assert_eq!(output.status.signal(), Some(libc::SIGABRT), "{output:?}");
    for _ in 0..2 {
        let (row, death) = death(directory.path());
        assert_eq!((death.stage, &row.verdicts[..]), (Stage::Soundness(1), &[HELD; 2][..]));
        open(directory.path(), dies_when_checked).begin();
    }
}

fn deadly_text(suite: &mut Suite<String, usize>) {
    suite.function("length", |text| {
        if text.len() > 5000 {
            std::process::abort();
        }
        text.len()
    });
    suite.relation("same", Clone::clone, Equal);
}

#[test]
fn of_an_input_too_long_for_the_mark_the_beginning_and_the_length_are_known() {
    let directory = tempfile::tempdir().unwrap();
    role("long", directory.path(), "").output().unwrap();
    for _ in 0..2 {
        let (row, death) = death(directory.path());
        assert_eq!((death.stage, death.length), (Stage::Source(0), 10_000));
        assert_eq!(row.bytes, [b'x'; 4096]);
        assert_eq!(row.fields, []);
        open(directory.path(), deadly_text).begin();
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Examples

/// Ten examples, of which two end the process.
fn deadly_examples(suite: &mut Suite<u8, u8>) {
    suite.parameter("by", 1..=3u8);
    suite.examples(0..10);
    suite.function("same", |number| {
        if [3, 4].contains(number) {
            std::process::abort();
        }
        *number
    });
    suite.relation("zero", |_| 0, |_, _| true);
}

#[test]
fn an_example_that_ends_the_process_does_not_stop_the_others() {
    let directory = tempfile::tempdir().unwrap();
    let ends: Vec<bool> =
        (0..4).map(|_| role("example", directory.path(), "").status().unwrap().signal().is_some()).collect();
    assert_eq!(ends, [true, true, false, false]);
    let (rows, totals) = read(directory.path());
    let found: Vec<(i128, bool)> =
        rows.iter().map(|row| (row.fields[0].integer().unwrap(), row.death.is_some())).collect();
    let expected: Vec<(i128, bool)> = (0..10).map(|number| (number, [3, 4].contains(&number))).collect();
    assert_eq!(found, expected);
    assert_eq!(totals.executions, 8);
    for row in rows {
        assert_eq!((row.phase, &row.bytes[..]), (Phase::Example, &[][..]), "{:?}", row.fields);
        assert_eq!(row.parameters, [Value::I8(1)], "{:?}", row.fields);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Disks

fn numbers(suite: &mut Suite<u32, u32>) {
    suite.function("same", |number| *number);
    suite.relation("same", |number| *number, Equal);
}

/// Writes until the disk is full and far beyond.
fn fill(log: &Path) {
    const INPUTS: u32 = 60_000;
    let mut target = open(log, numbers);
    fuzz(&mut target, (0..INPUTS).map(u32::to_le_bytes));
    drop(target);
    if Log::open(log).is_ok() {
        let (rows, totals) = read(log);
        assert_eq!(totals.executions, u64::from(INPUTS));
        assert!(totals.lost > 0 && totals.rows == rows.len() as u64, "{totals:?}");
        assert_eq!(totals.rows + totals.lost, totals.distinct);
        // The next process finds no room either, and goes on counting.
        let mut target = open(log, numbers);
        fuzz(&mut target, (0..100).map(u32::to_le_bytes));
        drop(target);
        assert_eq!(read(log).1.executions, u64::from(INPUTS) + 100);
    }
}

fn check_nothing_is_logged(log: &Path) {
    let mut target = open(log, numbers);
    for number in 0..1000u32 {
        target.step(&number.to_le_bytes(), Phase::Fuzz);
        assert_eq!(target.verdicts(), [Verdict::Held]);
    }
    assert_eq!(std::fs::read_dir(log).unwrap().count(), 0);
}

/// Starts a role where its log is a file system of its own; `None` if that is not allowed here.
fn on_disk(options: &str, as_role: &str) -> Option<std::process::Output> {
    let directory = tempfile::tempdir().unwrap();
    let inner = role(as_role, directory.path(), "");
    let mut command = Command::new("unshare");
    let script = format!("mount -t tmpfs -o {options} tmpfs \"$0\" && exec \"$@\"");
    command.args(["-m", "sh", "-c", &script]).arg(directory.path()).arg(inner.get_program()).args(inner.get_args());
    command.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?)))).stdin(Stdio::null());
    match command.output() {
        Ok(output) if !String::from_utf8_lossy(&output.stderr).contains("unshare failed") => {
            let said = String::from_utf8_lossy(&output.stderr);
            if said.contains("mount:") {
                skip(&said);
                return None;
            }
            Some(output)
        }
        other => {
            skip(&format!("cannot mount a disk of its own: {other:?}"));
            None
        }
    }
}

/// Checks that a role came to a good end, and said once that something cannot be logged.
fn warns_once(output: &std::process::Output) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{:?}: {said}", output.status);
    assert_eq!(said.matches("bugornot: warning").count(), 1, "{said}");
}

#[test]
fn a_full_disk_stops_the_rows_and_nothing_else() {
    let Some(output) = on_disk("size=1m", "full disk") else { return };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{:?}: {said}", output.status);
    // One from each of the two processes that it plays.
    assert_eq!(said.matches("bugornot: warning").count(), 2, "{said}");
    assert!(said.contains("No space left"), "{said}");
}

#[test]
fn a_disk_without_room_for_even_a_header_stops_nothing() {
    if let Some(output) = on_disk("size=4k", "full disk") {
        warns_once(&output);
    }
}

#[test]
fn a_read_only_folder_stops_nothing() {
    if let Some(output) = on_disk("ro", "read-only") {
        warns_once(&output);
    }
}

/// A child that is not waited for would be left behind by a test that fails.
struct Reaped(Child);

impl Drop for Reaped {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_live_process_is_no_death() {
    let directory = tempfile::tempdir().unwrap();
    let mut child = Reaped(role("deadly", directory.path(), &format!("function:hang {FATAL}")).spawn().unwrap());
    child.0.stderr.take().unwrap().read_exact(&mut [0]).expect("it hangs");
    let segment = |log: &Path| Log::open(log).unwrap().segments.into_iter().next().unwrap();
    assert!(segment(directory.path()).is_live());
    assert!(read(directory.path()).0.iter().all(|row| row.death.is_none()));
    drop(child);
    assert!(!segment(directory.path()).is_live());
    assert_eq!(death(directory.path()).0.bytes, [FATAL]);
}
