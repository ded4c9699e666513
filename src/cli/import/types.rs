//! The types that a column can have, and how one is found out from all of its cells.
//!
//! The rule: cells that are empty, `None` or `null` say nothing. A column is `int` if every other cell is an integer,
//! else `float` if every one is a number, else `bool` if every one is true or false, else a list if every one stands in
//! brackets (its elements follow the same rule), else `text`. A column of `int`, `float` or `bool` with cells that say
//! nothing is an option (`int?`); an empty text is the empty text.

use super::cell::{self, Cell};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// What the cells of a column are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub(super) enum Type {
    /// To be found out.
    #[default]
    Auto,
    Int,
    Float,
    Bool,
    Char,
    Text,
    List(Box<Type>),
    Option(Box<Type>),
}

/// For messages about types.
pub(super) const KNOWN: &str =
    "`auto`, `int`, `float`, `bool`, `char`, `text`, a list such as `[int]`, or an option such as `int?`";

impl FromStr for Type {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if let Some(inner) = text.strip_suffix('?') {
            return Ok(Self::Option(Box::new(inner.parse()?)));
        }
        if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            return Ok(Self::List(Box::new(inner.parse()?)));
        }
        Ok(match text {
            "auto" => Self::Auto,
            "int" => Self::Int,
            "float" => Self::Float,
            "bool" => Self::Bool,
            "char" => Self::Char,
            "text" => Self::Text,
            _ => return Err(format!("unknown type `{text}`: expected {KNOWN}")),
        })
    }
}

impl TryFrom<String> for Type {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Type> for String {
    fn from(wanted: Type) -> Self {
        wanted.to_string()
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Int => f.write_str("int"),
            Self::Float => f.write_str("float"),
            Self::Bool => f.write_str("bool"),
            Self::Char => f.write_str("char"),
            Self::Text => f.write_str("text"),
            Self::List(inner) => write!(f, "[{inner}]"),
            Self::Option(inner) => write!(f, "{inner}?"),
        }
    }
}

impl Type {
    /// Whether cells are read as lists even without brackets.
    pub(super) fn is_list(&self) -> bool {
        match self {
            Self::List(_) => true,
            Self::Option(inner) => inner.is_list(),
            _ => false,
        }
    }

    /// Whether an empty cell is a value.
    pub(super) fn takes_empty(&self) -> bool {
        matches!(self, Self::Text | Self::List(_) | Self::Option(_))
    }
}

/// What a column can still be, after some of its cells.
#[derive(Clone, Debug)]
pub(super) struct Inference {
    /// Whether any cell said something.
    is_told: bool,
    /// Whether any cell said nothing.
    has_gaps: bool,
    int: bool,
    /// Like `int`, but 2.0 is one too.
    whole: bool,
    float: bool,
    truth: bool,
    letter: bool,
    list: bool,
    elements: Option<Box<Inference>>,
}

impl Default for Inference {
    fn default() -> Self {
        Self {
            is_told: false,
            has_gaps: false,
            int: true,
            whole: true,
            float: true,
            truth: true,
            letter: true,
            list: true,
            elements: None,
        }
    }
}

impl Inference {
    /// Takes in a cell.
    pub(super) fn see(&mut self, cell: &Cell) {
        let word = match cell {
            Cell::Word(word) if cell::is_nothing(word) => {
                self.has_gaps = true;
                return;
            }
            Cell::Word(word) => Some(word.as_str()),
            Cell::Quoted(_) | Cell::List(_) => None,
        };
        self.is_told = true;
        self.int &= word.is_some_and(cell::is_integer);
        self.whole &= word.is_some_and(|word| cell::whole(word).is_some());
        self.float &= word.is_some_and(|word| cell::float(word).is_some());
        self.truth &= word.is_some_and(|word| cell::truth(word).is_some());
        self.letter &= cell::letter(cell).is_some();
        match cell {
            Cell::List(elements) => {
                let inference = self.elements.get_or_insert_default();
                elements.iter().for_each(|element| inference.see(element));
            }
            Cell::Word(_) | Cell::Quoted(_) => self.list = false,
        }
    }

    /// The type of a column that was declared so: what is `auto` in it is filled in.
    pub(super) fn resolve(&self, declared: &Type) -> Type {
        match declared {
            Type::Auto => self.found(),
            Type::List(inner) => Type::List(Box::new(self.elements().resolve(inner))),
            Type::Option(inner) => match self.resolve(inner) {
                option @ Type::Option(_) => option,
                inner => Type::Option(Box::new(inner)),
            },
            known => known.clone(),
        }
    }

    fn found(&self) -> Type {
        let found = match () {
            () if !self.is_told => Type::Text,
            () if self.int => Type::Int,
            () if self.float => Type::Float,
            () if self.truth => Type::Bool,
            () if self.list => return Type::List(Box::new(self.elements().found())),
            () => Type::Text,
        };
        if self.has_gaps && found != Type::Text { Type::Option(Box::new(found)) } else { found }
    }

    fn elements(&self) -> Inference {
        self.elements.as_deref().cloned().unwrap_or_default()
    }

    /// Whether every cell can be read as this type.
    pub(super) fn fits(&self, wanted: &Type) -> bool {
        match wanted {
            _ if !self.is_told => true,
            Type::Auto | Type::Text => true,
            Type::Int => self.whole,
            Type::Float => self.float,
            Type::Bool => self.truth,
            Type::Char => self.letter,
            Type::List(inner) => self.list && self.elements().fits(inner),
            Type::Option(inner) => self.fits(inner),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(cells: &[&str]) -> String {
        let mut inference = Inference::default();
        cells.iter().for_each(|text| inference.see(&cell::read(text, &Type::Auto, ';').unwrap()));
        inference.resolve(&Type::Auto).to_string()
    }

    #[test]
    fn the_type_of_a_column_follows_from_all_of_its_cells() {
        for (cells, wanted) in [
            (&["1", "-2", " +3 "][..], "int"),
            (&["1", ""], "int?"),
            (&["1", "None"], "int?"),
            (&["170141183460469231731687303715884105728"], "int"),
            (&["1", "2.0"], "float"),
            (&["1e3", "NaN", "-inf"], "float"),
            (&["True", "false"], "bool"),
            (&["true", "1"], "text"),
            (&["[1, 2]", "(3)", "[]"], "[int]"),
            (&["[1, 2.5]", ""], "[float]"),
            (&["[1, None]"], "[int?]"),
            (&["['1', 2]"], "[text]"),
            (&["[[1], []]", "[]"], "[[int]]"),
            (&["[1", "[2]"], "text"),
            (&["a", ""], "text"),
            (&["", ""], "text"),
            (&["x"], "text"),
            (&[], "text"),
        ] {
            assert_eq!(found(cells), wanted, "{cells:?}");
        }
    }

    #[test]
    fn types_are_read_as_they_are_shown() {
        for text in ["auto", "int", "float", "bool", "char", "text", "[int]", "[[text?]]?"] {
            assert_eq!(text.parse::<Type>().unwrap().to_string(), text);
        }
        assert!("[int".parse::<Type>().is_err() && "i32".parse::<Type>().is_err());
    }
}
