//! From the IR to the files of a crate. Emitters cannot fail, and do not decide names or types.
//!
//! There is one file per emitter; [`emit`] calls them all. The first line of an emitted file names its emitter.

mod krate;
mod operations;
mod rust;
mod source_file;
mod types;

use crate::ir::Api;
use crate::parallel;
use crate::settings::Settings;
pub use krate::agents::file as agents;
use krate::{client, crate_root, manifest, readme, rustfmt, servers};
use operations::resources;
pub use rust::names::{crates_of, is_identifier};
pub use source_file::SourceFile;
use source_file::{Emitted, Emitter};
pub use types::rules::rows as union_rules;
use types::usage::Usage;
use types::{models, modules};

/// Emits a whole crate, on all cores.
pub fn emit(api: &Api, settings: &Settings) -> Vec<SourceFile> {
    let usage = Usage::new(api);
    let mut emitters: Vec<Emitter<'_>> = vec![
        Box::new(|| manifest::file(api, &usage, settings)),
        Box::new(|| readme::file(api, settings)),
        Box::new(rustfmt::file),
        Box::new(|| crate_root::file(api, &usage, settings)),
        Box::new(|| client::file(api, settings)),
    ];
    emitters.extend(servers::emitter(api));
    // The largest files first: no core is left with one at the end.
    emitters.extend(resources::emitters(api, &usage, settings));
    emitters.extend(models::emitters(api, &usage));
    emitters.extend(modules::emitters(api, &usage));
    parallel::map(&emitters, |emitter| emitter().finish(&settings.command))
}
