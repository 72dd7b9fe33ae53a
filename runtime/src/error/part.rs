//! Parts of replies in files.

use std::path::{Path, PathBuf};

/// The beginning of a reply, which an interrupted [`save`](crate::ByteStream::save) kept in a file.
/// [`resume`](crate::Opening::resume) continues it.
///
/// The next `save` to the same path from the first byte removes it on Unix. Remove it with `std::fs::remove_file` if
/// neither of both follows. A program that is restarted continues it with [`resume_at`](crate::Opening::resume_at) and
/// [`if_unchanged`](crate::Opening::if_unchanged), saves to the path of the part, and renames the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub(crate) path: PathBuf,
    pub(crate) length: u64,
    pub(crate) validator: String,
}

impl Part {
    /// Returns the path of the file, which is in the folder of the one that was to be saved.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of bytes, from the first one of the content on.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Returns the version of the content, as [`ByteStream::validator`](crate::ByteStream::validator) does.
    pub fn validator(&self) -> &str {
        &self.validator
    }
}
