//! The settings of conventions.

use std::collections::BTreeMap;

/// The conventions that a document cannot describe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conventions {
    /// The update masks.
    pub masks: Masks,
    /// The waits.
    pub waits: Vec<Wait>,
}

/// How update masks are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Masks {
    /// The separator of the names in a text; a comma if it is `None`.
    pub separator: Option<String>,
    /// Whether paths with dots name the changes within objects, instead of the names of the objects.
    pub nested: bool,
    /// The property of the body with the object, by `operationId`; empty for an operation whose property only resembles
    /// an update mask.
    pub objects: BTreeMap<String, String>,
}

/// An operation whose response shows that something has finished.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wait {
    /// The `operationId`.
    pub operation: String,
    /// The names of the properties from the response to the property that decides, with dots between them.
    pub property: String,
    /// The values that end the wait; if empty, the presence of the property ends it.
    pub values: Vec<String>,
}

/// A setting that does not fit the document.
#[derive(Debug)]
pub struct Invalid {
    /// The text in the settings.
    pub text: String,
    /// The problem.
    pub message: String,
    /// The remedy.
    pub help: &'static str,
}
