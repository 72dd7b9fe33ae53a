//! The fields of objects that write properties, in any format.

use crate::wire::reflect::plan::Tag;
use crate::wire::reflect::table::{Described, Role};
use crate::wire::reflect::wire::{Active, Choice, Dictionary, View, Wire};
use crate::wire::unknown::{Retained, UnknownProperties};
use crate::wire::value::Value;

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

fn field<'a>(table: &Described, fields: &[&'a dyn Wire], name: &str) -> Option<&'a dyn Wire> {
    fields.get(table.position(name, 0)?).copied()
}

/// Returns the additional properties of an object, if their type is described.
pub(super) fn additional<'a>(
    table: &Described,
    fields: &[&'a dyn Wire],
) -> Option<&'a dyn Dictionary> {
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
