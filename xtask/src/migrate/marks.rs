//! Marks on items that still compile but mean something else, or whose types differ, in the copy of the emitted crate:
//! deprecations, by which rustc names the uses.

use std::collections::BTreeSet;
use std::ops::Range;

use ::codegen::SourceFile;
use ::codegen::items::MemberKind;

use crate::migrate::plan::{Mark, bare};
use crate::rustc::{Check, Message, Span};

/// The note of the deprecation, before the number of the headline.
const NOTE: &str = "changed ";

/// The declarations of types. rustc names no use of a deprecated module.
const TYPES: [&str; 3] = ["pub enum ", "pub struct ", "pub type "];

/// Returns the files of a crate with marks. Items that a macro of the runtime emits get none.
pub fn with_marks(files: &[SourceFile], marks: &BTreeSet<Mark>) -> Vec<SourceFile> {
    let note = |mark: &Mark| format!("#[deprecated(note = \"{NOTE}{}\")]\n", mark.headline);
    replaced(files, marks, note)
}

/// Returns the files of a crate with other deprecations of some items, or none.
pub fn replaced(
    files: &[SourceFile],
    marks: &BTreeSet<Mark>,
    attribute: impl Fn(&Mark) -> String,
) -> Vec<SourceFile> {
    let mut files = files.to_vec();
    // Of several changes of an item, the first counts.
    for mark in marks.iter().rev() {
        let mut places = files.iter_mut().filter_map(|file| Some((mark.place(file)?, file)));
        if let Some((place, file)) = places.next() {
            file.text.replace_range(place, &attribute(mark));
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

/// Returns the uses of the marked items by their places, each with the index of its headline.
pub fn uses(check: &Check) -> Vec<(Span, usize)> {
    let marked = check.messages.iter().filter_map(|it| Some((it, headline(it)?)));
    let uses = marked.flat_map(|(it, headline)| it.primary.iter().map(move |at| (at, headline)));
    let uses: BTreeSet<_> = uses.map(|(at, headline)| (at.clone(), headline)).collect();
    uses.into_iter().collect()
}

/// Returns what a message about a mark names: "use of method `get`".
pub fn named(message: &Message) -> Option<String> {
    let (text, _) = message.text.rsplit_once(": ").filter(|_| headline(message).is_some())?;
    let (use_of, path) = text.split_once(" `")?;
    let name = path.trim_end_matches('`').rsplit("::").next()?;
    Some(format!("{} `{name}`", use_of.replace("deprecated ", "")))
}

impl Mark {
    /// Returns the place of the item's deprecation: the start of the line that declares it if it has none.
    fn place(&self, file: &SourceFile) -> Option<Range<usize>> {
        let (module, owner) = self.owner.rsplit_once("::").unwrap_or(("", &self.owner));
        let rest = file.path.strip_prefix("src/")?.strip_prefix(&module.replace("::", "/"))?;
        if rest.trim_start_matches('/').contains('/') {
            return None;
        }
        let mut is_inside = false;
        let mut deprecation = None;
        let mut at = 0;
        for line in file.text.split_inclusive('\n') {
            let code = line.trim();
            let has_owner = || line.split([' ', '(', '<', ';', '\n']).any(|word| word == owner);
            if !line.starts_with([' ', '\n', '#', '/', ')']) {
                is_inside = code.ends_with('{') && has_owner();
            }
            let is_type = TYPES.iter().any(|keyword| line.starts_with(keyword));
            let is_declared = match self.kind {
                MemberKind::Whole => is_type && has_owner(),
                _ => is_inside && line.starts_with("    ") && self.declares(code),
            };
            if is_declared {
                return Some(deprecation.unwrap_or(at..at));
            }
            if code.starts_with("#[deprecated") {
                deprecation = Some(at..at + line.len());
            } else if code.starts_with("///") || code.ends_with(['{', '}', ',', ';']) {
                deprecation = None;
            }
            at += line.len();
        }
        None
    }

    fn declares(&self, line: &str) -> bool {
        let (keyword, ends): (_, &[char]) = match self.kind {
            MemberKind::Method => ("pub fn ", &['(', '<']),
            MemberKind::Field => ("pub ", &[':']),
            _ => ("", &['(', ',']),
        };
        let rest =
            line.strip_prefix(keyword).and_then(|rest| bare(rest).strip_prefix(bare(&self.name)));
        rest.is_some_and(|rest| rest.starts_with(ends))
    }
}
