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
#[derive(Clone)]
pub struct RequestBody(Stored);

#[derive(Clone)]
enum Stored {
    Bytes(Bytes),
    /// Contents one after the other.
    Sources(Arc<[BodyPart]>),
}

impl RequestBody {
    /// Returns a body of contents one after the other.
    pub(crate) fn new(sources: Vec<BodyPart>) -> Self {
        if let [BodyPart::Bytes(bytes)] = &*sources {
            return Self::from(bytes.clone());
        }
        let parts: Option<Vec<&[u8]>> = sources.iter().map(BodyPart::as_bytes).collect();
        let Some(parts) = parts else { return Self(Stored::Sources(sources.into())) };
        Self::from(parts.concat())
    }

    /// Returns the bytes, unless the body is read while it is sent.
    pub fn as_bytes(&self) -> Option<&Bytes> {
        match &self.0 {
            Stored::Bytes(bytes) => Some(bytes),
            Stored::Sources(_) => None,
        }
    }

    /// Returns the length in bytes, if it is known.
    pub fn length(&self) -> Option<u64> {
        match &self.0 {
            Stored::Bytes(bytes) => bytes.len().try_into().ok(),
            Stored::Sources(sources) => total(sources),
        }
    }

    /// Returns whether the body can be sent from its beginning: none of its streams was sent before.
    pub fn is_replayable(&self) -> bool {
        match &self.0 {
            Stored::Bytes(_) => true,
            Stored::Sources(sources) => sources.iter().all(BodyPart::is_readable),
        }
    }

    /// Returns the bytes, or reads the contents.
    pub(crate) fn read(self) -> Result<Bytes, Reader> {
        match self.0 {
            Stored::Bytes(bytes) => Ok(bytes),
            Stored::Sources(sources) => Err(Reader::new(sources)),
        }
    }

    /// Looks up the lengths of files, and checks the length: a client does not read a body of 0 bytes.
    pub(crate) async fn measured(self) -> Result<Self, ReadError> {
        let Stored::Sources(sources) = &self.0 else { return Ok(self) };
        #[cfg(feature = "fs")]
        let sources = &with_lengths(sources).await?;
        match total(sources) {
            Some(0) => {
                let mut reader = Reader::new(Arc::clone(sources));
                let first = poll_fn(|context| reader.poll_chunk(context)).await.transpose();
                first.map(|_| Self::default())
            }
            None if sources.iter().all(|source| source.length().is_some()) => {
                Err(BoxError::from("its length exceeds 64 bits").into())
            }
            _ => Ok(Self(Stored::Sources(Arc::clone(sources)))),
        }
    }
}

/// Returns the length of all contents in bytes, if it is known and fits.
fn total(sources: &[BodyPart]) -> Option<u64> {
    sources.iter().try_fold(0_u64, |total, source| total.checked_add(source.length()?))
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
        Self(Stored::Bytes(bytes.into()))
    }
}

impl Default for RequestBody {
    fn default() -> Self {
        Self::from(Bytes::new())
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
