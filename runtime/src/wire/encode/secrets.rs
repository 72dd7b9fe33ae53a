//! The scalars in a value, and which of them are secrets, for redaction.

use std::fmt::Display;

use wire_rules::nearest;

use crate::wire::encode::fields::undescribed;
use crate::wire::exact;
use crate::wire::reflect::hidden::Hidden;
use crate::wire::reflect::plan::UnionTable;
use crate::wire::reflect::wire::{Active, Dictionary, View, Wire};
use crate::wire::value::Value;

/// A scalar, or another part of a value that has a text.
#[cfg_attr(not(feature = "record"), expect(dead_code, reason = "recorders read all parts"))]
pub(in crate::wire) enum Leaf<'a> {
    Text(&'a str),
    /// A value of an enum, with whether the spec lists it.
    Constant(&'a str, bool),
    /// The constants that distinguish the variants of a union.
    Constants(&'a UnionTable),
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
    walk(value, Hidden::Nothing, &mut |leaf, is_secret| match leaf {
        Leaf::Text(text) | Leaf::Constant(text, _) if is_secret => found.push(text.to_owned()),
        Leaf::Number(number) if is_secret => found.push(number.to_string()),
        _ => {}
    });
    found
}

/// Visits the scalars of a value, each with whether it is, or may contain, a secret. Of what the spec does not describe,
/// only secrets are visited.
pub(in crate::wire) fn walk(
    value: &dyn Wire,
    hidden: Hidden,
    visit: &mut dyn FnMut(Leaf<'_>, bool),
) {
    let view = value.view().opened();
    let is_secret = view.is_hidden(hidden);
    match view {
        View::Secret(inner) => walk(inner, Hidden::All, visit),
        View::Text(text) => visit(Leaf::Text(text), is_secret),
        View::Enum(text, is_listed) => visit(Leaf::Constant(text, is_listed), is_secret),
        View::Integer(value) => visit(Leaf::Number(&value), is_secret),
        View::F64(value) => visit(Leaf::Number(&value), is_secret),
        View::Value(Value::Number(number)) => visit(Leaf::Number(number), is_secret),
        View::Bool(_) | View::Scalar(_) => visit(Leaf::Other, is_secret),
        View::Own(value) => walk(&*value.sent().unwrap_or_default(), hidden, visit),
        View::Exact(json) => {
            let near: Value = exact::nearest(json.as_bytes()).unwrap_or_default();
            walk(&near, hidden, visit);
            nearest::replaced(json, |digits| {
                visit(Leaf::Number(&digits), is_secret);
                None
            });
        }
        View::Object => walk_object(value, hidden, visit),
        View::Union(union) => match union.active() {
            Active::Known(index, payload) => {
                let property = union.table().read().properties.get(index);
                walk(payload, property.map_or(hidden, |property| property.hides(hidden)), visit);
            }
            Active::Unknown(properties) => {
                walk_undescribed(properties, Hidden::Texts, visit);
            }
        },
        View::Choice(choice) => match choice.active() {
            Active::Known(_, payload) => {
                visit(Leaf::Constants(choice.plan().read()), false);
                walk(payload, hidden, visit);
            }
            Active::Unknown(value) => {
                walk_undescribed(value, Hidden::Texts, visit);
            }
        },
        View::Array(array) => array.elements().for_each(|item| walk(item, hidden, visit)),
        View::Dictionary(entries) => walk_entries(entries, hidden, visit),
        View::Absent | View::Upload(_) | View::Value(_) => {}
    }
}

fn walk_object(value: &dyn Wire, hidden: Hidden, visit: &mut dyn FnMut(Leaf<'_>, bool)) {
    value.with_fields(|table, fields, unknown| {
        for (property, field) in table.properties.iter().zip(fields) {
            visit(Leaf::Property(property.name), false);
            walk(*field, property.hides(hidden), visit);
        }
        let Some(retained) = unknown.retained() else { return };
        for (name, value) in &retained.properties {
            let value = undescribed(retained, name, value);
            walk_undescribed(value, retained.hides(table, name, hidden).min(Hidden::Texts), visit);
        }
        walk_undescribed(&retained.siblings, hidden, visit);
    });
}

fn walk_undescribed(value: &dyn Wire, hidden: Hidden, visit: &mut dyn FnMut(Leaf<'_>, bool)) {
    walk(value, hidden, &mut |leaf, is_secret| {
        if is_secret {
            visit(leaf, true);
        }
    });
}

/// Visits the entries of a dictionary. One that names its type has names of properties, and that of the type.
fn walk_entries(entries: &dyn Dictionary, hidden: Hidden, visit: &mut dyn FnMut(Leaf<'_>, bool)) {
    let is_secret = hidden >= Hidden::Texts;
    let type_name = entries.get(TYPE).and_then(|value| match value.view() {
        View::Value(Value::String(text)) => Some(text.as_str()),
        _ => None,
    });
    entries.each(&mut |name, value| match type_name {
        Some(type_name) if name == TYPE => visit(Leaf::Constant(type_name, false), is_secret),
        _ => {
            let leaf = if type_name.is_some() { Leaf::Name(name) } else { Leaf::Key(name) };
            visit(leaf, is_secret);
            walk(value, hidden.named(name), visit);
        }
    });
}
