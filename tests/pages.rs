//! The programs of the pages compile, with the crates that they are about.

use std::fs;
use std::path::Path;

use codegen::{Source, SourceFile};

use crate::support::case::Case;
use crate::support::workspace::Workspace;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The folders of the pages.
const FOLDERS: [&str; 6] = ["", "docs", "generated", "runtime", "spec", "xtask"];

/// What compiles the programs of a page, with the page.
const COMPILED: [(&str, &str); 8] = [
    ("doc tests of this package", "README.md"),
    ("doc tests of this package", "docs/crate.md"),
    ("doc tests of this package", "docs/tenant.md"),
    ("doc tests of this package", "generated/AGENTS.md"),
    ("doc tests of the crate, which has the same program", "generated/README.md"),
    ("this test", "docs/generator.md"),
    ("this test", "docs/schemas.md"),
    ("nothing: it shows fragments", "docs/style.md"),
];

const MANIFEST: &str = "[package]\nname = \"programs\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
    futures-util = { version = \"0.3\", default-features = false }\n\
    tokio = { version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }\n";

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(name)).unwrap()
}

/// Returns the blocks of code in a language.
fn blocks<'t>(page: &'t str, language: &str) -> Vec<&'t str> {
    let fence = format!("```{language}\n");
    page.split(fence.as_str()).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn programs_of_pages_compile() {
    let (generator, schemas) = (page("docs/generator.md"), page("docs/schemas.md"));
    let [document] = blocks(&generator, "yaml")[..] else { panic!("one document") };
    let source = Source { name: "openapi.yaml".to_owned(), text: document.to_owned() };
    let hours = Case { name: "hours".to_owned(), source };
    let photos = Case::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("pages/openapi.yaml"));

    let mut manifest = MANIFEST.to_owned();
    let mut files = Vec::new();
    let mut workspace = Workspace::new("programs_of_pages");
    for (case, page, program) in [(hours, &generator, "hours"), (photos, &schemas, "photos")] {
        let package = format!("case-{}", case.name);
        let features = if program == "photos" { &["client", "fs"][..] } else { &["client"] };
        let path = format!("../{}", case.name);
        manifest.extend([format!(
            "museum_{program} = {{ package = \"{package}\", path = \"{path}\", default-features = false, features = {features:?} }}\n"
        )]);
        workspace.add(&case.name, &case.output().files);
        let blocks = blocks(page, "rust");
        assert!(!blocks.is_empty());
        for (index, text) in blocks.iter().enumerate() {
            let main = if text.contains("fn main") { "" } else { "\nfn main() {}\n" };
            let allowed = "#![allow(dead_code, unused_imports)]\n";
            let text = format!("{allowed}use museum_{program} as museum;\n{text}{main}");
            files.push(SourceFile { path: format!("src/bin/{program}_{index}.rs"), text });
        }
    }
    files.push(SourceFile { path: "Cargo.toml".to_owned(), text: manifest });
    workspace.add("programs", &files);
    workspace.finish();
    workspace
        .cargo(&["check", "--quiet", "-p", "programs", "--bins"])
        .unwrap_or_else(|error| panic!("{error}"));
}

/// A new page with a program is compiled, too.
#[test]
fn all_pages_with_programs_are_compiled() {
    let mut found = Vec::new();
    for folder in FOLDERS {
        for entry in fs::read_dir(Path::new(ROOT).join(folder)).unwrap().map(Result::unwrap) {
            let path = Path::new(folder).join(entry.file_name());
            if path.extension().is_none_or(|extension| extension != "md") {
                continue;
            }
            let name = path.display().to_string();
            if page(&name).contains("```rust") {
                found.push(name);
            }
        }
    }
    found.sort();
    let mut known = COMPILED.map(|(_, page)| page);
    known.sort_unstable();
    assert_eq!(found, known);
    let included = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/lib.rs")).unwrap();
    for (_, page) in COMPILED.iter().filter(|(by, _)| *by == "doc tests of this package") {
        assert!(included.contains(&format!("\"../../{page}\"")), "{page}");
    }
}
