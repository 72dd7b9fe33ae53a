//! The file of the overlay that corrects the spec.

use std::fs;
use std::path::{Path, PathBuf};

use ::codegen::diagnostics::Diagnostics;
use ::codegen::{Node, Source, parse};

use commands::host::exit::{Context, Exit, Failure, Fallible};
use commands::host::write::{TextFile, has_crlf};

/// A file that may be written: it is new, or its changes are the last of the spec that the traffic was compared with.
pub struct OverlayFile<'p> {
    pub path: &'p Path,
    file: TextFile,
}

impl<'p> OverlayFile<'p> {
    /// Fails if a file exists that is not the last of the overlays that are applied: later ones could hide its changes.
    pub fn find(path: &'p Path, applied: &[PathBuf]) -> Fallible<Self> {
        let file = TextFile::read(path, Exit::InvalidSpec)?;
        if file.before.is_none() {
            return Ok(Self { path, file });
        }
        let own = fs::canonicalize(path).context("read", path)?;
        let is_own = |other: &PathBuf| fs::canonicalize(other).is_ok_and(|other| other == own);
        if applied.last().is_some_and(is_own) {
            return Ok(Self { path, file });
        }
        if applied.iter().any(is_own) {
            let reason = "other overlays are applied after it";
            return Err(Failure::at("extend", path, reason).help(
                "name the last one of `overlays` of codegen.toml, or a new file to add at its end",
            ));
        }
        let reason = "it exists, and is not one of the overlays that are applied";
        Err(Failure::at("write", path, reason).help(
            "name a new file, or delete this one; changes are added to the last file in `overlays` of codegen.toml",
        ))
    }

    /// Writes an overlay, or adds its changes.
    pub fn write(&self, overlay: &str) -> Fallible {
        let text = match &self.file.before {
            None => overlay.to_owned(),
            Some(before) => appended(before, overlay).ok_or_else(|| {
                let reason = "its `actions` are not a list without indentation at its end";
                Failure::at("extend", self.path, reason)
                    .help("name a new file, and add it to `overlays` of codegen.toml")
            })?,
        };
        self.file.stage(&text)?.commit()
    }
}

/// Returns an overlay with the actions of another one after its own, or `None` if they do not fit there.
fn appended(before: &str, new: &str) -> Option<String> {
    if has_crlf(before) {
        return Some(appended(&before.replace('\r', ""), new)?.replace('\n', "\r\n"));
    }
    let (_, actions) = new.split_once("\nactions:\n")?;
    let text = format!("{}\n{actions}", before.trim_end());
    let [old, added, all] = [before, new, &text].map(|text| {
        let source = Source { name: String::new(), text: text.to_owned() };
        parse(&source, &mut Diagnostics::new())
    });
    let list = |node: &Node| node.get("actions")?.as_array().map(<[Node]>::to_vec);
    let expected = [list(&old?)?, list(&added?)?].concat();
    (list(&all?)? == expected).then_some(text)
}
