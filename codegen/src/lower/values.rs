//! The values of enums.

use std::borrow::Cow;

use super::constraints::is_null;
use crate::document::{Node, Pointer, Schema, SchemaType};
use crate::ir::EnumKind;

/// A value of an enum.
#[derive(Clone, Debug)]
pub struct Value<'d> {
    /// The text on the wire; of an integer, its digits.
    pub text: Cow<'d, str>,
    /// The name that the document gives it.
    pub name: Option<&'d str>,
    /// The description.
    pub description: Option<&'d str>,
    /// The JSON pointer to it.
    pub pointer: Pointer,
}

/// Returns the values of an enum or of a constant; and those of alternatives that are enums, constants, or any value of
/// their type.
pub fn enum_values<'d>(schema: &Schema<'d>) -> Option<(EnumKind, Vec<Value<'d>>)> {
    [EnumKind::Text, EnumKind::Integer]
        .into_iter()
        .find_map(|kind| Some((kind, values_of_kind(schema, kind)?)))
}

fn values_of_kind<'d>(schema: &Schema<'d>, kind: EnumKind) -> Option<Vec<Value<'d>>> {
    if is_enum_of(schema, kind) {
        return Some(own_values(schema, kind));
    }
    let mut branches = schema.one_of();
    branches.extend(schema.any_of());
    let has_both = schema.has("oneOf") && schema.has("anyOf");
    let is_of_kind =
        |branch: &Schema<'_>| is_enum_of(branch, kind) || is_any(branch, kind) || is_null(branch);
    let is_plain = !has_both && !schema.has_properties() && !schema.has_all_of();
    if !is_plain || !branches.iter().all(is_of_kind) {
        return None;
    }
    let enums = branches.iter().filter(|branch| is_enum_of(branch, kind));
    let values = enums.flat_map(|branch| {
        let mut values = own_values(branch, kind);
        if let [sole] = values.as_mut_slice() {
            sole.name = sole.name.or(branch.title().filter(|_| kind == EnumKind::Integer));
        }
        values
    });
    let values: Vec<_> = values.collect();
    (!values.is_empty()).then_some(values)
}

/// Returns whether any value of its type is among the alternatives to the values of an enum.
pub fn takes_any(schema: &Schema<'_>, kind: EnumKind) -> bool {
    schema.one_of().iter().chain(&schema.any_of()).any(|branch| is_any(branch, kind))
}

/// Returns whether a schema itself lists values or is a constant.
pub fn is_enum(schema: &Schema<'_>) -> bool {
    is_enum_of(schema, EnumKind::Text) || is_enum_of(schema, EnumKind::Integer)
}

fn own_values<'d>(schema: &Schema<'d>, kind: EnumKind) -> Vec<Value<'d>> {
    let place = schema.place_of_values();
    let values = schema.listed().filter_map(|(index, value)| {
        let value = Value::new(value, kind, place.join_index(index))?;
        let name = schema.enum_name(index);
        let description = schema.enum_description(index);
        Some(Value { name, description, ..value })
    });
    let mut values: Vec<Value<'d>> = values.collect();
    if values.is_empty() {
        let constant = schema.constant().map(|value| (value, schema.pointer.join("const")));
        values.extend(constant.and_then(|(value, pointer)| Value::new(value, kind, pointer)));
    }
    if let [sole] = values.as_mut_slice() {
        let title = schema.title().filter(|_| kind == EnumKind::Text);
        sole.description = sole.description.or(schema.description()).or(title);
    }
    values
}

impl<'d> Value<'d> {
    /// Returns a value of an enum of a kind.
    fn new(value: &'d Node, kind: EnumKind, pointer: Pointer) -> Option<Self> {
        let text = match (kind, value) {
            (EnumKind::Text, Node::String(text)) => Cow::Borrowed(text.as_str()),
            (EnumKind::Integer, Node::Integer(value)) => {
                i64::try_from(*value).ok()?.to_string().into()
            }
            _ => return None,
        };
        Some(Self { text, name: None, description: None, pointer })
    }
}

/// Returns whether a schema lists values of one kind (and null), or is such a constant. One of a secret is only text: an
/// enum is not redacted.
fn is_enum_of(schema: &Schema<'_>, kind: EnumKind) -> bool {
    let is_typed = schema.types().next().is_none() || schema.has_only(type_of(kind));
    let is_value = |value: &Node| match (kind, value) {
        (EnumKind::Text, Node::String(_)) => true,
        (EnumKind::Integer, Node::Integer(value)) => i64::try_from(*value).is_ok(),
        _ => false,
    };
    let mut values = schema.listed().map(|(_, value)| value);
    schema.reference().is_none()
        && schema.format() != Some("password")
        && is_typed
        && values.clone().all(|value| is_value(value) || value.is_null())
        && (values.any(is_value) || schema.constant().is_some_and(is_value))
}

/// Returns whether a schema allows any value of the type of an enum.
fn is_any(schema: &Schema<'_>, kind: EnumKind) -> bool {
    // The formats of integers are ranges, those of texts are other types.
    let has_format = kind == EnumKind::Text && schema.format().is_some();
    schema.types().eq([type_of(kind)])
        && !has_format
        && schema.enumeration().is_none()
        && schema.constant().is_none()
}

fn type_of(kind: EnumKind) -> SchemaType {
    match kind {
        EnumKind::Text => SchemaType::String,
        EnumKind::Integer => SchemaType::Integer,
    }
}
