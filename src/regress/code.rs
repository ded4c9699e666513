//! A condition as it was decided -> Rust over the typed input. It stays as it was written but for what names stand for,
//! and for numbers that are made as wide as they were when the condition was found.

mod places;
#[cfg(test)]
mod tests;

use super::syntax::{
    end, is_arithmetic, is_comparison, is_float_literal, is_number, is_some, is_wide_sum, is_wide_type,
    is_widened_method, variant,
};
use crate::expression::{matches_parts, plain, syntax, with_room};
use std::{collections::BTreeMap, ops::Range};
use syn::{BinOp, Expr, Pat, UnOp, spanned::Spanned};

/// How a condition is written, the most readable first; which of them compiles depends on types that no log knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Form {
    /// Over the typed input; what can overflow is widened.
    Typed,
    /// The same, with everything widened that is compared: fields may be of different types.
    Widened,
    /// Over the values that a log would hold: fields may be private, and types have no names outside.
    Logged,
    /// Not at all.
    Nothing,
}

impl Form {
    /// The next one to try.
    pub(crate) fn next(self) -> Self {
        match self {
            Self::Typed => Self::Widened,
            Self::Widened => Self::Logged,
            Self::Logged | Self::Nothing => Self::Nothing,
        }
    }
}

/// What the names in a condition stand for.
pub(crate) struct Scope {
    /// The names of the input's fields, in order.
    pub(super) fields: Vec<String>,
    pub(super) parameters: Vec<String>,
    /// With their values.
    pub(super) constants: BTreeMap<String, String>,
    /// The texts of the suite's own features.
    pub(super) features: Vec<String>,
    /// The Rust types that logged fields and parameters can be read as, by their paths; of an enum, nothing.
    pub(super) types: BTreeMap<String, Option<String>>,
}

/// A condition as Rust.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Code {
    /// What is bound before it.
    pub(super) lets: Vec<String>,
    pub(super) condition: String,
    pub(super) uses_input: bool,
    pub(super) uses_seen: bool,
    pub(super) uses_wide: bool,
}

/// Writes a condition; `is_positional` if fields are parts of a tuple, or the input has none.
pub(super) fn code(text: &str, scope: &Scope, form: Form, is_positional: bool) -> Result<Code, String> {
    with_room(|| code_of(text, scope, form, is_positional)).map_err(|fault| fault.to_string())?
}

fn code_of(text: &str, scope: &Scope, form: Form, is_positional: bool) -> Result<Code, String> {
    let expression = syntax(text).map_err(|fault| fault.to_string())?;
    let own = scope.features.iter().map(|feature| syntax(feature).ok()).collect();
    let mut coder = Coder {
        scope,
        form,
        is_positional,
        own,
        bound: Vec::new(),
        edits: Vec::new(),
        lets: Vec::new(),
        uses: [false; 3],
    };
    coder.expression(&expression, Mode::Plain)?;
    let [uses_input, uses_seen, uses_wide] = coder.uses;
    Ok(Code { condition: edited(text, coder.edits), lets: coder.lets, uses_input, uses_seen, uses_wide })
}

/// A text with its parts replaced; of edits at one place, the first comes first.
fn edited(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let (mut edited, mut at) = (String::new(), 0);
    for (range, new) in edits {
        edited.push_str(text.get(at..range.start).unwrap_or_default());
        edited.push_str(&new);
        at = at.max(range.end);
    }
    edited + text.get(at..).unwrap_or_default()
}

/// What becomes of numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// They stay as they are: indices.
    Native,
    /// Arithmetic is widened.
    Plain,
    /// All are widened.
    Wide,
}

/// What a condition uses, by position.
const INPUT: usize = 0;
const SEEN: usize = 1;
const WIDE: usize = 2;

struct Coder<'scope> {
    scope: &'scope Scope,
    form: Form,
    is_positional: bool,
    own: Vec<Option<Expr>>,
    /// What closures and patterns bind.
    bound: Vec<String>,
    edits: Vec<(Range<usize>, String)>,
    lets: Vec<String>,
    uses: [bool; 3],
}

