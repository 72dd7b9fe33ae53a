//! What the objects of OpenAPI consist of, as data: a table of fields for each.

use super::validator::Validator;
use crate::document::Node;
use crate::document::view::{Kind, View};
use crate::source_map::Pointer;

/// A kind of object.
pub(super) struct Object {
    /// What it is, with its article: `a parameter`.
    pub(super) what: &'static str,
    pub(super) form: Form,
    /// The fields that are read or reported.
    pub(super) fields: &'static [Field],
    /// The fields that have no effect on types and calls.
    pub(super) accepted: &'static [&'static str],
    /// Those of OpenAPI 3.2.
    pub(super) accepted_in_3_2: &'static [&'static str],
    /// The fields that are not read, with the consequence.
    pub(super) unread: (&'static [&'static str], &'static str),
    /// Pairs of fields that exclude one another.
    pub(super) exclusive: &'static [(&'static str, &'static str)],
    /// Checks what the table does not say.
    pub(super) check: for<'d> fn(&View<'d>, &mut Validator<'d>),
}

/// How an object is written.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// In place.
    InPlace,
    /// In place, or as a `$ref`.
    Referable(Kind),
    /// As a schema: it can be a boolean.
    Schema,
    /// As a `$ref`, beside which nothing else is read.
    Reference,
}

/// A field of an object.
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) value: Value,
    /// What to do if the field is missing, for those that must be there.
    pub(super) required: Option<&'static str>,
    /// The consequence of the field, for those that OpenAPI knows, but that have no effect here.
    pub(super) unread: Option<&'static str>,
    /// Reports another value that is written by mistake, and returns whether it was one.
    pub(super) mistake: Option<for<'d> fn(&mut Validator<'d>, &'d Node, &Pointer) -> bool>,
    pub(super) is_new_in_3_2: bool,
}

/// What a value must be.
pub(super) enum Value {
    Any,
    Text,
    Flag,
    /// The target of a reference to a schema.
    Target,
    Object(&'static Object),
    List(&'static Value),
    Map(&'static Value),
    /// A map whose keys are checked: the function returns whether a key has such a value.
    Keyed(fn(&mut Validator<'_>, &str, &Pointer) -> bool, &'static Value),
    /// A value, or an object that is only a `$ref`, where the standard has none and documents do.
    Replaceable(&'static Value),
    /// A value that messages call by a name of its own.
    Named(&'static str, &'static Value),
}

impl Object {
    pub(super) const fn new(what: &'static str, fields: &'static [Field]) -> Self {
        Self {
            what,
            form: Form::InPlace,
            fields,
            accepted: &[],
            accepted_in_3_2: &[],
            unread: (&[], ""),
            exclusive: &[],
            check: |_, _| {},
        }
    }
}

impl Field {
    pub(super) const fn new(name: &'static str, value: Value) -> Self {
        Self { name, value, required: None, unread: None, mistake: None, is_new_in_3_2: false }
    }

    pub(super) const fn text(name: &'static str) -> Self {
        Self::new(name, Value::Text)
    }

    pub(super) const fn flag(name: &'static str) -> Self {
        Self::new(name, Value::Flag)
    }

    /// A field that must be there, with what to do if it is missing.
    pub(super) const fn required(self, help: &'static str) -> Self {
        Self { required: Some(help), ..self }
    }

    /// A field that has no effect, with the consequence.
    pub(super) const fn unread(name: &'static str, consequence: &'static str) -> Self {
        Self { unread: Some(consequence), ..Self::new(name, Value::Any) }
    }

    pub(super) const fn new_in_3_2(self) -> Self {
        Self { is_new_in_3_2: true, ..self }
    }

    pub(super) const fn mistake(
        self,
        report: for<'d> fn(&mut Validator<'d>, &'d Node, &Pointer) -> bool,
    ) -> Self {
        Self { mistake: Some(report), ..self }
    }
}
