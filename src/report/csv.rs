//! The rules of all cells as CSV, one per line.

use super::{Report, rule::Line};

/// The rules of a report.
pub(crate) fn csv(report: &Report) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "function",
        "relation",
        "when",
        "verdict",
        "support",
        "confidence",
        "lift",
        "conviction",
        "rows",
    ])?;
    for cell in &report.cells {
        for rule in &cell.rules {
            let line = Line::of(rule);
            let conviction = line.conviction.map(|number| number.to_string()).unwrap_or_default();
            writer.write_record([
                &cell.function,
                &cell.relation,
                &line.when.join(" && "),
                line.verdict,
                &line.support.to_string(),
                &line.confidence.to_string(),
                &line.lift.to_string(),
                &conviction,
                &line.rows.to_string(),
            ])?;
        }
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}
