//! Whether one condition explains the rows of both logs as well: then nothing need have changed, and the old log has
//! only never met what the new one did. What a condition says of inputs that its own log never had is a guess.

use super::Known;
use crate::{
    Verdict,
    explain::{Explained, explain},
    feature::{Frame, Scope},
    log::Row,
};
use std::sync::Arc;

/// So many rows of either log are looked at.
const ROWS: usize = 1 << 13;
/// How many literals a condition for both logs may have.
const SHORT: usize = 3;

/// The short condition without exceptions under which rows of both logs went wrong, if there is one. The rows are those
/// of the old log, none of which went wrong, and those of the new one, each with whether it did.
pub(super) fn condition(old: &[&Row], new: &[(&Row, bool)], logs: (Known<'_>, Known<'_>)) -> Option<String> {
    let (then, now) = (&logs.0.cleaned.header, &logs.1.cleaned.header);
    let [wrong, sound] = [Verdict::Violated, Verdict::Held].map(|verdict| Arc::from([Some(verdict)]));
    let is_same = then.features == now.features;
    let told = |row: &Row, is_wrong: bool, has_features: bool| Row {
        verdicts: if is_wrong { Arc::clone(&wrong) } else { Arc::clone(&sound) },
        features: if has_features { row.features.clone() } else { vec![None; now.features.len()] },
        detail: None,
        ..row.clone()
    };
    let old = old.iter().take(ROWS).map(|row| told(row, false, is_same));
    let new = new.iter().take(ROWS).map(|(row, is_wrong)| told(row, *is_wrong, true));
    let rows: Vec<Row> = old.chain(new).collect();
    let rows: Vec<&Row> = rows.iter().collect();
    let frame = Frame::new(&rows, now, Scope::Input);
    match explain(&frame, &rows, 0) {
        Explained::Condition(found) if found.is_exact() && found.literals() <= SHORT => {
            Some(found.write(&frame, &[]).0)
        }
        _ => None,
    }
}
