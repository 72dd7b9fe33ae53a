//! A file of an emitted crate.

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The path below the crate's folder, with `/` between its parts.
    pub path: String,
    /// The whole text.
    pub text: String,
}
