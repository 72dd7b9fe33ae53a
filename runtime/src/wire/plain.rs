//! Values without their types, as styles and forms see them.

use std::mem;

use serde_json::Number;

use crate::wire::encode;
use crate::wire::encode::fields::Mode;
use crate::wire::encode::send::{Chosen, PropertyName, PropertySink, SentValue, send};
use crate::wire::encode::text::{enclose, json, string};
use crate::wire::exact::Digits;
use crate::wire::reflect::wire::{View, Wire};
use crate::wire::value::Value;

/// A value: JSON whose properties are in their order, and whose numbers have their digits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Plain {
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
        let mut tree = Tree::default();
        let plain = tree.plain(&SentValue::of(value, &value.view()));
        tree.fault.map_or(Ok(plain), Err)
    }

    /// Returns a number.
    pub(crate) fn number(number: impl Into<Number>) -> Self {
        Self::Number(number.into().to_string())
    }

    fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// Returns JSON in which numbers may be placeholders of digits.
    fn json(value: &Value, digits: &Digits) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => {
                let digits = digits.of(number).map(str::to_owned);
                Self::Number(digits.unwrap_or_else(|| number.to_string()))
            }
            Value::String(text) => Self::text(text),
            Value::Array(elements) => {
                Self::List(elements.iter().map(|element| Self::json(element, digits)).collect())
            }
            Value::Object(properties) => {
                let properties = properties.iter();
                Self::Object(
                    properties.map(|(name, it)| (name.clone(), Self::json(it, digits))).collect(),
                )
            }
        }
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

/// The properties of an object.
#[derive(Default)]
struct Tree {
    properties: Vec<(String, Plain)>,
    fault: Option<String>,
}

impl Tree {
    fn plain(&mut self, value: &SentValue<'_, '_>) -> Plain {
        let as_text = value.as_text;
        match *value.view {
            View::Text(text) | View::Enum(text, _) => Plain::text(text),
            View::Secret(wire) => self.plain(&SentValue { wire, view: &wire.view(), ..*value }),
            View::Choice(choice) => {
                let chosen = Chosen::of(choice);
                if chosen.lacking.is_empty() {
                    self.plain(&chosen.encoded(&chosen.wire.view()))
                } else {
                    self.object(|tree| chosen.send(tree))
                }
            }
            View::Object | View::Union(_) | View::Dictionary(_) => {
                self.object(|tree| send(value, tree))
            }
            View::Array(array) => Plain::List(
                array
                    .elements()
                    .map(|wire| self.plain(&SentValue { wire, view: &wire.view(), ..*value }))
                    .collect(),
            ),
            View::Value(value) => Plain::json(value, &Digits::default()),
            View::Exact(json) => {
                let mut digits = Digits::new();
                let value = digits.parse(json.as_bytes()).unwrap_or_default();
                Plain::json(&value, &digits)
            }
            View::Absent => Plain::Null,
            View::Bool(value) => Plain::Bool(value),
            View::Integer(value) if as_text => Plain::Text(value.to_string()),
            View::Integer(value) => Plain::Number(value.to_string()),
            View::F64(value) => self.checked(encode::number(value).map(Plain::number)),
            View::Scalar(value) => Plain::Text(value.to_string()),
            View::Own(value) => {
                self.checked(value.sent().map(|json| Plain::json(&json, &Digits::default())))
            }
            View::Upload(upload) => self.checked(encode::text(upload).map(Plain::text)),
        }
    }

    fn checked(&mut self, plain: Result<Plain, String>) -> Plain {
        plain.unwrap_or_else(|why| {
            self.fault(why);
            Plain::Null
        })
    }

    fn object(&mut self, send: impl FnOnce(&mut Self) -> bool) -> Plain {
        let outer = mem::take(&mut self.properties);
        send(self);
        Plain::Object(mem::replace(&mut self.properties, outer))
    }
}

impl<'a> PropertySink<'a> for Tree {
    fn mode(&self) -> Mode {
        Mode::Request
    }

    fn property(&mut self, name: PropertyName<'a>, value: &SentValue<'_, 'a>) {
        let plain = self.plain(value);
        self.properties.push((name.text().to_owned(), plain));
    }

    fn fault(&mut self, why: String) {
        self.fault.get_or_insert(why);
    }
}
