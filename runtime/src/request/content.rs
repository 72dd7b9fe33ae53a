//! The properties of forms as their contents (OpenAPI 3.2, "Encoding Object").

use crate::request::parameter::{Pair, Parameter};
use crate::wire::upload::Upload;
use crate::wire::{self, Active, Mode, Plain, View, Wire, placed};

/// How a form sends a property (OpenAPI 3.2, "Encoding Object").
#[derive(Clone, Copy, Debug)]
pub struct Encoding {
    property: &'static str,
    rule: EncodingRule,
    headers: &'static [PartHeader],
}

#[derive(Clone, Copy, Debug)]
enum EncodingRule {
    Type,
    /// In JSON, of this media type.
    Json(&'static str),
    /// By its media types, separated by commas.
    Content(&'static str),
    /// By a style, like a parameter of the query.
    Style(Parameter),
}

/// A header that the spec requires for a part of a form.
#[derive(Clone, Copy, Debug)]
pub struct PartHeader {
    /// The name.
    pub name: &'static str,
    /// The value that is sent; if `None`, the file provides it ([`Upload::with_header`]).
    pub value: Option<&'static str>,
}

impl Encoding {
    /// Returns the encoding of a property by its type.
    pub const fn new(property: &'static str) -> Self {
        Self { property, rule: EncodingRule::Type, headers: &[] }
    }

    /// Returns the encoding of a property in JSON.
    pub const fn json(property: &'static str, media_type: &'static str) -> Self {
        Self { property, rule: EncodingRule::Json(media_type), headers: &[] }
    }

    /// Returns the encoding of a property by its media types.
    pub const fn content(property: &'static str, content_type: &'static str) -> Self {
        Self { property, rule: EncodingRule::Content(content_type), headers: &[] }
    }

    /// Returns the encoding of a property by a style.
    pub const fn style(parameter: Parameter) -> Self {
        Self { property: parameter.name, rule: EncodingRule::Style(parameter), headers: &[] }
    }

    /// Sets the headers of the part.
    #[must_use]
    pub const fn headers(mut self, headers: &'static [PartHeader]) -> Self {
        self.headers = headers;
        self
    }

    /// Adds the headers of a part to its own; fails if one without a value is missing.
    pub(super) fn add_headers<'h>(&self, own: &mut Vec<(&'h str, &'h str)>) -> Result<(), String> {
        for PartHeader { name, value } in self.headers {
            if own.iter().any(|(own, _)| own.eq_ignore_ascii_case(name)) {
                continue;
            }
            let value = value.ok_or_else(|| {
                format!("its part needs the header `{name}`: add it with `Upload::with_header`")
            })?;
            own.push((name, value));
        }
        Ok(())
    }

    /// Returns the media type, if there is only one and it is not a range.
    pub(super) fn media_type(&self) -> Option<&'static str> {
        let (EncodingRule::Json(content_type) | EncodingRule::Content(content_type)) = self.rule
        else {
            return None;
        };
        let is_only = !content_type.contains([',', '*']);
        is_only.then_some(content_type.trim())
    }

    fn is_json(&self) -> bool {
        matches!(self.rule, EncodingRule::Json(_))
    }
}

pub(super) enum Content<'a> {
    Text(String),
    /// A pair of a style, with its own name.
    Pair(Pair),
    Json(String),
    Upload(&'a Upload),
}

/// Adds a content of the property of this name to a form.
type Add<'f> = dyn FnMut(&str, Option<&Encoding>, Content<'_>) -> Result<(), String> + 'f;

type AddPart<'f> = dyn FnMut(Option<&Encoding>, Content<'_>) -> Result<(), String> + 'f;

/// Calls `add` with the contents of each property of a form, with its name and encoding. A list is a content for each
/// of its elements, an object is a content in JSON, and null has no content. `adapt` changes how styles write theirs.
pub(super) fn each(
    form: &dyn Wire,
    encodings: &[Encoding],
    adapt: fn(Parameter) -> Parameter,
    add: &mut Add<'_>,
) -> Result<(), String> {
    let mut outcome = Ok(());
    let is_object = wire::each_property(form, Mode::Form, |name, sent, _| {
        if outcome.is_ok() {
            let encoding = encodings.iter().find(|encoding| encoding.property == name);
            let mut add = |content: Content<'_>| add(name, encoding, content);
            let added = placed(sent.wire, sent.as_text, |value| match encoding.map(|it| it.rule) {
                Some(EncodingRule::Style(parameter)) => styled(value, adapt(parameter), &mut add),
                _ => encoded(value, encoding, &mut add),
            });
            outcome = added.map_err(|why| format!("the property `{name}` cannot be sent: {why}"));
        }
    })?;
    if is_object {
        outcome
    } else {
        Err("the body is not an object, so it cannot be a form".into())
    }
}

