//! Forms: terms put together by arithmetic, and comparisons of them with a constant.

use super::{
    bits::Bits,
    term::{Numbers, Term, Terms},
    text::{Wrapped, distinct, join, nicer},
};

/// The least modulus whose remainders are more than residue classes.
const DIGITS: i64 = 10;

/// A number made of terms.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Form {
    /// A term itself.
    Term(usize),
    /// Its absolute value.
    Abs(usize),
    /// A sum with small coefficients.
    Linear(Vec<(i8, usize)>),
    /// A product.
    Product(usize, usize),
    /// The first's absolute value less the second's.
    AbsMinus(usize, usize),
    /// How far they are apart.
    Distance(usize, usize),
    /// The remainder of a sum, never negative.
    Remainder(Vec<(i8, usize)>, i64),
    /// The remainder by another term.
    RemainderBy(usize, usize),
}

/// Where the numbers come from.
pub(crate) trait Numeric {
    fn integer(&self, term: usize) -> Option<i128>;
    fn float(&self, term: usize) -> Option<f64>;
}

/// One row of columns.
pub(crate) struct At<'terms>(pub(crate) &'terms Terms, pub(crate) usize);

impl Numeric for At<'_> {
    fn integer(&self, term: usize) -> Option<i128> {
        match &self.0.columns[term] {
            (Numbers::Integers(column), known) if known.get(self.1) => Some(column[self.1]),
            _ => None,
        }
    }

    fn float(&self, term: usize) -> Option<f64> {
        match &self.0.columns[term] {
            (Numbers::Floats(column), known) if known.get(self.1) => Some(column[self.1]),
            _ => None,
        }
    }
}

/// What a form comes to in each row, where it does.
pub(crate) enum Values {
    Integers(Vec<Option<i128>>),
    Floats(Vec<Option<f64>>),
}

impl Form {
    /// Its values in all rows.
    pub(crate) fn values(&self, terms: &Terms, rows: usize) -> Values {
        if self.is_float(&terms.terms) {
            Values::Floats((0..rows).map(|row| self.float(&At(terms, row))).collect())
        } else {
            Values::Integers((0..rows).map(|row| self.integer(&At(terms, row))).collect())
        }
    }

    /// Whether it is made of floats.
    pub(crate) fn is_float(&self, terms: &[Term]) -> bool {
        self.terms().any(|term| terms[term].is_float)
    }

    /// The terms it is made of.
    pub(crate) fn terms(&self) -> impl Iterator<Item = usize> {
        let (parts, others) = match self {
            Self::Term(term) | Self::Abs(term) => (&[][..], [Some(*term), None]),
            Self::Linear(parts) | Self::Remainder(parts, _) => (&parts[..], [None; 2]),
            Self::Product(one, other)
            | Self::AbsMinus(one, other)
            | Self::Distance(one, other)
            | Self::RemainderBy(one, other) => (&[][..], [Some(*one), Some(*other)]),
        };
        parts.iter().map(|&(_, term)| term).chain(others.into_iter().flatten())
    }

    /// Its value where all terms are integers.
    pub(crate) fn integer(&self, numbers: &impl Numeric) -> Option<i128> {
        let get = |term: &usize| numbers.integer(*term);
        let linear = |parts: &[(i8, usize)]| {
            parts.iter().try_fold(0i128, |sum, (factor, term)| {
                get(term)?.checked_mul(i128::from(*factor)).and_then(|part| sum.checked_add(part))
            })
        };
        match self {
            Self::Term(term) => get(term),
            Self::Abs(term) => get(term)?.checked_abs(),
            Self::Linear(parts) => linear(parts),
            Self::Product(one, other) => get(one)?.checked_mul(get(other)?),
            Self::AbsMinus(one, other) => get(one)?.checked_abs()?.checked_sub(get(other)?.checked_abs()?),
            Self::Distance(one, other) => get(one)?.checked_sub(get(other)?)?.checked_abs(),
            Self::Remainder(parts, modulus) => {
                remainder(linear(parts)?, i128::from(*modulus), i64::checked_rem_euclid, i128::checked_rem_euclid)
            }
            Self::RemainderBy(one, other) => remainder(get(one)?, get(other)?, i64::checked_rem, i128::checked_rem),
        }
    }

