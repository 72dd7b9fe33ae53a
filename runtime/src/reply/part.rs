//! Parts of contents: their ranges, and the validators that tie them to the rest.

use http::{HeaderMap, StatusCode, header};
use jiff::civil::DateTime;
use wire_rules::http_date;

use crate::error::operation::{Operation, has_no_content};

/// Why a part is not the content.
pub(crate) const UNREQUESTED: &str = "the server sent a part, although the whole was requested";

/// The bytes of a content that a response has (RFC 9110, section 14.4).
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContentRange {
    pub(crate) first: u64,
    last: u64,
    /// The length of the content in bytes, if the server knows it.
    pub(crate) complete: Option<u64>,
}

impl ContentRange {
    /// Reads the range of a response. `None` if the response is not a part, or its unit is not bytes.
    ///
    /// # Errors
    ///
    /// Fails if it is invalid, or was not requested.
    pub(crate) fn read(
        operation: &Operation,
        status: StatusCode,
        headers: &HeaderMap,
        is_requested: bool,
    ) -> Result<Option<Self>, String> {
        if status != StatusCode::PARTIAL_CONTENT || has_no_content(operation.method, status) {
            return Ok(None);
        }
        let mut lines = headers.get_all(header::CONTENT_RANGE).iter();
        let Some(line) = lines.next() else { return Ok(None) };
        let text = line.to_str().unwrap_or_default();
        let range = match text.split_once(' ') {
            Some((unit, _)) if !unit.eq_ignore_ascii_case("bytes") => return Ok(None),
            Some((_, range)) if lines.next().is_none() => Self::parse(range),
            _ => None,
        };
        match range {
            None => Err(format!("the `Content-Range` `{text}` is invalid")),
            Some(_) if !is_requested => Err(UNREQUESTED.to_owned()),
            range => Ok(range),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        // A number has no sign, which `parse` would accept.
        let (range, complete) = text.split_once('/').filter(|_| !text.contains('+'))?;
        let (first, last) = range.split_once('-')?;
        let (first, last) = (first.parse().ok()?, last.parse().ok()?);
        let complete = if complete == "*" { None } else { Some(complete.parse().ok()?) };
        let is_valid = first <= last && complete.is_none_or(|complete| last < complete);
        is_valid.then_some(Self { first, last, complete })
    }

    /// Returns the length of the part, in bytes.
    pub(crate) fn length(self) -> u64 {
        (self.last - self.first).saturating_add(1)
    }

    /// Fails if the body has another length, as far as it is known.
    pub(crate) fn check(self, body: Option<u64>) -> Result<(), String> {
        let length = self.length();
        body.filter(|body| *body != length).map_or(Ok(()), |body| {
            Err(format!("`Content-Range` has {length} bytes, and the body {body}"))
        })
    }
}

/// The version of a content: a strong entity tag, or the date of its last change (RFC 9110, section 13.1.5).
#[derive(Clone, Debug)]
pub(crate) struct Validator(pub(crate) String);

impl Validator {
    /// Reads a validator that `If-Range` can have.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the text is another one.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        if text.starts_with("W/") {
            return Err("a weak entity tag (`W/\"…\"`) does not identify the bytes of a content; \
                 without a strong one, begin again");
        }
        if is_strong_tag(text) || http_date::parse(text, DateTime::default()).is_some() {
            return Ok(Self(text.to_owned()));
        }
        Err(
            "the validator is neither an entity tag in quotes, such as `\"v1\"`, nor an HTTP-date, \
             such as `Sun, 06 Nov 1994 08:49:37 GMT`",
        )
    }

    /// Returns the validator of a response, if `If-Range` can have it: dates only without an entity tag, and if the
    /// content did not change in the second of the response (RFC 9110, section 8.8.2.2).
    pub(crate) fn of(headers: &HeaderMap) -> Option<&str> {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        if headers.contains_key(header::ETAG) {
            return text(header::ETAG).filter(|tag| is_strong_tag(tag));
        }
        let modified = text(header::LAST_MODIFIED)?;
        let sent = http_date::parse(text(header::DATE)?, DateTime::default())?;
        let age = sent.duration_since(http_date::parse(modified, sent)?);
        (age.as_secs() >= 1).then_some(modified)
    }

    /// Returns whether a response has this version. A part must repeat an entity tag, but not a date (RFC 9110, section
    /// 15.3.7).
    pub(crate) fn identifies(&self, headers: &HeaderMap) -> bool {
        let is_tag = self.0.starts_with('"');
        let name = if is_tag { header::ETAG } else { header::LAST_MODIFIED };
        headers.get(name).map_or(!is_tag, |value| value.as_bytes() == self.0.as_bytes())
    }
}

/// Returns whether a text is a strong entity tag (RFC 9110, section 8.8.3).
fn is_strong_tag(text: &str) -> bool {
    let tag = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    tag.is_some_and(|tag| tag.bytes().all(|byte| byte > b' ' && byte != b'"' && byte != 0x7f))
}
