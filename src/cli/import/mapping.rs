//! What the columns of a table mean: a small TOML file, flags, or both, in which case the flags win.

use super::{Arguments, ordered::Ordered, types::Type, words::Words};
use crate::{
    log::Value,
    terminal::{escape, shown},
};
use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};
use std::fs;

/// Stands for a relation's name in the name of a column.
const RELATION: &str = "{relation}";

/// The meaning of a table's columns, as a mapping file has it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Mapping {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) suite: Option<String>,
    /// Which version of the functions gave the verdicts; tables of the same one add up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) revision: Option<String>,
    /// Between two cells of a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) delimiter: Option<String>,
    /// Between two elements of a list without brackets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) separator: Option<char>,
    /// The function that all rows are about, or else the column that names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) function_column: Option<String>,
    /// The column that names the relation, where each row holds one verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) relation_column: Option<String>,
    /// The column of the verdict; like those of follow-ups and outputs, `{relation}` in it is the relation's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) verdict: Option<String>,
    /// The column of what the function gave for the source input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) output: Option<Column>,
    /// The columns of what it gave for the follow-up inputs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) follow_up_outputs: Vec<String>,
    pub(super) inputs: Ordered<Column>,
    #[serde(skip_serializing_if = "Ordered::is_empty")]
    pub(super) parameters: Ordered<Column>,
    #[serde(skip_serializing_if = "Ordered::is_empty")]
    pub(super) constants: Ordered<Constant>,
    #[serde(skip_serializing_if = "Words::is_empty")]
    pub(super) words: Words,
    /// For each follow-up input, the column of each field.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) follow_ups: Vec<Ordered<String>>,
    #[serde(skip_serializing_if = "Ordered::is_empty")]
    pub(super) relations: Ordered<Relation>,
}

/// What is particular to one relation.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Relation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) verdict: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) follow_up_outputs: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) follow_ups: Option<Vec<Ordered<String>>>,
}

/// A column, and what its cells are.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(untagged, expecting = "expected a column's name, or `{ column = \"..\", type = \"..\" }` with a known type")]
pub(super) enum Column {
    Name(String),
    #[serde(rename_all = "kebab-case")]
    Typed {
        column: String,
        r#type: Type,
    },
}

