//! The standard's own suite of valid and invalid documents, where it lies beside the repository; skipped elsewhere.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use codegen::diagnostics::{Diagnostics, Severity, render};
use codegen::{Settings, Source, generate};

/// Invalid documents of the standard's own suite whose mistakes are in what is not read.
const NOT_DETECTED: &[(&str, &str)] = &[("link-object-no-body.yaml", "links are not read")];

/// Errors for what is valid, and has no Rust counterpart yet.
const NOT_SUPPORTED: [&str; 1] = ["path-parameter"];

/// Returns the documents of a folder of the suite; none, with a message, where there is no suite.
fn suite(folder: &str) -> Vec<PathBuf> {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/official");
    let root = suite.join(folder);
    let Ok(entries) = fs::read_dir(&root) else {
        eprintln!("skipped: there is no {}", root.display());
        return Vec::new();
    };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| {
        path.extension().is_some_and(|extension| extension == "yaml" || extension == "json")
    });
    paths.sort();
    paths
}

fn diagnostics(path: &Path) -> (Diagnostics, String) {
    let source = Source {
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        text: fs::read_to_string(path).unwrap(),
    };
    let settings = Settings {
        package: "suite".to_owned(),
        version: "0.1.0".to_owned(),
        runtime: "\"1\"".to_owned(),
        env_prefix: None,
        ..Settings::default()
    };
    let diagnostics = generate(&source, &settings).diagnostics;
    let rendered = render(&diagnostics, false);
    (diagnostics, rendered)
}

#[test]
fn valid_documents_have_no_errors_or_skipped() {
    for path in suite("pass") {
        let (diagnostics, rendered) = diagnostics(&path);
        let is_wrong = diagnostics.iter().any(|diagnostic| {
            diagnostic.severity == Severity::Error && !NOT_SUPPORTED.contains(&diagnostic.code)
        });
        assert!(!is_wrong, "{rendered}");
    }
}

#[test]
fn invalid_documents_have_errors_or_skipped() {
    for path in suite("fail") {
        let (diagnostics, rendered) = diagnostics(&path);
        let name = path.file_name().unwrap();
        let detectable = !NOT_DETECTED.iter().any(|(file, _)| name == *file);
        assert_eq!(diagnostics.has_errors(), detectable, "{}", path.display());
        let starting = |start: &str| {
            rendered.lines().filter(|line| line.trim_start().starts_with(start)).count()
        };
        assert_eq!(starting("error["), diagnostics.count(Severity::Error), "{rendered}");
        assert_eq!(starting("error[") + starting("warning["), starting("--> "), "{rendered}");
    }
}
