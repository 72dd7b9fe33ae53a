//! Writes what views show, for people.

use std::fmt::{self, Debug};

use super::Wire;
use super::object::Object;
use super::union::{Active, Union};
use super::view::View;

/// Writes a value as a struct literal would: with the names of the fields, without those that are absent, and without
/// anything secret.
///
/// # Errors
///
/// When the formatter fails.
pub fn debug(value: &dyn Wire, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    Shown(value.view()).fmt(f)
}

/// A value about to be written.
struct Shown<'a>(View<'a>);

impl Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            View::Absent => f.write_str("None"),
            View::Bool(value) => value.fmt(f),
            View::Signed(value) => value.fmt(f),
            View::Unsigned(value) => value.fmt(f),
            View::F32(value) => value.fmt(f),
            View::F64(value) => value.fmt(f),
            View::Text(text) => text.fmt(f),
            View::Timestamp(value) => fmt::Display::fmt(value, f),
            View::Date(value) => fmt::Display::fmt(value, f),
            View::Secret(_) => f.write_str("[redacted]"),
            View::Object(object) => show_object(object, f),
            View::Union(union) => show_union(union, f),
            View::Array(array) => {
                let elements = (0..array.len()).filter_map(|index| array.get(index));
                f.debug_list()
                    .entries(elements.map(|element| Shown(element.view())))
                    .finish()
            }
            View::Dictionary(entries) => {
                let mut map = f.debug_map();
                entries.each(&mut |name, value| {
                    map.entry(&name, &Shown(value.view()));
                });
                map.finish()
            }
            View::Value(value) => value.fmt(f),
            View::Map(map) => map.fmt(f),
        }
    }
}

fn show_object(object: &dyn Object, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut outcome = Ok(());
    object.slots(&mut |table, slots, unknown| {
        let names = table.members.iter().map(|member| member.field);
        let names = names.chain(table.additional.iter().map(|additional| additional.field));
        let mut shown = f.debug_struct(table.name);
        for (name, slot) in names.zip(slots) {
            let view = slot.view();
            if !view.is_absent() {
                shown.field(name, &Shown(view));
            }
        }
        if !unknown.is_empty() {
            shown.field("unknown", unknown);
        }
        outcome = shown.finish();
    });
    outcome
}

fn show_union(union: &dyn Union, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match union.active() {
        Active::Known(_, member, payload) => f
            .debug_tuple(member.field)
            .field(&Shown(payload.view()))
            .finish(),
        Active::Unknown(members) => f.debug_tuple("Unknown").field(members).finish(),
    }
}
