//! The replies that a document declares, as written.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::compare::at;
use crate::coverage::Coverage;
use crate::document::{Document, Place, resolved};
use crate::formats::set_formats;
use crate::instance::instance;
use crate::shape::{Id, Shapes};
use tests::Tape;

/// The body of a text, and of bytes.
const CONTENT: &str = "one\ntwo";

/// The statuses of ranges and of the default. 298 is that of a reply that nobody declares.
const STATUSES: [u16; 5] = [297, 397, 497, 597, 598];

/// A declared reply.
pub struct Reply<'d> {
    pub status: u16,
    pub media_type: &'d str,
    /// The Media Type Object.
    pub media: Option<&'d Value>,
    /// The name of the event that is sent, if its stream has data of several types.
    pub event: &'d str,
    /// The schema of the JSON in the body, or in the item of a stream.
    pub json: Option<&'d Value>,
    /// The headers with their values.
    pub headers: Vec<(&'d str, String)>,
}

/// Returns the declared replies of an operation: one for each status and media type. Counts those that are not sent.
pub fn replies<'d>(
    document: &Document<'d>,
    (operation, is_head): (&'d Value, bool),
    omitted: &mut BTreeMap<&'static str, usize>,
) -> Vec<Reply<'d>> {
    let mut found = Vec::new();
    for (key, response) in operation["responses"].as_object().into_iter().flatten() {
        let response = resolved(document, response);
        let headers = response["headers"].as_object().into_iter().flatten();
        let headers: Vec<_> = headers
            .filter_map(|(name, header)| {
                Some((name.as_str(), header_text(document, resolved(document, header))?))
            })
            .collect();
        if let Some(status) = status(key, &operation["responses"]) {
            if status < 200 {
                *omitted.entry("not the final status").or_default() += 1;
                continue;
            }
            // Without a body, whatever is declared.
            let is_empty = is_head || matches!(status, 204 | 205 | 300..400);
            let content = response["content"].as_object().filter(|_| !is_empty);
            let content = content.into_iter().flatten();
            let mut media: Vec<(&str, Option<&Value>)> = content
                .map(|(name, media)| (name.as_str(), Some(resolved(document, media))))
                .collect();
            if media.is_empty() {
                media.push(("", None));
            }
            found.extend(media.into_iter().flat_map(|(media_type, media)| {
                let contents = contents(document, media_type, media);
                let reply = |(event, json)| Reply {
                    status,
                    media_type,
                    media,
                    event,
                    json,
                    headers: headers.clone(),
                };
                contents.into_iter().map(reply).collect::<Vec<_>>()
            }));
        }
    }
    found
}

/// Returns a status of a key of responses: one of a range, and one of the default, which is a success if no other key is one.
fn status(key: &str, responses: &Value) -> Option<u16> {
    let has = |name: &str| responses.get(name).is_some();
    let is_free = |status: &&u16| {
        let range = format!("{}XX", **status / 100);
        !has(&status.to_string()) && (key == range || !has(&range))
    };
    let free = STATUSES.iter().filter(is_free);
    if let Some(class) = key.strip_suffix("XX") {
        let mut of_range = free.filter(|status| status.to_string().starts_with(class));
        return of_range.next().copied();
    }
    if key != "default" {
        return key.parse().ok();
    }
    let is_success = is_success_default(responses);
    let mut of_default = free.filter(|status| (**status < 300) == is_success);
    of_default.find(|status| !(300..400).contains(*status)).copied()
}

/// Returns whether the default is a success: no status of 2xx or 3xx is declared.
pub fn is_success_default(responses: &Value) -> bool {
    let mut keys = responses.as_object().into_iter().flat_map(|all| all.keys());
    responses.get("default").is_some() && !keys.any(|key| key.starts_with(['2', '3']))
}

/// Returns the place of the schema of the JSON in a body or an item.
pub fn schema(document: &Document<'_>, reply: &Reply<'_>) -> Option<Place> {
    reply.json.filter(|schema| schema.is_object()).map(|schema| document.place(schema))
}

/// Returns the schemas of what a body or an item of a stream can contain. Each of several is of an event with a name.
fn contents<'d>(
    document: &Document<'d>,
    media_type: &str,
    media: Option<&'d Value>,
) -> Vec<(&'d str, Option<&'d Value>)> {
    let whole = media.and_then(|media| media.get("itemSchema").or_else(|| media.get("schema")));
    let Some((media, mut schema)) = media.zip(whole) else { return vec![("", None)] };
    let is_item = media.get("itemSchema").is_some();
    let list = resolved(document, schema);
    if is_stream(media_type) && list["type"] == "array" && !is_item {
        schema = list.get("items").unwrap_or(schema);
    }
    if essence(media_type) != "text/event-stream" {
        return vec![("", Some(schema))];
    }
    let mut events = Vec::new();
    add_events(document, schema, (vec!["message"], None), is_item, &mut events);
    if events.windows(2).all(|pair| pair[0].1 == pair[1].1) {
        events.truncate(1);
    }
    match events.as_slice() {
        [] => vec![("", json_of(document, schema))],
        [(_, data)] => vec![("", json_of(document, data))],
        _ => events.into_iter().map(|(name, data)| (name, json_of(document, data))).collect(),
    }
}

