//! A crate with many operations has a feature for each resource, so that users compile only the operations that they
//! call, and the models that these operations reach.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use codegen::items::features;
use codegen::{Output, Source, SourceFile};

use crate::support::case::Case;
use crate::support::workspace::Workspace;

/// The schemas that the operations of each resource return, one after the other.
const RESOURCES: [(&str, &[&str]); 6] = [
    ("apps", &["App", "Everywhere", "Tree"]),
    ("groups", &["Group", "OwnerRef", "Everywhere"]),
    ("owners", &["Owner", "Everywhere"]),
    ("pairs", &["First", "OwnerRef"]),
    ("roles", &["Role", "Everywhere", "Second"]),
    ("trees", &["Tree"]),
];

/// The number of operations of each resource: with five of them, enough for a crate with features.
const OPERATIONS: usize = 21;

/// The schemas with their properties. `App` and `Group` share `Shared`, and with it `Inner` and `Leaf`; `OwnerRef` is a reference to
/// `Owner`; `First` and `Second` need each other; no operation reaches `Unused`.
const SCHEMAS: &str = "
  App: {properties: {id: {type: string}, shared: {$ref: '#/components/schemas/Shared'}, kind: {type: string, enum: [A, B]}}}
  Group: {properties: {members: {type: array, items: {$ref: '#/components/schemas/Shared'}}, own: {properties: {role: {$ref: '#/components/schemas/Role'}}}}}
  Shared: {properties: {inner: {type: object, additionalProperties: {$ref: '#/components/schemas/Inner'}}}}
  Inner: {oneOf: [{required: [app], properties: {app: {type: string}}}, {required: [role], properties: {role: {type: array, items: {$ref: '#/components/schemas/Leaf'}}}}]}
  Owner: {properties: {id: {type: string}, name: {type: string}}}
  OwnerRef: {properties: {id: {type: string}}}
  Leaf: {properties: {id: {type: string}}}
  Role: {properties: {id: {type: string}}}
  Everywhere: {properties: {detail: {$ref: '#/components/schemas/Detail'}}}
  Detail: {properties: {text: {type: string}}}
  First: {properties: {second: {$ref: '#/components/schemas/Second'}}}
  Second: {properties: {first: {$ref: '#/components/schemas/First'}}}
  Tree: {properties: {left: {$ref: '#/components/schemas/Tree'}, id: {type: integer, format: int64}}}
  Unused: {properties: {app: {$ref: '#/components/schemas/App'}}}
";

