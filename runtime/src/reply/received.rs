//! Responses before they are decoded.

use std::fmt;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use super::part::ContentRange;
use super::raw::RawReply;
use crate::client::drift::{self, DriftOf};
use crate::error::operation::Operation;
use crate::error::{Error, ErrorKind};
use crate::wire::charset;
use crate::wire::{DriftKind, Model, Wire};

/// The successful responses that the spec declares, and the redirects, which have no body.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// The statuses with the body, a range by its first digit; none if all have it.
    pub statuses: &'static [u16],
    /// The statuses without a body, a range by its first digit; none if it is not known.
    pub empty: &'static [u16],
    /// The media types of the body, if not only JSON.
    pub accept: Option<&'static str>,
}

impl Declared {
    /// Any status and any media type.
    pub(crate) const ANY: Self = Self { statuses: &[], empty: &[], accept: Some("*/*") };

    /// Returns whether a status is declared without a body, and not with one.
    pub(crate) fn is_empty(self, status: StatusCode) -> bool {
        lists(self.empty, status) && !lists(self.statuses, status)
    }
}

/// Returns whether a list has a status, or its range.
fn lists(statuses: &[u16], status: StatusCode) -> bool {
    [status.as_u16(), status.as_u16() / 100].iter().any(|it| statuses.contains(it))
}

/// A successful response before it is decoded.
#[derive(Clone, Copy)]
pub struct Received<'a> {
    pub(crate) status: StatusCode,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) body: &'a Bytes,
    pub(crate) operation: &'static Operation,
    pub(crate) declared: Declared,
    pub(crate) drift: Option<DriftOf<'a>>,
    /// The name of the event, if the body is a message of a stream: it is UTF-8 whatever the media type says.
    pub(crate) event: Option<&'a str>,
    /// The line of the body that it is, counted from 1; 0 if it is none.
    pub(crate) line: usize,
    /// Sees the values of JSON.
    pub(crate) viewer: Option<Viewer<'a>>,
}

/// Called with the value of a JSON body and `true`; with an empty value of its type and `false` if it does not have the
/// type.
pub(crate) type Viewer<'a> = &'a dyn Fn(&dyn Wire, bool);

impl<'a> Received<'a> {
    /// Returns a response whose drift is not reported, of an operation that declares all responses.
    pub(crate) fn new(
        status: StatusCode,
        headers: &'a HeaderMap,
        body: &'a Bytes,
        operation: &'static Operation,
    ) -> Self {
        let (declared, drift, event, line, viewer) = (Declared::ANY, None, None, 0, None);
        Self { status, headers, body, operation, declared, drift, event, line, viewer }
    }

    pub(crate) fn show<T: Model>(&self, value: Option<&T>) {
        match (self.viewer, value) {
            (Some(viewer), Some(value)) => viewer(value, true),
            (Some(viewer), None) => viewer(&T::default(), false),
            (None, _) => {}
        }
    }
}

