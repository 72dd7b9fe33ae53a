//! The rules of unions depend only on what their branches describe.

use std::collections::BTreeMap;

use codegen::items::{Definition, ItemKind, PublicApi};
use codegen::{Node, Settings, Source, SourceFile};
use serde_json::{Map, Value, json};
use tests::unions::{SHAPES, size};

use crate::determinism::{REVERSED, SHUFFLED, descriptions, shuffle};
use crate::support::case::{Case, is_in_sample, rendered};
use crate::support::tree;

/// The variants of all unions, by the type and the condition.
pub type Rules = BTreeMap<(String, String), String>;

#[test]
fn the_order_of_branches_and_properties_changes_no_rule() {
    let [rules, variants] = assert_same_in_order(REVERSED, |index| is_in_sample(index, 6));
    assert!(rules > 0 && variants > 0, "only {rules} rules, and {variants} variants");
}

#[test]
#[ignore = "part of `cargo ci --all`: it generates all crates with unions four times"]
fn no_order_of_branches_and_properties_changes_a_rule() {
    for seed in [REVERSED, SHUFFLED] {
        let [rules, variants] = assert_same_in_order(seed, |_| true);
        assert!(rules > 40 && variants > 100, "only {rules} rules, and {variants} variants");
    }
}

/// The union that has a property more for each of its branches took four times as many lines for each branch.
#[test]
fn a_decision_is_never_larger_than_what_it_decides() {
    assert_bounds([2, 25]);
}

#[test]
#[ignore = "part of `cargo ci --all`: it takes eight times as long as with 25 branches"]
fn decisions_of_many_branches_are_never_larger_than_what_they_decide() {
    assert_bounds([200]);
}

fn assert_bounds<const N: usize>(counts: [usize; N]) {
    for shape in SHAPES {
        for count in counts {
            let document = shape.document(count);
            let most = 20 + 3 * size(&document);
            let source = Source { name: "openapi.json".to_owned(), text: document.to_string() };
            let output = Case { name: shape.name.to_owned(), source }.output();
            let tables = tables(&output.files);
            let lines = tables["Whole"].lines().count();
            assert!(lines > 2, "{count} branches with {}: no rules", shape.name);
            assert!(lines <= most, "{count} branches with {}: {lines} lines", shape.name);
            let (conditions, _) = rules(output.public_api);
            let conditions = conditions.len();
            assert!(conditions <= most, "{count} branches with {}: {conditions}", shape.name);
        }
    }
}

/// A null that only replies have is not retained: what is encoded again would be another variant.
#[test]
fn nulls_decide_only_where_they_are_retained() {
    let branch = |nullable: &str| {
        let mut properties = json!({ "id": { "type": "string" }, "a": { "type": "string" }, "b": { "type": "string" } });
        properties[nullable]["type"] = json!(["string", "null"]);
        json!({ "type": "object", "properties": properties })
    };
    let content =
        json!({ "application/json": { "schema": { "$ref": "#/components/schemas/Whole" } } });
    let schemas = json!({ "Whole": { "oneOf": [branch("a"), branch("b")] } });
    let reply = json!({ "description": "A value.", "content": content });
    let has_nulls = |operation: Value| {
        let text = json!({
            "openapi": "3.1.0",
            "info": { "title": "Nulls", "version": "1.0.0" },
            "paths": { "/all": { "post": operation } },
            "components": { "schemas": schemas },
        });
        let source = Source { name: "openapi.json".to_owned(), text: text.to_string() };
        let output = Case { name: "nulls".to_owned(), source }.output();
        tables(&output.files)["Whole"].contains("? null")
    };
    assert!(!has_nulls(json!({ "responses": { "200": reply } })));
    assert!(has_nulls(json!({ "requestBody": { "content": content }, "responses": {} })));
}

#[test]
fn a_removed_branch_does_not_change_the_others() {
    let object = |tag: &str, property: &str| {
        json!({
            "title": tag,
            "required": ["type", property],
            "properties": { "type": { "const": tag }, property: { "type": "string" } },
        })
    };
    let branches = [
        json!({ "type": "boolean" }),
        json!({ "type": "integer" }),
        json!({ "type": "array", "items": { "type": "string" } }),
        object("card", "digits"),
        object("bank", "iban"),
        object("cash", "amount"),
    ];
    let all = rules_of(&branches);
    assert_eq!(all.len(), branches.len(), "{all:?}");
    for removed in 0..branches.len() {
        let mut rest = branches.to_vec();
        rest.remove(removed);
        let found = rules_of(&rest);
        assert_eq!(found.len(), rest.len(), "{found:?}");
        assert!(found.iter().all(|rule| all.get(rule.0) == Some(rule.1)), "{found:?}");
    }
}

