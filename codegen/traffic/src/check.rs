//! Checks exchanges of traffic, in the form of HAR 1.2, against a document.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use percent_encoding::percent_decode_str;
use serde::de::{DeserializeSeed as _, Deserializer};

use super::formats::base64;
use super::har::Entries;
use super::operations::{Body, Operations, Route};
use super::seen::{MAX_NAMES, Moment, Origin, Tally, bounded};
use super::table::{Id, Table};
use super::value::{Value, is_placeholder};
use super::walk::At;
use codegen::diagnostics::Diagnostics;
use codegen::document::{Document, Input};
use codegen::ir::{Api, TypeId};
use codegen::media_type::{MediaKind, essence, is_merge_patch};

/// The fields of responses that HTTP and its proxies have for all APIs, and their prefixes, which end in `-`.
const STANDARD: &str = "\
    accept-ranges access-control- age allow alt-svc cache-control cf- clear-site-data \
    connection content- cross-origin- date etag expect-ct expires keep-alive last-modified \
    link location nel origin-agent-cluster permissions-policy pragma proxy- referrer-policy \
    report-to reporting-endpoints retry-after sec- server server-timing set-cookie status \
    strict-transport-security timing-allow-origin trailer transfer-encoding upgrade vary via \
    warning www-authenticate x-content-type-options x-frame-options x-powered-by \
    x-xss-protection";

/// The check of traffic against a document.
pub struct Check<'d> {
    pub(super) table: Table<'d>,
    pub(super) operations: Operations<'d>,
    /// Requests that no operation of the document describes, by their hosts, methods and paths.
    pub(super) routes: BTreeMap<(String, String), Tally>,
    /// The hosts that the API is at.
    pub(super) hosts: HashSet<Box<str>>,
    pub(super) counts: Counts,
}

/// A document, and what its crate makes of it, for checks of traffic.
#[derive(Debug)]
pub struct Description(Document, Api);

impl Description {
    /// Reads a document. Reports its problems; parts with errors are ignored. Returns `None` if it cannot be read at all.
    pub fn read<'f>(input: impl Into<Input<'f>>, diagnostics: &mut Diagnostics) -> Option<Self> {
        codegen::described(input, diagnostics).map(|(document, api)| Self(document, api))
    }

    /// Returns a check of traffic, of servers with these addresses in addition to the servers of the document.
    pub fn check(&self, servers: &[String]) -> Check<'_> {
        Check::new(&self.0, &self.1, servers)
    }
}

/// The numbers of exchanges.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// All.
    pub exchanges: u64,
    /// Those with an operation and a response.
    pub compared: u64,
    /// Those with other servers.
    pub elsewhere: u64,
    /// Those without a response.
    pub unanswered: u64,
    /// Requests with which browsers ask for permission, to routes that the document does not describe.
    pub preflights: u64,
    /// Those that the recorder could not write.
    pub dropped: u64,
    /// Names and values that are not reported, because there are too many at their place.
    pub beyond: u64,
}

impl<'d> Check<'d> {
    /// Returns a check against a document, whose server can have other addresses.
    fn new(document: &'d Document, api: &'d Api, servers: &[String]) -> Self {
        let mut table = Table::new(document, api);
        let operations = Operations::new(document, servers, &mut table);
        Self {
            table,
            operations,
            routes: BTreeMap::new(),
            hosts: HashSet::new(),
            counts: Counts::default(),
        }
    }

    /// Checks a value of a type of the crate, received in a reply. Returns whether the crate reads it without drift.
    ///
    /// # Errors
    ///
    /// Fails if the text is not JSON.
    pub fn value(&mut self, ty: TypeId, json: &str) -> Result<bool, serde_json::Error> {
        let (value, is_nearest) = Value::parse(json)?;
        let origin = Origin { operation: usize::MAX, status: Some(200) };
        let moment = Moment { time: None, origin, is_patch: false, is_secret: false };
        let before = self.table.drifts;
        self.table.named(ty, Id::MAX, &value, At { moment, within: None });
        Ok(self.table.drifts == before && !is_nearest)
    }

