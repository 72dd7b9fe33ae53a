//! Errors as sentences.

use std::error::Error as StdError;
use std::fmt;

use super::{Error, ErrorKind, Inner, text};
use crate::redact::mask;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        if let Some(operation) = inner.operation {
            write!(f, "{}: {} {} failed: ", operation.id, operation.method, operation.path)?;
        }
        what(inner, f)?;
        if inner.attempts > 1 {
            write!(f, " after {} attempts", inner.attempts)?;
        }
        if let Some(id) = self.request_id() {
            write!(f, " (request id {})", shown(inner, id))?;
        }
        if let Some(message) = &inner.message {
            write!(f, ": {}", text::clip(message))?;
        }
        if let Some(root) = root_cause(inner) {
            write!(f, ": {}", shown(inner, &root))?;
        }
        if inner.kind == ErrorKind::Status
            && let Some(said) = text::of_body(&inner.headers, &inner.body)
        {
            write!(f, ": {}", shown(inner, &said))?;
        }
        Ok(())
    }
}

/// Returns a text that may come from the server as it can be shown: without the credential of the
/// request, and not too long. A part of the credential would stay if it were made shorter first.
fn shown(inner: &Inner, text: &str) -> String {
    // A header can hold more than ASCII. What is not UTF-8 is in no text.
    let credential =
        inner.credential.as_ref().and_then(|value| str::from_utf8(value.as_bytes()).ok());
    // After the scheme, such as `Bearer` (RFC 9110, section 11.4). Servers trim what they repeat.
    let secret = credential.map(str::trim).map(|value| {
        value.split_once([' ', '\t']).map_or(value, |(_, secret)| secret.trim_start())
    });
    text::clip(&mask(text, secret.as_slice()))
}

fn what(inner: &Inner, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match (inner.kind, inner.status) {
        (ErrorKind::Status, Some(status)) => write!(f, "HTTP {status}"),
        (ErrorKind::Redirect, Some(status)) => write!(f, "HTTP {status} is not followed"),
        (kind, _) => f.write_str(match kind {
            ErrorKind::Config => "the client is not configured right",
            ErrorKind::Request => "the request cannot be sent",
            ErrorKind::Auth => "no access token could be had",
            ErrorKind::Connect => "could not connect",
            ErrorKind::Timeout => "timed out",
            ErrorKind::Interrupted => "the exchange broke off",
            ErrorKind::Unprocessed => "the server turned the request away unprocessed",
            ErrorKind::Status => "the server refused",
            ErrorKind::Redirect => "the server redirected",
            ErrorKind::Decode => "the response cannot be read",
            ErrorKind::TooLarge => "the response is too large",
            ErrorKind::Paging => "paging does not end",
            ErrorKind::Blocking => "a blocking call cannot be made here",
        }),
    }
}

/// Returns the innermost cause, which says what the layers above it only pass on; unless the message
/// says it already, as all messages do but those of token sources.
fn root_cause(inner: &Inner) -> Option<String> {
    let mut cause: &(dyn StdError + 'static) = inner.source.as_deref()?;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let root = cause.to_string();
    match &inner.message {
        Some(message) if inner.kind != ErrorKind::Auth || message.contains(&root) => None,
        _ => Some(root),
    }
}

/// Returns the texts of a cause and of its causes: their `Debug` could show what the texts do not.
fn chain(cause: &(dyn StdError + 'static)) -> String {
    let mut text = cause.to_string();
    let mut next = cause.source();
    while let Some(cause) = next {
        text = format!("{text}: {cause}");
        next = cause.source();
    }
    text
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        let mut debug = f.debug_struct("Error");
        debug.field("kind", &inner.kind);
        if let Some(operation) = inner.operation {
            debug.field("operation", &operation.id);
        }
        if let Some(status) = inner.status {
            debug.field("status", &status.as_u16());
        }
        if inner.attempts > 0 {
            debug.field("attempts", &inner.attempts);
        }
        debug.field("message", &format_args!("{:?}", self.to_string()));
        if let Some(source) = &inner.source {
            debug.field("source", &shown(inner, &chain(source.as_ref())));
        }
        debug.finish_non_exhaustive()
    }
}
