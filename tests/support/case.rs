//! A spec in its own folder, and the crate generated from it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use codegen::diagnostics;
use codegen::{Input, Kept, Outcome, Output, Settings, Source};

/// Returns the path of the document in each folder of a folder of this package, sorted.
pub fn documents(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let cases = fs::read_dir(folder).unwrap().map(|case| case.unwrap().path());
    let files = cases.flat_map(|case| fs::read_dir(case).unwrap().map(|file| file.unwrap().path()));
    let mut documents: Vec<_> =
        files.filter(|file| file.file_stem().is_some_and(|stem| stem == "openapi")).collect();
    documents.sort();
    documents
}

/// Returns whether an item is in the sample of these many parts that is tried: always the same, unless `SAMPLE` numbers
/// another one, as `.ci/run` does each day.
pub fn is_in_sample(index: usize, parts: usize) -> bool {
    let number: usize = env::var("SAMPLE").map_or(0, |number| number.parse().unwrap());
    index % parts == number % parts
}

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

    /// Generates a crate named after the case, as a member of a workspace that locates the runtime.
    pub fn generate(&self) -> Outcome {
        self.generate_or(false)
    }

    /// Generates a crate; with `keep_going`, from the elements without errors.
    pub fn generate_or(&self, keep_going: bool) -> Outcome {
        let settings = Settings {
            command: "cargo xtask codegen".to_owned(),
            package: format!("case-{}", self.name),
            version: "0.1.0".to_owned(),
            runtime: "{ workspace = true }".to_owned(),
            keep_going,
            kept: Kept::All,
            ..Settings::default()
        };
        let mut input = Input::from(&self.source);
        let name = self.name.clone();
        input.read_file = Rc::new(move |file: &str| read_next_to(&name, file));
        codegen::generate(input, &settings)
    }

    /// Generates a crate from a description that is valid.
    pub fn output(&self) -> Output {
        let outcome = self.generate();
        let shown = rendered(&outcome);
        outcome.output.unwrap_or_else(|| panic!("{} is rejected:\n{shown}", self.name))
    }
}

/// Reads a file next to the spec of a case.
fn read_next_to(name: &str, file: &str) -> Result<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders =
        ["cases", "rejected", "bad_spots", "warned"].map(|kind| root.join(kind).join(name));
    let texts = folders.iter().map(|folder| fs::read_to_string(folder.join(file)));
    texts.flatten().next().ok_or_else(|| "the file does not exist".to_owned())
}

/// Returns the diagnostics as a user reads them, without the lines that are empty.
pub fn rendered(outcome: &Outcome) -> String {
    let text = diagnostics::render(&outcome.diagnostics, false);
    let lines = text.lines().filter(|line| !["", "|"].contains(&line.trim()));
    lines.fold(String::new(), |text, line| text + line + "\n")
}