    /// Returns the type of the crate with a path below its root, such as `models::Pet`.
    pub fn type_at(&self, path: &str) -> Option<TypeId> {
        self.table.api.type_at(path)
    }

    /// Checks an entry of a HAR file.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the text is not an entry.
    pub fn entry(&mut self, text: &str) -> Result<(), String> {
        let (entry, _) = Value::parse(text).map_err(|error| match error.column() {
            _ if error.is_eof() => "it is cut off".to_owned(),
            column => format!("it is not JSON, from column {column}"),
        })?;
        self.exchange(&entry)
    }

    /// Checks the entries of a HAR file while it is read; `invalid` has the index of each invalid one, and the reason.
    /// Returns whether the file has `log.entries`.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read to its end.
    pub fn har<'de, D: Deserializer<'de>>(
        &mut self,
        har: D,
        mut invalid: impl FnMut(usize, Option<String>),
    ) -> Result<bool, D::Error> {
        let mut check = |index: usize, entry: &str| invalid(index, self.entry(entry).err());
        Entries(&["log", "entries"], &mut check).deserialize(har)
    }

    fn exchange(&mut self, entry: &Value<'_>) -> Result<(), String> {
        let missing = |name: &str| format!("it has no `{name}`");
        let method = entry.text(&["request", "method"]).ok_or_else(|| missing("request.method"))?;
        let url = entry.text(&["request", "url"]).ok_or_else(|| missing("request.url"))?;
        let response = entry.get("response").ok_or_else(|| missing("response"))?;
        let status = match response.get("status") {
            // What browsers and recorders write if there is none.
            Some(Value::Integer(-1 | 0)) => None,
            Some(Value::Integer(status @ 100..=999)) => u16::try_from(*status).ok(),
            _ => return Err("its `response.status` is not an integer from 100 to 999".to_owned()),
        };
        self.counts.exchanges += 1;
        if let Some(Value::Integer(dropped)) = entry.get("_dropped") {
            self.counts.dropped += u64::try_from(*dropped).unwrap_or_default();
        }
        let mut moment = Moment {
            is_secret: false,
            time: entry.text(&["startedDateTime"]).and_then(|text| text.parse().ok()),
            origin: Origin { operation: usize::MAX, status },
            is_patch: false,
        };
        let id = entry.text(&["_operationId"]);
        let operation = match self.operations.route(id, entry.text(&["_urlTemplate"]), method, url)
        {
            Route::Operation { operation, host } => {
                self.own(host);
                operation
            }
            Route::Elsewhere => {
                self.counts.elsewhere += 1;
                return Ok(());
            }
            // Browsers ask before requests to other origins.
            Route::Unknown { .. } if method == "OPTIONS" => {
                self.counts.preflights += 1;
                return Ok(());
            }
            Route::Unknown { path, host, is_own } => {
                let route = format!("{method} {path}");
                let key = (host.to_owned(), bounded(&route).into_owned());
                if self.routes.len() < MAX_NAMES || self.routes.contains_key(&key) {
                    self.routes.entry(key).or_default().add(moment, &Value::Null);
                } else {
                    self.table.beyond += 1;
                }
                if is_own {
                    self.own(host);
                }
                return Ok(());
            }
        };
        moment.origin.operation = operation;
        self.operations.all[operation].count += 1;
        let Some(status) = status else {
            self.counts.unanswered += 1;
            return Ok(());
        };
        self.counts.compared += 1;
        // What a server refuses says nothing about what it accepts.
        if status < 400 {
            let sent = Moment { origin: Origin { operation, status: None }, ..moment };
            self.query(operation, url, sent);
            let body = entry.at(&["request", "postData"]);
            let message = self.operations.all[operation].request;
            self.body(message, body, sent);
        }
        self.response(operation, status, response, moment);
        Ok(())
    }

    /// Adds a host that the API is at.
    fn own(&mut self, host: &str) {
        if !self.hosts.contains(host) && self.hosts.len() < MAX_NAMES {
            self.hosts.insert(host.into());
        }
    }

