//! From the text of a cell to a value: numbers, text, and lists with quoted strings in them.

use super::types::Type;
use crate::log::Value;

/// How deeply lists may nest in a cell.
const MAX_NESTING: usize = 16;

/// A cell, before its type is known.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    /// Plain text.
    Word(String),
    /// A quoted string in a list.
    Quoted(String),
    List(Vec<Cell>),
}

/// Whether a word says that there is no value.
pub(super) fn is_nothing(word: &str) -> bool {
    matches!(word.trim(), "" | "None" | "none" | "null" | "NULL")
}

pub(super) fn is_integer(word: &str) -> bool {
    integer(word.trim()).is_some()
}

fn integer(word: &str) -> Option<Value> {
    let small = word.parse::<i128>().ok().map(Value::of_integer);
    small.or_else(|| word.parse::<u128>().ok().map(|value| Value::U128(value.to_le_bytes())))
}

/// An integer, also where another tool wrote it as a float: 2.0.
pub(super) fn whole(word: &str) -> Option<Value> {
    let word = word.trim();
    let before = match word.split_once('.') {
        Some((before, zeros)) if zeros.bytes().all(|digit| digit == b'0') => before,
        _ => word,
    };
    integer(before)
}

pub(super) fn float(word: &str) -> Option<f64> {
    word.trim().parse().ok()
}

pub(super) fn truth(word: &str) -> Option<bool> {
    let word = word.trim();
    let is = |truth: &str| word.eq_ignore_ascii_case(truth);
    if is("true") { Some(true) } else { is("false").then_some(false) }
}

/// The only character of a cell.
pub(super) fn letter(cell: &Cell) -> Option<char> {
    let (Cell::Word(text) | Cell::Quoted(text)) = cell else { return None };
    let mut letters = text.chars();
    letters.next().filter(|_| letters.next().is_none())
}

/// Reads a cell of a column that was declared so; why not, if it is no list and should be one.
pub(super) fn read(text: &str, declared: &Type, separator: char) -> Result<Cell, String> {
    let trimmed = text.trim();
    let is_bracketed = trimmed.starts_with(['[', '(']);
    match declared {
        _ if declared.is_list() && is_bracketed => bracketed(trimmed),
        Type::Option(_) if is_nothing(text) => Ok(Cell::Word(String::new())),
        _ if declared.is_list() => separated(trimmed, separator),
        // Text that only looks like a list stays text.
        Type::Auto if is_bracketed => Ok(bracketed(trimmed).unwrap_or_else(|_| Cell::Word(text.to_owned()))),
        _ => Ok(Cell::Word(text.to_owned())),
    }
}

fn bracketed(text: &str) -> Result<Cell, String> {
    let mut parser = Parser { rest: text };
    let list = parser.list(0)?;
    parser.rest.is_empty().then_some(list).ok_or_else(|| format!("`{}` stands behind the list", parser.rest))
}

fn separated(text: &str, separator: char) -> Result<Cell, String> {
    let mut parser = Parser { rest: text };
    let mut elements = Vec::new();
    if text.is_empty() {
        return Ok(Cell::List(elements));
    }
    loop {
        elements.push(parser.element(&[separator], 0)?);
        if !parser.take(separator) {
            return match parser.rest {
                "" => Ok(Cell::List(elements)),
                rest => Err(format!("`{rest}` stands behind an element")),
            };
        }
    }
}

struct Parser<'text> {
    rest: &'text str,
}

impl Parser<'_> {
    /// Skips blanks, and then this character if it comes next.
    fn take(&mut self, wanted: char) -> bool {
        self.rest = self.rest.trim_start();
        let Some(rest) = self.rest.strip_prefix(wanted) else { return false };
        self.rest = rest;
        true
    }

    /// A list in brackets.
    fn list(&mut self, depth: usize) -> Result<Cell, String> {
        if depth >= MAX_NESTING {
            return Err(format!("lists nest more than {MAX_NESTING} deep"));
        }
        let close = if self.take('[') {
            ']'
        } else {
            self.take('(');
            ')'
        };
        let mut elements = Vec::new();
        loop {
            // Also behind the last comma: `(1,)`.
            if self.take(close) {
                break;
            }
            elements.push(self.element(&[',', close], depth + 1)?);
            if !self.take(',') {
                if self.take(close) {
                    break;
                }
                return Err(format!("a `{close}` is missing"));
            }
        }
        self.rest = self.rest.trim_start();
        Ok(Cell::List(elements))
    }

    fn element(&mut self, ends: &[char], depth: usize) -> Result<Cell, String> {
        self.rest = self.rest.trim_start();
        match self.rest.chars().next() {
            Some('[' | '(') => self.list(depth),
            Some(quote @ ('"' | '\'')) => self.quoted(quote),
            _ => {
                let end = self.rest.find(ends).unwrap_or(self.rest.len());
                let (word, rest) = self.rest.split_at(end);
                self.rest = rest;
                Ok(Cell::Word(word.trim_end().to_owned()))
            }
        }
    }

    fn quoted(&mut self, quote: char) -> Result<Cell, String> {
        let mut text = String::new();
        let mut letters = self.rest.chars();
        letters.next();
        loop {
            match letters.next() {
                None => return Err(format!("a {quote} is missing")),
                Some('\\') => text.push(escaped(&mut letters)?),
                Some(letter) if letter == quote => break,
                Some(letter) => text.push(letter),
            }
        }
        self.rest = letters.as_str().trim_start();
        Ok(Cell::Quoted(text))
    }
}

