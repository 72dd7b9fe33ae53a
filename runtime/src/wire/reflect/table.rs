//! Tables of a type's properties.

use std::sync::OnceLock;

use crate::wire::encode::text;

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
    pub properties: Box<[Property]>,
    /// The required properties: index and name.
    pub required: Box<[(usize, &'static str)]>,
    /// Whether one of the fields is flattened.
    pub flattened: bool,
}

/// A property, or the other content of a field.
pub(in crate::wire) struct Property {
    /// The name of the field or variant.
    pub field: &'static str,
    pub kind: Kind,
    /// The name on the wire; empty for other kinds.
    pub name: &'static str,
    /// The name in JSON, with comma and colon: `,"name":`.
    pub lead: Box<[u8]>,
    /// Whether integers are written as strings of decimal digits. JSON numbers are decoded too, and written back as
    /// numbers.
    pub as_text: bool,
    /// Whether the property is always written.
    pub required: bool,
    /// Whether request bodies leave the property out.
    pub read_only: bool,
}

/// The content of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wire) enum Kind {
    Property,
    /// A union whose properties are next to those of the object.
    Flattened,
    /// The additional properties; always the last field.
    Additional,
}

impl Table {
    /// Returns the table of a type. Each field has three rows: its name, the name on the wire, and its flags: `!` for a
    /// required property, `.` for a flattened union, `*` for the field of the properties that are not described,
    /// `t` for integers as text, and `r` for fields that request bodies omit.
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
        let (rows, _) = rows.as_chunks();
        let properties: Box<[_]> = rows.iter().map(Property::new).collect();
        let required = properties.iter().enumerate();
        Self {
            type_name,
            required: required
                .filter(|(_, property)| property.required && property.kind == Kind::Property)
                .map(|(field, property)| (field, property.name))
                .collect(),
            flattened: properties.iter().any(|property| property.kind == Kind::Flattened),
            properties,
        }
    }

    /// Returns the field of additional properties, with its index.
    pub(in crate::wire) fn additional(&self) -> Option<(usize, &Property)> {
        let last = self.properties.iter().enumerate().next_back();
        last.filter(|(_, property)| property.kind == Kind::Additional)
    }

    /// Returns the index of the property called `name`. The search starts at `next`: servers write in a fixed order.
    pub(in crate::wire) fn position(&self, name: &str, next: usize) -> Option<usize> {
        let (before, after) = self.properties.split_at_checked(next)?;
        let found = |properties: &[Property]| {
            properties
                .iter()
                .position(|property| property.name == name && property.kind == Kind::Property)
        };
        found(after).map(|index| next + index).or_else(|| found(before))
    }
}

impl Property {
    fn new(&[field, name, flags]: &[&'static str; 3]) -> Self {
        Self {
            field: field.strip_prefix("r#").unwrap_or(field),
            kind: match flags {
                _ if flags.contains('.') => Kind::Flattened,
                _ if flags.contains('*') => Kind::Additional,
                _ => Kind::Property,
            },
            name,
            lead: text::lead(name),
            as_text: flags.contains('t'),
            required: flags.contains('!'),
            read_only: flags.contains('r'),
        }
    }
}