/// The discriminator of a union within another was lost, so every value was a car. Frameworks write a union that may be null
/// in this way.
#[test]
fn the_discriminator_of_a_nameless_union_distinguishes_its_branches() {
    let object = |name: &str| {
        let text = json!({ "type": "string" });
        json!({ "type": "object", "properties": { "type": text, "name": text, name: text }, "required": [name] })
    };
    let reference = |name: &str| format!("#/components/schemas/{name}");
    let inner = |[one, other]: [&str; 2], tag: &str| {
        let mapping =
            json!({ one.to_lowercase(): reference(one), other.to_lowercase(): reference(other) });
        let discriminator = json!({ "propertyName": tag, "mapping": mapping });
        let branches = [one, other].map(|name| json!({ "$ref": reference(name) }));
        json!({ "oneOf": branches, "discriminator": discriminator })
    };
    let vehicle = || inner(["Car", "Truck"], "type");
    let schemas = json!({
        "Car": object("name"),
        "Truck": object("name"),
        "Bus": object("seats"),
        "Cat": object("id"),
        "Dog": object("id"),
        "Nullable": { "anyOf": [vehicle(), { "type": "null" }] },
        "Part": { "allOf": [vehicle()], "description": "A part." },
        "Number": { "anyOf": [vehicle(), { "type": "integer" }] },
        "Beside": { "anyOf": [vehicle(), { "$ref": reference("Bus") }] },
        "Two": { "anyOf": [vehicle(), inner(["Cat", "Dog"], "kind")] },
        "Within": { "oneOf": [vehicle(), { "$ref": reference("Bus") }], "discriminator": { "propertyName": "kind" } },
    });
    let output = Case { name: "unions".to_owned(), source: source_of(&schemas) }.output();
    let (rules, _) = rules(output.public_api);
    let emitted: String = output.files.iter().map(|file| file.text.as_str()).collect();
    for name in ["Nullable", "Part", "Number", "Beside", "Two"] {
        let rule = |value: &str| {
            let key = (format!("models::{name}"), format!("object tag \"type\" \"{value}\""));
            rules.get(&key).map(String::as_str)
        };
        assert_eq!((rule("car"), rule("truck")), (Some("Car"), Some("Truck")), "{name}: {rules:?}");
        let (_, table) = emitted.split_once(&format!("choice! {{\n    {name} {{\n")).unwrap();
        let variant = "        Truck writes { \"type\" = \"truck\" }";
        assert!(table.lines().take(2).any(|line| line.starts_with(variant)), "{name}: {table}");
    }
    let (_, two) = emitted.split_once("choice! {\n    Two {\n").unwrap();
    assert!(two.contains("Dog writes { \"kind\" = \"dog\" }"), "{two}");
    let within = rules.keys().filter(|(path, _)| path == "models::Within");
    assert!(within.clone().all(|(_, rule)| rule.contains("tag \"kind\"")), "{rules:?}");
    assert!(within.count() > 2, "{rules:?}");
}

/// What extends a middle class with a discriminator of its own was a variant of the base by the name of its component, which
/// no server sends.
#[test]
fn a_middle_class_with_another_discriminator_represents_what_extends_it() {
    let class = |base: Option<&str>, tag: &str, value: Option<&str>, mapping: &[&str]| {
        let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
        let targets = mapping.iter().map(|name| (name.to_lowercase(), json!(name)));
        let kind = value.map_or(json!({ "type": "string" }), |value| json!({ "enum": [value] }));
        let mut class = json!({ "type": "object", "required": [tag], "properties": { tag: kind } });
        if let Some(base) = base {
            class["allOf"] = json!([reference(base)]);
        }
        if let Some(own) = mapping.first() {
            let tag = if *own == "Lab" { "breed" } else { "kind" };
            let mapping = targets.collect::<Map<_, _>>();
            class["discriminator"] = json!({ "propertyName": tag, "mapping": mapping });
        }
        class
    };
    let mut schemas = json!({
        "Pet": class(None, "kind", None, &["Cat", "Dog"]),
        "Cat": class(Some("Pet"), "kind", Some("cat"), &[]),
        "Dog": class(Some("Pet"), "kind", Some("dog"), &["Lab"]),
        "Lab": class(Some("Dog"), "breed", Some("lab"), &[]),
    });
    let conditions = |schemas: &Value| {
        let rules = rules_of_schemas(schemas).into_iter().map(|((path, condition), variant)| {
            let union = path.strip_prefix("models::").unwrap();
            format!("{union} by {condition} => {variant}")
        });
        rules.collect::<Vec<_>>()
    };
    let of_dogs = "Dog by object tag \"breed\" \"lab\" => Lab";
    let of_cats = "Pet by object tag \"kind\" \"cat\" => Cat";
    let expected = [
        "Dog by object tag \"breed\" \"Dog\" => Dog",
        of_dogs,
        "Dog by object tag \"breed\" missing => Dog",
        "Pet by object tag \"kind\" \"Pet\" => Pet",
        of_cats,
        "Pet by object tag \"kind\" \"dog\" => Dog",
    ];
    assert_eq!(conditions(&schemas), expected);
    // A value of its own makes it a variant of the base, too.
    schemas["Pet"]["discriminator"]["mapping"]["lab"] = json!("Lab");
    let found = conditions(&schemas);
    assert!(found.iter().any(|it| it == "Pet by object tag \"kind\" \"lab\" => Lab"), "{found:?}");
}

