//! Writes a corpus so that whoever looks, also after a `kill -9` at any instant, finds the old one or the new one whole.
//!
//! Inputs are named by their content and never changed, so new ones can stand beside old ones. First they are added,
//! then the manifest is replaced in one step, and only then what nobody lists any more is removed.

use super::{Kept, Manifest, is_ours, list, manifest_of};
use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
};

/// Whose drafts these are.
const OURS: &str = "minimise";

/// Replaces the corpus in a folder. Files that are neither listed nor named by their content stay.
pub(crate) fn save(folder: &Path, manifest: &Manifest, inputs: &[Kept]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for input in inputs {
        let path = folder.join(&input.name);
        if !is_ours(&path) {
            replace(folder, &path, OURS, &input.bytes)?;
        }
    }
    sync(folder)?;
    replace(folder, &manifest_of(folder), OURS, manifest.to_text().as_bytes())?;
    sync(folder)?;
    for path in list(folder)? {
        let is_listed =
            path.file_name().and_then(|name| name.to_str()).is_some_and(|name| manifest.inputs.contains_key(name));
        if !is_listed && is_ours(&path) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// Writes a file of the folder whole or not at all. The draft stands beside the folder, so that no engine takes it for an
/// input; `whose` keeps those apart that may write at the same time.
pub(crate) fn replace(folder: &Path, path: &Path, whose: &str, bytes: &[u8]) -> io::Result<()> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let draft = folder.with_file_name(format!(".{name}.{whose}.draft"));
    let mut file = File::create(&draft)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&draft, path)
}

/// Makes the names in a folder last.
fn sync(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Corpus, DECISIONS, Decided, Expected, Facts, SCHEMA, name_of};
    use std::{collections::BTreeMap, env, process::Command, thread, time::Duration};

    const FOLDER: &str = "BUGORNOT_TEST_CORPUS";

    /// A corpus of these inputs.
    fn corpus(inputs: &[&[u8]]) -> (Manifest, Vec<Kept>) {
        let kept = |bytes: &&[u8]| Kept { name: name_of(bytes), bytes: bytes.to_vec() };
        let kept: Vec<Kept> = inputs.iter().map(kept).collect();
        let expected = |input: &Kept| Expected {
            input: format!("{:?}", input.bytes),
            value: String::new(),
            keeps: Vec::new(),
            edges: 0,
            accepted: BTreeMap::new(),
            verdicts: BTreeMap::new(),
        };
        let manifest = Manifest {
            schema: SCHEMA,
            suite: "s".into(),
            constants: BTreeMap::new(),
            replayed: Facts { overflow_checks: true, debug_assertions: true },
            builds: Vec::new(),
            decisions: Decided::default(),
            inputs: kept.iter().map(|input| (input.name.clone(), expected(input))).collect(),
        };
        (manifest, kept)
    }

    /// Two corpora that share an input.
    fn two() -> [(Manifest, Vec<Kept>); 2] {
        [corpus(&[b"", b"one", b"two", b"three"]), corpus(&[b"two", b"four", b"five"])]
    }

    #[test]
    fn what_is_saved_is_loaded_and_what_is_no_longer_listed_goes() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("s");
        for (manifest, inputs) in two() {
            save(&folder, &manifest, &inputs).unwrap();
            fs::write(folder.join("by-hand"), "x").unwrap();
            fs::write(folder.join(DECISIONS), "x").unwrap();
            let loaded = Corpus::load(&folder, "s").unwrap();
            assert_eq!(
                (loaded.manifest, loaded.inputs.len(), loaded.others),
                (manifest, inputs.len(), vec!["by-hand".into()])
            );
        }
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
        assert_eq!(fs::read_to_string(folder.join(DECISIONS)).unwrap(), "x");
    }

    #[test]
    fn does_nothing_unless_another_test_starts_it() {
        let Some(folder) = env::var_os(FOLDER) else { return };
        loop {
            for (manifest, inputs) in two() {
                save(Path::new(&folder), &manifest, &inputs).unwrap();
            }
        }
    }

    #[test]
    fn a_kill_at_any_instant_leaves_the_old_or_the_new_corpus() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("s");
        let corpora = two();
        save(&folder, &corpora[0].0, &corpora[0].1).unwrap();
        let mut found = [0; 2];
        for round in 0..24 {
            let mut child = Command::new(env::current_exe().unwrap())
                .args(["--exact", "corpus::save::tests::does_nothing_unless_another_test_starts_it"])
                .env(FOLDER, &folder)
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap();
            thread::sleep(Duration::from_micros(20_000 + 1_733 * round));
            child.kill().unwrap();
            child.wait().unwrap();
            let loaded = Corpus::load(&folder, "s").unwrap_or_else(|error| panic!("{error}"));
            let which = corpora.iter().position(|(manifest, _)| *manifest == loaded.manifest).unwrap();
            found[which] += 1;
        }
        assert!(found.iter().all(|&count| count > 0), "{found:?}");
    }
}