    /// Its value where all terms are floats; never NaN.
    pub(crate) fn float(&self, numbers: &impl Numeric) -> Option<f64> {
        let get = |term: &usize| numbers.float(*term);
        let value = match self {
            Self::Term(term) => get(term)?,
            Self::Abs(term) => get(term)?.abs(),
            // As it is written: what has a minus is on the other side.
            Self::Linear(parts) => {
                let side = |is_negative: bool| {
                    let mut parts = parts.iter().filter(|(factor, _)| (*factor < 0) == is_negative);
                    parts.try_fold(0.0, |sum, (factor, term)| Some(sum + f64::from(factor.unsigned_abs()) * get(term)?))
                };
                difference(side(false)?, side(true)?)
            }
            Self::Product(one, other) => get(one)? * get(other)?,
            Self::AbsMinus(one, other) => difference(get(one)?.abs(), get(other)?.abs()),
            Self::Distance(one, other) => (get(one)? - get(other)?).abs(),
            Self::Remainder(..) | Self::RemainderBy(..) => return None,
        };
        (!value.is_nan()).then_some(value)
    }

    /// Whether every row has it and a comparison can be turned round.
    pub(crate) fn is_total(&self, terms: &[Term]) -> bool {
        let has_gaps = matches!(self, Self::RemainderBy(..)) || self.meets_infinities(terms);
        !has_gaps && self.terms().all(|term| terms[term].is_total)
    }

    /// Whether it may put infinities together, which have no difference, and with zero no product.
    pub(crate) fn meets_infinities(&self, terms: &[Term]) -> bool {
        self.terms().nth(1).is_some() && self.terms().any(|term| terms[term].has_infinities)
    }

    /// Whether its order means anything: that of the last digits of a number does, as cents and minutes do.
    pub(crate) fn is_ordered(&self) -> bool {
        match self {
            Self::Remainder(_, modulus) => *modulus >= DIGITS,
            Self::RemainderBy(..) => false,
            _ => true,
        }
    }

    /// How hard it is to read.
    pub(crate) fn cost(&self) -> u32 {
        match self {
            Self::Term(_) => 1,
            Self::Linear(parts) => {
                let factors: u32 = parts.iter().map(|(factor, _)| u32::from(factor.unsigned_abs() > 1)).sum();
                parts.len() as u32 + factors
            }
            Self::Abs(_) => 2,
            Self::Product(..) | Self::AbsMinus(..) | Self::Distance(..) => 3,
            Self::Remainder(parts, modulus) => 2 + parts.len() as u32 - u32::from(*modulus == 2),
            Self::RemainderBy(..) => 3,
        }
    }
}

/// How far two floats are apart; equal infinities are not.
fn difference(one: f64, other: f64) -> f64 {
    if one == other { 0.0 } else { one - other }
}

/// A remainder; of small numbers, as nearly all are, much faster.
fn remainder(
    one: i128,
    other: i128,
    small: fn(i64, i64) -> Option<i64>,
    wide: fn(i128, i128) -> Option<i128>,
) -> Option<i128> {
    match (i64::try_from(one), i64::try_from(other)) {
        (Ok(one), Ok(other)) => small(one, other).map(i128::from),
        _ => wide(one, other),
    }
}

/// How a form is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Op {
    Greater,
    AtLeast,
    Equal,
    // Not just the opposites of the others: NaN is neither.
    Less,
    AtMost,
}

impl Op {
    fn holds<T: PartialOrd>(self, value: T, bound: T) -> bool {
        match self {
            Self::Greater => value > bound,
            Self::AtLeast => value >= bound,
            Self::Equal => value == bound,
            Self::Less => value < bound,
            Self::AtMost => value <= bound,
        }
    }

    /// As Rust, or its opposite.
    fn sign(self, is_true: bool) -> &'static str {
        match (self, is_true) {
            (Self::Greater, true) | (Self::AtMost, false) => ">",
            (Self::AtLeast, true) | (Self::Less, false) => ">=",
            (Self::Less, true) | (Self::AtLeast, false) => "<",
            (Self::AtMost, true) | (Self::Greater, false) => "<=",
            (Self::Equal, true) => "==",
            (Self::Equal, false) => "!=",
        }
    }
}

