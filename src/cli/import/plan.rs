//! The first pass over a table: where everything stands, which types the columns have, and which functions and
//! relations there are. It keeps nothing of the rows.

use super::{
    cell,
    mapping::{Mapping, Relation},
    source::Source,
    types::{Inference, Type},
};
use crate::{
    hash,
    log::{Build, FORMAT, Header, IMPORT, RelationInfo},
    terminal::{escape, shorten},
};
use anyhow::{Result, bail};
use std::{
    collections::{BTreeSet, HashMap},
    path::Path,
};

/// How many functions, and how many relations, a column can name: more are no names.
const MAX_NAMES: usize = 1000;
/// How many cells a table can have.
const MAX_CELLS: usize = 4096;

/// All that the second pass has to know.
pub(super) struct Plan {
    pub(super) header: Header,
    /// With every type filled in.
    pub(super) mapping: Mapping,
    pub(super) layout: Layout,
    pub(super) separator: char,
    pub(super) rows: u64,
}

/// Where everything stands in a row.
pub(super) struct Layout {
    pub(super) inputs: Vec<Typed>,
    pub(super) parameters: Vec<Typed>,
    /// The column that names the function.
    pub(super) function: Option<usize>,
    /// The column that names the relation; then there is one check per row.
    pub(super) relation: Option<usize>,
    pub(super) output: Option<Typed>,
    /// By relation, or the only one.
    pub(super) checks: Vec<Check>,
}

/// The columns of one check.
pub(super) struct Check {
    pub(super) verdict: usize,
    /// For each follow-up, the fields in the order of the inputs.
    pub(super) follow_ups: Vec<Vec<Typed>>,
    pub(super) outputs: Vec<Typed>,
}

/// A column and its type.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) column: usize,
    pub(super) wanted: Type,
}

impl Layout {
    fn new(source: &Source, mapping: &Mapping) -> Result<Self> {
        let typed = |column: &str, wanted: Type| Ok(Typed { column: source.column(column)?, wanted });
        let columns = |fields: &[(String, super::mapping::Column)]| {
            fields.iter().map(|(_, column)| typed(column.name(), column.declared())).collect::<Result<Vec<_>>>()
        };
        let named = |column: &Option<String>| column.as_deref().map(|name| source.column(name)).transpose();
        let inputs = columns(&mapping.inputs.0)?;
        let relation = named(&mapping.relation_column)?;
        let checks = match relation {
            Some(_) => vec![Check::new(source, mapping, "", &Relation::default())?],
            None => {
                let relations = mapping.relations.0.iter();
                relations.map(|(name, relation)| Check::new(source, mapping, name, relation)).collect::<Result<_>>()?
            }
        };
        Ok(Self {
            inputs,
            parameters: columns(&mapping.parameters.0)?,
            function: named(&mapping.function_column)?,
            relation,
            output: mapping.output.as_ref().map(|output| typed(output.name(), output.declared())).transpose()?,
            checks,
        })
    }

    /// The columns that mean something.
    pub(super) fn used(&self) -> BTreeSet<usize> {
        let checks =
            self.checks.iter().flat_map(|check| check.typed().map(|typed| typed.column).chain([check.verdict]));
        let typed = self.inputs.iter().chain(&self.parameters).chain(&self.output).map(|typed| typed.column);
        typed.chain(self.function).chain(self.relation).chain(checks).collect()
    }
}

impl Check {
    fn new(source: &Source, mapping: &Mapping, name: &str, relation: &Relation) -> Result<Self> {
        let inputs = &mapping.inputs.0;
        let mut follow_ups = Vec::new();
        for columns in mapping.follow_up_columns(name, relation) {
            if let Some((stranger, _)) = columns.iter().find(|(field, _)| inputs.iter().all(|(name, _)| name != field))
            {
                bail!("a follow-up names `{}`, which is no input; use the names of the inputs", escape(stranger));
            }
            let field = |(field, column): &(String, super::mapping::Column)| {
                let Some((_, named)) = columns.iter().find(|(name, _)| name == field) else {
                    bail!(
                        "a follow-up leaves out the input `{0}`; name its column, or `{0}={1}` if it stays as it is",
                        escape(field),
                        escape(column.name())
                    );
                };
                Ok(Typed { column: source.column(named)?, wanted: column.declared() })
            };
            follow_ups.push(inputs.iter().map(field).collect::<Result<_>>()?);
        }
        let wanted = mapping.output.as_ref().map_or(Type::Auto, |output| output.declared());
        let output = |column: &String| Ok(Typed { column: source.column(column)?, wanted: wanted.clone() });
        let outputs = mapping.output_columns(name, relation).iter().map(output).collect::<Result<_>>()?;
        Ok(Self { verdict: source.column(&mapping.verdict_column(name, relation))?, follow_ups, outputs })
    }

