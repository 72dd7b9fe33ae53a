//! Errors as text.

use std::error::Error as StdError;
use std::fmt;

use http::header;

use super::{Error, ErrorKind, ErrorParts, text};
use crate::secrets::Withheld;

/// Maximum length of a path that is shown with its values, in bytes.
const MAX_PATH: usize = 512;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        if let Some(operation) = inner.operation {
            write!(f, "{}: {} ", operation.id, operation.method)?;
            match &inner.path {
                Some(path) if path.len() <= MAX_PATH => {
                    let withheld = inner.withheld.as_ref();
                    let path = withheld.map_or((&**path).into(), |it| it.redact_secrets(path));
                    write!(f, "{} failed: ", text::clip(&path))?;
                }
                _ => write!(f, "{} failed: ", operation.path)?,
            }
        }
        what(inner, f)?;
        if inner.attempts > 1 {
            write!(f, " after {} attempts", inner.attempts)?;
        }
        if let Some(id) = self.request_id() {
            write!(f, " (request id {})", redacted(inner, id))?;
        }
        if let Some(message) = &inner.message {
            // Other messages have no texts of the server.
            let message = match (inner.kind, &inner.withheld) {
                (ErrorKind::Decode, _) => redacted(inner, message),
                (ErrorKind::Auth | ErrorKind::Paging, Some(withheld)) => {
                    text::clip(&withheld.redact_secrets(message))
                }
                _ => text::clip(message),
            };
            write!(f, ": {message}")?;
        }
        if let Some(root) = root_cause(inner) {
            write!(f, ": {}", redacted(inner, &root))?;
        }
        if inner.kind == ErrorKind::Status
            && inner.is_whole
            && let Some(message) = text::body_message(&inner.headers, &inner.body)
        {
            write!(f, ": {}", redacted(inner, &message))?;
        }
        if let Some(reason) = inner.not_retried {
            write!(f, " (not retried: {reason})")?;
        }
        Ok(())
    }
}

/// Returns a text without what the request withholds, clipped afterwards: a clipped secret would not
/// be recognized.
fn redacted(inner: &ErrorParts, text: &str) -> String {
    let redact = match inner.kind {
        ErrorKind::Decode => Withheld::redact_except_names,
        _ => Withheld::redact,
    };
    let nothing = Withheld::default();
    text::clip(&redact(inner.withheld.as_ref().unwrap_or(&nothing), text))
}

fn what(inner: &ErrorParts, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match (inner.kind, inner.status) {
        (ErrorKind::Status, Some(status)) => write!(f, "HTTP {status}"),
        (ErrorKind::Redirect, Some(status)) => {
            write!(f, "redirect with HTTP {status} is not followed")?;
            match inner.headers.get(header::LOCATION) {
                Some(target) => {
                    let target = String::from_utf8_lossy(target.as_bytes());
                    let path = target.split(['?', '#']).next().unwrap_or_default();
                    write!(f, " to `{}`", redacted(inner, path))
                }
                None => Ok(()),
            }
        }
        (kind, _) => f.write_str(kind.description()),
    }
}

/// Returns the innermost cause, unless the message contains it. Those between add little.
fn root_cause(inner: &ErrorParts) -> Option<String> {
    let root = causes(inner).last()?.to_string();
    let is_repeated = inner.message.as_ref().is_some_and(|message| message.contains(&root));
    (!is_repeated).then_some(root)
}

fn causes(inner: &ErrorParts) -> impl Iterator<Item = &(dyn StdError + 'static)> {
    let first = inner.source.as_deref().map(|cause| cause as &(dyn StdError + 'static));
    std::iter::successors(first, |&cause| cause.source())
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
        if inner.source.is_some() {
            // As text: the `Debug` of a cause could show secrets.
            let causes: Vec<_> = causes(inner).map(ToString::to_string).collect();
            debug.field("source", &redacted(inner, &causes.join(": ")));
        }
        debug.finish_non_exhaustive()
    }
}
