//! What is wrong with a description: collected by every pass, shown all at once.

mod place;
mod render;
mod source;
pub(crate) mod spelling;

use std::collections::HashSet;

pub use place::Place;
pub use render::render;

/// How bad a [`Diagnostic`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing can be generated.
    Error,
    /// Something is generated, but not all that the description says.
    Warning,
}

/// One thing that is wrong with a description.
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
    /// A remark at the underlined place.
    pub label: Option<String>,
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

    /// Adds a remark to the underlined place.
    pub fn label(&mut self, text: impl Into<String>) -> &mut Self {
        self.label = Some(text.into());
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

    fn report(
        &mut self,
        severity: Severity,
        code: &'static str,
        place: Place,
        message: String,
    ) -> &mut Diagnostic {
        let index = self.reported.len();
        let (label, help, related) = (None, None, Vec::new());
        self.reported.push(Diagnostic { severity, code, message, place, label, help, related });
        &mut self.reported[index]
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
