//! The problems of a document, and the texts that they are in.

use std::collections::HashSet;

use super::place::Place;
use super::spelling::Spelling;
use crate::source_map::Syntax;

/// How bad a [`Diagnostic`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing can be generated.
    Error,
    /// A crate is generated, but perhaps not what the document means.
    Warning,
    /// A crate is generated, and something about it may surprise.
    Note,
}

/// One problem of a document.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A short name of the kind of problem, such as `dangling-ref`.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where it is wrong.
    pub place: Place,
    /// What to do about it.
    pub help: Option<String>,
    /// Other places that matter, each with a remark.
    pub related: Vec<(Place, String)>,
}

impl Diagnostic {
    /// Says what to do about it.
    pub fn help(&mut self, text: impl Into<String>) -> &mut Self {
        self.help = Some(text.into());
        self
    }

    /// Adds another place that matters.
    pub fn related(&mut self, place: Place, text: impl Into<String>) -> &mut Self {
        self.related.push((place, text.into()));
        self
    }
}

/// The problems found so far. Passes report into it and carry on.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    reported: Vec<Diagnostic>,
    files: Vec<File>,
    spelling: Spelling,
}

/// A text that places are in.
#[derive(Clone, Debug)]
pub(super) struct File {
    /// How pointers name the file; `None` for the document itself.
    pub(super) key: Option<String>,
    /// How messages name the file.
    pub(super) name: String,
    pub(super) text: String,
    pub(super) syntax: Syntax,
}

impl Diagnostics {
    /// Returns an empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports something that prevents generation.
    pub fn error(
        &mut self,
        code: &'static str,
        place: Place,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.report(Severity::Error, code, place, message.into())
    }

    /// Reports something that the user should know, but that does not prevent generation.
    pub fn warning(
        &mut self,
        code: &'static str,
        place: Place,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.report(Severity::Warning, code, place, message.into())
    }

    /// Reports a choice that was made, and that the user may want to make otherwise.
    pub fn note(
        &mut self,
        code: &'static str,
        place: Place,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.report(Severity::Note, code, place, message.into())
    }

    fn report(
        &mut self,
        severity: Severity,
        code: &'static str,
        place: Place,
        message: String,
    ) -> &mut Diagnostic {
        let index = self.reported.len();
        let (help, related) = (None, Vec::new());
        self.reported.push(Diagnostic { severity, code, message, place, help, related });
        &mut self.reported[index]
    }

    /// Returns what finds out what misspelled names were meant to be.
    pub(crate) fn spelling(&mut self) -> &mut Spelling {
        &mut self.spelling
    }

    /// Keeps a text, to show places in it.
    pub(crate) fn add_file(&mut self, key: Option<&str>, name: &str, text: &str, syntax: Syntax) {
        let (key, name, text) = (key.map(str::to_owned), name.to_owned(), text.to_owned());
        self.files.push(File { key, name, text, syntax });
    }

    pub(super) fn files(&self) -> &[File] {
        &self.files
    }

    /// Takes over what another collection reported, as far as `convert` does not drop it.
    pub(crate) fn absorb(
        &mut self,
        other: Self,
        convert: impl FnMut(Diagnostic) -> Option<Diagnostic>,
    ) {
        self.reported.extend(other.reported.into_iter().filter_map(convert));
    }

    /// Returns the places of the errors.
    pub(crate) fn errors(&self) -> impl Iterator<Item = &Place> {
        let errors = self.reported.iter().filter(|it| it.severity == Severity::Error);
        errors.map(|error| &error.place)
    }

    /// Returns whether anything reported prevents generation.
    pub fn has_errors(&self) -> bool {
        self.reported.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Returns whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.reported.is_empty()
    }

    /// Returns how many different problems of a severity were reported.
    pub fn count(&self, severity: Severity) -> usize {
        self.iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }

    /// Returns the problems in the order of reporting, each once, however often it was reported.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        let mut seen = HashSet::new();
        self.reported.iter().filter(move |diagnostic| seen.insert(*diagnostic))
    }
}
