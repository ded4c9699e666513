//! What parts of a condition look like, without a word about what they mean.

use crate::expression::plain;
use syn::{BinOp, Expr, Lit, Pat, UnOp, spanned::Spanned};

/// Where an expression ends.
pub(super) fn end(expression: &Expr) -> usize {
    expression.span().byte_range().end
}

/// The variant that a pattern asks for, if it asks for nothing else.
pub(super) fn variant(pattern: &Pat) -> Option<String> {
    let path = match pattern {
        Pat::Path(path) => &path.path,
        Pat::Struct(parts) if parts.fields.is_empty() => &parts.path,
        Pat::TupleStruct(parts) if parts.elems.iter().all(|part| matches!(part, Pat::Rest(_) | Pat::Wild(_))) => {
            &parts.path
        }
        _ => return None,
    };
    path.segments.last().map(|segment| plain(&segment.ident))
}

/// A constant as a literal.
pub(super) fn number(text: &str) -> Option<String> {
    match (text.parse::<i128>(), text.parse::<f64>()) {
        (Ok(integer), _) => Some(integer.to_string()),
        (_, Ok(float)) if float.is_finite() => Some(format!("{float:?}")),
        _ => None,
    }
}

pub(super) fn is_arithmetic(op: &BinOp) -> bool {
    matches!(op, BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_))
}

pub(super) fn is_comparison(op: &BinOp) -> bool {
    matches!(op, BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_))
}

/// Whether a method can overflow, or is not there for every type of numbers.
pub(super) fn is_widened_method(name: &str) -> bool {
    matches!(name, "abs" | "rem_euclid" | "div_euclid" | "checked_rem" | "checked_div" | "pow" | "signum")
}

/// Whether it is a sum whose type is written down.
pub(super) fn is_wide_sum(call: &syn::ExprMethodCall) -> bool {
    call.method == "sum" && call.turbofish.is_some()
}

pub(super) fn is_wide_type(to: &syn::Type) -> bool {
    matches!(to, syn::Type::Path(path) if path.path.is_ident("i128"))
}

pub(super) fn is_some(function: &Expr) -> bool {
    matches!(function, Expr::Path(path) if path.path.is_ident("Some"))
}

/// Whether it is a float as it is written, with its sign or without.
pub(super) fn is_float_literal(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(literal) => matches!(literal.lit, Lit::Float(_)),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && is_float_literal(&unary.expr),
        Expr::Paren(inner) => is_float_literal(&inner.expr),
        _ => false,
    }
}

/// Whether an operand may be a number.
pub(super) fn is_number(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(literal) => matches!(literal.lit, Lit::Int(_) | Lit::Float(_) | Lit::Byte(_)),
        Expr::Path(path) => !path.path.is_ident("None"),
        Expr::Tuple(_) | Expr::Array(_) | Expr::Reference(_) => false,
        _ => true,
    }
}
