//! The vocabulary: which forms are worth looking at, and what is asked of them whatever the verdicts say.

use super::{
    bits::Bits,
    form::{Bound, Comparison, Form, Op},
    frame::Frame,
    predicate::Predicate,
    term::{Measure, Numbers, Term},
};
use std::cell::OnceCell;

/// How many terms are put together with others.
const PAIRED: usize = 12;
const SCALED: usize = 5;
const TRIPLED: usize = 5;
/// What remainders are taken by, beside the suite's constants.
const MODULI: [i64; 9] = [2, 3, 4, 5, 7, 8, 10, 16, 100];
/// What remainders of the first few terms are taken by: of clocks, calendars, powers of two and ten.
const RARE_MODULI: [i64; 9] = [6, 9, 12, 24, 32, 60, 64, 400, 1000];

/// The forms of a frame.
pub(crate) struct Forms {
    pub(crate) forms: Vec<Form>,
    /// Whether there were too many terms to put all of them together.
    pub(crate) is_cut: bool,
}

impl Forms {
    pub(crate) fn of(frame: &Frame) -> Self {
        let varies = |&term: &usize| frame.varies(term);
        let mut terms: Vec<usize> = (0..frame.terms.terms.len()).filter(varies).collect();
        // Where there are too many, fields and lengths come first.
        terms.sort_by_key(|&term| {
            let Term { node, measure, .. } = frame.terms.terms[term];
            if measure == Measure::Itself && frame.tree.is_in_element(node) { Measure::First } else { measure }
        });
        let (floats, integers): (Vec<usize>, Vec<usize>) =
            terms.into_iter().partition(|&term| frame.terms.terms[term].is_float);
        let mut forms = Vec::new();
        for group in [&integers, &floats] {
            forms.extend(group.iter().map(|&term| Form::Term(term)));
            forms.extend(group.iter().filter(|&&term| frame.has_negative(term)).map(|&term| Form::Abs(term)));
            pairs(&group[..group.len().min(PAIRED)], &mut forms);
            scaled(&group[..group.len().min(SCALED)], &mut forms);
            triples(&group[..group.len().min(TRIPLED)], &mut forms);
        }
        remainders(&integers[..integers.len().min(PAIRED)], &frame.constants, &mut forms);
        forms.retain(|form| !compares_outputs(frame, form));
        Self { forms, is_cut: integers.len() > PAIRED || floats.len() > PAIRED || frame.tree.is_cut }
    }
}

/// Whether a form puts the two outputs together, as the relation itself does: it would say no more than the verdict.
fn compares_outputs(frame: &Frame, form: &Form) -> bool {
    let nodes: Vec<usize> = form.terms().map(|term| frame.terms.terms[term].node).collect();
    nodes.iter().any(|&one| nodes.iter().any(|&other| frame.tree.are_both_outputs(one, other)))
}

fn each_pair(terms: &[usize], mut pair: impl FnMut(usize, usize)) {
    for (position, &one) in terms.iter().enumerate() {
        for &other in &terms[position + 1..] {
            pair(one, other);
        }
    }
}

fn pairs(terms: &[usize], forms: &mut Vec<Form>) {
    each_pair(terms, |one, other| {
        forms.push(Form::Linear(vec![(1, one), (-1, other)]));
        forms.push(Form::Linear(vec![(1, one), (1, other)]));
        forms.push(Form::Product(one, other));
        forms.push(Form::AbsMinus(one, other));
        forms.push(Form::Distance(one, other));
    });
}

fn scaled(terms: &[usize], forms: &mut Vec<Form>) {
    each_pair(terms, |one, other| {
        for factor in [2, 3] {
            for (x, y) in [(one, other), (other, one)] {
                forms.push(Form::Linear(vec![(1, x), (-factor, y)]));
                forms.push(Form::Linear(vec![(1, x), (factor, y)]));
            }
        }
    });
}

