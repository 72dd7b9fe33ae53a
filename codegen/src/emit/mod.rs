//! From the IR to the files of a crate. Pure and total: nothing here can fail, and nothing here decides a name or a type.
//!
//! One file per emitter; [`emit`] is the list of them. To change what an emitted file looks like, edit the emitter that
//! the file's first line names.

mod krate;
mod operations;
mod rust;
mod settings;
mod source_file;
mod types;

use crate::ir::Api;
use krate::{client, crate_root, manifest, readme, rustfmt};
use operations::resources;
pub use settings::Settings;
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
    files.sort_by(|left, right| left.path.cmp(&right.path));
    files
}
