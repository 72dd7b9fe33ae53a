//! From the IR to the files of a crate. Pure and total: nothing here can fail, and nothing here decides a name or a type.
//!
//! One file per emitter; [`emit`] is the list of them. To change what an emitted file looks like, edit the emitter that
//! the file's first line names.

mod krate;
mod operations;
mod rust;
mod types;
mod work;

use crate::ir::Api;
use krate::{client, crate_root, manifest, readme, rustfmt};
use operations::resources;
use types::{models, modules};

pub use work::{IN_TURN, Workers};

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The path below the crate's folder, with `/` between its parts.
    pub path: String,
    /// The whole text.
    pub text: String,
}

/// What the description does not say about the crate that is emitted.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The name of the package.
    pub package: String,
    /// The version of the package.
    pub version: String,
    /// How the package depends on the runtime: a value in TOML.
    pub runtime: String,
    /// The prefix of the environment variables that the client reads; derived from the package's name if not given.
    pub env_prefix: Option<String>,
    /// Whether the package is a workspace of its own rather than a member of one.
    pub standalone: bool,
}

/// Emits a whole crate; who does the work changes nothing of it.
pub fn emit(api: &Api, settings: &Settings, workers: Workers<'_>) -> Vec<SourceFile> {
    let mut sources = vec![client::file(api, settings)];
    sources.extend(models::files(api, workers));
    sources.extend(modules::files(api));
    sources.extend(resources::files(api, workers));
    let mut files = vec![
        manifest::file(api, settings),
        readme::file(api, settings),
        rustfmt::file(),
        crate_root::file(api, settings),
    ];
    files.extend(sources);
    files.sort_by(|left, right| left.path.cmp(&right.path));
    files
}