/// Calls `add` with the content of each element of a list, and its encoding: the one for its index, or for `*`. Nothing
/// is sent for an element that is null.
pub(super) fn each_part(
    list: &dyn Wire,
    encodings: &[Encoding],
    add: &mut AddPart<'_>,
) -> Result<(), String> {
    each_element(list, &mut |index, element| {
        let position = index.to_string();
        let of = |name: &str| encodings.iter().find(|encoding| encoding.property == name);
        let encoding = of(&position).or_else(|| of("*"));
        match content(element).0.view() {
            View::Upload(upload) => add(encoding, Content::Upload(upload)),
            _ => single(Plain::new(element)?, encoding)
                .map_or(Ok(()), |content| add(encoding, content)),
        }
    })
}

/// Calls `act` with each element of a list and its index.
pub(super) fn each_element(
    list: &dyn Wire,
    act: &mut dyn FnMut(usize, &dyn Wire) -> Result<(), String>,
) -> Result<(), String> {
    let View::Array(elements) = list.view() else { return Err("parts must be a list".into()) };
    let mut elements = (0..elements.len()).filter_map(|index| Some((index, elements.get(index)?)));
    elements.try_for_each(|(index, element)| {
        placed(element, list.is_text(), |element| act(index, element))
    })
}

/// Adds the pairs of a value by its style.
fn styled(
    value: &dyn Wire,
    parameter: Parameter,
    add: &mut dyn FnMut(Content<'_>) -> Result<(), String>,
) -> Result<(), String> {
    match Plain::new(value)? {
        Plain::Null => Ok(()),
        value => {
            parameter.expand(&value)?.into_iter().try_for_each(|pair| add(Content::Pair(pair)))
        }
    }
}

/// Returns the file or the list that the variant of a value is, or else the value itself, and whether it is as text.
fn content(value: &dyn Wire) -> (&dyn Wire, bool) {
    let mut inner = value;
    let mut as_text = value.is_text();
    while let View::Choice(choice) = inner.view()
        && let Active::Known(index, payload) = choice.active()
    {
        inner = payload;
        as_text = choice.plan().is_text(index);
    }
    if matches!(inner.view(), View::Upload(_) | View::Array(_)) {
        (inner, as_text)
    } else {
        (value, value.is_text())
    }
}

fn encoded(
    value: &dyn Wire,
    encoding: Option<&Encoding>,
    add: &mut dyn FnMut(Content<'_>) -> Result<(), String>,
) -> Result<(), String> {
    let (inner, as_text) = content(value);
    match inner.view() {
        View::Secret(inner) => placed(inner, as_text, |inner| encoded(inner, encoding, add)),
        View::Upload(upload) => add(Content::Upload(upload)),
        View::Array(_) => placed(inner, as_text, |list| {
            each_element(list, &mut |_, element| match content(element).0.view() {
                View::Upload(upload) => add(Content::Upload(upload)),
                _ => single(Plain::new(element)?, encoding).map_or(Err(NULL.into()), &mut *add),
            })
        }),
        _ => match Plain::new(value)? {
            Plain::List(elements) => elements
                .into_iter()
                .try_for_each(|value| single(value, encoding).map_or(Err(NULL.into()), &mut *add)),
            value => single(value, encoding).map_or(Ok(()), add),
        },
    }
}

const NULL: &str = "its list contains a null";

/// Returns the content of a value that is not a list; none for null.
fn single(value: Plain, encoding: Option<&Encoding>) -> Option<Content<'static>> {
    Some(match value {
        Plain::Null => return None,
        value if encoding.is_some_and(Encoding::is_json) => Content::Json(value.to_json()),
        Plain::Text(text) => Content::Text(text),
        value @ (Plain::Bool(_) | Plain::Number(_)) => Content::Text(value.to_json()),
        value @ (Plain::List(_) | Plain::Object(_)) => Content::Json(value.to_json()),
    })
}
