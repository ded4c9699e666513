//! Files that no writer of ours wrote: the reader never panics, never takes much memory, and says what is wrong.

use crate::{calculator, fuzz, open, segment};
use bugornot::log::{Log, Row, Segment};
use proptest::{collection::vec, prelude::*, sample::Index};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    error::Error,
    fs,
    path::Path,
    sync::OnceLock,
};

/// What a reader of a small file may take.
const MODEST: usize = 8 << 20;
const PAGE: usize = 4096;
const BLOCK_HEAD: usize = 32;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

thread_local! {
    /// What this thread holds, and the most it held.
    static HELD: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

/// Counts what each thread takes.
struct Counting;

impl Counting {
    fn count(more: isize) {
        let _ = HELD.try_with(|held| {
            let (now, most) = held.get();
            held.set((now + more, most.max(now + more)));
        });
    }
}

// SAFETY: everything is left to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::count(layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::count(layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        Self::count(-(layout.size() as isize));
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Self::count(size as isize - layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(at, layout, size) }
    }
}

/// The most memory that this held at once.
fn peak(run: impl FnOnce()) -> usize {
    let (before, _) = HELD.get();
    HELD.set((before, before));
    run();
    usize::try_from(HELD.get().1 - before).unwrap_or(0)
}

/// A sound segment, cut behind its only row block.
fn sound() -> &'static [u8] {
    static SOUND: OnceLock<Vec<u8>> = OnceLock::new();
    SOUND.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        fuzz(&mut open(directory.path(), calculator), (0..40u8).map(|number| [number, number / 2]));
        let mut bytes = fs::read(segment(directory.path())).unwrap();
        bytes.truncate(rows_at(&bytes) + 4 * PAGE);
        bytes
    })
}

fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// Where the row blocks begin.
fn rows_at(bytes: &[u8]) -> usize {
    2 * word(bytes, 8) + 2 * PAGE
}

/// The payload of the block that begins here.
fn payload(bytes: &[u8], at: usize) -> Vec<u8> {
    bytes[at + BLOCK_HEAD..][..word(bytes, at + 24)].to_vec()
}

/// Puts another payload into the block that begins here, with the right length and checksum.
fn put(bytes: &mut [u8], at: usize, payload: &[u8]) {
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&bytes[at..at + 24]);
    checksum.update(payload);
    bytes[at + 24..at + 28].copy_from_slice(&(payload.len() as u32).to_le_bytes());
    bytes[at + 28..at + 32].copy_from_slice(&checksum.finalize().to_le_bytes());
    bytes[at + BLOCK_HEAD..][..payload.len()].copy_from_slice(payload);
}

/// The sound segment with another block behind the first.
fn with_block(payload: &[u8]) -> Vec<u8> {
    let mut bytes = sound().to_vec();
    let (first, at) = (rows_at(&bytes), bytes.len());
    bytes.resize(at + (BLOCK_HEAD + payload.len()).next_multiple_of(PAGE), 0);
    bytes.copy_within(first..first + 24, at);
    let capacity = (bytes.len() - at) as u32;
    bytes[at + 8..at + 12].copy_from_slice(&capacity.to_le_bytes());
    bytes[at + 12..at + 16].copy_from_slice(&3u32.to_le_bytes());
    put(&mut bytes, at, payload);
    // The live pages say where the next block goes, and which number it has.
    let counters = 2 * word(&bytes, 8) + 8;
    for (counter, value) in [(9, bytes.len() as u64), (10, 4)] {
        let place = &mut bytes[counters + counter * 16..][..16];
        place[..8].copy_from_slice(&value.to_le_bytes());
        place[8..].copy_from_slice(&(!value).to_le_bytes());
    }
    bytes
}

/// A length, then as many bytes: a record as a block holds it.
fn record(content: &[u8]) -> Vec<u8> {
    let mut record = vec![252];
    record.extend_from_slice(&(content.len() as u32).to_le_bytes());
    record.extend_from_slice(content);
    record
}

/// Reads all there is; what it took, and the rows.
fn read(bytes: &[u8]) -> (usize, Option<(Vec<Row>, u64)>) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("hostile.verdicts");
    fs::write(&path, bytes).unwrap();
    let mut found = None;
    let most = peak(|| {
        let Ok(segment) = Segment::open(&path) else { return };
        segment.totals();
        let mut rows = segment.rows().unwrap();
        let all = rows.by_ref().collect();
        found = Some((all, rows.loss().records + rows.loss().blocks));
    });
    (most, found)
}

#[test]
fn the_blocks_made_here_are_read_like_those_of_a_writer() {
    let (most, found) = read(&with_block(&payload(sound(), rows_at(sound()))));
    let (rows, losses) = found.unwrap();
    assert_eq!((rows.len(), losses), (80, 0));
    assert!(most < MODEST, "{most}");
}

