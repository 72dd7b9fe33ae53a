//! Bodies of requests.

use std::fmt;
use std::future::poll_fn;
use std::sync::Arc;

use bytes::Bytes;

use super::reader::{ReadError, Reader};
use super::source::BodyPart;
use crate::time::future::BoxError;

/// The body of a request: bytes, or content that is read while it is sent.
///
/// A clone is the same body. Bytes and files can be sent any number of times, a stream once.
#[derive(Clone, Default)]
pub struct RequestBody(
    /// Contents one after the other. If all are in memory, there is at most one.
    Arc<[BodyPart]>,
);

impl RequestBody {
    /// Returns a body of contents one after the other.
    pub(crate) fn new(sources: Vec<BodyPart>) -> Self {
        let parts: Option<Vec<&[u8]>> = sources.iter().map(BodyPart::as_bytes).collect();
        match parts {
            Some(parts) if parts.len() != 1 => Self::from(parts.concat()),
            _ => Self(sources.into()),
        }
    }

    /// Returns the bytes, unless the body is read while it is sent.
    pub fn as_bytes(&self) -> Option<&Bytes> {
        static NOTHING: Bytes = Bytes::new();
        match &*self.0 {
            [] => Some(&NOTHING),
            [BodyPart::Bytes(bytes)] => Some(bytes),
            _ => None,
        }
    }

    /// Returns the length in bytes, if it is known.
    pub fn length(&self) -> Option<u64> {
        self.0.iter().try_fold(0_u64, |total, source| total.checked_add(source.length()?))
    }

    /// Returns whether the body can be sent from its beginning: none of its streams was sent before.
    pub fn is_replayable(&self) -> bool {
        self.0.iter().all(BodyPart::is_readable)
    }

    pub(crate) fn read(self) -> Result<Bytes, Reader> {
        let bytes = self.as_bytes().cloned();
        bytes.ok_or_else(|| Reader::new(self.0))
    }

    /// Looks up the lengths of files, and checks the length: a client does not read a body of 0 bytes.
    pub(crate) async fn measured(self) -> Result<Self, ReadError> {
        if self.as_bytes().is_some() {
            return Ok(self);
        }
        let sources = self.0;
        #[cfg(feature = "fs")]
        let sources = with_lengths(&sources).await?;
        let body = Self(sources);
        match body.length() {
            Some(0) => {
                let mut reader = Reader::new(body.0);
                let first = poll_fn(|context| reader.poll_chunk(context)).await.transpose();
                first.map(|_| Self::default())
            }
            None if body.0.iter().all(|source| source.length().is_some()) => {
                Err(BoxError::from("its length exceeds 64 bits").into())
            }
            _ => Ok(body),
        }
    }
}

#[cfg(feature = "fs")]
async fn with_lengths(sources: &[BodyPart]) -> Result<Arc<[BodyPart]>, ReadError> {
    let mut measured = sources.to_vec();
    for source in &mut measured {
        if let BodyPart::Path(location, length) = source {
            *length = location.length().await.map_err(BoxError::from)?;
        }
    }
    Ok(measured.into())
}

impl<T: Into<Bytes>> From<T> for RequestBody {
    fn from(bytes: T) -> Self {
        Self([BodyPart::Bytes(bytes.into())].into())
    }
}

/// Shows the length, and not the content, which can be secret.
impl fmt::Debug for RequestBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.length() {
            Some(length) => write!(f, "RequestBody({length} bytes)"),
            None => f.write_str("RequestBody(stream)"),
        }
    }
}
