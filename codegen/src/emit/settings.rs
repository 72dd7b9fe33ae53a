//! The settings of an emitted crate.

use std::collections::BTreeMap;

/// What the spec does not say about the crate that is emitted.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The name of the package.
    pub package: String,
    /// The version of the package.
    pub version: String,
    /// Other keys of `[package]` in the manifest, with their values in TOML.
    pub metadata: Vec<(String, String)>,
    /// How the package depends on the runtime: a value in TOML.
    pub runtime: String,
    /// The prefix of the environment variables that the client reads; derived from the package's name if not given.
    pub env_prefix: Option<String>,
    /// Names that replace those that the document would give, by the JSON pointer of what they name.
    pub renames: BTreeMap<String, String>,
    /// Whether operations that need something with errors are left out, so that the rest is written.
    pub keep_going: bool,
    /// Old paths of types and methods below the crate's root, with the new ones: they are emitted as deprecated aliases.
    pub aliases: BTreeMap<String, String>,
    /// Whether the package is a workspace of its own rather than a member of one.
    pub standalone: bool,
}

impl Settings {
    /// Returns the name of the library: the package's as Rust writes it.
    pub(crate) fn library(&self) -> String {
        self.package.replace('-', "_")
    }
}
