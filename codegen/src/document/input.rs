//! What is read: the text of a document, and what belongs to it.

use std::rc::Rc;

/// A text to read.
#[derive(Clone, Debug)]
pub struct Source {
    /// How messages name it: a path as the user knows it.
    pub name: String,
    /// The whole text, in YAML or JSON.
    pub text: String,
}

/// Reads a file by its path from the folder of the document, or returns why it cannot.
pub type ReadFile<'f> = dyn Fn(&str) -> Result<String, String> + 'f;

/// A document, with what is read beside it.
#[derive(Clone)]
pub struct Input<'f> {
    /// The document itself.
    pub source: Source,
    /// OpenAPI Overlays 1.0 or 1.1, which change the document in order before it is read.
    pub overlays: Vec<Source>,
    /// Reads the files that the document refers to.
    pub read_file: Rc<ReadFile<'f>>,
}

impl From<&Self> for Input<'_> {
    fn from(input: &Self) -> Self {
        input.clone()
    }
}

impl From<&Source> for Input<'_> {
    /// Makes an input of a document without other files.
    fn from(source: &Source) -> Self {
        let read_file = |_: &str| Err("no files are read".to_owned());
        Self { source: source.clone(), overlays: Vec::new(), read_file: Rc::new(read_file) }
    }
}
