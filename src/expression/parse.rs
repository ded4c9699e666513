//! From text to a condition. What cannot be understood is named, with what would be.

use super::{
    Fault, Node, Operator, Result, Type,
    datum::{Datum, Width},
    method::Method,
    pattern::Pattern,
    room::with_room,
};
use crate::log::Header;
use std::{borrow::Cow, cell::Cell};
use syn::{BinOp, Expr, Lit, Pat, UnOp, spanned::Spanned};

/// How long a condition may be, and how deeply its brackets may nest: text from a file must not exhaust the stack.
const MAX_LENGTH: usize = 4000;
const MAX_DEPTH: usize = 48;

/// How deep what is read may be: of chains such as `a || b || ..`, every link is inside the next.
const MAX_TREE: usize = 512;

pub(super) fn parse(text: &str, header: &Header) -> Result<Node> {
    check_size(text)?;
    with_room(|| {
        let expression = syntax(text)?;
        let own = header.features.iter().map(|feature| syntax(feature).ok()).collect();
        Reader { own, depth: Cell::new(0) }.node(&expression)
    })?
}

/// A text as an expression; with [`with_room`] only, as brackets are not all that nests.
pub(crate) fn syntax(text: &str) -> Result<Expr> {
    check_size(text)?;
    syn::parse_str(text).map_err(|error| Fault::new(format!("it is no Rust expression: {error}")))
}

fn check_size(text: &str) -> Result<()> {
    if text.len() > MAX_LENGTH {
        return Err(Fault::new(format!("it is longer than {MAX_LENGTH} bytes")));
    }
    let (mut depth, mut deepest, mut prefixes) = (0usize, 0, 0usize);
    // A closure is as deep as its arguments' brackets, of which there is one more for each.
    let mut opened: Vec<usize> = Vec::new();
    for letter in text.bytes() {
        match letter {
            b'(' | b'[' | b'{' => {
                opened.push(depth);
                depth += 1;
            }
            b'|' => depth += 1,
            b')' | b']' | b'}' => depth = opened.pop().unwrap_or(0),
            _ => {}
        }
        prefixes = match letter {
            b'!' | b'-' | b'*' | b'&' => prefixes + 1,
            letter if letter.is_ascii_whitespace() => prefixes,
            _ => 0,
        };
        deepest = deepest.max(depth).max(prefixes);
    }
    if deepest > MAX_DEPTH { Err(Fault::new("it nests too deeply")) } else { Ok(()) }
}

struct Reader {
    /// The suite's own features, as far as they are expressions.
    own: Vec<Option<Expr>>,
    /// How deep in the expression it is.
    depth: Cell<usize>,
}

impl Reader {
    fn node(&self, expression: &Expr) -> Result<Node> {
        let depth = self.depth.get();
        if depth == MAX_TREE {
            return Err(Fault::new("it nests too deeply"));
        }
        self.depth.set(depth + 1);
        let node = self.shallow_node(expression);
        self.depth.set(depth);
        node
    }

    fn shallow_node(&self, expression: &Expr) -> Result<Node> {
        if let Some(own) = self.own.iter().position(|own| own.as_ref() == Some(expression)) {
            return Ok(Node::Own(own));
        }
        let boxed = |expression: &Expr| self.node(expression).map(Box::new);
        Ok(match expression {
            Expr::Paren(inner) => self.node(&inner.expr)?,
            Expr::Group(inner) => self.node(&inner.expr)?,
            Expr::Reference(inner) => self.node(&inner.expr)?,
            Expr::Lit(literal) => Node::Constant(constant(&literal.lit)?),
            Expr::Path(path) => self.path(&path.path)?,
            Expr::Unary(unary) => match unary.op {
                UnOp::Not(_) => Node::Not(boxed(&unary.expr)?),
                UnOp::Neg(_) => Node::Negate(boxed(&unary.expr)?),
                _ => self.node(&unary.expr)?,
            },
            Expr::Binary(binary) => Node::Binary(operator(&binary.op)?, boxed(&binary.left)?, boxed(&binary.right)?),
            Expr::Cast(cast) => Node::Cast(boxed(&cast.expr)?, type_of(&cast.ty)?),
            Expr::Field(field) => Node::Field(boxed(&field.base)?, member(&field.member)),
            Expr::Index(index) => Node::Index(boxed(&index.expr)?, boxed(&index.index)?),
            Expr::Range(range) => Node::Range {
                from: range.start.as_deref().map(boxed).transpose()?,
                to: range.end.as_deref().map(boxed).transpose()?,
                is_closed: matches!(range.limits, syn::RangeLimits::Closed(_)),
            },
            Expr::Tuple(tuple) => Node::Tuple(self.nodes(&tuple.elems)?),
            Expr::Array(array) => Node::List(self.nodes(&array.elems)?),
            Expr::Closure(closure) => {
                let patterns = closure.inputs.iter().map(pattern).collect::<Result<_>>()?;
                Node::Closure(patterns, boxed(&closure.body)?)
            }
            Expr::MethodCall(call) => self.method(call)?,
            Expr::Call(call) => self.call(call)?,
            Expr::Macro(call) => self.matches(&call.mac)?,
            other => return Err(unknown(other, "it is more than a condition needs")),
        })
    }

