//! The media types of a request body, each of which is a request of its own.

use crate::document::View;
use crate::facts::{Known, Values};
use crate::ir::{JsonKind, Media, Type};
use crate::media_type::{MediaKind, essence, parameters, without_parameters};
use crate::names;

/// A media type of a request body.
#[derive(Clone, Debug)]
pub struct MediaType<'d> {
    pub kind: MediaKind,
    pub name: String,
    /// The Media Type Object.
    pub view: View<'d>,
}

/// Returns the media types of a request body, the default first: JSON, unless it requires a file, or else the type of the
/// most common kind. A type that only repeats the schema of the same type, or of JSON under its other name, is left out.
pub fn media_types<'d>(body: &View<'d>, known: &Known<'d>) -> Vec<MediaType<'d>> {
    let all = body.content().map(|(name, view)| MediaType::new(name, view, known));
    let mut all: Vec<_> = all.collect();
    all.sort_by_cached_key(|media| media.rank(known));
    all.into_iter().fold(Vec::new(), |mut distinct: Vec<MediaType<'d>>, media| {
        if !distinct.iter().any(|other| media.repeats(other)) {
            distinct.push(media);
        }
        distinct
    })
}

impl<'d> MediaType<'d> {
    fn new(name: &str, view: View<'d>, known: &Known<'d>) -> Self {
        let essence = essence(name);
        let is_range = essence.contains('*');
        let kind = kind(name, &view, known);
        let name = match kind {
            MediaKind::Json if is_range => Media::JSON.to_owned(),
            // UTF-8 is the charset of JSON.
            MediaKind::Json if parameters(name).eq_ignore_ascii_case("charset=utf-8") => essence,
            MediaKind::Json if parameters(name).is_empty() => essence,
            MediaKind::Multipart if is_range => "multipart/form-data".to_owned(),
            MediaKind::Form => "application/x-www-form-urlencoded".to_owned(),
            MediaKind::Text if is_range => "text/plain".to_owned(),
            MediaKind::Other if essence == "*/*" || essence == "application/*" => {
                "application/octet-stream".to_owned()
            }
            _ => name.trim().to_owned(),
        };
        Self { kind, name, view }
    }

    fn repeats(&self, other: &Self) -> bool {
        let is_json = |name| matches!(essence(name).as_str(), Media::JSON | "text/json");
        let is_alike = self.name == other.name || is_json(&self.name) && is_json(&other.name);
        is_alike && self.view.get("schema") == other.view.get("schema")
    }

    fn rank(&self, known: &Known<'d>) -> (bool, MediaKind, bool, String) {
        let files = self.view.schema().filter(|_| self.kind == MediaKind::Json);
        let has_files = files.is_some_and(|schema| {
            let facts = known.facts(&schema);
            facts.required.iter().any(|name| {
                facts.properties.get(name).is_some_and(|property| property.values.is_binary())
            })
        });
        (has_files, self.kind, self.name != Media::JSON, self.name.clone())
    }

    /// Returns the word for a media type in the names of methods, and a longer one.
    pub fn labels(name: &str) -> [String; 2] {
        let essence = without_parameters(name);
        let (range, subtype) = essence.split_once('/').unwrap_or_default();
        // JSON is what is expected (RFC 6839, section 3.1).
        let subtype = subtype.strip_suffix("+json").unwrap_or(subtype);
        let short = match (MediaKind::of(name), essence) {
            (MediaKind::Multipart, _) => "multipart",
            (MediaKind::Form, _) => "form",
            (MediaKind::Text, _) => "text",
            (_, "application/octet-stream") => "bytes",
            _ if subtype == "*" => range,
            _ => subtype.strip_prefix("x-").unwrap_or(subtype),
        };
        [short, name].map(names::snake)
    }
}

/// The form of a reply, in the order in which one of several is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReplyKind {
    Json,
    Text,
    Bytes,
    Events,
    Lines,
}

/// The media types of lines and sequences of JSON, after `application/`.
const LINES: [&str; 6] = ["json-seq", "jsonl", "jsonlines", "ndjson", "x-jsonlines", "x-ndjson"];

/// Returns whether a media type is a type of lines or sequences of JSON.
pub fn is_lines(name: &str) -> bool {
    essence(name).strip_prefix("application/").is_some_and(|subtype| LINES.contains(&subtype))
}

pub fn reply_kind<'d>(name: &str, media: &View<'d>, known: &Known<'d>) -> ReplyKind {
    let essence = essence(name);
    match kind(name, media, known) {
        _ if essence == "text/event-stream" => ReplyKind::Events,
        _ if is_lines(name) => ReplyKind::Lines,
        MediaKind::Json if essence == "*/*" => reply_kind_of_any(media, known),
        MediaKind::Json => ReplyKind::Json,
        MediaKind::Text | MediaKind::Xml | MediaKind::Form => ReplyKind::Text,
        MediaKind::Other if essence.starts_with("text/") && !is_binary(media, known) => {
            ReplyKind::Text
        }
        MediaKind::Multipart | MediaKind::Other => ReplyKind::Bytes,
    }
}

/// Returns the form of a reply of any media type: without a description, it is bytes. A string is a text, and an encoded
/// one is bytes, which Spring sends as they are.
fn reply_kind_of_any<'d>(media: &View<'d>, known: &Known<'d>) -> ReplyKind {
    let Some(schema) = media.schema() else { return ReplyKind::Bytes };
    let values = known.values(&schema);
    let is_string = values.simple() == Some(Type::String);
    match schema.text("format") {
        _ if values.is_same(&Values::ANY) => ReplyKind::Bytes,
        _ if !is_string || values.is_secret || values.is_nullable() => ReplyKind::Json,
        Some("byte") => ReplyKind::Bytes,
        _ => ReplyKind::Text,
    }
}

/// Returns what orders the media types of a reply, the decoded one first: its kind, and plain JSON before other JSON.
pub fn preference(kind: ReplyKind, name: &str) -> (ReplyKind, bool) {
    (kind, kind == ReplyKind::Json && essence(name) != Media::JSON)
}

/// Returns whether values are lists or objects: the crate encodes them only in JSON and in forms.
pub fn is_encoded<'d>(media: &View<'d>, known: &Known<'d>) -> bool {
    let kind = || known.values(&media.schema()?).only_kind();
    matches!(kind(), Some(JsonKind::Object | JsonKind::Array))
}

/// Returns the kind of the content of a body, which is neither JSON nor text if its schema describes bytes.
fn kind<'d>(name: &str, media: &View<'d>, known: &Known<'d>) -> MediaKind {
    match MediaKind::of(name) {
        MediaKind::Json | MediaKind::Text | MediaKind::Xml if is_binary(media, known) => {
            MediaKind::Other
        }
        kind => kind,
    }
}

fn is_binary<'d>(media: &View<'d>, known: &Known<'d>) -> bool {
    media.schema().is_some_and(|schema| known.values(&schema).is_binary())
}
