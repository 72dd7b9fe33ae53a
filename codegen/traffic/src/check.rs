//! Checks exchanges of traffic, in the form of HAR 1.2, against a document.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use serde::de::{DeserializeSeed as _, Deserializer};

use super::bodies::{Content, MISSING_BODY, Read};
use super::har::HarEntries;
use super::operations::Operations;
use super::secrets::declared;
use super::seen::{MAX_NAMES, Moment, Origin, Tally};
use super::table::{Id, Table};
use super::texts::{Texts, named, pairs};
use super::value::Value;
use super::walk::At;
use codegen::diagnostics::Diagnostics;
use codegen::document::{Document, Input, Pointer};
use codegen::ir::{Api, Location, TypeId};
use codegen::media_type::is_merge_patch;

/// The fields of responses that HTTP and its proxies have for all APIs, and their prefixes, which end in `-`.
static STANDARD: LazyLock<Vec<&str>> = LazyLock::new(|| {
    "accept-ranges access-control- age allow alt-svc cache-control cf- clear-site-data connection \
    content- cross-origin- date etag expect-ct expires keep-alive last-modified link location nel \
    origin-agent-cluster permissions-policy pragma proxy- referrer-policy report-to \
    reporting-endpoints retry-after sec- server server-timing set-cookie status \
    strict-transport-security timing-allow-origin trailer transfer-encoding upgrade vary via \
    warning www-authenticate x-content-type-options x-frame-options x-powered-by x-xss-protection"
        .split(' ')
        .collect()
});

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
pub struct Description(Document, Api, HashSet<Pointer>);

impl Description {
    /// Reads a document. Reports its problems; parts with errors are ignored. Returns `None` if it cannot be read at all.
    pub fn read<'f>(input: impl Into<Input<'f>>, diagnostics: &mut Diagnostics) -> Option<Self> {
        let (document, api) = codegen::described(input, diagnostics)?;
        Some(Self(document, api, HashSet::new()))
    }

    /// Makes the values of these properties secrets, as `[secrets] hide` of the settings does.
    #[must_use]
    pub fn hiding(self, properties: &[String]) -> Self {
        Self(self.0, self.1, properties.iter().map(|it| Pointer::from_escaped(it)).collect())
    }

    /// Returns a check of traffic, of servers with these addresses in addition to the servers of the document.
    pub fn check(&self, servers: &[String]) -> Check<'_> {
        let mut table = Table::new(&self.0, &self.1, &self.2);
        table.hidden = declared(&self.0, &self.1, &self.2);
        let operations = Operations::new(&self.0, servers, &mut table);
        Check {
            table,
            operations,
            routes: BTreeMap::new(),
            hosts: HashSet::new(),
            counts: Counts::default(),
        }
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
    /// Names and values that are not reported: they are too many at their place, or secrets.
    pub beyond: u64,
}

