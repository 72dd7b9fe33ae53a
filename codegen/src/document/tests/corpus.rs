//! Reads real documents, where a folder of them lies beside the repository.

use std::fs;
use std::path::{Path, PathBuf};

use codegen::diagnostics::{Diagnostics, Severity, render};
use codegen::document::{self, Document};

/// Documents of the standard's own suite that are wrong in what the reader does not look at.
const NOT_DETECTED: &[(&str, &str)] = &[("link-object-no-body.yaml", "links are not read")];

/// Real documents that break the standard in a way that has no obvious reading.
const REALLY_WRONG: &[(&str, &str)] =
    &[("heyapi-full-3.1.yaml", "has parameters in the path with `required: false`")];

fn corpus(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus").join(folder);
    let Ok(entries) = fs::read_dir(root) else {
        return Vec::new();
    };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| {
        path.extension().is_some_and(|extension| extension == "yaml" || extension == "json")
    });
    paths.sort();
    paths
}

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

fn read_file(path: &Path) -> (Option<Document>, Diagnostics, String) {
    let text = fs::read_to_string(path).unwrap();
    let mut diagnostics = Diagnostics::new();
    let document = document::read(&text, &mut diagnostics);
    let rendered = render(&diagnostics, name(path), &text, false);
    (document, diagnostics, rendered)
}

#[test]
fn valid_documents_have_no_errors() {
    for path in corpus("official/pass") {
        let (document, diagnostics, rendered) = read_file(&path);
        assert!(document.is_some() && !diagnostics.has_errors(), "{rendered}");
    }
}

#[test]
fn invalid_documents_have_errors() {
    for path in corpus("official/fail") {
        let (_, diagnostics, rendered) = read_file(&path);
        assert_is_complete(&diagnostics, &rendered);
        let detectable = !NOT_DETECTED.iter().any(|(file, _)| *file == name(&path));
        assert_eq!(diagnostics.has_errors(), detectable, "{}", path.display());
    }
}

#[test]
fn real_documents_have_no_errors() {
    for path in corpus("").into_iter().chain(corpus("bumps/figma")).chain(corpus("bumps/svix")) {
        let (document, diagnostics, rendered) = read_file(&path);
        let wrong = REALLY_WRONG.iter().any(|(file, _)| *file == name(&path));
        assert_eq!(diagnostics.has_errors(), wrong, "{rendered}");
        assert_is_complete(&diagnostics, &rendered);
        assert_finds_components(&document.unwrap());
    }
}

/// Every error is shown, and everything shown has a place.
fn assert_is_complete(diagnostics: &Diagnostics, rendered: &str) {
    let starting =
        |start: &str| rendered.lines().filter(|line| line.trim_start().starts_with(start)).count();
    assert_eq!(starting("error["), diagnostics.count(Severity::Error), "{rendered}");
    assert_eq!(starting("error[") + starting("warning["), starting("--> "), "{rendered}");
}

fn assert_finds_components(document: &Document) {
    for (key, schema) in &document.openapi.components.schemas {
        let found = document.schema_at(&format!("#{}", schema.pointer));
        assert_eq!(found.map(|found| &found.pointer), Some(&schema.pointer), "{key}");
    }
}
