//! Reads a CSV file row by row, and says of everything that is wrong where it is.

use crate::terminal::{escape, shorten, shown};
use anyhow::{Context, Result, anyhow, bail};
use csv::ByteRecord;
use std::{
    fmt::Display,
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

/// No row is longer than this: a quote that is never closed must not fill the memory.
const MAX_ROW: u64 = 64 << 20;
/// How many columns a message names.
const MAX_NAMED: usize = 30;

/// A CSV file that is being read.
pub(super) struct Source {
    path: PathBuf,
    reader: csv::Reader<Guarded>,
    columns: Vec<String>,
    record: ByteRecord,
}

/// A file that refuses to be read for one row without an end, and knows what it has held so far.
struct Guarded {
    file: File,
    since_row: u64,
    length: u64,
    checksum: crc32fast::Hasher,
}

impl Read for Guarded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let had = self.file.read(buffer)?;
        self.since_row += had as u64;
        if self.since_row > MAX_ROW {
            return Err(io::Error::other(format!(
                "a row is longer than {} MiB: is a quote never closed?",
                MAX_ROW >> 20
            )));
        }
        self.length += had as u64;
        self.checksum.update(&buffer[..had]);
        Ok(had)
    }
}

impl Source {
    /// Opens a table and reads the names of its columns.
    pub(super) fn open(path: &Path, delimiter: u8) -> Result<Self> {
        let failed = || format!("failed to read table `{}`; name a CSV file with `--csv`", shown(path));
        let file = File::open(path).with_context(failed)?;
        if !file.metadata().with_context(failed)?.is_file() {
            bail!("table `{}` is no file; name a CSV file with `--csv` (no pipe: it is read twice)", shown(path));
        }
        let guarded = Guarded { file, since_row: 0, length: 0, checksum: crc32fast::Hasher::new() };
        // Rows of another length are told with their place, not as the crate would.
        let reader =
            csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).has_headers(false).from_reader(guarded);
        let mut source = Self { path: path.to_owned(), reader, columns: Vec::new(), record: ByteRecord::new() };
        if !source.read()? {
            bail!("{} is empty; its first line has to name the columns", source.name());
        }
        if source
            .record
            .iter()
            .next()
            .is_some_and(|cell| cell.starts_with(b"\xff\xfe") || cell.starts_with(b"\xfe\xff"))
        {
            bail!("{} is UTF-16; save it as UTF-8", source.name());
        }
        let column = |cell: &[u8]| std::str::from_utf8(cell).map(|name| name.trim().to_owned());
        let columns = source.record.iter().map(column).collect::<Result<Vec<_>, _>>();
        source.columns = columns.map_err(|_| {
            anyhow!(
                "{}, line {}: the names of the columns are not UTF-8; save the table as UTF-8",
                source.name(),
                source.line()
            )
        })?;
        Ok(source)
    }

    /// The file as messages name it.
    fn name(&self) -> String {
        format!("table `{}`", shown(&self.path))
    }

    fn read(&mut self) -> Result<bool> {
        self.reader.get_mut().since_row = 0;
        let read = self.reader.read_byte_record(&mut self.record);
        read.map_err(|error| match error.into_kind() {
            csv::ErrorKind::Io(error) => anyhow!(error).context(format!("failed to read {}", self.name())),
            other => anyhow!("failed to read {}: {other:?}", self.name()),
        })
    }

    /// Goes to the next row; false behind the last.
    pub(super) fn next(&mut self) -> Result<bool> {
        if !self.read()? {
            return Ok(false);
        }
        let (has, wanted) = (self.record.len(), self.columns.len());
        if has == wanted {
            return Ok(true);
        }
        let last = self.record.iter().next_back().unwrap_or_default();
        let help = if last.contains(&b'\n') {
            "is a quote not closed?"
        } else {
            "is a cell missing, or one with a comma not quoted?"
        };
        bail!("{}, line {}: {has} cells, and the first line names {wanted} columns: {help}", self.name(), self.line())
    }

    pub(super) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The position of a column that a mapping names.
    pub(super) fn column(&self, name: &str) -> Result<usize> {
        let name = name.trim();
        let mut found =
            self.columns.iter().enumerate().filter(|(_, column)| *column == name).map(|(position, _)| position);
        match (found.next(), found.next()) {
            (Some(position), None) => Ok(position),
            (Some(_), Some(_)) => {
                bail!("{}, line 1: two columns are called `{}`; rename one", self.name(), escape(name))
            }
            (None, _) => {
                let names: Vec<String> = self
                    .columns
                    .iter()
                    .take(MAX_NAMED)
                    .map(|name| format!("`{}`", shorten(&escape(name), 40)))
                    .collect();
                let more = if self.columns.len() > MAX_NAMED { " and others" } else { "" };
                let help = match self.columns.as_slice() {
                    [one] if one.contains([';', '\t', '|']) => "; is it the `--delimiter`?",
                    _ => "; choose one of them",
                };
                bail!(
                    "{}, line 1: there is no column `{}`, only {}{more}{help}",
                    self.name(),
                    escape(name),
                    names.join(", ")
                )
            }
        }
    }

    /// The text of a cell of this row.
    pub(super) fn cell(&self, column: usize) -> Result<&str> {
        let bytes = self.record.get(column).unwrap_or_default();
        std::str::from_utf8(bytes).map_err(|error| {
            let byte = bytes.get(error.valid_up_to()).copied().unwrap_or_default();
            self.at(column, format_args!("byte 0x{byte:02x} is not UTF-8; save the table as UTF-8"))
        })
    }

    /// An error in a cell of this row.
    pub(super) fn at(&self, column: usize, what: impl Display) -> anyhow::Error {
        let name = self.columns.get(column).map_or_else(|| column.to_string(), |name| escape(name));
        anyhow!("{}, line {}, column `{name}`: {what}", self.name(), self.line())
    }

    /// The line on which this row begins. Counted only when it is asked for, because the reader takes neither empty lines
    /// nor all kinds of line ends into account.
    fn line(&self) -> u64 {
        let Some(position) = self.record.position() else { return 1 };
        line_at(&self.path, position.byte()).unwrap_or(position.line())
    }

    /// What all that was read so far can be recognised by.
    pub(super) fn fingerprint(&self) -> u64 {
        let read = self.reader.get_ref();
        read.length << 32 | u64::from(read.checksum.clone().finalize())
    }
}

/// The line of the first character at or behind this place that ends no line.
fn line_at(path: &Path, place: u64) -> io::Result<u64> {
    let mut reader = BufReader::new(File::open(path)?);
    let (mut line, mut at, mut last) = (1, 0, 0);
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Ok(line);
        }
        for &byte in buffer {
            let ends_line = matches!(byte, b'\n' | b'\r');
            if at >= place && !ends_line {
                return Ok(line);
            }
            // `\r\n` is one end.
            line += u64::from(ends_line && !(byte == b'\n' && last == b'\r'));
            (last, at) = (byte, at + 1);
        }
        let length = buffer.len();
        reader.consume(length);
    }
}