/// Adds the data of events by their names, within a schema that already describes some fields.
fn add_events<'d>(
    document: &Document<'d>,
    schema: &'d Value,
    (outer, data): (Vec<&'d str>, Option<&'d Value>),
    is_item: bool,
    events: &mut Vec<(&'d str, &'d Value)>,
) {
    let schema = resolved(document, schema);
    let data = schema.pointer("/properties/data").or(data);
    let name = &schema["properties"]["event"];
    let listed = name["enum"].as_array().into_iter().flatten().chain(name.get("const"));
    let listed: Vec<&str> = listed.filter_map(Value::as_str).collect();
    let names = if listed.is_empty() { outer } else { listed };
    if let Some(branches) = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array()) {
        for branch in branches {
            add_events(document, branch, (names.clone(), data), is_item, events);
        }
        return;
    }
    // Nothing follows these.
    let is_last = |data: &&Value| data["const"] == "[DONE]" || data["enum"][0] == "[DONE]";
    let data = data.filter(|data| (is_item || is_event(schema)) && !is_last(data));
    events.extend(
        names
            .into_iter()
            .zip(std::iter::repeat(data))
            .filter_map(|(name, data)| Some((name, data?))),
    );
}

/// Returns the schema of the JSON in the data of an event. Other data is a text.
fn json_of<'d>(document: &Document<'d>, data: &'d Value) -> Option<&'d Value> {
    let data = resolved(document, data);
    let is_text = data["type"] == "string" || data["const"].is_string();
    let content = data.get("contentSchema").map(|content| resolved(document, content));
    content.or_else(|| (!is_text).then_some(data))
}

/// Returns whether an object has the fields of an event, and no others.
fn is_event(event: &Value) -> bool {
    let mut names = event["properties"].as_object().into_iter().flat_map(|all| all.keys());
    let fields = &event["properties"];
    (fields.get("event").is_some() || fields.get("retry").is_some())
        && names.all(|name| ["data", "event", "id", "retry"].contains(&name.as_str()))
}

/// Returns a value of a header as it is sent; none if its schema says nothing about its form.
fn header_text(document: &Document<'_>, header: &Value) -> Option<String> {
    let schema = resolved(document, header.get("schema")?);
    let text = match (schema["type"].as_str(), schema["format"].as_str()) {
        (Some("integer" | "number"), _) => "7",
        (Some("boolean"), _) => "true",
        (Some("string"), Some("date-time")) => "2024-01-02T03:04:05Z",
        (Some("string"), _) => "text",
        (Some("array"), _) if schema["items"]["type"] == "string" => "a,b",
        _ => return None,
    };
    let listed = schema["enum"][0].as_str().or_else(|| schema["const"].as_str());
    Some(listed.unwrap_or(text).to_owned())
}

/// Returns whether one of several schemas that apply together excludes null.
fn is_null_excluded(shapes: &Shapes<'_>, id: Id) -> bool {
    let places = shapes.places(id);
    let mut schemas = places.iter().filter_map(|place| shapes.document.at(place));
    schemas.any(|place| {
        let schema = shapes.document.value(place);
        let is_null = |kind: &Value| kind == "null";
        match schema.get("type") {
            Some(Value::Array(kinds)) => !kinds.iter().any(is_null),
            Some(kind) => !is_null(kind) && schema["nullable"] != true,
            None => false,
        }
    })
}

/// Returns the essence of a media type in lower case.
fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_lowercase()
}

/// Returns whether a body is read as JSON.
pub fn is_json(media_type: &str) -> bool {
    let essence = essence(media_type);
    ["application/json", "text/json", "*/*", "application/*"].contains(&essence.as_str())
        || essence.ends_with("+json")
}

/// Returns whether a body is events or lines.
pub fn is_stream(media_type: &str) -> bool {
    let essence = essence(media_type);
    essence == "text/event-stream"
        || ["ndjson", "jsonl", "json-seq", "stream+json"].iter().any(|it| essence.contains(it))
}

/// Returns whether a body is read as a text.
pub fn is_text(media_type: &str) -> bool {
    let essence = essence(media_type);
    essence.starts_with("text/") || essence.ends_with("xml")
}

/// Makes the body of a reply; none if its schema has no instance, or none that can be compared.
pub fn body(shapes: &Shapes<'_>, reply: &Reply<'_>, tape: &mut Tape<'_>) -> Option<String> {
    let Some(media) = reply.media else { return Some(String::new()) };
    let is_stream = is_stream(reply.media_type);
    if !is_json(reply.media_type) && !is_stream {
        return Some(CONTENT.to_owned());
    }
    let value = match schema(shapes.document, reply) {
        None => json!({ "a": 1 }),
        Some(place) => {
            let id = shapes.at(place)?;
            let (mut value, notes) =
                instance(shapes, (0, id), &[], tape, &mut Coverage::default())?;
            if notes.is_contradictory || !notes.unmapped.is_empty() {
                return None;
            }
            set_formats(shapes, &notes, &mut value);
            let spots = notes.spots.iter().chain(&notes.unions);
            let mut nulls = spots.filter(|(path, _)| at(&value, path).is_some_and(Value::is_null));
            if nulls.any(|(_, id)| is_null_excluded(shapes, *id)) {
                return None;
            }
            let is_undescribed = |id: Id, object: &Value| {
                let mut names = object.as_object().into_iter().flat_map(|object| object.keys());
                names.any(|name| shapes.is_undescribed(id, name))
            };
            let mut objects =
                notes.spots.iter().filter_map(|(path, id)| Some((id, at(&value, path)?)));
            if objects.any(|(id, object)| is_undescribed(*id, object)) {
                return None;
            }
            value
        }
    };
    Some(match essence(reply.media_type).as_str() {
        "text/event-stream" => match value.as_str() {
            Some(text) => format!("data: {}\n\n", text.replace(['\r', '\n'], " ")),
            None if reply.event.is_empty() => format!("id: 1\ndata: {value}\n\n"),
            None => format!("event: {}\ndata: {value}\n\n", reply.event),
        },
        _ if is_stream => format!("{value}\n"),
        _ if media.get("itemSchema").is_some() => format!("[{value}]"),
        _ => value.to_string(),
    })
}