    fn typed(&self) -> impl Iterator<Item = &Typed> {
        self.follow_ups.iter().flatten().chain(&self.outputs)
    }
}

/// Names in the order in which they came up.
#[derive(Default)]
pub(super) struct Names {
    known: Vec<String>,
    positions: HashMap<String, u16>,
}

impl Names {
    fn add(&mut self, source: &Source, column: usize, what: &str) -> Result<u16> {
        let name = source.cell(column)?.trim();
        if let Some(&position) = self.positions.get(name) {
            return Ok(position);
        }
        if name.is_empty() {
            return Err(source.at(column, format_args!("the cell is empty and should name the {what}; fill it in")));
        }
        if self.known.len() >= MAX_NAMES {
            let told = format!("more than {MAX_NAMES} {what}s are named here; is it the right column?");
            return Err(source.at(column, told));
        }
        let position = self.known.len() as u16;
        self.known.push(name.to_owned());
        self.positions.insert(name.to_owned(), position);
        Ok(position)
    }
}

/// What the rows so far say about the types.
#[derive(Default)]
struct Survey {
    inputs: Vec<Inference>,
    parameters: Vec<Inference>,
    /// One by one, in the order of the checks.
    follow_ups: Vec<Inference>,
    /// All outputs have one type, or they could not be compared.
    outputs: Inference,
    functions: Names,
    relations: Names,
    cells: BTreeSet<(u16, u16)>,
    rows: u64,
}

impl Survey {
    fn new(layout: &Layout) -> Self {
        let some = |count| vec![Inference::default(); count];
        Self {
            inputs: some(layout.inputs.len()),
            parameters: some(layout.parameters.len()),
            follow_ups: some(layout.checks.iter().flat_map(|check| check.follow_ups.iter().flatten()).count()),
            ..Self::default()
        }
    }

    fn row(&mut self, source: &Source, layout: &Layout, separator: char) -> Result<()> {
        let see = |inference: &mut Inference, typed: &Typed, may_be_missing: bool| {
            let text = source.cell(typed.column)?;
            if !(may_be_missing && text.trim().is_empty()) {
                inference.see(&read(source, typed, separator)?);
            }
            anyhow::Ok(())
        };
        for (inference, typed) in self.inputs.iter_mut().zip(&layout.inputs) {
            see(inference, typed, false)?;
        }
        for (inference, typed) in self.parameters.iter_mut().zip(&layout.parameters) {
            see(inference, typed, false)?;
        }
        let follow_ups = layout.checks.iter().flat_map(|check| check.follow_ups.iter().flatten());
        for (inference, typed) in self.follow_ups.iter_mut().zip(follow_ups) {
            see(inference, typed, true)?;
        }
        for typed in layout.output.iter().chain(layout.checks.iter().flat_map(|check| &check.outputs)) {
            see(&mut self.outputs, typed, true)?;
        }
        let function = layout.function.map(|column| self.functions.add(source, column, "function")).transpose()?;
        if let Some(column) = layout.relation {
            let relation = self.relations.add(source, column, "relation")?;
            self.cells.insert((function.unwrap_or(0), relation));
        }
        self.rows += 1;
        Ok(())
    }

    /// Puts the types that were found into the layout and the mapping.
    fn settle(&self, layout: &mut Layout, mapping: &mut Mapping) {
        let settle = |typed: &mut [Typed], found: &[Inference], columns: &mut [(String, super::mapping::Column)]| {
            for ((typed, inference), (_, column)) in typed.iter_mut().zip(found).zip(columns) {
                typed.wanted = inference.resolve(&typed.wanted);
                *column = column.typed(typed.wanted.clone());
            }
        };
        settle(&mut layout.inputs, &self.inputs, &mut mapping.inputs.0);
        settle(&mut layout.parameters, &self.parameters, &mut mapping.parameters.0);
        // A follow-up is what its input is, if it can be: other tools write 2.0 where the source was 2.
        let follow_ups = layout.checks.iter_mut().flat_map(|check| &mut check.follow_ups);
        let fields = follow_ups.flat_map(|follow_up| follow_up.iter_mut().zip(&layout.inputs));
        for ((typed, input), inference) in fields.zip(&self.follow_ups) {
            let is_like_input = inference.fits(&input.wanted);
            typed.wanted = if is_like_input { input.wanted.clone() } else { inference.resolve(&Type::Auto) };
        }
        let declared = mapping.output.as_ref().map_or(Type::Auto, |output| output.declared());
        let found = self.outputs.resolve(&declared);
        mapping.output = mapping.output.take().map(|output| output.typed(found.clone()));
        for typed in layout.output.iter_mut().chain(layout.checks.iter_mut().flat_map(|check| &mut check.outputs)) {
            typed.wanted = found.clone();
        }
    }
}

