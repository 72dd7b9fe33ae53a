//! Tables of a type's properties.

use std::iter::Peekable;
use std::sync::OnceLock;

use crate::secrets::is_secret;
use crate::wire::encode::text;
use crate::wire::reflect::hidden::Hidden;

/// A type's properties, as the macros write them.
pub struct Table {
    type_name: &'static str,
    rows: &'static [&'static str],
    described: OnceLock<Described>,
}

/// A parsed table.
pub(in crate::wire) struct Described {
    /// The name of the type.
    pub type_name: &'static str,
    /// The properties, in the order of the fields.
    pub properties: Box<[PropertyRow]>,
    /// The required properties: index and name.
    pub required: Box<[(usize, &'static str)]>,
    /// Whether one of the fields is flattened.
    pub flattened: bool,
}

/// A property, or the other content of a field.
pub(in crate::wire) struct PropertyRow {
    /// The name of the field or variant.
    pub field: &'static str,
    pub kind: Role,
    /// The name on the wire; empty for other kinds.
    pub name: &'static str,
    /// The name in JSON, with comma and colon: `,"name":`.
    pub lead: Box<[u8]>,
    /// Whether integers are written as strings of decimal digits. JSON numbers are decoded too, and written back as
    /// numbers. An enum allows any text.
    pub as_text: bool,
    /// When the property is written without a value.
    pub presence: Presence,
    /// Whether request bodies leave the property out.
    pub read_only: bool,
    /// Whether replies leave the property out although it is required.
    pub write_only: bool,
    /// What is hidden of its values: by a mark, or else by its name.
    hidden: Option<Hidden>,
}

/// When a property is written without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wire) enum Presence {
    /// As null, if that was received. Null is not described.
    Optional,
    /// Never. Null is described, and is the same as none.
    Nullable,
    /// As null, if that was received. Null is described.
    Null,
    /// Always.
    Required,
}

/// The content of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wire) enum Role {
    Property,
    /// A union whose properties are next to the object's.
    Flattened,
    /// The additional properties; always the last field.
    Additional,
}

impl Table {
    /// Returns the table of a type. A property has the name of its field, its name on the wire, and its flags: `!` if it is
    /// required, `#text` for integers as text or enums that allow any text, `#readonly` if request bodies omit it, `#writeonly` if replies do, `#null` if a null is described and written again, `#nullable` if it is described and the same as none, `#secret` or `#shown` if not its name decides whether it is withheld. A
    /// flattened union is `..` and its field, and the properties that are not described are `*` and theirs. Field names
    /// begin with none of these signs.
    pub const fn new(type_name: &'static str, rows: &'static [&'static str]) -> Self {
        Self { type_name, rows, described: OnceLock::new() }
    }

    #[inline]
    pub(in crate::wire) fn read(&self) -> &Described {
        self.described.get_or_init(|| Described::new(self.type_name, self.rows))
    }
}

impl Described {
    fn new(type_name: &'static str, rows: &[&'static str]) -> Self {
        let mut rows = rows.iter().copied().peekable();
        let properties: Box<[_]> = std::iter::from_fn(|| PropertyRow::read(&mut rows)).collect();
        let required = properties.iter().enumerate();
        Self {
            type_name,
            required: required
                .filter(|(_, property)| {
                    property.presence == Presence::Required && property.kind == Role::Property
                })
                .map(|(field, property)| (field, property.name))
                .collect(),
            flattened: properties.iter().any(|property| property.kind == Role::Flattened),
            properties,
        }
    }

    /// Returns the field of additional properties, with its index.
    pub(in crate::wire) fn additional(&self) -> Option<(usize, &PropertyRow)> {
        let last = self.properties.iter().enumerate().next_back();
        last.filter(|(_, property)| property.kind == Role::Additional)
    }

    /// Returns the index of the property called `name`. The search starts at `next`: servers write in a fixed order.
    #[inline]
    pub(in crate::wire) fn position(&self, name: &str, next: usize) -> Option<usize> {
        let (before, after) = self.properties.split_at_checked(next)?;
        let found = |properties: &[PropertyRow]| {
            properties
                .iter()
                .position(|property| property.name == name && property.kind == Role::Property)
        };
        found(after).map(|index| next + index).or_else(|| found(before))
    }
}

impl PropertyRow {
    /// Returns what is hidden of its values, within an object.
    pub(in crate::wire) fn hides(&self, object: Hidden) -> Hidden {
        self.hidden.filter(|_| object != Hidden::All).unwrap_or(object)
    }

    /// Reads a property, up to the next one.
    fn read(rows: &mut Peekable<impl Iterator<Item = &'static str>>) -> Option<Self> {
        let kind = match *rows.peek()? {
            ".." => Role::Flattened,
            "*" => Role::Additional,
            _ => Role::Property,
        };
        if kind != Role::Property {
            rows.next();
        }
        let field = rows.next()?;
        let name = if kind == Role::Property { rows.next()? } else { "" };
        let mut property = Self {
            field: field.strip_prefix("r#").unwrap_or(field),
            kind,
            name,
            lead: text::lead(name),
            as_text: false,
            presence: Presence::Optional,
            read_only: false,
            write_only: false,
            hidden: is_secret(name).then_some(Hidden::Texts),
        };
        while let Some(flag) = rows.next_if(|row| row.starts_with(['!', '#'])) {
            match flag {
                "!" => property.presence = Presence::Required,
                "#text" => property.as_text = true,
                "#null" => property.presence = Presence::Null,
                "#nullable" => property.presence = Presence::Nullable,
                "#writeonly" => property.write_only = true,
                "#secret" => property.hidden = Some(Hidden::All),
                "#shown" => property.hidden = Some(Hidden::Nothing),
                _ => property.read_only = true,
            }
        }
        Some(property)
    }
}

#[cfg(test)]
mod tests {
    use super::{Described, Role};

    #[test]
    fn flags_are_told_apart_from_names() {
        let rows =
            ["r#type", "#text", "!", "#text", "text", "..", "..", "union", "*", "rest", "#text"];
        let described = Described::new("Type", &rows);
        let properties = described
            .properties
            .iter()
            .map(|property| (property.field, property.kind, property.name, property.as_text));
        assert_eq!(
            properties.collect::<Vec<_>>(),
            [
                ("type", Role::Property, "#text", true),
                ("text", Role::Property, "..", false),
                ("union", Role::Flattened, "", false),
                ("rest", Role::Additional, "", true),
            ]
        );
        assert_eq!(*described.required, [(0, "#text")]);
        assert!(described.flattened);
    }
}