impl Received<'_> {
    /// Returns the status.
    #[inline]
    pub fn status(&self) -> u16 {
        self.status.as_u16()
    }

    /// Decodes a JSON body, and reports its drift.
    ///
    /// # Errors
    ///
    /// Fails if the body does not have the type, and with drift if the client is strict.
    pub fn json<T: Model>(&self) -> Result<T, Error> {
        self.check_media(true)?;
        let decoded: Result<T, _> = drift::decode(self.body, self.operation, self.drift);
        self.show(decoded.as_ref().ok());
        decoded.map_err(|error| self.undecodable(&error.to_string(), "JSON").with_source(error))
    }

    /// Decodes a text in the charset of its media type.
    ///
    /// # Errors
    ///
    /// Fails if the body is not text in this charset, or the charset is not supported.
    pub fn text(&self) -> Result<String, Error> {
        if self.event.is_some() {
            let text = str::from_utf8(self.body).map(str::to_owned);
            return text.map_err(|_| self.undecodable("the message is not UTF-8", "text"));
        }
        self.check_coding()?;
        self.check_media(false)?;
        let media_type = self.media_type().unwrap_or_default();
        charset::decode(self.body, media_type).map_err(|why| self.undecodable(&why, "text"))
    }

    /// Returns the body.
    ///
    /// # Errors
    ///
    /// Fails if the body has a content coding that was not decoded.
    pub fn bytes(&self) -> Result<Bytes, Error> {
        self.check_coding()?;
        self.check_media(false)?;
        Ok(self.body.clone())
    }

    /// Returns a response with a status that the spec does not describe, and reports that.
    ///
    /// # Errors
    ///
    /// Fails if the client is strict.
    pub fn other(&self) -> Result<RawReply, Error> {
        self.check_status()?;
        Ok(RawReply { status: self.status, headers: self.headers.clone(), body: self.body.clone() })
    }

    /// Returns the name of an event.
    pub fn event(&self) -> &str {
        self.event.unwrap_or_default()
    }

    /// Returns the data of an event whose name the spec does not describe, and reports that.
    ///
    /// # Errors
    ///
    /// Fails if the client is strict.
    pub fn unknown_event(&self) -> Result<String, Error> {
        if drift::report(DriftKind::UnknownEvent, self.event(), self.operation, self.drift) {
            return Err(self.fault(format!("the spec describes no event `{}`", self.event())));
        }
        self.text()
    }

    /// Checks that the spec declares the status without a body. Another one is drift.
    pub(super) fn check_empty(&self) -> Result<(), Error> {
        let is_declared = self.declared.empty.is_empty() || lists(self.declared.empty, self.status);
        if is_declared { Ok(()) } else { self.check_status() }
    }

    /// Reports a status that the spec does not describe, which is an error for a strict client.
    fn check_status(&self) -> Result<(), Error> {
        let (kind, name) = (DriftKind::UnknownStatus, self.status.as_str());
        let is_error = drift::report(kind, name, self.operation, self.drift);
        if is_error { Err(self.undescribed()) } else { Ok(()) }
    }

    /// Checks that the spec declares a body for the status. Another one is drift, and an error.
    pub(crate) fn described(&self) -> Result<&Self, Error> {
        let Declared { statuses, .. } = self.declared;
        let is_declared = statuses.is_empty() || lists(statuses, self.status);
        if !is_declared {
            self.check_status()?;
            return Err(self.undescribed());
        }
        Ok(self)
    }

    /// Checks that the spec declares the media type. Another one is drift. It is an error if HTML is read as anything but
    /// text, or another body as events; JSON shows itself whether it is.
    pub(crate) fn check_media(&self, is_json: bool) -> Result<(), Error> {
        let accept = self.declared.accept.unwrap_or("application/json");
        let name = self.media_type().map(charset::essence).filter(|_| self.event.is_none());
        let Some(name) = name.filter(|name| !charset::accepts(accept, name)) else { return Ok(()) };
        let is_page = name.contains("html") && !accept.contains("text/") && !accept.contains("xml");
        let is_refused = is_page && !is_json || accept.starts_with("text/event-stream");
        if drift::report(DriftKind::UnknownMediaType, name, self.operation, self.drift)
            || is_refused
        {
            return Err(self.fault(format!("the response is `{name}`, not `{accept}`")));
        }
        Ok(())
    }

    /// Returns whether the response has no body.
    pub(super) fn is_empty(&self) -> bool {
        // These statuses have no content (RFC 9110, sections 15.3.5 and 15.3.6), or that of a page for people.
        self.body.is_empty()
            || self.status.is_redirection()
            || matches!(self.status, StatusCode::NO_CONTENT | StatusCode::RESET_CONTENT)
    }

    #[cold]
    fn undescribed(&self) -> Error {
        self.fault(format!("the spec describes no response with the status {}", self.status()))
    }

    /// Checks that the body is the content, or has the range of the part that was requested.
    pub(crate) fn check_part(&self, is_requested: bool) -> Result<(), Error> {
        let part = ContentRange::read(self.operation, self.status, self.headers, is_requested);
        let length = u64::try_from(self.body.len()).ok();
        part.and_then(|part| part.map_or(Ok(()), |part| part.check(length)))
            .map_err(|why| self.fault(why))
    }

    /// Checks that the body is the content, not encoded (RFC 9110, section 8.4).
    fn check_coding(&self) -> Result<(), Error> {
        let coding = charset::undecoded(self.headers).filter(|_| !self.body.is_empty());
        coding.map_or(Ok(()), |coding| Err(self.fault(coding)))
    }

    #[cold]
    fn undecodable(&self, why: &str, expected: &str) -> Error {
        let message = match (self.media_type(), charset::undecoded(self.headers)) {
            _ if self.body.is_empty() => "the body is empty".to_owned(),
            (_, Some(coding)) => coding,
            // The media type of a stream is not that of its messages.
            (Some(name), None)
                if expected == "JSON" && !name.contains("json") && self.event.is_none() =>
            {
                format!("{why} (the response is `{name}`, not {expected})")
            }
            _ => why.to_owned(),
        };
        self.fault(message)
    }

    fn fault(&self, mut message: String) -> Error {
        if self.line > 0 {
            message = format!("line {} of the reply: {message}", self.line);
        }
        Error::new(ErrorKind::Decode).with_message(message).with_response(
            self.status,
            self.headers.clone(),
            self.body.clone(),
        )
    }

    pub(super) fn media_type(&self) -> Option<&str> {
        charset::media_type(self.headers)
    }
}

impl fmt::Debug for Received<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Received").field("status", &self.status()).finish_non_exhaustive()
    }
}