impl Column {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Name(name) | Self::Typed { column: name, .. } => name,
        }
    }

    pub(super) fn declared(&self) -> Type {
        match self {
            Self::Name(_) => Type::Auto,
            Self::Typed { r#type, .. } => r#type.clone(),
        }
    }

    /// The same column with its type.
    pub(super) fn typed(&self, found: Type) -> Self {
        Self::Typed { column: self.name().to_owned(), r#type: found }
    }
}

/// The value of a constant.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(untagged, expecting = "expected a number, a text, `true`, `false` or a list of those")]
pub(super) enum Constant {
    Truth(bool),
    Integer(i64),
    Float(f64),
    Text(String),
    List(Vec<Constant>),
}

impl Constant {
    fn parse(text: &str) -> Self {
        let integer = text.parse().map(Self::Integer).ok();
        let number = integer.or_else(|| text.parse().map(Self::Float).ok());
        number.or_else(|| text.parse().map(Self::Truth).ok()).unwrap_or_else(|| Self::Text(text.to_owned()))
    }

    pub(super) fn value(&self) -> Value {
        match self {
            Self::Truth(truth) => {
                if *truth {
                    Value::True
                } else {
                    Value::False
                }
            }
            Self::Integer(number) => Value::of_integer((*number).into()),
            Self::Float(number) => Value::F64(number.to_le_bytes()),
            Self::Text(text) => Value::Text(text.clone()),
            Self::List(values) => Value::List(values.iter().map(Self::value).collect()),
        }
    }
}

impl Mapping {
    /// What the mapping file and the flags say.
    pub(super) fn new(arguments: &Arguments) -> Result<Self> {
        let mut mapping = match &arguments.mapping {
            Some(path) => {
                let failed = || format!("failed to read mapping `{}`", shown(path));
                let text = fs::read_to_string(path).with_context(failed)?;
                toml_edit::de::from_str(&text).map_err(|error| {
                    anyhow!("mapping `{}` cannot be used, so correct it first\n{}", shown(path), error)
                })?
            }
            None => Self::default(),
        };
        mapping.apply(arguments)?;
        mapping.check()?;
        Ok(mapping)
    }

    fn apply(&mut self, arguments: &Arguments) -> Result<()> {
        let replace = |place: &mut Option<String>, flag: &Option<String>| {
            if flag.is_some() {
                place.clone_from(flag);
            }
        };
        replace(&mut self.suite, &arguments.suite);
        replace(&mut self.revision, &arguments.revision);
        replace(&mut self.delimiter, &arguments.delimiter);
        if arguments.function.is_some() || arguments.function_column.is_some() {
            self.function.clone_from(&arguments.function);
            self.function_column.clone_from(&arguments.function_column);
        }
        replace(&mut self.relation_column, &arguments.relation_column);
        replace(&mut self.verdict, &arguments.verdict_column);
        self.separator = arguments.separator.or(self.separator);
        if let Some(text) = &arguments.output {
            self.output = Some(column(text, "--output")?);
        }
        if !arguments.follow_up_outputs.is_empty() {
            self.follow_up_outputs.clone_from(&arguments.follow_up_outputs);
        }
        if let Some(text) = &arguments.inputs {
            self.inputs = fields(text, "--inputs")?;
        }
        if let Some(text) = &arguments.parameters {
            self.parameters = fields(text, "--parameters")?;
        }
        if !arguments.follow_ups.is_empty() {
            self.follow_ups =
                arguments.follow_ups.iter().map(|text| pairs(text, "--follow-up")).collect::<Result<_>>()?;
        }
        for text in &arguments.constants {
            let Some((name, value)) = text.split_once('=') else {
                bail!("`--constant {}` has no value; write it as `--constant k=6`", escape(text));
            };
            self.constants.0.retain(|(known, _)| known != name.trim());
            self.constants.0.push((name.trim().to_owned(), Constant::parse(value.trim())));
        }
        if let Some(text) = &arguments.verdicts {
            self.relations.0 = relations(text, &self.relations.0);
        }
        for (place, flag) in [
            (&mut self.words.held, &arguments.held),
            (&mut self.words.violated, &arguments.violated),
            (&mut self.words.error, &arguments.error),
        ] {
            if !flag.is_empty() {
                place.clone_from(flag);
            }
        }
        Ok(())
    }

    /// Refuses what contradicts itself or is not enough.
    fn check(&self) -> Result<()> {
        if self.inputs.is_empty() {
            bail!("no inputs are named; name their columns with `--inputs a,b`, or under `[inputs]` in a mapping");
        }
        match (&self.function, &self.function_column) {
            (None, None) => {
                bail!("no function is named; name it with `--function`, or its column with `--function-column`")
            }
            (Some(_), Some(_)) => bail!("both a function and a column of functions are named; leave out one of them"),
            _ => {}
        }
        self.check_relations()?;
        let names = self.inputs.0.iter().chain(&self.parameters.0).map(|(name, _)| name);
        refuse_twice(names, "inputs or parameters")?;
        refuse_twice(self.relations.0.iter().map(|(name, _)| name), "relations")?;
        if let Some(word) = self.words.ambiguous() {
            bail!("the word `{}` is named for two verdicts; leave it out of one", escape(word));
        }
        Ok(())
    }

    fn check_relations(&self) -> Result<()> {
        if self.relation_column.is_none() {
            if self.relations.is_empty() {
                bail!(
                    "no relations are named; name their columns with `--verdicts MR1,MR2`, \
                     or for one verdict per row `--relation-column` and `--verdict-column`"
                );
            }
            return Ok(());
        }
        if self.verdict.is_none() {
            bail!("a table with a column of relations has one column of verdicts; name it with `--verdict-column`");
        }
        let has_columns = |relation: &Relation| {
            *relation != Relation { description: relation.description.clone(), ..Relation::default() }
        };
        if let Some((name, _)) = self.relations.0.iter().find(|(_, relation)| has_columns(relation)) {
            bail!(
                "`[relations.{}]` names columns, and with a column of relations all have the same; name them at the top",
                escape(name)
            );
        }
        Ok(())
    }

    /// The column of a relation's verdict.
    pub(super) fn verdict_column(&self, name: &str, relation: &Relation) -> String {
        let pattern = relation.verdict.as_ref().or(self.verdict.as_ref());
        pattern.map_or_else(|| name.to_owned(), |pattern| pattern.replace(RELATION, name))
    }

    /// The columns of a relation's follow-up inputs, by field.
    pub(super) fn follow_up_columns(&self, name: &str, relation: &Relation) -> Vec<Vec<(String, String)>> {
        let follow_ups = relation.follow_ups.as_ref().unwrap_or(&self.follow_ups);
        let filled = |(field, column): &(String, String)| (field.clone(), column.replace(RELATION, name));
        follow_ups.iter().map(|fields| fields.0.iter().map(filled).collect()).collect()
    }

    /// The columns of a relation's follow-up outputs.
    pub(super) fn output_columns(&self, name: &str, relation: &Relation) -> Vec<String> {
        let outputs = relation.follow_up_outputs.as_ref().unwrap_or(&self.follow_up_outputs);
        outputs.iter().map(|column| column.replace(RELATION, name)).collect()
    }

    /// The mapping as a file that can be edited and used.
    pub(super) fn to_toml(&self) -> Result<String> {
        let text = toml_edit::ser::to_string_pretty(self).context("the mapping cannot be written as TOML")?;
        Ok(format!("# What the columns of a table mean, for `bugornot import --mapping`.\n{text}"))
    }
}

fn refuse_twice<'name>(names: impl Iterator<Item = &'name String>, what: &str) -> Result<()> {
    let mut seen = Vec::new();
    for name in names {
        if name.is_empty() {
            bail!("one of the {what} has no name; give it one");
        }
        if seen.contains(&name) {
            bail!("two {what} are called `{}`; rename one", escape(name));
        }
        seen.push(name);
    }
    Ok(())
}

