//! Types as decoding and encoding see them: decoding writes to a [`Target`], encoding reads a [`View`].

#![expect(
    missing_docs,
    reason = "variants are named for their types, methods for those of collections"
)]

use std::borrow::Cow;

use crate::wire::integer::Integer;
use crate::wire::reflect::hidden::Hidden;
use crate::wire::reflect::plan::Plan;
use crate::wire::reflect::table::{Described, Table};
use crate::wire::scalar::Scalar;
use crate::wire::unknown::UnknownProperties;
use crate::wire::upload::Upload;
use crate::wire::value::{Map, Value};

/// A value with a JSON representation.
///
/// Every type of a field implements it, models by the macros of [`internal`](crate::internal). The provided methods
/// implement an object with described properties, so that the most frequent types need the fewest functions.
pub trait Wire {
    /// Returns the target of decoding. An option that is `None` becomes `Some` of the default.
    fn target(&mut self) -> Target<'_> {
        Target::Object
    }

    /// Returns the value for encoding.
    fn view(&self) -> View<'_> {
        View::Object
    }

    /// Passes the fields of an object with described properties.
    fn fields<'a>(&'a self, _visit: Fields<'_, 'a>) {}

    /// Passes the fields of an object with described properties, for writing.
    fn fields_mut(&mut self, _visit: FieldsMut<'_>) {}

    /// Returns whether the type is an option, of which only `None` is not set.
    fn is_option(&self) -> bool {
        false
    }

    /// Returns whether integers are strings at the place of the value, and enums allow any text.
    fn is_text(&self) -> bool {
        false
    }

    /// Sets the value to null and returns whether its type has one. If not, the value is unchanged.
    fn null(&mut self) -> bool {
        false
    }

    /// Resets the value to its default.
    fn clear(&mut self) {
        match self.target() {
            Target::Object => self.fields_mut(&mut |fields, unknown| {
                for field in fields {
                    field.clear();
                }
                *unknown = UnknownProperties::default();
            }),
            Target::Enum(slot) => {
                slot.read("");
            }
            Target::Union(union) => union.choose(None),
            Target::Choice(choice) => choice.choose(None),
            // All other types have their own method.
            _ => {}
        }
    }
}

