//! A damaged byte costs at most the block it is in, and the reader says so.

use crate::{Pair, calculator, fuzz, open, segment};
use bugornot::{
    Equal, Suite,
    engine::Execute,
    log::{Loss, Row, Segment, Totals},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    ops::Range,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    sync::OnceLock,
    thread,
};
use tempfile::TempDir;

const PAGE: usize = 4096;
/// What one row block usually takes.
const BLOCK: usize = 4 * PAGE;
const LINE: usize = 64;

/// All that a reader says about a segment.
#[derive(Clone, Debug, PartialEq)]
struct Said {
    rows: Vec<Row>,
    loss: Loss,
    totals: Option<Totals>,
}

fn read(path: &Path) -> Result<Said, bugornot::log::Error> {
    let segment = Segment::open(path)?;
    let mut rows = segment.rows()?;
    let found = rows.by_ref().collect();
    Ok(Said { rows: found, loss: rows.loss().clone(), totals: segment.totals() })
}

/// A sound segment of a few blocks, with little unused room at its end.
struct Sample {
    bytes: Vec<u8>,
    said: Said,
    /// How many processes have written to it, one block each, and how many rows.
    blocks: usize,
    rows: usize,
    header: Range<usize>,
    live: Range<usize>,
}

fn suite(suite: &mut Suite<u8, ()>) {
    suite.function("nothing", |_| ());
    suite.relation("same", |number| *number, |(), ()| true);
}

impl Sample {
    /// So small that every byte can be tried.
    fn small() -> &'static Self {
        static SAMPLE: OnceLock<Sample> = OnceLock::new();
        SAMPLE.get_or_init(|| Self::make(2, 6))
    }

    fn large() -> &'static Self {
        static SAMPLE: OnceLock<Sample> = OnceLock::new();
        SAMPLE.get_or_init(|| Self::make(3, 80))
    }

    fn make(blocks: usize, rows: usize) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for block in 0..blocks {
            fuzz(&mut open(directory.path(), suite), (0..rows).map(|number| [(block * rows + number) as u8]));
        }
        let path = segment(directory.path());
        let mut bytes = fs::read(&path).unwrap();
        let header = 2 * u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
        let live = header..header + 2 * PAGE;
        bytes.truncate(live.end + blocks * BLOCK + LINE);
        fs::write(&path, &bytes).unwrap();
        let said = read(&path).unwrap();
        assert_eq!((said.rows.len(), said.loss.is_none()), (blocks * rows, true), "{:?}", said.loss);
        Self { bytes, said, blocks, rows, header: 0..header, live }
    }

    /// Which block a row stands in.
    fn block_of(&self, id: u64) -> usize {
        (id as usize - 1) / self.rows
    }

    /// Checks what is said of a damaged copy: rows of at most one block are missing, none is new, and whatever is
    /// missing or different is not kept secret.
    fn check(&self, said: &Said) -> Result<(), String> {
        let written: BTreeMap<u64, &Row> = self.said.rows.iter().map(|row| (row.id, row)).collect();
        if let Some(row) = said.rows.iter().find(|row| written.get(&row.id) != Some(row)) {
            return Err(format!("a row that was not written: {row:?}"));
        }
        let found: BTreeSet<u64> = said.rows.iter().map(|row| row.id).collect();
        if found.len() < said.rows.len() {
            return Err("a row is read twice".into());
        }
        let missing: Vec<u64> = written.keys().filter(|id| !found.contains(id)).copied().collect();
        let blocks: BTreeSet<usize> = missing.iter().map(|id| self.block_of(*id)).collect();
        if blocks.len() > 1 {
            return Err(format!("{} rows of {} blocks are lost", missing.len(), blocks.len()));
        }
        if !missing.is_empty() && said.loss.is_none() {
            return Err(format!("{} rows are lost and nothing says so", missing.len()));
        }
        if said.totals.is_some() && said.totals != self.said.totals {
            return Err(format!("other totals: {:?}", said.totals));
        }
        Ok(())
    }
}

