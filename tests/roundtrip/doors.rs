//! The parameters of requests and the headers of replies: the texts of valid values, and a text of one changed.

#[cfg(test)]
use codegen::Source;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use secret_names::is_secret;
use serde_json::{Value, json};

use crate::coverage::Coverage;
use crate::document::{Document, Place, resolved};
use crate::formats::{UNFORMATTED, is_checked_format, set_formats};
use crate::instance::instance;
#[cfg(test)]
use crate::overlays::findings;
use crate::shape::{Id, Shape, Shapes};
use tests::Tape;

/// The headers that OpenAPI ignores as parameters.
const IGNORED: [&str; 3] = ["accept", "authorization", "content-type"];

/// A change, the places where it may be found, and a part of the message.
pub type Expected = (&'static str, Vec<String>, String);

/// A parameter of an operation, or a header of a reply.
#[derive(Clone)]
pub struct Door<'d> {
    /// `reply` for the headers of replies.
    location: &'d str,
    name: &'d str,
    pointer: String,
    pub schema: Option<Place>,
    is_required: bool,
    /// The separator of lists that are one text.
    separator: Option<String>,
    /// What the style writes before a text.
    sign: String,
    is_json: bool,
    /// Whether its values are compared.
    is_compared: bool,
}

/// The texts of a door: none if it is not sent, and several for an exploded list.
pub type Texts = Vec<String>;