impl Coder<'_> {
    fn expression(&mut self, expression: &Expr, mode: Mode) -> Result<(), String> {
        if let Some(own) = self.own(expression) {
            self.uses[SEEN] = true;
            let text = format!("seen.observed({:?})", self.scope.features[own]);
            self.replace(expression, text);
            return Ok(());
        }
        match expression {
            Expr::Paren(inner) => self.parenthesised(inner, mode),
            Expr::Group(inner) => self.expression(&inner.expr, mode),
            Expr::Lit(_) => Ok(()),
            Expr::Binary(binary) => self.binary(binary, mode),
            Expr::Unary(unary) => match unary.op {
                UnOp::Not(_) => self.expression(&unary.expr, Mode::Plain),
                UnOp::Neg(_) if mode != Mode::Native => self.expression(&unary.expr, Mode::Wide),
                UnOp::Neg(_) => self.expression(&unary.expr, mode),
                _ => self.leaf(expression, mode, |coder| coder.expression(&unary.expr, Mode::Plain)),
            },
            Expr::Cast(cast) if is_wide_type(&cast.ty) && mode != Mode::Native => {
                self.expression(&cast.expr, Mode::Wide)?;
                self.edits.push((end(&cast.expr)..end(expression), String::new()));
                Ok(())
            }
            Expr::Cast(cast) => self.leaf(expression, mode, |coder| coder.expression(&cast.expr, Mode::Plain)),
            Expr::Path(path) => self.path(expression, &path.path, mode),
            Expr::Field(field) => self.field(expression, field, mode),
            Expr::Reference(inner) => self.expression(&inner.expr, Mode::Plain),
            Expr::Index(index) => self.leaf(expression, mode, |coder| {
                coder.receiver(&index.expr)?;
                coder.expression(&index.index, Mode::Native)
            }),
            Expr::Range(range) => {
                let ends = [&range.start, &range.end].into_iter().flatten();
                ends.into_iter().try_for_each(|end| self.expression(end, Mode::Native))
            }
            Expr::Tuple(tuple) => tuple.elems.iter().try_for_each(|part| self.expression(part, Mode::Plain)),
            Expr::Array(array) => array.elems.iter().try_for_each(|part| self.expression(part, Mode::Plain)),
            Expr::MethodCall(call) => self.method(expression, call, mode),
            Expr::Call(call) if is_some(&call.func) => {
                call.args.iter().try_for_each(|argument| self.expression(argument, mode))
            }
            Expr::Call(call) => self.leaf(expression, mode, |coder| {
                call.args.iter().try_for_each(|argument| coder.expression(argument, Mode::Plain))
            }),
            Expr::Closure(closure) => self.within(|coder| {
                closure.inputs.iter().for_each(|pattern| coder.bind(pattern));
                coder.expression(&closure.body, Mode::Plain)
            }),
            Expr::Macro(call) => self.matches(expression, &call.mac),
            _ => Err("it is more than a condition needs".into()),
        }
    }

    /// Which of the suite's own features an expression is.
    fn own(&self, expression: &Expr) -> Option<usize> {
        self.own.iter().position(|own| own.as_ref() == Some(expression))
    }

    /// `(a as i128)` needs no brackets once the cast is gone, and neither does a feature of the suite's own.
    fn parenthesised(&mut self, paren: &syn::ExprParen, mode: Mode) -> Result<(), String> {
        let is_cast = matches!(&*paren.expr, Expr::Cast(cast) if is_wide_type(&cast.ty));
        if is_cast || self.own(&paren.expr).is_some() {
            let (open, close) = (paren.paren_token.span.open(), paren.paren_token.span.close());
            self.edits.push((open.byte_range(), String::new()));
            self.expression(&paren.expr, mode)?;
            self.edits.push((close.byte_range(), String::new()));
            return Ok(());
        }
        self.expression(&paren.expr, mode)
    }

    fn binary(&mut self, binary: &syn::ExprBinary, mode: Mode) -> Result<(), String> {
        let inner = match &binary.op {
            BinOp::And(_) | BinOp::Or(_) => Mode::Plain,
            _ if mode == Mode::Native => Mode::Native,
            op if is_arithmetic(op) => {
                if mode == Mode::Plain && self.is_of_lengths(binary) {
                    Mode::Plain
                } else {
                    Mode::Wide
                }
            }
            op if is_comparison(op) => {
                let is_wide = self.is_wide(&binary.left) || self.is_wide(&binary.right);
                let sides = [&binary.left, &binary.right];
                // A literal is as wide as the float beside it.
                let is_widened =
                    self.form == Form::Widened && sides.iter().all(|side| is_number(side) && !is_float_literal(side));
                if is_wide || is_widened { Mode::Wide } else { Mode::Plain }
            }
            _ => mode,
        };
        self.expression(&binary.left, inner)?;
        self.expression(&binary.right, inner)
    }

    /// Whether something comes to a number that is wide already.
    fn is_wide(&self, expression: &Expr) -> bool {
        match expression {
            Expr::Paren(inner) => self.is_wide(&inner.expr),
            Expr::Unary(unary) => {
                matches!(unary.op, UnOp::Neg(_)) && !matches!(&*unary.expr, Expr::Lit(_)) || self.is_wide(&unary.expr)
            }
            Expr::Binary(binary) => is_arithmetic(&binary.op) && !self.is_of_lengths(binary),
            Expr::MethodCall(call) => {
                is_widened_method(&call.method.to_string()) || call.method == "abs_diff" || is_wide_sum(call)
            }
            Expr::Cast(cast) => is_wide_type(&cast.ty),
            Expr::Call(call) => is_some(&call.func) && call.args.iter().any(|argument| self.is_wide(argument)),
            Expr::Path(_) | Expr::Field(_) => {
                let logged = self.logged_path(expression);
                logged.is_some_and(|path| {
                    matches!(self.scope.types.get(&path), Some(Some(known)) if known == "i128" || known == "f64")
                })
            }
            _ => false,
        }
    }

    /// Whether it adds up lengths, which does not overflow.
    fn is_of_lengths(&self, binary: &syn::ExprBinary) -> bool {
        let is_length = |part: &Expr| match part {
            Expr::Lit(_) => true,
            Expr::Binary(inner) => self.is_of_lengths(inner),
            Expr::MethodCall(call) => matches!(call.method.to_string().as_str(), "len" | "count"),
            _ => false,
        };
        let is_sum = matches!(binary.op, BinOp::Add(_) | BinOp::Mul(_));
        self.form == Form::Typed && is_sum && is_length(&binary.left) && is_length(&binary.right)
    }

    fn method(&mut self, whole: &Expr, call: &syn::ExprMethodCall, mode: Mode) -> Result<(), String> {
        let name = call.method.to_string();
        if is_widened_method(&name) && mode != Mode::Native {
            self.expression(&call.receiver, Mode::Wide)?;
            let of_arguments = if name == "pow" { Mode::Native } else { Mode::Wide };
            return call.args.iter().try_for_each(|argument| self.expression(argument, of_arguments));
        }
        // Of different types there is none, and what it gives has no sign.
        if name == "abs_diff" && mode != Mode::Native {
            return self.leaf(whole, Mode::Wide, |coder| {
                coder.expression(&call.receiver, Mode::Wide)?;
                call.args.iter().try_for_each(|argument| coder.expression(argument, Mode::Wide))
            });
        }
        let mode = if is_wide_sum(call) { Mode::Plain } else { mode };
        self.leaf(whole, mode, |coder| {
            coder.receiver(&call.receiver)?;
            call.args.iter().try_for_each(|argument| coder.expression(argument, Mode::Plain))
        })
    }

    fn matches(&mut self, whole: &Expr, call: &syn::Macro) -> Result<(), String> {
        let (looked_at, pattern, guard) = matches_parts(call).map_err(|fault| fault.to_string())?;
        if let Some(path) = self.logged_path(&looked_at)
            && self.scope.types.get(&path) == Some(&None)
        {
            let variant = variant(&pattern).filter(|_| guard.is_none());
            let variant =
                variant.ok_or_else(|| format!("what the enum `{path}` holds cannot be asked for from outside"))?;
            self.uses[SEEN] = true;
            self.replace(whole, format!("seen.is_variant({path:?}, {variant:?})"));
            return Ok(());
        }
        self.expression(&looked_at, Mode::Plain)?;
        self.within(|coder| {
            coder.bind(&pattern);
            guard.iter().try_for_each(|guard| coder.expression(guard, Mode::Plain))
        })
    }

    /// Writes an expression that is one number, if it is one: widened where that is wanted.
    fn leaf(
        &mut self,
        whole: &Expr,
        mode: Mode,
        write: impl FnOnce(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        if mode != Mode::Wide {
            return write(self);
        }
        self.uses[WIDE] = true;
        let range = whole.span().byte_range();
        self.edits.push((range.start..range.start, "wide(".into()));
        write(self)?;
        self.edits.push((range.end..range.end, ")".into()));
        Ok(())
    }

    fn replace(&mut self, expression: &Expr, text: String) {
        self.edits.push((expression.span().byte_range(), text));
    }

    fn add_let(&mut self, text: String) {
        if !self.lets.contains(&text) {
            self.lets.push(text);
        }
    }

    fn within(&mut self, run: impl FnOnce(&mut Self) -> Result<(), String>) -> Result<(), String> {
        let known = self.bound.len();
        let result = run(self);
        self.bound.truncate(known);
        result
    }

    /// Notes the names that a pattern binds.
    fn bind(&mut self, pattern: &Pat) {
        match pattern {
            Pat::Ident(name) => self.bound.push(plain(&name.ident)),
            Pat::Paren(inner) => self.bind(&inner.pat),
            Pat::Reference(inner) => self.bind(&inner.pat),
            Pat::Type(inner) => self.bind(&inner.pat),
            Pat::Or(any) => any.cases.iter().for_each(|pattern| self.bind(pattern)),
            Pat::Tuple(tuple) => tuple.elems.iter().for_each(|pattern| self.bind(pattern)),
            Pat::TupleStruct(parts) => parts.elems.iter().for_each(|pattern| self.bind(pattern)),
            Pat::Struct(parts) => parts.fields.iter().for_each(|field| self.bind(&field.pat)),
            _ => {}
        }
    }
}
