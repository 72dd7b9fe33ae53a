//! Objects that name their type.

use std::fmt;

use crate::wire::{DecodeError, Map, Model, Sensitive, Target, View, Wire, decode, encode};

/// An object with the name of its type in `@type`, and the properties of that type.
///
/// It is decoded on demand, and encoded as it was received, whether its type is known or not.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct TypedObject(Map);

impl TypedObject {
    /// The property with the name of the type.
    const TYPE: &str = "@type";

    /// Returns the name of the type as it was received, such as `type.googleapis.com/acme.v1.User`.
    pub fn type_url(&self) -> Option<&str> {
        self.0.get(Self::TYPE)?.as_str()
    }

    /// Returns the name of the type after the last slash, such as `acme.v1.User`.
    pub fn type_name(&self) -> Option<&str> {
        self.type_url()?.rsplit('/').next()
    }

    /// Returns all properties, `@type` included.
    pub fn properties(&self) -> &Map {
        &self.0
    }

    /// Returns all properties, `@type` included.
    pub fn into_properties(self) -> Map {
        self.0
    }

    /// Decodes the object as a model, which retains `@type` as an undescribed property. Check
    /// [`type_name`](Self::type_name) first: if all properties of the model are optional, any object can be decoded.
    ///
    /// # Errors
    ///
    /// Fails if a property does not have the type that the model describes.
    pub fn decode<T: Model>(&self) -> Result<T, DecodeError> {
        decode(&encode(&self.0), None)
    }
}

impl From<Map> for TypedObject {
    fn from(properties: Map) -> Self {
        Self(properties)
    }
}

impl Wire for TypedObject {
    fn target(&mut self) -> Target<'_> {
        Target::Dictionary(&mut self.0)
    }

    fn view(&self) -> View<'_> {
        View::Dictionary(&self.0)
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}

impl Sensitive for TypedObject {
    fn wipe(&mut self) {
        self.0.wipe();
    }
}

crate::__serde!(TypedObject);

impl fmt::Debug for TypedObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TypedObject").field(&self.0).finish()
    }
}
