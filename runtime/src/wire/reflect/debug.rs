//! `Debug` of models.

use std::fmt::{self, Debug};

use crate::secrets::debug::ShownText;
use crate::secrets::{REDACTED, Withheld};
use crate::wire::reflect::hidden::Hidden;
use crate::wire::reflect::table::Described;
use crate::wire::reflect::wire::{Active, View, Wire};
use crate::wire::unknown::Retained;

/// Formats a value with the names of its fields, without absent fields and secrets (by their types or their names).
///
/// # Errors
///
/// When the formatter fails.
pub fn debug(value: &dyn Wire, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    Shown { value, hidden: Hidden::Nothing, withheld: None }.fmt(f)
}

/// A value of any type, also one whose own `Debug` shows all of it, such as a map.
impl Debug for dyn Wire + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(self, f)
    }
}

/// A value to format.
struct Shown<'a> {
    value: &'a dyn Wire,
    hidden: Hidden,
    /// The secrets of the request that the server answered with this value.
    withheld: Option<&'a Withheld>,
}

impl Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let view = self.value.view().opened();
        if view.is_hidden(self.hidden) {
            return f.write_str(REDACTED);
        }
        match view {
            View::Absent => f.write_str("None"),
            View::Bool(value) => value.fmt(f),
            View::Integer(value) => self.scalar(&value, f),
            View::F64(value) => self.scalar(&value, f),
            View::Text(text) | View::Enum(text, false) => self.scalar(&ShownText(text), f),
            View::Enum(text, true) => text.fmt(f),
            View::Scalar(value) => fmt::Display::fmt(value, f),
            View::Own(value) => self.part(&*value.sent().unwrap_or_default(), self.hidden).fmt(f),
            View::Upload(upload) => upload.fmt(f),
            View::Object => self.object(f),
            View::Union(union) => self.variant(&union.active(), f, |index| {
                let property = union.table().read().properties.get(index)?;
                Some((property.field, property.hides(self.hidden)))
            }),
            View::Choice(choice) => self.variant(&choice.active(), f, |index| {
                Some((choice.plan().read().variants.get(index)?.name, self.hidden))
            }),
            View::Array(array) => {
                let elements = array.elements().map(|element| self.part(element, self.hidden));
                f.debug_list().entries(elements).finish()
            }
            View::Dictionary(entries) => {
                let mut map = f.debug_map();
                entries.each(&mut |name, value| {
                    let hidden = self.hidden.named(name);
                    let name = name.to_owned();
                    map.entry(&self.part(&name, Hidden::Nothing), &self.part(value, hidden));
                });
                map.finish()
            }
            View::Value(value) => self.scalar(&format_args!("{value}"), f),
            View::Exact(json) => self.scalar(&format_args!("{json}"), f),
            View::Secret(_) => f.write_str(REDACTED),
        }
    }
}

/// The undescribed properties of an object.
struct Undescribed<'a> {
    object: &'a Shown<'a>,
    table: &'a Described,
    retained: &'a Retained,
}

impl Debug for Undescribed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for (name, value) in &self.retained.properties {
            let hidden = self.retained.hides(self.table, name, self.object.hidden);
            let name = self.object.part(name, Hidden::Nothing);
            map.entry(&name, &self.object.part(value, hidden));
        }
        map.finish()
    }
}

impl Shown<'_> {
    fn part<'p>(&'p self, value: &'p dyn Wire, hidden: Hidden) -> Shown<'p> {
        Shown { value, hidden, withheld: self.withheld }
    }

    /// Formats a text or a number, which a server may have repeated.
    fn scalar(&self, value: &dyn Debug, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.withheld {
            Some(withheld) => f.write_str(&withheld.redact(&format!("{value:?}"))),
            None => value.fmt(f),
        }
    }

    fn object(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.value.with_fields(|table, fields, unknown| {
            let retained = unknown.retained();
            let withheld = retained.and_then(|retained| retained.withheld.as_deref());
            let object = Self { withheld: withheld.or(self.withheld), ..*self };
            let mut shown = f.debug_struct(table.type_name);
            for (property, field) in table.properties.iter().zip(fields) {
                if !field.view().is_absent() {
                    let hidden = property.hides(self.hidden);
                    shown.field(property.field, &object.part(*field, hidden));
                }
            }
            if let Some(retained) = retained.filter(|retained| !retained.properties.is_empty()) {
                shown.field("unknown", &Undescribed { object: &object, table, retained });
            }
            shown.finish()
        });
        shown.unwrap_or(Ok(()))
    }

    /// Formats the name and the value of a variant. An unknown one shows only the names in it.
    fn variant<U: Wire>(
        &self,
        active: &Active<'_, U>,
        f: &mut fmt::Formatter<'_>,
        describe: impl FnOnce(usize) -> Option<(&'static str, Hidden)>,
    ) -> fmt::Result {
        let (described, value): (_, &dyn Wire) = match *active {
            Active::Known(index, payload) => (describe(index), payload),
            Active::Unknown(value) => (None, value),
        };
        let hidden = if self.hidden == Hidden::Nothing { Hidden::Scalars } else { Hidden::All };
        let (name, hidden) = described.unwrap_or(("Unknown", hidden));
        f.debug_tuple(name).field(&self.part(value, hidden)).finish()
    }
}