/// Tries the positions on two threads, last first, each with a copy of its own; the complaints.
fn try_all(
    bytes: &[u8],
    positions: impl DoubleEndedIterator<Item = usize> + Clone + Send,
    attempt: impl Fn(&Path, &File, usize) -> Result<(), String> + Sync,
) -> Vec<(usize, String)> {
    thread::scope(|scope| {
        let attempts = [0, 1].map(|thread| {
            let (attempt, positions) = (&attempt, positions.clone());
            scope.spawn(move || {
                let (_directory, path) = copy(bytes);
                let file = File::options().write(true).open(&path).unwrap();
                let mine = positions.rev().skip(thread).step_by(2);
                mine.filter_map(|position| Some((position, attempt(&path, &file, position).err()?))).collect::<Vec<_>>()
            })
        });
        let mut complaints: Vec<_> = attempts.into_iter().flat_map(|attempt| attempt.join().unwrap()).collect();
        complaints.sort();
        complaints
    })
}

fn copy(bytes: &[u8]) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("copy.verdicts");
    fs::write(&path, bytes).unwrap();
    (directory, path)
}

/// Turns bits of every byte at these positions: all of them and one of them.
fn flip_all(
    bytes: &[u8],
    positions: impl DoubleEndedIterator<Item = usize> + Clone + Send,
    check: impl Fn(&Said) -> Result<(), String> + Sync,
) {
    let complaints = try_all(bytes, positions, |path, file, position| {
        // Where nothing was written, one try is enough.
        let is_used = bytes[position / LINE * LINE..].iter().take(LINE).any(|&byte| byte != 0);
        for bits in [0xff].into_iter().chain(is_used.then_some(1 << (position % 8))) {
            file.write_all_at(&[bytes[position] ^ bits], position as u64).unwrap();
            let said = read(path);
            file.write_all_at(&[bytes[position]], position as u64).unwrap();
            let said = said.map_err(|error| format!("nothing is read: {error}"))?;
            check(&said).map_err(|complaint| format!("xor {bits:#x}: {complaint}"))?;
        }
        Ok(())
    });
    assert!(complaints.is_empty(), "{}", listed(&complaints));
}

/// Complaints, with neighbouring positions of the same kind put together.
fn listed(complaints: &[(usize, String)]) -> String {
    let mut lines: Vec<(usize, usize, &str)> = Vec::new();
    for (position, complaint) in complaints {
        match lines.last_mut() {
            Some((_, last, _)) if *last + 1 == *position => *last = *position,
            _ => lines.push((*position, *position, complaint)),
        }
    }
    let lines = lines.iter().map(|(first, last, complaint)| format!("bytes {first}..={last}: {complaint:.300}"));
    format!("{} bytes:\n{}", complaints.len(), lines.collect::<Vec<_>>().join("\n"))
}

#[test]
fn a_segment_cut_at_any_byte_loses_what_was_behind_and_says_so() {
    let sample = Sample::small();
    let last_block = sample.live.end + (sample.blocks - 1) * BLOCK;
    let length = u32::from_le_bytes(sample.bytes[last_block + 24..][..4].try_into().unwrap());
    let last_row = last_block + 32 + length as usize;
    let complaints = try_all(&sample.bytes, 0..sample.bytes.len(), |path, file, length| {
        file.set_len(length as u64).unwrap();
        let said = match read(path) {
            // Without a header nothing can be read, and that is said.
            Err(error) if length < PAGE && error.is_damaged() => return Ok(()),
            Err(error) => return Err(format!("not the right error: {error}")),
            Ok(said) => said,
        };
        let is_whole = said.rows.len() == sample.said.rows.len();
        if !sample.said.rows.starts_with(&said.rows) {
            return Err("the rows are not the first ones".into());
        }
        if is_whole != (length >= last_row) {
            return Err(format!("{} rows are left", said.rows.len()));
        }
        if !is_whole && said.loss.is_none() {
            return Err(format!("{} rows are left and nothing says so", said.rows.len()));
        }
        // Blocks that are there are not lost with the one that is cut.
        let sound = (0..sample.blocks).filter(|block| sample.live.end + (block + 1) * BLOCK <= length).count();
        if said.rows.len() < sound * sample.rows {
            return Err(format!("{} rows are left of {sound} sound blocks", said.rows.len()));
        }
        match said.totals {
            Some(totals) if Some(&totals) != sample.said.totals.as_ref() => Err(format!("other totals: {totals:?}")),
            None if length >= sample.live.end => Err("the totals are gone".into()),
            _ => Ok(()),
        }
    });
    assert!(complaints.is_empty(), "{}", listed(&complaints));
}

