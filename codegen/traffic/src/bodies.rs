//! Bodies in JSON, and the items of streams.

use codegen::document::Pointer;
use codegen::ir::StreamReply;
use wire_rules::framing::Parser;

use super::operations::Media;
use super::seen::Moment;
use super::table::{Fault, Id, Table};
use super::value::{Value, is_placeholder};

const NOT_JSON: Fault = ("not-json", "is not JSON, although its media type is");

pub const MISSING_BODY: Fault = ("missing-body", "is missing");

const INEXACT: Fault =
    ("format", "has a number beyond 64-bit floats, or a surrogate without its pair");

impl<'d> Table<'d> {
    /// Checks JSON of a message (`at`). Recorders replace a text, and keep JSON: a placeholder is not JSON either.
    pub fn json(&mut self, place: Id, text: &str, at: &Pointer, moment: Moment) {
        match Value::parse(text) {
            Ok((value, is_nearest)) => {
                self.walk(place, &value, moment);
                if is_nearest {
                    self.fault(INEXACT, at, &Value::Null, moment);
                }
            }
            Err(_) => self.fault(NOT_JSON, at, &Value::Text(text.into()), moment),
        }
    }

    /// Checks the items of a stream.
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
                Some(place) => self.json(place, &data, at, moment),
                None => {
                    let part = self.part(&media.pointer);
                    self.add_variant(part, event, &Value::Null, moment);
                }
            }
        }
    }
}
