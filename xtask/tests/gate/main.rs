//! The gate: no difference of emitted code is documentation, whichever line of the spec or of `codegen.toml` causes it.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const SPEC: &str = include_str!("base.yaml");
const SETTINGS: &str = include_str!("base.toml");

/// An edit of the spec: the old text, the new one, the class, and a part of the title of the change.
type Edit = (&'static str, &'static str, &'static str, &'static str);

const WIRE: &str = "wire-breaking";

/// One of so many edits is tried in every run.
const SAMPLE: usize = 3;

/// Edits of what requests contain, where they are sent, and what is read from responses.
const OF_SPEC: [Edit; 44] = [
    ("auth.example/token", "other.example/token", WIRE, "token-url token_client_credentials"),
    ("auth.example/code", "other.example/code", WIRE, "token-url login"),
    ("auth.example/login", "other.example/login", WIRE, "authorization-url login"),
    ("id.example/", "other.example/", WIRE, "discovery-url login"),
    ("security: [{token: [read]}", "security: [{token: [write]}", WIRE, "a bearer token for write"),
    ("name: X-Key", "name: X-Other", WIRE, "X-Other"),
    ("in: header, name: X-Key", "in: query, name: X-Key", WIRE, "in the query `X-Key`"),
    (
        "[{token: [read]}, {key: []}]",
        "[{key: []}, {token: [read]}]",
        WIRE,
        "prefers api_key, then token",
    ),
    ("[{token: [read]}, {key: []}]", "[{token: [read]}]", "breaking", "api_key"),
    (
        "security: [{login: [read]}, {openid: []}]",
        "security: [{login: [read]}, {openid: []}, {key: []}]",
        "compatible",
        "now accepts",
    ),
    ("{default: eu}", "{default: us}", WIRE, "(default region)"),
    ("{default: main}", "{default: side}", WIRE, "(default shard)"),
    ("{region}.pets.example/v1", "{region}.pets.example/v2", WIRE, "URL"),
    ("{shard}.logs.example", "{shard}.logs.example/v2", WIRE, "URL"),
    (
        "      servers: [{url: 'https://{shard}",
        "      x-servers: [{url: 'https://{shard}",
        "breaking",
        "servers::Shard",
    ),
    ("style: simple", "style: label", WIRE, "pets::Pets::get()"),
    ("style: simple, explode: false", "style: matrix, explode: true", WIRE, "pets::Pets::get()"),
    ("style: deepObject", "style: form", WIRE, "filter()"),
    ("/pets/{id}/tags/{tags}", "/v2/pets/{id}/tags/{tags}", WIRE, "pets().get"),
    ("    patch:\n", "    put:\n", WIRE, "pets().update"),
    (
        "explode: false}}\n      responses: {'204'",
        "explode: true}}\n      responses: {'204'",
        WIRE,
        "names",
    ),
    ("application/x-www-form-urlencoded:", "multipart/form-data:", WIRE, "multipart/form-data"),
    ("updateMask: {type: string}", "update_mask: {type: string}", WIRE, "(mask)"),
    ("name: page_token, in: query", "name: page_token, in: header", "breaking", "items()"),
    ("const: pet", "const: cat", "breaking", "PetKind"),
    ("version: {const: 1}", "version: {const: 2}", "breaking", "PetVersion"),
    ("required: [kind]\n", "required: [kind, name]\n", "breaking", "name"),
    ("secret: {type: string}", "secret: {type: string, writeOnly: true}", "documentation", ""),
    ("secret: {type: string}", "secret: {type: string, format: password}", "breaking", "secret"),
    ("name: {type: string}\n", "name: {type: string, readOnly: true}\n", "breaking", "name()"),
    ("name: {type: string}\n", "name: {type: [string, 'null']}\n", "compatible", "can be null now"),
    ("kind: {const: round}", "kind: {const: oval}", "breaking", "Round"),
    ("schema: {type: integer}}}}}", "schema: {type: number}}}}}", "breaking", "logs().list"),
    ("{const: added}", "{const: Added}", WIRE, "EntryData::Added"),
    ("data: {type: integer}", "data: {type: number}", "breaking", "EntryData::Added"),
    ("data: {type: integer}", "data: {type: string}", "breaking", "events()"),
    ("operationId: logs.list", "operationId: logs.find", "breaking", "find"),
    (
        "operationId: logs.list",
        "x-rust-name: list\n      operationId: logs.find",
        "compatible",
        "operationId",
    ),
    ("{$ref: '#/components/schemas/Shape'}", "{type: string}", "breaking", "shape"),
    (
        "tokenUrl: 'https://auth.example/token'",
        "tokenUrl: 'https://{tenant}.example/token'",
        "breaking",
        "tenant",
    ),
    (
        "next_page_token: {type: string}",
        "next_page_token: {type: integer}",
        "breaking",
        "next_page_token",
    ),
    (
        "type: array, items: {$ref: '#/components/schemas/Pet'}",
        "type: array, items: {$ref: '#/components/schemas/Shape'}",
        "breaking",
        "list",
    ),
    ("description: A pet.", "description: An animal.", "documentation", ""),
    ("title: Pets", "title: Animals", "documentation", ""),
];

