//! Arguments of functions.

use std::fmt::Display;

use super::page::Page;
use super::types::plain;
use crate::ir::{Parameter, Type};

/// The type of an argument, and the expression of its value.
pub struct Argument {
    /// The type.
    pub ty: String,
    /// The expression.
    pub value: String,
    /// Whether the type is generic: such a function is compiled where it is called, without `#[inline]`.
    pub is_generic: bool,
}

impl Argument {
    /// Returns an argument of a type: `impl Into` if other types convert into it, `impl IntoIterator` for lists, and otherwise
    /// the type itself, because generic arguments hinder inference and take time to compile.
    pub fn of(ty: &Type, name: impl Display, page: &mut Page<'_>) -> Self {
        let plain = plain(ty, page);
        let (ty, value) = match ty {
            Type::List(item) => list(item, name, page),
            ty if page.api.is_converted(ty) => {
                (format!("impl Into<{plain}>"), format!("{name}.into()"))
            }
            _ => return Self { ty: plain, value: name.to_string(), is_generic: false },
        };
        Self { ty, value, is_generic: true }
    }
}

/// Writes the argument type of a parameter, and the call that sends its value, whose name begins with a prefix.
pub fn sent(
    parameter: &Parameter,
    prefix: &str,
    name: impl Display,
    page: &mut Page<'_>,
) -> (String, String) {
    let (wire, location) = (&parameter.wire, parameter.location.name());
    if let Type::List(item) = &parameter.ty {
        let (item, into) = taken(item, page);
        let mapped = into.map(|into| format!(".into_iter().map({into})")).unwrap_or_default();
        let separator = parameter.separator;
        let call = format!("{prefix}{location}_list({wire:?}, {name}{mapped}, {separator:?})");
        return (format!("impl IntoIterator<Item = {item}>"), call);
    }
    let (ty, into) = taken(&parameter.ty, page);
    let value = into.map_or(format!("&{name}"), |into| format!("&{into}({name})"));
    (ty, format!("{prefix}{location}({wire:?}, {value})"))
}

/// Returns the type that takes a value of a parameter, and the function that converts it, if one is needed.
fn taken(ty: &Type, page: &mut Page<'_>) -> (String, Option<String>) {
    let plain = plain(ty, page);
    match ty {
        Type::String => ("impl runtime::Param".to_owned(), None),
        ty if page.api.is_converted(ty) => {
            (format!("impl Into<{plain}>"), Some(format!("Into::<{plain}>::into")))
        }
        _ => (plain, None),
    }
}

fn list(item: &Type, name: impl Display, page: &mut Page<'_>) -> (String, String) {
    let plain = plain(item, page);
    if page.api.is_converted(item) {
        let ty = format!("impl IntoIterator<Item = impl Into<{plain}>>");
        (ty, format!("{name}.into_iter().map(Into::into).collect()"))
    } else {
        (format!("impl IntoIterator<Item = {plain}>"), format!("{name}.into_iter().collect()"))
    }
}
