//! Which operations and types are emitted: what `[operations]` chooses, and what operations reach.

use std::collections::BTreeMap;

use codegen::{Kept, Outcome, Settings, Source, diagnostics, generate};

const DOCUMENT: &str = "
openapi: 3.1.1
info: {title: Pets, version: 1.0.0}
security: [{key: []}]
paths:
  /pets:
    get: {operationId: listPets, tags: [Pets], responses: {'200': {$ref: '#/components/responses/Pets'}}}
    post: {operationId: createPet, tags: [Pets, Admin], x-group: write, requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Draft'}}}}, responses: {'204': {description: Done.}}}
  /pets/{id}: {$ref: '#/components/pathItems/Pet'}
  /owners:
    get: {operationId: listOwners, tags: [Owners], security: [{other: []}], responses: {'200': {description: Owners., content: {application/json: {schema: {$ref: '#/components/schemas/Owner'}}}}}}
    put: {operationId: broken, tags: [Broken], parameters: [{$ref: '#/components/parameters/Missing'}], responses: {'204': {description: Done.}}}
webhooks:
  moved: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Owner'}}}}, responses: {'204': {description: Done.}}}}
  born: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Birth'}}}}, responses: {'204': {description: Done.}}}}
components:
  pathItems:
    Pet:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      delete: {operationId: deletePet, tags: [Pets], x-group: {a: b}, responses: {'204': {description: Done.}}}
  responses:
    Pets: {description: Pets., content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}}
  schemas:
    Pet: {type: object, properties: {toy: {type: object, properties: {name: {type: string}}}}}
    Draft: {type: object, properties: {pet: {$ref: '#/components/schemas/Pet'}, at: {$ref: '#/components/schemas/Place'}}}
    Owner: {type: object, properties: {name: {type: string}}}
    Birth: {type: object, properties: {at: {$ref: '#/components/schemas/Place'}}}
    Place: {type: object, properties: {name: {type: string}}}
    One: {type: object, properties: {two: {$ref: '#/components/schemas/Two'}}}
    Two: {type: object, properties: {one: {$ref: '#/components/schemas/One'}}}
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    other: {type: http, scheme: basic}
";

const SETTINGS: &str = "[operations]\ninclude = [\"listPet\"]\n[components]\nkeep = [\"Tow\"]\n";

