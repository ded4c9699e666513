//! One column of a table: a code for each row, and the text of each code.

use crate::mine::table::NO_VALUE;
use std::{collections::HashMap, rc::Rc, str::Utf8Error};

/// The code of an empty cell.
const EMPTY: u32 = u32::MAX;
/// Recently met values; a table of verdicts has few different ones.
const RECENT: usize = 64;

/// The cells of a column. A cell takes one byte as long as there are few different ones.
pub(super) struct Column {
    values: Vec<Rc<str>>,
    counts: Vec<u64>,
    codes_of: HashMap<Rc<str>, u32>,
    recent: [u32; RECENT],
    cells: Cells,
}

enum Cells {
    Narrow(Vec<u8>),
    Wide(Vec<u32>),
}

impl Column {
    pub(super) fn new() -> Self {
        Self {
            values: Vec::new(),
            counts: Vec::new(),
            codes_of: HashMap::new(),
            recent: [EMPTY; RECENT],
            cells: Cells::Narrow(Vec::new()),
        }
    }

    /// Adds a row.
    pub(super) fn push(&mut self, cell: &[u8]) -> Result<(), Utf8Error> {
        let code = if cell.is_empty() { EMPTY } else { self.code(cell)? };
        if let Some(count) = self.counts.get_mut(code as usize) {
            *count += 1;
        }
        match &mut self.cells {
            Cells::Narrow(codes) if code == EMPTY => codes.push(NO_VALUE),
            Cells::Narrow(codes) if code < NO_VALUE.into() => codes.push(code as u8),
            Cells::Narrow(codes) => {
                let widened = codes.iter().map(|&code| if code == NO_VALUE { EMPTY } else { code.into() });
                self.cells = Cells::Wide(widened.chain([code]).collect());
            }
            Cells::Wide(codes) => codes.push(code),
        }
        Ok(())
    }

    fn code(&mut self, cell: &[u8]) -> Result<u32, Utf8Error> {
        let slot = slot(cell);
        let recent = self.recent[slot];
        if self.values.get(recent as usize).is_some_and(|value| value.as_bytes() == cell) {
            return Ok(recent);
        }
        let text = str::from_utf8(cell)?;
        let code = match self.codes_of.get(text) {
            Some(&code) => code,
            None => self.add(text),
        };
        self.recent[slot] = code;
        Ok(code)
    }

    fn add(&mut self, text: &str) -> u32 {
        // No machine holds so many different texts that the codes run out.
        let code = self.values.len() as u32;
        let text: Rc<str> = text.into();
        self.values.push(text.clone());
        self.counts.push(0);
        self.codes_of.insert(text, code);
        code
    }

    /// The values that at least so many rows have: text and code, in the order of the text.
    pub(super) fn frequent(&self, least: u64) -> Vec<(&str, u32)> {
        let values = self.values.iter().zip(&self.counts).zip(0..);
        let mut frequent: Vec<(&str, u32)> =
            values.filter(|((_, count), _)| **count >= least).map(|((text, _), code)| (text.as_ref(), code)).collect();
        frequent.sort_unstable();
        frequent
    }

    /// How many different values there are.
    pub(super) fn values(&self) -> usize {
        self.values.len()
    }

    /// Some rows, each code replaced by what it stands for in `values`, or [`NO_VALUE`].
    pub(super) fn translated(&self, rows: std::ops::Range<usize>, values: &[u8]) -> Vec<u8> {
        let of = |code: usize| values.get(code).copied().unwrap_or(NO_VALUE);
        match &self.cells {
            Cells::Narrow(codes) => codes[rows].iter().map(|&code| of(code.into())).collect(),
            Cells::Wide(codes) => codes[rows].iter().map(|&code| of(code as usize)).collect(),
        }
    }
}

/// Where to remember a value: depends on its length and its first bytes.
fn slot(cell: &[u8]) -> usize {
    let mut head = [0; 8];
    let length = cell.len().min(8);
    head[..length].copy_from_slice(&cell[..length]);
    let mixed = (u64::from_le_bytes(head) ^ cell.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> (u64::BITS - RECENT.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_with_many_values_keeps_every_row() {
        let mut column = Column::new();
        for row in 0..1000 {
            column.push(if row % 10 == 9 { String::new() } else { (row % 700).to_string() }.as_bytes()).unwrap();
        }
        assert_eq!(column.values(), 630);
        let twice = column.frequent(2);
        assert_eq!((twice.len(), twice[0], twice[1]), (270, ("0", 0), ("1", 1)));
        let mut values = [NO_VALUE; 630];
        values[0] = 7;
        values[629] = 8;
        let rows = column.translated(0..1000, &values);
        let places =
            |value| rows.iter().enumerate().filter(|(_, v)| **v == value).map(|(row, _)| row).collect::<Vec<_>>();
        assert_eq!((places(7), places(8)), (vec![0, 700], vec![698]));
    }

    #[test]
    fn a_value_is_text() {
        let mut column = Column::new();
        assert!(column.push("ü".as_bytes()).is_ok());
        assert!(column.push(b"\xfc").is_err());
    }
}
