//! Where a test finds what a name stands for: in the typed input, in what a log would hold, or in a constant.

use super::{Coder, Form, INPUT, Mode, SEEN};
use crate::{
    expression::{member, plain},
    regress::syntax::number,
};
use syn::Expr;

impl Coder<'_> {
    /// What a method is called on, or a part is taken of: references to it will do.
    pub(super) fn receiver(&mut self, expression: &Expr) -> Result<(), String> {
        if let Expr::Path(path) = expression
            && self.form < Form::Logged
            && path.path.get_ident().is_some_and(|name| self.is_whole_input(&plain(name)))
        {
            self.uses[INPUT] = true;
            self.replace(expression, "input".into());
            return Ok(());
        }
        self.expression(expression, Mode::Plain)
    }

    pub(super) fn path(&mut self, whole: &Expr, path: &syn::Path, mode: Mode) -> Result<(), String> {
        let Some(name) = path.get_ident().map(plain).filter(|name| !self.bound.contains(name)) else {
            return if path.get_ident().is_some() { self.leaf(whole, mode, |_| Ok(())) } else { Ok(()) };
        };
        if self.logged(whole, mode)? {
            return Ok(());
        }
        if let Some(field) = self.scope.fields.iter().position(|field| *field == name) {
            return self.leaf(whole, mode, |coder| {
                coder.uses[INPUT] = true;
                let written = path.get_ident().map(ToString::to_string).unwrap_or_default();
                let place = match (coder.is_whole_input(&name), coder.is_positional) {
                    (true, _) => "*input".into(),
                    (false, true) if coder.scope.fields.len() > 1 => format!("input.{field}"),
                    (false, _) => format!("input.{written}"),
                };
                coder.replace(whole, place);
                Ok(())
            });
        }
        if let Some(value) = self.scope.constants.get(&name) {
            let value = number(value).ok_or_else(|| format!("the constant `{name}` is no number"))?;
            self.add_let(format!("let {name} = {value};"));
        }
        Ok(())
    }

    /// Whether a name stands for the input as a whole: one that is no struct and no tuple has one field.
    fn is_whole_input(&self, name: &str) -> bool {
        let is_only =
            self.scope.fields.len() == 1 && self.scope.fields[0] == name && !self.bound.contains(&name.to_owned());
        is_only && (name == "input") != self.is_positional
    }

    pub(super) fn field(&mut self, whole: &Expr, field: &syn::ExprField, mode: Mode) -> Result<(), String> {
        if self.logged(whole, mode)? {
            return Ok(());
        }
        self.leaf(whole, mode, |coder| match &*field.base {
            Expr::Path(path) if coder.is_nothing_else(&path.path) => {
                coder.uses[INPUT] = true;
                coder.replace(&field.base, "input".into());
                Ok(())
            }
            base => coder.receiver(base),
        })
    }

    /// Whether a name is only the name for the input, as in `p.a`.
    fn is_nothing_else(&self, path: &syn::Path) -> bool {
        let known = |name: &String| {
            let scope = self.scope;
            self.bound.contains(name)
                || scope.fields.contains(name)
                || scope.parameters.contains(name)
                || scope.constants.contains_key(name)
        };
        path.get_ident().is_some_and(|name| !known(&plain(name)))
    }

    /// Takes a parameter, or a field that cannot be reached otherwise, from what a log would hold; whether it did.
    fn logged(&mut self, expression: &Expr, mode: Mode) -> Result<bool, String> {
        let Some(path) = self.logged_path(expression) else { return Ok(false) };
        let Some(Some(known)) = self.scope.types.get(&path) else {
            // A part of it may have one.
            let is_part = self.scope.types.keys().any(|other| other.starts_with(&format!("{path}.")));
            let parameter =
                path.split('.').next().is_some_and(|root| self.scope.parameters.iter().any(|name| name == root));
            return if self.form == Form::Logged || (parameter && !is_part) {
                Err(format!("`{path}` is of a type that a test cannot ask for"))
            } else {
                Ok(false)
            };
        };
        let begins_with_digit = path.starts_with(|letter: char| letter.is_ascii_digit());
        let name = format!("{}{}", if begins_with_digit { "input_" } else { "" }, path.replace('.', "_"));
        let name = crate::feature::raw(&name);
        self.uses[SEEN] = true;
        self.add_let(format!("let {name}: {known} = seen.get({path:?});"));
        // All other numbers are as wide as they can be.
        let mode = if known == "f32" { mode } else { Mode::Plain };
        self.leaf(expression, mode, |coder| {
            coder.replace(expression, name);
            Ok(())
        })?;
        Ok(true)
    }

    /// The path by which a log knows an expression: a parameter's, and a field's where fields are taken from the log.
    pub(super) fn logged_path(&self, expression: &Expr) -> Option<String> {
        match expression {
            Expr::Paren(inner) => self.logged_path(&inner.expr),
            Expr::Path(path) => {
                let name = path.path.get_ident().map(plain).filter(|name| !self.bound.contains(name))?;
                let is_field = self.form == Form::Logged && self.scope.fields.contains(&name);
                (is_field || self.scope.parameters.contains(&name)).then_some(name)
            }
            Expr::Field(field) => {
                let part = member(&field.member);
                match &*field.base {
                    Expr::Path(path) if self.is_nothing_else(&path.path) => (self.form == Form::Logged).then_some(part),
                    base => Some(format!("{}.{part}", self.logged_path(base)?)),
                }
            }
            _ => None,
        }
    }
}