fn outcome(settings: Settings) -> Outcome {
    let source = Source { name: "openapi.yaml".to_owned(), text: DOCUMENT.to_owned() };
    let package = "pets".to_owned();
    let file = Some(("codegen.toml".to_owned(), SETTINGS.to_owned()));
    generate(&source, &Settings { package, file, ..settings })
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// Returns the types of the crate with these settings, its operations, and what was reported.
fn emitted(settings: Settings) -> (Vec<String>, Vec<String>, String) {
    let outcome = outcome(settings);
    let shown = diagnostics::render(&outcome.diagnostics, false);
    let output = outcome.output.unwrap_or_else(|| panic!("{shown}"));
    let api = output.public_api.to_string();
    let found = |start: &str| -> Vec<String> {
        let lines = api.lines().filter_map(|line| line.trim().strip_prefix(start));
        lines.map(|line| line.split([' ', ':']).next().unwrap().to_owned()).collect()
    };
    let mut operations: Vec<_> = api
        .split("operation ")
        .skip(1)
        .map(|it| it.split('"').nth(1).unwrap().to_owned())
        .collect();
    operations.sort();
    (found("struct models::"), operations, shown)
}

#[test]
fn patterns_choose_operations() {
    let all = ["createPet", "deletePet", "listOwners", "listPets"];
    for (include, exclude, expected) in [
        (&[][..], &["broken"][..], &all[..]),
        (&[], &["tag:Broken"], &all),
        (&["*Pet*"], &[], &["createPet", "deletePet", "listPets"]),
        (&["list*"], &[], &["listOwners", "listPets"]),
        (&["tag:Pets"], &["tag:Admin"], &["deletePet", "listPets"]),
        (&["GET /pets", "/owners"], &["PUT *"], &["listPets", "listOwners"]),
        (&["/pets*"], &["/pets/*"], &["createPet", "listPets"]),
        (&["x-group"], &[], &["createPet", "deletePet"]),
        (&["x-group:write"], &[], &["createPet"]),
        (&["GET *"], &["listPets"], &["listOwners"]),
    ] {
        let (include, exclude) = (owned(include), owned(exclude));
        let what = format!("{include:?} without {exclude:?}");
        let (_, operations, shown) = emitted(Settings { include, exclude, ..Settings::default() });
        let mut expected = owned(expected);
        expected.sort();
        assert_eq!(operations, expected, "{what}");
        assert!(!shown.contains("error") && !shown.contains("unused-setting"), "{what}: {shown}");
    }
}

#[test]
fn what_is_left_out_costs_nothing() {
    assert!(outcome(Settings::default()).output.is_none(), "an operation is broken");
    let include = owned(&["listOwners"]);
    let outcome = outcome(Settings { include, ..Settings::default() });
    let shown = diagnostics::render(&outcome.diagnostics, false);
    let files: BTreeMap<_, _> =
        outcome.output.unwrap().files.into_iter().map(|file| (file.path, file.text)).collect();
    let client = &files["src/client.rs"];
    assert!(client.contains("pub fn basic(") && !client.contains("X-Key"), "{client}");
    assert!(!shown.contains("unused-component]: no operation uses"), "{shown}");
}

#[test]
fn types_are_those_that_operations_reach() {
    let exclude = || owned(&["broken"]);
    let reached = ["Birth", "Draft", "Owner", "Pet", "PetToy", "Place"];
    let (types, _, shown) = emitted(Settings { exclude: exclude(), ..Settings::default() });
    assert_eq!(types, reached);
    let note = "note[unused-component]: no operation reaches the schemas `One` and `Two`: they are not emitted";
    assert!(shown.contains(note), "{shown}");

    let all = ["Birth", "Draft", "One", "Owner", "Pet", "PetToy", "Place", "Two"];
    for kept in [Kept::All, Kept::Named(owned(&["Two"]))] {
        let settings = Settings { exclude: exclude(), kept, ..Settings::default() };
        assert_eq!(emitted(settings).0, all);
    }
    let include = owned(&["listPets"]);
    let (types, _, shown) = emitted(Settings { include, ..Settings::default() });
    // What webhooks need stays, although operations that are left out need it, too.
    assert_eq!(types, ["Birth", "Owner", "Pet", "PetToy", "Place"]);
    assert!(!shown.contains("dangling-ref"), "{shown}");
}

#[test]
fn settings_that_name_nothing_are_warnings_with_the_nearest_name() {
    let settings = Settings {
        include: owned(&["listPet", "listPets"]),
        kept: Kept::Named(owned(&["Tow"])),
        ..Settings::default()
    };
    let (_, _, shown) = emitted(settings);
    for (name, place, meant) in [("listPet", "2:13", "listPets"), ("Tow", "4:10", "Two")] {
        assert!(shown.contains(&format!("warning[unused-setting]: `{name}` is n")), "{shown}");
        assert!(shown.contains(&format!("--> codegen.toml:{place}")), "{shown}");
        assert!(shown.contains(&format!("did you mean `{meant}`?")), "{shown}");
    }
}

#[test]
fn including_no_operation_is_an_error_with_the_nearest_name() {
    let include = owned(&["listPet", "tag:pets"]);
    let exclude = owned(&["braken"]);
    let outcome = outcome(Settings { include, exclude, ..Settings::default() });
    let shown = diagnostics::render(&outcome.diagnostics, false);
    assert!(outcome.output.is_none(), "{shown}");
    for (severity, meant) in [
        ("error[no-operation]: `listPet` is no operation", "listPets"),
        ("error[no-operation]: `tag:pets` is no operation", "tag:Pets"),
        ("warning[unused-setting]: `braken` is no operation", "broken"),
    ] {
        assert!(shown.contains(severity), "{shown}");
        assert!(shown.contains(&format!("did you mean `{meant}`?")), "{shown}");
    }
    assert!(shown.contains("--> codegen.toml:2:13"), "{shown}");
}