    fn nodes<'a>(&self, expressions: impl IntoIterator<Item = &'a Expr>) -> Result<Vec<Node>> {
        expressions.into_iter().map(|expression| self.node(expression)).collect()
    }

    fn method(&self, call: &syn::ExprMethodCall) -> Result<Node> {
        let name = match &call.turbofish {
            Some(kind) if call.method == "sum" && is_float(kind) => "sum::<f64>".into(),
            _ => call.method.to_string(),
        };
        let Some((method, count)) = Method::named(&name) else {
            return Err(Fault::new(format!("the method `{name}` is not known")));
        };
        if call.args.len() != count {
            return Err(Fault::new(format!("`{name}` takes {count} arguments, not {}", call.args.len())));
        }
        Ok(Node::Call(Box::new(self.node(&call.receiver)?), method, self.nodes(&call.args)?))
    }

    /// `Some(x)`, and conversions such as `f64::from(x)`.
    fn call(&self, call: &syn::ExprCall) -> Result<Node> {
        let Expr::Path(path) = &*call.func else { return Err(unknown(call, "it cannot be called")) };
        let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let argument = call.args.first().filter(|_| call.args.len() == 1);
        match (&names.iter().map(String::as_str).collect::<Vec<_>>()[..], argument) {
            (["Some"], Some(argument)) => Ok(Node::Some(Box::new(self.node(argument)?))),
            ([name, "from"], Some(argument)) => Ok(Node::Cast(Box::new(self.node(argument)?), type_named(name)?)),
            _ => Err(unknown(call, "only methods, `Some(..)` and `T::from(..)` can be called")),
        }
    }

    fn path(&self, path: &syn::Path) -> Result<Node> {
        let names: Vec<String> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        match &names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["None"] => Ok(Node::Constant(Datum::Option(None))),
            [name] => Ok(Node::Name((*name).to_owned())),
            [name, limit @ ("MAX" | "MIN" | "NAN" | "INFINITY" | "NEG_INFINITY" | "EPSILON")] => {
                limit_of(name, limit).map(Node::Constant)
            }
            _ => Err(unknown(path, "use `matches!(field, Enum::Variant { .. })` to ask for a variant")),
        }
    }

    fn matches(&self, call: &syn::Macro) -> Result<Node> {
        if !call.path.is_ident("matches") {
            return Err(unknown(call, "`matches!` is the only macro"));
        }
        let (looked_at, shape, guard) = matches_parts(call)?;
        let guard = guard.map(|guard| self.node(&guard).map(Box::new)).transpose()?;
        Ok(Node::Matches(Box::new(self.node(&looked_at)?), pattern(&shape)?, guard))
    }
}

/// What stands in a `matches!`: what is looked at, the pattern and the guard.
pub(crate) fn matches_parts(call: &syn::Macro) -> Result<(Expr, Pat, Option<Expr>)> {
    let parser = |input: syn::parse::ParseStream<'_>| {
        let looked_at: Expr = input.parse()?;
        input.parse::<syn::Token![,]>()?;
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        let guard =
            if input.parse::<Option<syn::Token![if]>>()?.is_some() { Some(input.parse::<Expr>()?) } else { None };
        input.parse::<Option<syn::Token![,]>>()?;
        Ok((looked_at, pattern, guard))
    };
    call.parse_body_with(parser).map_err(|error| Fault::new(format!("`matches!`: {error}")))
}

