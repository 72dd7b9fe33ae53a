//! What models have in common.

use super::decode::decode;
use super::decode::error::DecodeError;
use super::encode::encode;
use super::reflect::wire::{Active, ActiveMut, Target, View, Wire};
use super::retain::unknown::{UnknownMembers, no_properties};
use super::value::{Map, Value};

/// A type of the wire format: an object with described properties, a union, an enum, or a list or dictionary of them.
///
/// Models are compared with `==`. They are not `Eq` or `Hash`: every object can get a property that is a float, and what
/// a release implements, none may take away. Enums are, and are ordered by their text.
pub trait Model: Wire + Default {
    /// Returns the properties that came with the value and that the spec does not describe.
    fn unknown_members(&self) -> &Map {
        let wire: &dyn Wire = self;
        match wire.view() {
            View::Union(union) => match union.active() {
                Active::Unknown(properties) => properties,
                Active::Known(_, payload) => {
                    payload.unknown().map_or_else(no_properties, UnknownMembers::siblings)
                }
            },
            _ => wire.unknown().map_or_else(no_properties, UnknownMembers::members),
        }
    }

    /// Sets a property that the spec does not describe, and returns whether the value is an object, which alone has
    /// properties.
    ///
    /// The property is also sent in place of a described one of the same name, whatever the field holds. That sends an
    /// explicit null, or a value that the type of the field does not have.
    fn set_unknown(&mut self, name: impl Into<String>, value: impl Into<Value>) -> bool {
        set(self, name.into(), value.into())
    }

    /// Decodes the value from JSON.
    ///
    /// # Errors
    ///
    /// When the text is not JSON, or a value in it has another type than described.
    fn from_json(json: &[u8]) -> Result<Self, DecodeError> {
        decode(json, None)
    }

    /// Encodes the value as JSON, without white space. What was decoded is encoded as it came, unless it was changed. A
    /// required property that was missing or null counts as changed once it is not the default of its type.
    fn to_json(&self) -> Vec<u8> {
        encode(self)
    }
}

impl<T: Wire + Default> Model for T {}

fn set(wire: &mut dyn Wire, name: String, value: Value) -> bool {
    match wire.target() {
        Target::Object => {}
        Target::Union(union) => {
            if union.table().read().position(&name, 0).is_none()
                && let ActiveMut::Known(payload) = union.active_mut()
                && let Target::Object = payload.target()
            {
                payload.with_fields_mut(|_, unknown| {
                    unknown.siblings_mut().insert(name.clone(), value.clone());
                });
            } else {
                union.hold(name, value);
            }
            return true;
        }
        Target::Map(map) => {
            map.insert(name, value);
            return true;
        }
        _ => return false,
    }
    wire.with_fields_mut(|fields, unknown| {
        for field in fields {
            if let View::Union(union) = field.view()
                && union.table().read().position(&name, 0).is_some()
                && let Target::Union(union) = field.target()
            {
                union.hold(name.clone(), value.clone());
                return;
            }
        }
        unknown.set(name.clone(), value.clone());
    });
    true
}