/// What stands behind a backslash.
fn escaped(letters: &mut std::str::Chars<'_>) -> Result<char, String> {
    let letter = letters.next().ok_or("a \\ stands at the end")?;
    let digits: String = match letter {
        'n' => return Ok('\n'),
        'r' => return Ok('\r'),
        't' => return Ok('\t'),
        '0' => return Ok('\0'),
        '\\' | '\'' | '"' | '/' => return Ok(letter),
        'x' => letters.by_ref().take(2).collect(),
        'u' if letters.as_str().starts_with('{') => {
            letters.by_ref().skip(1).take_while(|&letter| letter != '}').collect()
        }
        'u' => letters.by_ref().take(4).collect(),
        'U' => letters.by_ref().take(8).collect(),
        other => return Err(format!("`\\{other}` is no escape")),
    };
    let number = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
    number.ok_or_else(|| format!("`\\{letter}{digits}` is no character"))
}

/// The value that a cell is in a column of this type; `None` if it is none.
pub(super) fn value(cell: &Cell, wanted: &Type) -> Option<Value> {
    match (wanted, cell) {
        (Type::Option(_), Cell::Word(word)) if is_nothing(word) => Some(Value::None),
        (Type::Option(inner), _) => value(cell, inner).map(|value| Value::Some(Box::new(value))),
        (Type::Int, Cell::Word(word)) => whole(word),
        (Type::Float, Cell::Word(word)) => float(word).map(|number| Value::F64(number.to_le_bytes())),
        (Type::Bool, Cell::Word(word)) => truth(word).map(|truth| if truth { Value::True } else { Value::False }),
        (Type::Char, _) => letter(cell).map(|letter| Value::Char(u32::from(letter).to_le_bytes())),
        (Type::Text | Type::Auto, Cell::Word(text) | Cell::Quoted(text)) => Some(Value::Text(text.clone())),
        (Type::List(inner), Cell::List(elements)) => {
            elements.iter().map(|element| value(element, inner)).collect::<Option<_>>().map(Value::List)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, wanted: &str) -> Option<String> {
        let wanted = wanted.parse().unwrap();
        read(text, &wanted, ';').ok().and_then(|cell| value(&cell, &wanted)).map(|value| value.to_string())
    }

    #[test]
    fn cells_become_values_of_their_type() {
        for (text, wanted, value) in [
            (" -7 ", "int", "-7"),
            ("2.0", "int", "2"),
            ("2.", "int", "2"),
            ("340282366920938463463374607431768211455", "int", "340282366920938463463374607431768211455"),
            ("-inf", "float", "-inf"),
            ("nan", "float", "NaN"),
            ("TRUE", "bool", "true"),
            ("ß", "char", "'ß'"),
            (" a, \"b\" ", "text", "\" a, \\\"b\\\" \""),
            ("", "text", "\"\""),
            ("", "text?", "None"),
            ("null", "int?", "None"),
            ("3", "int?", "Some(3)"),
            ("1;2; 3", "[int]", "[1, 2, 3]"),
            ("", "[int]", "[]"),
            ("", "[int]?", "None"),
            ("[1, 2,]", "[int]", "[1, 2]"),
            ("(1; 2)", "[text]", "[\"1; 2\"]"),
            ("'a;b';c", "[text]", "[\"a;b\", \"c\"]"),
            (
                r#"["a, ]", 'it\'s', "\u00fc\u{1f600}\x41\n", bare word]"#,
                "[text]",
                r#"["a, ]", "it's", "ü😀A\n", "bare word"]"#,
            ),
            ("[[1, 2], []]", "[[int]]", "[[1, 2], []]"),
            ("[1, None]", "[int?]", "[Some(1), None]"),
            ("['x', y]", "[char]", "['x', 'y']"),
        ] {
            assert_eq!(shown(text, wanted).as_deref(), Some(value), "{text} as {wanted}");
        }
    }

    #[test]
    fn what_is_no_value_of_the_type_is_refused() {
        for (text, wanted) in [
            ("2.5", "int"),
            ("1e3", "int"),
            ("", "int"),
            ("one", "float"),
            ("yes", "bool"),
            ("ab", "char"),
            ("[1, 2", "[int]"),
            ("[1] 2", "[int]"),
            ("[\"a]", "[text]"),
            ("[\"\\q\"]", "[text]"),
            ("[\"\\ud800\"]", "[text]"),
            ("[1, x]", "[int]"),
            ("'a' b;c", "[text]"),
        ] {
            assert_eq!(shown(text, wanted), None, "{text} as {wanted}");
        }
        assert_eq!(shown(&"[".repeat(100_000), "[[int]]"), None);
    }
}