#[test]
fn a_damaged_byte_in_a_header_costs_nothing() {
    let sample = Sample::small();
    flip_all(&sample.bytes, sample.header.clone(), |said| {
        if *said == sample.said { Ok(()) } else { Err(format!("{:?}", said.loss)) }
    });
}

#[test]
fn a_damaged_byte_in_the_live_pages_costs_no_row_and_changes_no_number() {
    let sample = Sample::small();
    flip_all(&sample.bytes, sample.live.clone(), |said| {
        sample.check(said)?;
        if said.rows != sample.said.rows {
            return Err("other rows".into());
        }
        if said.totals.is_none() && said.loss.is_none() { Err("the totals are gone unsaid".into()) } else { Ok(()) }
    });
}

#[test]
fn a_damaged_byte_in_a_block_costs_at_most_the_rows_of_that_block_and_says_so() {
    for (sample, step) in [(Sample::small(), 1), (Sample::large(), 211)] {
        flip_all(&sample.bytes, (sample.live.end..sample.bytes.len()).step_by(step), |said| {
            sample.check(said)?;
            if said.totals == sample.said.totals { Ok(()) } else { Err("other totals".into()) }
        });
    }
}

/// A segment as a process leaves it that dies in the third execution, in its follow-up.
fn dead() -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let kept = directory.path().join("kept");
    let from = directory.path().to_owned();
    let mut target = open(directory.path(), move |suite: &mut Suite<Pair, i8>| {
        suite.function("first", |p| p.a);
        suite.function("second", move |p| {
            if p.a == 100 {
                fs::copy(segment(&from), &kept).unwrap();
            }
            p.b
        });
        suite.relation("before", Clone::clone, Equal);
        suite.relation("hundred", |p| Pair { a: 100, ..*p }, Equal).when(|p| p.a > 50);
    });
    fuzz(&mut target, [[1u8, 2], [3, 4], [51, 6]]);
    fs::read(directory.path().join("kept")).unwrap()
}

/// Turns bits in some places of the live pages of a dead process: its death stays what it was, or a loss is told.
fn flip_dead(is_tried: impl Fn(usize) -> bool) {
    let bytes = dead();
    let (_directory, path) = copy(&bytes);
    let sound = read(&path).unwrap();
    assert!(sound.loss.is_none(), "{:?}", sound.loss);
    let [_, _, death] = &sound.rows[..] else { panic!("two rows and a death: {:?}", sound.rows) };
    assert_eq!((death.id, &death.bytes[..]), (3, &[51, 6][..]));
    let live = 2 * u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
    let positions: Vec<usize> = (0..2 * PAGE).filter(|&at| is_tried(at)).map(|at| live + at).collect();
    flip_all(&bytes, positions.into_iter(), |said| {
        if said.rows[..2] != sound.rows[..2] {
            return Err("other rows".into());
        }
        match said.rows.get(2) {
            Some(found) if found == death => Ok(()),
            _ if !said.loss.is_none() => Ok(()),
            Some(other) => Err(format!("another death: {other:?}")),
            None => Err("the death is gone unsaid".into()),
        }
    });
}

