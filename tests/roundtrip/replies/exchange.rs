//! Whether the caller gets what was sent.

use serde_json::Value;

use super::declared::{Reply, is_json, is_stream, is_text, schema};
use super::operation::Operation;
use crate::compare::{compare_maps, has_leap_second, has_rounded_integer};
use crate::document::Document;
use crate::samples::ANY;
use crate::shape::{Shape, Shapes};

/// The kind of a reply and the variant as which it is decoded, or what is wrong.
type Judged = Result<(&'static str, Option<String>), String>;

/// A reply of an operation, beside the others.
#[derive(Clone, Copy)]
pub struct Exchange<'e, 'd> {
    pub document: &'e Document<'d>,
    pub shapes: &'e Shapes<'d>,
    pub operation: &'e Operation<'d>,
    pub declared: &'e [Reply<'d>],
    pub reply: &'e Reply<'d>,
}

impl Exchange<'_, '_> {
    /// Describes a fault.
    pub fn fault(&self, why: &str, answer: &Value) -> String {
        let Reply { status, media_type, .. } = self.reply;
        format!("{} {status} {media_type}: {why}: {answer}", self.operation.path)
    }

    fn is_success(&self) -> bool {
        self.reply.status < 400
    }

    /// Returns the method that receives the reply; none if the crate has none for it.
    pub fn way(&self) -> Option<&str> {
        let Some(media) = self.reply.media.filter(|_| self.is_success()) else {
            return Some("send");
        };
        let place = self.document.pointer(self.document.place(media));
        let is_of = |of: &str| {
            of.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        if let Some((name, _)) = self.operation.ways.iter().find(|(_, of)| is_of(of)) {
            return Some(name);
        }
        let media_type = self.reply.media_type;
        let is_beside = is_json(media_type) || is_stream(media_type);
        (self.is_read() || !is_beside).then_some("send")
    }

    /// Returns whether the reply is the one of its status that is read, which is JSON if there is one, or is like it.
    fn is_read(&self) -> bool {
        let mut all = self.declared.iter().filter(|it| it.status == self.reply.status);
        let first = all.clone().next();
        let read = all.find(|it| is_json(it.media_type)).or(first);
        read.is_some_and(|read| {
            let is_like = is_json(read.media_type) && is_json(self.reply.media_type);
            std::ptr::eq(read, self.reply) || is_like && read.media == self.reply.media
        })
    }

    /// Returns the kind of the reply and its variant, if the caller gets what was sent.
    pub fn judge(&self, way: &str, sent: &str, answer: &Value) -> Judged {
        // Some fields have the nearest float, or the second before.
        let is_rounded = serde_json::from_str(sent).is_ok_and(|sent| has_rounded_integer(&sent));
        let drift = answer["drift"].as_str().unwrap_or_default();
        if !drift.is_empty() && !is_rounded && !has_leap_second(sent) {
            return Err(format!("drift of `{sent}`"));
        }
        if !self.is_success() {
            return self.judge_failure(sent, answer);
        }
        let got = answer.get("ok").ok_or("no value")?;
        if way != "send" && is_stream(self.reply.media_type) {
            let is_event = self.reply.media_type.starts_with("text/event-stream");
            let data = sent.split_once("data: ").filter(|_| is_event);
            let text = data.map_or(sent, |(_, data)| data);
            let got = got.get(0).ok_or("no item")?;
            let (variant, got) = payload(got, !self.reply.event.is_empty());
            if variant.as_deref() == Some("Unknown") {
                return Err(format!("no variant for the event {}", self.reply.event));
            }
            let same = is_same(text.trim_end_matches('\n'), got);
            return same.map(|()| ("item of a stream", None));
        }
        let (variant, got) = payload(got, self.operation.is_enum[0]);
        let kind = match self.reply.media {
            None if got.is_null() => return Ok(("success of nothing", variant)),
            None => return Err("a value that nobody sent".to_owned()),
            Some(_) if is_json(self.reply.media_type) => "success of JSON",
            Some(_) if is_text(self.reply.media_type) => "success of text",
            Some(_) => "success of bytes",
        };
        is_same(sent, got).map(|()| (kind, variant))
    }

    fn judge_failure(&self, sent: &str, answer: &Value) -> Judged {
        if answer["error"] != "status" || answer["body"] != *sent {
            return Err("not the error of a status with its body".to_owned());
        }
        let failure = &answer["failure"];
        if self.reply.media.is_none() {
            let is_null = failure.is_null();
            return is_null
                .then_some(("error without a body", None))
                .ok_or_else(|| "a failure that nobody sent".to_owned());
        }
        let [is_json, is_text] = [is_json, is_text].map(|is| is(self.reply.media_type));
        let is_read = self.is_read();
        let is_typed = (is_json && !self.is_any() || is_text) && is_read;
        if failure.is_null() && (!is_typed || sent == "{}") {
            return Ok(("error that is not typed", None));
        }
        if !is_read && !is_json {
            return Err("a failure of another media type".to_owned());
        }
        let (variant, got) = payload(failure, self.operation.is_enum[1]);
        is_same(sent, got)?;
        // JSON of a media type that is not read has no variant of its own.
        let variant = variant.filter(|_| is_read).map(|variant| format!("failure {variant}"));
        Ok(("typed error", variant))
    }

    /// Returns whether the body is any JSON.
    fn is_any(&self) -> bool {
        let place = schema(self.document, self.reply);
        let shape = place.and_then(|place| self.shapes.at(place)).map(|id| self.shapes.shape(id));
        shape.is_none_or(|shape| matches!(shape, Shape::Scalar(kind, _) if *kind == ANY))
    }
}

/// Returns whether a header is read as its type.
pub fn judge_header(name: &str, sent: &str, answer: &Value) -> Result<&'static str, String> {
    // OpenAPI ignores the declaration of this header.
    if name.eq_ignore_ascii_case("content-type") {
        return Ok("header that is ignored");
    }
    let all = answer["headers"].as_array().ok_or("no headers")?;
    let found =
        all.iter().find(|pair| pair[0].as_str().is_some_and(|it| it.eq_ignore_ascii_case(name)));
    let found = found.ok_or_else(|| format!("the header {name} has no constant"))?;
    let shown = match &found[1] {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    };
    if shown == *sent || shown == format!("{sent}.0") {
        Ok("header")
    } else {
        Err(format!("the header {name} is not {sent}"))
    }
}

