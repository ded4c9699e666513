//! The second pass over a table: every row becomes a row of the log.
//!
//! Rows that follow each other, have the same input and tell of different cells are one execution: a table with a
//! column of functions or relations spreads it over several lines.

use super::{
    cell,
    plan::{Check, Plan, Typed, read},
    source::Source,
    words::Meaning,
};
use crate::{
    Verdict,
    log::{
        CellDetail, Detail, Outcome, PanicInfo, Value,
        import::{ImportedRow, field_names},
        value::Names,
    },
    terminal::{escape, shorten},
};
use anyhow::Result;
use std::collections::HashMap;

/// Makes rows of the log from rows of the table.
pub(super) struct Rows<'plan> {
    plan: &'plan Plan,
    field_names: Names,
    functions: HashMap<&'plan str, u16>,
    relations: HashMap<&'plan str, u16>,
    cells: HashMap<(u16, u16), usize>,
    pending: Option<Execution>,
}

/// What is known of one execution so far.
#[derive(Clone, Debug)]
struct Execution {
    fields: Vec<Value>,
    parameters: Vec<Value>,
    sources: Vec<Outcome>,
    verdicts: Vec<Option<Verdict>>,
    details: Vec<CellDetail>,
}

/// One verdict of a row: the relation, its columns, and the word.
struct Told<'row> {
    relation: u16,
    check: &'row Check,
    word: &'row str,
    meaning: Meaning,
}

impl<'plan> Rows<'plan> {
    pub(super) fn new(plan: &'plan Plan) -> Self {
        let positions = |names: &mut dyn Iterator<Item = &'plan str>| names.zip(0..).collect();
        let header = &plan.header;
        Self {
            plan,
            field_names: field_names(header),
            functions: positions(&mut header.functions.iter().map(String::as_str)),
            relations: positions(&mut header.relations.iter().map(|relation| relation.name.as_str())),
            cells: header.cells.iter().copied().zip(0..).collect(),
            pending: None,
        }
    }

    /// Takes in a row of the table; a row of the log, if that shows that one is complete.
    pub(super) fn next(&mut self, source: &Source) -> Result<Option<ImportedRow>> {
        let execution = self.execution(source)?;
        let is_spread = self.plan.layout.function.is_some() || self.plan.layout.relation.is_some();
        if let Some(pending) = self.pending.as_mut().filter(|pending| is_spread && pending.goes_on_in(&execution)) {
            pending.add(execution);
            return Ok(None);
        }
        Ok(self.pending.replace(execution).map(Execution::into_row))
    }

    /// The row that is left at the end.
    pub(super) fn last(self) -> Option<ImportedRow> {
        self.pending.map(Execution::into_row)
    }

    fn execution(&self, source: &Source) -> Result<Execution> {
        let layout = &self.plan.layout;
        let values = |typed: &[Typed]| typed.iter().map(|typed| self.value(source, typed)).collect::<Result<Vec<_>>>();
        let (functions, cells) = (self.plan.header.functions.len(), self.cells.len());
        let mut execution = Execution {
            fields: values(&layout.inputs)?,
            parameters: values(&layout.parameters)?,
            sources: vec![Outcome::Unknown; functions],
            verdicts: vec![None; cells],
            details: vec![CellDetail::default(); cells],
        };
        let function = match layout.function {
            Some(column) => position(&self.functions, source, column)?,
            None => 0,
        };
        let told = self.told(source)?;
        let output = match &layout.output {
            Some(typed) => self.output(source, typed, told.iter().any(|told| ran(told.meaning)))?,
            None => Outcome::Unknown,
        };
        let is_run = output != Outcome::Unknown || told.iter().any(|told| ran(told.meaning));
        execution.sources[usize::from(function)] = output;
        for told in told {
            let verdict = match told.meaning {
                Meaning::Is(verdict) => verdict,
                Meaning::Error if is_run => Verdict::FollowUpPanicked,
                Meaning::Error => Verdict::SourcePanicked,
            };
            if verdict == Verdict::SourcePanicked {
                execution.sources[usize::from(function)] = Outcome::Panicked(panic(told.word));
            }
            let cell = self.cells.get(&(function, told.relation)).copied();
            let cell = cell.ok_or_else(|| source.at(told.check.verdict, CHANGED))?;
            execution.verdicts[cell] = Some(verdict);
            execution.details[cell] = self.detail(source, &told, verdict)?;
        }
        Ok(execution)
    }

