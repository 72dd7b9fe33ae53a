//! The meaning of the names in an object.

use crate::wire::reflect::table::{Described, Role};
use crate::wire::reflect::wire::{Target, Wire};

/// The meaning of a name.
pub(super) enum KeyTarget {
    Property(usize),
    /// A property of the flattened union in a field.
    Flattened(usize, usize),
    /// An undescribed property.
    Unknown(String),
}

/// Returns whether an object describes a property, itself or in a flattened union of properties.
pub(super) fn is_described(table: &Described, fields: &mut [&mut dyn Wire], name: &str) -> bool {
    !matches!(find(table, fields, 0, name), KeyTarget::Unknown(_))
}

/// Looks up a name.
pub(super) fn find(
    table: &Described,
    fields: &mut [&mut dyn Wire],
    next: usize,
    name: &str,
) -> KeyTarget {
    if let Some(field) = table.position(name, next) {
        return KeyTarget::Property(field);
    }
    if table.flattened {
        for (field, (property, wire)) in table.properties.iter().zip(fields).enumerate() {
            if property.kind == Role::Flattened
                && let Target::Union(union) = wire.target()
                && let Some(index) = union.position(name)
            {
                return KeyTarget::Flattened(field, index);
            }
        }
    }
    KeyTarget::Unknown(name.to_owned())
}
