//! The properties of an object that are written, and the fields that write them, in any format.

use super::fingerprint;
use crate::wire::reflect::plan::Tag;
use crate::wire::reflect::table::{Described, Presence, PropertyRow, Role};
use crate::wire::reflect::wire::{Active, Choice, Dictionary, View, Wire};
use crate::wire::unknown::{Missing, Retained, UnknownProperties};
use crate::wire::value::Value;

/// Which properties are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// All.
    #[default]
    Whole,
    /// All but the read-only ones.
    Request,
    /// Those of a request that are not null.
    Form,
    /// All that are not null, and the required ones.
    Compared,
    /// All, and all retained ones beside those that they replace, whether their fields are set or not.
    Fields,
}

/// The fields of an object that is being written.
pub(super) struct ObjectFields<'w, 'a> {
    pub table: &'static Described,
    pub wires: &'w [&'a dyn Wire],
    pub retained: Option<&'a Retained>,
    pub mode: Mode,
}

impl<'a> ObjectFields<'_, 'a> {
    /// Returns the fields with their indices and properties.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &'static PropertyRow, &'a dyn Wire)> {
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

    /// Returns whether the property of a field is not written: it is read-only, has no value, was missing and still has the
    /// default of its type, or is replaced by an undescribed property with the same name.
    #[inline]
    pub fn leaves_out(
        &self,
        field: usize,
        property: &PropertyRow,
        wire: &dyn Wire,
        view: &View<'_>,
    ) -> bool {
        property.read_only && self.is_request()
            || view.is_absent()
                && (self.mode == Mode::Form
                    || property.presence != Presence::Required
                        && (self.mode == Mode::Compared || !self.is_null(field, wire)))
            || self.retained.is_some_and(|retained| {
                self.mode != Mode::Compared
                    && retained.missing.get(&field) == Some(&Missing::Absent)
                    && wire.is_unset()
                    || property.kind == Role::Property && self.is_replaced(property.name)
            })
    }

    /// Returns whether an undescribed property is written instead of a described one.
    fn is_replaced(&self, name: &str) -> bool {
        self.mode != Mode::Fields
            && self.retained.is_some_and(|retained| retained.overrides(name))
            && !self.is_outdated(name)
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
        // Of fields that are compared with what they were, those within them are not.
        let retained = self.retained.filter(|_| self.mode != Mode::Fields);
        let Some(unfit) = retained.and_then(|retained| retained.unfit.get(name)) else {
            return false;
        };
        let described = self.table.position(name, 0);
        if self.is_request()
            && described.and_then(|it| self.table.properties.get(it)).is_some_and(|it| it.read_only)
        {
            return true;
        }
        let field = match described {
            Some(field) => self.wires.get(field).copied(),
            None => additional(self.table, self.wires).and_then(|entries| entries.get(name)),
        };
        match (field, unfit.stand_in) {
            (field, Some(received)) => field.is_none_or(|field| fingerprint(field) != received),
            (Some(field), None) => described.is_none() || !field.is_unset(),
            (None, None) => false,
        }
    }

    fn is_request(&self) -> bool {
        matches!(self.mode, Mode::Request | Mode::Form)
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
pub fn invalid(
    table: &Described,
    fields: &[&dyn Wire],
    unknown: &UnknownProperties,
) -> Option<String> {
    let retained = unknown.retained()?;
    let (property, why) = retained.invalid.iter().find(|(property, _)| {
        let field = field(table, fields, property);
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
            let lacks = object.with_fields(|table, fields, unknown| {
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
                !has_union
                    && field.is_none_or(<dyn Wire>::is_unset)
                    && entries.is_none_or(|entries| entries.get(name).is_none())
                    && !unknown.properties().contains_key(name)
                    && !unknown.retained().is_some_and(|it| it.missing_tags.contains(&name))
            });
            lacks.unwrap_or(true)
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