impl<'d> Door<'d> {
    /// Returns the doors of an operation, and of one of its replies.
    pub fn all(
        document: &'d Document<'d>,
        (item, operation, response): (&'d Value, &'d Value, &'d Value),
    ) -> Vec<Self> {
        let own = [&item["parameters"], &operation["parameters"]];
        let own = own.into_iter().filter_map(Value::as_array).flatten();
        let own = own.map(|parameter| resolved(document, parameter));
        let own =
            own.filter_map(|it| Self::of(document, it["in"].as_str()?, it["name"].as_str()?, it));
        // The crate has one type for a header of all replies.
        let others = || operation["responses"].as_object().into_iter().flatten();
        let is_same = |name: &str, header: &Value| {
            others().all(|(_, other)| {
                let mut all =
                    resolved(document, other)["headers"].as_object().into_iter().flatten();
                all.all(|(it, other)| {
                    !it.eq_ignore_ascii_case(name)
                        || resolved(document, other)["schema"] == header["schema"]
                })
            })
        };
        let headers = response["headers"].as_object().into_iter().flatten();
        let headers = headers.filter_map(|(name, header)| {
            let header = resolved(document, header);
            let door = Self::of(document, "reply", name, header)?;
            Some(Self { is_compared: door.is_compared && is_same(name, header), ..door })
        });
        own.chain(headers).collect()
    }

    fn of(
        document: &'d Document<'d>,
        location: &'d str,
        name: &'d str,
        described: &'d Value,
    ) -> Option<Self> {
        let style = described["style"].as_str().unwrap_or_default();
        let explode = described["explode"].as_bool();
        let matrix = format!(";{name}=");
        let separator = match (location, style) {
            ("query", "spaceDelimited") => Some(" ").filter(|_| explode != Some(true)),
            ("query", "pipeDelimited") => Some("|").filter(|_| explode != Some(true)),
            ("query", "" | "form") => Some(",").filter(|_| explode == Some(false)),
            ("path", "label") if explode == Some(true) => Some("."),
            ("path", "matrix") if explode == Some(true) => Some(matrix.as_str()),
            ("path", "label" | "matrix") | ("path" | "header" | "reply", "" | "simple") => {
                Some(",")
            }
            _ => return None,
        };
        let separator = separator.map(str::to_owned);
        let sign = match style {
            "label" => ".".to_owned(),
            "matrix" => matrix,
            _ => String::new(),
        };
        let content = described["content"].as_object().and_then(|all| all.iter().next());
        let json = content.filter(|(name, _)| name.contains("json"));
        let schema = json.map_or(described, |(_, media)| media).get("schema");
        let root = document.value(document.at("")?);
        let schemes = root["components"]["securitySchemes"].as_object();
        let mut schemes = schemes.into_iter().flatten().map(|(_, it)| resolved(document, it));
        let is_credential =
            schemes.any(|it| it["name"].as_str().is_some_and(|it| it.eq_ignore_ascii_case(name)));
        let is_secret = is_secret(name)
            || schema.is_some_and(|it| resolved(document, it)["format"] == "password");
        let is_ignored = IGNORED.iter().any(|ignored| name.eq_ignore_ascii_case(ignored));
        Some(Self {
            location,
            name,
            pointer: document.pointer(document.place(described)).to_owned(),
            schema: schema.map(|schema| document.place(schema)),
            is_required: described["required"] == true && location != "path",
            separator,
            sign,
            is_json: json.is_some(),
            is_compared: !is_secret && !is_credential && !is_ignored && json.is_none(),
        })
    }

    /// Returns whether it is a header of replies.
    pub fn is_of_reply(&self) -> bool {
        self.location == "reply"
    }

    /// Returns the texts of a valid value.
    pub fn texts(&self, shapes: &Shapes<'_>, tape: &mut Tape<'_>) -> Texts {
        let id = self.schema.and_then(|place| shapes.at(place));
        let made = id.and_then(|id| instance(shapes, (0, id), &[], tape, &mut Coverage::default()));
        let Some((mut value, notes)) = made else { return Vec::new() };
        set_formats(shapes, &notes, &mut value);
        if self.is_json {
            return if self.is_of_reply() { Vec::new() } else { vec![value.to_string()] };
        }
        let elements = match &value {
            Value::Array(elements) => elements.as_slice(),
            value => std::slice::from_ref(value),
        };
        let texts: Option<Vec<String>> = elements.iter().map(text).collect();
        match (texts.unwrap_or_default(), &self.separator) {
            (texts, Some(separator)) if value.is_array() && !texts.is_empty() => {
                vec![texts.join(separator)]
            }
            // A path has a text in any case.
            (texts, _) if texts.is_empty() && self.location == "path" => vec!["1".to_owned()],
            (texts, _) => texts,
        }
    }

    /// Changes the texts in one way; returns what may be found.
    pub fn change(
        &self,
        shapes: &Shapes<'_>,
        texts: &mut Texts,
        number: usize,
    ) -> Option<Expected> {
        let id = self.schema.and_then(|place| shapes.at(place)).filter(|_| self.is_compared)?;
        let is_scalar = |id: Id| {
            matches!(
                shapes.shape(id),
                Shape::Scalar("string" | "integer" | "number" | "boolean", _)
            )
        };
        if number == 0 && self.is_required && is_scalar(id) {
            texts.clear();
            let code =
                if self.location == "reply" { "missing-header" } else { "missing-parameter" };
            return Some((code, vec![self.pointer.clone()], format!("`{}`", self.name)));
        }
        let id = match shapes.shape(id) {
            Shape::Array(first, Some(items)) if first.is_empty() => *items,
            _ => id,
        };
        let (text, code, part) = match shapes.shape(id) {
            Shape::Scalar("integer" | "number" | "boolean", _) => {
                (UNFORMATTED.to_owned(), "other-kind", "`string`".to_owned())
            }
            Shape::Scalar("string", Some(format)) if is_checked_format(format) => {
                (UNFORMATTED.to_owned(), "format", format!("`{format}`"))
            }
            // Headers have no enums in the crate.
            Shape::Values(values) if self.location != "reply" => {
                values.iter().all(|(_, value)| value.is_string()).then_some(())?;
                let text = format!("x_drift_{number}");
                (text.clone(), "unknown-value", text)
            }
            _ => return None,
        };
        *texts = vec![text];
        Some((code, shapes.places(id), part))
    }
}

/// Returns the text of a scalar.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        // In JSON, 1.0 is an integer.
        Value::Number(number) if number.is_f64() && number.as_f64()?.fract() == 0.0 => None,
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        _ => None,
    }
}