const MANIFEST: &str = "[package]\nname = \"program\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
    [dependencies]\ncase-features = { path = \"../features\", default-features = false, features = [\"client\"] }\n";

#[test]
fn features_are_those_of_the_resources_that_reach_a_model() {
    let output = document(&RESOURCES).output();
    let manifest = file(&output, "Cargo.toml");
    let default = "default = [\"reqwest\", \"tls-ring\", \"operations\"]";
    assert!(manifest.contains(default), "no `{default}` in\n{manifest}");
    let api = output.public_api.to_string();
    let features = |model: &str| {
        let is_model = |line: &&str| {
            line.strip_prefix(&format!("struct models::{model}"))
                .is_some_and(|rest| rest.starts_with([' ', ':']))
        };
        let line = api.lines().find(is_model).unwrap_or_else(|| panic!("no `{model}` in\n{api}"));
        line.split_once(" if feature ").map(|(_, features)| features.to_owned())
    };
    assert_eq!(features("App").unwrap(), r#""apps""#);
    assert_eq!(features("Shared").unwrap(), r#""apps" or "groups""#);
    assert_eq!(features("GroupOwn").unwrap(), r#""groups""#);
    assert_eq!(features("Role").unwrap(), r#""groups" or "roles""#);
    assert_eq!(features("Owner").unwrap(), r#""owners""#);
    assert_eq!(features("OwnerRef").unwrap(), r#""groups" or "pairs""#);
    assert_eq!(features("First").unwrap(), r#""pairs" or "roles""#);
    assert_eq!(features("Tree").unwrap(), r#""apps" or "trees""#);
    assert_eq!(features("Unused").unwrap(), r#""operations""#);
    // More than half of the resources reach them.
    assert_eq!([features("Everywhere"), features("Detail")], [None, None]);
}

#[test]
fn resources_leave_the_features_of_every_crate_their_names() {
    let common = features::COMMON.iter().chain([&features::FILES]).flat_map(|it| it.features);
    let common = common.map(|(name, _)| *name);
    let names: Vec<&str> =
        common.chain([features::LOGIN, features::OPERATIONS, "default", "jwk"]).collect();
    let resources: Vec<_> = names.iter().map(|name| (*name, &["App"][..])).collect();
    let output = document(&resources).output();
    let manifest = file(&output, "Cargo.toml");
    for name in names {
        assert!(manifest.contains(&format!("\n{name}-operations = [")), "`{name}` is taken");
    }
}

#[test]
fn another_resource_changes_only_the_models_that_it_reaches() {
    let files = |output: &Output| {
        let lines = output.files.iter().flat_map(|file| {
            file.text.lines().map(move |line| format!("{}: {}", file.path, line.trim()))
        });
        lines.collect::<BTreeSet<_>>()
    };
    let without = files(&document(&RESOURCES[..5]).output());
    let with = files(&document(&RESOURCES).output());
    let is_condition = |line: &&String| line.contains("models/mod.rs") && line.contains("cfg(");
    let changed: Vec<_> = with.difference(&without).filter(is_condition).collect();
    // Of the models that several resources reach, only `Tree` is new to it: its module, and its name.
    assert_eq!(changed.len(), 2, "{changed:#?}");
}

#[test]
fn any_choice_of_features_compiles() {
    compile(&workspace(), &["", "operations", "client", "client,pairs", "client,operations"]);
}

#[test]
fn replies_and_events_compile_without_the_client() {
    let mut workspace = Workspace::new("without_client");
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    for name in ["replies", "streams"] {
        let case = Case::read(&cases.join(name).join("openapi.yaml"));
        workspace.add(&case.name, &case.output().files);
    }
    workspace.finish();
    compile(&workspace, &[""]);
}

#[test]
fn a_missing_feature_is_named() {
    let client = "pub fn get(client: &case_features::Client) { client.apps().get0(); }";
    let model = "pub use case_features::models::{OwnerRef, Role};";
    let file = |path: &str, text: &str| SourceFile { path: path.to_owned(), text: text.to_owned() };
    let mut workspace = Workspace::new("missing_feature");
    workspace.add("features", &document(&RESOURCES).output().files);
    for (name, program) in [("client", client), ("model", model)] {
        let manifest = MANIFEST.replace("program", name);
        workspace.add(name, &[file("Cargo.toml", &manifest), file("src/lib.rs", program)]);
    }
    workspace.finish();
    let message = |program| {
        let output = workspace.output(&["check", "--package", program]);
        String::from_utf8(output.stderr).unwrap()
    };
    let messages = message("client");
    assert!(messages.contains("internal::MissingFeature`"), "{messages}");
    assert!(messages.contains("enable the feature `apps`"), "{messages}");
    let messages = message("model");
    assert!(messages.contains(r#"any(feature = "groups", feature = "pairs")"#), "{messages}");
    assert!(messages.contains(r#"any(feature = "groups", feature = "roles")"#), "{messages}");
    assert!(!messages.contains("__models"), "{messages}");
}

#[test]
#[ignore = "part of `cargo ci --all`: it compiles three HTTP clients"]
fn other_choices_of_features_compile() {
    compile(&workspace(), &["apps,owners,test-util", "reqwest", "tls-graviola"]);
}

#[test]
#[ignore = "part of `cargo ci --all`: it compiles a crate for each pair of resources"]
fn resources_compile_alone_and_in_pairs() {
    let names = || RESOURCES.iter().map(|(name, _)| name);
    let sets = names().flat_map(|one| names().map(move |other| format!("client,{one},{other}")));
    let sets: Vec<_> = sets.collect();
    compile(&workspace(), &sets.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
#[ignore = "part of `cargo ci --all`: it compiles a crate for each resource of spec/"]
fn resources_of_the_spec_compile_alone_and_in_pairs() {
    let mut spec = Case::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/openapi.yaml"));
    // A crate with few operations has no features.
    let others = (0..100).map(|index| {
        format!("  /others/{index}: {{get: {{tags: [others], responses: {{'204': {{description: Nothing.}}}}}}}}\n")
    });
    let paths = format!("\npaths:\n{}", others.collect::<String>());
    spec.source.text = spec.source.text.replacen("\npaths:\n", &paths, 1);
    let output = spec.output();
    let mut workspace = Workspace::new("spec_features");
    workspace.add("spec", &output.files);
    workspace.finish();
    let manifest = file(&output, "Cargo.toml");
    let (_, resources) = manifest.split_once("\noperations = [").unwrap();
    let (resources, _) = resources.split_once(']').unwrap();
    let resources: Vec<_> = resources.split('"').skip(1).step_by(2).collect();
    assert!(resources.contains(&"tasks"), "{resources:?}");
    let following = resources.iter().cycle().skip(1);
    let pairs = resources.iter().zip(following).map(|(one, other)| format!("client,{one},{other}"));
    let sets: Vec<_> = resources.iter().map(|&one| one.to_owned()).chain(pairs).collect();
    compile(&workspace, &sets.iter().map(String::as_str).collect::<Vec<_>>());
}

fn workspace() -> Workspace {
    let mut workspace = Workspace::new("features");
    workspace.add("features", &document(&RESOURCES).output().files);
    workspace.finish();
    workspace
}

fn file<'o>(output: &'o Output, path: &str) -> &'o str {
    &output.files.iter().find(|file| file.path == path).unwrap().text
}

/// Compiles the crate with each choice of features.
fn compile(workspace: &Workspace, choices: &[&str]) {
    for features in choices {
        let arguments = ["clippy", "--no-default-features", "--features", features];
        let lints = ["--", "-Dwarnings", "-Dclippy::pedantic"];
        if let Err(messages) = workspace.cargo(&[&arguments[..], &lints].concat()) {
            panic!("with the features `{features}`: {messages}");
        }
    }
}

/// Returns a description of some resources with more operations than a crate without features may have.
fn document(resources: &[(&str, &[&str])]) -> Case {
    let mut text = String::from("openapi: 3.1.1\ninfo: {title: Many, version: 1.0.0}\n");
    // The enum of the variable is named by code that no feature compiles alone.
    text.push_str("servers: [{url: 'https://{region}.example', variables: {region: {default: eu, enum: [eu, us]}}}]\npaths:\n");
    for (tag, schemas) in resources {
        for (index, schema) in (0..OPERATIONS).zip(schemas.iter().cycle()) {
            let schema = format!("{{$ref: '#/components/schemas/{schema}'}}");
            let content = format!("content: {{application/json: {{schema: {schema}}}}}");
            writeln!(
                text,
                "  /{tag}/{index}: {{get: {{operationId: {tag}.get{index}, tags: [{tag}], \
                 responses: {{'200': {{description: It., {content}}}}}}}}}"
            )
            .unwrap();
        }
    }
    text.push_str("components:\n schemas:");
    text.push_str(SCHEMAS);
    let source = Source { name: "openapi.yaml".to_owned(), text };
    Case { name: "features".to_owned(), source }
}
