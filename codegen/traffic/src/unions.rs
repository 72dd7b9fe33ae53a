//! The rules of a union, as the table of the crate has them.

use std::borrow::Cow;

use codegen::ir::{self, Constant};
use codegen::union_rules;
use serde_json::{Number, Value as Json};
use wire_rules::{JsonKind, Plan, Properties, Rule, number};

use super::value::Value;

/// A union, and the places of its variants.
pub struct Union<'d> {
    pub plan: Plan,
    pub variants: Vec<usize>,
    /// For each variant, the properties with a constant that all its objects have.
    tags: Vec<Vec<(&'d str, Json)>>,
}

/// The union that a value is a variant of, and the union around that, if that is a variant, too.
pub struct Within<'w, 'd> {
    pub union: &'w Union<'d>,
    pub variant: usize,
    pub outer: Option<&'w Self>,
    pub hidden: &'w [&'w str],
}

impl Within<'_, '_> {
    /// Returns whether a property is not of the union, but of an object around it.
    pub fn hides(&self, name: &str) -> bool {
        self.hidden.contains(&name) || self.outer.is_some_and(|outer| outer.hides(name))
    }

    /// Returns whether the object may have a property that the variant does not describe.
    pub fn allows(&self, name: &str, value: &Value<'_>) -> bool {
        let Plan { names, others, is_open, .. } = &self.union.plan;
        let mut tags = self.union.tags[self.variant].iter();
        *is_open
            || others.contains(name)
            || *value == Value::Null && names.contains(name)
            || tags.any(|(tag, constant)| *tag == name && wire_rules::Json::is(value, constant))
            || self.outer.is_some_and(|outer| outer.allows(name, value))
    }
}

impl<'d> Union<'d> {
    /// Returns a union with the table that the crate has. A table is needed until the end.
    pub fn new(union: &'d ir::Union, rules: &'d ir::Rules, variants: Vec<usize>) -> Self {
        let names = union.variants.iter().map(|variant| &*variant.name.to_string().leak());
        let tags = rules.tags.iter().map(|tags| {
            let tags = tags.iter().map(|(name, value)| match value {
                Constant::Text(text) => (&**name, text.as_str().into()),
                Constant::Json(json) => (&**name, serde_json::from_str(json).unwrap_or_default()),
            });
            tags.collect()
        });
        let mut tags: Vec<_> = tags.collect();
        tags.resize_with(variants.len(), Vec::new);
        Self { plan: Plan::read(union_rules(union, rules).leak(), names), variants, tags }
    }

    /// Returns the property whose value names the variant of an object.
    pub fn tag(&self) -> Option<&'static str> {
        match self.plan.rules.of_kind(JsonKind::Object) {
            Rule::Tag { name, .. } => Some(name),
            _ => None,
        }
    }

    pub fn is_tagged_by(&self, variant: usize, name: &str) -> bool {
        self.tags[variant].iter().any(|(tag, _)| *tag == name)
    }
}

impl Properties for Value<'_> {
    fn valued(&self, name: &str) -> Option<&dyn wire_rules::Json> {
        self.last(name).filter(|value| **value != Value::Null).map(|value| value as _)
    }

    fn is_null(&self, name: &str) -> bool {
        self.last(name) == Some(&Value::Null)
    }

    fn count(&self) -> usize {
        self.members().iter().filter(|(_, value)| *value != Value::Null).count()
    }
}

impl wire_rules::Json for Value<'_> {
    fn kind(&self) -> Option<JsonKind> {
        Some(match self {
            Value::Null => return None,
            Value::Bool(_) => JsonKind::Boolean,
            Value::Integer(_) | Value::Float(_) => JsonKind::Number,
            Value::Text(_) => JsonKind::String,
            Value::List(_) => JsonKind::Array,
            Value::Object(_) => JsonKind::Object,
        })
    }

    fn text(&self) -> Option<&str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }

    fn is(&self, scalar: &Json) -> bool {
        match (self, scalar) {
            (Value::Bool(value), Json::Bool(other)) => value == other,
            (Value::Text(value), Json::String(other)) => value == other,
            (value, Json::Number(other)) => {
                value.number().is_some_and(|value| number::are_equal(&value, other))
            }
            _ => false,
        }
    }

    fn find(&self, by: &mut dyn FnMut(&dyn wire_rules::Json) -> Option<usize>) -> Option<usize> {
        let Value::List(items) = self else { return None };
        items.iter().find_map(|item| by(item))
    }

    fn is_hollow(&self) -> bool {
        match self {
            Value::List(items) => items.iter().all(|item| *item == Value::Null || item.is_hollow()),
            Value::Object(members) => members.is_empty(),
            _ => false,
        }
    }

    fn decide(&self, by: &mut dyn FnMut(&dyn Properties) -> Option<usize>) -> Option<usize> {
        by(self)
    }
}

impl<'t> Value<'t> {
    pub fn members(&self) -> &[(Cow<'t, str>, Self)] {
        if let Value::Object(members) = self { members } else { &[] }
    }

    fn last(&self, name: &str) -> Option<&Self> {
        self.members().iter().rfind(|(known, _)| known == name).map(|(_, value)| value)
    }

    pub fn number(&self) -> Option<Number> {
        match self {
            Value::Integer(value) => Number::from_i128(*value),
            Value::Float(value) => Number::from_f64(*value),
            _ => None,
        }
    }
}
