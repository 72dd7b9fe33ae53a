//! Requests that a fake transport has received.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bytes::Bytes;
use http::HeaderMap;
use percent_encoding::percent_decode_str;
use serde_json::Value;

use crate::operation::Operation;

/// A request that a [`FakeTransport`](super::FakeTransport) has received; one per attempt.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RecordedRequest {
    /// The operation.
    pub operation: &'static Operation,
    /// The path parameters by name, decoded.
    pub path: BTreeMap<String, String>,
    /// The query parameters in order, decoded.
    pub query: Vec<(String, String)>,
    /// The headers. `Debug` does not show credentials.
    pub headers: HeaderMap,
    /// The body; null if there is none.
    pub body: Value,
}

impl RecordedRequest {
    pub(super) fn new(operation: &'static Operation, request: &http::Request<Bytes>) -> Self {
        let mut headers = request.headers().clone();
        if let Some(credentials) = headers.get_mut(http::header::AUTHORIZATION) {
            credentials.set_sensitive(true);
        }
        Self {
            operation,
            path: path_parameters(operation.path, request.uri().path()),
            query: query(request.uri().query().unwrap_or_default()),
            headers,
            body: serde_json::from_slice(request.body()).unwrap_or_default(),
        }
    }

    /// Returns the first value of a query parameter.
    pub fn query(&self, name: &str) -> Option<&str> {
        let mut values = self.query.iter().filter(|(other, _)| other == name);
        values.next().map(|(_, value)| value.as_str())
    }
}

/// Returns the parameters of a path, which may have a prefix before the part that the template
/// describes.
fn path_parameters(template: &str, path: &str) -> BTreeMap<String, String> {
    let segments = template.rsplit('/').zip(path.rsplit('/'));
    let parameters = segments.filter_map(|(template, value)| {
        let (before, rest) = template.split_once('{')?;
        let (name, after) = rest.split_once('}')?;
        Some((name.to_owned(), decoded(value.strip_prefix(before)?.strip_suffix(after)?)))
    });
    parameters.collect()
}

fn query(text: &str) -> Vec<(String, String)> {
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.map(|(name, value)| (decoded(name), decoded(value))).collect()
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), Cow::into_owned)
}
