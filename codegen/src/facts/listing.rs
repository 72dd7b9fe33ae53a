//! The values that schemas list.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::document::{Node, Pointer, Schema};

/// A value of an enum.
#[derive(Clone, Debug)]
pub struct Listed<'d> {
    /// The text on the wire; of an integer or a boolean, as JSON writes it.
    pub text: Cow<'d, str>,
    /// The name that the document gives it.
    pub name: Option<&'d str>,
    pub description: Option<&'d str>,
    /// The JSON pointer to it.
    pub pointer: Pointer,
}

/// The values of one kind that a schema allows.
#[derive(Clone, Debug)]
pub struct Listing<'d> {
    /// The known values, in the order of the document.
    pub values: Vec<Listed<'d>>,
    /// Whether all other values are allowed, too.
    pub is_open: bool,
    /// The schema that lists the values, if it has a name.
    pub source: Option<ReferencedEnum<'d>>,
}

/// A schema that lists values.
#[derive(Clone, Debug)]
pub struct ReferencedEnum<'d> {
    /// The reference that names it.
    pub reference: Schema<'d>,
    /// Whether it allows all other values itself.
    pub is_open: bool,
}

impl<'d> Listing<'d> {
    pub const ANY: Self = Self { values: Vec::new(), is_open: true, source: None };

    /// Returns the values that a schema lists, or its constant, if they have a text.
    pub fn of(schema: &Schema<'d>, text: impl Fn(&'d Node) -> Option<Cow<'d, str>>) -> Self {
        let place = schema.place_of_values();
        let listed = schema.listed().filter_map(|(index, value)| {
            let text = text(value)?;
            let [name, description] = schema.enum_texts(index);
            Some(Listed { text, name, description, pointer: place.join_index(index) })
        });
        let mut values: Vec<Listed<'d>> = listed.collect();
        // Next to `enum`, a constant is the only one of its values.
        if let Some(text) = schema.constant().and_then(&text) {
            values.retain(|value| value.text == text);
            if values.is_empty() {
                let pointer = schema.pointer.join("const");
                values.push(Listed { text, name: None, description: None, pointer });
            }
        }
        if let [only] = values.as_mut_slice() {
            only.description = only.description.or(schema.description());
        }
        Self { is_open: values.is_empty(), values, source: None }
    }

    /// Returns the values that this and another schema allow.
    pub fn meet(self, other: Self) -> Self {
        let (narrow, wide) = if self.is_open { (other, self) } else { (self, other) };
        match (narrow.is_open, wide.is_open) {
            (false, true) => narrow,
            (true, true) => narrow.with_all(wide),
            _ => {
                // A name is kept if another schema refers to it, not if it lists the same values: an addition to one of
                // them would change the type.
                if narrow.has_all(&wide) {
                    return wide;
                }
                let known = wide.texts();
                let mut values = narrow.values.clone();
                values.retain(|value| known.contains(value.text.as_ref()));
                let source = narrow.source.clone().filter(|_| wide.has_all(&narrow));
                Self { values, is_open: false, source }
            }
        }
    }

    /// Returns the values that this or another schema allows.
    pub fn join(self, other: Self) -> Self {
        let is_open = self.is_open || other.is_open;
        Self { is_open, ..self.with_all(other) }
    }

    /// Adds the known values of another schema.
    fn with_all(self, other: Self) -> Self {
        // A schema that lists the values of another one by a reference to it is the source of both.
        if self.has_all(&other) {
            return Self { source: self.source.or(other.source), ..self };
        }
        if other.has_all(&self) {
            return Self { is_open: self.is_open, ..other };
        }
        let mut seen = self.texts();
        let mut values = self.values.clone();
        values.extend(other.values.iter().filter(|it| seen.insert(it.text.as_ref())).cloned());
        Self { values, is_open: self.is_open, source: None }
    }

    /// Returns whether the known values of another schema are known here, from the same places.
    fn has_all(&self, other: &Self) -> bool {
        let known: HashSet<&Pointer> = self.values.iter().map(|value| &value.pointer).collect();
        other.values.iter().all(|value| known.contains(&value.pointer))
    }

    pub fn texts(&self) -> HashSet<&str> {
        self.values.iter().map(|value| value.text.as_ref()).collect()
    }

    /// Returns whether values are known.
    pub fn is_enum(&self) -> bool {
        !self.values.is_empty()
    }

    /// Returns whether only the empty text is known, which means an absent value next to other values.
    pub fn is_blank(&self) -> bool {
        self.is_enum() && self.values.iter().all(|value| value.text.is_empty())
    }
}
