//! `bugornot import` from outside: tables of every layout become logs that read like any other, and nothing that is
//! wrong with a table passes without its place and what to do.

#[path = "import/bad.rs"]
mod bad;
#[path = "import/golden.rs"]
mod golden;
#[path = "import/readme.rs"]
mod readme;
#[path = "import/tables.rs"]
mod tables;

#[path = "support/skip.rs"]
mod skip;

use bugornot::log::{Log, Loss, Row, Totals};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

/// A folder with a table in it.
struct Place(TempDir);

impl Place {
    fn new(table: impl AsRef<[u8]>) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        place.write("t.csv", table);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    /// Exit code, stdout and stderr of an import of `t.csv`.
    fn told(&self, arguments: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bugornot"));
        command.current_dir(self.0.path()).env_remove("NO_COLOR").env_remove("BUGORNOT_LOG");
        let Output { status, stdout, stderr } =
            command.args(["import", "--csv", "t.csv"]).args(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (status.code().unwrap_or(-1), text(stdout), text(stderr))
    }

    /// Imports `t.csv` into `log` and reads that.
    fn imported(&self, arguments: &[&str]) -> Imported {
        let (code, stdout, stderr) = self.told(&[arguments, &["--into", "log"]].concat());
        assert_eq!(code, 0, "{stderr}");
        assert!(stdout.ends_with("log:  log\n"), "{stdout}");
        Imported::read(&self.path("log"))
    }

    /// Imports `t.csv`, which has to be refused with exactly this error and must leave nothing behind.
    fn refused(&self, arguments: &[&str], error: &str) {
        let (code, stdout, stderr) = self.told(&[arguments, &["--into", "log"]].concat());
        assert_eq!((code, stdout.as_str(), stderr.as_str()), (1, "", format!("error: {error}\n").as_str()));
        assert!(!self.path("log").exists());
    }
}

/// All that a log of one segment holds.
struct Imported {
    log: Log,
    totals: Totals,
    rows: Vec<Row>,
}

impl Imported {
    fn read(folder: &Path) -> Self {
        let log = Log::open(folder).unwrap();
        assert_eq!((log.segments.len(), log.unreadable.len()), (1, 0));
        let totals = log.segments[0].totals().expect("the totals are sound");
        let mut read = log.segments[0].rows().unwrap();
        let rows: Vec<Row> = read.by_ref().collect();
        assert_eq!(*read.loss(), Loss::default());
        assert_eq!((totals.rows, totals.executions), (rows.len() as u64, rows.len() as u64));
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1, "nothing but the segment is left");
        Self { log, totals, rows }
    }

    fn header(&self) -> &bugornot::log::Header {
        self.log.segments[0].header()
    }

    /// `name=value` of every field and parameter of a row.
    fn fields(&self, row: usize) -> String {
        let row = &self.rows[row];
        let names = row.names.iter().chain(&self.header().parameters);
        let fields = names.zip(row.fields.iter().chain(&row.parameters)).map(|(name, value)| format!("{name}={value}"));
        fields.collect::<Vec<_>>().join(" ")
    }

    /// The verdicts of a row, `-` for none.
    fn verdicts(&self, row: usize) -> String {
        let words = self.rows[row].verdicts.iter().map(|verdict| verdict.map_or("-", |verdict| verdict.word()));
        words.collect::<Vec<_>>().join(" ")
    }

    fn cells(&self) -> Vec<String> {
        (0..self.header().cells.len()).map(|cell| self.header().cell_name(cell)).collect()
    }
}
