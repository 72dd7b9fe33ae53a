//! Values without their types, as styles and forms see them.

use std::mem;

use serde_json::Number;

use crate::wire::encode::send::write;
use crate::wire::encode::sink::{
    Mode, PropertyName, PropertySink, SentScalar, SentValue, ValueSink, Walk,
};
use crate::wire::encode::text::{enclose, json, string};
use crate::wire::exact::Digits;
use crate::wire::reflect::wire::{View, Wire};
use crate::wire::value::Value;

/// A value: JSON whose properties are in their order, and whose numbers have their digits.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Plain {
    #[default]
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Plain>),
    Object(Vec<(String, Plain)>),
}

impl Plain {
    /// Reads a value, without its read-only properties.
    ///
    /// # Errors
    ///
    /// Fails if the value cannot be sent.
    pub(crate) fn new(value: &dyn Wire) -> Result<Self, String> {
        let mut tree = Tree { walk: Walk::new(Mode::Request), ..Tree::default() };
        write(&SentValue::of(value, &value.view()), &mut tree);
        tree.walk.finish(tree.value)
    }

    pub(crate) fn number(number: impl Into<Number>) -> Self {
        Self::Number(number.into().to_string())
    }

    /// Returns whether there is nothing to send: no text, no elements, no properties.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Bool(_) | Self::Number(_) => false,
            Self::Text(text) => text.is_empty(),
            Self::List(elements) => elements.is_empty(),
            Self::Object(properties) => properties.iter().all(|(_, value)| *value == Self::Null),
        }
    }

    /// Returns the texts and the numbers in it.
    pub(crate) fn scalars(&self) -> Vec<String> {
        match self {
            Self::Null | Self::Bool(_) => Vec::new(),
            Self::Number(scalar) | Self::Text(scalar) => vec![scalar.clone()],
            Self::List(elements) => elements.iter().flat_map(Self::scalars).collect(),
            Self::Object(properties) => {
                properties.iter().flat_map(|(_, value)| value.scalars()).collect()
            }
        }
    }

    /// Returns a property of an object, an empty object if it has none of this name. `None` for other values.
    pub(crate) fn property(&mut self, name: &str) -> Option<&mut Self> {
        let Self::Object(properties) = self else { return None };
        let index = properties.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            properties.push((name.to_owned(), Self::Object(Vec::new())));
            properties.len() - 1
        });
        properties.get_mut(index).map(|(_, value)| value)
    }

    /// Returns the value as JSON, without white space.
    pub(crate) fn to_json(&self) -> String {
        let mut body = Vec::new();
        self.write(&mut body);
        String::from_utf8_lossy(&body).into_owned()
    }

    fn write(&self, body: &mut Vec<u8>) {
        let start = body.len();
        match self {
            Self::Null => body.extend_from_slice(b"null"),
            Self::Bool(value) => json(body, value),
            Self::Number(digits) => body.extend_from_slice(digits.as_bytes()),
            Self::Text(text) => string(body, text),
            Self::List(elements) => {
                for element in elements {
                    body.push(b',');
                    element.write(body);
                }
                enclose(body, start, *b"[]");
            }
            Self::Object(properties) => {
                for (name, value) in properties {
                    body.push(b',');
                    string(body, name);
                    body.push(b':');
                    value.write(body);
                }
                enclose(body, start, *b"{}");
            }
        }
    }
}

/// The value that was written last, and the properties of the object, or the elements of the list, around it.
#[derive(Default)]
struct Tree {
    value: Plain,
    parts: Vec<(String, Plain)>,
    /// The digits of the numbers in the JSON that is being written.
    digits: Digits,
    walk: Walk,
}

impl Tree {
    fn parts(&mut self, content: impl FnOnce(&mut Self)) -> Vec<(String, Plain)> {
        let outer = mem::take(&mut self.parts);
        content(self);
        mem::replace(&mut self.parts, outer)
    }
}

impl ValueSink<'_> for Tree {
    fn text(&mut self, text: &str) {
        self.value = Plain::Text(text.to_owned());
    }

    fn scalar(&mut self, scalar: SentScalar<'_>) {
        self.value = match scalar {
            SentScalar::Plain(text) => Plain::Text(text.to_string()),
            SentScalar::Integer(number) => Plain::Number(number.to_string()),
            SentScalar::Json(Value::Null) => Plain::Null,
            SentScalar::Json(Value::Bool(value)) => Plain::Bool(*value),
            SentScalar::Json(Value::Number(number)) => {
                let digits = self.digits.of(number).map(str::to_owned);
                Plain::Number(digits.unwrap_or_else(|| number.to_string()))
            }
            SentScalar::Json(json) => {
                return write(&SentValue::of(json, &View::Value(json).opened()), self);
            }
            SentScalar::Exact(json) => {
                self.digits = Digits::new();
                let json = self.digits.parse(json.as_bytes()).unwrap_or_default();
                self.scalar(SentScalar::Json(&json));
                self.digits = Digits::default();
                return;
            }
        };
    }

    fn list(&mut self, elements: impl FnOnce(&mut Self)) {
        let elements = self.parts(elements).into_iter();
        self.value = Plain::List(elements.map(|(_, element)| element).collect());
    }

    fn object(&mut self, properties: impl FnOnce(&mut Self)) {
        self.value = Plain::Object(self.parts(properties));
    }
}

impl<'a> PropertySink<'a> for Tree {
    fn walk(&mut self) -> &mut Walk {
        &mut self.walk
    }

    fn property(&mut self, name: PropertyName<'a>, value: &SentValue<'_, 'a>) {
        write(value, self);
        self.parts.push((name.text().to_owned(), mem::take(&mut self.value)));
    }
}
