//! Fingerprints of values.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::wire::reflect::wire::{Active, View, Wire};
use crate::wire::value::Map;

/// Returns a number that equal values of a type share.
pub(in crate::wire) fn fingerprint(value: &dyn Wire) -> u64 {
    let mut hasher = DefaultHasher::new();
    add(value, &mut hasher);
    hasher.finish()
}

fn add(value: &dyn Wire, hasher: &mut DefaultHasher) {
    match value.view() {
        View::Absent => hasher.write_u8(0),
        View::Bool(value) => value.hash(hasher),
        View::Integer(value) => value.hash(hasher),
        View::F64(value) => value.to_bits().hash(hasher),
        View::Text(text) | View::Enum(text, _) => text.hash(hasher),
        View::Scalar(value) => value.to_string().hash(hasher),
        View::Own(value) => value.written().unwrap_or_default().to_string().hash(hasher),
        View::Upload(upload) => upload.as_bytes().hash(hasher),
        View::Secret(inner) => add(inner, hasher),
        View::Object => value.with_fields(|_, fields, unknown| {
            for field in fields {
                add(*field, hasher);
            }
            properties(unknown.siblings(), hasher);
            unknown.properties().len().hash(hasher);
            for (name, value) in unknown.properties() {
                name.hash(hasher);
                // Its field has been added.
                if unknown.stand_in(name).is_none() {
                    value.to_string().hash(hasher);
                }
            }
        }),
        View::Union(union) => match union.active() {
            Active::Known(index, payload) => {
                index.hash(hasher);
                add(payload, hasher);
            }
            Active::Unknown(held) => properties(held, hasher),
        },
        View::Choice(choice) => match choice.active() {
            Active::Known(index, payload) => {
                index.hash(hasher);
                add(payload, hasher);
            }
            Active::Unknown(value) => value.to_string().hash(hasher),
        },
        View::Array(array) => {
            array.len().hash(hasher);
            array.elements().for_each(|element| add(element, hasher));
        }
        View::Dictionary(entries) => {
            entries.len().hash(hasher);
            entries.each(&mut |name, value| {
                name.hash(hasher);
                add(value, hasher);
            });
        }
        View::Value(value) => value.to_string().hash(hasher),
        View::Exact(json) => json.hash(hasher),
    }
}

fn properties(properties: &Map, hasher: &mut DefaultHasher) {
    properties.len().hash(hasher);
    for (name, value) in properties {
        name.hash(hasher);
        value.to_string().hash(hasher);
    }
}
