//! `rustfmt.toml`.

use crate::emit::Emitted;

/// Writes `rustfmt.toml`, which keeps `cargo fmt` away from emitted code.
pub fn file() -> Emitted {
    Emitted {
        path: "rustfmt.toml".to_owned(),
        emitters: "krate/rustfmt.rs".to_owned(),
        text: "\ndisable_all_formatting = true\n".to_owned(),
    }
}
