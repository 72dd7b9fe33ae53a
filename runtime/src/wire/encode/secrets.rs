//! The scalars in a value, and which of them are secrets, for redaction.

use std::fmt::Display;

use crate::wire::encode::fields::undescribed;
use crate::wire::exact;
use crate::wire::reflect::rules::Rules;
use crate::wire::reflect::wire::{Active, View, Wire};
use crate::wire::value::{Map, Value};

/// A scalar, or another part of a value that has a text.
#[cfg_attr(not(feature = "record"), expect(dead_code, reason = "recorders read all parts"))]
pub(in crate::wire) enum Leaf<'a> {
    Text(&'a str),
    /// A value of an enum, with whether the spec lists it.
    Constant(&'a str, bool),
    /// The constants that distinguish the variants of a union.
    Constants(&'a Rules),
    Number(&'a dyn Display),
    /// A boolean or a time.
    Other,
    /// The name of an entry of a dictionary.
    Key(&'a str),
    /// The name of a described property.
    Property(&'static str),
    /// The name of a property of an object that names its type.
    Name(&'a str),
}

/// The property with the name of the type of an object.
pub(crate) const TYPE: &str = "@type";

/// Returns the texts and the integers of the secrets in a value.
pub(crate) fn secrets(value: &dyn Wire) -> Vec<String> {
    let mut found = Vec::new();
    walk(value, false, &mut |leaf, is_secret| match leaf {
        Leaf::Text(text) | Leaf::Constant(text, _) if is_secret => found.push(text.to_owned()),
        Leaf::Number(number) if is_secret => found.push(number.to_string()),
        _ => {}
    });
    found
}

/// Visits the scalars of a value, each with whether it is, or may contain, a secret.
pub(in crate::wire) fn walk(
    value: &dyn Wire,
    is_secret: bool,
    visit: &mut dyn FnMut(Leaf<'_>, bool),
) {
    match value.view() {
        View::Secret(inner) => walk(inner, true, visit),
        View::Text(text) => visit(Leaf::Text(text), is_secret),
        View::Enum(text, is_known) => visit(Leaf::Constant(text, is_known), is_secret),
        View::Signed(value) => visit(Leaf::Number(&value), is_secret),
        View::Unsigned(value) => visit(Leaf::Number(&value), is_secret),
        View::Wide(value) => visit(Leaf::Number(&value), is_secret),
        View::F64(value) => visit(Leaf::Number(&value), is_secret),
        View::Bool(_) | View::Timestamp(_) => visit(Leaf::Other, is_secret),
        View::Value(value) => walk_json(value, is_secret, visit),
        View::Exact(json) => {
            let nearest = exact::nearest(json.as_bytes()).unwrap_or_default();
            walk_json(&nearest, is_secret, visit);
            exact::replaced(json, |digits| {
                visit(Leaf::Number(&digits), is_secret);
                None
            });
        }
        View::Object => walk_object(value, is_secret, visit),
        View::Union(union) => match union.active() {
            Active::Known(_, payload) => walk(payload, is_secret, visit),
            Active::Unknown(properties) if is_secret || union.table().secrecy.is_known() => {
                walk_map(properties, true, visit);
            }
            Active::Unknown(_) => {}
        },
        View::Choice(choice) => match choice.active() {
            Active::Known(_, payload) => {
                visit(Leaf::Constants(choice.plan().read()), false);
                walk(payload, is_secret, visit);
            }
            Active::Unknown(value) if is_secret || choice.plan().secrecy.is_known() => {
                walk_json(value, true, visit);
            }
            Active::Unknown(_) => {}
        },
        View::Array(array) => array.elements().for_each(|item| walk(item, is_secret, visit)),
        View::Dictionary(entries) => {
            let type_name = entries.get(TYPE).and_then(|value| match value.view() {
                View::Value(Value::String(text)) => Some(text.as_str()),
                _ => None,
            });
            entries.each(&mut |name, value| {
                if visit_name(name, type_name, is_secret, visit) {
                    walk(value, is_secret, visit);
                }
            });
        }
        View::Absent | View::Upload(_) => {}
    }
}

fn walk_object(value: &dyn Wire, is_secret: bool, visit: &mut dyn FnMut(Leaf<'_>, bool)) {
    value.with_fields(|table, fields, unknown| {
        for (property, field) in table.read().properties.iter().zip(fields) {
            visit(Leaf::Property(property.name), false);
            walk(*field, is_secret, visit);
        }
        let Some(retained) = unknown.retained() else { return };
        for (name, value) in &retained.properties {
            if retained.unfit.get(name).is_some_and(|unfit| unfit.is_secret) {
                walk(undescribed(retained, name, value), true, visit);
            }
        }
    });
}

fn walk_json(value: &Value, is_secret: bool, visit: &mut dyn FnMut(Leaf<'_>, bool)) {
    match value {
        Value::String(text) => visit(Leaf::Text(text), is_secret),
        Value::Number(number) => visit(Leaf::Number(number), is_secret),
        Value::Bool(_) => visit(Leaf::Other, is_secret),
        Value::Array(items) => items.iter().for_each(|item| walk_json(item, is_secret, visit)),
        Value::Object(object) => walk_map(object, is_secret, visit),
        Value::Null => {}
    }
}

fn walk_map(object: &Map, is_secret: bool, visit: &mut dyn FnMut(Leaf<'_>, bool)) {
    let type_name = object.get(TYPE).and_then(Value::as_str);
    for (name, value) in object {
        if visit_name(name, type_name, is_secret, visit) {
            walk_json(value, is_secret, visit);
        }
    }
}

/// Visits the name of an entry, and the name of the type, if it is its value. Returns whether the value is another one.
fn visit_name(
    name: &str,
    type_name: Option<&str>,
    is_secret: bool,
    visit: &mut dyn FnMut(Leaf<'_>, bool),
) -> bool {
    match type_name {
        Some(type_name) if name == TYPE => visit(Leaf::Constant(type_name, false), is_secret),
        Some(_) => visit(Leaf::Name(name), is_secret),
        None => visit(Leaf::Key(name), is_secret),
    }
    type_name.is_none() || name != TYPE
}
