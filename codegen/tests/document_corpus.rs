//! Reads real documents, where a folder of them lies beside the repository.

use std::fs;
use std::path::{Path, PathBuf};

use codegen::diagnostics::{Diagnostics, Severity, render};
use codegen::document::{self, Document};

/// Documents of the standard's own suite that are wrong in what the reader does not look at.
const NOT_DETECTED: &[(&str, &str)] = &[("link-object-no-body.yaml", "links are not read")];

/// Real documents that break the standard in a way that has no obvious reading.
const REALLY_WRONG: &[(&str, &str)] = &[("heyapi-full-3.1.yaml", "has parameters in the path with `required: false`")];

fn corpus(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus").join(folder);
    let Ok(entries) = fs::read_dir(root) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml" || extension == "json"));
    paths.sort();
    paths
}

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

fn read(path: &Path) -> (Option<Document>, Diagnostics, String) {
    let text = fs::read_to_string(path).unwrap();
    let mut diagnostics = Diagnostics::new();
    let document = document::read(&text, &mut diagnostics);
    let rendered = render(&diagnostics, name(path), &text, false);
    (document, diagnostics, rendered)
}

#[test]
fn valid_documents_have_no_errors() {
    for path in corpus("official/pass") {
        let (document, diagnostics, rendered) = read(&path);
        assert!(document.is_some() && !diagnostics.has_errors(), "{rendered}");
    }
}

#[test]
fn invalid_documents_have_errors() {
    for path in corpus("official/fail") {
        let (_, diagnostics, _) = read(&path);
        let detectable = !NOT_DETECTED.iter().any(|(file, _)| *file == name(&path));
        assert_eq!(diagnostics.has_errors(), detectable, "{}", path.display());
    }
}

#[test]
fn real_documents_have_no_errors() {
    for path in corpus("").into_iter().chain(corpus("bumps/figma")).chain(corpus("bumps/svix")) {
        let (document, diagnostics, rendered) = read(&path);
        let wrong = REALLY_WRONG.iter().any(|(file, _)| *file == name(&path));
        assert_eq!(diagnostics.has_errors(), wrong, "{rendered}");
        assert!(document.is_some(), "{}", path.display());
    }
}

#[test]
fn every_problem_is_shown_with_its_place() {
    for path in corpus("").into_iter().chain(corpus("official/fail")) {
        let (_, diagnostics, rendered) = read(&path);
        let titles = rendered.lines().filter(|line| line.starts_with("error[") || line.starts_with("warning["));
        let places = rendered.lines().filter(|line| line.trim_start().starts_with("--> ")).count();
        assert_eq!(titles.count(), places, "{rendered}");
        let errors = rendered.lines().filter(|line| line.starts_with("error[")).count();
        assert_eq!(errors, diagnostics.count(Severity::Error), "{rendered}");
    }
}

#[test]
fn references_to_any_place_are_found() {
    for path in corpus("") {
        let (document, ..) = read(&path);
        let document = document.unwrap();
        for (key, schema) in &document.openapi.components.schemas {
            let target = format!("#{}", schema.pointer);
            assert_eq!(document.schema_at(&target).map(|found| &found.pointer), Some(&schema.pointer), "{key}");
        }
    }
}