impl Check<'_> {
    /// Checks a value of a type of the crate, received in a reply. Returns whether the crate reads it without drift.
    ///
    /// # Errors
    ///
    /// Fails if the text is not JSON.
    pub fn value(&mut self, ty: TypeId, json: &str) -> Result<bool, serde_json::Error> {
        let (value, is_nearest) = Value::parse(json)?;
        let origin = Origin { operation: usize::MAX, status: Some(200), item: 0 };
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
        HarEntries(&["log", "entries"], &mut check).deserialize(har)
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
            origin: Origin { operation: usize::MAX, status, item: 0 },
            is_patch: false,
        };
        let id = entry.text(&["_operationId"]);
        let route = self.operations.route(id, entry.text(&["_urlTemplate"]), method, url);
        let Some(route) = route else {
            self.counts.elsewhere += 1;
            return Ok(());
        };
        let request = entry.get("request").unwrap_or(&Value::Null);
        let sent = Content::of(request, "postData");
        let read = sent.read();
        let path = self.operations.variables(route.operation, url);
        let texts = [query(url), named(request, &["headers"])];
        let received = named(response, &["headers"]);
        self.table.begin(entry, path.iter().chain(&texts).chain([&received]), &sent, &read);
        // Browsers ask before requests to other origins.
        if route.unknown.is_some() && method == "OPTIONS" {
            self.counts.preflights += 1;
            return Ok(());
        }
        if route.is_own {
            self.own(route.host);
        }
        let (None, Some(operation)) = (&route.unknown, route.operation) else {
            let shown = route.unknown.and_then(|it| Some(self.table.shown(&it)?.into_owned()));
            let key = (route.host.to_owned(), shown.unwrap_or_default());
            if self.routes.len() < MAX_NAMES || self.routes.contains_key(&key) {
                self.routes.entry(key).or_default().add(moment, &Value::Null);
            } else {
                self.table.beyond += 1;
            }
            return Ok(());
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
            let moment = Moment { origin: Origin { operation, status: None, item: 0 }, ..moment };
            self.parameters(path.as_ref(), &texts, moment);
            self.body(self.operations.all[operation].request, &sent, read, moment);
        }
        self.response(status, response, &received, moment);
        Ok(())
    }

    /// Adds a host that the API is at.
    fn own(&mut self, host: &str) {
        if !self.hosts.contains(host) && self.hosts.len() < MAX_NAMES {
            self.hosts.insert(host.into());
        }
    }

    /// Checks the parameters of a request. Those of the target of a redirect, whose path is another one, are unknown.
    fn parameters(&mut self, path: Option<&Texts<'_>>, texts: &[Texts<'_>; 2], moment: Moment) {
        let ([query, headers], operation) = (texts, moment.origin.operation);
        for (name, value) in query {
            if !self.operations.has_query(operation, name) {
                let names = &mut self.operations.all[operation].names;
                self.table.add_name(names, name, Some(&typed(value)), moment);
            }
        }
        let Some(path) = path else { return };
        let cookies = LazyCell::new(|| {
            let own = headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("cookie"));
            let pairs = own.flat_map(|(_, text)| text.split(';'));
            let pairs = pairs.filter_map(|pair| pair.trim().split_once('='));
            pairs.map(|(name, value)| (name.into(), value.into())).collect::<Texts<'_>>()
        });
        for parameter in self.operations.all[operation].parameters.iter().flatten() {
            let texts = match parameter.location {
                Location::Path => path,
                Location::Query | Location::QueryString => query,
                // Without any header, they are not recorded.
                Location::Header if !headers.is_empty() => headers,
                Location::Cookie => &*cookies,
                Location::Header => continue,
            };
            parameter.check(texts, &mut self.table, moment);
        }
    }

    fn response(&mut self, status: u16, response: &Value<'_>, headers: &Texts<'_>, moment: Moment) {
        let operation = moment.origin.operation;
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
        for header in message.headers.iter().filter(|_| !headers.is_empty()) {
            header.check(headers, &mut self.table, moment);
        }
        for (name, value) in headers {
            let name = name.to_ascii_lowercase();
            // Browsers list the pseudo header fields of HTTP/2.
            if name.is_empty() || name.starts_with(':') || is_standard(&name) {
                continue;
            }
            if !message.headers.iter().any(|header| header.has(&name)) {
                self.table.add_name(&mut message.names, &name, Some(&typed(value)), moment);
            }
        }
        let content = Content::of(response, "content");
        self.body(index, &content, content.read(), moment);
    }

    fn body(&mut self, index: usize, content: &Content<'_>, read: Read<'_>, moment: Moment) {
        let message = &mut self.operations.messages[index];
        let media_type = &content.media_type;
        if content.written.is_empty() && !content.has_size {
            let method = &self.operations.all[moment.origin.operation].method;
            // These statuses have no body (RFC 9110, section 6.4.1), or one for people.
            let has_none = matches!(moment.origin.status, Some(100..=199 | 204 | 205 | 300..=399));
            if message.is_body_required && content.is_empty && !has_none && *method != "HEAD" {
                self.table.fault(MISSING_BODY, &message.pointer, &Value::Null, moment);
            }
            return;
        }
        if !media_type.contains('/') {
            return;
        }
        let moment = Moment { is_patch: is_merge_patch(media_type), ..moment };
        match (message.media(media_type), read) {
            (Some(media), _) if !media.items.is_empty() => {
                self.table.items(media, content.text(), &message.pointer, moment);
            }
            (Some(media), Read::Json(json)) if !content.written.is_empty() => {
                self.table.json(media.place, json, content.text(), &message.pointer, moment);
            }
            (Some(media), Read::Form(texts)) if !content.written.is_empty() => {
                for part in &media.form {
                    part.check(&texts, &mut self.table, moment);
                }
            }
            (Some(_), _) => {}
            (None, Read::Json(Ok((value, _)))) => {
                self.table.add_name(&mut message.types, media_type, Some(&value), moment);
            }
            (None, _) => self.table.add_name(&mut message.types, media_type, None, moment),
        }
    }
}

/// Returns the names and the texts of the query of a URL.
fn query(url: &str) -> Texts<'_> {
    let url = url.split('#').next().unwrap_or_default();
    pairs(url.split_once('?').map_or("", |(_, query)| query))
}

/// Returns the value of a text in a URL or a header: an integer or a boolean in its usual form, or else a text.
fn typed(text: &str) -> Value<'_> {
    match Value::parse(text) {
        Ok((value @ (Value::Bool(_) | Value::Integer(_)), _)) => value,
        _ => Value::Text(text.into()),
    }
}

/// Returns whether a header field is of HTTP itself, not of an API.
fn is_standard(name: &str) -> bool {
    let mut fields = STANDARD.iter();
    fields.any(|field| name == *field || field.ends_with('-') && name.starts_with(field))
}
