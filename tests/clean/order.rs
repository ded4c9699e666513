//! Same log, same output: who reads what, in which order and with how much memory does not show.

use crate::{cleaned, open, told};
use bugornot::{
    Suite,
    clean::{Cleaned, Options},
    engine::Execute,
    log::{EXTENSION, Phase},
};
use proptest::prelude::*;
use std::{fs, path::Path};

/// A function whose outputs for some inputs depend on the process, and one that panics for some.
fn moody(suite: &mut Suite<(u8, u8), u8>, mood: u8) {
    suite.function("moody", move |&(a, b)| if a % 16 == 3 { mood } else { b });
    suite.function("fragile", |&(a, b)| if a == 9 { panic!("nine") } else { a.wrapping_add(b) });
    suite.relation("small", |&pair| pair, |source: &u8, _: &u8| *source < 100);
    suite.relation("down", |&(a, b)| Some((a.checked_sub(1)?, b)), |source: &u8, follow_up: &u8| source > follow_up);
}

/// One segment per part: each with its own mood.
fn write(directory: &Path, parts: &[Vec<(u8, u8)>]) {
    // All are open at once, so that none takes over the segment of another.
    let moods = [0, 200];
    let mut targets: Vec<_> =
        (0..parts.len()).map(|part| open(directory, |suite| moody(suite, moods[part % 2]))).collect();
    for (target, part) in targets.iter_mut().zip(parts) {
        target.begin();
        for (number, &(a, b)) in part.iter().enumerate() {
            target.step(&[a, b], if number % 5 == 0 { Phase::Uniform } else { Phase::Fuzz });
        }
    }
}

/// Gives the segments names in the opposite order.
fn rename(directory: &Path) {
    let mut paths: Vec<_> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|name| name == EXTENSION));
    paths.sort();
    let count = paths.len();
    for (position, path) in paths.into_iter().enumerate() {
        fs::rename(path, directory.join(format!("renamed-{:03}.{EXTENSION}", count - position))).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn neither_threads_nor_order_nor_memory_change_the_result(
        parts in prop::collection::vec(prop::collection::vec((0u8..40, any::<u8>()), 0..200), 1..4),
        working_rows in prop::sample::select(vec![1usize, 7, 60, 1 << 18]),
    ) {
        let directory = tempfile::tempdir().unwrap();
        write(directory.path(), &parts);
        let options = |workers, memory| Options { memory, working_rows, workers };
        let plain = cleaned(directory.path(), &options(1, 1 << 30));
        prop_assert_eq!(plain.rows.read, plain.rows.kept + plain.rows.duplicate);
        prop_assert!(plain.working.len() <= working_rows.max(1));
        prop_assert_eq!(plain.is_complete, plain.working.len() as u64 == plain.rows.kept);
        prop_assert_eq!(told(&plain), told(&cleaned(directory.path(), &options(3, 1 << 30))));
        rename(directory.path());
        prop_assert_eq!(told(&plain), told(&cleaned(directory.path(), &options(2, 1 << 30))));
        // Next to no memory for the working set, and so little for the rest that the log is read often.
        let narrow = cleaned(directory.path(), &options(2, 4 << 10));
        prop_assert_eq!(without_working_set(plain), without_working_set(narrow));
    }
}

fn without_working_set(cleaned: Cleaned) -> String {
    told(&Cleaned { working: Vec::new(), stands_for: Vec::new(), is_complete: true, ..cleaned })
}

#[test]
fn a_log_read_in_parts_has_the_same_working_set() {
    let directory = tempfile::tempdir().unwrap();
    let all: Vec<(u8, u8)> = (0..16_000u16).map(|number| (number as u8, (number >> 8) as u8)).collect();
    write(directory.path(), &[all[..10_000].to_vec(), all[6_000..].to_vec()]);
    let options = |workers, memory| Options { memory, working_rows: 10, workers };
    let plain = cleaned(directory.path(), &options(2, 1 << 30));
    assert_eq!((plain.rows.kept, plain.is_complete), (16_000, false));
    // Moods show where both segments have an input, as a source or as a follow-up.
    assert_eq!(plain.rows.inconsistent, 2 * 4_000 / 16);
    assert_eq!(told(&plain), told(&cleaned(directory.path(), &options(1, 256 << 10))));
}
