//! Marks on items that still compile but mean something else, in the copy of the emitted crate: deprecations, by which
//! rustc names the uses.

use std::collections::BTreeSet;

use ::codegen::SourceFile;

use crate::host::rustc::Message;
use crate::migrate::plan::{Kind, Mark};

/// The note of the deprecation, before the number of the headline.
const NOTE: &str = "changed ";

/// Returns the files of a crate with marks. Items that a macro of the runtime emits get none.
pub fn with_marks(files: &[SourceFile], marks: &BTreeSet<Mark>) -> Vec<SourceFile> {
    let mut files = files.to_vec();
    for mark in marks {
        let found = files.iter_mut().find_map(|file| {
            let at = mark.line(file)?;
            Some((file, at))
        });
        if let Some((file, at)) = found {
            let attribute = format!("#[deprecated(note = \"{NOTE}{}\")]\n", mark.headline);
            file.text.insert_str(at, &attribute);
        }
    }
    files
}

/// Returns the index of the headline of which a message names a use.
pub fn headline(message: &Message) -> Option<usize> {
    if message.code != "deprecated" {
        return None;
    }
    message.text.rsplit_once(": ")?.1.strip_prefix(NOTE)?.parse().ok()
}

/// Returns what a message about a mark names: "use of method `get`".
pub fn named(message: &Message) -> Option<String> {
    let (text, _) = message.text.rsplit_once(": ").filter(|_| headline(message).is_some())?;
    let (use_of, path) = text.split_once(" `")?;
    let name = path.trim_end_matches('`').rsplit("::").next()?;
    Some(format!("{} `{name}`", use_of.replace("deprecated ", "")))
}

impl Mark {
    /// Returns the start of the line that declares the item; `None` for an item with a deprecation of its own.
    fn line(&self, file: &SourceFile) -> Option<usize> {
        let (module, owner) = self.owner.rsplit_once("::").unwrap_or(("", &self.owner));
        let rest = file.path.strip_prefix("src/")?.strip_prefix(&module.replace("::", "/"))?;
        if rest.trim_start_matches('/').contains('/') {
            return None;
        }
        let mut is_inside = false;
        let mut is_deprecated = false;
        let mut at = 0;
        for line in file.text.split_inclusive('\n') {
            let code = line.trim();
            if !line.starts_with([' ', '\n', '#', '/', ')']) {
                let mut words = line.split([' ', '(', '<', ';', '\n']);
                is_inside = words.any(|word| word == owner) && code.ends_with('{');
            } else if is_inside && line.starts_with("    ") && self.declares(code) {
                return (!is_deprecated).then_some(at);
            }
            is_deprecated |= code.contains("deprecated") && !code.starts_with("//");
            is_deprecated &= !code.starts_with("///") && !code.ends_with(['{', '}', ',', ';']);
            at += line.len();
        }
        None
    }

    /// Returns whether a line declares a member of this name.
    fn declares(&self, line: &str) -> bool {
        let keyword = match self.kind {
            Kind::Method => "pub fn ",
            Kind::Field => "pub ",
            _ => "",
        };
        let rest = line.strip_prefix(keyword).and_then(|rest| rest.strip_prefix(&self.name));
        let ends: &[char] = match self.kind {
            Kind::Method => &['(', '<'],
            Kind::Field => &[':'],
            _ => &['(', ','],
        };
        rest.is_some_and(|rest| rest.starts_with(ends))
    }
}
