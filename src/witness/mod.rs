//! A witness: one input that shows what a cell is about, as small as it can be; or a pair of inputs with opposite
//! verdicts that are as alike as they can be.
//!
//! | file | does |
//! |---|---|
//! | `choose` | which rows of a log |
//! | `apart` | what tells the two of a pair apart |
//! | `shrink` | their bytes made smaller, while the target says the same of them |

mod apart;
mod choose;
mod shrink;

pub(crate) use apart::apart;
pub(crate) use choose::Subject;
pub(crate) use shrink::{Budget, Judge, Shrinking};

use crate::{
    Verdict,
    claim::Claim,
    expression::Expression,
    log::{Header, Row},
    replay::{Seen, seen},
    terminal::{escape, shorten},
};
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// How much of one line is shown.
const WIDTH: usize = 400;

/// A row that is worth showing.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) row: Row,
    /// What the log says of it, in the cell that it is shown for.
    pub(crate) verdict: Verdict,
    pub(crate) still: Still,
}

/// What has to stay true of an input beside its verdict, when it is made smaller.
#[derive(Clone, Debug)]
pub(crate) enum Still {
    /// Nothing else.
    Anything,
    /// It is the same input, in fewer bytes.
    SameInput,
    /// This says that it is not violated.
    Outside(Claim),
    /// It meets this.
    Meets(Expression),
    /// One of the outputs has NaN in it, and the other has not.
    NanOnOneSide,
}

/// An input with what its check saw.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Witness {
    pub(crate) row: Row,
    /// Decoded, in one line.
    pub(crate) input: String,
    pub(crate) verdict: Verdict,
    pub(crate) seen: Seen,
    /// Whether it was made smaller.
    pub(crate) is_shrunk: bool,
    /// Whether nothing smaller was left to try.
    pub(crate) is_smallest: bool,
    /// The command that shows it again.
    pub(crate) reproduce: Option<String>,
}

impl Witness {
    /// A row as it is in the log; nothing if it has no verdict in that cell.
    pub(crate) fn of_row(header: &Header, row: &Row, cell: usize) -> Option<Self> {
        Some(Self {
            row: row.clone(),
            input: row.input_text(header),
            verdict: row.verdict(cell)?,
            seen: seen(header, row, cell),
            is_shrunk: false,
            is_smallest: false,
            reproduce: None,
        })
    }

    /// The raw bytes; nothing for an example or an imported row.
    fn bytes(&self) -> Option<&[u8]> {
        self.row.has_bytes().then_some(&self.row.bytes)
    }

    /// In a few lines, indented.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let input = match self.bytes() {
            Some(bytes) if self.input.is_empty() => format!("{} bytes", bytes.len()),
            _ => self.input.clone(),
        };
        let word = self.verdict.word();
        push(&mut text, word, &input);
        if let Some(output) = &self.seen.output {
            push(&mut text, "output", output);
        }
        for (input, output) in &self.seen.follow_ups {
            push(&mut text, "follow-up", &format!("{input} -> {output}"));
        }
        if let Some(panic) = &self.seen.panic {
            push(&mut text, "panic", panic);
        }
        if let Some(command) = &self.reproduce {
            // In one piece, to be pasted.
            _ = writeln!(text, "    {:18} {}", "reproduce", escape(command));
        }
        text
    }

    pub(crate) fn json(&self) -> Json {
        let follow_ups = self.seen.follow_ups.iter();
        let follow_ups: Vec<Json> =
            follow_ups.map(|(input, output)| json!({"input": input, "output": output})).collect();
        json!({
            "input": self.input,
            "bytes": self.bytes().map(hex),
            "verdict": self.verdict.word(),
            "output": self.seen.output,
            "follow_ups": follow_ups,
            "panic": self.seen.panic,
            "shrunk": self.is_shrunk,
            "smallest": self.is_smallest,
            "reproduce": self.reproduce,
        })
    }
}

fn push(text: &mut String, name: &str, value: &str) {
    _ = writeln!(text, "    {name:18} {}", shorten(&escape(value), WIDTH));
}

/// Bytes as people write them.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        _ = write!(text, "{byte:02x}");
        text
    })
}
