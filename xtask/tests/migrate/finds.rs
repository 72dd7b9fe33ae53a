//! Bumps on which a migration once gave up, or advised what would delete other data.

use crate::faults::{MAIN, app};
use crate::scene::Scene;

/// Returns a spec: its operations, each with its path, method, tag, identifier and required parameters, and its schemas.
fn spec(operations: &[(&str, &str, &str, &str, &[&str])], schemas: &str) -> String {
    let operation = |(path, verb, tag, id, parameters): &(_, _, _, _, &[&str])| {
        let place = |name: &str| if name == "id" { "path" } else { "query" };
        let parameters = parameters.iter().map(|name| {
            format!(
                "{{name: {name}, in: {}, required: true, schema: {{type: string}}}}",
                place(name)
            )
        });
        let parameters: Vec<_> = parameters.collect();
        format!(
            "  {path}: {{{verb}: {{operationId: {id}, tags: [{tag}], parameters: [{}], responses: {{'204': {{description: Done.}}}}}}}}\n",
            parameters.join(", ")
        )
    };
    let operations: String = operations.iter().map(operation).collect();
    format!(
        "openapi: 3.1.0\ninfo: {{title: Pets, version: 1.0.0}}\nservers: [{{url: 'https://pets.example.com'}}]\npaths:\n{operations}{schemas}"
    )
}

/// Returns a program between two specs.
fn scene(name: &str, specs: [String; 2], text: &str) -> Scene {
    let scene = app(name, "added", &[text, MAIN].concat());
    let [old, new] = specs;
    scene.put("spec/old.yaml", &old);
    scene.put("spec/new.yaml", &new);
    scene
}

const WRITE: [&str; 3] = ["--write", "--allow-dirty", "app/Cargo.toml"];

#[test]
fn calls_that_a_swap_of_names_has_edited_are_not_left() {
    let all: (_, _, _, &[&str]) = ("/p", "delete", "p", &["device", "from"]);
    let one: (_, _, _, &[&str]) = ("/p/{id}", "delete", "p", &["id"]);
    let specs =
        [["p.delete", "p.deleteById"], ["p.deleteAll", "p.delete"]].map(|[of_all, of_one]| {
            spec(&[(all.0, all.1, all.2, of_all, all.3), (one.0, one.1, one.2, of_one, one.3)], "")
        });
    let text = "pub async fn delete(c: &pets::Client) -> Result<(), pets::Error> {\n    \
                c.p().delete_by_id(\"1\").await?;\n    c.p().delete(\"d\", \"2020\").await\n}\n\n";
    let scene = scene("swap", specs, text);
    let (code, report) = scene.migrate(&WRITE);
    assert_eq!(code, Some(3), "{report}");
    assert!(!report.contains("main.rs:2:"), "{report}");
    assert!(report.contains("main.rs:3:11: "), "{report}");
    assert!(report.contains("   = instead: call `p().delete_all`\n"), "{report}");
    scene.replace("app/src/main.rs", "delete(\"d\"", "delete_all(\"d\"");
    let (code, report) = scene.migrate(&WRITE);
    assert_eq!(code, Some(0), "{report}");
    let edited =
        text.replace("delete_by_id(", "delete(").replace("delete(\"d\"", "delete_all(\"d\"");
    assert_eq!(scene.get("app/src/main.rs"), [&edited, MAIN].concat());
}

#[test]
fn types_of_one_name_follow_their_imports() {
    let specs =
        [["mails.create", "rules.create"], ["mails.send", "rules.add"]].map(|[mails, rules]| {
            spec(
                &[
                    ("/mails", "post", "mails", mails, &[]),
                    ("/rules", "post", "rules", rules, &[]),
                    ("/keys", "post", "keys", "keys.create", &[]),
                ],
                "",
            )
        });
    let text = "use pets::resources::mails::Create;\n\npub fn create(c: &pets::Client) -> Create {\n    c.mails().create()\n}\n\n";
    let scene = scene("types-of-one-name", specs, text);
    let (code, report) = scene.migrate(&WRITE);
    assert_eq!(code, Some(0), "{report}");
    let edited = text.replace("mails::Create", "mails::Send").replace("-> Create", "-> Send");
    let edited = edited.replace(".create()", ".send()");
    assert_eq!(scene.get("app/src/main.rs"), [&edited, MAIN].concat());
}

/// Returns a spec with two schemas of a resource with more operations than a crate without features has.
fn with_features(count: usize, names: [&str; 2]) -> String {
    let operations: Vec<_> = (0..count)
        .map(|number| {
            let tag = if number % 2 == 0 { "a" } else { "b" };
            (format!("/{tag}/{number}"), tag, format!("op{number}"))
        })
        .collect();
    let operations: Vec<_> = operations
        .iter()
        .map(|(path, tag, id)| (path.as_str(), "get", *tag, id.as_str(), &[][..]))
        .collect();
    let [state, kind] = names;
    let sent = format!(
        "parameters: [{{name: state, in: query, schema: {{$ref: '#/components/schemas/{state}'}}}}, {{name: kind, in: query, schema: {{$ref: '#/components/schemas/{kind}'}}}}]"
    );
    let schemas = format!(
        "components: {{schemas: {{{state}: {{type: string, enum: [on, off]}}, {kind}: {{type: string, enum: [cat, dog]}}}}}}\n"
    );
    spec(&operations, &schemas).replacen("parameters: []", &sent, 1)
}