/// The target of a JSON value.
pub enum Target<'a> {
    Bool(&'a mut bool),
    Integer(&'a mut dyn Integer),
    F64(&'a mut f64),
    String(&'a mut String),
    Scalar(&'a mut dyn Scalar),
    Own(&'a mut dyn OwnValue),
    Enum(&'a mut dyn OpenEnum),
    /// An object with described properties: the value itself passes its fields.
    Object,
    Union(&'a mut dyn Union),
    Choice(&'a mut dyn Choice),
    Array(&'a mut dyn Array),
    Dictionary(&'a mut dyn Dictionary),
    Value(&'a mut Value),
    /// An object with the name of its type, or another value that is retained in its place.
    TypedObject(&'a mut Value),
}

impl Target<'_> {
    /// Returns the expected JSON type, with its article.
    pub(in crate::wire) fn expected(&self) -> &'static str {
        match self {
            Self::Bool(_) => "a boolean",
            Self::Integer(integer) => integer.expected(),
            Self::F64(_) => "a number",
            Self::String(_) | Self::Enum(_) => "a string",
            Self::Scalar(scalar) => scalar.expected(),
            Self::Own(value) => value.expected(),
            Self::Object | Self::Union(_) | Self::Dictionary(_) | Self::TypedObject(_) => {
                "an object"
            }
            Self::Array(_) => "an array",
            Self::Choice(_) | Self::Value(_) => "any value",
        }
    }
}

/// A value for encoding.
#[derive(Clone, Copy)]
pub enum View<'a> {
    /// Left out as a property, null elsewhere.
    Absent,
    Bool(bool),
    Integer(i128),
    F64(f64),
    Text(&'a str),
    /// A value of an open enum, with whether the spec lists it.
    Enum(&'a str, bool),
    Scalar(&'a dyn Scalar),
    Own(&'a dyn OwnValue),
    Upload(&'a Upload),
    /// A value that is redacted in logs.
    Secret(&'a dyn Wire),
    /// An object with described properties: the value itself passes its fields.
    Object,
    Union(&'a dyn Union),
    Choice(&'a dyn Choice),
    Array(&'a dyn Array),
    Dictionary(&'a dyn Dictionary),
    Value(&'a Value),
    /// JSON that is written as it was received.
    Exact(&'a str),
}

impl View<'_> {
    /// Returns a text, a boolean, a list or an object of JSON as one that a type describes.
    pub(in crate::wire) fn opened(self) -> Self {
        match self {
            Self::Value(Value::String(text)) => Self::Text(text),
            Self::Value(Value::Bool(value)) => Self::Bool(*value),
            Self::Value(Value::Array(elements)) => Self::Array(elements),
            Self::Value(Value::Object(properties)) => Self::Dictionary(properties),
            other => other,
        }
    }

    pub(in crate::wire) fn is_hidden(&self, hidden: Hidden) -> bool {
        match self {
            Self::Absent | Self::Value(Value::Null) => false,
            Self::Secret(_) => true,
            Self::Array(_) | Self::Dictionary(_) if hidden == Hidden::Scalars => false,
            Self::Bool(_)
            | Self::Scalar(_)
            | Self::Enum(_, true)
            | Self::Upload(_)
            | Self::Object
            | Self::Union(_)
            | Self::Choice(_)
            | Self::Array(_) => hidden >= Hidden::Scalars,
            _ => hidden >= Hidden::Texts,
        }
    }

    /// Returns whether this is `Absent`.
    pub(in crate::wire) fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }
}

/// A value that reads and writes itself.
pub trait OwnValue {
    /// Sets the value to the one that JSON stands for, and returns whether there is one.
    fn read(&mut self, json: &Value) -> bool;

    /// Replaces the value that was read from the nearest numbers by the one that JSON stands for in which these are texts, with
    /// all digits. Returns whether the type reads texts as numbers.
    fn read_spelled(&mut self, json: &Value) -> bool;

    /// Returns the name of the type.
    fn expected(&self) -> &'static str;

    /// Returns the JSON of the type, the same for equal values.
    ///
    /// # Errors
    ///
    /// Fails if the type does.
    fn written(&self) -> Result<Value, String>;

    /// Returns the JSON that is sent.
    ///
    /// # Errors
    ///
    /// Fails if the type does.
    fn sent(&self) -> Result<Cow<'_, Value>, String>;
}

/// A string with some known values.
pub trait OpenEnum {
    /// Sets the value and returns whether the spec allows it.
    fn read(&mut self, text: &str) -> bool;
}

/// A list.
pub trait Array {
    fn len(&self) -> usize;
    fn get(&self, index: usize) -> Option<&dyn Wire>;

    /// Adds an element, the default of its type, and returns it.
    fn push(&mut self) -> &mut dyn Wire;

    /// Removes the last element.
    fn pop(&mut self);
}

/// An object whose properties all have one type.
pub trait Dictionary {
    fn len(&self) -> usize;
    fn get(&self, name: &str) -> Option<&dyn Wire>;

    /// Visits the entries in the order of their names.
    fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a str, &'a dyn Wire));

    /// Adds or replaces an entry with the default of its type, and returns it.
    fn insert(&mut self, name: String) -> &mut dyn Wire;
    fn remove(&mut self, name: &str);

    /// Returns the object if its properties may have any values.
    fn free_form(&mut self) -> Option<&mut Map>;
}

/// An object with exactly one of several properties.
pub trait Union {
    /// Returns the description of the properties.
    fn table(&self) -> &'static Table;
    fn active(&self) -> Active<'_>;
    fn active_mut(&mut self) -> ActiveMut<'_>;

    /// Chooses the property at this index of the table, with the default of its type, or no known property.
    fn choose(&mut self, index: Option<usize>);
}

/// A value of one of several types.
pub trait Choice {
    /// Returns the variants and how they are recognized.
    fn plan(&self) -> &'static Plan;
    fn active(&self) -> Active<'_, Value>;
    fn active_mut(&mut self) -> ActiveMut<'_, Value>;

    /// Chooses the variant at this index, with the default of its type, or none.
    fn choose(&mut self, index: Option<usize>);
}

/// The content of a union.
pub enum Active<'a, U = Map> {
    /// The value of the variant at this index.
    Known(usize, &'a dyn Wire),
    /// A value of no variant: the properties, if these distinguish the variants, or else any value.
    Unknown(&'a U),
}

/// The content of a union, for writing.
pub enum ActiveMut<'a, U = Map> {
    /// The value of a variant.
    Known(&'a mut dyn Wire),
    /// A value of no variant.
    Unknown(&'a mut U),
}

impl<'a, U> ActiveMut<'a, U> {
    /// Returns the value of a variant.
    pub(in crate::wire) fn known(self) -> Option<&'a mut dyn Wire> {
        if let Self::Known(payload) = self { Some(payload) } else { None }
    }
}

impl dyn Array + '_ {
    pub(in crate::wire) fn elements(&self) -> impl Iterator<Item = &dyn Wire> {
        (0..self.len()).filter_map(|index| self.get(index))
    }
}

impl dyn Union + '_ {
    /// Returns the index of a known property.
    pub(in crate::wire) fn position(&self, name: &str) -> Option<usize> {
        self.table().read().position(name, 0)
    }

    /// Drops the known property and adds these as JSON.
    pub(in crate::wire) fn hold(&mut self, properties: impl IntoIterator<Item = (String, Value)>) {
        if let ActiveMut::Known(_) = self.active_mut() {
            self.choose(None);
        }
        if let ActiveMut::Unknown(map) = self.active_mut() {
            map.extend(properties);
        }
    }

    /// Moves undescribed properties to the value of the known property, and returns whether that is an object.
    pub(in crate::wire) fn attach(&mut self, properties: &mut Map) -> bool {
        let Some(payload) = self.active_mut().known() else { return false };
        payload
            .with_fields_mut(|_, unknown| unknown.retained_mut().siblings.append(properties))
            .is_some()
    }

    pub(in crate::wire) fn is_empty(&self) -> bool {
        matches!(self.active(), Active::Unknown(properties) if properties.is_empty())
    }
}

/// Visits the table of an object, its fields in the order of the table, the one for additional properties last, and its
/// retained content.
pub type Fields<'v, 'a> =
    &'v mut (dyn FnMut(&'static Table, &[&'a dyn Wire], &'a UnknownProperties) + 'v);

/// Visits the fields of an object in the same order, and its retained content, for writing.
pub type FieldsMut<'v> = &'v mut (dyn FnMut(&mut [&mut dyn Wire], &mut UnknownProperties) + 'v);

impl dyn Wire + '_ {
    /// Visits an object with described properties, and returns the result. `None` for other values.
    #[inline]
    pub(in crate::wire) fn with_fields<'a, R>(
        &'a self,
        mut visit: impl FnMut(&'static Described, &[&'a dyn Wire], &'a UnknownProperties) -> R,
    ) -> Option<R> {
        let mut result = None;
        self.fields(&mut |table, fields, unknown| {
            result = Some(visit(table.read(), fields, unknown));
        });
        result
    }

    /// Visits an object with described properties for writing, and returns the result. `None` for other values.
    #[inline]
    pub(in crate::wire) fn with_fields_mut<R>(
        &mut self,
        visit: impl FnOnce(&mut [&mut dyn Wire], &mut UnknownProperties) -> R,
    ) -> Option<R> {
        let mut visit = Some(visit);
        let mut result = None;
        self.fields_mut(&mut |fields, unknown| {
            result = visit.take().map(|visit| visit(fields, unknown));
        });
        result
    }

    /// Returns the table of an object with described properties.
    pub(in crate::wire) fn table(&self) -> Option<&'static Described> {
        self.with_fields(|table, _, _| table)
    }

    /// Returns the retained content of an object with described properties; other values have none.
    pub(in crate::wire) fn unknown(&self) -> &UnknownProperties {
        self.with_fields(|_, _, unknown| unknown).unwrap_or(&UnknownProperties::NOTHING)
    }

    /// Returns whether a field has no value, or the default of a type that always has one.
    pub(crate) fn is_unset(&self) -> bool {
        if self.is_option() { self.view().is_absent() } else { self.is_default() }
    }

    /// Returns whether the value is the default of its type.
    pub(crate) fn is_default(&self) -> bool {
        match self.view() {
            View::Absent => true,
            View::Bool(value) => !value,
            View::Integer(value) => value == 0,
            View::F64(value) => value.to_bits() == 0,
            View::Text(text) | View::Enum(text, _) => text.is_empty(),
            View::Scalar(value) => value.is_default(),
            View::Upload(upload) => *upload == Upload::default(),
            View::Secret(inner) => inner.is_default(),
            View::Object => self
                .with_fields(|_, fields, unknown| {
                    unknown.retained().is_none() && fields.iter().all(|field| field.is_unset())
                })
                .unwrap_or(true),
            View::Union(union) => union.is_empty(),
            View::Choice(choice) => matches!(choice.active(), Active::Unknown(Value::Null)),
            View::Array(array) => array.len() == 0,
            View::Dictionary(entries) => entries.len() == 0,
            View::Value(value) => value.is_null(),
            View::Own(_) | View::Exact(_) => false,
        }
    }
}
