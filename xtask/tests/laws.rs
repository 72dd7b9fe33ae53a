//! What holds for the reports of `cargo xtask diff` on all pairs of revisions: those of `tests/bumps`, and those of a folder
//! that `BUMPS` names, which has a folder for each API with its revisions, in the order of their names.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Returns the entries of a folder, sorted.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Returns the pairs of revisions, each with the settings.
fn pairs() -> Vec<([PathBuf; 2], String)> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/bumps");
    let own = entries(&own).into_iter().map(|bump| {
        let settings = fs::read_to_string(bump.join("codegen.toml")).unwrap_or_default();
        (["old.yaml", "new.yaml"].map(|name| bump.join(name)), settings)
    });
    let others = std::env::var_os("BUMPS").into_iter().flat_map(|folder| entries(folder.as_ref()));
    let others = others.flat_map(|api| {
        let revisions = entries(&api);
        let pairs = revisions.windows(2).map(|it| [it[0].clone(), it[1].clone()]);
        pairs.map(|pair| (pair, String::new())).collect::<Vec<_>>()
    });
    own.chain(others).collect()
}

/// A report.
struct Report {
    json: Value,
    /// The sentences on what may break programs.
    headlines: BTreeSet<String>,
}

impl Report {
    fn of([old, new]: &[PathBuf; 2], settings: &str, options: &[String]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, spec) in [("old", old), ("new", new)] {
            fs::create_dir(folder.path().join(name)).unwrap();
            fs::copy(spec, folder.path().join(name).join("openapi.yaml")).unwrap();
        }
        fs::write(folder.path().join("new/codegen.toml"), settings).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_openapi-bindings"));
        command.args(["diff", "--format", "json", "old/openapi.yaml", "new/openapi.yaml"]);
        let output = command.args(options).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}: {output:?}", new.display());
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        let changes = json["changes"].as_array().unwrap().iter();
        let changes =
            changes.filter(|it| ["breaking", "wire-breaking"].contains(&text(&it["class"])));
        let headlines = changes.map(|it| text(&it["title"]).to_owned()).collect();
        Self { json, headlines }
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// Whoever uses the new name of an item has nothing else to do that the report did not say.
#[test]
fn a_new_name_hides_no_other_change() {
    let mut count = 0;
    let mut hidden = Vec::new();
    for (pair, settings) in pairs() {
        let report = Report::of(&pair, &settings, &[]);
        let aliases = report.json["aliases"].as_object().unwrap();
        if aliases.is_empty() {
            continue;
        }
        count += aliases.len();
        let lines = aliases.iter().map(|(old, new)| format!("\n{old:?} = {new}"));
        let lines = ["[aliases]", &lines.collect::<String>(), "\n"].concat();
        let settings = match settings.split_once("[aliases]") {
            Some((before, after)) => [before, &lines, after].concat(),
            None => [&settings, &lines].map(String::as_str).concat(),
        };
        let renamed = Report::of(&pair, &settings, &[]);
        let new = renamed.headlines.difference(&report.headlines);
        hidden.extend(new.map(|title| format!("{}: {title}", pair[1].display())));
    }
    assert_eq!(hidden, [""; 0]);
    assert!(count > 9, "{count}");
}

/// What a confirmed guess reveals is at the item of which the report said that it is removed.
#[test]
fn a_confirmed_guess_reveals_nothing_elsewhere() {
    let mut guesses = 0;
    let mut elsewhere = Vec::new();
    for (pair, settings) in pairs() {
        let report = Report::of(&pair, &settings, &[]);
        let changes = report.json["changes"].as_array().unwrap();
        let accepted: Vec<&str> = changes.iter().filter_map(|it| it["accept"].as_str()).collect();
        if accepted.is_empty() {
            continue;
        }
        guesses += accepted.len();
        let options = accepted.iter().flat_map(|pair| ["--accept".to_owned(), (*pair).to_owned()]);
        let confirmed = Report::of(&pair, &settings, &options.collect::<Vec<_>>());
        let removed: Vec<&str> = accepted.iter().map(|it| it.split_once('=').unwrap().0).collect();
        for change in confirmed.json["changes"].as_array().unwrap() {
            let item = text(&change["item"]).replace('.', "::");
            let is_of_guess = removed.iter().any(|path| item.starts_with(path));
            let title = text(&change["title"]);
            let is_known = is_of_guess
                || !confirmed.headlines.contains(title)
                || report.headlines.contains(title);
            if !is_known {
                elsewhere.push(format!("{}: {title}", pair[1].display()));
            }
        }
    }
    assert_eq!(elsewhere, [""; 0]);
    assert!(guesses > 1, "{guesses}");
}
