//! The table of nulls in `nulls.md` is what is emitted, received and sent.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use codegen::{Source, SourceFile};
use serde_json::{Value, json};

use crate::support::case::Case;
use crate::support::workspace::Workspace;

const GUIDE: &str = "nulls.md";

const HEADING: &str = "| schema | allows null |\n|---|---|\n";

/// The versions of OpenAPI, with a schema of texts and null in each.
const VERSIONS: [(&str, &str); 2] =
    [("3.0.4", "{type: string, nullable: true}"), ("3.1.1", "{type: [string, 'null']}")];

const MANIFEST: &str = "[package]\nname = \"program\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
    case-nulls-0 = { path = \"../nulls-0\", default-features = false }\n\
    case-nulls-1 = { path = \"../nulls-1\", default-features = false }\n";

/// The cells of the table.
const NO: &str = "no";
const YES: &str = "yes";
const ANY: &str = "any JSON";

#[test]
fn the_guide_lists_which_schemas_allow_null() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(GUIDE);
    let guide = fs::read_to_string(&path).unwrap();
    let (before, table) = guide.split_once(HEADING).unwrap();
    let schemas: Vec<_> = table.lines().map(|row| row.split('`').nth(1).unwrap()).collect();
    let [old, new] = outputs(&schemas).map(|(api, _)| cells(&schemas, &api));
    assert_eq!(old, new, "the versions differ");
    let rows = schemas.iter().zip(old);
    let expected = rows.fold(String::new(), |mut text, (schema, cell)| {
        writeln!(text, "| `{schema}` | {cell} |").unwrap();
        text
    });
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        fs::write(&path, format!("{before}{HEADING}{expected}")).unwrap();
    } else {
        assert_eq!(table, expected, "write it with INSTA_UPDATE=always");
    }
}

/// Returns the cell of each schema, which is the same for properties, lists and maps.
fn cells(schemas: &[&str], api: &str) -> Vec<&'static str> {
    let cell = |(row, schema): (usize, &&str)| {
        let item = api.split(&format!("struct models::Row{row} ")).nth(1).unwrap();
        let (item, _) = item.split_once("\n\n").unwrap();
        let line = |name: &str| {
            let start = format!("    {name}: ");
            item.lines().find_map(|line| line.strip_prefix(&start)).unwrap()
        };
        let found = [
            line("always").starts_with("Option<"),
            line("optional").ends_with("or null"),
            item.contains("fn set_optional_null(self)"),
            line("list").contains("Vec<Option<"),
            line("map").contains("BTreeMap<String, Option<"),
        ];
        match found {
            [true, true, true, true, true] => YES,
            [_, true, true, false, false] if line("list").contains("Vec<Value>") => ANY,
            [false, false, false, false, false] => NO,
            _ => panic!("{schema}: {found:?}\n{item}"),
        }
    };
    schemas.iter().enumerate().map(cell).collect()
}

/// Returns `api.txt` and the files of the crate of each version.
fn outputs(schemas: &[&str]) -> [(String, Vec<SourceFile>); 2] {
    let mut number = 0;
    VERSIONS.map(|(version, maybe)| {
        let text = document(version, maybe, schemas);
        let source = Source { name: "openapi.yaml".to_owned(), text };
        let output = Case { name: format!("nulls-{number}"), source }.output();
        number += 1;
        (output.public_api.to_string(), output.files)
    })
}

/// Returns a document with a component `Row0` and so on for each schema, as a body and as a reply.
fn document(version: &str, maybe: &str, schemas: &[&str]) -> String {
    let mut text = format!("openapi: {version}\ninfo: {{title: Nulls, version: 1.0.0}}\npaths:\n");
    for row in 0..schemas.len() {
        let content = format!(
            "content: {{application/json: {{schema: {{$ref: '#/components/schemas/Row{row}'}}}}}}"
        );
        writeln!(
            text,
            "  /row{row}:
    put:
      operationId: rows.replace{row}
      requestBody: {{required: true, {content}}}
      responses: {{'200': {{description: Done., {content}}}}}"
        )
        .unwrap();
    }
    writeln!(text, "components:\n  schemas:\n    Text: {{type: string}}\n    MaybeText: {maybe}")
        .unwrap();
    for (row, schema) in schemas.iter().enumerate() {
        writeln!(
            text,
            "    Row{row}:
      type: object
      required: [always]
      properties:
        always: {schema}
        optional: {schema}
        list: {{type: array, items: {schema}}}
        map: {{type: object, additionalProperties: {schema}}}"
        )
        .unwrap();
    }
    text
}

