//! The diagnostics of a document, and its texts.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use super::code::{Code, Cost};
use super::origins::Origins;
use super::place::Place;
use super::spelling::Spelling;
use crate::source_map::{SourceMap, Syntax};

/// The severity of a [`Diagnostic`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Costs an operation, or the document.
    Error,
    /// The crate may differ from the meaning of the document.
    Warning,
    /// A property of the crate may be unexpected.
    Note,
}

/// A problem of a document.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The kind of problem.
    pub code: Code,
    /// The message.
    pub message: String,
    pub(crate) place: Place,
    /// The message as an error, if it is a warning only because no operation needs the place.
    pub(crate) as_error: Option<String>,
    /// The help text.
    pub help: Option<String>,
    /// Related places, each with a remark.
    pub(crate) related: Vec<(Place, String)>,
}

impl Diagnostic {
    pub(crate) fn help(&mut self, text: impl Into<String>) -> &mut Self {
        self.help = Some(text.into());
        self
    }

    /// Adds a related place.
    pub(crate) fn related(&mut self, place: Place, text: impl Into<String>) -> &mut Self {
        self.related.push((place, text.into()));
        self
    }
}

/// The problems found so far. Passes report a problem and continue.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    reported: Vec<Diagnostic>,
    pub(super) files: Vec<File>,
    /// Where overlays wrote the values of the document.
    pub(crate) origins: Origins,
    spelling: Spelling,
    /// What can be generated although there are errors.
    pub rest: Option<Rest>,
}

/// The part of a document without errors.
#[derive(Clone, Debug)]
pub struct Rest {
    /// The number of operations without errors.
    pub operations: usize,
    /// The number of all operations.
    pub all: usize,
    /// The paths of what an overlay removes so that there are no errors; empty if errors are in other files.
    pub removals: Vec<String>,
}

/// A text with places in it.
#[derive(Clone, Debug)]
pub(super) struct File {
    /// The name of the file in pointers; `None` for the document itself.
    pub(super) key: Option<String>,
    /// The name of the file in messages.
    pub(super) name: String,
    pub(super) text: String,
    syntax: Syntax,
    /// Built when a pointer is looked up.
    map: Arc<OnceLock<SourceMap>>,
}

impl File {
    /// Returns the places in the text.
    pub(super) fn map(&self) -> &SourceMap {
        self.map.get_or_init(|| SourceMap::new(&self.text, self.syntax))
    }
}

impl Diagnostics {
    /// Returns an empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports a problem. Its severity follows from what the code costs, and from whether operations can need the place.
    pub(crate) fn report(
        &mut self,
        code: Code,
        place: Place,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let severity = match code.cost() {
            Cost::Document => Severity::Error,
            Cost::Operation if place.is_needed() => Severity::Error,
            Cost::Decision => Severity::Note,
            _ => Severity::Warning,
        };
        let index = self.reported.len();
        self.reported.push(Diagnostic {
            severity,
            code,
            message: message.into(),
            place,
            as_error: None,
            help: None,
            related: Vec::new(),
        });
        &mut self.reported[index]
    }

    /// Returns the suggestions for misspelled names.
    pub(crate) fn spelling(&mut self) -> &mut Spelling {
        &mut self.spelling
    }

    /// Adds a text, to show places in it.
    pub(crate) fn add_file(&mut self, key: Option<&str>, name: &str, text: &str, syntax: Syntax) {
        self.files.push(File {
            key: key.map(str::to_owned),
            name: name.to_owned(),
            text: text.to_owned(),
            syntax,
            map: Arc::default(),
        });
    }

    /// Returns whether a file is YAML that is not JSON.
    pub(crate) fn is_yaml(&self, key: Option<&str>) -> bool {
        let mut files = self.files.iter().filter(|file| file.key.as_deref() == key);
        files.any(|file| matches!(file.syntax, Syntax::Yaml))
    }

    /// Reads the texts with problems once more, to find their places. Rendering would do it later.
    pub(crate) fn find_places(&self, problems: &Self) {
        for file in &self.files {
            if problems.reported.iter().any(|problem| problem.place.file() == file.key.as_deref()) {
                file.map();
            }
        }
    }

    /// Adds the files of another collection, and its diagnostics for which `convert` returns one.
    pub(crate) fn absorb(
        &mut self,
        other: Self,
        convert: impl FnMut(Diagnostic) -> Option<Diagnostic>,
    ) {
        self.files.extend(other.files);
        self.origins.absorb(other.origins);
        self.reported.extend(other.reported.into_iter().filter_map(convert));
    }

    pub(crate) fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.reported.iter().filter(|it| it.severity == Severity::Error)
    }

    /// Returns whether a reported problem prevents generation.
    pub fn has_errors(&self) -> bool {
        self.errors().next().is_some()
    }

    /// Returns whether there are no diagnostics.
    pub fn is_empty(&self) -> bool {
        self.reported.is_empty()
    }

    /// Returns the number of different problems of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }

    /// Returns the problems in the order of reporting, without repetitions.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        let mut seen = HashSet::new();
        self.reported.iter().filter(move |diagnostic| seen.insert(*diagnostic))
    }
}
