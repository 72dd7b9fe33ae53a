//! The parts of recorded forms (RFC 7578).

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::secrets::debug::shown;
use crate::wire::charset;

/// A part of a form, such as `multipart/form-data`.
#[derive(Clone)]
#[non_exhaustive]
pub struct RecordedPart {
    /// The name.
    pub name: String,
    /// The name of the file, if the part is a file.
    pub file_name: Option<String>,
    /// The headers.
    pub headers: HeaderMap,
    /// The content.
    pub content: Bytes,
}

impl RecordedPart {
    /// Returns the media type.
    pub fn content_type(&self) -> Option<&str> {
        charset::media_type(&self.headers)
    }

    /// Returns the content as text, if it is UTF-8.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.content).ok()
    }
}

// Shows the name and the length, and no content: it may be secret.
shown!(RecordedPart, |it| name: it.name, content: format_args!("{} bytes", it.content.len()));

/// Returns the parts of a body; none if it is not a form in parts.
pub(super) fn parts(headers: &HeaderMap, content: &Bytes) -> Vec<RecordedPart> {
    let boundary = charset::media_type(headers)
        .filter(|media_type| media_type.starts_with("multipart/"))
        .and_then(|media_type| media_type.split_once("boundary="));
    let Some((_, boundary)) = boundary else { return Vec::new() };
    let delimiter = format!("\r\n--{boundary}");
    // The first delimiter has no line before it.
    let mut rest = content.slice(content.len().min(delimiter.len() - 2)..);
    let mut parts = Vec::new();
    while let Some(length) = position(&rest, delimiter.as_bytes()) {
        parts.extend(part(&rest.slice(..length)));
        rest = rest.slice(length + delimiter.len()..);
    }
    parts
}

/// Reads a part, which begins at the end of its delimiter's line.
fn part(bytes: &Bytes) -> Option<RecordedPart> {
    let end = position(bytes, b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    let mut headers = HeaderMap::new();
    for (name, value) in head.split("\r\n").filter_map(|line| line.split_once(": ")) {
        let name = name.parse::<HeaderName>().ok()?;
        headers.append(name, HeaderValue::from_str(value).ok()?);
    }
    let disposition = headers.get(header::CONTENT_DISPOSITION)?.as_bytes();
    let disposition = std::str::from_utf8(disposition).ok()?;
    Some(RecordedPart {
        name: quoted(disposition, "name")?,
        file_name: quoted(disposition, "filename"),
        content: bytes.slice(end + 4..),
        headers,
    })
}

/// Returns a parameter of `Content-Disposition`, as HTML escapes it in forms.
fn quoted(disposition: &str, name: &str) -> Option<String> {
    let (_, value) = disposition.split_once(&format!("; {name}=\""))?;
    let (value, _) = value.split_once('"')?;
    Some(value.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n"))
}

fn position(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}