/// A cell as its column was declared.
pub(super) fn read(source: &Source, typed: &Typed, separator: char) -> Result<cell::Cell> {
    let text = source.cell(typed.column)?;
    cell::read(text, &typed.wanted, separator).map_err(|why| {
        let text = shorten(&escape(text), 40);
        let told =
            format!("`{text}` is no {}, because {}; correct it, or declare another type", typed.wanted, escape(&why));
        source.at(typed.column, told)
    })
}

impl Plan {
    /// Reads the whole table once.
    pub(super) fn new(path: &Path, mut source: Source, mut mapping: Mapping) -> Result<Self> {
        let separator = mapping.separator.unwrap_or(';');
        let mut layout = Layout::new(&source, &mapping)?;
        let mut survey = Survey::new(&layout);
        while source.next()? {
            survey.row(&source, &layout, separator)?;
        }
        survey.settle(&mut layout, &mut mapping);
        if mapping.suite.is_none() {
            mapping.suite = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        }
        let header = header(path, &source, &mapping, &survey, &layout)?;
        Ok(Self { header, mapping, layout, separator, rows: survey.rows })
    }
}

fn header(path: &Path, source: &Source, mapping: &Mapping, survey: &Survey, layout: &Layout) -> Result<Header> {
    let functions = match &mapping.function {
        Some(name) => vec![name.clone()],
        None => survey.functions.known.clone(),
    };
    let relations: Vec<String> = match layout.relation {
        Some(_) => survey.relations.known.clone(),
        None => mapping.relations.0.iter().map(|(name, _)| name.clone()).collect(),
    };
    let pairs = |function| (0..relations.len() as u16).map(move |relation| (function, relation));
    let cells: Vec<(u16, u16)> = match layout.relation {
        Some(_) => survey.cells.iter().copied().collect(),
        None => (0..functions.len() as u16).flat_map(pairs).collect(),
    };
    if cells.len() > MAX_CELLS {
        bail!("the table has {} functions x relations, and a log holds {MAX_CELLS}; import it in parts", cells.len());
    }
    let types = layout.inputs.iter().chain(&layout.output).map(|typed| typed.wanted.to_string());
    let fields: Vec<String> = mapping.inputs.0.iter().map(|(name, _)| name.clone()).collect();
    let types = format!("{} {}", fields.join(","), types.collect::<Vec<_>>().join(","));
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let info = |name: &String| {
        let known = mapping.relations.0.iter().find(|(known, _)| known == name);
        let description = known.and_then(|(_, relation)| relation.description.clone()).unwrap_or_default();
        RelationInfo { name: name.clone(), description, expected: None, has_precondition: false }
    };
    Ok(Header {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").into(),
        suite: mapping.suite.clone().unwrap_or_default(),
        // Nothing is drawn here; the same table has the same one, so that it is not imported twice.
        seed: source.fingerprint(),
        functions,
        relations: relations.iter().map(info).collect(),
        cells,
        constants: mapping.constants.0.iter().map(|(name, constant)| (name.clone(), constant.value())).collect(),
        fields,
        parameters: mapping.parameters.0.iter().map(|(name, _)| name.clone()).collect(),
        features: Vec::new(),
        build: Build {
            engine: IMPORT.into(),
            overflow_checks: false,
            debug_assertions: false,
            cfg_fuzzing: false,
            sanitizer: "none".into(),
            compiler: "unknown".into(),
            target: "unknown".into(),
            revision: mapping.revision.clone().or(file).unwrap_or_default(),
            type_fingerprint: hash::of_bytes(types.as_bytes(), 0),
        },
    })
}
