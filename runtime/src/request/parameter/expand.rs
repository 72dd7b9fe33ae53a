//! From values to pairs, by style.

use std::borrow::Cow;

use super::escape::Escape;
use super::style::{ListKeys, Location, Parameter, Style, Syntax};
use crate::wire::Plain;

/// A part of an expanded parameter; both texts are encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) name: Option<String>,
    pub(crate) text: String,
}

impl Parameter {
    /// Expands a value: no pairs if there is nothing to send.
    ///
    /// The texts are encoded before they are joined, so that they cannot contain a delimiter. The standard leaves undefined
    /// how a list or an object within another is sent: as JSON, except in `deepObject`, and for a list in an exploded object
    /// of the style `form`, which is exploded, too. Without a name, only the properties of exploded objects have one.
    ///
    /// # Errors
    ///
    /// Fails if the value is null, or a list has a null. Errors name the parameter.
    pub(crate) fn expand(&self, value: &Plain) -> Result<Vec<Pair>, String> {
        let has_name = !self.is_nameless() && self.style.syntax().is_named;
        let name = has_name.then(|| self.escape.name(self.name).into_owned());
        let pairs = match (self.style, value) {
            (Style::Json, value) => {
                Ok(vec![Pair { name, text: self.escape.text(&value.to_json()).into_owned() }])
            }
            (_, Plain::Null) => Err("it is null".to_owned()),
            (Style::DeepObject(keys), value) => self.deep(name.unwrap_or_default(), keys, value),
            (_, Plain::List(elements)) => self.list(name, elements),
            (_, Plain::Object(properties)) => self.object(name, properties),
            (_, scalar) => Ok(vec![Pair { name, text: self.text(scalar).into_owned() }]),
        };
        pairs.map_err(|why| self.refusal(&why))
    }

    /// Returns whether the value is sent alone: the whole query, or JSON in a path or a header.
    fn is_nameless(&self) -> bool {
        match self.place {
            Location::QueryString => true,
            Location::Path | Location::Header => self.style == Style::Json,
            Location::Query | Location::Cookie => false,
        }
    }

    /// Returns the reason why the parameter cannot be sent.
    pub(crate) fn refusal(&self, why: &str) -> String {
        format!("the parameter `{}` cannot be sent: {why}", self.name)
    }

    /// Joins pairs to a text for a path or a header.
    pub(crate) fn join(&self, pairs: &[Pair]) -> String {
        let Syntax { first, separator, has_equals, .. } = self.style.syntax();
        let mut joined = String::new();
        for (index, Pair { name, text }) in pairs.iter().enumerate() {
            joined.push_str(if index == 0 { first } else { separator });
            if let Some(name) = name {
                joined.push_str(name);
                joined.push_str(if has_equals || !text.is_empty() { "=" } else { "" });
            }
            joined.push_str(text);
        }
        joined
    }

    fn text<'a>(&self, value: &'a Plain) -> Cow<'a, str> {
        let written = match value {
            Plain::Text(text) => return self.escape.text(text),
            other => other.to_json(),
        };
        Cow::Owned(self.escape.text(&written).into_owned())
    }

    fn joined(&self, name: Option<String>, texts: &[Cow<'_, str>]) -> Vec<Pair> {
        let [plain, encoded] = self.style.syntax().delimiter;
        let delimiter = if self.escape == Escape::None { plain } else { encoded };
        if texts.is_empty() { Vec::new() } else { vec![Pair { name, text: texts.join(delimiter) }] }
    }

    fn list(&self, name: Option<String>, elements: &[Plain]) -> Result<Vec<Pair>, String> {
        check_elements(elements)?;
        let mut texts = elements.iter().map(|element| self.text(element));
        if self.explode {
            let pairs = texts.map(|text| Pair { name: name.clone(), text: text.into_owned() });
            return Ok(pairs.collect());
        }
        let texts: Vec<_> = texts.by_ref().collect();
        Ok(self.joined(name, &texts))
    }

    /// Expands an object. A null property is an absent one.
    fn object(
        &self,
        name: Option<String>,
        properties: &[(String, Plain)],
    ) -> Result<Vec<Pair>, String> {
        let properties = properties.iter().filter(|(_, value)| *value != Plain::Null);
        if !self.explode {
            let texts = properties.map(|(name, value)| [self.escape.name(name), self.text(value)]);
            let texts: Vec<_> = texts.flatten().collect();
            return Ok(self.joined(name, &texts));
        }
        let mut pairs = Vec::new();
        for (name, value) in properties {
            let name = Some(self.escape.name(name).into_owned());
            match value {
                Plain::List(elements) if self.style == Style::Form => {
                    pairs.extend(self.list(name, elements)?);
                }
                value => pairs.push(Pair { name, text: self.text(value).into_owned() }),
            }
        }
        Ok(pairs)
    }

    /// Expands a value by `deepObject`: each scalar is a pair, whose name has the path to it in brackets.
    fn deep(&self, name: String, keys: ListKeys, value: &Plain) -> Result<Vec<Pair>, String> {
        let [open, close] = if self.escape == Escape::None { ["[", "]"] } else { ["%5B", "%5D"] };
        let mut pairs = Vec::new();
        // The last element is expanded next.
        let mut waiting = vec![(name, value)];
        while let Some((name, value)) = waiting.pop() {
            let next = waiting.len();
            match value {
                Plain::Null => {}
                Plain::List(elements) => {
                    check_elements(elements)?;
                    waiting.extend(elements.iter().enumerate().map(|(index, element)| {
                        let name = match keys {
                            ListKeys::Indices => format!("{name}{open}{index}{close}"),
                            ListKeys::Brackets => format!("{name}{open}{close}"),
                            ListKeys::Repeated => name.clone(),
                        };
                        (name, element)
                    }));
                }
                Plain::Object(properties) => {
                    waiting.extend(properties.iter().map(|(property, value)| {
                        (format!("{name}{open}{}{close}", self.escape.name(property)), value)
                    }));
                }
                scalar => {
                    let text = self.text(scalar).into_owned();
                    pairs.push(Pair { name: Some(name), text });
                }
            }
            waiting[next..].reverse();
        }
        Ok(pairs)
    }
}

fn check_elements(elements: &[Plain]) -> Result<(), String> {
    match elements.iter().position(|element| *element == Plain::Null) {
        Some(index) => Err(format!("element {index} of its list is null")),
        None => Ok(()),
    }
}
