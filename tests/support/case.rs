//! A description in a folder of its own, and what the generator makes of it.

use std::fs;
use std::path::Path;

use codegen::diagnostics;
use codegen::{Outcome, Output, Settings, Source};

/// A description under test.
pub struct Case {
    /// The name of its folder.
    pub name: String,
    /// The description.
    pub source: Source,
}

impl Case {
    /// Reads the description at a path.
    pub fn read(path: &Path) -> Self {
        let folder = path.parent().and_then(Path::file_name).unwrap();
        let source = Source {
            name: path.file_name().unwrap().to_string_lossy().into_owned(),
            text: fs::read_to_string(path).unwrap(),
        };
        Self { name: folder.to_string_lossy().into_owned(), source }
    }

    /// Generates a crate named after the case, as a member of a workspace that says where the runtime is.
    pub fn generate(&self) -> Outcome {
        self.generate_or(false)
    }

    /// Generates a crate; with `keep_going`, of what has no errors.
    pub fn generate_or(&self, keep_going: bool) -> Outcome {
        let settings = Settings {
            command: "cargo xtask codegen".to_owned(),
            package: format!("case-{}", self.name),
            version: "0.1.0".to_owned(),
            runtime: "{ workspace = true }".to_owned(),
            keep_going,
            ..Settings::default()
        };
        codegen::generate(&self.source, &settings)
    }

    /// Generates a crate from a description that is valid.
    pub fn output(&self) -> Output {
        let outcome = self.generate();
        let shown = rendered(&outcome);
        outcome.output.unwrap_or_else(|| panic!("{} is rejected:\n{shown}", self.name))
    }
}

/// Returns the diagnostics as a user reads them.
pub fn rendered(outcome: &Outcome) -> String {
    diagnostics::render(&outcome.diagnostics, false)
}
