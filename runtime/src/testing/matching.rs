//! Comparison of requests with recorded ones.

use std::collections::{BTreeMap, HashMap};

use http::Uri;

use super::recorded::{RecordedRequest, path_parameters};
use crate::secrets::PLACEHOLDER;
use crate::url::query::{decoded, pairs};
use crate::wire::charset;
use crate::wire::{Map, Value};

/// The parts of a recorded request that are compared.
pub(super) struct ExpectedRequest {
    method: String,
    /// The parameters by name, or all segments of a path that does not match the template.
    path: Result<BTreeMap<String, String>, Vec<String>>,
    query: Vec<(String, String)>,
    body: RecordedBody,
}

enum RecordedBody {
    /// A body that is not recorded: any.
    Any,
    Json(Value),
    Form(Vec<(String, String)>),
    Text(String),
}

/// The texts that placeholders match.
#[derive(Clone, Default)]
pub(super) struct Bindings {
    texts: HashMap<String, String>,
    placeholders: HashMap<String, String>,
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
                true
            }
            (Some(known), _) => known == text,
            (None, Some(_)) => false,
        }
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
            Some(text) if charset::is_form(kind) => RecordedBody::Form(pairs(text).collect()),
            Some(text) => match serde_json::from_str(text) {
                Ok(json) => RecordedBody::Json(json),
                Err(_) => RecordedBody::Text(text.to_owned()),
            },
        };
        Some(Self {
            method: request["method"].as_str()?.to_owned(),
            path: path(template, url.path()),
            query: pairs(url.query().unwrap_or_default()).collect(),
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
        match (&self.path, path(request.operation.path, &request.sent_path)) {
            (Ok(recorded), Ok(sent)) => {
                for (name, text) in recorded {
                    if !sent.get(name).is_some_and(|sent| bindings.matches(text, sent)) {
                        found.push(format!("the path parameter `{name}` is not `{text}`"));
                    }
                }
            }
            (Err(recorded), Err(sent))
                if recorded.len() == sent.len()
                    && recorded
                        .iter()
                        .zip(&sent)
                        .all(|(one, other)| bindings.matches(one, other)) => {}
            _ => found.push("the path is another".to_owned()),
        }
        compare_pairs("query", &self.query, &request.query, bindings, &mut found);
        match &self.body {
            RecordedBody::Any => {}
            RecordedBody::Text(text) => {
                let sent = String::from_utf8_lossy(&request.content);
                if !bindings.matches(text, &sent) {
                    found.push("the body is another text".to_owned());
                }
            }
            RecordedBody::Form(recorded) => {
                compare_pairs("form", recorded, &request.form, bindings, &mut found);
            }
            RecordedBody::Json(recorded) => {
                compare_json("", recorded, &request.body, bindings, &mut found);
            }
        }
        found
    }
}

/// Returns the parameters of a path, or all its segments if it does not match the template.
fn path(template: &str, path: &str) -> Result<BTreeMap<String, String>, Vec<String>> {
    let segments = path.split('/').skip(1).map(decoded);
    let literals = template.rsplit('/').zip(path.rsplit('/'));
    let is_literal = |template: &str| !template.is_empty() && !template.contains('{');
    let mut literals = literals.filter(|(template, _)| is_literal(template));
    if literals.all(|(template, segment)| template == segment) {
        Ok(path_parameters(template, path))
    } else {
        Err(segments.collect())
    }
}

fn compare_pairs(
    place: &str,
    recorded: &[(String, String)],
    sent: &[(String, String)],
    bindings: &mut Bindings,
    found: &mut Vec<String>,
) {
    let by_name = |pairs: &[(String, String)]| {
        let mut names = BTreeMap::<String, Vec<String>>::new();
        for (name, value) in pairs {
            names.entry(name.clone()).or_default().push(value.clone());
        }
        names
    };
    let mut sent = by_name(sent);
    let recorded = by_name(recorded);
    for (name, texts) in &recorded {
        let mut candidates = sent.iter().filter(|(other, others)| {
            let is_other = is_placeholder(name) && !recorded.contains_key(*other);
            (name == *other || is_other) && others.len() == texts.len()
        });
        let match_of = candidates.find_map(|(other, others)| {
            let mut tried = bindings.clone();
            let mut pairs = texts.iter().zip(others);
            let is_match =
                tried.matches(name, other) && pairs.all(|(text, other)| tried.matches(text, other));
            is_match.then(|| (other.clone(), tried))
        });
        if let Some((other, tried)) = match_of {
            sent.remove(&other);
            *bindings = tried;
        } else {
            sent.remove(name);
            found.push(format!("`{name}` of the {place} is not `{}`", texts.join("`, `")));
        }
    }
    found.extend(sent.keys().map(|name| format!("`{name}` of the {place} was not recorded")));
}

fn compare_json(
    place: &str,
    recorded: &Value,
    sent: &Value,
    bindings: &mut Bindings,
    found: &mut Vec<String>,
) {
    let is_equal = match (recorded, sent) {
        (Value::Object(recorded), Value::Object(sent)) => {
            return compare_objects(place, recorded, sent, bindings, found);
        }
        (Value::Array(recorded), Value::Array(sent)) if recorded.len() == sent.len() => {
            for (index, (one, other)) in recorded.iter().zip(sent).enumerate() {
                compare_json(&format!("{place}/{index}"), one, other, bindings, found);
            }
            return;
        }
        (Value::String(text), Value::String(sent)) => bindings.matches(text, sent),
        // A number or a boolean that is a secret.
        (Value::String(text), Value::Number(_) | Value::Bool(_)) => {
            is_placeholder(text) && bindings.matches(text, &sent.to_string())
        }
        _ => recorded == sent,
    };
    if !is_equal {
        found.push(format!("`{place}` of the body is not `{recorded}`"));
    }
}

fn compare_objects(
    place: &str,
    recorded: &Map,
    sent: &Map,
    bindings: &mut Bindings,
    found: &mut Vec<String>,
) {
    let mut others: Vec<_> =
        sent.iter().filter(|(name, _)| !recorded.contains_key(*name)).collect();
    for (name, value) in recorded {
        let place = format!("{place}/{name}");
        if let Some(sent) = sent.get(name) {
            compare_json(&place, value, sent, bindings, found);
            continue;
        }
        // A name in a dictionary.
        let match_of = others.iter().position(|(other, sent)| {
            let mut tried = bindings.clone();
            let mut differences = Vec::new();
            compare_json("", value, sent, &mut tried, &mut differences);
            let is_match = differences.is_empty() && tried.matches(name, other);
            if is_match {
                *bindings = tried;
            }
            is_match
        });
        match match_of {
            Some(index) => drop(others.remove(index)),
            None => found.push(format!("`{place}` of the body is missing")),
        }
    }
    for (name, _) in others {
        found.push(format!("`{place}/{name}` of the body was not recorded"));
    }
}

/// Returns whether a recorder wrote this in place of a text.
fn is_placeholder(text: &str) -> bool {
    text.strip_prefix(PLACEHOLDER).is_some_and(|digits| {
        digits.len() == 16 && digits.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
    })
}