/// What a form is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bound {
    Integer(i128),
    Float(f64),
}

/// A form against a constant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Comparison {
    pub(crate) form: Form,
    pub(crate) op: Op,
    pub(crate) bound: Bound,
}

impl Comparison {
    pub(crate) fn test(&self, numbers: &impl Numeric) -> bool {
        match self.bound {
            Bound::Integer(bound) => self.form.integer(numbers).is_some_and(|value| self.op.holds(value, bound)),
            Bound::Float(bound) => self.form.float(numbers).is_some_and(|value| self.op.holds(value, bound)),
        }
    }

    pub(crate) fn bits(&self, values: &Values) -> Bits {
        match (values, self.bound) {
            (Values::Integers(values), Bound::Integer(bound)) => {
                Bits::from_fn(values.len(), |row| values[row].is_some_and(|value| self.op.holds(value, bound)))
            }
            (Values::Floats(values), Bound::Float(bound)) => {
                Bits::from_fn(values.len(), |row| values[row].is_some_and(|value| self.op.holds(value, bound)))
            }
            (Values::Integers(values), _) => Bits::new(values.len()),
            (Values::Floats(values), _) => Bits::new(values.len()),
        }
    }

    /// How hard it is to read.
    pub(crate) fn cost(&self) -> u32 {
        let is_zero = matches!(self.bound, Bound::Integer(0)) || self.bound == Bound::Float(0.0);
        let is_pair = matches!(&self.form, Form::Linear(parts) if matches!(parts[..], [(1, _), (-1, _)]));
        let is_order = is_pair && (is_zero || (self.op == Op::Greater && self.bound == Bound::Integer(-1)));
        // Where the last digits of a number begin or end is harder to see than what they are.
        let is_of_digits = matches!(self.form, Form::Remainder(..)) && self.op != Op::Equal;
        if is_order { 1 } else { self.form.cost() + u32::from(!is_zero) + u32::from(is_of_digits) }
    }

    /// As Rust, or its opposite.
    pub(crate) fn write(&self, terms: &[Term], is_true: bool, constants: &[(String, i128)]) -> Wrapped {
        let is_turned = self.form.is_total(terms) || (self.op == Op::Equal && self.guards(terms).is_empty());
        let body = self.body(terms, is_true || !is_turned, constants);
        Wrapped { guards: self.guards(terms), body, is_not: !is_true && !is_turned }
    }

    fn guards(&self, terms: &[Term]) -> Vec<(String, &'static str)> {
        distinct(self.form.terms().flat_map(|term| &terms[term].place.guards))
    }

    fn body(&self, terms: &[Term], is_true: bool, constants: &[(String, i128)]) -> String {
        let (op, bound) = self.named(is_true, constants).unwrap_or_else(|| self.shown(is_true));
        let mut types = self.form.terms().map(|term| terms[term].integer_type());
        let first_type = types.next().flatten();
        let is_mixed = types.any(|other| other != first_type);
        let name = |term: &usize| terms[*term].write(is_mixed);
        let is_float = matches!(self.bound, Bound::Float(_));
        let scaled = |factor: u8, term: &usize| match factor {
            1 => name(term),
            _ if is_float => format!("{factor}.0 * {}", name(term)),
            _ => format!("{factor} * {}", name(term)),
        };
        let left = match &self.form {
            Form::Term(term) => name(term),
            Form::Abs(term) => format!("{}.abs()", name(term)),
            Form::Linear(parts) => {
                let is_length = first_type == Some("usize") && !is_mixed;
                return linear(parts, &scaled, op, &bound, is_length);
            }
            Form::Product(one, other) => format!("{} * {}", name(one), name(other)),
            Form::AbsMinus(one, other) if bound == "0" => {
                return format!("{}.abs() {op} {}.abs()", name(one), name(other));
            }
            Form::AbsMinus(one, other) => format!("{}.abs() - {}.abs()", name(one), name(other)),
            Form::Distance(one, other) if is_float => format!("({} - {}).abs()", name(one), name(other)),
            Form::Distance(one, other) => format!("{}.abs_diff({})", name(one), name(other)),
            Form::Remainder(parts, modulus) => match parts[..] {
                [(1, term)] => format!("{}.rem_euclid({modulus})", name(&term)),
                _ => format!("({}).rem_euclid({modulus})", join(parts, &scaled)),
            },
            // There is none by zero, and that is not zero.
            Form::RemainderBy(one, other) => {
                return format!("{}.checked_rem({}) {op} Some({bound})", name(one), name(other));
            }
        };
        format!("{left} {op} {bound}")
    }

