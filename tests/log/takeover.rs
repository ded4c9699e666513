//! Who writes which file: a process goes on with the segment of one that has ended, and never spoils another's.

use crate::{Pair, calculator, fuzz, judged, open, open_with, rows, segment, segments, totals};
use bugornot::{
    Equal, Suite, Verdict,
    engine::{Execute, Settings, Target},
    log::{Log, Row, Stage},
};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// Places in the live pages, as `src/log/live.rs` lays them out.
const LIVE_STATE: usize = 8 + 11 * 16;
const LIVE_VERDICTS: usize = LIVE_STATE + 40 + 4096;
const COMMITTING: u32 = 0x7C38_C6B4;
const END: usize = 9;
/// What one row block usually takes.
const BLOCK: usize = 4 * 4096;

/// A segment that is changed behind the back of everyone.
struct Patched<'path> {
    path: &'path Path,
    bytes: Vec<u8>,
    live_at: usize,
}

impl<'path> Patched<'path> {
    fn read(path: &'path Path) -> Self {
        let bytes = fs::read(path).unwrap();
        let live_at = 2 * u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
        assert_eq!(&bytes[live_at..live_at + 8], b"BnB-live");
        Self { path, bytes, live_at }
    }

    fn word(&mut self, at: usize) -> &mut [u8; 8] {
        (&mut self.bytes[self.live_at + at..][..8]).try_into().expect("eight bytes")
    }

    fn add(&mut self, at: usize, more: u64) {
        let word = self.word(at);
        *word = u64::from_le_bytes(*word).wrapping_add(more).to_le_bytes();
    }

    /// Adds to a counter and its mirror.
    fn count(&mut self, counter: usize, more: u64) {
        self.add(8 + counter * 16, more);
        self.add(16 + counter * 16, more.wrapping_neg());
    }

    fn state(&mut self, state: u32) {
        self.bytes[self.live_at + LIVE_STATE..][..4].copy_from_slice(&state.to_le_bytes());
    }

    fn write(self) {
        fs::write(self.path, self.bytes).unwrap();
    }
}

fn inputs(range: std::ops::Range<u8>) -> impl Iterator<Item = [u8; 2]> {
    range.map(|number| [number, 1])
}

fn first_fields(rows: &[Row]) -> Vec<i128> {
    rows.iter().filter_map(|row| row.fields.first()?.integer()).collect()
}

#[test]
fn the_next_process_goes_on_with_the_segment() {
    let directory = tempfile::tempdir().unwrap();
    for range in [0..10, 10..20, 20..30] {
        fuzz(&mut open(directory.path(), calculator), inputs(range));
    }
    segment(directory.path());
    let rows = rows(directory.path());
    assert_eq!(first_fields(&rows), (0..30).collect::<Vec<_>>());
    assert!(rows.iter().map(|row| row.id).eq(1..=30), "{:?}", rows.iter().map(|row| row.id).collect::<Vec<_>>());
    assert_eq!(totals(directory.path()).executions, 30);
}

#[test]
fn processes_at_once_write_a_segment_each() {
    let directory = tempfile::tempdir().unwrap();
    let mut targets = [0, 1].map(|_| open(directory.path(), calculator));
    for range in [0..5, 10..15] {
        for (target, by) in targets.iter_mut().zip([0, 100]) {
            fuzz(target, inputs(range.start + by..range.end + by));
        }
    }
    let live = |directory: &Path| Log::open(directory).unwrap().segments.iter().filter(|one| one.is_live()).count();
    assert_eq!((segments(directory.path()).len(), live(directory.path())), (2, 2));
    drop(targets);
    assert_eq!(live(directory.path()), 0);
    let found: BTreeSet<i128> = first_fields(&rows(directory.path())).into_iter().collect();
    assert_eq!(found, (0..5).chain(10..15).chain(100..105).chain(110..115).collect());
}

fn with_k(k: u32) -> impl FnOnce(&Path) -> Target<u16, u32> {
    move |directory| {
        let mut settings = Settings::new(Some(directory.to_owned()), 1);
        settings.pins.push(("k".into(), k.to_string()));
        open_with(settings, |suite: &mut Suite<u16, u32>| {
            let k = suite.constant("k", 0..=9u32);
            suite.function("plus", move |number| u32::from(*number) + k);
            suite.relation("same", |number| *number, Equal);
        })
    }
}

#[test]
fn other_constants_are_another_segment() {
    let directory = tempfile::tempdir().unwrap();
    for k in [1, 2, 1] {
        fuzz(&mut with_k(k)(directory.path()), [[k as u8, 0], [k as u8, 1]]);
    }
    let constants = Log::open(directory.path()).unwrap().segments.into_iter().map(|one| one.header().constants.clone());
    let constants: Vec<String> = constants.map(|constants| constants[0].1.to_string()).collect();
    assert_eq!(constants, ["1", "2"]);
}

