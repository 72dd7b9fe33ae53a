//! Emitted code is formatted by `prettyplease`, with blank lines between items and members.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use codegen::{Settings, Source, generate};

/// Returns a text without its first line, blank lines, and the tables of types, which `prettyplease` does not format.
fn code(text: &str) -> String {
    let mut is_table = false;
    let kept = text.lines().filter(|line| {
        is_table |= line.starts_with("runtime::internal::") && line.ends_with("! {");
        let is_kept = !is_table && !line.is_empty() && !line.starts_with("// @generated");
        is_table &= *line != "}";
        is_kept
    });
    kept.collect::<Vec<_>>().join("\n")
}

#[test]
fn emitted_code_is_what_prettyplease_prints() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let cases = fs::read_dir(workspace.join("tests/cases")).unwrap();
    let cases = cases.map(|case| case.unwrap().path().join("openapi.yaml"));
    let settings = Settings { package: "emitted".to_owned(), ..Settings::default() };
    let mut files = 0;
    for path in cases.chain([workspace.join("spec/openapi.yaml")]) {
        let text = fs::read_to_string(&path).unwrap();
        let source = Source { name: path.display().to_string(), text };
        // One of the documents has errors here, because its other files are not read.
        let Some(output) = generate(&source, &settings).output else { continue };
        for file in output.files.iter().filter(|file| file.path.starts_with("src/")) {
            let code = code(&file.text);
            let printed = prettyplease::unparse(&syn::parse_str(&code).unwrap());
            assert_eq!(code, self::code(&printed), "{}: {}", source.name, file.path);
            files += 1;
        }
    }
    assert!(files > 300, "{files}");
}
