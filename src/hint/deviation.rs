//! How far the outputs of violated checks are from what the held ones show: rounding, or more.

use crate::{
    Verdict,
    clean::Cleaned,
    log::{Check, Outcome, Value},
};

/// Deviations up to this share of the larger output are rounding.
const ROUNDING: f64 = 1e-6;
/// Held checks agree with a model up to this.
const AGREED: f64 = 1e-9;
/// So few checks show no model.
const LEAST: usize = 8;

/// Violated checks whose outputs are all nearly what they should be.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rounding {
    /// The relative tolerance that would absorb them all.
    pub(super) tolerance: f64,
    pub(super) checks: u64,
}

/// How one output follows from the other, as far as held checks show.
#[derive(Clone, Copy)]
enum Model {
    Equal,
    Scaled(f64),
    Shifted(f64),
}

impl Model {
    /// How far the follow-up's output is from what the model says, as a share of the larger.
    fn deviation(self, (source, follow_up): (f64, f64)) -> f64 {
        let wanted = match self {
            Self::Equal => source,
            Self::Scaled(factor) => source * factor,
            Self::Shifted(by) => source + by,
        };
        if wanted == follow_up {
            return 0.0;
        }
        let larger = wanted.abs().max(follow_up.abs());
        (wanted - follow_up).abs() / larger
    }
}

/// Whether all violations of a cell are rounding.
pub(super) fn rounding(cleaned: &Cleaned, cell: usize) -> Option<Rounding> {
    let pairs = |verdict| -> Option<Vec<(f64, f64)>> {
        let rows = cleaned.working.iter().filter(|row| row.verdict(cell) == Some(verdict));
        let checks = rows.filter(|row| row.detail.is_some()).map(|row| Check::new(&cleaned.header, row, cell));
        checks.map(|check| Some((float(check.output?)?, float(check.outputs.first()?)?))).collect()
    };
    let (held, violated) = (pairs(Verdict::Held)?, pairs(Verdict::Violated)?);
    if violated.is_empty() {
        return None;
    }
    let mut models = vec![Model::Equal];
    if let Some(&(source, follow_up)) = held.iter().find(|(source, follow_up)| *source != 0.0 && *follow_up != 0.0)
        && held.len() >= LEAST
    {
        models.extend([Model::Scaled(follow_up / source), Model::Shifted(follow_up - source)]);
    }
    models.into_iter().find_map(|model| {
        let is_model = held.iter().all(|&pair| model.deviation(pair) <= AGREED);
        let deviations: Vec<f64> = violated.iter().map(|&pair| model.deviation(pair)).collect();
        let is_small = deviations.iter().all(|&deviation| deviation > 0.0 && deviation <= ROUNDING);
        let tolerance = deviations.into_iter().fold(0.0, f64::max);
        (is_model && is_small).then_some(Rounding { tolerance, checks: violated.len() as u64 })
    })
}

fn float(outcome: &Outcome) -> Option<f64> {
    match outcome {
        Outcome::Output(Value::Some(inner)) => inner.float(),
        Outcome::Output(value) => value.float(),
        _ => None,
    }
}
