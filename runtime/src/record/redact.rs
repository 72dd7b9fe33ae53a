//! What a recorder writes in place of texts.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::hash::{BuildHasher, RandomState};

use http::Uri;
use secret_names::PLACEHOLDER;
use serde_json::{Map, Value};

use super::form::{is_constant, is_time};
use super::seen::Seen;
use crate::error::text::MESSAGES;
use crate::secrets;
use crate::url::base_url;
use crate::url::origin::written_origin;
use crate::url::percent;
use crate::url::query::decoded;
use crate::wire::Texts;

/// The settings of a recorder, with the key of its placeholders.
#[derive(Clone)]
pub(super) struct Rules {
    /// Keys of `SipHash`, from the operating system: without them, no candidate for a text can be checked.
    pub(super) key: RandomState,
    /// Maximum size of the file.
    pub(super) max_bytes: u64,
}

pub(super) struct Redaction<'a> {
    pub(super) rules: &'a Rules,
    /// The credentials and the other secrets of the request, and those that their names make secrets.
    pub(super) secrets: HashSet<&'a str>,
    pub(super) seen: &'a Seen,
    /// The names of described parameters in the query.
    pub(super) parameters: &'a [&'static str],
    /// The URL of the request, the base URL before its path, and the template of the rest.
    pub(super) uri: &'a Uri,
    pub(super) base: &'a str,
    pub(super) template: &'a str,
}

/// The body of a request or of a response.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Replay compares it: a number that is a secret becomes a placeholder.
    Request,
    /// Replay decodes it: a number that is a secret becomes 0.
    Response,
}

/// A body that is redacted, and the texts in it as its type knows them, if it has one.
#[derive(Clone, Copy)]
pub(super) struct TypedTexts<'a> {
    pub(super) texts: Option<&'a Texts>,
    pub(super) side: Side,
}

impl Default for Rules {
    fn default() -> Self {
        Self { key: RandomState::new(), max_bytes: 64 << 20 }
    }
}

