//! The secrets in a value, for redaction.

use crate::wire::reflect::wire::{Active, View, Wire};
use crate::wire::value::Value;

/// Returns the texts and the integers of the secrets in a value.
pub(crate) fn secrets(value: &dyn Wire) -> Vec<String> {
    let mut found = Vec::new();
    add(value, false, &mut found);
    found
}

fn add(value: &dyn Wire, is_secret: bool, found: &mut Vec<String>) {
    match value.view() {
        View::Secret(inner) => add(inner, true, found),
        View::Text(text) if is_secret => found.push(text.to_owned()),
        View::Signed(value) if is_secret => found.push(value.to_string()),
        View::Unsigned(value) if is_secret => found.push(value.to_string()),
        View::Wide(value) if is_secret => found.push(value.to_string()),
        View::Value(value) if is_secret => match value {
            Value::String(text) => found.push(text.clone()),
            Value::Number(number) => found.push(number.to_string()),
            Value::Array(items) => items.iter().for_each(|item| add(item, true, found)),
            Value::Object(object) => object.values().for_each(|value| add(value, true, found)),
            Value::Null | Value::Bool(_) => {}
        },
        View::Object => value.with_fields(|_, fields, _| {
            for field in fields {
                add(*field, is_secret, found);
            }
        }),
        View::Union(union) => {
            if let Active::Known(_, payload) = union.active() {
                add(payload, is_secret, found);
            }
        }
        View::Choice(choice) => {
            if let Active::Known(_, payload) = choice.active() {
                add(payload, is_secret, found);
            }
        }
        View::Array(array) => array.elements().for_each(|item| add(item, is_secret, found)),
        View::Dictionary(entries) => {
            entries.each(&mut |_, value| add(value, is_secret, found));
        }
        _ => {}
    }
}
