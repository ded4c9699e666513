//! Writes rows that no target judged: another tool's table becomes a segment like any other.

use super::{
    Detail, Header, Phase, RowParts, Value, Writer, codec,
    encode::Encoder,
    live::{self, Count, NO_VERDICT},
    value::Names,
};
use crate::{Verdict, hash};
use std::{fmt, io, path::Path, sync::Arc};

/// A table is as long as it is, so only the disk limits what is written.
const BUDGET: u64 = u64::MAX;

/// One row of an imported log.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ImportedRow {
    /// In the order of [`Header::fields`].
    pub(crate) fields: Vec<Value>,
    /// In the order of [`Header::parameters`].
    pub(crate) parameters: Vec<Value>,
    /// In the order of [`Header::cells`]; `None` where the table says nothing.
    pub(crate) verdicts: Vec<Option<Verdict>>,
    pub(crate) detail: Option<Detail>,
}

/// Why a row was not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The disk is full.
    NoRoom,
    /// It is longer than a record can be.
    TooLong,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRoom => f.write_str("there is no more room on the disk; free some"),
            Self::TooLong => {
                write!(f, "a row takes more than {} bytes, which no log holds; leave it out", codec::MAX_RECORD)
            }
        }
    }
}

impl std::error::Error for Refusal {}

/// A new segment that is being filled.
pub(crate) struct Import {
    writer: Writer,
    encoder: Encoder,
    /// The number of the shape of the fields.
    shape: u32,
    seen: Seen,
}

/// The names of the fields under the number that every [`Import`] gives them: a follow-up input is a struct of these.
pub(crate) fn field_names(header: &Header) -> Names {
    Names::new(0, Arc::from(header.fields.as_slice()))
}

impl Import {
    /// Makes a segment in a folder of its own.
    pub(crate) fn begin(folder: &Path, header: &Header) -> io::Result<Self> {
        let (mut writer, _) = Writer::open(folder, header, BUDGET)?;
        writer.live().allow_gaps();
        let mut encoder = Encoder::default();
        // Leaked: shapes are made of static names everywhere else, and an import has one such list.
        let names: Vec<&'static str> = header.fields.iter().map(|name| &*name.clone().leak()).collect();
        let shape = encoder.shape(&names);
        debug_assert_eq!(shape, field_names(header).number);
        Ok(Self { writer, encoder, shape, seen: Seen::default() })
    }

    /// Writes a row and adds it to the totals.
    pub(crate) fn row(&mut self, row: &ImportedRow) -> Result<(), Refusal> {
        let values: Vec<u8> = row.fields.iter().chain(&row.parameters).flat_map(codec::encode).collect();
        let codes: Vec<u8> = row.verdicts.iter().map(|verdict| verdict.map_or(NO_VERDICT, live::code)).collect();
        let detail = row.detail.as_ref().map(codec::encode);
        let parts = RowParts {
            phase: Phase::Import,
            bytes: &[],
            shape: self.shape,
            shapes: &self.encoder.shapes,
            shapes_used: &[],
            count: row.fields.len() + row.parameters.len(),
            values: &values,
            verdicts: &codes,
        };
        let writer = &mut self.writer;
        writer.live().mark.id += 1;
        writer.row(&parts, 0, detail.as_deref());
        if writer.live().get(Count::Lost) > 0 {
            return Err(Refusal::NoRoom);
        }
        if writer.live().get(Count::Oversized) > 0 {
            return Err(Refusal::TooLong);
        }
        let is_distinct = self.seen.is_new(hash::of_bytes(&values, hash::of_bytes(&codes, 0)));
        writer.tally(&row.verdicts, is_distinct);
        Ok(())
    }
}

/// Fingerprints of the rows so far, in a table that does not grow: some are forgotten once there are millions.
struct Seen(Vec<[u64; Seen::WAYS]>);

impl Seen {
    const BUCKETS: usize = 1 << 18;
    const WAYS: usize = 8;

    fn is_new(&mut self, fingerprint: u64) -> bool {
        // Zero is a free place.
        let fingerprint = fingerprint.max(1);
        let bucket = &mut self.0[fingerprint as usize % Self::BUCKETS];
        if bucket.contains(&fingerprint) {
            return false;
        }
        let free = bucket.iter().position(|&other| other == 0).unwrap_or((fingerprint >> 61) as usize);
        bucket[free] = fingerprint;
        true
    }
}

impl Default for Seen {
    fn default() -> Self {
        Self(vec![[0; Self::WAYS]; Self::BUCKETS])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{Build, CellDetail, IMPORT, Log, Outcome};

    fn header() -> Header {
        let plain = Header::of(&["f"], &["r", "s"]);
        Header {
            fields: vec!["a".into(), "b".into()],
            parameters: vec!["n".into()],
            build: Build { engine: IMPORT.into(), revision: "t.csv".into(), ..plain.build },
            ..plain
        }
    }

    #[test]
    fn rows_come_back_as_they_were_and_totals_may_have_gaps() {
        let folder = tempfile::tempdir().unwrap();
        let header = header();
        let follow_up = Value::Struct(vec![Value::of_integer(2), Value::Text("x".into())], field_names(&header));
        let row = |a: i128, second| ImportedRow {
            fields: vec![Value::of_integer(a), Value::Text("ü".into())],
            parameters: vec![Value::None],
            verdicts: vec![Some(Verdict::Held), second],
            detail: Some(Detail {
                sources: vec![Outcome::Unknown],
                cells: vec![
                    CellDetail { inputs: vec![follow_up.clone()], ..CellDetail::default() },
                    CellDetail::default(),
                ],
                unsound: Vec::new(),
            }),
        };
        let rows = [row(1, None), row(1, None), row(300, Some(Verdict::Died)), row(1 << 100, Some(Verdict::Violated))];
        let mut import = Import::begin(folder.path(), &header).unwrap();
        rows.iter().for_each(|row| import.row(row).unwrap());
        drop(import);

        let log = Log::open(folder.path()).unwrap();
        let totals = log.segments[0].totals().unwrap();
        assert_eq!((totals.executions, totals.distinct, totals.rows), (4, 3, 4));
        assert_eq!(totals.cells, [[4, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 1]]);
        assert_eq!(totals.distinct_cells, [[3, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 1]]);
        let mut read = log.segments[0].rows().unwrap();
        for (position, row) in rows.into_iter().enumerate() {
            let found = read.next().unwrap();
            assert_eq!((found.id, found.phase, &found.bytes), (position as u64 + 1, Phase::Import, &Vec::new()));
            assert_eq!(found.names[..], header.fields);
            assert_eq!(found.verdicts[..], row.verdicts);
            let detail = found.detail.map(|detail| *detail);
            let found = ImportedRow {
                fields: found.fields,
                parameters: found.parameters,
                verdicts: found.verdicts.to_vec(),
                detail,
            };
            assert_eq!(found, row);
        }
        assert!(read.next().is_none() && read.loss().is_none());
    }
}
