//! What a condition comes to in a row, with the meaning that Rust gives it.

use super::{
    Fault, Node, Operator, Result, Scope, Type,
    datum::{Datum, Width},
};
use crate::log::Value;
use std::{borrow::Cow, cmp::Ordering};

/// How many parts may be evaluated for one row, and items be made or looked at: more would take longer than anybody waits.
/// Lists of 2000 elements, each compared with all others, take fewer.
const MOST_STEPS: usize = 1 << 25;
/// How many items a list may have, with those inside of them: more would only fill the memory.
const MOST_ITEMS: usize = 1 << 18;

/// What names stand for, the innermost last, and how much may still be done.
pub(super) struct Names<'scope, 'row> {
    scope: &'scope Scope<'row>,
    bound: Vec<(String, Datum<'row>)>,
    steps: usize,
}

impl<'scope, 'row> Names<'scope, 'row> {
    pub(super) fn new(scope: &'scope Scope<'row>) -> Self {
        Self { scope, bound: Vec::new(), steps: MOST_STEPS }
    }

    /// Takes so many steps, if they are left.
    pub(super) fn take(&mut self, steps: usize) -> Result<()> {
        self.steps = self.steps.saturating_sub(steps);
        if self.are_exhausted() { Err(too_much()) } else { Ok(()) }
    }

    /// The items of a list or of what is like one: making each takes a step.
    pub(super) fn items(&mut self, list: Datum<'row>) -> Result<Vec<Datum<'row>>> {
        let items = list.items()?;
        self.take(items.len())?;
        Ok(items)
    }

    /// Whether no step is left.
    pub(super) fn are_exhausted(&self) -> bool {
        self.steps == 0
    }

    pub(super) fn bind(&mut self, name: String, datum: Datum<'row>) {
        self.bound.push((name, datum));
    }

    /// Does something after which all that it bound is forgotten.
    pub(super) fn within<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let known = self.bound.len();
        let result = run(self);
        self.bound.truncate(known);
        result
    }

    fn find(&self, name: &str) -> Result<Datum<'row>> {
        let bound = self.bound.iter().rev().find(|(known, _)| known == name).map(|(_, datum)| datum.clone());
        bound.or_else(|| self.scope.find(name)).ok_or_else(|| Fault::new(format!("there is no field `{name}`")))
    }
}

pub(super) fn too_much() -> Fault {
    Fault::new("it takes too many steps")
}

pub(super) fn evaluate<'row>(node: &Node, names: &mut Names<'_, 'row>) -> Result<Datum<'row>> {
    let datum = datum(node, names)?;
    names.take(1 + datum.held())?;
    Ok(datum)
}

fn datum<'row>(node: &Node, names: &mut Names<'_, 'row>) -> Result<Datum<'row>> {
    Ok(match node {
        Node::Constant(constant) => constant.clone(),
        Node::Name(name) => names.find(name)?,
        Node::Own(index) => names.scope.own(*index)?,
        Node::Field(whole, name) => return field(whole, name, names),
        Node::Index(list, index) => {
            let (list, index) = (evaluate(list, names)?, evaluate(index, names)?);
            return indexed(list, index, names);
        }
        Node::Range { from, to, is_closed } => {
            let mut end = |node: &Option<Box<Node>>| match node {
                Some(node) => evaluate(node, names)?.integer().map(Some),
                None => Ok(None),
            };
            let (from, to) = (end(from)?, end(to)?);
            Datum::Range(from, to.map(|to| to.saturating_add(i128::from(*is_closed))))
        }
        Node::Not(node) => match evaluate(node, names)? {
            Datum::Integer(_) => return Err(Fault::new("`!` of a number is not supported")),
            datum => Datum::Truth(!datum.truth()?),
        },
        Node::Negate(node) => match evaluate(node, names)? {
            Datum::Integer(integer) => Datum::Integer(integer.checked_neg().ok_or_else(too_wide)?),
            Datum::Float(float, Width::Open) => Datum::Float(-float, Width::Open),
            Datum::Float(float, _) => Datum::Float(-float, Width::Double),
            other => return Err(other.is_no("a number")),
        },
        Node::Binary(Operator::And, one, other) => {
            Datum::Truth(evaluate(one, names)?.truth()? && evaluate(other, names)?.truth()?)
        }
        Node::Binary(Operator::Or, one, other) => {
            Datum::Truth(evaluate(one, names)?.truth()? || evaluate(other, names)?.truth()?)
        }
        Node::Binary(operator, one, other) => {
            let (one, other) = (evaluate(one, names)?, evaluate(other, names)?);
            names.take(one.extent().max(other.extent()))?;
            return binary(*operator, one, other);
        }
        Node::Cast(node, to) => return cast(evaluate(node, names)?, *to),
        Node::Some(node) => Datum::Option(Some(Box::new(evaluate(node, names)?))),
        Node::Tuple(nodes) => Datum::Tuple(all(nodes, names)?),
        Node::List(nodes) => Datum::List(all(nodes, names)?),
        Node::Call(receiver, method, arguments) => {
            let receiver = evaluate(receiver, names)?;
            names.take(receiver.extent())?;
            return method.call(receiver, arguments, names);
        }
        Node::Closure(..) => return Err(Fault::new("a closure stands where a value is needed")),
        Node::Matches(node, pattern, guard) => {
            let datum = evaluate(node, names)?;
            return names.within(|names| {
                let is_met = pattern.matches(&datum, names)?
                    && match guard {
                        Some(guard) => evaluate(guard, names)?.truth()?,
                        None => true,
                    };
                Ok(Datum::Truth(is_met))
            });
        }
    })
}

