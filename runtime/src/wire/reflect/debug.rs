//! `Debug` of models.

use std::fmt::{self, Debug};

use crate::secrets::debug::{Json, MaybeSecret, Properties, Text, may_be_secret, property};
use crate::secrets::{REDACTED, names};
use crate::wire::reflect::wire::{Active, Choice, Union, View, Wire};
use crate::wire::unknown::UnknownProperties;

/// Formats a value with the names of its fields, without absent fields and secrets (by their types or their names).
///
/// # Errors
///
/// When the formatter fails.
pub fn debug(value: &dyn Wire, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    Shown(value).fmt(f)
}

/// A value to format.
struct Shown<'a>(&'a dyn Wire);

/// A value with the name of a secret: itself, if its type does not say what it is, or the elements of a list.
struct Named<'a>(&'a dyn Wire);

impl Debug for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.view() {
            View::Value(value) => MaybeSecret(Json(value), may_be_secret(value)).fmt(f),
            View::Array(array) => f.debug_list().entries(array.elements().map(Named)).finish(),
            View::Text(_)
            | View::Signed(_)
            | View::Unsigned(_)
            | View::Wide(_)
            | View::F64(_)
            | View::Dictionary(_) => f.write_str(REDACTED),
            View::Choice(choice) => match choice.active() {
                Active::Known(_, payload) => Named(payload).fmt(f),
                Active::Unknown(value) => MaybeSecret(Json(value), may_be_secret(value)).fmt(f),
            },
            _ => Shown(self.0).fmt(f),
        }
    }
}

impl Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.view() {
            View::Absent => f.write_str("None"),
            View::Bool(value) => value.fmt(f),
            View::Signed(value) => value.fmt(f),
            View::Unsigned(value) => value.fmt(f),
            View::Wide(value) => value.fmt(f),
            View::F64(value) => value.fmt(f),
            View::Text(text) | View::Enum(text, _) => Text(text).fmt(f),
            View::Timestamp(value) => value.fmt(f),
            View::Upload(upload) => upload.fmt(f),
            View::Secret(_) => f.write_str(REDACTED),
            View::Object => show_object(self.0, f),
            View::Union(union) => show_union(union, f),
            View::Choice(choice) => show_choice(choice, f),
            View::Array(array) => f.debug_list().entries(array.elements().map(Shown)).finish(),
            View::Dictionary(entries) => {
                let mut map = f.debug_map();
                entries.each(&mut |name, value| {
                    let shown: &dyn Debug =
                        if names::is_secret(name) { &Named(value) } else { &Shown(value) };
                    map.entry(&Text(name), shown);
                });
                map.finish()
            }
            View::Value(value) => Json(value).fmt(f),
            View::Exact(json) => f.write_str(json),
        }
    }
}

/// The undescribed properties of an object.
struct Undescribed<'a>(&'a UnknownProperties);

impl Debug for Undescribed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for (name, value) in self.0.properties() {
            let unfit = self.0.retained().and_then(|retained| retained.unfit.get(name));
            let (name, value) = property(name, value);
            map.entry(&name, &MaybeSecret(value, unfit.is_some_and(|unfit| unfit.is_secret)));
        }
        map.finish()
    }
}

fn show_object(object: &dyn Wire, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut outcome = Ok(());
    object.with_fields(|table, fields, unknown| {
        let table = table.read();
        let mut shown = f.debug_struct(table.type_name);
        for (property, field) in table.properties.iter().zip(fields) {
            if !field.view().is_absent() {
                let value: &dyn Debug =
                    if property.is_withheld { &Named(*field) } else { &Shown(*field) };
                shown.field(property.field, value);
            }
        }
        if !unknown.properties().is_empty() {
            shown.field("unknown", &Undescribed(unknown));
        }
        outcome = shown.finish();
    });
    outcome
}

fn show_union(union: &dyn Union, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match union.active() {
        Active::Known(index, payload) => {
            let property = union.table().read().properties.get(index);
            let name = property.map_or("Unknown", |property| property.field);
            f.debug_tuple(name).field(&Shown(payload)).finish()
        }
        Active::Unknown(properties) => {
            let retained = MaybeSecret(Properties(properties), union.table().secrecy.is_known());
            f.debug_tuple("Unknown").field(&retained).finish()
        }
    }
}

fn show_choice(choice: &dyn Choice, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match choice.active() {
        Active::Known(index, payload) => {
            let variant = choice.plan().read().variants.get(index);
            let name = variant.map_or("Unknown", |variant| variant.name);
            f.debug_tuple(name).field(&Shown(payload)).finish()
        }
        Active::Unknown(value) => {
            let retained = MaybeSecret(Json(value), choice.plan().secrecy.is_known());
            f.debug_tuple("Unknown").field(&retained).finish()
        }
    }
}
