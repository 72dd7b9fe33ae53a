//! Output depends only on the content of the spec, not on the run or the order of the spec. Additions rename nothing.

use std::collections::BTreeMap;
use std::path::Path;

use codegen::diagnostics::Code;
use codegen::items::{Definition, Member, MemberKind, Method, Wire};
use codegen::{Kept, Node, Output, Settings, Source, SourceFile};

use crate::names;
use crate::support::case::{Case, documents, is_in_sample};
use crate::support::tree;

const HEAD: &str = "openapi: 3.1.1\ninfo: {title: Names, version: '1'}\n";

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// The order that exchanges every two items.
pub const REVERSED: u64 = 0;

/// Another order.
pub const SHUFFLED: u64 = 1;

#[test]
fn neither_the_run_nor_the_order_of_a_description_changes_the_files() {
    assert_same_in_order(REVERSED, |index| is_in_sample(index, 6));
}

#[test]
#[ignore = "part of `cargo ci --all`: it generates all crates four times"]
fn no_order_of_a_description_changes_the_files() {
    for seed in [REVERSED, SHUFFLED] {
        assert_same_in_order(seed, |_| true);
    }
}

#[test]
fn an_addition_renames_nothing() {
    let cases = additive_cases().into_iter().enumerate();
    let tried = cases.filter(|(index, _)| is_in_sample(*index, 6));
    let compared = tried.map(|(_, case)| assert_additive(&case, 5)).sum::<usize>();
    assert!(compared > 20, "only {compared} documents were compared");
}

#[test]
#[ignore = "part of `cargo ci --all`: it takes as long as all other tests of names"]
fn none_of_many_additions_renames_anything() {
    let compared = additive_cases().iter().map(|case| assert_additive(case, 20)).sum::<usize>();
    assert!(compared > 400, "only {compared} documents were compared");
    assert!(assert_additive(&spec(), 20) > 10);
}

#[test]
fn a_value_takes_over_the_name_of_no_other() {
    let values = |values: &str| {
        let text = format!("{HEAD}components: {{schemas: {{TaskOrigin: {{enum: [{values}]}}}}}}");
        let (mut items, _) = public_items(&text);
        items.retain(|_, value| !value.is_empty());
        items
    };
    let cases = [
        ("TASK_ORIGIN_API", "TASK_ORIGIN_API_, TASK_ORIGIN_api, task-origin-api, API"),
        ("red", "RED, Red, red_"),
        ("RED", "red"),
        ("a-b", "A_B, a_b, A-B, 'a b'"),
        ("'-created'", "minus-created, created, +created"),
    ];
    for (value, others) in cases {
        let others: Vec<&str> = others.split(", ").collect();
        let all = (0..=others.len()).map(|count| [&others[..count], &[value]].concat().join(", "));
        let all: Vec<_> = all.map(|all| values(&all)).collect();
        for (count, after) in all.iter().enumerate() {
            assert_eq!(after.len(), 1 + count, "{after:?}");
            let before = all[..count].iter();
            let taken: Vec<_> = before.flat_map(|before| other_values(before, after)).collect();
            assert!(taken.is_empty(), "{taken:?} in {after:?}");
        }
    }
    let (before, after) = (values("'-created', b"), values("created, '!created', b, '-created'"));
    assert!(before.keys().all(|name| after.contains_key(name)), "{after:?}");
}

/// Returns the documents of all cases, and the spec of this workspace.
pub fn descriptions() -> Vec<Case> {
    cases().into_iter().chain([spec()]).collect()
}

fn spec() -> Case {
    Case::read(&Path::new(FOLDER).join("../spec/openapi.yaml"))
}

fn cases() -> Vec<Case> {
    documents("cases").iter().map(|path| Case::read(path)).collect()
}

/// Returns the documents of all cases, and one of names that are alike.
fn additive_cases() -> Vec<Case> {
    cases().into_iter().chain([names::alike()]).collect()
}

fn with_text(case: &Case, text: String) -> Case {
    let source = Source { name: case.source.name.clone(), text };
    Case { name: case.name.clone(), source }
}

