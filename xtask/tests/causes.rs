//! The origin, the place and the advice of changes, in the report of `cargo xtask diff`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use codegen::diagnostics::Diagnostics;
use codegen::{Pointer, Source};
use serde_json::Value;

const SPEC: &str = "\
openapi: 3.1.1
info: {title: Pets, version: 1.0.0}
servers: [{url: https://pets.example.com}]
security: [{bearer: []}, {oauth: []}]
paths:
  /pets:
    get:
      operationId: pets.list
      tags: [pets]
      parameters:
        - {name: page_token, in: query, schema: {type: string}}
        - {name: limit, in: query, schema: {type: integer, format: int64}}
        - {name: first, in: query, schema: {type: integer, format: int32}}
        - {name: filter, in: query, style: deepObject, explode: true, schema: {$ref: '#/components/schemas/Filter'}}
      responses: {'200': {description: A page., content: {application/json: {schema: {$ref: '#/components/schemas/Page'}}}}}
  /pets/{id}:
    post:
      operationId: pets.update
      tags: [pets]
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Update'}}}}
      responses: {'200': {description: A pet., content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
  /jobs/{id}:
    get:
      operationId: getJob
      tags: [jobs]
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: A job., content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}}
  /herds/{herd}/pens/{pen}:
    get:
      operationId: herds.count
      tags: [herds]
      parameters:
        - {name: herd, in: path, required: true, schema: {type: integer, format: int64}}
        - {name: pen, in: path, required: true, schema: {type: integer, format: int32}}
        - {name: offset, in: query, required: true, schema: {type: integer, format: int64}}
        - {name: ids, in: query, schema: {type: array, items: {type: integer, format: int32}}}
      responses: {'204': {description: Counted.}}
  /pets/{id}/copy:
    post:
      operationId: pets.copy
      tags: [pets]
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {'pet': {$ref: '#/components/schemas/Pet'}, 'updateMask': {type: string}}}}}}
      responses: {'204': {description: Copied.}}
components:
  securitySchemes:
    bearer: {type: http, scheme: bearer}
    oauth: {type: oauth2, flows: {clientCredentials: {tokenUrl: 'https://pets.invalid', scopes: {}}}}
  schemas:
    Page: {type: object, properties: {list: {type: array, items: {$ref: '#/components/schemas/Pet'}}, nextPageToken: {type: string}}}
    Pet: {type: object, properties: {name: {type: string}, job: {$ref: '#/components/schemas/JobRef'}}}
    Filter: {type: object, properties: {sizes: {type: array, items: {type: integer}}}}
    JobRef: {type: object, properties: {id: {type: string}}}
    Job: {type: object, properties: {id: {type: string}, endedAt: {type: string}, key: {type: string}}}
    Update: {type: object, properties: {pet: {$ref: '#/components/schemas/Pet'}, updateMask: {type: string}}}
";

const WAIT: &str = "[[wait]]\noperation = \"getJob\"\nproperty = \"endedAt\"\n";

/// Another form of the lists in objects.
const BRACKETS: &str = "[parameters]\ndeep-object-lists = \"brackets\"\n";

/// Settings that change nothing.
const NOTHING: &str = "[warnings]\nallow = []\n";

/// Returns the changes after edits of the spec, in lines.
fn changes(edits: &[[&str; 2]], settings: [&str; 2]) -> String {
    lines(&report(edits, settings)["changes"])
}

