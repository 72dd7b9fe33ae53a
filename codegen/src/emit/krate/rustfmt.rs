//! `rustfmt.toml`.

use crate::emit::SourceFile;
use crate::emit::rust::print;

/// Writes `rustfmt.toml`, which keeps `cargo fmt` away from emitted code.
pub fn file() -> SourceFile {
    let header = print::header("krate/rustfmt.rs", "#");
    SourceFile {
        path: "rustfmt.toml".to_owned(),
        text: format!("{header}\ndisable_all_formatting = true\n"),
    }
}
