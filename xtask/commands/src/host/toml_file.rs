//! Reads TOML files; errors name file, line and column.

use std::fmt::Display;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::host::exit::{Exit, Failure, Fallible};
use crate::host::read;

/// A value with its place.
pub type Value<'v> = Spanned<DeValue<'v>>;

/// A key with its place.
pub type Key<'v> = Spanned<DeString<'v>>;

/// An invalid part of a text.
#[derive(Debug)]
pub struct Invalid {
    span: Range<usize>,
    message: String,
    help: Option<String>,
}

impl Invalid {
    /// Returns the error of a value.
    pub fn value(value: &Value<'_>, message: impl Into<String>) -> Self {
        Self { span: value.span(), message: message.into(), help: None }
    }

    /// Sets the help text.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Returns the error of an unknown key.
    pub fn key(key: &Key<'_>, known: &[&str]) -> Self {
        let message =
            format!("unknown key `{}`; expected one of: {}", key.get_ref(), known.join(", "));
        Self { span: key.span(), message, help: None }
    }
}

/// Returns the text of a file, empty if it does not exist.
pub fn text(path: &Path) -> Fallible<String> {
    if !path.try_exists().unwrap_or(true) {
        return Ok(String::new());
    }
    read::text(path, Exit::Failed)
}

/// Parses a text and reads its root table. Messages refer to the text by `name`.
pub fn parse<T>(
    text: &str,
    name: &str,
    read: impl FnOnce(&DeTable<'_>) -> Result<T, Invalid>,
) -> Fallible<T> {
    let root = DeTable::parse(text).map_err(|error| Invalid {
        span: error.span().unwrap_or_default(),
        message: error.message().to_owned(),
        help: None,
    });
    root.and_then(|root| read(root.get_ref())).map_err(|Invalid { span, message, help }| {
        let (line, column) = read::line_column(text, span.start);
        let failure = Failure::new(format!("{name}:{line}:{column}: {message}"));
        Failure { help, ..failure }
    })
}

/// Returns the entries of a table.
pub fn table<'v, 't>(value: &'v Value<'t>) -> Result<&'v DeTable<'t>, Invalid> {
    let table = value.get_ref().as_table();
    table.ok_or_else(|| expected("a table", value))
}

/// Returns the entries of a list.
pub fn list<'v, 't>(value: &'v Value<'t>) -> Result<&'v [Value<'t>], Invalid> {
    let list = value.get_ref().as_array();
    list.map(|list| &**list).ok_or_else(|| expected("a list", value))
}

/// Reads a value.
pub type Reader<T> = fn(&Value<'_>) -> Result<T, Invalid>;

/// Returns the values of a table that has only these keys, each with what reads it.
pub fn entries<T: Default, const N: usize>(
    value: &Value<'_>,
    known: [(&str, Reader<T>); N],
) -> Result<[T; N], Invalid> {
    let mut found = std::array::from_fn(|_| T::default());
    for (key, value) in table(value)? {
        let Some(place) = known.iter().position(|(name, _)| key.get_ref() == name) else {
            return Err(Invalid::key(key, &known.map(|(name, _)| name)));
        };
        found[place] = known[place].1(value)?;
    }
    Ok(found)
}

/// Returns a string.
pub fn string<'v>(value: &'v Value<'_>) -> Result<&'v str, Invalid> {
    value.get_ref().as_str().ok_or_else(|| expected("a string", value))
}

/// Returns a string that is not empty.
pub fn filled<'v>(value: &'v Value<'_>) -> Result<&'v str, Invalid> {
    match string(value)? {
        text if text.trim().is_empty() => {
            Err(Invalid::value(value, "this is empty").help("write a value, or remove the key"))
        }
        text => Ok(text),
    }
}

/// Returns the strings of a list, of which none is empty.
pub fn strings_of(value: &Value<'_>) -> Result<Vec<String>, Invalid> {
    list(value)?.iter().map(|value| Ok(filled(value)?.to_owned())).collect()
}

/// Returns a boolean.
pub fn flag(value: &Value<'_>) -> Result<bool, Invalid> {
    value.get_ref().as_bool().ok_or_else(|| expected("`true` or `false`", value))
}

/// Returns a whole number that is not negative.
pub fn count(value: &Value<'_>) -> Result<usize, Invalid> {
    let number = value.get_ref().as_integer().and_then(|number| number.as_str().parse().ok());
    number.ok_or_else(|| expected("a whole number of at least 0", value))
}

/// Parses a string.
pub fn parsed<T: FromStr<Err: Display>>(value: &Value<'_>) -> Result<T, Invalid> {
    string(value)?.parse().map_err(|error: T::Err| Invalid::value(value, error.to_string()))
}

fn expected(kind: &str, value: &Value<'_>) -> Invalid {
    Invalid::value(value, format!("expected {kind}, found {}", value.get_ref().type_str()))
}