/// Branches that list the same values of the discriminator, but none of their names, are known by these values.
#[test]
fn repeated_values_of_a_discriminator_lead_to_their_branches() {
    let object = |name: &str| {
        let kind = json!({ "type": "string", "enum": ["x", "y"] });
        let own = json!({ "type": "string" });
        json!({ "type": "object", "required": ["kind", name], "properties": { "kind": kind, name: own } })
    };
    let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let union = json!({
        "oneOf": [reference("A"), reference("B")],
        "discriminator": { "propertyName": "kind" },
    });
    let schemas = json!({ "Source": union, "A": object("a"), "B": object("b") });
    let rules = rules_of_schemas(&schemas);
    let conditions: Vec<&str> = rules.keys().map(|(_, condition)| &**condition).collect();
    assert_eq!(conditions.iter().filter(|it| it.contains("\"x\" with")).count(), 2, "{rules:?}");
}

/// A base whose tag lists the kinds of all that extend it is the normal form: no child contradicts the mapping to another
/// by the values that it inherits, and a kind without a child is unknown.
#[test]
fn inherited_tags_contradict_no_mapping() {
    const CHILDREN: usize = 158;
    let children = || (0..CHILDREN).map(|index| (format!("kind{index}"), format!("Child{index}")));
    let reference = |name: &str| format!("#/components/schemas/{name}");
    let mapping = children().map(|(kind, child)| (kind, reference(&child).into()));
    let kinds: Vec<String> = children().map(|(kind, _)| kind).chain(["other".into()]).collect();
    let base = json!({
        "type": "object",
        "required": ["kind"],
        "properties": { "kind": { "type": "string", "enum": kinds } },
        "discriminator": { "propertyName": "kind", "mapping": mapping.collect::<Map<_, _>>() },
    });
    let own = |child: &str| {
        let own = Map::from_iter([(child.to_owned(), json!({ "type": "string" }))]);
        json!({ "allOf": [{ "$ref": reference("Base") }, { "type": "object", "properties": own }] })
    };
    let schemas = children().map(|(_, child)| (child.clone(), own(&child)));
    let schemas: Map<_, _> = schemas.chain([("Base".to_owned(), base)]).collect();
    let media = json!({ "schema": { "$ref": reference("Base") } });
    let reply = json!({ "description": "The base.", "content": { "application/json": media } });
    let text = json!({
        "openapi": "3.1.1",
        "info": { "title": "Bases", "version": "1" },
        "paths": { "/": { "get": { "operationId": "get", "responses": { "200": reply } } } },
        "components": { "schemas": schemas },
    });
    let source = Source { name: "openapi.json".to_owned(), text: text.to_string() };
    let outcome = Case { name: "bases".to_owned(), source }.generate();
    let warnings = rendered(&outcome);
    assert!(!warnings.contains("discriminator"), "{} bytes of warnings", warnings.len());
    let (rules, _) = rules(outcome.output.unwrap().public_api);
    assert!(rules.keys().any(|(_, rule)| rule.contains("\"kind7\"")), "{rules:?}");
    assert!(rules.keys().all(|(_, rule)| !rule.contains("\"other\"")), "{rules:?}");
}