fn unknown(what: &impl Spanned, why: &str) -> Fault {
    let text = what.span().source_text().unwrap_or_else(|| "a part of it".into());
    Fault::new(format!("`{text}` cannot be used: {why}"))
}

/// A name without the mark that keywords need.
pub(crate) fn plain(name: &syn::Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
}

/// The name or the position of a field.
pub(crate) fn member(member: &syn::Member) -> String {
    match member {
        syn::Member::Named(name) => plain(name),
        syn::Member::Unnamed(index) => index.index.to_string(),
    }
}

fn constant(literal: &Lit) -> Result<Datum<'static>> {
    let too_wide = |_| Fault::new("a number is too wide");
    Ok(match literal {
        Lit::Bool(truth) => Datum::Truth(truth.value),
        Lit::Int(integer) if matches!(integer.suffix(), "f32" | "f64") => {
            float(integer.base10_digits(), integer.suffix())?
        }
        Lit::Int(integer) => Datum::Integer(integer.base10_parse().map_err(too_wide)?),
        Lit::Float(literal) => float(literal.base10_digits(), literal.suffix())?,
        Lit::Char(letter) => Datum::Letter(letter.value()),
        Lit::Byte(byte) => Datum::Integer(byte.value().into()),
        Lit::Str(text) => Datum::Text(Cow::Owned(text.value())),
        Lit::ByteStr(bytes) => Datum::List(bytes.value().iter().map(|&byte| Datum::Integer(byte.into())).collect()),
        other => return Err(unknown(other, "it is no number, text or truth")),
    })
}

fn float(digits: &str, suffix: &str) -> Result<Datum<'static>> {
    let too_wide = |_| Fault::new("a number is too wide");
    Ok(match suffix {
        "f32" => Datum::Float(digits.parse::<f32>().map_err(too_wide)?.into(), Width::Single),
        "" => Datum::Float(digits.parse().map_err(too_wide)?, Width::Open),
        _ => Datum::Float(digits.parse().map_err(too_wide)?, Width::Double),
    })
}

fn operator(operator: &BinOp) -> Result<Operator> {
    Ok(match operator {
        BinOp::And(_) => Operator::And,
        BinOp::Or(_) => Operator::Or,
        BinOp::Eq(_) => Operator::Equal,
        BinOp::Ne(_) => Operator::NotEqual,
        BinOp::Lt(_) => Operator::Less,
        BinOp::Le(_) => Operator::AtMost,
        BinOp::Gt(_) => Operator::Greater,
        BinOp::Ge(_) => Operator::AtLeast,
        BinOp::Add(_) => Operator::Add,
        BinOp::Sub(_) => Operator::Subtract,
        BinOp::Mul(_) => Operator::Multiply,
        BinOp::Div(_) => Operator::Divide,
        BinOp::Rem(_) => Operator::Remainder,
        BinOp::BitAnd(_) => Operator::BitAnd,
        BinOp::BitOr(_) => Operator::BitOr,
        BinOp::BitXor(_) => Operator::BitXor,
        BinOp::Shl(_) => Operator::ShiftLeft,
        BinOp::Shr(_) => Operator::ShiftRight,
        other => return Err(unknown(other, "a condition changes nothing")),
    })
}

fn type_of(to: &syn::Type) -> Result<Type> {
    match to {
        syn::Type::Path(path) if path.path.segments.len() == 1 => type_named(&path.path.segments[0].ident.to_string()),
        other => Err(unknown(other, "it is no type of numbers")),
    }
}

fn type_named(name: &str) -> Result<Type> {
    Ok(match name {
        "f32" => Type::Float(Width::Single),
        "f64" => Type::Float(Width::Double),
        "char" => Type::Letter,
        "isize" => Type::Integer(64, true),
        "usize" => Type::Integer(64, false),
        _ => {
            let (sign, bits) = name.split_at_checked(1).unwrap_or_default();
            let bits = ["8", "16", "32", "64", "128"].contains(&bits).then(|| bits.parse::<u32>().ok()).flatten();
            match (sign, bits) {
                ("i", Some(bits)) => Type::Integer(bits, true),
                ("u", Some(bits)) => Type::Integer(bits, false),
                _ => return Err(Fault::new(format!("`{name}` is no type of numbers"))),
            }
        }
    })
}

