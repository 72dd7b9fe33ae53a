//! The trait of models.

use super::decode::decode;
use super::decode::error::DecodeError;
use super::encode::encode;
use super::reflect::wire::{Active, ActiveMut, Target, View, Wire};
use super::unknown::{UnknownProperties, no_properties};
use super::value::{Map, Value};

/// A type of the wire format: an object with described properties, a union, an enum, or a list or dictionary of them.
///
/// Models are `PartialEq`, but not `Eq` or `Hash`: a later version of an object may have a float. Enums are both, and
/// ordered by their text.
pub trait Model: Wire + Default {
    /// Returns the undescribed properties of the value.
    fn unknown_properties(&self) -> &Map {
        let wire: &dyn Wire = self;
        match wire.view() {
            View::Union(union) => match union.active() {
                Active::Unknown(properties) => properties,
                Active::Known(_, payload) => {
                    payload.unknown().map_or_else(no_properties, UnknownProperties::siblings)
                }
            },
            View::Choice(choice) => match choice.active() {
                Active::Unknown(value) => value.as_object().unwrap_or_else(no_properties),
                Active::Known(_, payload) => {
                    payload.unknown().map_or_else(no_properties, UnknownProperties::properties)
                }
            },
            _ => wire.unknown().map_or_else(no_properties, UnknownProperties::properties),
        }
    }

    /// Sets an undescribed property, and returns whether the value is an object and so can have one.
    ///
    /// With the name of a described property, it replaces the field: for example an explicit null, a value
    /// that the type of the field does not have, or a read-only property.
    fn set_unknown(&mut self, name: impl Into<String>, value: impl Into<Value>) -> bool {
        set(self, name.into(), value.into())
    }

    /// Reads the same JSON as another type, such as another variant of a union: `source.view::<Card>()`.
    ///
    /// # Errors
    ///
    /// Fails if the value does not have the other type.
    fn view<T: Model>(&self) -> Result<T, DecodeError> {
        T::from_json(&self.to_json())
    }

    /// Calls a setter if there is a value: `.set_if_some(name, User::display_name)`.
    #[must_use]
    fn set_if_some<T>(self, value: Option<T>, setter: impl FnOnce(Self, T) -> Self) -> Self {
        match value {
            Some(value) => setter(self, value),
            None => self,
        }
    }

    /// Decodes the value from JSON.
    ///
    /// # Errors
    ///
    /// Fails if the text is not JSON, or a value does not have the described type.
    fn from_json(json: &[u8]) -> Result<Self, DecodeError> {
        decode(json, None)
    }

    /// Encodes the value as JSON, without white space and with read-only properties, which requests do not send.
    ///
    /// A required property that was missing or null is so again until the field is not the default of its type. An
    /// integer that a setter refused as out of range is left out: requests and `serde_json::to_vec` fail with the reason
    /// instead, until the field has another value.
    fn to_json(&self) -> Vec<u8> {
        encode(self)
    }
}

impl<T: Wire + Default> Model for T {}

fn set(wire: &mut dyn Wire, name: String, value: Value) -> bool {
    match wire.target() {
        Target::Object => {}
        Target::Union(union) => {
            let is_known = union.position(&name).is_some();
            let mut properties = Map::from_iter([(name, value)]);
            if is_known || !union.attach(&mut properties) {
                union.hold(properties);
            }
            return true;
        }
        Target::Choice(choice) => {
            return match choice.active_mut() {
                ActiveMut::Known(payload) => set(payload, name, value),
                ActiveMut::Unknown(Value::Object(object)) => {
                    object.insert(name, value);
                    true
                }
                ActiveMut::Unknown(_) => false,
            };
        }
        Target::Dictionary(entries) => {
            return entries.free_form().map(|map| map.insert(name, value)).is_some();
        }
        _ => return false,
    }
    wire.with_fields_mut(|fields, unknown| {
        for field in fields {
            if let View::Union(union) = field.view()
                && union.position(&name).is_some()
                && let Target::Union(union) = field.target()
            {
                union.hold([(name.clone(), value.clone())]);
                return;
            }
        }
        unknown.insert_override(name.clone(), value.clone());
    });
    true
}
