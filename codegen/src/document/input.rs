//! The input: the text of a document, its overlays, and the files that it refers to.

use std::rc::Rc;

/// A text to read.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name in messages: the path as the user entered it.
    pub name: String,
    /// The whole text, in YAML or JSON.
    pub text: String,
}

/// Reads a file by its path from the folder of the document. The error is the reason of a failure.
pub type ReadFile<'f> = dyn Fn(&str) -> Result<String, String> + 'f;

/// A document with its overlays and other files.
#[derive(Clone)]
pub struct Input<'f> {
    /// The document itself.
    pub source: Source,
    /// OpenAPI Overlays 1.0 or 1.1, which change the document in order before it is read.
    pub overlays: Vec<Source>,
    /// Reads the files that the document refers to.
    pub read_file: Rc<ReadFile<'f>>,
    /// The folder whose files it may refer to.
    pub readable: Readable,
}

/// The folder whose files a document may refer to: by default, its own.
#[derive(Clone, Debug, Default)]
pub struct Readable {
    /// The number of folders between the document and this one.
    pub levels: usize,
    /// The folder of the document, relative to the folder of `codegen.toml`, for messages.
    pub folder: String,
}

impl Readable {
    /// Returns the line of `codegen.toml` that allows a path with a number of steps upwards.
    pub(super) fn setting(&self, levels: usize) -> String {
        let mut steps: Vec<&str> = self.folder.split('/').filter(|step| !step.is_empty()).collect();
        for _ in 0..levels {
            match steps.last() {
                Some(last) if *last != ".." => drop(steps.pop()),
                _ => steps.push(".."),
            }
        }
        let path = if steps.is_empty() { ".".to_owned() } else { steps.join("/") };
        format!("files = \"{path}\"")
    }
}

impl From<&Self> for Input<'_> {
    fn from(input: &Self) -> Self {
        input.clone()
    }
}

impl From<&Source> for Input<'_> {
    /// Returns the input of a document without other files.
    fn from(source: &Source) -> Self {
        Self {
            source: source.clone(),
            overlays: Vec::new(),
            read_file: Rc::new(|_| Err("no files are read".to_owned())),
            readable: Readable::default(),
        }
    }
}