/// Writes the texts of doors into an entry.
pub fn send(doors: &[Door<'_>], texts: &[Texts], entry: &mut Value) {
    let mut url = entry["request"]["url"].as_str().unwrap_or_default().to_owned();
    let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let mut sent = [vec![json!({ "name": "host", "value": "localhost" })], Vec::new()];
    for (door, texts) in doors.iter().zip(texts) {
        for text in texts {
            match door.location {
                // A step has a text.
                "path" if text.is_empty() => {}
                "path" => {
                    let text = format!("{}{text}", door.sign);
                    url = url.replace(&format!("{{{}}}", door.name), &encoded(&text));
                }
                "query" => {
                    let mark = if url.contains('?') { '&' } else { '?' };
                    url = format!("{url}{mark}{}={}", encoded(door.name), encoded(text));
                }
                location => sent[usize::from(location == "reply")]
                    .push(json!({ "name": door.name, "value": text })),
            }
        }
    }
    // The variables without a text are their names.
    entry["request"]["url"] = url.replace(['{', '}'], "").into();
    let [own, reply] = sent;
    entry["request"]["headers"] = own.into();
    if let Some(headers) = entry["response"]["headers"].as_array_mut() {
        headers.extend(reply);
    }
}

#[test]
fn headers_differ_if_and_only_if_the_crate_does_not_read_them() {
    use access_governance::runtime::{FromHeader, Timestamp};
    fn reads<H: FromHeader>(lines: &[&str]) -> bool {
        H::from_lines(&mut lines.iter().copied(), true).is_some()
    }
    type Reads = fn(&[&str]) -> bool;
    let list = |items: Value| json!({ "type": "array", "items": items });
    let integer = json!({ "type": "integer" });
    let text = json!({ "type": "string" });
    let types: [(Value, Reads); 9] = [
        (integer.clone(), reads::<i64>),
        (json!({ "type": "integer", "format": "int32" }), reads::<i32>),
        (json!({ "type": "integer", "minimum": 0, "format": "uint64" }), reads::<u64>),
        (json!({ "type": "number" }), reads::<f64>),
        (json!({ "type": "boolean" }), reads::<bool>),
        (json!({ "type": "string", "format": "date-time" }), reads::<Timestamp>),
        (text.clone(), reads::<String>),
        (list(integer), reads::<Vec<i64>>),
        (list(text), reads::<Vec<String>>),
    ];
    let mut counts = [0; 2];
    for (schema, reads) in types {
        for lines in [
            &["1"][..],
            &["+1"],
            &["007"],
            &["1.0"],
            &["1.5"],
            &["1e3"],
            &[".5"],
            &["-5"],
            &["--5"],
            &["3000000000"],
            &["9007199254740993"],
            &["99999999999999999999"],
            &["nan"],
            &["inf"],
            &["true"],
            &["TRUE"],
            &["1, 2"],
            &["1,,2"],
            &["1, x"],
            &["1", "2"],
            &["1", "x"],
            &["x", "1"],
            &["2024-01-02T03:04:05Z"],
            &["2024-01-02 03:04:05Z"],
            &["2024-01-02T03:04:05"],
            &["2016-12-31T23:59:60Z"],
            &["Sun, 06 Nov 1994 08:49:37 GMT"],
            &["Sunday, 06-Nov-94 08:49:37 GMT"],
            &["Sun Nov  6 08:49:37 1994"],
            &["yesterday"],
        ] {
            let document = json!({
                "openapi": "3.1.0",
                "info": { "title": "Headers", "version": "1" },
                "paths": { "/": { "get": { "responses": { "200": {
                    "description": "", "headers": { "X-Value": { "schema": schema } },
                }}}}},
            });
            let lines_sent = lines.iter().map(|line| json!({ "name": "x-value", "value": line }));
            let entry = json!({
                "request": { "method": "GET", "url": "/" },
                "response": { "status": 200, "headers": lines_sent.collect::<Vec<_>>() },
            });
            let source = Source { name: "openapi.json".to_owned(), text: document.to_string() };
            let found = findings(&(&source).into(), &[entry.to_string()]).unwrap().all;
            assert_eq!(found.is_empty(), reads(lines), "{schema} {lines:?}: {found:?}");
            counts[usize::from(found.is_empty())] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
}