#[test]
fn a_renamed_type_gets_the_feature_that_it_needs() {
    let specs = [with_features(99, ["State", "Kind"]), with_features(103, ["Status", "Kind"])];
    let text = "pub fn state() -> pets::models::State {\n    pets::models::State::On\n}\n\n";
    let scene = scene("renamed-and-gated", specs, text);
    let (code, report) = scene.migrate(&WRITE);
    assert_eq!(code, Some(0), "{report}");
    assert_eq!(scene.get("app/src/main.rs"), [&text.replace("State", "Status"), MAIN].concat());
    assert!(scene.get("app/Cargo.toml").contains("\"a\"]"), "{report}");
}

#[test]
fn features_that_several_uses_need_are_enabled_in_one_round() {
    let specs = [99, 103].map(|count| with_features(count, ["State", "Kind"]));
    let calls =
        "pub fn both(client: &pets::Client) {\n    let _ = (client.a(), client.b());\n}\n\n";
    let modules =
        "use pets::resources::a::A;\n\npub fn both(_: A, _: pets::resources::b::B) {}\n\n";
    for (name, text) in [("several-features", calls), ("features-of-modules", modules)] {
        let scene = scene(name, specs.clone(), text);
        let (code, report) = scene.migrate(&WRITE);
        assert_eq!(code, Some(0), "{report}");
        assert!(report.contains("2 edits in 1 file after 1 round, nothing left"), "{report}");
        assert!(scene.get("app/Cargo.toml").contains("[\"client\", \"a\", \"b\"]"), "{report}");
    }
}

#[test]
fn what_the_document_deprecates_is_left_because_of_nothing_else() {
    let specs = [99, 103].map(|count| {
        let spec = with_features(count, ["State", "Kind"]);
        spec.replace("{type: string, enum: [on", "{deprecated: true, type: string, enum: [on")
    });
    let gated = scene("deprecated-and-gated", specs, "pub fn state(_: pets::models::State) {}\n\n");
    let (code, report) = gated.migrate(&WRITE);
    assert_eq!(code, Some(0), "{report}");

    let specs = [&["id"][..], &["id", "kind"]].map(|parameters| {
        let spec = spec(&[("/p/{id}", "get", "p", "p.get", parameters)], "");
        spec.replace("operationId", "deprecated: true, operationId")
    });
    let text =
        "pub fn get(c: &pets::Client) -> pets::resources::p::Get {\n    c.p().get(\"1\")\n}\n\n";
    let called = scene("deprecated-and-called", specs, text);
    let (code, report) = called.migrate(&WRITE);
    assert_eq!(code, Some(3), "{report}");
    assert!(report.contains(", 1 place left\n"), "{report}");
}

#[test]
fn an_edit_that_does_not_compile_is_taken_back_and_listed() {
    let specs = [with_features(1, ["State", "Kind"]), with_features(1, ["Status", "Sort"])];
    let text = "use pets::models::State;\n\nmacro_rules! own {\n    ($name:ident) => {\n        pub struct $name;\n    };\n}\n\n\
                own!(Status);\n\npub fn state(_: State) {}\n\npub fn kind(_: pets::models::Kind) {}\n\n";
    let scene = scene("taken-back", specs, text);
    let (code, report) = scene.migrate(&WRITE);
    assert_eq!(code, Some(3), "{report}");
    assert!(report.contains("app/src/main.rs:1:"), "{report}");
    let edited = text.replace("models::Kind", "models::Sort");
    assert_eq!(scene.get("app/src/main.rs"), [&edited, MAIN].concat());
}

#[test]
fn an_edit_that_is_taken_back_is_made_at_other_places() {
    let specs = ["create", "send"].map(|name| {
        let [mails, rules] = [&format!("mails.{name}"), "rules.create"];
        spec(
            &[("/mails", "post", "mails", mails, &[]), ("/rules", "post", "rules", rules, &[])],
            "",
        )
    });
    let text = "macro_rules! create {\n    ($handle:expr) => {\n        $handle.create()\n    };\n}\n\n\
                pub fn both(c: &pets::Client) {\n    let _ = (create!(c.mails()), create!(c.rules()));\n}\n\n\
                pub fn one(c: &pets::Client) {\n    let _ = c.mails().create();\n}\n\n";
    let scene = scene("taken-back-once", specs, text);
    let (code, report) = scene.migrate(&WRITE);
    assert_eq!(code, Some(3), "{report}");
    assert!(report.contains("app/src/main.rs:3:17: "), "{report}");
    let edited = text.replace("mails().create()", "mails().send()");
    assert_eq!(scene.get("app/src/main.rs"), [&edited, MAIN].concat());
}

