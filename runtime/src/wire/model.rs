//! What models have in common.

use super::decode::decode;
use super::encode::encode;
use super::union::Active;
use super::view::View;
use super::{DecodeError, Map, UnknownMembers, Wire, unknown};

/// A type of the wire format: an object whose members are described, one that holds one of several members, an enum, or
/// a list or dictionary of them.
pub trait Model: Wire + Default {
    /// Returns the members that came with the value and that the description does not name.
    fn unknown_members(&self) -> &Map {
        let wire: &dyn Wire = self;
        match wire.view() {
            View::Union(union) => match union.active() {
                Active::Unknown(members) => members,
                Active::Known(_, _, payload) => {
                    payload.unknown().map_or_else(unknown::no_members, UnknownMembers::siblings)
                }
            },
            _ => wire.unknown().map_or_else(unknown::no_members, UnknownMembers::members),
        }
    }

    /// Reads the value from JSON.
    ///
    /// # Errors
    ///
    /// When the text is not JSON, or a value in it has another type than described.
    fn from_json(json: &[u8]) -> Result<Self, DecodeError> {
        decode(json, None)
    }

    /// Returns the value as JSON, without white space. What was read is written again as it came, unless it was
    /// changed. A required member that did not come, or came as null, counts as changed once it is not the default of
    /// its type.
    fn to_json(&self) -> Vec<u8> {
        encode(self)
    }
}

impl<T: Wire + Default> Model for T {}