    fn query(&mut self, operation: usize, url: &str, moment: Moment) {
        let url = url.split('#').next().unwrap_or_default();
        let Some((_, query)) = url.split_once('?') else { return };
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = decoded(name);
            if self.operations.has_query(operation, &name) || is_placeholder(&name) {
                continue;
            }
            let names = &mut self.operations.all[operation].names;
            self.table.add_name(names, &name, Some(&typed(&decoded(value))), moment);
        }
    }

    fn response(&mut self, operation: usize, status: u16, response: &Value<'_>, moment: Moment) {
        let (index, is_declared) = self.operations.response(operation, status);
        // Not modified: the answer to a condition, which HTTP clients add.
        if !is_declared && status == 304 {
            return;
        }
        if !is_declared {
            let statuses = &mut self.operations.all[operation].statuses;
            let (tally, _) = statuses.entry(status).or_insert_with(|| (Tally::default(), index));
            tally.add(moment, &Value::Null);
        }
        let message = &mut self.operations.messages[index];
        message.count += 1;
        for header in response.list(&["headers"]) {
            let name = header.text(&["name"]).unwrap_or_default().to_ascii_lowercase();
            // Browsers list the pseudo header fields of HTTP/2.
            if name.is_empty() || name.starts_with(':') || is_standard(&name) {
                continue;
            }
            if !message.headers.contains(&name) {
                let value = typed(header.text(&["value"]).unwrap_or_default());
                self.table.add_name(&mut message.names, &name, Some(&value), moment);
            }
        }
        self.body(index, response.get("content"), moment);
    }

    /// Checks the body of a message: the `postData` or the `content` of an entry.
    fn body(&mut self, index: usize, content: Option<&Value<'_>>, moment: Moment) {
        let Some(content) = content else { return };
        let text = content.text(&["text"]).unwrap_or_default();
        let media_type = essence(content.text(&["mimeType"]).unwrap_or_default());
        let is_sent = !text.is_empty() || matches!(content.get("size"), Some(Value::Integer(1..)));
        if !is_sent || !media_type.contains('/') || media_type == "x-unknown" {
            return;
        }
        let is_json = MediaKind::of(&media_type) == MediaKind::Json;
        let mut bytes = Vec::new();
        let mut text = Cow::Borrowed(text);
        if content.text(&["encoding"]) == Some("base64") && is_json {
            bytes = base64(&text).unwrap_or_default();
            text = String::from_utf8_lossy(&bytes);
        }
        let json = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let parsed = (is_json && !text.is_empty()).then(|| Value::parse(json).ok());
        let moment = Moment { is_patch: is_merge_patch(&media_type), ..moment };
        let message = &mut self.operations.messages[index];
        match (message.body(&media_type), parsed) {
            (Body::At(place), Some(Some((value, is_nearest)))) => {
                self.table.walk(place, &value, moment);
                if is_nearest {
                    message.inexact.add(moment, &Value::Null);
                }
            }
            // Recorders replace a text, and keep JSON: a placeholder is not JSON either.
            (Body::At(_) | Body::Any, Some(None)) => {
                message.malformed.add(moment, &Value::Text(text.as_ref().into()));
            }
            (Body::At(_) | Body::Any, _) => {}
            (Body::Undeclared, value) => {
                let value = value.flatten().map(|(value, _)| value);
                self.table.add_name(&mut message.types, &media_type, value.as_ref(), moment);
            }
        }
        drop(bytes);
    }
}

/// Returns the value of a text in a URL or a header: an integer or a boolean in its usual form, or else a text.
fn typed(text: &str) -> Value<'_> {
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        text => match text.parse::<i64>() {
            Ok(number) if number.to_string() == text => Value::Integer(number.into()),
            _ => Value::Text(text.into()),
        },
    }
}

fn decoded(text: &str) -> String {
    percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
}

/// Returns whether a header field is of HTTP itself, not of an API.
fn is_standard(name: &str) -> bool {
    STANDARD.split(' ').any(|field| match field.strip_suffix('-') {
        Some(_) => name.starts_with(field),
        None => name == field,
    })
}