#[test]
fn lost_features_are_removed_from_manifests_also_after_a_round_is_taken_back() {
    let new = with_features(103, ["Status", "Sort"]);
    let toys = "paths:\n  /toys: {get: {operationId: toys.count, tags: [toys], responses: {'204': {description: Done.}}}}\n";
    let old = with_features(103, ["State", "Kind"]).replacen("paths:\n", toys, 1);
    let text = "use pets::models::State;\n\nmacro_rules! own {\n    ($name:ident) => {\n        pub struct $name;\n    };\n}\n\n\
                own!(Status);\n\npub fn state(_: State) {}\n\npub fn kind(_: pets::models::Kind) {}\n\n";
    let scene = scene("lost-features", [old, new], text);
    scene.emit("spec/new.yaml");
    scene.replace("app/Cargo.toml", "\"client\"", "\"client\", \"a\", \"toys\"");
    scene.replace(
        "app/Cargo.toml",
        "[dependencies]",
        "[features]\nall = [\"pets/toys\"]\n[dependencies]",
    );
    let manifest = scene.get("app/Cargo.toml");
    let (code, report) = scene.migrate(&WRITE);
    assert_eq!(code, Some(3), "{report}");
    assert!(report.contains("app/src/main.rs:1:"), "{report}");
    assert_eq!(scene.get("app/src/main.rs"), [&text.replace("Kind", "Sort"), MAIN].concat());
    let edited = manifest.replace(", \"toys\"", "").replace("\"pets/toys\"", "");
    assert_eq!(scene.get("app/Cargo.toml"), edited);
}

#[test]
fn a_round_that_is_taken_back_decides_nothing() {
    let specs =
        [["mails.create", "rules.create"], ["mails.send", "rules.add"]].map(|[mails, rules]| {
            spec(
                &[("/mails", "post", "mails", mails, &[]), ("/rules", "post", "rules", rules, &[])],
                "",
            )
        });
    let text = "use pets::resources::{mails::*, rules::*};\n\nmacro_rules! own {\n    ($name:ident) => {\n        pub struct $name;\n    };\n}\n\n\
                pub mod mail {\n    own!(Send);\n    pub use pets::resources::mails::Create;\n}\n\n\
                pub fn create(_: Create, _: &Mails, _: &Rules) {}\n\n";
    let scene = scene("taken-back-names", specs, text);
    let (code, report) = scene.migrate(&WRITE);
    assert_eq!(code, Some(3), "{report}");
    // Which of both `Create` it is, only a round that stays would tell.
    let unexplained =
        "\nerrors that no change of the bindings explains\n   | app/src/main.rs:14:18: ";
    assert!(report.contains(unexplained), "{report}");
    assert_eq!(scene.get("app/src/main.rs"), [text, MAIN].concat());
}

#[test]
fn code_behind_features_of_the_program_is_compiled_on_demand() {
    let specs = [with_features(1, ["State", "Kind"]), with_features(1, ["Status", "Kind"])];
    let text = "#[cfg(feature = \"extra\")]\npub fn state(_: pets::models::State) {}\n\n";
    let scene = scene("behind-features", specs, text);
    scene.replace("app/Cargo.toml", "[dependencies]", "[features]\nextra = []\n[dependencies]");
    let (code, report) = scene.migrate(&WRITE);
    assert_eq!(code, Some(0), "{report}");
    assert!(report.contains("not compiled: ") && report.contains("`--features extra`"), "{report}");
    let (code, report) = scene.migrate(&[&["--features", "extra"], &WRITE[..]].concat());
    assert_eq!(code, Some(0), "{report}");
    assert!(!report.contains("not compiled: "), "{report}");
    assert_eq!(scene.get("app/src/main.rs"), [&text.replace("State", "Status"), MAIN].concat());
}

#[test]
fn targets_that_need_features_of_the_program_are_compiled_on_demand() {
    let specs = [with_features(1, ["State", "Kind"]), with_features(1, ["Status", "Kind"])];
    let scene = scene("targets-behind-features", specs, "");
    let example =
        "[[example]]\nname = \"state\"\nrequired-features = [\"all\", \"extra\"]\n\n[dependencies]";
    let features = "[features]\nall = []\nextra = []\n";
    scene.replace("app/Cargo.toml", "[dependencies]", &[features, example].concat());
    let text = "fn main() {\n    let _ = pets::models::State::On;\n}\n";
    scene.put("app/examples/state.rs", text);
    let (code, report) = scene.migrate(&WRITE);
    assert_eq!(code, Some(0), "{report}");
    assert!(report.contains("`--features all,extra`"), "{report}");
    let (code, report) = scene.migrate(&[&["--features", "all,extra"], &WRITE[..]].concat());
    assert_eq!(code, Some(0), "{report}");
    assert!(!report.contains("not compiled: "), "{report}");
    assert_eq!(scene.get("app/examples/state.rs"), text.replace("State", "Status"));
}