fn limit_of(name: &str, limit: &str) -> Result<Datum<'static>> {
    let unknown = || Fault::new(format!("`{name}::{limit}` is not known"));
    Ok(match (type_named(name)?, limit) {
        (Type::Float(width), _) => {
            let (wide, narrow) = match limit {
                "MAX" => (f64::MAX, f32::MAX),
                "MIN" => (f64::MIN, f32::MIN),
                "NAN" => (f64::NAN, f32::NAN),
                "EPSILON" => (f64::EPSILON, f32::EPSILON),
                "INFINITY" => (f64::INFINITY, f32::INFINITY),
                _ => (f64::NEG_INFINITY, f32::NEG_INFINITY),
            };
            Datum::Float(if width == Width::Double { wide } else { narrow.into() }, width)
        }
        (Type::Integer(128, true), "MAX") => Datum::Integer(i128::MAX),
        (Type::Integer(128, true), "MIN") => Datum::Integer(i128::MIN),
        (Type::Integer(bits @ ..128, true), "MAX") => Datum::Integer((1 << (bits - 1)) - 1),
        (Type::Integer(bits @ ..128, true), "MIN") => Datum::Integer(-(1 << (bits - 1))),
        (Type::Integer(bits @ ..128, false), "MAX") => Datum::Integer((1 << bits) - 1),
        (Type::Integer(_, false), "MIN") => Datum::Integer(0),
        _ => return Err(unknown()),
    })
}

fn pattern(shape: &Pat) -> Result<Pattern> {
    Ok(match shape {
        Pat::Wild(_) => Pattern::Any,
        Pat::Rest(_) => Pattern::Rest,
        Pat::Paren(inner) => pattern(&inner.pat)?,
        Pat::Reference(inner) => pattern(&inner.pat)?,
        Pat::Type(inner) => pattern(&inner.pat)?,
        Pat::Ident(name) if name.subpat.is_none() => {
            let name = plain(&name.ident);
            // As rustc does it without a look at the types: what begins with a capital is a variant.
            if name.starts_with(char::is_uppercase) { Pattern::Variant(name) } else { Pattern::Bind(name) }
        }
        Pat::Lit(literal) => Pattern::Constant(constant(&literal.lit)?),
        Pat::Range(range) => {
            let end = |end: &Option<Box<Expr>>| end.as_deref().map(constant_of).transpose();
            Pattern::Range(end(&range.start)?, end(&range.end)?, matches!(range.limits, syn::RangeLimits::Closed(_)))
        }
        Pat::Or(any) => Pattern::Or(patterns(&any.cases)?),
        Pat::Tuple(tuple) => Pattern::Tuple(patterns(&tuple.elems)?),
        Pat::Path(path) => Pattern::Variant(variant(&path.path)),
        Pat::TupleStruct(parts) => Pattern::Parts(variant(&parts.path), patterns(&parts.elems)?),
        Pat::Struct(parts) => {
            let field = |field: &syn::FieldPat| Ok((member(&field.member), pattern(&field.pat)?));
            Pattern::Fields(variant(&parts.path), parts.fields.iter().map(field).collect::<Result<_>>()?)
        }
        other => return Err(unknown(other, "the pattern is more than a condition needs")),
    })
}

fn constant_of(expression: &Expr) -> Result<Datum<'static>> {
    match expression {
        Expr::Lit(literal) => constant(&literal.lit),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => match constant_of(&unary.expr)? {
            Datum::Integer(integer) => Ok(Datum::Integer(-integer)),
            Datum::Float(float, width) => Ok(Datum::Float(-float, width)),
            other => Err(other.is_no("a number")),
        },
        other => Err(unknown(other, "a range in a pattern needs constants")),
    }
}

fn patterns<'a>(shapes: impl IntoIterator<Item = &'a Pat>) -> Result<Vec<Pattern>> {
    shapes.into_iter().map(pattern).collect()
}

/// The name of a variant: the last part of its path.
fn variant(path: &syn::Path) -> String {
    path.segments.last().map(|segment| plain(&segment.ident)).unwrap_or_default()
}

/// Whether what is summed is said to be floats: of none, no value says it.
fn is_float(kind: &syn::AngleBracketedGenericArguments) -> bool {
    let is_one = |argument: &syn::GenericArgument| match argument {
        syn::GenericArgument::Type(syn::Type::Path(path)) => ["f32", "f64"].iter().any(|name| path.path.is_ident(name)),
        _ => false,
    };
    kind.args.iter().any(is_one)
}