impl Redaction<'_> {
    /// Returns the placeholder of a text: the same for equal texts.
    pub(super) fn placeholder(&self, text: &str) -> String {
        if text.is_empty() {
            return String::new();
        }
        format!("{PLACEHOLDER}{:016x}", self.rules.key.hash_one(text))
    }

    /// Returns whether a text that is not data contains a secret. A short one must be the whole text.
    pub(super) fn reveals(&self, text: &str) -> bool {
        self.secrets.contains(text) || self.seen.is_in(text)
    }

    /// Returns the name of a property. Where no type describes it, it may be data, such as a key of a map.
    fn property(&self, name: &str, texts: Option<&Texts>, is_in_secret: bool) -> String {
        let is_data = match texts {
            None => !is_of_error(name),
            Some(texts) => {
                (is_in_secret || texts.hides_numbers || texts.keys.contains(name))
                    && !texts.properties.contains(name)
            }
        };
        if is_data { self.placeholder(name) } else { self.name(name, texts) }
    }

    /// Returns the name of a property or of a parameter, unless it can only be data.
    pub(super) fn name(&self, name: &str, texts: Option<&Texts>) -> String {
        let is_property = texts.is_some_and(|texts| texts.properties.contains(name));
        if is_property || self.parameters.contains(&name) {
            return name.to_owned();
        }
        let is_name = name.len() <= 64
            && name.chars().all(|it| it.is_ascii_alphanumeric() || "_-.$@:/[]".contains(it));
        if is_name && !self.reveals(name) { name.to_owned() } else { self.placeholder(name) }
    }

    fn text(&self, text: &str, typed: TypedTexts<'_>) -> String {
        let is_kept = match typed.texts {
            None => is_time(text) && !self.reveals(text),
            Some(texts) if texts.secrets.contains(text) => false,
            Some(texts) if texts.known.contains(text) => !self.secrets.contains(text),
            Some(texts) => {
                let is_no_data = texts.constants.contains(text) && is_constant(text)
                    || (is_time(text) || ["true", "false"].contains(&text)) && !texts.hides_others
                    || texts.paths.contains(text);
                is_no_data && !self.reveals(text)
            }
        };
        if is_kept { text.to_owned() } else { self.placeholder(text) }
    }

    pub(super) fn json(&self, value: &mut Value, typed: TypedTexts<'_>) {
        self.value(value, typed, false);
    }

    fn value(&self, value: &mut Value, typed: TypedTexts<'_>, is_secret: bool) {
        match value {
            Value::String(text) if is_secret => *text = self.placeholder(text),
            Value::String(text) => {
                let redacted = self.text(text, typed);
                if redacted != *text {
                    *text = self.page(text, typed).unwrap_or(redacted);
                }
            }
            Value::Array(items) => {
                for item in items {
                    self.value(item, typed, is_secret);
                }
            }
            Value::Object(object) => {
                let properties = std::mem::take(object).into_iter();
                let redacted = properties.map(|(name, mut value)| {
                    self.value(&mut value, typed, is_secret || secrets::is_secret(&name));
                    (self.property(&name, typed.texts, is_secret), value)
                });
                *object = redacted.collect::<Map<_, _>>();
            }
            Value::Number(number) => {
                let digits = number.to_string();
                let is_of_type = typed
                    .texts
                    .is_some_and(|texts| texts.hides_numbers || texts.secrets.contains(&digits));
                if is_secret || is_of_type || self.reveals(&digits) {
                    *value = self.scalar(&digits, 0.into(), typed.side);
                }
            }
            Value::Bool(flag) if typed.texts.is_some_and(|texts| texts.hides_others) => {
                *value = self.scalar(&flag.to_string(), false.into(), typed.side);
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn scalar(&self, text: &str, neutral: Value, side: Side) -> Value {
        match side {
            Side::Request => self.placeholder(text).into(),
            Side::Response => neutral,
        }
    }

    /// Returns the pairs of a query or a form.
    pub(super) fn pairs(&self, query: &str, texts: Option<&Texts>) -> Vec<(String, String)> {
        let typed = TypedTexts { texts, side: Side::Request };
        let pairs = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            // A pair without a name is data.
            let Some((name, value)) = pair.split_once('=') else {
                return (self.placeholder(&decoded(pair)), String::new());
            };
            let (name, value) = (decoded(name), decoded(value));
            let written = match texts {
                Some(_) if !secrets::is_secret(&name) => self.text(&value, typed),
                _ => self.placeholder(&value),
            };
            (self.name(&name, texts), written)
        });
        pairs.collect()
    }

    /// Returns a form, or the query of a URL.
    pub(super) fn form(&self, form: &str, texts: Option<&Texts>) -> String {
        let pairs = self.pairs(form, texts).into_iter();
        let pairs = pairs
            .map(|(name, value)| format!("{}={}", percent::encode(&name), percent::encode(&value)));
        pairs.collect::<Vec<_>>().join("&")
    }

    /// Returns the URL of a request, or of a link to one. Segments of its path are data unless the template has them; the
    /// target of a redirect has no template.
    pub(super) fn url(&self, uri: &Uri, template: Option<&str>) -> String {
        let base = self.base;
        let origin = written_origin(uri);
        let whole = format!("{origin}{}", uri.path());
        let path = template.and_then(|template| {
            Some(format!("{base}{}", self.filled(template, whole.strip_prefix(base)?)?))
        });
        let mut url = path.unwrap_or_else(|| {
            let is_base = base
                .strip_prefix(&origin)
                .is_some_and(|path| path.is_empty() || path.starts_with('/'));
            let mut url =
                if is_base { origin } else { format!("https://{}", self.placeholder(&origin)) };
            for segment in uri.path().split('/').skip(1) {
                let _ = write!(url, "/{}", self.placeholder(&decoded(segment)));
            }
            url
        });
        if let Some(query) = uri.query() {
            let _ = match template {
                Some(_) => write!(url, "?{}", self.form(query, None)),
                None => write!(url, "?{}", self.form(query, Some(&Texts::default()))),
            };
        }
        url
    }

    /// Returns a path with placeholders for the parameters of its template.
    fn filled(&self, template: &str, path: &str) -> Option<String> {
        let segments: Vec<_> = path.split('/').collect();
        let templates: Vec<_> = template.split('/').collect();
        if segments.len() != templates.len() {
            return None;
        }
        let filled = segments.iter().zip(templates).map(|(segment, template)| {
            let Some((before, rest)) = template.split_once('{') else {
                return (*segment == template).then(|| template.to_owned());
            };
            let (_, after) = rest.split_once('}')?;
            let value = segment.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
            // A segment of several parameters is one text.
            let (before, value, after) = value
                .filter(|_| !after.contains('{'))
                .map_or(("", *segment, ""), |value| (before, value, after));
            Some(format!("{before}{}{after}", self.placeholder(&decoded(value))))
        });
        Some(filled.collect::<Option<Vec<_>>>()?.join("/"))
    }

    /// Returns the target of a redirect, or of a link to a page of an operation with this template.
    pub(super) fn target(&self, target: &str, template: Option<&str>) -> String {
        match base_url::resolve(self.uri, target) {
            Some(target) => self.url(&target, template),
            None => self.placeholder(target),
        }
    }

    /// Returns a text of a response as a URL, if it is the URL of another page.
    fn page(&self, text: &str, typed: TypedTexts<'_>) -> Option<String> {
        let is_secret = typed.texts.is_some_and(|texts| texts.secrets.contains(text));
        let is_url = text.starts_with(['/', '?']) || text.contains("://");
        if typed.side == Side::Request || is_secret || !is_url {
            return None;
        }
        let uri = base_url::resolve(self.uri, text)?;
        let whole = format!("{}{}", written_origin(&uri), uri.path());
        self.filled(self.template, whole.strip_prefix(self.base)?)?;
        Some(self.url(&uri, Some(self.template)))
    }
}

/// Returns whether errors have a property of this name, whatever the API: in RFC 9457, section 3.1, in RFC 6749, section 5.2,
/// or as the message that is shown.
fn is_of_error(name: &str) -> bool {
    MESSAGES.contains(&name) || ["code", "errors", "instance", "status", "type"].contains(&name)
}
