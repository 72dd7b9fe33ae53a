//! Requests that a fake transport has received.

use std::collections::BTreeMap;

use bytes::{Bytes, BytesMut};
use http::request::Parts;
use http::{HeaderMap, header};
use serde_json::Value;

use super::multipart::{self, RecordedPart};
use crate::error::operation::Operation;
use crate::secrets::debug::shown;
use crate::transport::body::Body;
use crate::transport::error::TransportError;
use crate::url::query::{decoded, pairs};
use crate::wire::charset;
use crate::wire::upload::body::RequestBody;

/// A request that a [`FakeTransport`](super::FakeTransport) has received; one per attempt.
#[derive(Clone)]
#[non_exhaustive]
pub struct RecordedRequest {
    /// The operation.
    pub operation: &'static Operation,
    /// The path parameters by name, decoded.
    pub path: BTreeMap<String, String>,
    /// The query parameters in order, decoded.
    pub query: Vec<(String, String)>,
    /// The headers. Their `Debug` does not show the credentials in `Authorization`.
    pub headers: HeaderMap,
    /// The body as JSON; null if it is none.
    pub body: Value,
    /// The bytes of the body.
    pub content: Bytes,
    /// The fields of a form in order, decoded.
    pub form: Vec<(String, String)>,
    /// The parts of a form in parts, in order.
    pub parts: Vec<RecordedPart>,
    pub(super) sent_path: String,
}

impl RecordedRequest {
    pub(super) fn new(operation: &'static Operation, head: &Parts, content: Bytes) -> Self {
        let mut headers = head.headers.clone();
        if let Some(credentials) = headers.get_mut(header::AUTHORIZATION) {
            credentials.set_sensitive(true);
        }
        let is_form = charset::media_type(&headers).is_some_and(charset::is_form);
        Self {
            operation,
            path: path_parameters(operation.path, head.uri.path()),
            query: pairs(head.uri.query().unwrap_or_default()).collect(),
            headers,
            body: serde_json::from_slice(&content).unwrap_or_default(),
            form: if is_form {
                pairs(&String::from_utf8_lossy(&content)).collect()
            } else {
                Vec::new()
            },
            parts: multipart::parts(&head.headers, &content),
            content,
            sent_path: head.uri.path().to_owned(),
        }
    }

    /// Returns the first value of a field of a form.
    pub fn form(&self, name: &str) -> Option<&str> {
        self.form.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// Returns the first part of this name of a form in parts.
    pub fn part(&self, name: &str) -> Option<&RecordedPart> {
        self.parts.iter().find(|part| part.name == name)
    }

    /// Returns the first value of a cookie, as it was sent: not decoded.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        let headers = self.headers.get_all(header::COOKIE).into_iter();
        let pairs = headers.filter_map(|header| header.to_str().ok()).flat_map(|it| it.split("; "));
        pairs
            .filter_map(|pair| pair.split_once('='))
            .find(|(other, _)| *other == name)
            .map(|it| it.1)
    }

    /// Returns the path as it was sent: not decoded.
    pub fn sent_path(&self) -> &str {
        &self.sent_path
    }

    /// Returns the first value of a query parameter.
    pub fn query(&self, name: &str) -> Option<&str> {
        let mut values = self.query.iter().filter(|(other, _)| other == name);
        values.next().map(|(_, value)| value.as_str())
    }
}

// Shows names of parameters, headers and fields, and no values: they may be secret.
shown!(RecordedRequest, |it|
    operation: it.operation,
    query: names(&it.query),
    headers: it.headers.keys().collect::<Vec<_>>(),
    content: format_args!("{} bytes", it.content.len()),
    form: names(&it.form),
    parts: it.parts,
);

fn names(pairs: &[(String, String)]) -> Vec<&str> {
    pairs.iter().map(|(name, _)| name.as_str()).collect()
}

pub(super) async fn read(body: RequestBody) -> Result<Bytes, TransportError> {
    let mut body = Body::from(body);
    let mut content = BytesMut::new();
    while let Some(chunk) = body.chunk().await? {
        content.extend_from_slice(&chunk);
    }
    Ok(content.freeze())
}

/// Returns the parameters of a path, which may have a prefix before the part that the template
/// describes.
pub(super) fn path_parameters(template: &str, path: &str) -> BTreeMap<String, String> {
    let segments = template.rsplit('/').zip(path.rsplit('/'));
    segments.filter_map(|(template, value)| of_segment(template, value)).flatten().collect()
}

/// Returns the parameters of a segment, such as `{name}.{extension}`: each ends where the text after it begins.
fn of_segment(template: &str, value: &str) -> Option<Vec<(String, String)>> {
    let mut pieces = template.split('{');
    let mut rest = value.strip_prefix(pieces.next()?)?;
    let mut pieces = pieces.peekable();
    let mut parameters = Vec::new();
    while let Some(piece) = pieces.next() {
        let (name, after) = piece.split_once('}')?;
        let (text, next) = match pieces.peek() {
            Some(_) => rest.split_once(after)?,
            None => (rest.strip_suffix(after)?, ""),
        };
        parameters.push((name.to_owned(), decoded(text)));
        rest = next;
    }
    Some(parameters)
}

#[cfg(test)]
mod tests {
    use super::path_parameters;

    #[test]
    fn a_segment_has_several_parameters() {
        let of = |template, path| {
            let parameters = path_parameters(template, path).into_iter();
            parameters.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
        };
        assert_eq!(
            of("/files/{name}.{extension}", "/v1/files/a%20b.tar.gz"),
            ["extension=tar.gz", "name=a b"]
        );
        assert_eq!(
            of("/diff/{base}...{head}/x", "/diff/main...next/x"),
            ["base=main", "head=next"]
        );
        assert_eq!(of("/@{user}/{month}-{day}", "/@ann/11-27"), ["day=27", "month=11", "user=ann"]);
        assert!(of("/files/{name}.{extension}", "/files/a").is_empty());
    }
}
