//! The records of one block: names and templates that it explains, and rows.

#[cfg(feature = "cli")]
use super::scan::Outline;
use super::{Loss, Row, blocks::Block};
#[cfg(feature = "cli")]
use crate::log::{identity, skim::Skim};
use crate::{
    Verdict,
    log::{
        Death, Header, Notice, Phase, Stage, Value, codec,
        live::LeftMark,
        value::{KnownShapes, with_shapes},
    },
};
use std::{collections::HashMap, ops::Range, sync::Arc};

/// Decodes blocks, each on its own.
pub(super) struct Decoder {
    header: Arc<Header>,
    block: Block,
    /// The records that are still to come, as a range of the payload; none are known of a block just begun.
    records: Option<Range<usize>>,
    context: Context,
}

/// What a block has explained so far.
#[derive(Default)]
struct Context {
    shapes: KnownShapes,
    /// The hashes of their names.
    #[cfg(feature = "cli")]
    names: HashMap<u32, u64>,
    templates: HashMap<u64, KnownTemplate>,
    last_id: u64,
}

struct KnownTemplate {
    shape: u32,
    phase: Phase,
    weight: u64,
    detailed: bool,
    verdicts: Arc<[Option<Verdict>]>,
}

impl Decoder {
    pub(super) fn new(header: Arc<Header>) -> Self {
        Self { header, block: Block::default(), records: None, context: Context::default() }
    }

    /// Forgets the block; the next one goes into its place.
    pub(super) fn begin(&mut self) -> &mut Block {
        self.records = None;
        self.context.clear();
        self.block.payload.clear();
        &mut self.block
    }

    /// The next row of the block.
    pub(super) fn next(&mut self, loss: &mut Loss) -> Option<Row> {
        let mut records = self.records.take().unwrap_or(0..self.block.payload.len());
        let mut row = None;
        while row.is_none() && !records.is_empty() {
            row = self.record(&mut records, loss);
        }
        self.records = Some(records);
        row
    }

    /// Passes over records until there is one that is decoded, or one that `wants` does not want; its execution, and the
    /// row if it was decoded. What cannot be skimmed is always decoded.
    #[cfg(feature = "cli")]
    pub(super) fn skim(
        &mut self,
        loss: &mut Loss,
        mut wants: impl FnMut(&Outline<'_>) -> bool,
    ) -> Option<(u64, Option<Row>)> {
        let mut records = self.records.take().unwrap_or(0..self.block.payload.len());
        let mut seen = None;
        while seen.is_none() && !records.is_empty() {
            seen = match self.context.outline(&self.block.payload[records.clone()], &self.header) {
                Some((length, outline)) if !wants(&outline) => {
                    let id = outline.id;
                    records.start += length;
                    self.context.last_id = id;
                    Some((id, None))
                }
                _ => self.record(&mut records, loss).map(|row| (row.id, Some(row))),
            };
        }
        self.records = Some(records);
        seen
    }

    /// The row of an execution that was under way when the process ended, and whose input nobody decoded again.
    pub(super) fn death(&self, mark: LeftMark) -> Row {
        self.context.death(mark, 0, Vec::new(), &self.header)
    }

    /// Takes one record; a row, or nothing if it was a notice or makes no sense.
    fn record(&mut self, records: &mut Range<usize>, loss: &mut Loss) -> Option<Row> {
        let mut rest = &self.block.payload[records.clone()];
        let before = rest.len();
        let length = codec::take::<u64>(&mut rest).and_then(|length| usize::try_from(length).ok());
        let Some(mut record) = length.and_then(|length| rest.split_off(..length)) else {
            loss.records += 1;
            records.start = records.end;
            return None;
        };
        records.start += before - rest.len();
        let row = match codec::take::<u64>(&mut record) {
            Some(0) => with_shapes(&mut self.context.shapes, || codec::decode(record))
                .map(|notice| self.context.notice(notice, &self.header)),
            Some(number) => self.context.row(number, record, &self.header).map(Some),
            None => None,
        };
        if row.is_none() {
            loss.records += 1;
            loss.note(self.block.at, "a record makes no sense");
        }
        row.flatten()
    }
}

impl Context {
    /// Forgets everything and keeps the memory.
    fn clear(&mut self) {
        self.shapes.clear();
        #[cfg(feature = "cli")]
        self.names.clear();
        self.templates.clear();
        self.last_id = 0;
    }

