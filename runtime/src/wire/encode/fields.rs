//! The properties of an object that are written, and the fields that write them, in any format.

use crate::wire::reflect::fingerprint::fingerprint;
use crate::wire::reflect::rules::Tag;
use crate::wire::reflect::table::{Described, Presence, PropertyRow, Role, Table};
use crate::wire::reflect::wire::{Active, Choice, Dictionary, View, Wire};
use crate::wire::unknown::{Missing, Retained, UnknownProperties};
use crate::wire::value::Value;

/// The fields of an object that is being written.
pub(super) struct ObjectFields<'a> {
    pub table: &'a Described,
    pub wires: &'a [&'a dyn Wire],
    pub retained: Option<&'a Retained>,
    /// Whether read-only properties are left out.
    pub is_request: bool,
    /// Whether null is written for a required property without a value, and for a property that was null.
    pub has_null: bool,
}

impl<'a> ObjectFields<'a> {
    /// Returns the fields with their indices and properties.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &'a PropertyRow, &'a dyn Wire)> {
        let fields = self.table.properties.iter().zip(self.wires).enumerate();
        fields.map(|(field, (property, wire))| (field, property, *wire))
    }

    /// Returns whether a field is null: its property was, and it still has no value, or the default of its type.
    #[inline]
    pub fn is_null(&self, field: usize, wire: &dyn Wire) -> bool {
        self.retained.is_some_and(|retained| {
            retained.missing.get(&field) == Some(&Missing::Null) && wire.is_unset()
        })
    }

    /// Returns whether the property of a field is not written: it has no value, was missing and still has the default of
    /// its type, or is replaced by an undescribed property with the same name.
    #[inline]
    pub fn leaves_out(
        &self,
        field: usize,
        property: &PropertyRow,
        wire: &dyn Wire,
        view: &View<'_>,
    ) -> bool {
        property.read_only && self.is_request
            || view.is_absent()
                && !(self.has_null
                    && (property.presence == Presence::Required || self.is_null(field, wire)))
            || self.retained.is_some_and(|retained| {
                retained.missing.get(&field) == Some(&Missing::Absent) && wire.is_unset()
                    || property.kind == Role::Property && self.is_replaced(property.name)
            })
    }

    /// Returns whether an undescribed property is written instead of a described one.
    fn is_replaced(&self, name: &str) -> bool {
        self.retained.is_some_and(|retained| retained.overrides(name)) && !self.is_outdated(name)
    }

    /// Returns the undescribed properties that are written.
    pub fn undescribed(
        &self,
        retained: &'a Retained,
    ) -> impl Iterator<Item = (&'a str, &'a dyn Wire)> {
        let written = retained.properties.iter().filter(|(name, _)| !self.is_outdated(name));
        written.map(|(name, value)| (name.as_str(), undescribed(retained, name, value)))
    }

    /// Returns whether an undescribed property is not written, because its field is set, or is read-only and could not
    /// hold it.
    fn is_outdated(&self, name: &str) -> bool {
        let is_read_only = |name| {
            let field = self.table.position(name, 0);
            field.and_then(|field| self.table.properties.get(field)).is_some_and(|it| it.read_only)
        };
        self.retained.is_some_and(|retained| {
            is_outdated(retained, name, self.table, self.wires)
                || self.is_request && retained.unfit.contains_key(name) && is_read_only(name)
        })
    }

    /// Returns whether a property of the flattened union in `field` is written by the object or by an earlier union.
    pub fn writes_before(&self, field: usize, name: &str) -> bool {
        self.writes(name)
            || self
                .iter()
                .take(field)
                .filter(|(_, property, _)| property.kind == Role::Flattened)
                .any(|(_, property, wire)| {
                    !(property.read_only && self.is_request) && self.has(wire, name)
                })
    }

    /// Returns whether a union next to the properties of the object writes a property.
    fn has(&self, union: &dyn Wire, name: &str) -> bool {
        let view = union.view();
        match view {
            View::Choice(choice) => match choice.active() {
                Active::Known(index, wire) => {
                    let view = wire.view();
                    let mut tags = lacking_tags(choice, index, wire, &view);
                    tags.any(|tag| tag.name == name) || self.has(wire, name)
                }
                Active::Unknown(value) => value.get(name).is_some(),
            },
            View::Union(union) => match union.active() {
                Active::Known(index, _) => union.position(name) == Some(index),
                Active::Unknown(properties) => properties.contains_key(name),
            },
            View::Object => {
                let mut has = false;
                union.with_fields(|table, wires, unknown| {
                    let retained = unknown.retained();
                    let fields = ObjectFields { table: table.read(), wires, retained, ..*self };
                    has = fields.writes_before(wires.len(), name)
                        || additional(fields.table, wires).is_some_and(|it| it.get(name).is_some())
                        || unknown.properties().contains_key(name) && !fields.is_outdated(name);
                });
                has
            }
            View::Dictionary(entries) => entries.get(name).is_some(),
            View::Secret(inner) => self.has(inner, name),
            View::Value(Value::Object(properties)) => properties.contains_key(name),
            _ => false,
        }
    }

    /// Returns whether the object itself writes a property: by its field, or by a retained property that replaces the
    /// described one.
    pub fn writes(&self, name: &str) -> bool {
        let field = self.table.position(name, 0).and_then(|field| self.iter().nth(field));
        self.is_replaced(name)
            || field.is_some_and(|(field, property, wire)| {
                !self.leaves_out(field, property, wire, &wire.view())
            })
    }
}

