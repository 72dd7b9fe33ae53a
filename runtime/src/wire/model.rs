//! The trait of models.

use super::decode::error::DecodeError;
use super::decode::{decode, decode_into};
use super::encode::encode;
use super::lookup::withheld;
use super::reflect::table::Role;
use super::reflect::wire::{Active, ActiveMut, Target, View, Wire};
use super::unknown::no_properties;
use super::value::{Map, Value};

/// A type of the wire format: an object with described properties, a union, an enum, or a list or dictionary of them.
///
/// Models have serde's traits. Formats that describe themselves can hold them, such as JSON, YAML, TOML, `MessagePack` and
/// CBOR. Others, such as `postcard` and `bincode`, write a model, but fail to read it: its type follows from the content.
///
/// Models are `PartialEq`, but not `Eq` or `Hash`, unless `[derive]` in `codegen.toml` adds these: a later version of an object
/// may have a float. Enums are both, and ordered by their text.
pub trait Model: Wire + Default {
    /// Returns the undescribed properties of the value.
    fn unknown_properties(&self) -> &Map {
        let wire: &dyn Wire = self;
        match wire.view() {
            View::Union(union) => match union.active() {
                Active::Unknown(properties) => properties,
                Active::Known(_, payload) => payload.unknown().siblings(),
            },
            View::Choice(choice) => match choice.active() {
                Active::Unknown(value) => value.as_object().unwrap_or_else(no_properties),
                Active::Known(_, payload) => payload.unknown().properties(),
            },
            _ => wire.unknown().properties(),
        }
    }

    /// Sets an undescribed property, and returns whether the value is an object and so can have one.
    ///
    /// With the name of a described property, it replaces the field: for example an explicit null, a value
    /// that the type of the field does not have, or a read-only property.
    fn set_unknown(&mut self, name: impl Into<String>, value: impl Into<Value>) -> bool {
        set(self, name.into(), value.into())
    }

    /// Removes an undescribed property, or a value that its field cannot hold, and returns it. The field keeps the value
    /// that it has: to clear a property of an edit that its field cannot hold, remove it here.
    fn remove_unknown(&mut self, name: &str) -> Option<Value> {
        remove(self, name)
    }

    /// Reads the same JSON as another type, such as another variant of a union: `source.view::<Card>()`.
    ///
    /// # Errors
    ///
    /// Fails if the value does not have the other type.
    fn view<T: Model>(&self) -> Result<T, DecodeError> {
        let mut value = T::default();
        decode_into(&mut value, &self.to_json(), false, Some(&withheld(self)))?;
        Ok(value)
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
    /// Fails if the text is not JSON, or is itself a value that the type cannot hold.
    fn from_json(json: &[u8]) -> Result<Self, DecodeError> {
        decode(json, None)
    }

    /// Encodes the value as JSON, without white space and with read-only properties, which requests do not send.
    ///
    /// A required property that was missing or null, and a nullable optional property of a request that was null, is
    /// encoded as it was received until the field is not the default of its type. An integer that a setter refused as
    /// out of range is left out: requests and `serde_json::to_vec` fail with the reason instead, until the field has
    /// another value.
    fn to_json(&self) -> Vec<u8> {
        encode(self)
    }
}

impl<T: Wire + Default> Model for T {}

/// Sets a described property to null. For emitted setters only.
pub fn set_null(object: &mut dyn Wire, name: &str) {
    let Some(field) = object.table().and_then(|table| table.position(name, 0)) else { return };
    object.with_fields_mut(|fields, unknown| {
        if let Some(wire) = fields.get_mut(field) {
            wire.clear();
        }
        unknown.insert_null(name, field);
    });
}

fn set(wire: &mut dyn Wire, name: String, value: Value) -> bool {
    let object = match wire.target() {
        Target::Object => return set_of_object(wire, name, value),
        Target::Union(union) => {
            let is_known = union.position(&name).is_some();
            let mut properties = Map::from_iter([(name, value)]);
            if is_known || !union.attach(&mut properties) {
                union.hold(properties);
            }
            return true;
        }
        Target::Choice(choice) => match choice.active_mut() {
            ActiveMut::Known(payload) => return set(payload, name, value),
            ActiveMut::Unknown(value) => value.as_object_mut(),
        },
        Target::TypedObject(value) => value.as_object_mut(),
        Target::Dictionary(entries) => entries.free_form(),
        _ => None,
    };
    object.map(|object| object.insert(name, value)).is_some()
}

fn set_of_object(wire: &mut dyn Wire, name: String, value: Value) -> bool {
    let Some(table) = wire.table() else { return false };
    let set = wire.with_fields_mut(|fields, unknown| {
        let mut fields = table.properties.iter().zip(fields);
        let union = fields.find_map(|(property, field)| match field.view() {
            View::Union(union)
                if property.kind == Role::Flattened && union.position(&name).is_some() =>
            {
                match field.target() {
                    Target::Union(union) => Some(union),
                    _ => None,
                }
            }
            _ => None,
        });
        match union {
            Some(union) => union.hold([(name, value)]),
            None => unknown.insert_override(name, value),
        }
    });
    set.is_some()
}

fn remove(wire: &mut dyn Wire, name: &str) -> Option<Value> {
    match wire.target() {
        Target::Object => {}
        Target::Union(union) => {
            return match union.active_mut() {
                ActiveMut::Unknown(properties) => properties.remove(name),
                ActiveMut::Known(payload) => payload.with_fields_mut(|_, unknown| {
                    let removed = unknown.retained_mut().siblings.remove(name);
                    unknown.drop_if_empty();
                    removed
                })?,
            };
        }
        Target::Choice(choice) => {
            return match choice.active_mut() {
                ActiveMut::Known(payload) => remove(payload, name),
                ActiveMut::Unknown(value) => value.as_object_mut()?.remove(name),
            };
        }
        Target::TypedObject(value) => return value.as_object_mut()?.remove(name),
        Target::Dictionary(entries) => return entries.free_form()?.remove(name),
        _ => return None,
    }
    let table = wire.table()?;
    wire.with_fields_mut(|fields, unknown| {
        let removed = unknown.remove_override(name).or_else(|| {
            let mut fields = table.properties.iter().zip(fields);
            fields.find_map(|(property, field)| {
                let is_union = property.kind == Role::Flattened && !field.view().is_absent();
                if is_union { remove(&mut **field, name) } else { None }
            })
        });
        unknown.drop_if_empty();
        removed
    })?
}
