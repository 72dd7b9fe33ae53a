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
    pub(super) fields: &'static [Field],
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

/// Fields of an object with the same kind of value.
pub(super) struct Field {
    pub(super) names: &'static [&'static str],
    pub(super) value: Value,
    /// What to do if a field is missing, for those that must be there.
    pub(super) required: Option<&'static str>,
    /// The consequence of writing a field, for those that have an effect by OpenAPI and none here.
    pub(super) unread: Option<&'static str>,
    /// Another value that is written by mistake.
    pub(super) mistake: Option<&'static Mistake>,
    pub(super) is_new_in_3_2: bool,
}

/// A value that is written by mistake, and only warned of.
pub(super) struct Mistake {
    pub(super) is_made: fn(&Node) -> bool,
    pub(super) code: &'static str,
    pub(super) message: &'static str,
    pub(super) help: &'static str,
    /// What it is read as.
    pub(super) value: Value,
}

/// What a value must be.
pub(super) enum Value {
    Any,
    /// Any, without an effect on types and calls.
    Silent,
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
        Self { what, form: Form::InPlace, fields, exclusive: &[], check: |_, _| {} }
    }
}

impl Field {
    pub(super) const fn new(names: &'static [&'static str], value: Value) -> Self {
        Self { names, value, required: None, unread: None, mistake: None, is_new_in_3_2: false }
    }

    pub(super) const fn texts(names: &'static [&'static str]) -> Self {
        Self::new(names, Value::Text)
    }

    pub(super) const fn flags(names: &'static [&'static str]) -> Self {
        Self::new(names, Value::Flag)
    }

    /// Fields that are accepted and have no effect on types and calls.
    pub(super) const fn silent(names: &'static [&'static str]) -> Self {
        Self::new(names, Value::Silent)
    }

    /// Fields that have no effect here, with the consequence.
    pub(super) const fn unread(names: &'static [&'static str], consequence: &'static str) -> Self {
        Self { unread: Some(consequence), ..Self::silent(names) }
    }

    /// Fields that must be there, with what to do if one is missing.
    pub(super) const fn required(self, help: &'static str) -> Self {
        Self { required: Some(help), ..self }
    }

    pub(super) const fn new_in_3_2(self) -> Self {
        Self { is_new_in_3_2: true, ..self }
    }

    pub(super) const fn mistake(self, mistake: &'static Mistake) -> Self {
        Self { mistake: Some(mistake), ..self }
    }
}
