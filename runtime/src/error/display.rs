//! Errors as sentences.

use std::error::Error as StdError;
use std::fmt;

use super::{Error, ErrorKind, Inner, text};

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        if let Some(operation) = inner.operation {
            write!(
                f,
                "{}: {} {} failed: ",
                operation.id, operation.method, operation.path
            )?;
        }
        what(inner, f)?;
        if inner.attempts > 1 {
            write!(f, " after {} attempts", inner.attempts)?;
        }
        if let Some(id) = self.request_id() {
            write!(f, " (request id {id})")?;
        }
        if let Some(message) = &inner.message {
            write!(f, ": {message}")?;
        } else if let Some(root) = root_cause(inner) {
            write!(f, ": {}", text::clip(&root.to_string()))?;
        }
        if inner.kind == ErrorKind::Status
            && let Some(said) = text::of_body(&inner.headers, &inner.body)
        {
            write!(f, ": {said}")?;
        }
        Ok(())
    }
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
            ErrorKind::Status => "the server refused",
            ErrorKind::Redirect => "the server redirected",
            ErrorKind::Decode => "the response cannot be read",
            ErrorKind::TooLarge => "the response is too large",
            ErrorKind::Paging => "paging does not end",
            ErrorKind::Blocking => "a blocking call cannot be made here",
        }),
    }
}

/// Returns the innermost cause, which says what the layers above it only pass on.
fn root_cause(inner: &Inner) -> Option<&(dyn StdError + 'static)> {
    let mut cause: &(dyn StdError + 'static) = inner.source.as_deref()?;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    Some(cause)
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        let mut shown = f.debug_struct("Error");
        shown.field("kind", &inner.kind);
        if let Some(operation) = inner.operation {
            shown.field("operation", &operation.id);
        }
        if let Some(status) = inner.status {
            shown.field("status", &status.as_u16());
        }
        if inner.attempts > 0 {
            shown.field("attempts", &inner.attempts);
        }
        shown.field("message", &format_args!("{:?}", self.to_string()));
        if let Some(source) = &inner.source {
            shown.field("source", source);
        }
        shown.finish_non_exhaustive()
    }
}