/// A null that is allowed survives, and is no drift. Another one is drift, which `strict()` refuses, and is sent back in its
/// place, too.
#[test]
fn nulls_survive_at_each_place() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(GUIDE);
    let guide = fs::read_to_string(&path).unwrap();
    let (_, table) = guide.split_once(HEADING).unwrap();
    let rows: Vec<_> = table.lines().map(|row| row.split('`').collect::<Vec<_>>()).collect();
    let rows = rows.iter().map(|row| (row[1], row[2].trim_matches([' ', '|'])));
    let (schemas, cells): (Vec<_>, Vec<_>) = rows.unzip();

    let mut workspace = Workspace::new("nulls");
    for (number, (_, files)) in outputs(&schemas).iter().enumerate() {
        workspace.add(&format!("nulls-{number}"), files);
    }
    let file = |path: &str, text: String| SourceFile { path: path.to_owned(), text };
    let program = file("src/main.rs", program(&schemas, &cells));
    workspace.add("program", &[file("Cargo.toml", MANIFEST.to_owned()), program]);
    workspace.finish();
    let output = workspace.output(&["run", "--quiet", "--package", "program"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = String::from_utf8(output.stdout).unwrap();
    let mut lines = output.lines();
    for (version, _) in VERSIONS {
        for (schema, cell) in schemas.iter().zip(&cells) {
            let mut answer = || serde_json::from_str::<Value>(lines.next().unwrap()).unwrap();
            let place = format!("{schema} in {version}");
            let (received, drift) = (answer(), answer());
            assert_eq!(received, instance(schema), "{place}");
            if *cell == NO {
                assert_eq!(drift, json!(["", "list[0]", "map.a", "optional"]), "{place}");
                continue;
            }
            assert_eq!(drift, json!([]), "{place}");
            let built =
                json!({"always": null, "optional": null, "list": [null], "map": {"a": null}});
            assert_eq!(answer(), built, "{place}");
        }
    }
    assert_eq!(lines.next(), None);
}

/// Returns an instance of `Row0` with a null at each place.
fn instance(schema: &str) -> Value {
    let value = value(schema);
    json!({"always": null, "optional": null, "list": [null, value], "map": {"a": null, "b": value}})
}

/// Returns a value of a schema other than null.
fn value(schema: &str) -> Value {
    if schema.contains("type: object") { json!({"a": "x"}) } else { json!("a") }
}

/// Returns a program that writes, for each row of each version, what it sends after it received nulls, where it found
/// drift, and what it sends if it sets nulls itself.
fn program(schemas: &[&str], cells: &[&str]) -> String {
    let mut text = "fn main() {\n".to_owned();
    for (number, _) in VERSIONS.iter().enumerate() {
        let internal = format!("case_nulls_{number}::runtime::internal");
        let sent = |value: &str| {
            format!("println!(\"{{}}\", String::from_utf8({internal}::encode({value})).unwrap());")
        };
        for (row, (schema, cell)) in schemas.iter().zip(cells).enumerate() {
            let ty = format!("case_nulls_{number}::models::Row{row}");
            let instance = instance(schema).to_string();
            write!(
                text,
                "{{
    let mut drift = Vec::new();
    let row: {ty} = {internal}::decode({instance:?}.as_bytes(), Some(&mut drift)).unwrap();
    {}
    println!(\"{{:?}}\", drift.iter().map(|it| it.path.clone()).collect::<Vec<_>>());
}}
",
                sent("&row")
            )
            .unwrap();
            if *cell == NO {
                continue;
            }
            let null = if *cell == ANY { "case_nulls_0::runtime::Value::Null" } else { "None" };
            write!(
                text,
                "{{
    let mut row = {ty}::default();
    row.list = Some(vec![{null}]);
    row.map = Some([(\"a\".to_owned(), {null})].into_iter().collect());
    {}
}}
",
                sent("&row.set_optional_null()")
            )
            .unwrap();
        }
    }
    text + "}\n"
}