#[test]
fn a_record_that_claims_to_hold_much_takes_no_more_than_it_holds() {
    let long = |tag: u8| [&[tag][..], &60_000_000u32.to_le_bytes()].concat();
    let text = [&[0, 0, 0, 1][..], &long(252)].concat();
    let list = [&[0, 0, 0][..], &long(252)].concat();
    let verdicts = [&[0, 1, 1, 0, 2, 0, 0][..], &long(252)].concat();
    // A notice of a death whose value is a list in a list in a list, each of which claims to be long.
    let died = [&[0, 3, 1, 0, 0, 2, 0, 0, 0, 1][..], &[&[16][..], &long(252)].concat().repeat(60)].concat();
    let taken = [text, list, verdicts, died].map(|content| {
        let (most, found) = read(&with_block(&record(&content)));
        let (rows, losses) = found.unwrap();
        assert_eq!((rows.len(), losses), (40, 1), "{content:?}");
        most
    });
    assert!(taken.iter().all(|&most| most < MODEST), "text, list, verdicts, lists in lists: {taken:?} bytes");
}

#[test]
fn a_record_longer_than_its_block_costs_only_itself() {
    let good = payload(sound(), rows_at(sound()));
    for length in
        [&[250][..], &[251, 0xff, 0xff], &[253, 255, 255, 255, 255, 255, 255, 255, 255], &[254], &[255], &[251]]
    {
        let (_, found) = read(&with_block(&[&good[..], length].concat()));
        let (rows, losses) = found.unwrap();
        assert_eq!((rows.len(), losses), (80, 1), "{length:?}");
    }
}

/// Changes that keep a payload close to what it was.
fn changed(mut payload: Vec<u8>, changes: &[(Index, u8, u8)]) -> Vec<u8> {
    for (at, kind, byte) in changes {
        let at = at.index(payload.len().max(1));
        match kind % 4 {
            _ if payload.is_empty() => payload.push(*byte),
            0 => payload[at] = *byte,
            1 => payload.insert(at, *byte),
            2 => drop(payload.remove(at)),
            // Lengths and tags are where the trouble is.
            _ => payload[at] = 250 + byte % 6,
        }
    }
    payload
}

proptest! {
    // Cases worth keeping are tests of their own.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_payload_with_a_right_checksum_makes_the_reader_panic_or_take_much(content in vec(any::<u8>(), 0..2000)) {
        let (most, found) = read(&with_block(&content));
        prop_assert!(found.unwrap().0.len() >= 40);
        prop_assert!(most < MODEST, "{}", most);
    }

    #[test]
    fn no_notice_and_no_row_makes_the_reader_panic_or_take_much(
        contents in vec((0u8..3, vec(prop_oneof![0u8..24, 248u8..=255, any::<u8>()], 0..200)), 1..6)
    ) {
        let good = payload(sound(), rows_at(sound()));
        let records: Vec<u8> = contents.iter().flat_map(|(kind, rest)| record(&[&[*kind][..], rest].concat())).collect();
        let (most, found) = read(&with_block(&[&good[..], &records].concat()));
        prop_assert!(found.unwrap().0.len() >= 80);
        prop_assert!(most < MODEST, "{}", most);
    }

    #[test]
    fn no_change_of_a_block_makes_the_reader_panic_or_take_much(
        changes in vec((any::<Index>(), any::<u8>(), any::<u8>()), 1..8)
    ) {
        let (most, found) = read(&with_block(&changed(payload(sound(), rows_at(sound())), &changes)));
        prop_assert!(found.unwrap().0.len() >= 40);
        prop_assert!(most < MODEST, "{}", most);
    }

    #[test]
    fn no_change_of_a_header_makes_the_reader_panic_or_take_much(
        changes in vec((any::<Index>(), any::<u8>(), any::<u8>()), 1..5)
    ) {
        let mut bytes = sound().to_vec();
        let header = changed(payload(&bytes, 0), &changes);
        prop_assume!(header.len() + BLOCK_HEAD <= word(&bytes, 8));
        put(&mut bytes, 0, &header);
        let (most, _) = read(&bytes);
        prop_assert!(most < MODEST, "{}", most);
    }

    #[test]
    fn no_change_of_a_file_makes_the_reader_panic_or_take_much(
        changes in vec((any::<Index>(), any::<u8>()), 1..20),
        length in any::<Index>(),
        garbage in vec(any::<u8>(), 0..100),
    ) {
        let mut bytes = sound().to_vec();
        changes.iter().for_each(|(at, byte)| *at.get_mut(&mut bytes) = *byte);
        bytes.truncate(length.index(2 * bytes.len()).max(1));
        bytes.extend_from_slice(&garbage);
        prop_assert!(read(&bytes).0 < MODEST);
        prop_assert!(read(&[b"BnB1\x01\0\0\0".as_slice(), &garbage].concat()).0 < MODEST);
    }
}

