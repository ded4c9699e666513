//! What lists can be asked, and options where they are lists of at most one.

use super::{
    super::{
        Fault, Node, Result,
        datum::{Datum, Width},
        evaluate::{Names, apply, check_count, evaluate, gathered},
    },
    float,
};
use crate::log::Value;
use std::cmp::Ordering;

/// Calls a method of lists.
pub(super) fn list<'row>(
    name: &str,
    receiver: Datum<'row>,
    arguments: &[Node],
    names: &mut Names<'_, 'row>,
) -> Result<Datum<'row>> {
    if let (Datum::Option(held), "map" | "filter") = (&receiver, name) {
        return in_option(name, held.as_deref(), &arguments[0], names);
    }
    if let (Datum::Value(Value::Map(entries)), "keys" | "values") = (&receiver, name) {
        let part = |(key, value): &'row (Value, Value)| Datum::of(if name == "keys" { key } else { value });
        return Ok(Datum::List(entries.iter().map(part).collect()));
    }
    let mut items = names.items(receiver)?;
    let found = |item: Option<Datum<'row>>| Datum::Option(item.map(Box::new));
    Ok(match name {
        "count" => Datum::Integer(items.len() as i128),
        "rev" => {
            items.reverse();
            Datum::List(items)
        }
        "first" => found(items.into_iter().next()),
        "last" => found(items.pop()),
        "get" => {
            let index = usize::try_from(evaluate(&arguments[0], names)?.integer()?);
            found(index.ok().and_then(|index| items.into_iter().nth(index)))
        }
        "min" => found(extreme(items, &mut |one, other| Ok(one.compare(other)? == Some(Ordering::Less)))?),
        "max" => found(extreme(items, &mut |one, other| Ok(one.compare(other)?.is_some_and(Ordering::is_ge)))?),
        "min_by" => found(extreme(items, &mut |one, other| Ok(ordered(&arguments[0], one, other, names)?.is_lt()))?),
        "max_by" => found(extreme(items, &mut |one, other| Ok(ordered(&arguments[0], one, other, names)?.is_ge()))?),
        "sum" => return sum(items, false),
        "sum::<f64>" => return sum(items, true),
        "is_sorted_by_key" => return list("is_sorted", list("map", Datum::List(items), arguments, names)?, &[], names),
        "is_sorted" => {
            let mut pairs = items.windows(2).map(|pair| pair[0].compare(&pair[1]));
            Datum::Truth(pairs.try_fold(true, |all, order| Ok(all && order?.is_some_and(Ordering::is_le)))?)
        }
        "any" | "all" => {
            let wanted = name == "any";
            for item in items {
                if apply(&arguments[0], &[item], names)?.truth()? == wanted {
                    return Ok(Datum::Truth(wanted));
                }
            }
            Datum::Truth(!wanted)
        }
        "map" => Datum::List(gathered(items.into_iter().map(|item| apply(&arguments[0], &[item], names)))?),
        "filter" => {
            let mut kept = Vec::new();
            for item in items {
                if apply(&arguments[0], std::slice::from_ref(&item), names)?.truth()? {
                    kept.push(item);
                }
            }
            Datum::List(kept)
        }
        "enumerate" => {
            let numbered = items.into_iter().zip(0..).map(|(item, at)| Datum::Tuple(vec![Datum::Integer(at), item]));
            Datum::List(numbered.collect())
        }
        "windows" => {
            let size = usize::try_from(evaluate(&arguments[0], names)?.integer()?).ok().filter(|&size| size > 0);
            let size = size.ok_or_else(|| Fault::new("windows must have a positive size"))?;
            let most_held = items.iter().map(|item| 1 + item.held()).max().unwrap_or(0);
            check_count((items.len() + 1).saturating_sub(size).saturating_mul(size).saturating_mul(most_held))?;
            Datum::List(items.windows(size).map(|window| Datum::List(window.to_vec())).collect())
        }
        "eq" => {
            let other = evaluate(&arguments[0], names)?;
            Datum::Truth(Datum::List(items).is_equal(&Datum::List(names.items(other)?))?)
        }
        _ => return Err(Fault::new(format!("only a map has `{name}`"))),
    })
}

fn in_option<'row>(
    name: &str,
    held: Option<&Datum<'row>>,
    closure: &Node,
    names: &mut Names<'_, 'row>,
) -> Result<Datum<'row>> {
    let Some(inner) = held else { return Ok(Datum::Option(None)) };
    let result = apply(closure, std::slice::from_ref(inner), names)?;
    let held = if name == "map" { Some(result) } else { result.truth()?.then(|| inner.clone()) };
    Ok(Datum::Option(held.map(Box::new)))
}

/// The item that is better than all before it.
fn extreme<'row>(
    items: Vec<Datum<'row>>,
    is_better: &mut dyn FnMut(&Datum<'row>, &Datum<'row>) -> Result<bool>,
) -> Result<Option<Datum<'row>>> {
    let mut best: Option<Datum<'row>> = None;
    for item in items {
        let is_new = match &best {
            Some(best) => is_better(&item, best)?,
            None => true,
        };
        if is_new {
            best = Some(item);
        }
    }
    Ok(best)
}

fn ordered<'row>(
    closure: &Node,
    one: &Datum<'row>,
    other: &Datum<'row>,
    names: &mut Names<'_, 'row>,
) -> Result<Ordering> {
    match apply(closure, &[one.clone(), other.clone()], names)? {
        Datum::Order(order) => Ok(order),
        other => Err(other.is_no("an order")),
    }
}

fn sum(items: Vec<Datum<'_>>, is_float: bool) -> Result<Datum<'_>> {
    if is_float || matches!(items.first(), Some(Datum::Float(..))) {
        let total = items.into_iter().map(float).sum::<Result<f64>>()?;
        return Ok(Datum::Float(total, Width::Double));
    }
    let mut total = 0i128;
    for item in items {
        total = total.checked_add(item.integer()?).ok_or_else(|| Fault::new("a sum is too wide"))?;
    }
    Ok(Datum::Integer(total))
}
