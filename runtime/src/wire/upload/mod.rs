//! Content of requests other than JSON, from bytes, a file or a stream, and the bodies that contain it.

pub(crate) mod body;
#[cfg(feature = "fs")]
mod file;
pub(crate) mod reader;
pub(crate) mod source;

use std::fmt;

use bytes::Bytes;
use futures_core::Stream;

use self::source::{BodyPart, OneTime};
use crate::time::future::BoxError;

/// Content that a request sends as it is: the body of a request, or a file of a form.
///
/// It is made from bytes or text, from a path (feature `fs`), or from a stream:
///
/// ```
/// use openapi_bindings_runtime::Upload;
///
/// let logo = Upload::from(vec![0x89, b'P', b'N', b'G'])
///     .with_file_name("logo.png")
///     .with_content_type("image/png");
/// assert_eq!(logo.file_name(), Some("logo.png"));
/// ```
///
/// A request with bytes or a path can be sent again, so it is retried like any other. A stream is sent once: a
/// request with a stream is retried only as long as nothing has been read from the stream. A clone shares the stream.
#[derive(Clone, Default)]
pub struct Upload {
    pub(crate) source: BodyPart,
    file_name: Option<String>,
    content_type: Option<String>,
    /// The headers of the part of a form.
    pub(crate) headers: Vec<(String, String)>,
}

impl Upload {
    /// Returns content that is read from a stream while it is sent. An error of the stream ends the call.
    ///
    /// Without a [length](Self::with_length) the body is sent in chunks, which some servers do not accept.
    pub fn from_stream<E: Into<BoxError>>(
        stream: impl Stream<Item = Result<Bytes, E>> + Send + 'static,
    ) -> Self {
        BodyPart::OneTime(OneTime::new(stream)).into()
    }

    /// Returns the content of a file, which is opened for each attempt and read while it is sent. The file name is that
    /// of the path.
    ///
    /// What is not a regular file, such as a pipe or a device, has no length and can be read once: it is sent like a
    /// [stream](Self::from_stream).
    #[cfg(feature = "fs")]
    pub fn from_path(path: impl Into<std::path::PathBuf>) -> Self {
        let path = path.into();
        let file_name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let location = file::FileLocation::new(path);
        Self { file_name, ..BodyPart::Path(location.into(), None).into() }
    }

    /// Sets the length of a stream, in bytes. A stream that is longer or shorter fails the call.
    #[must_use]
    pub fn with_length(mut self, length: u64) -> Self {
        if let BodyPart::OneTime(stream) = &mut self.source {
            stream.length = Some(length);
        }
        self
    }

    /// Sets the file name, which forms send: `multipart/form-data`.
    #[must_use]
    pub fn with_file_name(mut self, name: impl Into<String>) -> Self {
        self.file_name = Some(name.into());
        self
    }

    /// Sets the media type, such as `image/png`, in place of the one in the spec. A body needs one if the spec has only a
    /// range, such as `image/*`.
    #[must_use]
    pub fn with_content_type(mut self, media_type: impl Into<String>) -> Self {
        self.content_type = Some(media_type.into());
        self
    }

    /// Adds a header of the part of a form: `multipart/form-data`. `Content-Type` and `Content-Disposition` have their own
    /// methods, and fail the call here.
    #[must_use]
    pub fn with_header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Returns the file name.
    pub fn file_name(&self) -> Option<&str> {
        self.file_name.as_deref()
    }

    /// Returns the media type.
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// Returns the content if it is in memory.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        self.source.as_bytes()
    }
}

impl From<BodyPart> for Upload {
    fn from(source: BodyPart) -> Self {
        Self { source, ..Self::default() }
    }
}

/// Implements the conversion from types that are bytes or text.
macro_rules! from_bytes {
    ($($type:ty: $bytes:ident => $source:expr;)+) => {$(
        impl From<$type> for Upload {
            fn from($bytes: $type) -> Self {
                BodyPart::Bytes($source).into()
            }
        }
    )+};
}

from_bytes! {
    Bytes: bytes => bytes;
    Vec<u8>: bytes => bytes.into();
    String: text => text.into();
    &[u8]: bytes => Bytes::copy_from_slice(bytes);
}

impl<const N: usize> From<&[u8; N]> for Upload {
    fn from(bytes: &[u8; N]) -> Self {
        Self::from(bytes.as_slice())
    }
}

impl From<&str> for Upload {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

/// The rest of an open file, which is read once.
#[cfg(feature = "fs")]
impl From<tokio::fs::File> for Upload {
    fn from(file: tokio::fs::File) -> Self {
        Self::from_stream(file::Chunks::new(file))
    }
}

/// Content in memory is equal by its bytes, files by their path, and streams if they are the same.
impl PartialEq for Upload {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
            && self.file_name == other.file_name
            && self.content_type == other.content_type
            && self.headers == other.headers
    }
}

/// Shows the length of the content in memory, and not the content.
impl fmt::Debug for Upload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut upload = f.debug_struct("Upload");
        upload.field("content", &self.source);
        if let Some(name) = &self.file_name {
            upload.field("file_name", name);
        }
        if let Some(media_type) = &self.content_type {
            upload.field("content_type", media_type);
        }
        upload.finish_non_exhaustive()
    }
}
