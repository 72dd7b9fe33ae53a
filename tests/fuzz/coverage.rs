//! The constructs in random documents: `cargo xtask fuzz --coverage`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use codegen::Node;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::document::{Seeds, tree};

/// The number of documents that are looked at.
const DOCUMENTS: usize = 2_000;

/// The keys whose properties have names that a document chooses.
const NAMED: [&str; 19] = [
    "paths", "webhooks", "callbacks", "schemas", "parameters", "headers", "requestBodies",
    "responses", "pathItems", "securitySchemes", "examples", "links", "content", "encoding",
    "variables", "properties", "patternProperties", "$defs", "mapping",
];

/// The constructs that have a schema, or a reference in place of a value.
const CONSTRUCTS: [&str; 36] = [
    "components headers",
    "components parameters",
    "components pathItems",
    "components requestBodies",
    "components responses",
    "components schemas",
    "parameters schema",
    "parameters content",
    "requestBody content",
    "requestBody $ref",
    "responses content",
    "responses headers",
    "headers schema",
    "content multipart/form-data",
    "content application/x-www-form-urlencoded",
    "content application/octet-stream",
    "content text/plain",
    "encoding headers",
    "itemSchema",
    "links",
    "callbacks",
    "webhooks",
    "schema properties",
    "schema patternProperties",
    "schema additionalProperties",
    "schema unevaluatedProperties",
    "schema items",
    "schema prefixItems",
    "schema allOf",
    "schema anyOf",
    "schema oneOf",
    "schema discriminator",
    "schema not",
    "schema $defs",
    "schema propertyNames",
    "schema if",
];

/// The constructs without a schema, most of them keys with one of their values.
const VALUES: [&str; 36] = [
    "in path",
    "in query",
    "in header",
    "in cookie",
    "in querystring",
    "style simple",
    "style label",
    "style matrix",
    "style form",
    "style spaceDelimited",
    "style pipeDelimited",
    "style deepObject",
    "style cookie",
    "explode",
    "allowReserved",
    "encoding contentType",
    "encoding style",
    "discriminator mapping",
    "type []",
    "schema const",
    "schema enum",
    "schema readOnly",
    "format binary",
    "servers variables",
    "paths servers",
    "get servers",
    "security",
    "get security",
    "type apiKey",
    "scheme basic",
    "scheme bearer",
    "type mutualTLS",
    "type openIdConnect",
    "flows authorizationCode",
    "flows clientCredentials",
    "flows deviceAuthorization",
];

/// Returns a table of how many documents have each construct, and how many have it with a reference below it.
pub fn table(seeds: Seeds) -> String {
    let strategy = seeds.strategy();
    let mut runner = TestRunner::deterministic();
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for _ in 0..DOCUMENTS {
        let Ok(document) = strategy.new_tree(&mut runner) else { continue };
        let Some(root) = tree(&document.current().0) else { continue };
        let mut found = BTreeSet::new();
        visit(&root, &mut Vec::new(), &mut found);
        for construct in CONSTRUCTS.into_iter().chain(VALUES) {
            let count = counts.entry(construct).or_default();
            count[0] += usize::from(found.contains(&(construct.to_owned(), false)));
            count[1] += usize::from(found.contains(&(construct.to_owned(), true)));
        }
    }
    let mut table = format!(
        "| construct, in {DOCUMENTS} documents | has it | with a reference |\n|---|---:|---:|\n"
    );
    for construct in CONSTRUCTS {
        let [all, referring] = counts.get(construct).copied().unwrap_or_default();
        let _ = writeln!(table, "| {construct} | {all} | {referring} |");
    }
    for construct in VALUES {
        let [all, _] = counts.get(construct).copied().unwrap_or_default();
        let _ = writeln!(table, "| {construct} | {all} | - |");
    }
    table
}

/// Collects the constructs of a value with whether there is a reference below; returns whether there is one.
fn visit(node: &Node, path: &mut Vec<String>, found: &mut BTreeSet<(String, bool)>) -> bool {
    let children: Vec<(&str, &Node)> = match node {
        Node::Array(items) => items.iter().map(|item| ("", item)).collect(),
        Node::Object(properties) => {
            properties.iter().map(|(key, value)| (key.as_str(), value)).collect()
        }
        _ => return false,
    };
    let is_map = path.last().is_some_and(|key| NAMED.contains(&key.as_str()));
    let mut refers = false;
    for (key, value) in children {
        if is_map || matches!(node, Node::Array(_)) {
            let outer = path.last().map_or("", String::as_str);
            let name = format!("{outer} {key}");
            path.push(ANY.to_owned());
            let below = visit(value, path, found);
            path.pop();
            found.extend([(name.clone(), false), (name, below)]);
            refers |= below;
            continue;
        }
        let owner = path.iter().rev().find(|key| *key != ANY);
        let owner = if is_schema(path) { "schema" } else { owner.map_or("", String::as_str) };
        let text = match value {
            Node::Array(_) => "[]",
            value => value.as_str().unwrap_or_default(),
        };
        let names = [key.to_owned(), format!("{owner} {key}"), format!("{key} {text}")];
        path.push(key.to_owned());
        let below = visit(value, path, found) || key == "$ref";
        path.pop();
        for name in names {
            found.extend([(name.clone(), false), (name, below)]);
        }
        refers |= below;
    }
    refers
}

/// Represents a name that the document chooses, and an index.
const ANY: &str = "*";

/// Returns whether a path of keys leads to a schema.
fn is_schema(path: &[String]) -> bool {
    const ONE: [&str; 8] = [
        "schema",
        "itemSchema",
        "items",
        "additionalProperties",
        "unevaluatedProperties",
        "not",
        "propertyNames",
        "if",
    ];
    const SEVERAL: [&str; 8] = [
        "schemas", "properties", "patternProperties", "prefixItems", "allOf", "anyOf", "oneOf",
        "$defs",
    ];
    match path {
        [.., outer, last] if last == ANY => SEVERAL.contains(&outer.as_str()),
        [.., last] => ONE.contains(&last.as_str()),
        [] => false,
    }
}