fn all<'row>(nodes: &[Node], names: &mut Names<'_, 'row>) -> Result<Vec<Datum<'row>>> {
    gathered(nodes.iter().map(|node| evaluate(node, names)))
}

/// A list of what comes, as far as there may be so much.
pub(super) fn gathered<'row>(data: impl Iterator<Item = Result<Datum<'row>>>) -> Result<Vec<Datum<'row>>> {
    let (mut gathered, mut count) = (Vec::new(), 0);
    for datum in data {
        let datum = datum?;
        count += 1 + datum.held();
        check_count(count)?;
        gathered.push(datum);
    }
    Ok(gathered)
}

/// Refuses so many items.
pub(super) fn check_count(count: usize) -> Result<()> {
    if count > MOST_ITEMS { Err(Fault::new("a list has too many items")) } else { Ok(()) }
}

/// A field; `input.a` and `p.a` are `a`, if nothing else is called `input` or `p`.
fn field<'row>(whole: &Node, name: &str, names: &mut Names<'_, 'row>) -> Result<Datum<'row>> {
    if let Node::Name(input) = whole
        && names.find(input).is_err()
    {
        return names.find(name);
    }
    evaluate(whole, names)?.field(name)
}

/// What a closure makes of some arguments.
pub(super) fn apply<'row>(
    closure: &Node,
    arguments: &[Datum<'row>],
    names: &mut Names<'_, 'row>,
) -> Result<Datum<'row>> {
    let Node::Closure(patterns, body) = closure else { return Err(Fault::new("a closure such as `|x| ..` is needed")) };
    if patterns.len() != arguments.len() {
        return Err(Fault::new(format!("a closure with {} parameters is needed", arguments.len())));
    }
    names.within(|names| {
        for (pattern, argument) in patterns.iter().zip(arguments) {
            pattern.matches(argument, names)?;
        }
        evaluate(body, names)
    })
}

fn indexed<'row>(list: Datum<'row>, index: Datum<'row>, names: &mut Names<'_, 'row>) -> Result<Datum<'row>> {
    let outside = || Fault::new("an index is out of bounds");
    let bound = |end: i128| usize::try_from(end).map_err(|_| outside());
    let Datum::Range(from, to) = index else {
        let index = bound(index.integer()?)?;
        let item = match list {
            Datum::Value(Value::List(values)) => values.get(index).map(Datum::of),
            Datum::Value(Value::Bytes(bytes)) => bytes.get(index).map(|&byte| Datum::Integer(byte.into())),
            list => names.items(list)?.into_iter().nth(index),
        };
        return item.ok_or_else(outside);
    };
    let (from, to) = (from.map_or(Ok(0), bound)?, to.map(bound).transpose()?);
    let range = |length: usize| from..to.unwrap_or(length);
    let part = match list {
        Datum::Text(text) => text.get(range(text.len())).map(|part| Datum::Text(Cow::Owned(part.to_owned()))),
        Datum::Value(Value::List(values)) => {
            values.get(range(values.len())).map(|part| Datum::List(part.iter().map(Datum::of).collect()))
        }
        list => {
            let items = names.items(list)?;
            items.get(range(items.len())).map(|part| Datum::List(part.to_vec()))
        }
    };
    part.ok_or_else(outside)
}

fn too_wide() -> Fault {
    Fault::new("a number is too wide, or divided by zero")
}

