//! Comparison of requests with recorded ones.

use std::collections::{BTreeMap, HashMap};

use http::Uri;
use secret_names::is_placeholder;

use super::recorded::{RecordedRequest, path_parameters};
use crate::url::query::{decoded, pairs};
use crate::wire::{self, Map, Value, charset};

/// The parts of a recorded request that are compared.
pub(super) struct ExpectedRequest {
    method: String,
    /// The parameters by name, or all segments of a path that does not match the template.
    path: Value,
    /// The texts of each name.
    query: Value,
    body: RecordedBody,
}

enum RecordedBody {
    /// A body that is not recorded: any.
    Any,
    Json(Value),
    /// The texts of each name.
    Form(Value),
    Text(String),
}

/// The texts that placeholders match.
#[derive(Default)]
pub(super) struct Bindings {
    texts: HashMap<String, String>,
    placeholders: HashMap<String, String>,
    /// The texts in the order in which they were found.
    found: Vec<String>,
}

impl Bindings {
    /// Returns whether a recorded text may be this one, and remembers the text of a placeholder.
    fn matches(&mut self, recorded: &str, text: &str) -> bool {
        if recorded == text {
            return true;
        }
        if !is_placeholder(recorded) || text.is_empty() {
            return false;
        }
        match (self.texts.get(recorded), self.placeholders.get(text)) {
            (None, None) => {
                self.texts.insert(recorded.to_owned(), text.to_owned());
                self.placeholders.insert(text.to_owned(), recorded.to_owned());
                self.found.push(text.to_owned());
                true
            }
            (Some(known), _) => known == text,
            (None, Some(_)) => false,
        }
    }

    /// Makes a comparison, whose texts are only remembered if it holds.
    pub(super) fn attempt(&mut self, compare: impl FnOnce(&mut Self) -> bool) -> bool {
        let before = self.found.len();
        let holds = compare(self);
        if !holds {
            let found = self.found.drain(before..);
            for recorded in found.filter_map(|text| self.placeholders.remove(&text)) {
                self.texts.remove(&recorded);
            }
        }
        holds
    }
}

impl ExpectedRequest {
    /// Returns the parts of a request, or `None` if a recorder does not write such a request.
    pub(super) fn new(template: &str, url: &Uri, request: &Value) -> Option<Self> {
        let data = &request["postData"];
        let kind = data["mimeType"].as_str().unwrap_or_default();
        let body = match data["text"].as_str() {
            None if data.is_null() => RecordedBody::Text(String::new()),
            None => RecordedBody::Any,
            Some(text) if charset::is_form(kind) => RecordedBody::Form(by_name(pairs(text))),
            Some(text) => match serde_json::from_str(text) {
                Ok(json) => RecordedBody::Json(json),
                Err(_) => RecordedBody::Text(text.to_owned()),
            },
        };
        Some(Self {
            method: request["method"].as_str()?.to_owned(),
            path: path(template, url.path()),
            query: by_name(pairs(url.query().unwrap_or_default())),
            body,
        })
    }

    /// Returns the differences of a request, without its values.
    pub(super) fn differences(
        &self,
        request: &RecordedRequest,
        bindings: &mut Bindings,
    ) -> Vec<String> {
        let mut found = Vec::new();
        if self.method != request.operation.method {
            found.push(format!("the method is not {}", self.method));
        }
        let mut compare = |what, recorded: &Value, sent: &Value| {
            Comparison { what, bindings: &mut *bindings, found: &mut found }
                .values("", recorded, sent);
        };
        compare("path", &self.path, &path(request.operation.path, &request.sent_path));
        compare("query", &self.query, &by_name(request.query.iter().cloned()));
        match &self.body {
            RecordedBody::Any => {}
            RecordedBody::Text(text) => {
                let sent = String::from_utf8_lossy(&request.content);
                if !bindings.matches(text, &sent) {
                    found.push("the body is another text".to_owned());
                }
            }
            RecordedBody::Form(recorded) => {
                compare("form", recorded, &by_name(request.form.iter().cloned()));
            }
            RecordedBody::Json(recorded) => compare("body", recorded, &request.body),
        }
        found
    }
}

/// Returns the parameters of a path, or all its segments if it does not match the template.
fn path(template: &str, path: &str) -> Value {
    let literals = template.rsplit('/').zip(path.rsplit('/'));
    let mut literals =
        literals.filter(|(literal, _)| !literal.is_empty() && !literal.contains('{'));
    if literals.all(|(template, segment)| template == segment) {
        wire::map(path_parameters(template, path)).into()
    } else {
        path.split('/').skip(1).map(decoded).collect()
    }
}

fn by_name(pairs: impl Iterator<Item = (String, String)>) -> Value {
    let mut names = BTreeMap::<String, Vec<String>>::new();
    for (name, value) in pairs {
        names.entry(name).or_default().push(value);
    }
    wire::map(names).into()
}

/// A comparison of a part of two requests.
struct Comparison<'c> {
    what: &'static str,
    bindings: &'c mut Bindings,
    found: &'c mut Vec<String>,
}

impl Comparison<'_> {
    fn values(&mut self, place: &str, recorded: &Value, sent: &Value) {
        let is_equal = match (recorded, sent) {
            (Value::Object(recorded), Value::Object(sent)) => {
                return self.objects(place, recorded, sent);
            }
            (Value::Array(recorded), Value::Array(sent)) if recorded.len() == sent.len() => {
                for (index, (one, other)) in recorded.iter().zip(sent).enumerate() {
                    self.values(&format!("{place}/{index}"), one, other);
                }
                return;
            }
            (Value::String(text), Value::String(sent)) => self.bindings.matches(text, sent),
            // A number or a boolean that is a secret.
            (Value::String(text), Value::Number(_) | Value::Bool(_)) => {
                is_placeholder(text) && self.bindings.matches(text, &sent.to_string())
            }
            _ => recorded == sent,
        };
        if !is_equal {
            self.found.push(format!("`{place}` of the {} is not `{recorded}`", self.what));
        }
    }

    fn objects(&mut self, place: &str, recorded: &Map, sent: &Map) {
        let mut others: Vec<_> =
            sent.iter().filter(|(name, _)| !recorded.contains_key(*name)).collect();
        for (name, value) in recorded {
            let place = format!("{place}/{name}");
            if let Some(sent) = sent.get(name) {
                self.values(&place, value, sent);
                continue;
            }
            // A name that is data.
            let mut candidates = others.iter().filter(|_| is_placeholder(name));
            let match_of = candidates.position(|(other, sent)| {
                self.bindings.attempt(|bindings| {
                    let mut found = Vec::new();
                    Comparison { what: self.what, bindings, found: &mut found }
                        .values("", value, sent);
                    found.is_empty() && bindings.matches(name, other)
                })
            });
            match match_of {
                Some(index) => drop(others.remove(index)),
                None => self.found.push(format!("`{place}` of the {} is missing", self.what)),
            }
        }
        for (name, _) in others {
            let what = self.what;
            self.found.push(format!("`{place}/{name}` of the {what} was not recorded"));
        }
    }
}