    /// The sign and the constant, so that the constant is the nicer of two neighbours.
    fn shown(&self, is_true: bool) -> (&'static str, String) {
        let sign = |op: Op| op.sign(is_true);
        match self.bound {
            Bound::Integer(bound) if self.op == Op::Greater && nicer(bound.saturating_add(1), bound) => {
                (sign(Op::AtLeast), (bound.saturating_add(1)).to_string())
            }
            Bound::Integer(bound) if self.op == Op::AtMost && nicer(bound.saturating_add(1), bound) => {
                (sign(Op::Less), (bound.saturating_add(1)).to_string())
            }
            Bound::Integer(bound) => (sign(self.op), bound.to_string()),
            Bound::Float(0.0) => (sign(self.op), if self.is_pair() { "0" } else { "0.0" }.into()),
            Bound::Float(bound) => (sign(self.op), format!("{bound:?}")),
        }
    }

    /// The number that it is compared with, if one is written: neither a name, nor two sides without any.
    pub(crate) fn written_bound(&self, constants: &[(String, i128)]) -> Option<f64> {
        let (_, bound) = self.shown(true);
        let is_written = self.named(true, constants).is_none() && !(bound == "0" && self.is_pair());
        bound.parse().ok().filter(|_| is_written)
    }

    /// The sign and a constant of the suite, where the bound is one or next to one.
    fn named(&self, is_true: bool, constants: &[(String, i128)]) -> Option<(&'static str, String)> {
        let Bound::Integer(bound) = self.bound else { return None };
        let next = match self.op {
            Op::Greater => Some((bound.checked_add(1)?, Op::AtLeast)),
            Op::AtMost => Some((bound.checked_add(1)?, Op::Less)),
            _ => None,
        };
        for (wanted, op) in [(bound, self.op)].into_iter().chain(next) {
            let is_it = |(_, value): &&(String, i128)| value.unsigned_abs() == wanted.unsigned_abs() && wanted != 0;
            if let Some((name, value)) = constants.iter().find(is_it) {
                let minus = if *value == wanted { "" } else { "-" };
                return Some((op.sign(is_true), format!("{minus}{name}")));
            }
        }
        None
    }

    /// Whether a nought is not written, as two sides are compared instead.
    fn is_pair(&self) -> bool {
        match &self.form {
            Form::AbsMinus(..) => true,
            Form::Linear(parts) => {
                parts.iter().any(|(factor, _)| *factor > 0) && parts.iter().any(|(factor, _)| *factor < 0)
            }
            _ => false,
        }
    }
}

/// A sum against a constant. Parts with a minus go to the other side where that leaves nothing else there, and where
/// they are lengths: a difference of these below zero is an overflow.
fn linear(
    parts: &[(i8, usize)],
    scaled: &impl Fn(u8, &usize) -> String,
    op: &str,
    bound: &str,
    is_length: bool,
) -> String {
    let (positive, negative): (Vec<_>, Vec<_>) = parts.iter().copied().partition(|(factor, _)| *factor > 0);
    let is_one_sided = positive.is_empty() || negative.is_empty();
    if is_one_sided || (bound != "0" && !is_length) {
        return format!("{} {op} {bound}", join(parts, scaled));
    }
    let (left, right) = (join(&positive, scaled), join(&negative, scaled));
    match bound.strip_prefix('-') {
        _ if bound == "0" => format!("{left} {op} {right}"),
        Some(bound) => format!("{left} + {bound} {op} {right}"),
        None => format!("{left} {op} {right} + {bound}"),
    }
}
