//! Responses before they are decoded.

use std::fmt;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use super::part::ContentRange;
use super::raw::RawReply;
use crate::client::drift::{self, DriftHook};
use crate::error::operation::Operation;
use crate::error::{Error, ErrorKind};
use crate::wire::charset;
use crate::wire::{DriftKind, Model, Wire};

/// A successful response before it is decoded.
#[derive(Clone, Copy)]
pub struct Received<'a> {
    pub(crate) status: StatusCode,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) body: &'a Bytes,
    pub(crate) operation: &'static Operation,
    /// The statuses that have the body, as in the spec; none if all successful ones have it.
    pub(crate) statuses: &'static [u16],
    pub(crate) drift: Option<&'a DriftHook>,
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
    /// Returns a response whose drift is not reported, and all statuses of which have the body.
    pub(crate) fn new(
        status: StatusCode,
        headers: &'a HeaderMap,
        body: &'a Bytes,
        operation: &'static Operation,
    ) -> Self {
        let statuses = &[];
        let (drift, event, line, viewer) = (None, None, 0, None);
        Self { status, headers, body, operation, statuses, drift, event, line, viewer }
    }

    /// Shows a value of JSON.
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
        Ok(self.body.clone())
    }

    /// Returns a response with a status that the spec does not describe, and reports that.
    ///
    /// # Errors
    ///
    /// Fails if the client is strict.
    pub fn other(&self) -> Result<RawReply, Error> {
        if self.report_status() {
            return Err(self.undescribed());
        }
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

    /// Reports a status that the spec does not describe, and returns whether that is an error.
    fn report_status(&self) -> bool {
        drift::report(DriftKind::UnknownStatus, self.status.as_str(), self.operation, self.drift)
    }

    /// Returns whether the spec declares a body for the status.
    pub(super) fn is_described(&self) -> bool {
        self.statuses.is_empty() || self.statuses.contains(&self.status())
    }

    /// Returns whether the response has no body.
    pub(super) fn is_empty(&self) -> bool {
        // These statuses have no content (RFC 9110, sections 15.3.5 and 15.3.6).
        self.body.is_empty()
            || matches!(self.status, StatusCode::NO_CONTENT | StatusCode::RESET_CONTENT)
    }

    /// Reports a status that the spec does not describe, and returns the error.
    #[cold]
    pub(super) fn refuse(&self) -> Error {
        self.report_status();
        self.undescribed()
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
        let is_expected = |name: &str| name.contains("json") || expected != "JSON";
        let message = match (self.media_type(), charset::undecoded(self.headers)) {
            _ if self.body.is_empty() => "the body is empty".to_owned(),
            (_, Some(coding)) => coding,
            // The media type of a stream is not that of its messages.
            (Some(name), None) if !is_expected(name) && self.event.is_none() => {
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
