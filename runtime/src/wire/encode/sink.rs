//! What takes values as they are written.

use std::fmt::Display;

use crate::wire::reflect::plan::Tag;
use crate::wire::reflect::table::PropertyRow;
use crate::wire::reflect::wire::{View, Wire};
use crate::wire::value::Value;

/// Which properties are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// All.
    #[default]
    Whole,
    /// All but the read-only ones (OpenAPI 3.1, `readOnly`).
    Request,
    /// Those of a request that are not null.
    Form,
    /// All that are not null, and the required ones.
    Compared,
    /// All, and all retained ones beside those that they replace, whether their fields are set or not.
    Fields,
}

/// A value that is written.
///
/// It refers to the view: copying a view right after it was created stalls the processor.
#[derive(Clone, Copy)]
pub struct SentValue<'v, 'a> {
    pub wire: &'a dyn Wire,
    pub view: &'v View<'a>,
    pub as_text: bool,
}

/// The name of a property, with what describes it.
#[derive(Clone, Copy)]
pub enum PropertyName<'a> {
    Row(&'static PropertyRow),
    /// A constant that distinguishes the variant of a union.
    Tag(&'static Tag),
    /// No description, or that of all entries of a dictionary.
    Other(&'a str),
    /// None: an element of a list.
    Element,
}

/// A value without parts, other than text, or JSON, as it is written.
pub enum SentScalar<'s> {
    /// A text without characters to escape.
    Plain(&'s dyn Display),
    Integer(i128),
    Json(&'s Value),
    /// JSON with its digits.
    Exact(&'s str),
}

impl<'v, 'a> SentValue<'v, 'a> {
    pub fn of(wire: &'a dyn Wire, view: &'v View<'a>) -> Self {
        Self { wire, view, as_text: wire.is_text() }
    }
}

impl<'a> PropertyName<'a> {
    pub fn text(self) -> &'a str {
        match self {
            Self::Row(row) => row.name,
            Self::Tag(tag) => tag.name,
            Self::Other(name) => name,
            Self::Element => "",
        }
    }
}

/// What a sink takes, and what it has met.
#[derive(Default)]
pub struct Walk {
    pub mode: Mode,
    /// The reason why the value cannot be sent. Something else is written instead of a part of it.
    fault: Option<String>,
}

impl Walk {
    pub fn new(mode: Mode) -> Self {
        Self { mode, fault: None }
    }

    pub fn fail(&mut self, why: String) {
        self.fault.get_or_insert(why);
    }

    /// Returns the result of the walk, or the reason why the value cannot be sent.
    pub fn finish<T>(self, result: T) -> Result<T, String> {
        self.fault.map_or(Ok(result), Err)
    }
}

/// What takes the properties of an object.
pub trait PropertySink<'a> {
    fn walk(&mut self) -> &mut Walk;
    fn property(&mut self, name: PropertyName<'a>, value: &SentValue<'_, 'a>);
}

/// What takes values.
pub trait ValueSink<'a>: PropertySink<'a> {
    fn text(&mut self, text: &str);
    fn scalar(&mut self, scalar: SentScalar<'_>);
    fn list(&mut self, elements: impl FnOnce(&mut Self));
    fn object(&mut self, properties: impl FnOnce(&mut Self));
}
