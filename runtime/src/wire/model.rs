//! What models have in common.

use super::decode::decode;
use super::encode::encode;
use super::union::Active;
use super::view::View;
use super::{DecodeError, Map, Wire, unknown};

/// A type that the description names: an object whose members are described, or one that holds one of several members.
pub trait Model: Wire {
    /// Returns the members that came with the value and that the description does not name.
    fn unknown_members(&self) -> &Map {
        match self.view() {
            View::Object(object) => object.unknown().members(),
            View::Union(union) => match union.active() {
                Active::Unknown(members) => members,
                Active::Known(_, _, payload) => match payload.view() {
                    View::Object(object) => object.unknown().siblings(),
                    _ => unknown::no_members(),
                },
            },
            _ => unknown::no_members(),
        }
    }

    /// Reads the value from JSON.
    ///
    /// # Errors
    ///
    /// When the text is not JSON, or a value in it has another type than described.
    fn from_json(json: &[u8]) -> Result<Self, DecodeError>
    where
        Self: Default,
    {
        decode(json, None)
    }

    /// Returns the value as JSON, without white space. What was read is written again as it came, unless it was
    /// changed.
    fn to_json(&self) -> Vec<u8>
    where
        Self: Sized,
    {
        encode(self)
    }
}
