//! Lines: entries of HAR 1.2, with the operation and its path template.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode, Uri, Version};
use serde_json::{Value, json};

use super::redact::{Redaction, Rules, Side, TypedTexts};
use super::seen::Seen;
use crate::error::operation::Operation;
use crate::wire::charset;
use crate::wire::{self, Texts};

/// Returns the texts of the body of a response, if its type has it.
pub(crate) type Describe = fn(StatusCode, &HeaderMap, &Bytes) -> Option<Texts>;

/// What a recorder needs of a call.
#[derive(Clone, Default)]
pub(crate) struct CallTexts {
    pub(crate) body: Option<Arc<Texts>>,
    /// Finds the texts of a response.
    pub(crate) describe: Option<Describe>,
}

/// A request, and its response if there was one.
pub(crate) struct Exchanged {
    pub(crate) operation: &'static Operation,
    pub(crate) base_url: String,
    /// Whether the URL is the target of a redirect.
    pub(crate) is_redirected: bool,
    pub(crate) method: Method,
    pub(crate) uri: Uri,
    pub(crate) version: Version,
    pub(crate) headers: HeaderMap,
    pub(crate) body: RecordedContent,
    /// The names of described parameters in the query.
    pub(crate) parameters: Vec<&'static str>,
    /// The texts of the request's body.
    pub(crate) texts: Option<Arc<Texts>>,
    pub(crate) secrets: Vec<String>,
    pub(crate) begun: jiff::Timestamp,
    /// The time until the head of the response, and that until its end.
    pub(crate) waited: Duration,
    pub(crate) received: Duration,
    pub(crate) response: Option<Answer>,
    /// The reason why there is no response.
    pub(crate) error: &'static str,
    pub(crate) describe: Option<Describe>,
    /// The number of exchanges before it that are not written.
    pub(crate) dropped: u64,
}

/// A response.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: RecordedContent,
}

/// A body.
pub(crate) enum RecordedContent {
    Whole(Bytes),
    /// One that is not recorded: why, and its length if it is known.
    Omitted(&'static str, Option<u64>),
}

impl RecordedContent {
    /// Returns the bytes that it holds in memory.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Whole(bytes) => bytes.len(),
            Self::Omitted(..) => 0,
        }
    }

    /// Returns a body that is JSON.
    fn json(&self) -> Option<Value> {
        match self {
            Self::Whole(bytes) => serde_json::from_slice(bytes).ok(),
            Self::Omitted(..) => None,
        }
    }

    fn length(&self) -> i64 {
        let length = match self {
            Self::Whole(bytes) => Some(bytes.len() as u64),
            Self::Omitted(_, length) => *length,
        };
        length.and_then(|length| i64::try_from(length).ok()).unwrap_or(-1)
    }

    /// Returns the text of the body, or the reason why it is not recorded.
    fn text(
        &self,
        redaction: &Redaction<'_>,
        media_type: &str,
        typed: TypedTexts<'_>,
    ) -> Result<String, &'static str> {
        let bytes = match self {
            Self::Whole(bytes) => bytes,
            Self::Omitted(why, _) => return Err(why),
        };
        let kind = media_type.to_ascii_lowercase();
        if kind.starts_with("multipart/") {
            return Err("not recorded: a form in parts");
        }
        let Ok(text) = std::str::from_utf8(bytes) else { return Err("not recorded: not text") };
        if charset::is_form(media_type) {
            return Ok(redaction.form(text, Some(typed.texts.unwrap_or(&Texts::default()))));
        }
        let is_typed = typed.texts.is_some_and(|texts| !texts.hides_numbers);
        let is_json = kind.is_empty() || kind.contains("json") || is_typed;
        if is_json && let Ok(mut value) = wire::nearest::<Value>(bytes) {
            redaction.json(&mut value, typed);
            return Ok(value.to_string());
        }
        let is_text = ["text", "json", "xml", "html"].iter().any(|part| kind.contains(part));
        if is_text || text.is_empty() {
            Ok(redaction.placeholder(text))
        } else {
            Err("not recorded: not text")
        }
    }
}

impl Exchanged {
    /// Returns the bytes that its bodies hold in memory.
    pub(super) fn size(&self) -> usize {
        self.body.size() + self.response.as_ref().map_or(0, |answer| answer.body.size())
    }