    /// The verdicts that a row holds; an empty cell is none.
    fn told<'row>(&self, source: &'row Source) -> Result<Vec<Told<'row>>>
    where
        'plan: 'row,
    {
        let layout = &self.plan.layout;
        let first = match layout.relation {
            Some(column) => position(&self.relations, source, column)?,
            None => 0,
        };
        let mut all = Vec::new();
        for (check, relation) in layout.checks.iter().zip(first..) {
            let word = source.cell(check.verdict)?.trim();
            if word.is_empty() {
                continue;
            }
            let words = &self.plan.mapping.words;
            let meaning = words.meaning(word).ok_or_else(|| {
                let word = shorten(&escape(word), 40);
                let known = escape(&words.known());
                let told = format!(
                    "unknown verdict `{word}`: expected one of {known}; name it with `--held`, `--violated` or `--error`, \
                     or under `[words]` in a mapping"
                );
                source.at(check.verdict, told)
            })?;
            all.push(Told { relation, check, word, meaning });
        }
        Ok(all)
    }

    /// Follow-ups, what they gave, and the panic that a verdict speaks of.
    fn detail(&self, source: &Source, told: &Told<'_>, verdict: Verdict) -> Result<CellDetail> {
        let is_judged = ran(Meaning::Is(verdict)) && verdict != Verdict::FollowUpPanicked;
        let mut detail = CellDetail::default();
        for follow_up in &told.check.follow_ups {
            if let Some(input) = self.follow_up(source, follow_up, is_judged)? {
                detail.inputs.push(input);
            }
        }
        for typed in &told.check.outputs {
            detail.outcomes.push(self.output(source, typed, is_judged)?);
        }
        if verdict == Verdict::FollowUpPanicked {
            let outcome = Outcome::Panicked(panic(told.word));
            match detail.outcomes.iter_mut().find(|outcome| **outcome == Outcome::Unknown) {
                Some(unknown) => *unknown = outcome,
                None => detail.outcomes.push(outcome),
            }
        }
        while detail.outcomes.last() == Some(&Outcome::Unknown) {
            detail.outcomes.pop();
        }
        detail.harness = (verdict == Verdict::TransformPanicked).then(|| panic(told.word));
        Ok(detail)
    }

    /// A follow-up input, if the row has it.
    fn follow_up(&self, source: &Source, typed: &[Typed], is_judged: bool) -> Result<Option<Value>> {
        let mut is_empty = true;
        for typed in typed {
            is_empty &= source.cell(typed.column)?.trim().is_empty();
        }
        if is_empty && !(is_judged && typed.iter().all(|typed| typed.wanted.takes_empty())) {
            return Ok(None);
        }
        let values = typed.iter().map(|typed| self.value(source, typed)).collect::<Result<_>>()?;
        Ok(Some(Value::Struct(values, self.field_names.clone())))
    }

    /// What a call gave; an empty cell is a value only where the call has certainly returned.
    fn output(&self, source: &Source, typed: &Typed, has_returned: bool) -> Result<Outcome> {
        let is_empty = source.cell(typed.column)?.trim().is_empty();
        if is_empty && !(has_returned && typed.wanted.takes_empty()) {
            return Ok(Outcome::Unknown);
        }
        self.value(source, typed).map(Outcome::Output)
    }

    fn value(&self, source: &Source, typed: &Typed) -> Result<Value> {
        let cell = read(source, typed, self.plan.separator)?;
        if let Some(value) = cell::value(&cell, &typed.wanted) {
            return Ok(value);
        }
        let (text, wanted) = (source.cell(typed.column)?, &typed.wanted);
        Err(if text.trim().is_empty() {
            let told = format!("the cell is empty, which is no {wanted}; fill it in, or declare the type `{wanted}?`");
            source.at(typed.column, told)
        } else {
            let text = shorten(&escape(text), 40);
            source.at(
                typed.column,
                format_args!("`{text}` is no {wanted}; correct it, or declare another type, such as `text`"),
            )
        })
    }
}

const CHANGED: &str = "the table was changed while it was read; import it again";

fn position(names: &HashMap<&str, u16>, source: &Source, column: usize) -> Result<u16> {
    names.get(source.cell(column)?.trim()).copied().ok_or_else(|| source.at(column, CHANGED))
}

/// Whether a verdict shows that the function returned for the source input.
fn ran(meaning: Meaning) -> bool {
    let Meaning::Is(verdict) = meaning else { return false };
    matches!(verdict, Verdict::Held | Verdict::Violated | Verdict::Incomparable | Verdict::FollowUpPanicked)
}

fn panic(word: &str) -> PanicInfo {
    PanicInfo { message: word.to_owned(), location: String::new() }
}

impl Execution {
    /// Whether another row of the table can be the same execution.
    fn goes_on_in(&self, other: &Self) -> bool {
        let agree =
            |(one, other): (&Outcome, &Outcome)| *one == Outcome::Unknown || *other == Outcome::Unknown || one == other;
        self.fields == other.fields
            && self.parameters == other.parameters
            && self.verdicts.iter().zip(&other.verdicts).all(|(one, other)| one.is_none() || other.is_none())
            && self.sources.iter().zip(&other.sources).all(agree)
    }

    fn add(&mut self, other: Self) {
        for (place, outcome) in self.sources.iter_mut().zip(other.sources) {
            if *place == Outcome::Unknown {
                *place = outcome;
            }
        }
        let cells = self.verdicts.iter_mut().zip(&mut self.details);
        for ((verdict, detail), more) in cells.zip(other.verdicts.into_iter().zip(other.details)) {
            if more.0.is_some() {
                (*verdict, *detail) = more;
            }
        }
    }

    fn into_row(self) -> ImportedRow {
        let is_known = self.sources.iter().any(|outcome| *outcome != Outcome::Unknown)
            || self.details.iter().any(|detail| *detail != CellDetail::default());
        let detail = Detail { sources: self.sources, cells: self.details, unsound: Vec::new() };
        ImportedRow {
            fields: self.fields,
            parameters: self.parameters,
            verdicts: self.verdicts,
            detail: is_known.then_some(detail),
        }
    }
}
