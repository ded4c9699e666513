//! A table from a CSV file: read once, kept as codes, and made bit columns where a value is frequent enough.

use super::column::Column;
use crate::{
    mine::table::{Attributes, NO_VALUE, SHARD_ROWS, Side},
    terminal::{escape, shorten, shown},
};
use anyhow::{Context, Result, anyhow, bail, ensure};
use csv::{ByteRecord, ErrorKind, Reader};
use std::{fs::File, ops::Range, path::Path};

/// The frequent items of a table, and its rows.
pub(super) struct Table {
    /// The text of each item.
    pub(super) items: Vec<String>,
    /// One attribute for each column.
    pub(super) attributes: Attributes,
    /// The items of the verdict column.
    pub(super) verdicts: Range<usize>,
    pub(super) side: Side,
}

/// The names of the columns to read; the verdict is the last.
pub(super) fn names(items: &[String], verdict: &str) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for line in items {
        let mut fields = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
        let record = fields.records().next().transpose()?.unwrap_or_default();
        names.extend(record.iter().map(str::to_owned));
    }
    ensure!(names.iter().all(|name| !name.is_empty()), "`--items` has an empty name; write `--items a,b`");
    ensure!(!names.is_empty(), "`--items` names no column; write `--items a,b`");
    names.push(verdict.to_owned());
    for (at, name) in names.iter().enumerate() {
        ensure!(!names[..at].contains(name), "column `{}` is named twice; name each column once", escape(name));
    }
    Ok(names)
}

/// Reads a table. `least` says from the number of rows how many a value needs. There is none without rows.
pub(super) fn read(path: &Path, names: &[String], least: impl FnOnce(u64) -> u64) -> Result<Option<Table>> {
    let file =
        File::open(path).with_context(|| format!("failed to open `{}`; name a CSV file with `--csv`", shown(path)))?;
    let mut reader = csv::ReaderBuilder::new().buffer_capacity(1 << 18).from_reader(file);
    let header = reader.byte_headers().map_err(|error| told(path, error))?.clone();
    if header.is_empty() {
        return Ok(None);
    }
    let wanted = positions(path, &header, names)?;
    let (columns, rows) = read_rows(path, &mut reader, &wanted, names)?;
    Ok((rows > 0).then(|| build(names, &columns, rows, least(rows as u64))))
}

/// Where the columns are.
fn positions(path: &Path, header: &ByteRecord, names: &[String]) -> Result<Vec<usize>> {
    let header: Vec<&str> = header
        .iter()
        .map(|name| str::from_utf8(name).map_err(|_| not_utf8(path, "line 1".to_owned(), name)))
        .collect::<Result<_>>()?;
    let position = |name: &String| {
        let mut places = header.iter().enumerate().filter(|(_, found)| *found == name).map(|(at, _)| at);
        let Some(place) = places.next() else {
            bail!(
                "`{}` line 1: no column `{}`; name one of {}",
                shown(path),
                escape(name),
                shorten(&header.iter().map(|name| format!("`{}`", escape(name))).collect::<Vec<_>>().join(", "), 500)
            )
        };
        ensure!(
            places.next().is_none(),
            "`{}` line 1: two columns are called `{}`; rename one",
            shown(path),
            escape(name)
        );
        Ok(place)
    };
    names.iter().map(position).collect()
}

fn read_rows(
    path: &Path,
    reader: &mut Reader<File>,
    wanted: &[usize],
    names: &[String],
) -> Result<(Vec<Column>, usize)> {
    let mut columns: Vec<Column> = wanted.iter().map(|_| Column::new()).collect();
    let (mut record, mut rows) = (ByteRecord::new(), 0);
    while reader.read_byte_record(&mut record).map_err(|error| told(path, error))? {
        for ((column, &position), name) in columns.iter_mut().zip(wanted).zip(names) {
            // The reader has checked that every row has as many cells as the header.
            let cell = record.get(position).unwrap_or_default();
            column.push(cell).map_err(|_| {
                let line = record.position().map_or(0, csv::Position::line);
                not_utf8(path, format!("line {line}, column `{}`", escape(name)), cell)
            })?;
        }
        rows += 1;
    }
    Ok((columns, rows))
}

fn not_utf8(path: &Path, place: String, text: &[u8]) -> anyhow::Error {
    anyhow!(
        "`{}` {place}: `{}` is not UTF-8; convert the file, for example with `iconv -f LATIN1 -t UTF-8`",
        shown(path),
        shorten(&text.escape_ascii().to_string(), 60)
    )
}

fn told(path: &Path, error: csv::Error) -> anyhow::Error {
    let line = error.position().map_or(0, csv::Position::line);
    match error.into_kind() {
        ErrorKind::UnequalLengths { expected_len, len, .. } => anyhow!(
            "`{}` line {line}: {len} cells, and there are {expected_len} columns; correct the line, or put a cell that \
             contains a comma in quotes",
            shown(path)
        ),
        ErrorKind::Io(error) => anyhow::Error::new(error).context(format!("failed to read `{}`", shown(path))),
        kind => anyhow!("failed to read `{}` line {line}: {kind:?}", shown(path)),
    }
}

/// Values that a byte can tell apart.
const MOST: usize = NO_VALUE as usize;

fn build(names: &[String], columns: &[Column], rows: usize, least: u64) -> Table {
    let (mut items, mut sizes) = (Vec::new(), Vec::new());
    // A column with more values than a byte can tell apart is filled in as several; items keep their numbers.
    let (mut parts, mut part_sizes) = (Vec::new(), Vec::new());
    for (name, column) in names.iter().zip(columns) {
        let frequent = column.frequent(least);
        sizes.push(frequent.len());
        for some in frequent.chunks(MOST) {
            let mut translation = vec![NO_VALUE; column.values()];
            for (value, (text, code)) in (0..NO_VALUE).zip(some) {
                translation[*code as usize] = value;
                items.push(format!("{name} == {text}"));
            }
            part_sizes.push(some.len());
            parts.push((column, translation));
        }
    }
    let attributes = Attributes::new(sizes);
    let verdicts = attributes.items_of(attributes.count() - 1);
    Table { items, verdicts, attributes, side: fill(&Attributes::new(part_sizes), &parts, rows) }
}

fn fill(attributes: &Attributes, parts: &[(&Column, Vec<u8>)], rows: usize) -> Side {
    let mut side = Side::default();
    for first in (0..rows).step_by(SHARD_ROWS) {
        let some = first..rows.min(first + SHARD_ROWS);
        let codes: Vec<Vec<u8>> =
            parts.iter().map(|(column, values)| column.translated(some.clone(), values)).collect();
        side.extend(attributes, &codes.iter().map(Vec::as_slice).collect::<Vec<_>>(), some.len());
    }
    side
}