fn assert_same_in_order(seed: u64, is_tried: impl Fn(usize) -> bool) {
    let all = descriptions().into_iter().chain([names::alike()]).enumerate();
    for (_, case) in all.filter(|(index, _)| is_tried(*index)) {
        let mut root = tree::parse(&case.source.text);
        shuffle_document(&mut root, seed);
        assert_same(&case, &case.output(), &with_text(&case, tree::print(&root)).output());
    }
}

fn assert_same(case: &Case, expected: &Output, found: &Output) {
    let paths =
        |files: &[SourceFile]| files.iter().map(|file| file.path.clone()).collect::<Vec<_>>();
    assert_eq!(paths(&expected.files), paths(&found.files), "the files of {}", case.name);
    for (expected, found) in expected.files.iter().zip(&found.files) {
        assert_eq!(expected.text, found.text, "{} of {}", expected.path, case.name);
    }
}

/// Reorders paths, operations of a path, tags, components and the keywords of schemas. The order of everything else has a
/// meaning.
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
    shuffle_keywords(root, seed);
}

fn shuffle_keywords(node: &mut Node, seed: u64) {
    match node {
        Node::Object(members) => {
            if members.iter().any(|(key, value)| key == "type" && value.as_str().is_some()) {
                shuffle(members, seed);
            }
            for (_, inner) in members {
                shuffle_keywords(inner, seed);
            }
        }
        Node::Array(items) => {
            for inner in items {
                shuffle_keywords(inner, seed);
            }
        }
        _ => {}
    }
}

/// Puts a list into an order that depends on the seed (Fisher and Yates, with a linear congruential generator). The seed 0
/// reverses it.
pub fn shuffle<T>(items: &mut [T], seed: u64) {
    if seed == 0 {
        return items.reverse();
    }
    let mut state = seed;
    for end in (1..items.len()).rev() {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        items.swap(end, usize::try_from(state >> 33).unwrap() % (end + 1));
    }
}

/// Removes each addition to a document in turn, or about as many as are asked for. All items of the rest have the same names
/// in the whole, or a note reports that the name is taken. Returns the number of compared documents; none of one that
/// consists of several files.
fn assert_additive(case: &Case, count: usize) -> usize {
    let (all, notes) = public_items(&case.source.text);
    if all.is_empty() {
        return 0;
    }
    let root = tree::parse(&case.source.text);
    let mut places = Vec::new();
    removable(&root, &mut Vec::new(), &mut places);
    let tried = places.iter().step_by(1 + places.len() / count);
    let count = tried.len();
    for place in tried {
        let mut smaller = root.clone();
        remove(&mut smaller, place);
        let (names, _) = public_items(&tree::print(&smaller));
        let renamed = names.keys().filter(|name| {
            let is_exempt = is_noted(name, &notes) || is_of_an_edit(name) || sends_null(name);
            !all.contains_key(*name) && !is_exempt
        });
        let renamed: Vec<&String> = renamed.chain(other_values(&names, &all)).collect();
        assert!(
            renamed.is_empty(),
            "to add {place:?} to {} takes away these names, or gives them to others: {renamed:#?}",
            case.name
        );
    }
    count
}

/// Returns whether a method sends null, which another schema of the property can exclude.
fn sends_null(name: &str) -> bool {
    name.contains("::set_") && name.ends_with("_null")
}

/// Returns whether a method sends an edit. Only requests with a mask next to exactly one object have such methods, so a
/// second object removes them, unless `[masks]` of codegen.toml chooses one of the two.
fn is_of_an_edit(path: &str) -> bool {
    const METHODS: [&str; 4] = ["send_edit", "send_edit_blocking", "set_mask", "with_edit"];
    path.rsplit("::").next().is_some_and(|name| METHODS.contains(&name))
}

fn is_noted(path: &str, notes: &[String]) -> bool {
    let segments: Vec<&str> = path.split("::").collect();
    notes.iter().any(|note| segments.iter().any(|name| note.contains(&format!("{name}`"))))
}