#[test]
fn what_is_rare_for_these_constants_is_not_common_because_of_others() {
    let directory = tempfile::tempdir().unwrap();
    fuzz(&mut with_k(1)(directory.path()), (0..1000u16).map(u16::to_le_bytes));
    fuzz(&mut with_k(2)(directory.path()), (0..10u16).map(u16::to_le_bytes));
    let log = Log::open(directory.path()).unwrap();
    let rows: Vec<Row> = log.segments[1].rows().unwrap().collect();
    assert_eq!((rows.len(), rows.iter().filter(|row| row.detail.is_some()).count()), (10, 10));
}

#[test]
fn other_files_in_the_folder_are_left_as_they_are() {
    let directory = tempfile::tempdir().unwrap();
    fuzz(&mut open(directory.path(), calculator), inputs(0..3));
    // Names like those of segments to be taken over, and newer ones.
    let host = segment(directory.path()).file_name().unwrap().to_string_lossy().split('-').next().unwrap().to_owned();
    let ours = fs::read(segment(directory.path())).unwrap();
    let foreign = [
        (format!("{host}-ffffffffffffffff-1.verdicts"), b"a text of mine".to_vec()),
        (format!("{host}-ffffffffffffffff-2.verdicts"), Vec::new()),
        (format!("{host}-ffffffffffffffff-3.verdicts"), ours[..5000].to_vec()),
        ("notes.txt".to_owned(), b"more of mine".to_vec()),
    ];
    for (name, bytes) in &foreign {
        fs::write(directory.path().join(name), bytes).unwrap();
    }
    fuzz(&mut open(directory.path(), calculator), inputs(3..6));
    for (name, bytes) in &foreign {
        assert_eq!(fs::read(directory.path().join(name)).unwrap(), *bytes, "{name}");
    }
    let log = Log::open(directory.path()).unwrap();
    assert!(log.unreadable.iter().any(|error| error.is_foreign()), "{:?}", log.unreadable);
    let found: Vec<Row> = log.segments.iter().flat_map(|one| one.rows().unwrap()).collect();
    assert_eq!(first_fields(&found), [0, 1, 2, 3, 4, 5]);
}

/// Kills the process in the middle of adding the last execution's verdicts to the totals: `ahead` cells have them.
fn cut_commit(path: &Path, ahead: usize) {
    let mut patched = Patched::read(path);
    patched.state(COMMITTING);
    for cell in 0..ahead {
        // The low bits of a verdict's code are its number.
        let verdict = usize::from(patched.bytes[patched.live_at + LIVE_VERDICTS + cell] & 7);
        patched.add(LIVE_VERDICTS + 8 + (cell * Verdict::COUNT + verdict) * 8, 1);
    }
    patched.write();
}

#[test]
fn totals_that_a_killed_process_did_not_finish_are_finished() {
    for ahead in 1..=4 {
        let directory = tempfile::tempdir().unwrap();
        fuzz(&mut open(directory.path(), calculator), inputs(0..10));
        cut_commit(&segment(directory.path()), ahead);
        let before = totals(directory.path());
        assert_eq!(before.executions, 11, "{ahead}");
        fuzz(&mut open(directory.path(), calculator), inputs(10..11));
        segment(directory.path());
        rows(directory.path());
        let after = totals(directory.path());
        assert_eq!(after.executions, 12, "{ahead}");
        assert!(after.cells.iter().all(|cell| cell.iter().sum::<u64>() == 12), "{ahead}: {:?}", after.cells);
    }
}

#[test]
fn an_execution_killed_behind_its_row_is_one_row_before_and_after_the_next_process() {
    let directory = tempfile::tempdir().unwrap();
    fuzz(&mut open(directory.path(), calculator), inputs(0..3));
    let path = segment(directory.path());
    let mut patched = Patched::read(&path);
    patched.state(COMMITTING);
    patched.write();
    let shown = |rows: Vec<Row>| rows.iter().map(|row| (row.id, row.death.is_some())).collect::<Vec<_>>();
    assert_eq!(shown(rows(directory.path())), [(1, false), (2, false), (3, false)]);
    fuzz(&mut open(directory.path(), calculator), inputs(3..4));
    assert_eq!(shown(rows(directory.path())), [(1, false), (2, false), (3, false), (4, false)]);
}

/// The calculator, with a feature that copies the segment while the logger looks at a certain input.
fn observed(copy: Option<(PathBuf, PathBuf)>) -> impl FnOnce(&mut Suite<Pair, i32>) {
    move |suite| {
        calculator(suite);
        suite.feature("is small", move |p| {
            if let Some((from, to)) = copy.as_ref().filter(|_| p.a == 3) {
                fs::copy(segment(from), to.join(segment(from).file_name().unwrap())).unwrap();
            }
            p.a < 10
        });
    }
}

#[test]
fn an_execution_killed_before_its_row_is_one_death_before_and_after_the_next_process() {
    let [directory, copied] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let copy = Some((directory.path().to_owned(), copied.path().to_owned()));
    fuzz(&mut open(directory.path(), observed(copy)), inputs(0..5));
    for _ in 0..3 {
        let rows = rows(copied.path());
        let [.., death] = &rows[..] else { panic!("no rows") };
        let ids: Vec<(u64, bool)> = rows.iter().map(|row| (row.id, row.death.is_some())).collect();
        assert_eq!(ids, [(1, false), (2, false), (3, false), (4, true)]);
        assert_eq!((death.death.as_ref().unwrap().stage, &death.bytes[..]), (Stage::Commit, &[3, 1][..]));
        assert_eq!(death.verdicts[..], judged(3, 1).map(Some));
        assert_eq!(totals(copied.path()).executions, 4);
        open(copied.path(), observed(None)).begin();
    }
}