/// Compares a body with a value: as JSON, unless the value is the text of the body.
fn is_same(sent: &str, got: &Value) -> Result<(), String> {
    if got.as_str() == Some(sent) {
        return Ok(());
    }
    let sent_value: Value = serde_json::from_str(sent).map_err(|_| format!("not `{sent}`"))?;
    compare_maps(&sent_value, got).map_err(|why| format!("{why}: sent {sent}"))
}

/// Returns the name of a variant, and its payload, if the type is an enum of replies.
fn payload(value: &Value, is_enum: bool) -> (Option<String>, &Value) {
    match value.as_object().filter(|_| is_enum).and_then(|object| object.iter().next()) {
        Some((name, payload)) => (Some(name.clone()), payload),
        None => (None, value),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use codegen::{Settings, Source};
    use serde_json::{Map, json};

    use super::*;
    use crate::replies::declared::replies;
    use crate::replies::operations;

    #[test]
    fn a_leap_second_is_drift_and_no_fault() {
        let time = json!({ "type": "string", "format": "date-time" });
        let body = json!({ "schema": { "type": "object", "properties": { "at": time } } });
        let reply = json!({ "description": "ok", "content": { "application/json": body } });
        let get = json!({ "operationId": "get", "responses": { "200": reply } });
        let info = json!({ "title": "Times", "version": "1" });
        let paths = json!({ "/times": { "get": get } });
        let root = json!({ "openapi": "3.1.1", "info": info, "paths": paths });
        let source = Source { name: "openapi.json".to_owned(), text: root.to_string() };
        let api = codegen::public_api(&source, &Settings::default()).0.unwrap();
        let files = Map::from_iter([(String::new(), root)]);
        let document = &Document::new(&files);
        let operation = &operations(&api, document)[0];
        let declared = &replies(document, (operation.value, false), &mut BTreeMap::new())[..];
        let schemas = declared.iter().filter_map(|reply| schema(document, reply));
        let shapes = &Shapes::new(document, schemas);
        let exchange = Exchange { document, shapes, operation, declared, reply: &declared[0] };
        for (seconds, is_fault) in [(59, true), (60, false)] {
            let sent = json!({ "at": format!("2016-12-31T23:59:{seconds}Z") });
            let answer = json!({ "ok": sent, "drift": "property `at`" });
            let judged = exchange.judge("send", &sent.to_string(), &answer);
            assert_eq!(judged.is_err(), is_fault, "{judged:?}");
        }
    }
}