/// Edits of `codegen.toml`, one for each key that the guide lists: the key, the old text, the new one, the class, and a
/// part of the title of the change. A key that does not decide what is emitted has no new text.
const OF_SETTINGS: [(&str, &str, &str, &str, &str); 59] = [
    ("spec", "", "", "", ""),
    ("out", "", "", "", ""),
    ("overlays", "", "", "", ""),
    ("files", "", "", "", ""),
    ("agents", "", "", "", ""),
    ("keep-going", "", "", "", ""),
    ("package.name", "name = \"pets\"", "name = \"animals\"", "breaking", "`pets` is renamed"),
    ("package.version", "\"1.0.0\"", "\"1.1.0\"", "", ""),
    ("package.license", "[client]", "license = \"MIT\"\n[client]", "documentation", ""),
    ("authors", "[client]", "authors = [\"a\"]\n[client]", "documentation", ""),
    ("categories", "[client]", "categories = [\"a\"]\n[client]", "documentation", ""),
    ("description", "[client]", "description = \"a\"\n[client]", "documentation", ""),
    (
        "documentation",
        "[client]",
        "documentation = \"https://a.example\"\n[client]",
        "documentation",
        "",
    ),
    ("homepage", "[client]", "homepage = \"https://a.example\"\n[client]", "documentation", ""),
    ("keywords", "[client]", "keywords = [\"a\"]\n[client]", "documentation", ""),
    ("publish", "[client]", "publish = false\n[client]", "documentation", ""),
    ("repository", "[client]", "repository = \"https://a.example\"\n[client]", "documentation", ""),
    (
        "runtime.path",
        "git = \"https://example.com/runtime.git\"\nrev = \"1\"",
        "path = \"runtime\"",
        "documentation",
        "",
    ),
    ("runtime.git", "example.com/runtime", "example.org/runtime", "documentation", ""),
    ("branch", "rev = \"1\"", "branch = \"a\"", "documentation", ""),
    ("tag", "rev = \"1\"", "tag = \"a\"", "documentation", ""),
    ("rev", "rev = \"1\"", "rev = \"2\"", "documentation", ""),
    ("runtime.version", "rev = \"1\"", "version = \"2\"", "documentation", ""),
    (
        "runtime.registry",
        "git = \"https://example.com/runtime.git\"\nrev = \"1\"",
        "version = \"1\"\nregistry = \"a\"",
        "documentation",
        "",
    ),
    ("runtime.package", "rev = \"1\"", "rev = \"1\"\npackage = \"a\"", "documentation", ""),
    (
        "operations.include",
        "[client]",
        "[operations]\ninclude = [\"pets.*\"]\n[client]",
        "breaking",
        "`logs` is left out",
    ),
    (
        "operations.exclude",
        "[client]",
        "[operations]\nexclude = [\"logs.*\"]\n[client]",
        "breaking",
        "`logs` is left out",
    ),
    ("components.keep", "[client]", "[components]\nkeep = \"all\"\n[client]", "compatible", ""),
    ("client.env-prefix", "\"PETS\"", "\"ANIMALS\"", WIRE, "(env-prefix)"),
    ("errors.request-id", "(id: {id})", "(request: {id})", WIRE, "(request-id)"),
    ("masks.separator", "\",\"", "\";\"", WIRE, "(mask)"),
    ("masks.paths", "top-level", "nested", WIRE, "(mask)"),
    ("masks.\"operationId\"", "= \"pet\"", "= \"old\"", WIRE, "(mask)"),
    ("[[wait]]", "\"finishedAt\"", "\"name\"", WIRE, "(wait)"),
    (
        "operation",
        "operation = \"pets.get\"\nproperty = \"finishedAt\"",
        "operation = \"pets.list\"\nproperty = \"after\"",
        "breaking",
        "wait",
    ),
    ("property", "\"finishedAt\"", "\"secret\"", WIRE, "(wait)"),
    ("values", "\"finishedAt\"\n", "\"kind\"\nvalues = [\"pet\"]\n", WIRE, "(wait)"),
    (
        "secrets.hide",
        "[client]",
        "[secrets]\nhide = [\"/components/schemas/Pet/properties/name\"]\n[client]",
        "documentation",
        "",
    ),
    (
        "secrets.show",
        "[client]",
        "[secrets]\nshow = [\"/components/schemas/Pet/properties/secret\"]\n[client]",
        "documentation",
        "",
    ),
    ("warnings.allow", "[client]", "[warnings]\nallow = []\n[client]", "", ""),
    ("paging.token", "[client]", "[paging]\ntoken = \"cursor\"\n[client]", WIRE, "(page-token)"),
    ("paging.first", "[client]", "[paging]\nfirst = \"\"\n[client]", WIRE, "(page-token)"),
    (
        "paging.offset",
        "[client]",
        "[paging]\noffset = \"cursor\"\n[client]",
        "breaking",
        "items_by()",
    ),
    ("paging.page", "[client]", "[paging]\npage = \"cursor\"\n[client]", "breaking", "items_by()"),
    (
        "paging.total",
        "[client]",
        "[paging]\npage = \"cursor\"\ntotal = \"after\"\n[client]",
        "breaking",
        "items_by()",
    ),
    ("parameters.deep-object-lists", "indices", "brackets", WIRE, "filter()"),
    (
        "parameters.idempotency-key",
        "\"indices\"",
        "\"indices\"\nidempotency-key = \"X-Once\"",
        WIRE,
        "(idempotency-key)",
    ),
    (
        "streams.sentinel",
        "[client]",
        "[streams]\nsentinel = \"END\"\n[client]",
        WIRE,
        "(sentinel events)",
    ),
    (
        "paging.next_link",
        "[client]",
        "[paging]\nnext_link = \"after\"\n[client]",
        "breaking",
        "items_by()",
    ),
    ("paging.items", "[client]", "[paging]\nitems = \"list\"\n[client]", "", ""),
    (
        "paging.next_token",
        "[client]",
        "[paging]\nnext_token = \"after\"\n[client]",
        WIRE,
        "pets().list",
    ),
    (
        "aliases.\"old::path\"",
        "[client]",
        "[aliases]\n\"models::Animal\" = \"models::Pet\"\n[client]",
        "compatible",
        "",
    ),
    ("renames.\"/json/pointer\"", "PetFilter", "Criteria", "breaking", "models::PetFilter"),
    (
        "types.FORMAT",
        "[client]",
        "[types]\ndate-time = \"std::string::String\"\n[client]",
        "breaking",
        "",
    ),
    (
        "types.\"TYPE FORMAT\"",
        "[client]",
        "[types]\n\"string date-time\" = \"std::string::String\"\n[client]",
        "breaking",
        "",
    ),
    (
        "types.\"#/json/pointer\"",
        "[client]",
        "[types]\n\"#/components/schemas/Pet/properties/name\" = \"std::string::String\"\n[client]",
        "breaking",
        "",
    ),
    ("derive.all", "[client]", "[derive]\nall = [\"Eq\"]\n[client]", "compatible", ""),
    (
        "derive.\"models::TYPE\"",
        "[client]",
        "[derive]\n\"models::Pet\" = [\"Eq\"]\n[client]",
        "compatible",
        "",
    ),
    ("dependencies.NAME", "[client]", "[dependencies]\na = \"1\"\n[client]", "documentation", ""),
];

