//! The properties of an object one by one, for formats other than JSON.

use super::fields::{self, ObjectFields, lacking_tags};
use crate::wire::reflect::as_text::placed;
use crate::wire::reflect::table::Role;
use crate::wire::reflect::wire::{Active, Choice, Union, View, Wire};
use crate::wire::value::{Map, Value};

/// Calls `visit` with the name and the value of each property that a request sends. Returns whether the value is an
/// object.
pub fn each_property(value: &dyn Wire, visit: &mut dyn FnMut(&str, &dyn Wire)) -> bool {
    match value.view() {
        View::Secret(inner) => return each_property(inner, visit),
        View::Object => described(value, visit),
        View::Union(union) => {
            active(union, visit);
            if let Active::Known(_, payload) = union.active()
                && let Some(beside) = payload.unknown()
            {
                undescribed(beside.siblings(), visit);
            }
        }
        View::Choice(choice) => return variant(choice, visit),
        View::Dictionary(entries) => entries.each(&mut |name, entry| {
            placed(entry, value.is_text(), |entry| visit(name, entry));
        }),
        View::Value(Value::Object(properties)) => undescribed(properties, visit),
        View::Absent | View::Value(Value::Null) => {}
        _ => return false,
    }
    true
}

/// Returns the reason why an object or the variant of a union of values cannot be sent, apart from the reasons of its
/// properties.
pub fn invalid(value: &dyn Wire) -> Option<String> {
    if let View::Choice(choice) = value.view() {
        return match choice.active() {
            Active::Known(_, payload) => invalid(payload),
            Active::Unknown(_) => None,
        };
    }
    let mut why = None;
    value.with_fields(|table, fields, unknown| {
        let mut properties = table.read().properties.iter().zip(fields);
        why = fields::invalid(table, fields, unknown).or_else(|| {
            properties.find_map(|(property, field)| {
                let is_sent = property.kind == Role::Flattened && !property.read_only;
                if is_sent { invalid(*field) } else { None }
            })
        });
    });
    why
}

fn described(object: &dyn Wire, visit: &mut dyn FnMut(&str, &dyn Wire)) {
    object.with_fields(|table, fields, unknown| {
        let fields = ObjectFields {
            table: table.read(),
            wires: fields,
            retained: unknown.retained(),
            is_request: true,
            has_null: false,
        };
        for (field, property, wire) in fields.iter() {
            let view = if fields.is_null(field, wire) { View::Absent } else { wire.view() };
            if fields.leaves_out(field, property, wire, &view) {
                continue;
            }
            let mut of_union = |name: &str, value: &dyn Wire| {
                if !fields.writes_before(field, name) {
                    visit(name, value);
                }
            };
            match (property.kind, view) {
                (Role::Property, _) => {
                    placed(wire, property.as_text, |wire| visit(property.name, wire));
                }
                (Role::Flattened, View::Union(union)) => active(union, &mut of_union),
                (Role::Flattened, View::Choice(choice)) => {
                    variant(choice, &mut of_union);
                }
                (Role::Additional, View::Dictionary(entries)) => {
                    entries.each(&mut |name, value| {
                        if !fields.writes(name) {
                            placed(value, property.as_text, |value| visit(name, value));
                        }
                    });
                }
                _ => {}
            }
        }
        if let Some(retained) = fields.retained {
            fields.undescribed(retained).for_each(|(name, value)| visit(name, value));
        }
    });
}

/// Visits the properties of the variant of a union of values, with its tags. Returns whether it is an object.
fn variant(choice: &dyn Choice, visit: &mut dyn FnMut(&str, &dyn Wire)) -> bool {
    let (index, payload) = match choice.active() {
        Active::Unknown(value) => return each_property(value, visit),
        Active::Known(index, payload) => (index, payload),
    };
    for tag in lacking_tags(choice, index, payload, &payload.view()) {
        visit(tag.name, &tag.value);
    }
    placed(payload, choice.plan().is_text(index), |payload| each_property(payload, visit))
}

fn active(union: &dyn Union, visit: &mut dyn FnMut(&str, &dyn Wire)) {
    match union.active() {
        Active::Known(index, payload) => {
            if let Some(property) = union.table().read().properties.get(index) {
                placed(payload, property.as_text, |payload| visit(property.name, payload));
            }
        }
        Active::Unknown(properties) => undescribed(properties, visit),
    }
}

fn undescribed(properties: &Map, visit: &mut dyn FnMut(&str, &dyn Wire)) {
    for (name, value) in properties {
        visit(name, value);
    }
}
