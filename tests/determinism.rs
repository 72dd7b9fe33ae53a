//! What is emitted depends on what the description says and on nothing else: not on the run, not on the order in which
//! things are described; and what is added to a description renames nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use codegen::Node;
use codegen::{Output, SourceFile};

use crate::support::case::Case;
use crate::support::tree;

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn the_same_description_gives_the_same_files() {
    for case in descriptions() {
        assert_same(&case, &case.output(), &case.output());
    }
}

#[test]
fn the_order_of_a_description_changes_nothing() {
    for case in descriptions() {
        let expected = case.output();
        for seed in 1..=4 {
            let mut root = tree::parse(&case.source.text);
            shuffle_document(&mut root, seed);
            assert_same(&case, &expected, &with_text(&case, tree::print(&root)).output());
        }
    }
}

#[test]
fn an_added_operation_renames_nothing() {
    let removed =
        descriptions().iter().map(|case| assert_additive(case, &["paths"])).sum::<usize>();
    assert!(removed > 40, "only {removed} descriptions were compared");
}

#[test]
fn an_added_schema_renames_nothing() {
    let removed = descriptions()
        .iter()
        .map(|case| assert_additive(case, &["components", "schemas"]))
        .sum::<usize>();
    assert!(removed > 40, "only {removed} descriptions were compared");
}

/// Returns the descriptions of all cases, and the one that this workspace is about.
fn descriptions() -> Vec<Case> {
    let cases = fs::read_dir(Path::new(FOLDER).join("cases")).unwrap();
    let mut paths: Vec<_> = cases.map(|case| case.unwrap().path().join("openapi.yaml")).collect();
    paths.push(Path::new(FOLDER).join("../spec/openapi.yaml"));
    paths.sort();
    paths.iter().map(|path| Case::read(path)).collect()
}

fn with_text(case: &Case, text: String) -> Case {
    let source = codegen::Source { name: "openapi.json".to_owned(), text };
    Case { name: case.name.clone(), source }
}

fn assert_same(case: &Case, expected: &Output, found: &Output) {
    let paths =
        |files: &[SourceFile]| files.iter().map(|file| file.path.clone()).collect::<Vec<_>>();
    assert_eq!(paths(&expected.files), paths(&found.files), "the files of {}", case.name);
    for (expected, found) in expected.files.iter().zip(&found.files) {
        assert_eq!(expected.text, found.text, "{} of {}", expected.path, case.name);
    }
}

/// Puts paths, operations of a path, tags and components into another order. The order of the rest has a meaning.
fn shuffle_document(root: &mut Node, seed: u64) {
    let sections =
        ["schemas", "parameters", "requestBodies", "responses", "pathItems", "securitySchemes"];
    for section in sections {
        if let Some(members) = tree::members(root, &["components", section]) {
            shuffle(members, seed);
        }
    }
    for (_, item) in tree::members(root, &["paths"]).into_iter().flatten() {
        if let Some(members) = tree::members(item, &[]) {
            shuffle(members, seed);
        }
    }
    if let Some(members) = tree::members(root, &["paths"]) {
        shuffle(members, seed);
    }
    if let Some(members) = tree::members(root, &[]) {
        shuffle(members, seed);
    }
}

/// Puts a list into an order that depends on the seed (Fisher and Yates, with a linear congruential generator).
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed;
    for end in (1..items.len()).rev() {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        items.swap(end, usize::try_from(state >> 33).unwrap() % (end + 1));
    }
}

/// Removes each member of a section in turn. Wherever the rest is a valid description, its public items must be among
/// those of the whole. Returns how often that was so.
fn assert_additive(case: &Case, section: &[&str]) -> usize {
    let all = public_items(&case.output());
    let mut root = tree::parse(&case.source.text);
    let count = tree::members(&mut root, section).map_or(0, |members| members.len());
    let mut compared = 0;
    for index in 0..count {
        let mut smaller = root.clone();
        let Some(members) = tree::members(&mut smaller, section) else {
            continue;
        };
        let (key, _) = members.remove(index);
        let Some(output) = with_text(case, tree::print(&smaller)).generate().output else {
            continue;
        };
        let renamed: Vec<String> = public_items(&output).difference(&all).cloned().collect();
        assert!(
            renamed.is_empty(),
            "to add `{key}` to {} takes these items away: {renamed:#?}",
            case.name
        );
        compared += 1;
    }
    compared
}

fn public_items(output: &Output) -> BTreeSet<String> {
    let list = output.files.iter().find(|file| file.path == "api.txt").unwrap();
    list.text.lines().map(str::to_owned).collect()
}