    /// Returns the line, and adds the secrets of the exchange to the secrets of earlier exchanges.
    pub(super) fn line(&self, rules: &Rules, seen: &mut Seen) -> String {
        let texts = self.response.as_ref().and_then(|answer| answer.texts(self.describe?));
        // Those that their names in JSON make secrets.
        let bodies = [Some(&self.body), self.response.as_ref().map(|answer| &answer.body)];
        let bodies = bodies.into_iter().flatten().filter_map(RecordedContent::json);
        let named: Vec<_> = bodies.flat_map(|body| wire::secrets(&body)).collect();
        let own = self.secrets.iter().chain(texts.iter().flat_map(|texts| &texts.secrets));
        seen.extend(own.chain(&named));
        let redaction = Redaction {
            rules,
            secrets: self.secrets.iter().chain(&named).map(String::as_str).collect(),
            seen,
            parameters: &self.parameters,
            uri: &self.uri,
            base: &self.base_url,
            template: self.operation.path,
        };
        let millis = |time: Duration| time.as_secs_f64() * 1e3;
        let mut entry = json!({
            "_operationId": self.operation.id,
            "_urlTemplate": self.operation.path,
            "startedDateTime": self.begun.to_string(),
            "time": millis(self.waited + self.received),
            "request": self.request(&redaction),
            "response": self.response(&redaction, texts.as_ref()),
            "cache": {},
            "timings": { "send": 0, "wait": millis(self.waited), "receive": millis(self.received) },
        });
        if self.dropped > 0 {
            entry["_dropped"] = self.dropped.into();
        }
        if self.response.is_none() {
            entry["_error"] = self.error.into();
        }
        format!("{entry}\n")
    }

    fn request(&self, redaction: &Redaction<'_>) -> Value {
        let template = (!self.is_redirected).then_some(self.operation.path);
        let query = redaction.pairs(
            self.uri.query().unwrap_or_default(),
            self.is_redirected.then(Texts::default).as_ref(),
        );
        let mut request = json!({
            "method": self.method.as_str(),
            "url": redaction.url(&self.uri, template),
            "httpVersion": version(self.version),
            "cookies": [],
            "headers": redaction.headers(&self.headers),
            "queryString": query.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect::<Vec<_>>(),
            "headersSize": -1,
            "bodySize": self.body.length(),
        });
        if self.body.length() != 0 {
            let media_type = charset::media_type(&self.headers).unwrap_or_default();
            let typed = TypedTexts { texts: self.texts.as_deref(), side: Side::Request };
            let mut data = json!({ "mimeType": redaction.media_types(media_type) });
            match self.body.text(redaction, media_type, typed) {
                Ok(text) => data["text"] = text.into(),
                Err(why) => data["comment"] = why.into(),
            }
            request["postData"] = data;
        }
        request
    }

    fn response(&self, redaction: &Redaction<'_>, texts: Option<&Texts>) -> Value {
        let nothing = HeaderMap::new();
        let answer = self.response.as_ref();
        let headers = answer.map_or(&nothing, |answer| &answer.headers);
        let media_type = charset::media_type(headers).unwrap_or_default();
        let mut content = json!({ "size": 0, "mimeType": redaction.media_types(media_type) });
        if let Some(Answer { body, .. }) = answer {
            let typed = TypedTexts { texts, side: Side::Response };
            content["size"] = body.length().into();
            match body.text(redaction, media_type, typed) {
                Ok(text) => content["text"] = text.into(),
                Err(why) => content["comment"] = why.into(),
            }
        }
        let headers = redaction.headers(headers);
        let location = headers.iter().find(|header| header["name"] == "location");
        json!({
            "status": answer.map_or(0, |answer| answer.status.as_u16()),
            "statusText": answer.and_then(|answer| answer.status.canonical_reason()).unwrap_or_default(),
            "httpVersion": version(self.version),
            "cookies": [],
            "redirectURL": location.map_or("", |header| header["value"].as_str().unwrap_or_default()),
            "headers": headers,
            "content": content,
            "headersSize": -1,
            "bodySize": answer.map_or(-1, |answer| answer.body.length()),
        })
    }
}

impl Answer {
    fn texts(&self, describe: Describe) -> Option<Texts> {
        match &self.body {
            RecordedContent::Whole(bytes) => describe(self.status, &self.headers, bytes),
            RecordedContent::Omitted(..) => None,
        }
    }
}

fn version(version: Version) -> &'static str {
    match version {
        Version::HTTP_10 => "HTTP/1.0",
        Version::HTTP_2 => "HTTP/2",
        Version::HTTP_3 => "HTTP/3",
        _ => "HTTP/1.1",
    }
}
