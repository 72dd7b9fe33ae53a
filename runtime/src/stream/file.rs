//! Replies as files.

use std::io;
use std::path::Path;

use http::StatusCode;
use tokio::task::spawn_blocking;

use super::bytes::ByteStream;
use crate::error::operation::has_no_content;
use crate::error::part::Part;
use crate::error::{Error, ErrorKind};
use crate::stream::draft::Draft;

impl ByteStream {
    /// Writes the rest of the body to a file, and returns the number of bytes. The file appears when it is complete: until
    /// then its content is in a temporary file in the same folder, which dropping the future removes. A file that is
    /// replaced keeps its permissions. What a killed process left is removed when the same file is saved again, on Unix.
    ///
    /// If the body breaks off or takes too long, and the reply has a [`validator`](Self::validator), the temporary file
    /// is kept, and [`Error::part`] returns what continues it. Other errors remove it.
    ///
    /// After [`resume_at`](crate::Opening::resume_at), the rest is appended to the file, which must have the bytes before
    /// it; bytes after them are removed first. It is written in place: what was appended before an error remains.
    ///
    /// A symbolic link stays, and the file behind it is written. Everything else that is not a regular file, such as a
    /// pipe, a device, a folder or a link to nothing, is refused. A response without content, such as 204, changes no
    /// file; only an empty one with the status 200 makes an empty file.
    ///
    /// # Errors
    ///
    /// Fails as [`try_next`](Self::try_next) does, with [`ErrorKind::File`] if the file cannot be written, such as on a
    /// full disk, and with [`ErrorKind::Decode`] if the response has no content.
    pub async fn save(self, path: impl AsRef<Path> + Send) -> Result<u64, Error> {
        save(self, path.as_ref()).await
    }

    /// Returns the number of bytes of the content up to here. `None` in a range that the program has set itself.
    fn position(&self) -> Option<u64> {
        match self.continued.start {
            Some(start) => start.checked_add(self.received),
            None => (self.status() != StatusCode::PARTIAL_CONTENT).then_some(self.received),
        }
    }

    /// Returns whether a body without bytes is a content without bytes.
    fn may_be_empty(&self) -> bool {
        let status = self.reply.received.status;
        // The others say something else than what the content is (RFC 9110, section 15.3).
        matches!(status.as_u16(), 200 | 203 | 206)
            && !has_no_content(self.reply.call.operation.method, status)
    }
}

async fn save(mut body: ByteStream, path: &Path) -> Result<u64, Error> {
    let fault = |body: &ByteStream, error: io::Error| {
        let message = format!("`{}` cannot be written", path.display());
        body.reply.located(Error::new(ErrorKind::File).with_message(message).with_source(error))
    };
    let begun = body.received;
    let continued = body.continued.start.filter(|start| *start > 0).and_then(|_| body.position());
    let (part, target) = (body.continued.path.take(), path.to_owned());
    // If this future is dropped meanwhile, so is what the closure returns.
    let draft = spawn_blocking(move || match continued {
        Some(length) => Draft::reopen(part, &target, length),
        None => Draft::create(&target),
    });
    let draft = draft.await.unwrap_or_else(|error| Err(error.into()));
    let mut draft = draft.map_err(|error| fault(&body, error))?;
    loop {
        match body.try_next().await {
            Ok(Some(piece)) => draft.write(&piece).await.map_err(|error| fault(&body, error))?,
            Ok(None) => break,
            Err(error) => {
                let is_beginning = draft.length > 0 && body.position() == Some(draft.length);
                let version = body.validator().filter(|_| is_beginning).map(str::to_owned);
                return Err(keep(draft, version, error).await);
            }
        }
    }
    if body.received == 0 && !body.may_be_empty() {
        return Err(body.reply.fault(ErrorKind::Decode, "the response has no content"));
    }
    draft.complete().await.map_err(|error| fault(&body, error))?;
    Ok(body.received - begun)
}

/// Keeps what was received before an error, if it has a version by which it can be continued.
async fn keep(draft: Draft, version: Option<String>, mut error: Error) -> Error {
    let length = draft.length;
    let Some(validator) = version else { return error };
    error.0.part = draft.keep().await.ok().map(|path| Part { path, length, validator });
    error
}
