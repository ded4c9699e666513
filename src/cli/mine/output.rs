//! Rules as JSON or CSV.

use super::table::Table;
use crate::mine::apriori::Rule;
use anyhow::{Context, Result};
use serde::Serialize;
use std::io::{self, BufWriter, StdoutLock, Write};

#[derive(Serialize)]
struct Line<'a> {
    when: Vec<&'a str>,
    then: Vec<&'a str>,
    support: f64,
    confidence: f64,
    lift: f64,
    conviction: Option<f64>,
}

impl<'a> Line<'a> {
    fn new(table: &'a Table, rule: &Rule) -> Self {
        let named = |items: &[usize]| items.iter().map(|&item| table.items[item].as_str()).collect();
        let Rule { when, then, counts } = rule;
        Self {
            when: named(when),
            then: named(then),
            support: counts.support(),
            confidence: counts.confidence(),
            lift: counts.lift(),
            conviction: counts.conviction(),
        }
    }
}

/// One object, with one rule per line.
pub(super) fn json(table: &Table, rules: &[Rule]) -> Result<()> {
    print(|out| {
        write!(out, "{{\"rows\": {}, \"rules\": [", table.side.rows())?;
        for (at, rule) in rules.iter().enumerate() {
            out.write_all(if at == 0 { b"\n" } else { b",\n" })?;
            serde_json::to_writer(&mut *out, &Line::new(table, rule))?;
        }
        out.write_all(if rules.is_empty() { b"]}\n" } else { b"\n]}\n" })
    })
}

/// One rule per line; items are joined by `&&`.
pub(super) fn csv(table: &Table, rules: &[Rule]) -> Result<()> {
    print(|out| {
        writeln!(out, "when,then,support,confidence,lift,conviction")?;
        for rule in rules {
            let Line { when, then, support, confidence, lift, conviction } = Line::new(table, rule);
            let [when, then] = [when, then].map(|items| quoted(&items.join(" && ")));
            let conviction = conviction.map(|number| number.to_string()).unwrap_or_default();
            writeln!(out, "{when},{then},{support},{confidence},{lift},{conviction}")?;
        }
        Ok(())
    })
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

fn print(write: impl FnOnce(&mut BufWriter<StdoutLock<'_>>) -> io::Result<()>) -> Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    write(&mut out).and_then(|()| out.flush()).context("failed to write to stdout")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_break_a_line_is_quoted() {
        assert_eq!(quoted("a == 1"), "a == 1");
        assert_eq!(quoted("(a,b) == \"x\"\n"), "\"(a,b) == \"\"x\"\"\n\"");
    }
}