fn report(edits: &[[&str; 2]], settings: [&str; 2]) -> Value {
    let edit = |spec: String, [from, to]: &[&str; 2]| {
        assert!(spec.contains(from), "{from}");
        spec.replace(from, to)
    };
    let specs = [SPEC.to_owned(), edits.iter().fold(SPEC.to_owned(), edit)];
    let folder = tempfile::tempdir().unwrap();
    for ((name, spec), settings) in ["old", "new"].into_iter().zip(specs).zip(settings) {
        let folder = folder.path().join(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("pets.yaml"), spec).unwrap();
        fs::write(folder.join("codegen.toml"), settings).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_openapi-bindings"));
    command.args(["diff", "--format", "json", "old/pets.yaml", "new/pets.yaml"]);
    let output = command.current_dir(folder.path()).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

fn lines(changes: &Value) -> String {
    let line = |change: &Value| {
        let text = |key| change[key].as_str().unwrap_or_default();
        let used_by = change["used_by"].as_array().unwrap().iter().filter_map(Value::as_str);
        let used_by = used_by.collect::<Vec<_>>().join(", ");
        let [class, origin, title] = ["class", "origin", "title"].map(text);
        let [reason, instead] = ["reason", "instead"].map(text);
        let place = ["old_place", "new_place"].iter().find_map(|key| change[*key].as_str());
        let place = place.unwrap_or_default();
        let place = place.trim_start_matches("old/pets.yaml:");
        format!("{class} by {origin}: {title}\n{place}: {reason}\n{instead}; {used_by}\n")
    };
    changes.as_array().unwrap().iter().map(line).collect()
}

#[test]
fn what_a_change_of_the_settings_makes_up_for_is_no_change() {
    let paging = "[paging]\ntoken = \"cursor\"\n[renames]\n\"/paths/~1pets/get/parameters/0\" = \"page_token\"\n";
    let ended = WAIT.replace("endedAt", "doneAt");
    let renames = [["page_token", "cursor"], ["endedAt", "doneAt"]];
    let found = changes(&renames, [WAIT, &[paging, &*ended].concat()]);
    let titles: Vec<_> = found.lines().filter(|line| line.contains(" by ")).collect();
    assert_eq!(
        titles,
        [
            "breaking by spec: `models::Job.ended_at` is removed",
            "wire-breaking by spec: `resources::jobs::Get (wait)` is `until \"doneAt\"`, no longer `until \"endedAt\"`",
            "wire-breaking by spec: `resources::pets::List (page-token)` is `in query \"cursor\"`, no longer `in query \"page_token\"`",
            "wire-breaking by spec: `resources::pets::List::page_token()` is sent or received in another form",
        ]
    );
    // What it does not make up for is its own change.
    let found = changes(&renames[..1], [WAIT, NOTHING]);
    let methods = [
        "breaking by configuration: `models::Job::is_finished()` is removed\n",
        "breaking by configuration: `resources::jobs::Get::wait()` is removed\n",
        "breaking by spec: `resources::pets::List::items()` is removed\n",
    ];
    assert!(methods.iter().all(|title| found.contains(title)), "{found}");
}

#[test]
fn what_the_settings_change_stays_although_the_spec_changes_it_too() {
    let optional = "name: filter, in: query, ";
    let edits =
        [[optional, &*format!("{optional}required: true, ")], ["tags: [jobs]", "tags: [work]"]];
    let report = report(&edits, [NOTHING, &[BRACKETS, WAIT].concat()]);
    let found = ["changes", "additions"].map(|key| lines(&report[key])).concat();
    for expected in [
        "wire-breaking by configuration: `resources::pets::List::filter()` is sent or received in another form\n",
        "breaking by spec: `resources::pets::Pets::list()` takes other arguments: `filter` is new\n",
        "compatible by configuration: new method `resources::jobs::Get::wait()`\n24: \n",
    ] {
        assert!(found.contains(expected), "{expected}: {found}");
    }
}

#[test]
fn changes_have_their_own_places_and_cures() {
    let integer = "page, in: query, schema: {type: integer}";
    for (edit, expected) in [
        (
            ["pet: {$ref", "by: {$ref: '#/components/schemas/JobRef'}, pet: {$ref"],
            "breaking by spec: `resources::pets::Update::send_edit()` is removed\n17: programs that call it no longer compile\n\
             set `masks.\"pets.update\" = \"pet\"` in codegen.toml; pets().update\n",
        ),
        (
            ["page_token", "cursor"],
            "breaking by spec: `resources::pets::List::items()` is removed\n7: programs that call it no longer compile\n\
             use `items_by(\"cursor\")`, or set `paging.token = \"cursor\"` in codegen.toml, if this parameter takes the token; pets().list\n",
        ),
        (
            ["page_token, in: query, schema: {type: string}", integer],
            "breaking by spec: `resources::pets::List::items()` is removed\n7: programs that call it no longer compile\n\
             name the parameter that takes the token: `items_by(…)`, or `paging.token` in codegen.toml; pets().list\n",
        ),
        (
            ["pets.invalid", "pets.example.com"],
            "breaking by spec: `ClientBuilder::client_credentials()` takes other arguments: `token_url` is removed\n\
             49: programs that call it no longer compile\n\
             pass the arguments of the new signature; \n",
        ),
        (
            ["limit, in: query", "limit, in: query, required: true"],
            "breaking by spec: `resources::pets::Pets::list()` takes other arguments: `limit` is new\n\
             7: programs that call it no longer compile\npass the new arguments, instead of calling setters for them; \n",
        ),
        (
            [
                "limit, in: query, schema: {type: integer, format: int64",
                "limit, in: query, schema: {type: integer, format: int32",
            ],
            "wire-breaking by spec: `resources::pets::List::limit()` takes other arguments: `value` must fit into `i32` now\n\
             12: existing calls still compile, but fail if the value is out of range\n\
             check the values of each call; pets().list\n",
        ),
        (
            ["int32", "int64"],
            "compatible by spec: `resources::herds::Count::ids()` takes more values\n37: existing programs send what they did\n; herds().count\n\
             compatible by spec: `resources::herds::Herds::count()` takes more values\n30: existing programs send what they did\n; \n\
             compatible by spec: `resources::pets::List::first()` takes more values\n13: existing programs send what they did\n; pets().list\n",
        ),
        // Pages and updates have a reference to a job, which is made from one.
        (
            ["key: {type: string", "key: {type: string, format: password"],
            "breaking by spec: `models::Job.key` has another type\n55: programs that read or set it with its old type no longer compile\n\
             convert it with `Secret::new` and `expose()`; jobs().get\n",
        ),
    ] {
        assert_eq!(changes(&[edit], [NOTHING; 2]), expected, "{edit:?}");
    }
}

#[test]
fn an_integer_that_must_fit_into_less_hides_no_other_change_of_its_argument() {
    let offset =
        "{name: offset, in: query, required: true, schema: {type: integer, format: int64}}";
    let swapped = ["/herds/{herd}/pens/{pen}", "/herds/{pen}/pens/{herd}"];
    let narrow = |text: &str| text.replace("int64", "int32");
    let renamed = narrow(offset).replace("offset", "size");
    let moved = narrow(offset).replace("query", "header");
    let [ids, short] =
        ["int64", "int32"].map(|it| format!("array, items: {{type: integer, format: {it}"));
    let wide = [&*short, &*ids];
    for (edits, expected) in [
        (
            &[[offset, &*renamed]][..],
            "breaking by spec: `resources::herds::Herds::count()` takes other arguments: `size` instead of `offset`",
        ),
        (
            &[swapped],
            "wire-breaking by spec: `resources::herds::Herds::count()` takes the same arguments in another order",
        ),
        (
            &[[offset, &*moved]],
            "wire-breaking by spec: `resources::herds::Herds::count()` is sent or received in another form",
        ),
        (
            &[[offset, &*narrow(offset)]],
            "wire-breaking by spec: `resources::herds::Herds::count()` takes other arguments: `offset` must fit into `i32` now",
        ),
        (&[wide], "compatible by spec: `resources::herds::Count::ids()` takes more values"),
        (
            &[[&*short, &*short.replace("int32", "uint32")]],
            "wire-breaking by spec: `resources::herds::Count::ids()` takes other arguments: `value` must fit into `u32` now",
        ),
    ] {
        let found = changes(edits, [NOTHING; 2]);
        assert_eq!(found.lines().next().unwrap_or_default(), expected, "{edits:?}: {found}");
    }
}

#[test]
fn a_parameter_that_takes_integers_as_before_is_compatible() {
    let query = [
        "limit, in: query, schema: {type: integer, format: int64",
        "limit, in: query, schema: {type: string",
    ];
    let argument = [
        "offset, in: query, required: true, schema: {type: integer, format: int64",
        "offset, in: query, required: true, schema: {type: string",
    ];
    let list = ["array, items: {type: integer, format: int32", "array, items: {type: string"];
    for edit in [query, argument, list] {
        let report = report(&[edit], [NOTHING; 2]);
        let found = lines(&report["changes"]);
        assert!(
            found.starts_with("compatible by spec: ") && found.contains("more values"),
            "{found}"
        );
        assert_eq!(report["version"]["class"], "compatible", "{edit:?}");
        // What is sent to another place is no longer the same.
        let moved = [edit[0], &*edit[1].replace("in: query", "in: header")];
        let found = changes(&[moved], [NOTHING; 2]);
        assert_eq!(found.contains("breaking by spec"), edit != list, "{moved:?}");
    }
}

#[test]
fn what_the_settings_no_longer_choose_is_left_out_and_not_removed() {
    let exclude = "[operations]\nexclude = [\"getJob\", \"pets.copy\"]\n";
    let removed =
        ["Filter: {type: object, properties: {sizes", "Filter: {type: object, properties: {size"];
    let found = changes(&[removed], [NOTHING, exclude]);
    let by = |origin: &str| found.lines().filter(move |line| line.contains(origin)).count();
    assert_eq!([by("by spec: "), by(" is removed"), by(" is left out")], [1, 1, 2], "{found}");
    for title in
        ["`jobs` is left out with 1 operation and", "`resources::pets::Pets::copy()` is left out"]
    {
        assert!(found.contains(&["breaking by configuration: ", title].concat()), "{found}");
    }
}

#[test]
fn names_of_properties_are_lost_with_the_last_mask_for_them() {
    let mask = ["updateMask: {type: string}}}\n", "mask: {type: string}}}\n"];
    let property =
        ["Pet: {type: object, properties: {name", "Pet: {type: object, properties: {label"];
    let copy = ["'updateMask'", "'mask'"];
    for (edits, cause) in
        [(&[copy, property][..], "models::Pet.name"), (&[mask, copy], "resources::pets::Copy")]
    {
        let report = report(edits, [NOTHING; 2]);
        let is_cause = |it: &&Value| it["also"].to_string().contains("models::Pet::NAME");
        let found: Vec<_> = report["changes"].as_array().unwrap().iter().filter(is_cause).collect();
        assert!(found.len() == 1 && found[0]["item"].to_string().contains(cause), "{report:#}");
    }
}

#[test]
fn both_documents_have_the_same_at_no_places_of_a_property() {
    let bumps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/bumps");
    let mut compared = 0;
    let mut same = BTreeSet::new();
    for folder in fs::read_dir(bumps).unwrap().map(|entry| entry.unwrap().path()) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_openapi-bindings"));
        command.args(["diff", "--format", "json", "old.yaml", "new.yaml"]).current_dir(&folder);
        let report: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
        let nodes = ["old", "new"].map(|name| {
            let text = fs::read_to_string(folder.join(format!("{name}.yaml"))).unwrap();
            codegen::parse(&Source { name: name.to_owned(), text }, &mut Diagnostics::new())
        });
        for change in report["changes"].as_array().unwrap() {
            // Without pointers, the lines show what differs.
            let pointers = ["old_pointer", "new_pointer"].map(|key| change[key].as_str());
            let [Some(old), Some(new)] = pointers else { continue };
            let at = |index: usize, pointer| {
                let node = nodes[index].as_ref().unwrap();
                node.at(&Pointer::from_reference(&["#", pointer].concat()).unwrap())
            };
            let [before, after] = [at(0, old), at(1, new)];
            if old == new && before == after {
                same.insert(change["title"].as_str().unwrap().to_owned());
            }
            compared += 1;
        }
    }
    // What differs is the order of parts, what a reference leads to, or who uses a type.
    let behind = [
        "other operations accept",
        "no longer has setters",
        "with its parts in another order",
        "decodes to the same variant",
        "ClientBuilder::api_key()` is renamed",
        "takes other arguments",
        "can have a body",
        "needs the feature",
    ];
    same.retain(|title| !behind.iter().any(|it| title.contains(it)));
    assert!(compared > 30 && same.is_empty(), "{compared}: {same:#?}");
}
