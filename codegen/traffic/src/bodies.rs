//! Bodies in JSON, and the items of streams.

use std::cell::OnceCell;

use codegen::document::Pointer;
use codegen::ir::StreamReply;
use codegen::media_type::{MediaKind, essence};
use wire_rules::framing::Parser;

use super::formats::base64;
use super::operations::Media;
use super::seen::Moment;
use super::table::{Fault, Id, Table};
use super::texts::{Texts, pairs};
use super::value::{Parsed, Value, is_placeholder};

const NOT_JSON: Fault = ("not-json", "is not JSON, although its media type is");

pub const MISSING_BODY: Fault = ("missing-body", "is missing");

const INEXACT: Fault =
    ("format", "has a number beyond 64-bit floats, or a surrogate without its pair");

/// The body of a message of an entry.
pub struct Content<'t> {
    pub media_type: String,
    pub written: &'t str,
    /// What is written in base64: most is files, which nothing reads.
    decoded: Option<OnceCell<String>>,
    pub has_size: bool,
    /// Whether it is known to be empty.
    pub is_empty: bool,
}

/// What a body is read as, once for its secrets and its comparison.
pub enum Read<'t> {
    Json(Parsed<'t>),
    Form(Texts<'t>),
    Other,
}

impl<'t> Content<'t> {
    /// Returns the `postData` or the `content` of a message.
    pub fn of(message: &'t Value<'_>, key: &str) -> Self {
        let content = message.get(key).unwrap_or(&Value::Null);
        let is_encoded = content.text(&["encoding"]) == Some("base64");
        // Other sizes are not known, or those of bodies that are not recorded.
        let sizes = [message.get("bodySize"), content.get("size")];
        Self {
            media_type: essence(content.text(&["mimeType"]).unwrap_or_default()),
            written: content.text(&["text"]).unwrap_or_default(),
            decoded: is_encoded.then(OnceCell::new),
            has_size: sizes.iter().any(|size| matches!(size, Some(Value::Integer(1..)))),
            is_empty: content.get("comment").is_none() && sizes.contains(&Some(&Value::Integer(0))),
        }
    }

    pub fn text(&self) -> &str {
        let Some(text) = &self.decoded else { return self.written };
        text.get_or_init(|| {
            let bytes = base64(self.written).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        })
    }

    pub fn read(&self) -> Read<'_> {
        match MediaKind::of(&self.media_type) {
            MediaKind::Json => {
                let text = self.text();
                Read::Json(Value::parse(text.strip_prefix('\u{feff}').unwrap_or(text)))
            }
            MediaKind::Form => Read::Form(pairs(self.text())),
            _ => Read::Other,
        }
    }
}

impl<'d> Table<'d> {
    /// Checks JSON of a message (`at`). Recorders replace a text, and keep JSON: a placeholder is not JSON either.
    pub fn json(&mut self, place: Id, json: Parsed<'_>, text: &str, at: &Pointer, moment: Moment) {
        match json {
            Ok((value, is_nearest)) => {
                self.walk(place, &value, moment);
                if is_nearest {
                    self.fault(INEXACT, at, &Value::Null, moment);
                }
            }
            Err(_) => self.fault(NOT_JSON, at, &Value::Text(text.into()), moment),
        }
    }

    pub fn items(&mut self, media: &Media<'d>, text: &str, at: &Pointer, mut moment: Moment) {
        let mut parser = Parser::new(media.is_events, usize::MAX);
        let mut rest = text.as_bytes();
        let mut next = || {
            parser.next(&mut rest).or_else(|| {
                rest = parser.end();
                parser.next(&mut rest)
            })
        };
        while let Some(item) = next()
            && item.data != StreamReply::SENTINEL.as_bytes()
        {
            moment.origin.item += 1;
            let event = item.event.as_deref().unwrap_or("message");
            let data = String::from_utf8_lossy(&item.data);
            match media.item(event) {
                // A heartbeat has no data.
                _ if data.trim_ascii().is_empty() || is_placeholder(&data) => {}
                Some(Id::MAX) if media.is_events => {}
                // What follows a number could be more of it.
                Some(_) if item.may_be_cut => {
                    self.fault(NOT_JSON, at, &Value::Text(data), moment);
                }
                Some(place) => self.json(place, Value::parse(&data), &data, at, moment),
                None => {
                    let part = self.part(&media.pointer);
                    self.add_variant(part, event, &Value::Null, moment);
                }
            }
        }
    }
}