/// Where the live pages keep how far an execution has come: the stage, and the verdicts of four cells.
fn is_progress(at: usize) -> bool {
    const STATE: usize = 8 + 11 * 16;
    (STATE + 4..STATE + 8).contains(&at) || (STATE + 40 + 4096..STATE + 40 + 4100).contains(&at)
}

#[test]
fn a_damaged_byte_in_the_live_pages_of_a_dead_process_changes_nothing_unsaid() {
    flip_dead(|at| !is_progress(at));
}

#[test]
fn a_damaged_byte_in_how_far_a_dead_process_had_come_changes_nothing_unsaid() {
    flip_dead(is_progress);
}

#[test]
fn one_damaged_byte_in_a_header_of_many_pages_costs_nothing() {
    let directory = tempfile::tempdir().unwrap();
    fuzz(
        &mut open(directory.path(), |suite: &mut Suite<Pair, i8>| {
            suite.function("first", |p| p.a);
            for number in 0..200 {
                let description = "so long that the header takes many pages ".repeat(4);
                suite.relation(&format!("MR{number}"), Clone::clone, Equal).describe(&description);
            }
        }),
        [[1u8, 2], [3, 4]],
    );
    let bytes = fs::read(segment(directory.path())).unwrap();
    let (_directory, path) = copy(&bytes);
    let sound = read(&path).unwrap();
    assert_eq!((sound.rows.len(), sound.loss.is_none()), (2, true));
    let capacity = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
    assert!(capacity > 4 * PAGE, "{capacity}");
    let file = File::options().write(true).open(&path).unwrap();
    // All of both heads, and some of what is behind them.
    for position in (0..32).chain((32..capacity).step_by(997)).flat_map(|position| [position, capacity + position]) {
        for bits in [0xff, 1] {
            file.write_all_at(&[bytes[position] ^ bits], position as u64).unwrap();
            let said = read(&path).unwrap_or_else(|error| panic!("byte {position} xor {bits:#x}: {error}"));
            assert!(said == sound, "byte {position} xor {bits:#x}: {:?}", said.loss);
        }
        file.write_all_at(&[bytes[position]], position as u64).unwrap();
    }
}

#[test]
fn a_block_that_became_zeros_is_a_loss() {
    let sample = Sample::large();
    for block in 0..sample.blocks {
        let mut bytes = sample.bytes.clone();
        bytes[sample.live.end + block * BLOCK..][..BLOCK].fill(0);
        let (_directory, path) = copy(&bytes);
        let said = read(&path).unwrap();
        assert_eq!(said.rows.len(), (sample.blocks - 1) * sample.rows, "block {block}");
        assert_eq!(said.loss.blocks, 1, "block {block}: {:?}", said.loss);
    }
}

#[test]
fn a_process_goes_on_behind_damage_and_loses_nothing_more() {
    let sample = Sample::small();
    let directory = tempfile::tempdir().unwrap();
    open(directory.path(), suite).begin();
    let path = segment(directory.path());
    let mut bytes = sample.bytes.clone();
    bytes[sample.live.end + 100] ^= 1;
    fs::write(&path, &bytes).unwrap();
    fuzz(&mut open(directory.path(), suite), (200..210).map(|number| [number]));
    let said = read(&segment(directory.path())).unwrap();
    assert_eq!((said.rows.len(), said.loss.blocks), (sample.rows + 10, 1), "{:?}", said.loss);
}

#[test]
fn a_reader_of_a_live_segment_sees_whole_rows_and_no_loss() {
    let directory = tempfile::tempdir().unwrap();
    let mut target = open(directory.path(), calculator);
    target.begin();
    let path = segment(directory.path());
    for number in 0..100u8 {
        fuzz(&mut target, [[number, 1]]);
        let said = read(&path).unwrap();
        assert_eq!((said.rows.len(), said.loss.is_none()), (usize::from(number) + 1, true));
        assert_eq!(said.totals.map(|totals| totals.executions), Some(u64::from(number) + 1));
    }
}
