//! Objects that name their type.

use std::fmt;

use crate::wire::{
    DecodeError, Map, Model, Sensitive, TYPE, Target, Value, View, Wire, decode, encode,
};

/// An object with the name of its type in `@type`, and the properties of that type.
///
/// It is decoded on demand, and encoded as it was received, whether its type is known or not. A value that is not an
/// object is retained, too, and is drift: it has neither a type nor properties.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct TypedObject(Value);

impl TypedObject {
    /// Returns the name of the type as it was received, such as `type.googleapis.com/acme.v1.User`.
    pub fn type_url(&self) -> Option<&str> {
        self.0.get(TYPE)?.as_str()
    }

    /// Returns the name of the type after the last slash, such as `acme.v1.User`.
    pub fn type_name(&self) -> Option<&str> {
        self.type_url()?.rsplit('/').next()
    }

    /// Returns all properties, `@type` included. `None` if the server sent another value than an object.
    pub fn properties(&self) -> Option<&Map> {
        self.0.as_object()
    }

    /// Returns all properties, `@type` included. `None` if the server sent another value than an object.
    pub fn into_properties(self) -> Option<Map> {
        match self.0 {
            Value::Object(properties) => Some(properties),
            _ => None,
        }
    }

    /// Returns the value as it was received.
    pub fn json(&self) -> &Value {
        &self.0
    }

    /// Decodes the object as a model, which retains `@type` as an undescribed property. Check
    /// [`type_name`](Self::type_name) first: if all properties of the model are optional, any object can be decoded.
    ///
    /// # Errors
    ///
    /// Fails if this is not an object.
    pub fn decode<T: Model>(&self) -> Result<T, DecodeError> {
        decode(&encode(&self.0), None)
    }
}

impl Default for TypedObject {
    fn default() -> Self {
        Self::from(Map::new())
    }
}

impl From<Map> for TypedObject {
    fn from(properties: Map) -> Self {
        Self(properties.into())
    }
}

impl Wire for TypedObject {
    fn target(&mut self) -> Target<'_> {
        Target::TypedObject(&mut self.0)
    }

    fn view(&self) -> View<'_> {
        match &self.0 {
            Value::Object(properties) => View::Dictionary(properties),
            value => View::Value(value),
        }
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

impl Sensitive for TypedObject {
    fn wipe(&mut self) {
        self.0.wipe();
    }
}

crate::__serde!(TypedObject);

/// Shows the type and the names of the properties: their values may be secrets.
impl fmt::Debug for TypedObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Option<Vec<&String>> = self.properties().map(|it| it.keys().collect());
        f.debug_struct("TypedObject")
            .field("type_url", &self.type_url())
            .field("properties", &names)
            .finish_non_exhaustive()
    }
}