/// `NAME[=COLUMN][:TYPE]`, several with commas between them.
fn fields(text: &str, flag: &str) -> Result<Ordered<Column>> {
    let field = |part: &str| {
        let (name, rest) = part.split_once('=').map_or((None, part), |(name, rest)| (Some(name.trim()), rest));
        let column = column(rest, flag)?;
        Ok((name.unwrap_or(column.name()).to_owned(), column))
    };
    text.split(',').map(field).collect::<Result<_>>().map(Ordered)
}

/// `COLUMN[:TYPE]`.
fn column(text: &str, flag: &str) -> Result<Column> {
    let Some((name, wanted)) = text.split_once(':') else { return Ok(Column::Name(text.trim().to_owned())) };
    let wanted = wanted.parse().map_err(|error: String| {
        anyhow!(
            "`{flag} {}`: {}; a column whose name holds `:` can be named in a mapping",
            escape(text.trim()),
            escape(&error)
        )
    })?;
    Ok(Column::Typed { column: name.trim().to_owned(), r#type: wanted })
}

/// `FIELD=COLUMN`, several with commas between them.
fn pairs(text: &str, flag: &str) -> Result<Ordered<String>> {
    let pair = |part: &str| match part.split_once('=') {
        Some((field, column)) => Ok((field.trim().to_owned(), column.trim().to_owned())),
        None => {
            bail!("`{flag} {}` does not say which column is which input; write it as `a=COLUMN,b=COLUMN`", escape(text))
        }
    };
    text.split(',').map(pair).collect::<Result<_>>().map(Ordered)
}

/// `NAME[=COLUMN]`, several with commas between them; what a mapping says about them is kept.
fn relations(text: &str, known: &[(String, Relation)]) -> Vec<(String, Relation)> {
    let relation = |part: &str| {
        let (name, verdict) = part.split_once('=').map_or((part, None), |(name, column)| (name, Some(column)));
        let name = name.trim().to_owned();
        let mut relation =
            known.iter().find(|(known, _)| *known == name).map(|(_, known)| known.clone()).unwrap_or_default();
        relation.verdict = verdict.map(|column| column.trim().to_owned()).or(relation.verdict);
        (name, relation)
    };
    text.split(',').map(relation).collect()
}