    /// Takes in a notice; a row if it tells of a death.
    fn notice(&mut self, notice: Notice, header: &Header) -> Option<Row> {
        match notice {
            Notice::Shape(shape) => {
                #[cfg(feature = "cli")]
                self.names.insert(shape.number, identity::of_names(&shape.names));
                self.shapes.insert(shape.number, shape.names.into());
            }
            Notice::Template(template) => {
                let mut verdicts = template.verdicts();
                verdicts.resize(header.cells.len(), None);
                let known = KnownTemplate {
                    shape: template.shape,
                    phase: template.phase,
                    weight: 1u64.checked_shl(template.weight.into()).unwrap_or(1),
                    detailed: template.detailed,
                    verdicts: verdicts.into(),
                };
                self.templates.insert(u64::from(template.number), known);
            }
            Notice::Began { .. } => {}
            Notice::Died { id, stage, verdicts, phase, bytes, length, shape, values } => {
                let mark = LeftMark { id, stage, phase, length, bytes, verdicts, is_mourned: true };
                return Some(self.death(mark, shape, values, header));
            }
        }
        None
    }

    /// The outline of the record at the front of `bytes`, and how long it is.
    #[cfg(feature = "cli")]
    fn outline(&self, bytes: &[u8], header: &Header) -> Option<(usize, Outline<'_>)> {
        let mut front = Skim::new(bytes, &self.names);
        let record = front.bytes()?;
        let mut skim = Skim::new(record, &self.names);
        let template = self.templates.get(&skim.number()?)?;
        let id = self.last_id.wrapping_add(skim.number()?);
        skim.bytes()?;
        let count = skim.count()?;
        let parameters = count.checked_sub(header.features.len())?;
        let fields = parameters.checked_sub(header.parameters.len())?;
        // What is known only by its bytes has an identity of another kind.
        if fields == 0 || template.detailed || self.shapes.get(&template.shape)?.len() != fields {
            return None;
        }
        let mut hash = identity::begin(*self.names.get(&template.shape)?);
        for _ in 0..parameters {
            hash = skim.value(hash)?;
        }
        for _ in parameters..count {
            skim.value(0)?;
        }
        let KnownTemplate { phase, weight, verdicts, .. } = template;
        let outline = Outline {
            id,
            phase: *phase,
            verdicts,
            weight: *weight,
            identity: identity::end(hash),
            memory: skim.memory,
        };
        let length = bytes.len() - front.left();
        (skim.left() == 0).then_some((length, outline))
    }

    fn names(&self, shape: u32) -> Arc<[String]> {
        self.shapes.get(&shape).cloned().unwrap_or_default()
    }

    fn row(&mut self, number: u64, mut record: &[u8], header: &Header) -> Option<Row> {
        let template = self.templates.get(&number)?;
        let since: u64 = codec::take(&mut record)?;
        let bytes = codec::take(&mut record)?;
        let is_detailed = template.detailed;
        let (mut values, detail) = with_shapes(&mut self.shapes, || {
            let values: Vec<Value> = codec::take(&mut record)?;
            let detail = if is_detailed { Some(Box::new(codec::take(&mut record)?)) } else { None };
            Some((values, detail))
        })?;
        if !record.is_empty() {
            return None;
        }
        let (parameters, features) = split(&mut values, header)?;
        self.last_id = self.last_id.wrapping_add(since);
        Some(Row {
            id: self.last_id,
            phase: template.phase,
            bytes,
            names: self.names(template.shape),
            fields: values,
            parameters,
            features,
            verdicts: template.verdicts.clone(),
            weight: template.weight,
            detail,
            death: None,
        })
    }

    /// The row of an execution that was not survived: the cells it concerned have died, unless they were done.
    fn death(&self, mark: LeftMark, shape: u32, mut values: Vec<Value>, header: &Header) -> Row {
        let (parameters, features) = split(&mut values, header).unwrap_or_default();
        let stage = Stage::from_number(mark.stage).unwrap_or(Stage::Decode);
        let verdict = |(cell, &(function, relation)): (usize, &(u16, u16))| {
            let reached = mark.verdicts.get(cell).and_then(|&number| Verdict::from_number(number));
            let concerned = stage.concerns(cell, function.into(), relation.into());
            reached.or_else(|| concerned.then_some(Verdict::Died))
        };
        Row {
            id: mark.id,
            phase: mark.phase,
            // An example has no bytes; what the mark holds is its position.
            bytes: if mark.phase == Phase::Example { Vec::new() } else { mark.bytes },
            names: if values.is_empty() { Arc::default() } else { self.names(shape) },
            fields: values,
            parameters,
            features,
            verdicts: header.cells.iter().enumerate().map(verdict).collect(),
            weight: 1,
            detail: None,
            death: Some(Death { stage, length: mark.length }),
        }
    }
}

/// Takes the parameters and own features off the end of a row's values.
pub(in crate::log) fn split(values: &mut Vec<Value>, header: &Header) -> Option<(Vec<Value>, Vec<Option<bool>>)> {
    let features_at = values.len().checked_sub(header.features.len())?;
    let parameters_at = features_at.checked_sub(header.parameters.len())?;
    let features = values.split_off(features_at).iter().map(Value::truth).collect();
    Some((values.split_off(parameters_at), features))
}
