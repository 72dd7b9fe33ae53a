//! The objects of OpenAPI as data: a table of fields for each.

use super::validator::{DOCUMENTATION, Fields, Validator};
use crate::diagnostics::Code;
use crate::document::Node;
use crate::document::view::{Kind, View};
use crate::source_map::Pointer;

/// A kind of object.
pub(super) struct Object {
    /// The noun with its article: `a parameter`.
    pub(super) what: &'static str,
    pub(super) form: Form,
    pub(super) fields: &'static [Field],
    /// Pairs of mutually exclusive fields.
    pub(super) exclusive: &'static [(&'static str, &'static str)],
    /// Additional checks.
    pub(super) check: for<'d> fn(&View<'d>, &mut Validator<'d>),
}

/// The form of an object.
#[derive(Clone, Copy)]
pub(super) enum Form {
    InPlace,
    /// In place, or as a `$ref`.
    Referable(Kind),
    /// As a schema: it can be a boolean.
    Schema,
    /// As a `$ref`, next to which nothing else is read.
    Reference,
}

/// Fields of an object with the same kind of value.
pub(super) struct Field {
    pub(super) names: &'static [&'static str],
    pub(super) value: Expected,
    /// What is reported if a field is missing, for required fields, and the help text.
    pub(super) required: Option<(Code, &'static str)>,
    /// The consequence, for fields that have an effect in OpenAPI but not here.
    pub(super) unread: Option<&'static str>,
    /// A common mistake.
    pub(super) mistake: Option<&'static Mistake>,
    pub(super) is_new_in_3_2: bool,
}

/// A common mistake in a value, which is only a warning.
pub(super) struct Mistake {
    pub(super) is_made: fn(&Node) -> bool,
    pub(super) code: Code,
    pub(super) message: &'static str,
    pub(super) help: &'static str,
    /// The value that it is read as.
    pub(super) value: Expected,
}

/// The kind of a value.
pub(super) enum Expected {
    Any,
    /// Any, without an effect on types and calls.
    Silent,
    Text,
    Flag,
    /// The target of a reference to a schema.
    Target,
    Object(&'static Object),
    List(&'static Expected),
    Map(&'static Expected),
    /// A map whose keys are checked: the function returns whether a key has such a value.
    Keyed(fn(&mut Validator<'_>, &str, &Pointer) -> bool, &'static Expected),
    /// A value, or an object that is only a `$ref`, which real documents have although the standard does not allow it.
    Replaceable(&'static Expected),
    /// A value with its own name in messages.
    Named(&'static str, &'static Expected),
}

impl Object {
    pub(super) fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.names.contains(&name))
    }

    /// Returns the field that holds an object with a field of this name, or else a map of them, and their kind.
    pub(super) fn inner_with(&self, name: &str) -> Option<(&'static Field, &'static Self)> {
        let inner = self.fields.iter().filter_map(|field| Some((field, field.value.object()?)));
        inner
            .filter(|(_, inner)| inner.has(name))
            .min_by_key(|(field, _)| (field.is_new_in_3_2, field.value.is_map()))
    }

    /// Returns the field that is meant to hold a value in the place of this object, and the kind of the value.
    pub(super) fn inner_of(&self, node: &Node) -> Option<(&'static Field, &'static Self)> {
        let mut members = node.members(&[]);
        if members.any(|(key, _)| self.field(key).is_some_and(|field| field.has_effect(key))) {
            return None;
        }
        let mut others = node.members(&[]).filter(|(key, _)| !self.has(key));
        others.find_map(|(key, _)| self.inner_with(key))
    }

    pub(super) const fn new(what: &'static str, fields: &'static [Field]) -> Self {
        Self { what, form: Form::InPlace, fields, exclusive: &[], check: |_, _| {} }
    }
}

impl Fields for Object {
    fn what(&self) -> &'static str {
        self.what
    }

    fn has(&self, name: &str) -> bool {
        self.field(name).is_some()
    }
}

impl Expected {
    /// Returns whether it is a map from names.
    pub(super) fn is_map(&self) -> bool {
        match self {
            Self::Map(_) | Self::Keyed(..) => true,
            Self::Replaceable(inner) | Self::Named(_, inner) => inner.is_map(),
            _ => false,
        }
    }

    /// Returns the kind of the object that it is, or of which it is a map.
    pub(super) fn object(&self) -> Option<&'static Object> {
        match self {
            Self::Object(object) => Some(object),
            Self::Map(inner)
            | Self::Keyed(_, inner)
            | Self::Replaceable(inner)
            | Self::Named(_, inner) => inner.object(),
            _ => None,
        }
    }
}

impl Field {
    /// Returns whether a field of this name has an effect on types or calls.
    pub(super) fn has_effect(&self, name: &str) -> bool {
        self.unread.is_none()
            && !matches!(self.value, Expected::Silent)
            && !DOCUMENTATION.contains(&name)
    }

    pub(super) const fn new(names: &'static [&'static str], value: Expected) -> Self {
        Self { names, value, required: None, unread: None, mistake: None, is_new_in_3_2: false }
    }

    pub(super) const fn texts(names: &'static [&'static str]) -> Self {
        Self::new(names, Expected::Text)
    }

    pub(super) const fn flags(names: &'static [&'static str]) -> Self {
        Self::new(names, Expected::Flag)
    }

    /// Fields that are accepted and have no effect on types and calls.
    pub(super) const fn silent(names: &'static [&'static str]) -> Self {
        Self::new(names, Expected::Silent)
    }

    /// Fields that have no effect here, with the consequence.
    pub(super) const fn unread(names: &'static [&'static str], consequence: &'static str) -> Self {
        Self { unread: Some(consequence), ..Self::silent(names) }
    }

    /// Required fields, with the help text if one is missing.
    pub(super) const fn required(self, help: &'static str) -> Self {
        Self { required: Some((Code::RequiredField, help)), ..self }
    }

    /// Required fields without which everything is read, with the help text if one is missing.
    pub(super) const fn expected(self, help: &'static str) -> Self {
        Self { required: Some((Code::MissingField, help)), ..self }
    }

    /// Validates fields that have no effect here, with the consequence.
    pub(super) const fn ignored(self, consequence: &'static str) -> Self {
        Self { unread: Some(consequence), ..self }
    }

    pub(super) const fn new_in_3_2(self) -> Self {
        Self { is_new_in_3_2: true, ..self }
    }

    pub(super) const fn mistake(self, mistake: &'static Mistake) -> Self {
        Self { mistake: Some(mistake), ..self }
    }
}