/// Finds the possible additions to a document that was valid before: operations, schemas, properties, values,
/// parameters.
fn removable(node: &Node, path: &mut Vec<usize>, places: &mut Vec<Vec<usize>>) {
    let children: Vec<(&str, &Node)> = match node {
        Node::Object(members) => members.iter().map(|(key, node)| (key.as_str(), node)).collect(),
        Node::Array(items) => items.iter().map(|node| ("", node)).collect(),
        _ => return,
    };
    for (index, (key, child)) in children.into_iter().enumerate() {
        path.push(index);
        let count = match (key, child) {
            ("paths" | "schemas", Node::Object(members)) => members.len(),
            ("properties", Node::Object(members)) if members.len() > 1 => members.len(),
            ("enum" | "parameters", Node::Array(items)) if items.len() > 1 => items.len(),
            _ => 0,
        };
        for inner in (0..count).filter(|&inner| !is_special(child, inner)) {
            places.push([path.as_slice(), &[inner]].concat());
        }
        // The type of an event is that of its property `data`, if it has one.
        if key != "itemSchema" {
            removable(child, path, places);
        }
        path.pop();
    }
}

/// Returns whether names depend on more than what they name: the variants of an enum on the value that determines the
/// prefix, the types within an inline schema of an operation on the other references to it, and a branch without a name
/// on its constant.
fn is_special(node: &Node, index: usize) -> bool {
    match node {
        Node::Array(items) => {
            // The names of integers are not taken away by one that is too large to be a value of an enum.
            items[index].as_str().is_some_and(|value| value.ends_with("UNSPECIFIED"))
                || matches!(&items[index], Node::Integer(value) if i64::try_from(*value).is_err())
        }
        Node::Object(members) => {
            let (_, member) = &members[index];
            tree::print(member).contains("#/paths/") || is_constant(member)
        }
        _ => false,
    }
}

fn is_constant(schema: &Node) -> bool {
    let Node::Object(keywords) = schema else { return false };
    keywords.iter().any(|(keyword, value)| match value {
        Node::Array(values) => keyword == "enum" && values.len() == 1,
        _ => keyword == "const",
    })
}

fn remove(node: &mut Node, path: &[usize]) {
    match (node, path) {
        (Node::Object(members), [index]) => drop(members.remove(*index)),
        (Node::Object(members), [list, index]) if members[*list].0 == "enum" => {
            // Lists about the values, with an element for each.
            let lists = members.iter_mut().filter(|(key, _)| key.contains("enum"));
            for (_, list) in lists {
                match list {
                    Node::Array(items) if *index < items.len() => drop(items.remove(*index)),
                    _ => {}
                }
            }
        }
        (Node::Array(items), [index]) => drop(items.remove(*index)),
        (Node::Object(members), [index, rest @ ..]) => remove(&mut members[*index].1, rest),
        (Node::Array(items), [index, rest @ ..]) => remove(&mut items[*index], rest),
        _ => {}
    }
}

/// Returns the names that stand for another value after a change.
fn other_values<'b>(
    before: &'b BTreeMap<String, String>,
    after: &BTreeMap<String, String>,
) -> Vec<&'b String> {
    let others =
        before.iter().filter(|(name, value)| after.get(*name).is_some_and(|it| it != *value));
    others.map(|(name, _)| name).collect()
}

/// Returns the paths of all public items and of their members, each with its value if it is one, and the notes about
/// names; nothing of an invalid document.
fn public_items(text: &str) -> (BTreeMap<String, String>, Vec<String>) {
    let source = Source { name: "openapi.json".to_owned(), text: text.to_owned() };
    let (api, diagnostics) =
        codegen::public_api(&source, &Settings { kept: Kept::All, ..Settings::default() });
    let mut names = BTreeMap::new();
    for (path, item) in api.into_iter().flat_map(|api| api.items) {
        let members = item.members.iter().filter(|((kind, _), member)| {
            matches!(kind, MemberKind::Field | MemberKind::Variant | MemberKind::Method)
                && !replaces_constant(member)
        });
        names.extend(members.map(|((_, name), member)| {
            let value = match &member.definition {
                Definition::Variant(None, Some(Wire::Value(value))) => value.as_str(),
                _ => "",
            };
            (format!("{path}::{name}"), value.to_owned())
        }));
        names.insert(path.to_string(), String::new());
    }
    let notes = diagnostics.iter().filter(|found| found.code == Code::NameCollision);
    (names, notes.map(|note| note.message.clone()).collect())
}

/// Returns whether a setter replaces the only value of a parameter. A second value makes it an argument.
fn replaces_constant(member: &Member) -> bool {
    matches!(
        &member.definition,
        Definition::Method(Method { wire: Some(Wire::Parameter { constant: Some(_), .. }), .. })
    )
}