#[test]
fn a_process_killed_while_it_began_a_block_lost_nothing() {
    // The end is only moved, the head is only half or only written: whatever comes first, the number comes last.
    let states: [fn(&mut Patched<'_>, usize); 3] = [
        |patched, _| patched.count(END, BLOCK as u64),
        |patched, end| patched.bytes[end + 24..end + 32].fill(0xA5),
        |patched, end| {
            let mut head = patched.bytes[end - BLOCK..end - BLOCK + 24].to_vec();
            head[12] += 1;
            let checksum = crc32fast::hash(&head);
            patched.bytes[end..end + 24].copy_from_slice(&head);
            patched.bytes[end + 28..end + 32].copy_from_slice(&checksum.to_le_bytes());
        },
    ];
    for (number, leave) in states.into_iter().enumerate() {
        let directory = tempfile::tempdir().unwrap();
        fuzz(&mut open(directory.path(), calculator), inputs(0..3));
        let path = segment(directory.path());
        let mut patched = Patched::read(&path);
        let end = u64::from_le_bytes(*patched.word(8 + END * 16)) as usize;
        leave(&mut patched, end);
        patched.write();
        assert_eq!(first_fields(&rows(directory.path())), [0, 1, 2], "state {number}");
        fuzz(&mut open(directory.path(), calculator), inputs(3..6));
        segment(directory.path());
        assert_eq!(first_fields(&rows(directory.path())), [0, 1, 2, 3, 4, 5], "state {number}");
    }
}

#[test]
fn folders_copied_together_are_one_log() {
    let directories = [0u8, 50].map(|from| {
        let directory = tempfile::tempdir().unwrap();
        fuzz(&mut open(directory.path(), calculator), inputs(from..from + 5));
        directory
    });
    let merged = tempfile::tempdir().unwrap();
    for directory in &directories {
        for entry in fs::read_dir(directory.path()).unwrap().map(Result::unwrap) {
            fs::copy(entry.path(), merged.path().join(entry.file_name())).unwrap();
        }
    }
    assert_eq!(first_fields(&rows(merged.path())), [0, 1, 2, 3, 4, 50, 51, 52, 53, 54]);
    assert_eq!(totals(merged.path()).executions, 10);
    // And it is written on.
    fuzz(&mut open(merged.path(), calculator), inputs(90..91));
    assert_eq!((segments(merged.path()).len(), totals(merged.path()).executions), (2, 11));
}

#[test]
fn a_damaged_end_costs_no_row_that_is_there() {
    for bit in 0..64 {
        let directory = tempfile::tempdir().unwrap();
        for range in [0..3, 3..6] {
            fuzz(&mut open(directory.path(), calculator), inputs(range));
        }
        let path = segment(directory.path());
        let mut patched = Patched::read(&path);
        patched.word(8 + END * 16)[bit / 8] ^= 1 << (bit % 8);
        patched.write();
        fuzz(&mut open(directory.path(), calculator), inputs(6..9));
        let log = Log::open(directory.path()).unwrap();
        let found: Vec<Row> = log.segments.iter().flat_map(|one| one.rows().unwrap()).collect();
        assert_eq!(first_fields(&found), (0..9).collect::<Vec<_>>(), "bit {bit}");
    }
}

#[test]
fn a_process_killed_before_it_wrote_its_header_is_no_damage() {
    let directory = tempfile::tempdir().unwrap();
    fuzz(&mut open(directory.path(), calculator), inputs(0..3));
    let path = segment(directory.path());
    let length = fs::metadata(&path).unwrap().len();
    fs::write(directory.path().join("host-1-1.verdicts"), vec![0; length as usize]).unwrap();
    let log = Log::open(directory.path()).unwrap();
    assert!(log.unreadable.is_empty(), "{:?}", log.unreadable);
}

#[test]
fn a_process_gets_its_segment_while_others_look_into_the_folder() {
    let directories: Vec<_> = (0..300).map(|_| tempfile::tempdir().unwrap()).collect();
    let round = AtomicUsize::new(0);
    thread::scope(|scope| {
        // Readers and other writers ask so whether a segment is live.
        scope.spawn(|| {
            while let Some(directory) = directories.get(round.load(Ordering::Relaxed)) {
                for path in segments(directory.path()) {
                    let _ = fs::File::open(&path).map(|file| file.try_lock_shared());
                }
            }
        });
        for directory in &directories {
            fuzz(&mut open(directory.path(), calculator), inputs(0..3));
            round.fetch_add(1, Ordering::Relaxed);
        }
    });
    let missing = directories.iter().filter(|directory| segments(directory.path()).is_empty()).count();
    assert_eq!(missing, 0, "of {} targets, so many logged nothing", directories.len());
}