/// Compares the rules of descriptions with those in another order, and checks that every variant is read. Returns how many
/// rules and variants there are.
fn assert_same_in_order(seed: u64, is_tried: impl Fn(usize) -> bool) -> [usize; 2] {
    let mut rule_count = 0;
    let mut variant_count = 0;
    let tried = descriptions().into_iter().enumerate().filter(|(index, _)| is_tried(*index));
    for (_, case) in tried {
        let output = case.output();
        let (expected, names) = rules(output.public_api);
        let expected_tables = tables(&output.files);
        rule_count += expected.len();
        variant_count += count_read_variants(&output.files);
        if expected.is_empty() {
            continue;
        }
        let mut root = tree::parse(&case.source.text);
        shuffle_unions(&mut root, seed);
        let source = Source { name: case.source.name.clone(), text: tree::print(&root) };
        let output = Case { name: case.name.clone(), source }.output();
        let (found, found_names) = rules(output.public_api);
        assert_eq!(found, expected, "the rules of {}", case.name);
        assert_eq!(found_names, names, "the variants of {}", case.name);
        assert_eq!(tables(&output.files), expected_tables, "the tables of {}", case.name);
    }
    [rule_count, variant_count]
}

/// Checks that rules lead to every variant, and returns their number. A union that is one of its own branches had variants
/// that no rule led to, and rules that led to itself.
fn count_read_variants(files: &[SourceFile]) -> usize {
    let mut count = 0;
    for table in files.iter().flat_map(|file| file.text.split("internal::choice! {").skip(1)) {
        let (variants, rules) = table.split_once("\n    }\n").unwrap();
        let rules = rules.split("\n}\n").next().unwrap();
        let rules = rules.split(|char: char| !char.is_alphanumeric() && char != '_');
        let rules: Vec<&str> = rules.collect();
        for variant in variants.lines().filter_map(|line| line.strip_prefix("        ")) {
            let name = variant.split([':', ' ', ',']).next().unwrap();
            count += usize::from(!name.is_empty());
            assert!(name.is_empty() || rules.contains(&name), "{name}: {table}");
        }
    }
    count
}

/// Returns the rules of a union of these branches.
pub fn rules_of(branches: &[Value]) -> Rules {
    rules_of_schemas(&json!({ "Source": { "oneOf": branches } }))
}

/// Returns the rules of all unions of these schemas.
pub fn rules_of_schemas(schemas: &Value) -> Rules {
    rules(codegen::public_api(&source_of(schemas), &Settings::default()).0.unwrap()).0
}

/// Returns what is reported of a union of these branches.
pub fn warnings_of(branches: &[Value]) -> String {
    let source = source_of(&json!({ "Source": { "oneOf": branches } }));
    rendered(&Case { name: "sources".to_owned(), source }.generate())
}

fn source_of(schemas: &Value) -> Source {
    let info = json!({ "title": "Sources", "version": "1" });
    let text = json!({ "openapi": "3.1.1", "info": info, "components": { "schemas": schemas } });
    Source { name: "openapi.json".to_owned(), text: text.to_string() }
}

/// Returns the conditions of one union with the variants that they mean.
pub fn shown(rules: &Rules) -> Vec<(&str, &str)> {
    rules.iter().map(|((_, condition), variant)| (&**condition, &**variant)).collect()
}

/// Returns the emitted rules of all unions, by which the runtime decides.
fn tables(files: &[SourceFile]) -> BTreeMap<String, String> {
    let tables = files.iter().flat_map(|file| file.text.split("internal::choice! {").skip(1));
    let table = |text: &str| {
        let (union, rest) = text.split_once(" {").unwrap();
        let (_variants, rest) = rest.split_once("\n    }\n").unwrap();
        let (rules, _) = rest.split_once("\n}\n").unwrap();
        (union.trim().to_owned(), rules.to_owned())
    };
    tables.map(table).collect()
}

/// Returns the rules of all unions, and the names of their variants.
fn rules(api: PublicApi) -> (Rules, Vec<String>) {
    let mut rules = Rules::new();
    let mut names = Vec::new();
    for (path, item) in api.items {
        for ((_, name), member) in &item.members {
            match &member.definition {
                Definition::Rule(variant) => {
                    rules.insert((path.to_string(), name.clone()), variant.clone());
                }
                Definition::Variant(..) if item.kind == ItemKind::Enum => {
                    names.push(format!("{path}::{name}"));
                }
                _ => {}
            }
        }
    }
    names.sort_unstable();
    (rules, names)
}

/// Puts the branches of unions and the properties of objects into another order.
fn shuffle_unions(node: &mut Node, seed: u64) {
    match node {
        Node::Array(items) => items.iter_mut().for_each(|item| shuffle_unions(item, seed)),
        Node::Object(members) => {
            for (key, value) in members {
                match (key.as_str(), &mut *value) {
                    ("oneOf" | "anyOf", Node::Array(branches)) => shuffle(branches, seed),
                    ("properties" | "mapping", Node::Object(properties)) => {
                        shuffle(properties, seed);
                    }
                    _ => {}
                }
                shuffle_unions(value, seed);
            }
        }
        _ => {}
    }
}
