//! `corpus.toml`: the expectations for the documents in a folder.

use std::collections::BTreeMap;
use std::path::Path;

use commands::host::exit::Fallible;
use commands::host::toml_file::{self, count, entries};

/// The expectations for a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// Minimum number of generated operations.
    pub operations: usize,
    /// Maximum number of omitted operations.
    pub lost: usize,
}

/// The maximum numbers of long names of types and of methods in a folder.
const LONG_NAMES: [(&str, usize); 2] = [("long-types", 100), ("long-methods", 20)];

/// The expectations for a folder.
#[derive(Debug)]
pub struct Expectations {
    /// The maximum numbers of long names of types and of methods.
    pub long_names: [usize; 2],
    /// The expectations by the paths of the documents.
    documents: BTreeMap<String, Expected>,
}

impl Expectations {
    /// Reads a file; without it, there are no expectations but for names.
    pub fn read(path: &Path) -> Fallible<Self> {
        Self::parse(&toml_file::text(path)?, &path.display().to_string())
    }

    fn parse(text: &str, name: &str) -> Fallible<Self> {
        toml_file::parse(text, name, |root| {
            let mut documents = BTreeMap::new();
            let mut long_names = LONG_NAMES.map(|(_, maximum)| maximum);
            for (document, content) in root {
                let limit = LONG_NAMES.iter().position(|(key, _)| *key == document.get_ref());
                if let Some(limit) = limit {
                    long_names[limit] = count(content)?;
                    continue;
                }
                let [operations, lost] =
                    entries(content, [("operations", count), ("lost", count)])?;
                documents.insert(document.get_ref().to_string(), Expected { operations, lost });
            }
            Ok(Self { long_names, documents })
        })
    }

    /// Returns a document with expectations that is not one of these.
    pub fn missing(&self, documents: &[String]) -> Option<&String> {
        self.documents.keys().find(|document| !documents.contains(document))
    }

    /// Returns the expectations for a document.
    pub fn for_document(&self, document: &str) -> Expected {
        self.documents.get(document).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_have_expectations_of_their_own() {
        let text = "[\"a/b.yaml\"]\noperations = 3\nlost = 1\n";
        let expectations = Expectations::parse(text, "corpus.toml").unwrap();
        let expected = Expected { operations: 3, lost: 1 };
        assert_eq!(expectations.for_document("a/b.yaml"), expected);
        assert_eq!(expectations.for_document("c.yaml"), Expected::default());
        assert_eq!(expectations.long_names, [100, 20]);
        for text in ["[\"a\"]\nlots = 1\n", "[\"a\"]\nlost = -1\n", "a = 1\n"] {
            assert!(Expectations::parse(text, "corpus.toml").is_err(), "{text}");
        }
    }

    #[test]
    fn a_folder_can_have_limits_of_long_names() {
        let expectations = Expectations::parse("long-methods = 3\n", "corpus.toml").unwrap();
        assert_eq!(expectations.long_names, [100, 3]);
        assert!(Expectations::parse("long-types = -1\n", "corpus.toml").is_err());
    }
}
