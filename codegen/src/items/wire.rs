//! Forms of fields, variants and arguments on the wire.

use crate::ir::{
    Access, Encoding, Field, FieldWire, Location, Null, Parameter, Serialization, Type,
};

/// The form of a value on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wire {
    /// A property of an object, or of a union.
    Property(WireProperty),
    /// A property of the body, set by the argument or the setter of a request, with the encodings of a form that differ
    /// from the encodings of its type.
    BodyProperty(WireProperty, Vec<Encoding>),
    /// The body as a whole, with the form of its values, likewise.
    Body(WireForm, Vec<Encoding>),
    /// The properties that the spec does not name.
    Additional(WireForm),
    /// A string.
    Value(String),
    /// A parameter.
    Parameter {
        /// The location.
        location: Location,
        /// Its name.
        name: String,
        /// The form of a value.
        form: WireForm,
        /// How the value is written, if the location does not determine it.
        serialization: Option<Serialization>,
        /// The value that requests have from the start.
        constant: Option<String>,
    },
}

/// A property of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireProperty {
    /// Its name; `None` if the field is one of the properties of its union.
    pub name: Option<String>,
    /// The form of its value.
    pub form: WireForm,
    /// Whether the spec requires it.
    pub required: bool,
    /// Whether a null that was received is sent back.
    pub nullable: bool,
    /// The direction that it is limited to, if that makes a difference.
    pub access: Access,
}

/// The form of a scalar on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireForm {
    /// As its Rust type.
    Plain,
    /// An integer in a string.
    Text,
}

impl Wire {
    /// Returns the name or the value on the wire.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Property(property) | Self::BodyProperty(property, _) => property.name.as_deref(),
            Self::Value(name) | Self::Parameter { name, .. } => Some(name),
            Self::Body(..) | Self::Additional(_) => None,
        }
    }

    /// Returns whether the spec requires the property.
    pub fn is_required(&self) -> bool {
        match self {
            Self::Property(property) | Self::BodyProperty(property, _) => property.required,
            _ => false,
        }
    }

    /// Returns whether a null that was received is sent back as the value of the property.
    pub fn is_nullable(&self) -> bool {
        matches!(self, Self::Property(WireProperty { nullable: true, .. }))
    }

    /// Returns whether another property differs only in the messages that can contain it.
    pub fn differs_in_access(&self, other: &Self) -> bool {
        let (Self::Property(one), Self::Property(other)) = (self, other) else { return false };
        let same_access = WireProperty { access: other.access, ..one.clone() };
        one.access != other.access && same_access == *other
    }

    /// Returns whether it is the body of a request or a part of it.
    pub fn is_body(&self) -> bool {
        matches!(self, Self::Body(..) | Self::BodyProperty(..))
    }

    /// Returns whether it is a parameter in the path.
    pub fn is_path(&self) -> bool {
        matches!(self, Self::Parameter { location: Location::Path, .. })
    }

    /// Returns whether it is a parameter in the query.
    pub fn is_query(&self) -> bool {
        matches!(self, Self::Parameter { location: Location::Query, .. })
    }

    /// Returns the form of a property without its name; `None` for all else.
    pub(crate) fn unnamed_property(&self) -> Option<Self> {
        let mut unnamed = self.clone();
        let (Self::Property(property) | Self::BodyProperty(property, _)) = &mut unnamed else {
            return None;
        };
        property.name.take().map(|_| unnamed)
    }

    /// Returns the form without the name of a parameter in the path, which is not sent.
    pub(crate) fn unnamed_in_path(&self) -> Self {
        let mut unnamed = self.clone();
        if let Self::Parameter { location: Location::Path, name, .. } = &mut unnamed {
            name.clear();
        }
        unnamed
    }

    /// Returns the form of a parameter.
    pub(super) fn parameter(parameter: &Parameter) -> Self {
        Self::Parameter {
            location: parameter.location,
            name: parameter.wire.clone(),
            form: WireForm::new(&parameter.ty),
            serialization: (!parameter.is_plain()).then_some(parameter.serialization),
            constant: parameter.constant.clone(),
        }
    }
}

impl WireProperty {
    /// Returns the property of a field.
    pub(super) fn of_field(field: &Field) -> Self {
        let required = field.required || field.null == Null::Always;
        match &field.wire {
            FieldWire::Property(name) => {
                Self::new(Some(name.clone()), WireForm::new(&field.ty), required)
            }
            FieldWire::Flattened => Self::new(None, WireForm::Plain, required),
        }
    }

    /// Returns a property of all messages that is not null.
    pub(super) fn new(name: Option<String>, form: WireForm, required: bool) -> Self {
        Self { name, form, required, nullable: false, access: Access::Both }
    }
}

impl Access {
    /// Returns the mark of a property in wire tables and in the list of items.
    pub(crate) fn mark(self) -> &'static str {
        match self {
            Self::Both => "",
            Self::Read => " readonly",
            Self::Write => " writeonly",
        }
    }
}

impl WireForm {
    /// Returns the form of the scalars in a type.
    pub fn new(ty: &Type) -> Self {
        // Any text in place of values of an enum is sent as these are.
        if ty.is_text() && ty.named().is_none() { Self::Text } else { Self::Plain }
    }
}