/// Returns the reason why an object cannot be sent, if there is one: a property was set to an integer that is out of
/// range, and to no other value since.
pub fn invalid(table: &Table, fields: &[&dyn Wire], unknown: &UnknownProperties) -> Option<String> {
    let retained = unknown.retained()?;
    let (property, why) = retained.invalid.iter().find(|(property, _)| {
        let field = field(table.read(), fields, property);
        field.is_none_or(<dyn Wire>::is_unset) && !retained.overrides(property)
    })?;
    Some(format!("the value of the property `{property}` is invalid: {why}"))
}

/// Returns an undescribed property as it is written.
pub(in crate::wire) fn undescribed<'a>(
    retained: &'a Retained,
    name: &str,
    value: &'a Value,
) -> &'a dyn Wire {
    match retained.unfit.get(name).and_then(|unfit| unfit.exact.as_ref()) {
        Some(exact) => exact,
        None => value,
    }
}

/// Returns whether an undescribed property is not written, because its field is set.
pub(in crate::wire) fn is_outdated(
    retained: &Retained,
    name: &str,
    table: &Described,
    fields: &[&dyn Wire],
) -> bool {
    retained.unfit.get(name).is_some_and(|unfit| {
        let is_described = table.position(name, 0).is_some();
        let field = if is_described {
            field(table, fields, name)
        } else {
            additional(table, fields).and_then(|entries| entries.get(name))
        };
        match (field, unfit.stand_in) {
            (field, Some(received)) => field.is_none_or(|field| fingerprint(field) != received),
            (Some(field), None) => !is_described || !field.is_unset(),
            (None, None) => false,
        }
    })
}

/// Returns the field of a described property.
fn field<'a>(table: &Described, fields: &[&'a dyn Wire], name: &str) -> Option<&'a dyn Wire> {
    fields.get(table.position(name, 0)?).copied()
}

/// Returns the additional properties of an object, if their type is described.
fn additional<'a>(table: &Described, fields: &[&'a dyn Wire]) -> Option<&'a dyn Dictionary> {
    let (field, _) = table.additional()?;
    match fields.get(field).copied()?.view() {
        View::Dictionary(entries) => Some(entries),
        _ => None,
    }
}

/// Returns the tags of a variant that its value has none of. They are written with it.
pub(super) fn lacking_tags<'a>(
    choice: &'a dyn Choice,
    variant: usize,
    value: &'a dyn Wire,
    view: &'a View<'_>,
) -> impl Iterator<Item = &'static Tag> + 'a {
    let tags = choice.plan().read().tags(variant);
    tags.iter().filter(move |tag| lacks(value, view, tag.name))
}

/// Returns whether an object has no value for a property. The variant of a union writes its own tags.
fn lacks(object: &dyn Wire, view: &View<'_>, name: &str) -> bool {
    match view {
        View::Dictionary(entries) => entries.get(name).is_none(),
        View::Choice(choice) => {
            matches!(choice.active(), Active::Known(..)) && !is_written_by(*choice, name)
        }
        View::Object => {
            let mut lacks = true;
            object.with_fields(|table, fields, unknown| {
                let table = table.read();
                let is_written = |field: &dyn Wire| match field.view() {
                    View::Choice(choice) => is_written_by(choice, name),
                    _ => false,
                };
                let mut properties = table.properties.iter().zip(fields);
                let has_union = table.flattened
                    && properties.any(|(property, field)| {
                        property.kind == Role::Flattened && is_written(*field)
                    });
                let field = field(table, fields, name);
                let entries = additional(table, fields);
                lacks = !has_union
                    && field.is_none_or(<dyn Wire>::is_unset)
                    && entries.is_none_or(|entries| entries.get(name).is_none())
                    && !unknown.properties().contains_key(name)
                    && !unknown.retained().is_some_and(|it| it.missing_tags.contains(&name));
            });
            lacks
        }
        _ => false,
    }
}

/// Returns whether a union writes a property: as a tag, or as a property of its value.
fn is_written_by(choice: &dyn Choice, name: &str) -> bool {
    match choice.active() {
        Active::Known(variant, value) => {
            let mut tags = choice.plan().read().tags(variant).iter();
            tags.any(|tag| tag.name == name) || !lacks(value, &value.view(), name)
        }
        Active::Unknown(value) => value.get(name).is_some(),
    }
}