fn triples(terms: &[usize], forms: &mut Vec<Form>) {
    each_pair(terms, |one, other| {
        for &third in terms.iter().filter(|&&third| third != one && third != other) {
            forms.push(Form::Linear(vec![(1, one), (1, other), (-1, third)]));
            if third > one && third > other {
                forms.push(Form::Linear(vec![(1, one), (1, other), (1, third)]));
            }
        }
    });
}

fn remainders(terms: &[usize], constants: &[(String, i128)], forms: &mut Vec<Form>) {
    let constants = constants.iter().filter_map(|&(_, value)| i64::try_from(value.checked_abs()?).ok());
    let mut moduli: Vec<i64> = MODULI.into_iter().chain(constants.filter(|&value| value > 1)).collect();
    moduli.sort_unstable();
    moduli.dedup();
    for &term in terms.iter().take(SCALED) {
        forms.extend(RARE_MODULI.map(|modulus| Form::Remainder(vec![(1, term)], modulus)));
    }
    for &term in terms {
        forms.extend(moduli.iter().map(|&modulus| Form::Remainder(vec![(1, term)], modulus)));
    }
    each_pair(terms, |one, other| {
        forms.push(Form::Remainder(vec![(1, one), (1, other)], 2));
        forms.push(Form::RemainderBy(one, other));
        forms.push(Form::RemainderBy(other, one));
    });
}

/// Comparisons that are natural for a form, whatever the data: with zero, and with the suite's constants.
pub(crate) fn natural(frame: &Frame, forms: &[Form]) -> Vec<(Predicate, Bits)> {
    let mut found = Vec::new();
    for form in forms {
        let values = OnceCell::new();
        let mut add = |form: &Form, op, bound| {
            let comparison = Comparison { form: form.clone(), op, bound };
            let bits = comparison.bits(values.get_or_init(|| form.values(&frame.terms, frame.rows)));
            if (1..frame.rows as u64).contains(&bits.count()) {
                found.push((Predicate::Compare(comparison), bits));
            }
        };
        let is_float = form.is_float(&frame.terms.terms);
        let is_simple = match form {
            Form::Linear(parts) => parts.len() == 2 && parts.iter().all(|(factor, _)| factor.abs() == 1),
            Form::Abs(_) | Form::Distance(..) => false,
            _ => true,
        };
        match form {
            Form::Remainder(..) | Form::RemainderBy(..) => add(form, Op::Equal, Bound::Integer(0)),
            _ if is_simple && is_float => {
                for op in [Op::Greater, Op::AtLeast, Op::Equal, Op::Less, Op::AtMost] {
                    add(form, op, Bound::Float(0.0));
                }
            }
            _ if is_simple => {
                let is_plain = !matches!(form, Form::Product(..) | Form::AbsMinus(..));
                let constants = frame.constants.iter().filter(|_| is_plain);
                let bounds = constants.flat_map(|&(_, value)| [value, value.saturating_neg()]);
                for bound in [0].into_iter().chain(bounds) {
                    add(form, Op::Equal, Bound::Integer(bound));
                    for bound in [bound, bound.saturating_sub(1)] {
                        add(form, Op::Greater, Bound::Integer(bound));
                        if !form.is_total(&frame.terms.terms) {
                            add(form, Op::AtMost, Bound::Integer(bound));
                        }
                    }
                }
            }
            _ => {}
        }
    }
    found
}

impl Frame {
    /// Whether a term has more than one value.
    fn varies(&self, term: usize) -> bool {
        let (numbers, known) = &self.terms.columns[term];
        let mut rows = known.ones();
        let Some(first) = rows.next() else { return false };
        match numbers {
            Numbers::Integers(column) => rows.any(|row| column[row] != column[first]),
            Numbers::Floats(column) => rows.any(|row| column[row] != column[first]),
        }
    }

    fn has_negative(&self, term: usize) -> bool {
        let (numbers, known) = &self.terms.columns[term];
        match numbers {
            Numbers::Integers(column) => known.ones().any(|row| column[row] < 0),
            Numbers::Floats(column) => known.ones().any(|row| column[row] < 0.0),
        }
    }
}
