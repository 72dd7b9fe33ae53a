//! No name of a spec shadows an identifier that emitted code or the macros of the runtime use.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use codegen::Source;
use proc_macro2::{TokenStream, TokenTree};
use serde_json::{Map, Value, json};

use crate::support::case::{Case, documents, is_in_sample};
use crate::support::sources::macros;
use crate::support::workspace::Workspace;

/// The kinds of components other than objects. `OWN` is the object of the same name.
const KINDS: [(&str, &str); 7] = [
    ("aliases", r#"{"type": "string"}"#),
    ("enums", r#"{"enum": ["a", "b"]}"#),
    (
        "inlines",
        r#"{"type": "object", "properties": {"own": {"oneOf": [OWN, {"type": "boolean"}]}}}"#,
    ),
    ("integers", r#"{"enum": [1, 2]}"#),
    ("maps", r#"{"type": "object", "additionalProperties": OWN}"#),
    (
        "members",
        r#"{"oneOf": [{"required": ["a"], "properties": {"a": OWN}}, {"required": ["b"], "properties": {"b": OWN}}]}"#,
    ),
    ("unions", r#"{"oneOf": [OWN, {"type": "integer"}]}"#),
];

/// The types and traits of the prelude (Rust 2024).
const PRELUDE: &str = "AsMut AsRef Box Clone Copy Default DoubleEndedIterator Drop Eq ExactSizeIterator Extend Fn FnMut \
    FnOnce From FromIterator Future Into IntoFuture IntoIterator Iterator Option Ord PartialEq PartialOrd Result Send \
    Sized String Sync ToOwned ToString TryFrom TryInto Unpin Vec";

#[test]
fn no_name_of_a_spec_shadows_an_item_of_emitted_code() {
    let prelude = |name: &str| PRELUDE.split(' ').any(|it| it == name);
    compile_names("shadows", |index, name| is_in_sample(index, 24) || prelude(name));
}

#[test]
#[ignore = "part of `cargo ci --all`: it compiles a type of each kind for each name"]
fn no_name_at_all_shadows_an_item_of_emitted_code() {
    compile_names("all_shadows", |_, _| true);
}

/// Compiles a crate whose properties, values and parameters have the names of all identifiers that other crates contain
/// without a need of their spec, and whose schemas of every kind, variants, modules and operations have those that are tried.
fn compile_names(workspace: &str, is_tried: impl Fn(usize, &str) -> bool) {
    let crates: Vec<Emitted> = documents("cases").iter().map(|path| Emitted::new(path)).collect();
    let unqualified: BTreeSet<String> =
        crates.iter().flat_map(|emitted| emitted.unqualified.iter().cloned()).collect();
    let identifiers = identifiers(crates);
    for name in ["AsRef", "Option", "Result", "__Place", "concat", "internal", "runtime", "self"] {
        assert!(identifiers.contains(name), "{name} is not found: {identifiers:?}");
    }
    // Of those that differ only in case, the spelling of types is the first.
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for name in identifiers {
        names.entry(words(&name)).or_insert(name);
    }
    let all: Vec<String> = names.into_values().collect();
    let tried = all.iter().enumerate().filter(|(index, name)| is_tried(*index, name));
    let tried: Vec<&str> = tried.map(|(_, name)| name.as_str()).collect();
    let text = document(&all, &tried).to_string();
    let source = Source { name: "openapi.json".to_owned(), text };
    let case = Case { name: "shadows".to_owned(), source };
    let output = case.output();
    let members: BTreeSet<_> = output.public_api.members().map(|it| it.path.clone()).collect();
    let types: BTreeSet<_> =
        members.iter().filter_map(|path| path.as_str().split("::").last()).collect();
    let shadowed: Vec<_> =
        unqualified.iter().filter(|name| types.contains(name.as_str())).collect();
    assert!(shadowed.is_empty(), "types have names that modules use without a path: {shadowed:?}");
    let mut workspace = Workspace::new(workspace);
    workspace.add("shadows", &output.files);
    workspace.finish();
    let clippy =
        ["clippy", "--no-default-features", "--features=client,operations", "--", "-Dwarnings"];
    if let Err(messages) = workspace.cargo(&clippy) {
        panic!("{messages}");
    }
}

/// Returns a document with these names for everything that has a name; schemas and operations only with those that are tried.
fn document(names: &[String], tried: &[&str]) -> Value {
    let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let text = json!({ "type": "string" });
    let mut schemas = Map::new();
    let mut paths = Map::new();
    for &name in tried {
        // No type begins with another letter, and no variant in the place of one: such a name is that of modules, methods
        // and fields, whatever its types have.
        let is_of_type = name.trim_start_matches('_').starts_with(char::is_uppercase);
        let object = json!({
            "type": "object",
            "required": ["id", "value"],
            "properties": {
                "id": { "type": "string", "readOnly": true },
                "value": { "type": "array", "items": text },
                "at": { "type": "string", "format": "date-time" },
                "map": { "type": "object", "additionalProperties": text },
                "next": reference("Option"),
            },
        });
        schemas
            .insert(name.to_owned(), if is_of_type { object } else { json!({ "type": "object" }) });
        schemas.insert(format!("x.{name}.Inner"), json!({ "enum": ["a", "b"] }));
        if is_of_type {
            for (kind, schema) in KINDS {
                let schema = schema.replace("OWN", &reference(name).to_string());
                schemas.insert(format!("{kind}.{name}"), serde_json::from_str(&schema).unwrap());
            }
            let host = json!({ "oneOf": [reference(name), text] });
            schemas.insert(format!("Host of {name}"), host);
        }
        let content = |name: &str| json!({ "application/json": { "schema": reference(name) } });
        let mut operation = json!({
            "operationId": format!("{name}.{name}"),
            "parameters": [{ "name": "id", "in": "path", "required": true, "schema": text }],
            "requestBody": { "required": true, "content": content(name) },
            "responses": { "200": { "description": "Done.", "content": content(name) } },
        });
        if is_of_type {
            for (status, name) in [("202", "Option"), ("400", name), ("default", "Option")] {
                operation["responses"][status] =
                    json!({ "description": "Another.", "content": content(name) });
            }
        }
        paths.insert(format!("/{name}/{{id}}"), json!({ "put": operation }));
    }
    let properties: Map<_, _> = names.iter().map(|name| (name.clone(), text.clone())).collect();
    let member = |name: &str| json!({ "required": [name], "properties": { name: text } });
    let members: Vec<_> = tried.iter().map(|name| member(name)).collect();
    schemas.insert("EveryValue".to_owned(), json!({ "enum": names }));
    schemas.insert("EveryMember".to_owned(), json!({ "oneOf": members }));
    schemas
        .insert("EveryProperty".to_owned(), json!({ "type": "object", "properties": properties }));
    for (index, names) in names.chunks(20).enumerate() {
        for required in [false, true] {
            let parameters = names.iter().map(
                |name| json!({ "name": name, "in": "query", "required": required, "schema": text }),
            );
            let operation = json!({
                "operationId": format!("parameters.of{index}{required}"),
                "parameters": parameters.collect::<Vec<_>>(),
                "responses": { "204": { "description": "Done." } },
            });
            paths.insert(format!("/parameters/{index}/{required}"), json!({ "get": operation }));
        }
    }
    json!({
        "openapi": "3.1.1",
        "info": { "title": "Names", "version": "1.0.0" },
        "paths": paths,
        "components": { "schemas": schemas },
    })
}

/// Returns the identifiers of emitted code and of the runtime's macros, without those that come from a spec.
fn identifiers(crates: Vec<Emitted>) -> BTreeSet<String> {
    // What every crate defines is not from its spec.
    let defined = crates.iter().map(|emitted| emitted.defined.clone());
    let common = defined.reduce(|one, other| &one & &other).unwrap();
    let mut names = BTreeSet::new();
    for Emitted { identifiers, defined, words, .. } in crates {
        names.extend(identifiers.into_iter().filter(|name| {
            common.contains(name) || !defined.contains(name) && !words.contains(&self::words(name))
        }));
    }
    macros().into_values().flatten().for_each(|body| add(body, &mut names));
    names
}

/// The identifiers of an emitted crate.
struct Emitted {
    /// Those in its files.
    identifiers: BTreeSet<String>,
    /// The names of the prelude in modules that import or define types, which are used without a path.
    unqualified: BTreeSet<String>,
    /// Those that it defines.
    defined: BTreeSet<String>,
    /// The words of its spec.
    words: BTreeSet<String>,
}

impl Emitted {
    fn new(document: &Path) -> Self {
        let case = Case::read(document);
        let output = case.output();
        let mut identifiers = BTreeSet::new();
        let is_rust = |path: &str| Path::new(path).extension().is_some_and(|kind| kind == "rs");
        let files = output.files.iter().filter(|file| is_rust(&file.path));
        let mut unqualified = BTreeSet::new();
        for file in files {
            let tokens: TokenStream = file.text.parse().unwrap();
            if file.path.starts_with("src/models/") || file.path.starts_with("src/resources/") {
                add_unqualified(tokens.clone(), &mut unqualified);
            }
            add(tokens, &mut identifiers);
        }
        let mut defined = BTreeSet::new();
        for member in output.public_api.members() {
            defined.extend(member.path.as_str().split("::").map(str::to_owned));
            defined.insert(member.name.to_owned());
        }
        let is_word = |char: char| char.is_alphanumeric() || char == '_';
        let words: BTreeSet<_> = case.source.text.split(|char| !is_word(char)).map(words).collect();
        Self { identifiers, unqualified: &unqualified - &defined, defined, words }
    }
}

/// Returns the words of an identifier, without regard to its case.
fn words(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}

fn add(tokens: TokenStream, names: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                names.insert(name.to_string().trim_start_matches("r#").to_owned());
            }
            TokenTree::Group(group) => add(group.stream(), names),
            _ => {}
        }
    }
}

/// Adds the names of the prelude that no path precedes.
fn add_unqualified(tokens: TokenStream, names: &mut BTreeSet<String>) {
    let (mut is_path, mut has_colon) = (false, false);
    for token in tokens {
        match &token {
            TokenTree::Ident(name) if !is_path && PRELUDE.split(' ').any(|it| name == it) => {
                names.insert(name.to_string());
            }
            TokenTree::Group(group) => add_unqualified(group.stream(), names),
            _ => {}
        }
        let colon = matches!(&token, TokenTree::Punct(it) if it.as_char() == ':');
        (is_path, has_colon) = (colon && has_colon, colon);
    }
}
