//! The secrets of requests, which servers repeat in any place of a reply.

use std::borrow::Cow;
use std::collections::HashSet;

use codegen::document::Document;
use codegen::ir::{Api, FieldWire, Shape, Type};
use secret_names::{MIN_LENGTH, is_secret, redact};

use super::bodies::{Content, Read};
use super::formats::{base64, example};
use super::seen::bounded;
use super::table::Table;
use super::texts::{Texts, named, pairs};
use super::value::{PLACEHOLDER, Value, is_placeholder};

/// Maximum cost of the secrets of a request, in bytes and 100 for each: a name is searched for all of them.
const MAX_COST: usize = 1 << 16;

/// The lists of a request whose elements have a name and a value, other than the headers.
const LISTS: [&[&str]; 3] = [&["cookies"], &["queryString"], &["postData", "params"]];

impl Table<'_> {
    /// Forgets the secrets of the exchange before, and adds those of a request: the values with the names of secrets, also
    /// of those of the document, in texts of it, its lists, the fragment of its URL, and its body.
    pub fn begin<'t>(
        &mut self,
        request: &Value<'_>,
        texts: impl Iterator<Item = &'t Texts<'t>>,
        sent: &Content<'_>,
        read: &Read<'_>,
    ) {
        self.secrets.clear();
        self.cost = 0;
        let url = request.text(&["url"]).unwrap_or_default();
        texts.for_each(|texts| self.withhold_texts(texts));
        url.split('#').skip(1).for_each(|fragment| self.withhold_texts(&pairs(fragment)));
        for list in LISTS {
            self.withhold_texts(&named(request, list));
        }
        match read {
            Read::Json(Ok((value, _))) => self.withhold_named(value, false),
            Read::Form(form) => self.withhold_texts(form),
            _ => self.withhold_in(sent.text()),
        }
    }

    fn withhold_texts(&mut self, texts: &Texts<'_>) {
        for (name, text) in texts {
            if !self.hides(name) {
                continue;
            }
            self.withhold(text);
            // A scheme precedes a token, and a name a cookie.
            for (_, cookie) in text.split(';').filter_map(|cookie| cookie.split_once('=')) {
                self.withhold(cookie);
            }
            let Some((scheme, token)) = text.split_once(' ') else { continue };
            self.withhold(token);
            let user = base64(token).filter(|_| scheme.eq_ignore_ascii_case("basic"));
            let user = user.and_then(|user| String::from_utf8(user).ok()).unwrap_or_default();
            self.withhold(user.split_once(':').map_or(&user, |(_, password)| password));
        }
    }

    /// Adds the secrets of a text in JSON, also in lines, or else in the parts or the pairs of a form.
    fn withhold_in(&mut self, text: &str) {
        let text = text.trim_start_matches('\u{feff}');
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value<'_>>();
        let mut is_json = false;
        while let Some(Ok(value)) = values.next() {
            is_json = true;
            self.withhold_named(&value, false);
        }
        if !is_json {
            self.withhold_texts(&pairs(text));
            self.withhold_texts(&parts(text));
        }
    }

    fn withhold_named(&mut self, value: &Value<'_>, is_named: bool) {
        match value {
            Value::Text(text) if is_named => self.withhold(text),
            Value::Text(text) if text.starts_with(['{', '[']) => self.withhold_in(text),
            Value::Integer(number) if is_named => self.withhold(&number.to_string()),
            Value::List(items) => items.iter().for_each(|it| self.withhold_named(it, is_named)),
            Value::Object(members) => {
                for (name, member) in members {
                    self.withhold_named(member, is_named || self.hides(name));
                }
            }
            _ => {}
        }
    }

    fn hides(&self, name: &str) -> bool {
        is_secret(name) || self.hidden.contains(&name.to_lowercase())
    }

    /// Adds a secret of the request.
    fn withhold(&mut self, text: &str) {
        // Names of headers are compared in lower case.
        for text in [text, &text.to_lowercase()] {
            let is_new = text.len() >= MIN_LENGTH && !is_placeholder(text);
            if is_new && self.cost < MAX_COST && !self.secrets.iter().any(|it| it == text) {
                self.cost += text.len() + 100;
                self.secrets.push(text.to_owned());
            }
        }
    }

    /// Returns a name or a value as findings show it, with placeholders for the secrets of the request, as a recorder writes
    /// them; `None` if it is one, or if there are too many secrets.
    pub fn shown<'t>(&self, text: &'t str) -> Option<Cow<'t, str>> {
        if self.cost >= MAX_COST {
            return None;
        }
        let whole = redact(text, &self.secrets, &format!("{PLACEHOLDER}{:016x}", 0));
        (!is_placeholder(&whole)).then(|| bounded(whole))
    }
}

/// Returns the names of parameters, properties and credentials that a document makes secret, in lower case.
pub fn declared(document: &Document, api: &Api) -> HashSet<String> {
    let is_secret = |ty: &Type| matches!(ty.innermost(), Type::Secret(_));
    let types = api.definitions().into_iter();
    let objects = types.filter_map(|(_, it)| match &it.shape {
        Shape::Struct(object) => Some(&object.fields),
        _ => None,
    });
    let fields = objects.flatten().filter_map(|field| match &field.wire {
        FieldWire::Property(name) if is_secret(&field.ty) => Some(name.as_str()),
        _ => None,
    });
    let parameters = api.operations().flat_map(|it| &it.parameters).filter(|it| it.is_secret);
    let schemes = document.components("securitySchemes");
    let schemes =
        schemes.filter_map(|(_, scheme)| Some(scheme.followed()?.text("name")?.to_lowercase()));
    let names = fields.chain(parameters.map(|it| it.wire.as_str()));
    names.map(str::to_lowercase).chain(schemes).collect()
}

/// Returns the names and the texts of the parts of a form in `multipart/form-data`.
fn parts(text: &str) -> Texts<'_> {
    let parts = text.split("name=\"").skip(1).filter_map(|rest| {
        let (name, rest) = rest.split_once('"')?;
        let (_, rest) = rest.split_once("\r\n\r\n")?;
        Some((Cow::from(name), Cow::from(rest.split("\r\n--").next()?)))
    });
    parts.collect()
}

/// Returns whether a value is a number that is one of some secrets.
pub fn repeats(secrets: &[String], value: &Value<'_>) -> bool {
    matches!(value, Value::Integer(_) | Value::Float(_))
        && secrets.iter().any(|it| it.ends_with(char::is_numeric) && *it == example(value))
}