/// The message of an error and of what caused it.
fn said(error: &dyn Error) -> String {
    let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    format!("{error}{cause}")
}

/// Checks that an error names the path and what is wrong.
fn names(error: &bugornot::log::Error, path: &Path, words: &[&str]) {
    let said = said(error);
    assert_eq!(error.path(), path);
    for word in words.iter().copied().chain(path.to_str()) {
        assert!(said.contains(word), "`{said}` does not say `{word}`");
    }
}

/// Which of the predicates hold: foreign, of a newer version, damaged, empty.
fn kinds(error: &bugornot::log::Error) -> [bool; 4] {
    [error.is_foreign(), error.is_version(), error.is_damaged(), error.is_empty()]
}

#[test]
fn a_folder_that_is_missing_or_empty_is_said_to_be() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("missing");
    let error = Log::open(&missing).unwrap_err();
    assert_eq!(kinds(&error), [false; 4]);
    names(&error, &missing, &["No such file"]);
    let error = Log::open(directory.path()).unwrap_err();
    assert_eq!(kinds(&error), [false, false, false, true]);
    names(&error, directory.path(), &["bugornot run"]);
    // Other files do not make it a log.
    fs::write(directory.path().join("notes.txt"), "notes").unwrap();
    assert!(Log::open(directory.path()).unwrap_err().is_empty());
}

#[test]
fn a_file_that_is_no_segment_is_said_to_be_foreign() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("notes.verdicts");
    for content in ["notes", "a longer text, of some pages ".repeat(1000).as_str(), "\0\0\0\0\0\0\0not zeros"] {
        fs::write(&path, content).unwrap();
        let error = Segment::open(&path).unwrap_err();
        assert_eq!(kinds(&error), [true, false, false, false], "{error}");
        names(&error, &path, &["no segment"]);
        assert!(Log::open(directory.path()).unwrap_err().is_foreign());
    }
}

#[test]
fn a_segment_without_a_header_is_said_to_be_damaged() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cut.verdicts");
    let mut broken = sound().to_vec();
    let second = word(&broken, 8);
    broken[40] ^= 1;
    broken[second + 40] ^= 1;
    for content in [&[][..], b"Bn", b"BnB1", &sound()[..100], &broken] {
        fs::write(&path, content).unwrap();
        let error = Segment::open(&path).unwrap_err();
        assert_eq!(kinds(&error), [false, false, true, false], "{} bytes: {error}", content.len());
        names(&error, &path, &["damaged"]);
    }
}

#[test]
fn a_newer_format_is_said_to_be_newer_whatever_else_it_holds() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("newer.verdicts");
    let header = payload(sound(), 0);
    let newer = u8::try_from(bugornot::log::FORMAT).unwrap() + 1;
    for content in [[&[newer][..], &header[1..]].concat(), vec![newer], vec![251, 1, 1, 255, 255]] {
        let mut bytes = sound().to_vec();
        for at in [0, word(&bytes, 8)] {
            put(&mut bytes, at, &content);
        }
        fs::write(&path, bytes).unwrap();
        let error = Segment::open(&path).unwrap_err();
        assert_eq!(kinds(&error), [false, true, false, false], "{error}");
        let format = if content[0] == newer { newer.to_string() } else { "257".into() };
        names(&error, &path, &[&format, "install"]);
    }
    // And what stands beside it is read.
    fuzz(&mut open(directory.path(), calculator), [[1u8, 2]]);
    let log = Log::open(directory.path()).unwrap();
    assert_eq!((log.segments.len(), log.unreadable.len()), (1, 1));
    assert!(log.unreadable[0].is_version());
}

#[test]
fn a_target_leaves_a_newer_segment_alone() {
    let directory = tempfile::tempdir().unwrap();
    let mut target = open(directory.path(), calculator);
    fuzz(&mut target, [[1u8, 2]]);
    drop(target);
    let path = segment(directory.path());
    let mut bytes = fs::read(&path).unwrap();
    let header = [&[9][..], &payload(&bytes, 0)[1..]].concat();
    for at in [0, word(&bytes, 8)] {
        put(&mut bytes, at, &header);
    }
    fs::write(&path, &bytes).unwrap();
    fuzz(&mut open(directory.path(), calculator), [[3u8, 4]]);
    assert_eq!(fs::read(&path).unwrap(), bytes);
}