fn binary<'row>(operator: Operator, one: Datum<'row>, other: Datum<'row>) -> Result<Datum<'row>> {
    let ordered = |wanted: fn(Ordering) -> bool| Ok(Datum::Truth(one.compare(&other)?.is_some_and(wanted)));
    match operator {
        Operator::Equal => return Ok(Datum::Truth(one.is_equal(&other)?)),
        Operator::NotEqual => return Ok(Datum::Truth(!one.is_equal(&other)?)),
        Operator::Less => return ordered(Ordering::is_lt),
        Operator::AtMost => return ordered(Ordering::is_le),
        Operator::Greater => return ordered(Ordering::is_gt),
        Operator::AtLeast => return ordered(Ordering::is_ge),
        _ => {}
    }
    match (one, other) {
        (Datum::Integer(one), Datum::Integer(other)) => {
            whole(operator, one, other).map(Datum::Integer).ok_or_else(too_wide)
        }
        (Datum::Float(one, _), Datum::Float(other, _)) => {
            let float = match operator {
                Operator::Add => one + other,
                Operator::Subtract => one - other,
                Operator::Multiply => one * other,
                Operator::Divide => one / other,
                Operator::Remainder => one % other,
                _ => return Err(Fault::new("bits of a float cannot be used")),
            };
            Ok(Datum::Float(float, Width::Double))
        }
        (Datum::Truth(one), Datum::Truth(other)) => Ok(Datum::Truth(match operator {
            Operator::BitAnd => one & other,
            Operator::BitOr => one | other,
            Operator::BitXor => one ^ other,
            _ => return Err(Fault::new("true and false cannot be calculated with")),
        })),
        (one, other) => Err(Fault::new(format!("{one} and {other} cannot be calculated with"))),
    }
}

fn whole(operator: Operator, one: i128, other: i128) -> Option<i128> {
    let shift = || u32::try_from(other).ok();
    match operator {
        Operator::Add => one.checked_add(other),
        Operator::Subtract => one.checked_sub(other),
        Operator::Multiply => one.checked_mul(other),
        Operator::Divide => one.checked_div(other),
        Operator::Remainder => one.checked_rem(other),
        Operator::BitAnd => Some(one & other),
        Operator::BitOr => Some(one | other),
        Operator::BitXor => Some(one ^ other),
        Operator::ShiftLeft => 1i128.checked_shl(shift()?).and_then(|factor| one.checked_mul(factor)),
        Operator::ShiftRight => one.checked_shr(shift()?),
        _ => None,
    }
}

fn cast(datum: Datum<'_>, to: Type) -> Result<Datum<'_>> {
    Ok(match (datum, to) {
        (Datum::Integer(integer), Type::Integer(bits, is_signed)) => Datum::Integer(wrapped(integer, bits, is_signed)),
        (Datum::Integer(integer), Type::Float(Width::Single)) => Datum::Float((integer as f32).into(), Width::Single),
        (Datum::Integer(integer), Type::Float(width)) => Datum::Float(integer as f64, width),
        (Datum::Float(float, _), Type::Float(width)) => Datum::Float(width.nearest(float), width),
        (Datum::Float(float, _), Type::Integer(bits, is_signed)) => Datum::Integer(saturated(float, bits, is_signed)),
        (Datum::Truth(truth), Type::Integer(..)) => Datum::Integer(truth.into()),
        (Datum::Letter(letter), Type::Integer(bits, is_signed)) => {
            Datum::Integer(wrapped(u32::from(letter).into(), bits, is_signed))
        }
        (Datum::Integer(integer), Type::Letter) => {
            let letter = u32::try_from(integer).ok().and_then(char::from_u32);
            Datum::Letter(letter.ok_or_else(too_wide)?)
        }
        (Datum::Letter(letter), Type::Letter) => Datum::Letter(letter),
        (other, _) => return Err(other.is_no("a number that can be cast")),
    })
}

/// What is left of a number in so many bits.
fn wrapped(integer: i128, bits: u32, is_signed: bool) -> i128 {
    if bits >= 128 {
        return integer;
    }
    let low = integer & ((1 << bits) - 1);
    if is_signed && low >> (bits - 1) == 1 { low - (1 << bits) } else { low }
}

fn saturated(float: f64, bits: u32, is_signed: bool) -> i128 {
    let (low, high) = match (bits, is_signed) {
        (128.., true) => (i128::MIN, i128::MAX),
        (128.., false) => (0, i128::MAX),
        (bits, true) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        (bits, false) => (0, (1 << bits) - 1),
    };
    (float as i128).clamp(low, high)
}
