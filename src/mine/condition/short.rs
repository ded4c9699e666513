//! The best AND of a few items, whatever its exceptions: what is said where no condition explains enough.

use super::{
    bits,
    data::{Data, Term},
    model::{Model, Objective},
};

/// How many terms are made longer.
const BEAM: usize = 8;

/// The AND with the shortest length in bits, its exceptions included. A sample proposes, all rows decide.
pub fn short(data: &Data<'_>, objective: &Objective<'_>, depth: usize) -> Model {
    let everything = data.all();
    let mut best = objective.model(Vec::new(), (0, 0));
    let mut beam: Vec<Term> = vec![Vec::new()];
    for _ in 0..depth {
        beam = longer(data, objective, &beam);
        let Some(first) = beam.first() else { break };
        let model = objective.counted(data, &everything, vec![first.clone()]);
        if objective.compare(&model, &best).is_lt() {
            best = model;
        }
    }
    best
}

/// The best terms with one more item, as the sample sees them.
fn longer(data: &Data<'_>, objective: &Objective<'_>, terms: &[Term]) -> Vec<Term> {
    let (ones, others) = data.drawn;
    let scale = |count: u64, rows: usize, total: u64| ((count as f64 / rows.max(1) as f64) * total as f64) as u64;
    let mut found: Vec<(f64, Term)> = Vec::new();
    for term in terms {
        let rows = (ones.with(term, usize::MAX), others.with(term, usize::MAX));
        for item in (0..data.vocabulary.items.len()).filter(|item| !term.contains(item)) {
            let one = bits::count_and(&rows.0, ones.column(item));
            let other = bits::count_and(&rows.1, others.column(item));
            let inside = (scale(one, ones.rows, objective.total.0), scale(other, others.rows, objective.total.1));
            let inside = (inside.0.min(objective.total.0), inside.1.min(objective.total.1));
            let mut longer = term.clone();
            longer.insert(longer.partition_point(|&known| known < item), item);
            found.push((objective.bits(inside, longer.len()), longer));
        }
    }
    found.sort_by(|left, right| left.0.total_cmp(&right.0).then_with(|| left.1.cmp(&right.1)));
    found.dedup_by(|left, right| left.1 == right.1);
    found.into_iter().take(BEAM).map(|(_, term)| term).collect()
}
