//! From the IR to the files of a crate. Nothing here can fail, and nothing here decides a name or a type.
//!
//! There is one file per emitter; [`emit`] calls them all. To change an emitted file, edit the emitter that its first line
//! names.

mod krate;
mod operations;
mod rust;
mod settings;
mod source_file;
mod types;

use crate::ir::Api;
use krate::{client, crate_root, manifest, readme, rustfmt};
use operations::resources;
pub use rust::names::is_identifier;
pub use settings::Settings;
use source_file::Emitted;
pub use source_file::SourceFile;
use types::{models, modules};

/// Emits a whole crate.
pub fn emit(api: &Api, settings: &Settings) -> Vec<SourceFile> {
    let mut files = vec![
        manifest::file(api, settings),
        readme::file(api, settings),
        rustfmt::file(),
        crate_root::file(api, settings),
        client::file(api, settings),
    ];
    files.extend(models::files(api));
    files.extend(modules::files(api));
    files.extend(resources::files(api, &settings.library()));
    files.into_iter().map(|file| file.finish(&settings.command)).collect()
}
