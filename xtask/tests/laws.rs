//! What holds for the reports of `cargo xtask diff` on all pairs of revisions: those of `tests/bumps`, and those of a folder
//! that `BUMPS` names, which has a folder for each API with its revisions, in the order of their names.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use codegen::compare::{Change, Class, Difference, compare};
use codegen::{Described, Settings, Source};
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

/// The kinds that no pair of specs has: code of an item that does not differ, and lists of other generators.
const WITHOUT_PAIR: [&str; 2] = ["Code", "Listed"];

/// Returns the words of the kinds in the table.
fn words() -> BTreeSet<String> {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../codegen/src/compare/verdicts.rs");
    let table = fs::read_to_string(table).unwrap();
    let rows = table.split(".row(").skip(1).filter_map(|row| row.trim_start().strip_prefix("[\""));
    rows.map(|row| row.split_once('"').unwrap().0.to_owned()).collect()
}

#[test]
fn each_kind_of_change_has_a_pair_and_a_whole_row() {
    let mut found: BTreeSet<String> = WITHOUT_PAIR.map(str::to_owned).into();
    for (pair, settings) in pairs() {
        let aliases = settings.lines().filter_map(|line| line.split_once("\" = \""));
        let aliases =
            aliases.map(|names| [names.0, names.1].map(|it| it.trim_matches('"').to_owned()));
        let aliases = aliases.map(|[old, new]| (old, new)).collect();
        let [old, new] = pair.map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            Source { name: path.display().to_string(), text }
        });
        let of_old = Settings { package: "pets".to_owned(), ..Settings::default() };
        let of_new = Settings { aliases, ..of_old.clone() };
        let [before, after] = [(&old, of_old), (&new, of_new)]
            .map(|(source, settings)| codegen::public_api(source, &settings).0.unwrap());
        let mut comparison = compare(&before, &after);
        let described = [&old, &new].map(Described::new);
        comparison.add_described([&before, &after], [&described[0], &described[1]]);
        let changes = comparison.changes.iter().chain(&comparison.additions);
        for row in changes.flat_map(Change::differences).map(Difference::verdict) {
            let says_all = !row.label.is_empty() && !row.predicate.is_empty();
            let is_explained = row.word == "Added" || !row.reason.is_empty();
            assert!(says_all && is_explained, "{}", row.word);
            assert!(
                row.class > Class::Compatible || row.instead.is_empty() || row.word == "Aliased",
                "{}",
                row.word
            );
            found.insert(row.word.to_owned());
        }
    }
    let words = words();
    assert!(words.len() > 30, "{words:?}");
    assert_eq!(words, found);
}