/// A folder with an old and a new project.
struct Projects(TempDir);

impl Projects {
    fn new() -> Self {
        let projects = Self(tempfile::tempdir().unwrap());
        for side in ["old", "new"] {
            fs::create_dir(projects.0.path().join(side)).unwrap();
            projects.write(side, SPEC, SETTINGS);
        }
        projects
    }

    fn write(&self, side: &str, spec: &str, settings: &str) {
        let folder = self.0.path().join(side);
        fs::write(folder.join("openapi.yaml"), spec).unwrap();
        fs::write(folder.join("codegen.toml"), settings).unwrap();
        let runtime = folder.join("runtime");
        fs::create_dir_all(&runtime).unwrap();
        fs::write(runtime.join("Cargo.toml"), "").unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_openapi-bindings"));
        command.args(arguments).current_dir(self.0.path()).env("NO_COLOR", "1").output().unwrap()
    }

    fn report(&self) -> Value {
        let output =
            self.run(&["diff", "--format", "json", "old/openapi.yaml", "new/openapi.yaml"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Returns the lines of the emitted code, without comments and documentation.
    fn code(&self, side: &str) -> BTreeSet<String> {
        let out = format!("{side}/out");
        let spec = format!("{side}/openapi.yaml");
        let output = self.run(&["codegen", "--spec", &spec, "--out", &out]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut lines = BTreeSet::new();
        let mut folders = vec![self.0.path().join(&out).join("src")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
                if entry.file_type().unwrap().is_dir() {
                    folders.push(entry.path());
                } else {
                    lines.extend(lines_of_code(&entry.path()));
                }
            }
        }
        lines
    }
}

fn lines_of_code(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    // These marks only concern what `Debug` prints.
    let lines = lines.map(|line| line.replace(" secret,", ",").replace(" shown,", ","));
    lines.map(|line| format!("{}: {line}", file.file_name().unwrap().to_string_lossy())).collect()
}

fn edited(text: &str, old: &str, new: &str) -> String {
    assert!(text.contains(old), "{old}");
    text.replacen(old, new, 1)
}

/// Returns the problem of the report of an edit: it has another class, does not name the change with its place, or calls
/// a change of code documentation.
fn problem(projects: &Projects, code: &BTreeSet<String>, edit: Edit, file: &str) -> Option<String> {
    let (_, _, class, title) = edit;
    let report = projects.report();
    let found = report["version"]["class"].as_str().unwrap_or_default();
    let changes = report["changes"].as_array().unwrap();
    let is_named = |change: &Value| {
        let place = change["new_place"].as_str().or(change["old_place"].as_str());
        change["title"].as_str().is_some_and(|text| text.contains(title))
            && change["class"] == class
            && place.is_some_and(|place| place.contains(file))
    };
    let is_unknown =
        |change: &Value| change["title"].as_str().is_some_and(|text| text.contains("other code"));
    let is_text = found.is_empty() || found == "documentation";
    let is_as_expected = found == class
        && (title.is_empty() || changes.iter().any(is_named))
        && !changes.iter().any(is_unknown)
        && !(is_text && projects.code("new") != *code);
    let describe = |change: &Value| {
        let [class, title, place] =
            ["class", "title", "new_place"].map(|key| change[key].as_str().unwrap_or_default());
        format!("  {class}: {title} at {place}\n")
    };
    let changes: String = changes.iter().map(describe).collect();
    (!is_as_expected).then(|| format!("{edit:?} is {found}:\n{changes}"))
}

/// Checks the reports of edits, each with the spec and the settings after it.
fn assert_classes(file: &str, edits: impl Iterator<Item = (Edit, String, String)>) {
    let projects = Projects::new();
    let code = projects.code("old");
    let problems: String = edits
        .filter_map(|(edit, spec, settings)| {
            projects.write("new", &spec, &settings);
            problem(&projects, &code, edit, file)
        })
        .collect();
    assert!(problems.is_empty(), "{problems}");
}

fn edits_of_spec() -> impl Iterator<Item = (Edit, String, String)> {
    OF_SPEC.into_iter().map(|edit| (edit, edited(SPEC, edit.0, edit.1), SETTINGS.to_owned()))
}

fn edits_of_settings() -> impl Iterator<Item = (Edit, String, String)> {
    OF_SETTINGS.into_iter().map(|(_, old, new, class, title)| {
        ((old, new, class, title), SPEC.to_owned(), edited(SETTINGS, old, new))
    })
}

#[test]
fn no_edit_of_the_spec_that_changes_code_is_documentation() {
    assert_classes("openapi.yaml", edits_of_spec().step_by(SAMPLE));
}

#[test]
fn no_key_of_the_settings_that_changes_code_is_documentation() {
    assert_classes("codegen.toml", edits_of_settings().step_by(SAMPLE));
}

#[test]
#[ignore = "part of `cargo ci --all`: it compares two crates for each edit"]
fn none_of_all_edits_that_change_code_is_documentation() {
    assert_classes("openapi.yaml", edits_of_spec());
    assert_classes("codegen.toml", edits_of_settings());
}

/// The guide lists all keys in a table, some of them in one row.
#[test]
fn all_keys_of_the_settings_are_edited() {
    let guide = include_str!("../../../docs/settings.md");
    let (_, section) = guide.split_once("\n## codegen.toml\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let tables = section.split("\n\n").filter(|it| it.starts_with("| key |"));
    let rows = tables.flat_map(str::lines);
    let rows = rows.filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let names: Vec<_> = rows.flat_map(|row| row.split('`').step_by(2)).collect();
    assert!(names.len() > 40, "{names:?}");
    let missing: Vec<&str> =
        names.into_iter().filter(|name| !OF_SETTINGS.iter().any(|(key, ..)| key == name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn no_advice_names_a_method_that_is_removed() {
    let projects = Projects::new();
    for (key, old, new, ..) in OF_SETTINGS.into_iter().filter(|edit| edit.4 == "items_by()") {
        projects.write("new", SPEC, &edited(SETTINGS, old, new));
        let report = projects.report();
        let removed = "`resources::pets::List::items_by()` is removed";
        let is_lost = |it: &&Value| it["title"].as_str().is_some_and(|text| text == removed);
        let lost = report["changes"].as_array().unwrap().iter().find(is_lost).unwrap();
        let advice = lost["instead"].as_str().unwrap_or_default();
        assert!(!advice.contains("items_by"), "{key}: {advice}");
    }
}
