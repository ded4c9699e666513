//! How a condition does on rows it was not learned from.

use super::{
    data::{Counts, Data, Rows, Term},
    model::Objective,
    sample::Matrix,
    search::{LEAST_ROWS, Size, search},
};

/// Every other row.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// How a condition does on rows it was not learned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldOut {
    /// How many rows those are.
    pub rows: u64,
    /// How many of them it gets wrong.
    pub exceptions: u64,
    /// Whether the condition learned from the other rows is the same.
    pub is_same: bool,
}

/// Learns from every other row and checks on the rest. Where the search proposes from a sample anyway, the rest is what
/// was not drawn. `None` if half of the rows are too few to learn from.
pub fn held_out(data: &Data<'_>, objective: &Objective<'_>, terms: &[Term], size: Size) -> Option<HeldOut> {
    let (total, drawn) = (objective.total, data.drawn);
    if total != (drawn.0.rows as u64, drawn.1.rows as u64) {
        let covered = data.all().count();
        let outside = data.without(&data.all(), terms).count();
        let exceptions = (covered.1 - outside.1) + outside.0;
        let sampled = drawn.1.covered(terms) + drawn.0.rows as u64 - drawn.0.covered(terms);
        let rows = total.0 + total.1 - (drawn.0.rows + drawn.1.rows) as u64;
        return Some(HeldOut { rows, exceptions: exceptions - sampled, is_same: true });
    }
    let (learned, checked) = halves(&data.all());
    let count = learned.count();
    if count.0.min(count.1) < LEAST_ROWS {
        return None;
    }
    let model = learn(data, objective, &learned, count, size);
    let (all, outside) = (checked.count(), data.without(&checked, &model).count());
    let exceptions = (all.1 - outside.1) + outside.0;
    Some(HeldOut { rows: all.0 + all.1, exceptions, is_same: model == terms })
}

fn halves(rows: &Rows) -> (Rows, Rows) {
    let half = |even: u64| Rows {
        ones: rows.ones.iter().map(|word| word & even).collect(),
        others: rows.others.iter().map(|word| word & even).collect(),
    };
    (half(EVEN), half(!EVEN))
}

fn learn(data: &Data<'_>, objective: &Objective<'_>, rows: &Rows, total: Counts, size: Size) -> Vec<Term> {
    let words = data.drawn.0.stride().max(data.drawn.1.stride());
    let ones = Matrix::draw(data.ones, data.vocabulary, &rows.ones, words);
    let others = Matrix::draw(data.others, data.vocabulary, &rows.others, words);
    let half = Data { part: Some(rows), drawn: (&ones, &others), ..*data };
    search(&half, &Objective { total, ..*objective }, size).terms
}
