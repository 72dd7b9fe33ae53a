//! The values of `cases/schema-facts`: what each is decoded as by its emitted type, and that nothing of it is lost. The program
//! has the models without the client.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use codegen::SourceFile;
use insta::{Settings, assert_snapshot};
use serde_json::Value;

use crate::support::case::Case;
use crate::support::workspace::Workspace;

/// The runtime has no features.
const MANIFEST: &str = "[package]\nname = \"decoded\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
    case-schema-facts = { path = \"../schema-facts\", default-features = false }\n\
    serde = { version = \"1\", default-features = false }\nserde_json = \"1\"\n";

const PROGRAM: &str = r#"
use case_schema_facts::{Value, models};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn main() {
    CALLS
}

fn base(base: impl std::fmt::Debug) {
    println!("    base {base:?}");
}

fn show<T: DeserializeOwned + Serialize + std::fmt::Debug>(text: &str) -> T {
    let value: Value = serde_json::from_str(text).unwrap();
    let decoded: T = serde_json::from_str(text).unwrap();
    let is_lost = if serde_json::to_value(&decoded).unwrap() == value { '=' } else { '≠' };
    println!("{text}\n    {is_lost} {decoded:?}");
    decoded
}
"#;

#[test]
fn values_are_decoded_as_their_schemas_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/schema-facts");
    let case = Case::read(&folder.join("openapi.yaml"));
    let document: Value = serde_yaml::from_str(&case.source.text).unwrap();
    let mut calls = String::new();
    let mut rows = 0;
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let examples = schema["examples"].as_array().map_or(&[][..], Vec::as_slice);
        rows += usize::from(!examples.is_empty());
        for example in examples {
            let shown = format!("show::<models::{name}>(r##\"{example}\"##)");
            // A base has a method for what its variants have in common.
            let is_base = schema["discriminator"].is_object() && schema["oneOf"].is_null();
            let call = if is_base { format!("base({shown}.base())") } else { shown };
            writeln!(calls, "    {call};").unwrap();
        }
    }
    assert!(rows > 10, "only {rows} components have examples");
    let file = |path: &str, text: String| SourceFile { path: path.to_owned(), text };
    let program = [
        file("Cargo.toml", MANIFEST.to_owned()),
        file("src/main.rs", PROGRAM.replace("    CALLS\n", &calls)),
    ];
    let mut workspace = Workspace::new("decoded");
    workspace.add("schema-facts", &case.output().files);
    workspace.add("decoded", &program);
    workspace.finish();
    models_alone_have_the_packages_that_the_readme_counts(&workspace, &case);
    let output = workspace.output(&["run", "-q", "-p", "decoded"]);
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(!shown.contains('≠'), "a value changes between decoding and encoding:\n{shown}");
    let mut settings = Settings::new();
    settings.set_snapshot_path(folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| assert_snapshot!("decoded", shown));
}

/// Counts what cargo would compile.
fn models_alone_have_the_packages_that_the_readme_counts(workspace: &Workspace, case: &Case) {
    let package = "--package=case-schema-facts";
    let tree = ["tree", "--edges=normal", "--prefix=none", package, "--no-default-features"];
    let text = String::from_utf8(workspace.output(&tree).stdout).unwrap();
    let packages: BTreeSet<_> = text.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    let files = case.output().files;
    let readme = files.iter().find(|file| file.path == "README.md").unwrap();
    let count = format!(" {} packages ", packages.len());
    assert!(readme.text.contains(&count), "{packages:?}");
}
