//! The locations of a project's files in `codegen.toml`, in any folder and for every command.

use std::process::Command;

use crate::scene::{Run, Scene, spec, xtask};

const SETTINGS: &str = "spec = \"api/zoo.yaml\"\nout = \"crates/zoo\"\noverlays = [\"api/cats.yaml\"]\n\
    [package]\nname = \"zoo\"\nversion = \"1.0.0\"\n\
    [runtime]\npackage = \"zoo-runtime\"\npath = \"runtime\"\n";

/// A spec whose parts are above its folder, in versions next to each other.
#[test]
fn a_spec_refers_to_files_above_its_folder_if_the_settings_allow_it() {
    let scene = Scene::new();
    scene.put(
        "apis/v1.yaml",
        spec(&["cat"]).replace("'#/components/schemas/cat'", "../models/cat.yaml"),
    );
    scene.put("models/cat.yaml", "type: object\nproperties: {name: {$ref: 'parts/name.yaml'}}\n");
    scene.put("models/parts/name.yaml", "type: string\n");
    let settings = "spec = \"apis/v1.yaml\"\nout = \"crate\"\n[package]\nname = \"zoo\"\n\
        [runtime]\nversion = \"0.1.0\"\n";
    scene.put("codegen.toml", settings);
    let run = scene.codegen(&[]);
    assert_eq!(run.code, Some(2), "{}", run.messages);
    let reason = "`../models/cat.yaml` cannot be read: it is outside of the folder of the spec";
    assert!(run.messages.contains(reason), "{}", run.messages);
    assert!(run.messages.contains("write `files = \".\"` into codegen.toml"), "{}", run.messages);
    let with_files = |files: &str| format!("files = \"{files}\"\n{settings}");
    scene.put("codegen.toml", with_files("."));
    let run = scene.codegen(&[]);
    assert_eq!(run.code, Some(0), "{}", run.messages);
    assert!(scene.get("crate/api.txt").contains("struct models::Cat"));
    for (files, reason) in [
        ("..", "the folder is above the repository of the file"),
        ("models", "this is not a folder above the spec"),
    ] {
        scene.put("codegen.toml", with_files(files));
        let run = scene.codegen(&[]);
        assert_eq!(run.code, Some(1), "{}", run.messages);
        assert!(run.messages.contains(reason), "{}", run.messages);
    }
}

const OVERLAY: &str = "overlay: 1.0.0\ninfo: {title: Only cats, version: 1.0.0}\n\
    actions: [{target: \"$.paths['/dogs/{id}']\", remove: true}, {target: $.components.schemas.dog, remove: true}]\n";

/// Returns a repository that has nothing where the defaults are.
fn repository() -> Scene {
    let scene = Scene::new();
    std::fs::remove_dir_all(scene.path("spec")).unwrap();
    scene.put("codegen.toml", SETTINGS);
    scene.put("api/zoo.yaml", spec(&["cat", "dog"]));
    scene.put("api/cats.yaml", OVERLAY);
    scene.put("runtime/Cargo.toml", "[package]\nname = \"zoo-runtime\"\n");
    scene
}

fn installed(scene: &Scene, arguments: &[&str]) -> Run {
    let mut command: Command = xtask();
    for name in ["CARGO", "CARGO_MANIFEST_DIR", "CARGO_PKG_NAME"] {
        command.env_remove(name);
    }
    Run::new(command.args(arguments).current_dir(scene.path("")))
}

#[test]
fn every_command_follows_the_settings() {
    let scene = repository();
    let run = installed(&scene, &["codegen"]);
    assert_eq!(run.code, Some(0), "{}", run.messages);
    assert!(run.output.starts_with("1 operation, "), "{}", run.output);
    let manifest = scene.get("crates/zoo/Cargo.toml");
    let runtime = "runtime = { package = \"zoo-runtime\", path = \"../../runtime\", default-features = false }";
    assert!(manifest.contains(runtime), "{manifest}");
    assert!(!scene.path("generated").exists());
    assert_eq!(installed(&scene, &["codegen", "--check"]).code, Some(0));
    scene.commit();

    let run = installed(&scene, &["diff"]);
    assert_eq!((run.code, run.messages.as_str()), (Some(0), ""), "{}", run.output);
    assert!(!run.output.contains("`dogs`"), "{}", run.output);
    scene.put("api/zoo.yaml", spec(&["cat", "dog", "fish"]));
    let run = installed(&scene, &["codegen", "--check"]);
    assert_eq!(run.code, Some(4), "{}", run.messages);
    let run = installed(&scene, &["diff", "--verbose"]);
    assert!(run.output.contains("fish"), "{}", run.output);

    let run = installed(&scene, &["release"]);
    assert_eq!(run.code, Some(0), "{}", run.messages);
    assert!(scene.get("codegen.toml").contains("version = \"1.1.0\""), "{}", run.output);
    assert!(scene.get("crates/zoo/Cargo.toml").contains("version = \"1.1.0\""));
    let changelog = scene.get("crates/zoo/CHANGELOG.md");
    assert!(changelog.contains("fish"), "{changelog}");
}

#[test]
fn a_spec_that_does_not_exist_is_reported_first() {
    let scene = Scene::new();
    std::fs::remove_dir_all(scene.path("spec")).unwrap();
    let run = installed(&scene, &["codegen"]);
    assert_eq!(run.code, Some(1));
    let help = "help: write the spec to this file, or name its file: `spec = \"FILE\"` in codegen.toml, \
        or `codegen --spec FILE`\n";
    let [error, lines] = ["error: cannot read `spec/openapi.yaml`: ", help];
    assert!(run.messages.starts_with(error) && run.messages.ends_with(lines), "{}", run.messages);

    scene.commit();
    let run = installed(&scene, &["diff", "HEAD", "HEAD"]);
    assert!(run.messages.contains("cannot read `spec/openapi.yaml` of git revision `HEAD`"));

    let scene = repository();
    std::fs::remove_file(scene.path("api/cats.yaml")).unwrap();
    let run = installed(&scene, &["codegen"]);
    let help = "help: correct `overlays` in codegen.toml, or `--overlay`\n";
    let error = "error: cannot read `api/cats.yaml`: ";
    assert!(run.messages.starts_with(error) && run.messages.ends_with(help), "{}", run.messages);
}

#[test]
fn messages_name_the_files_and_the_program_of_the_user() {
    let scene = repository();
    assert_eq!(installed(&scene, &["codegen"]).code, Some(0));
    scene.commit();
    scene.put("api/zoo.yaml", spec(&["cow", "dog"]));
    let gate = || installed(&scene, &["diff", "--deny", "breaking"]).messages;
    assert!(gate().ends_with("help: run `openapi-bindings codegen`\n"), "{}", gate());
    assert_eq!(installed(&scene, &["codegen"]).code, Some(0));
    let help = "help: set the version 2.0.0 in codegen.toml, as `openapi-bindings release` does, or add waivers to api/waivers.toml: ";
    assert!(gate().contains(help), "{}", gate());
    let run = installed(&scene, &["release", "1.0.1"]);
    assert!(run.messages.contains("; `openapi-bindings diff "), "{}", run.messages);

    // The first release also creates the changelog.
    let run = installed(&scene, &["release"]);
    let line = "\n1.0.0 -> 2.0.0 in codegen.toml and crates/zoo/CHANGELOG.md\n";
    assert!(run.output.ends_with(line), "{}", run.output);
    let changelog = scene.get("crates/zoo/CHANGELOG.md");
    assert!(changelog.starts_with("# Changelog\n\n## Unreleased\n\n## 2.0.0 - "), "{changelog}");

    scene.commit();
    let run = installed(&scene, &["release"]);
    let help = "help: release again when the spec, its settings or the generator have changed\n";
    assert!(run.messages.ends_with(help), "{}", run.messages);
}

#[test]
fn a_rename_that_matches_nothing_is_an_error() {
    let scene = Scene::new();
    let settings =
        "[package]\nname = \"pets\"\n[renames]\n\"/components/schemas/cat\" = \"Felis\"\n";
    scene.put("spec/codegen.toml", settings);
    assert_eq!(scene.codegen(&[]).code, Some(0));
    scene.put("spec/codegen.toml", settings.replace("schemas/cat", "schemas/cats"));
    let run = scene.codegen(&[]);
    assert_eq!(run.code, Some(2), "{}", run.output);
    assert!(run.messages.contains("error[rename]: `/components/schemas/cats` is not an element"));
    assert!(run.messages.contains("--> spec/codegen.toml:4:2"), "{}", run.messages);

    let service = |name: &str| settings.replace("/components/schemas/cat", name);
    scene.put("spec/openapi.yaml", spec(&["cat"]).replace("cats.get", "zoo.v1.Pets.get"));
    scene.put("spec/codegen.toml", service("zoo.v1.Pets"));
    assert_eq!(scene.codegen(&[]).code, Some(0));
    scene.put("spec/codegen.toml", service("zoo.v1.Pet"));
    let run = scene.codegen(&[]);
    assert!(run.messages.contains("error[rename]: `zoo.v1.Pet` is not an element"));

    // The names of components without a type of their own are those of types in them, and of variants.
    let others = "    Label: {type: string}\n    Cats: {type: array, items: {$ref: '#/components/schemas/cat'}}\n    \
        Tags: {type: array, items: {type: object, properties: {tag: {type: string}}}}\n    \
        Kind: {oneOf: [{$ref: '#/components/schemas/Cats'}, {type: object, properties: {tag: {type: string}}}]}\n";
    scene.put("spec/openapi.yaml", [spec(&["cat"]).as_str(), others].concat());
    for key in ["/components/schemas/Cats", "/components/schemas/Tags"] {
        scene.put("spec/codegen.toml", service(key));
        let run = scene.codegen(&[]);
        assert_eq!(run.code, Some(0), "{}", run.messages);
    }

    // These exist, but nothing in the crate is named after them.
    let keys = [
        "#/components/schemas/cat",
        "/info",
        "/paths/~1cat",
        "/components/schemas/cat/type",
        "/components/schemas/Label",
    ];
    let lines = keys.map(|key| format!("{key:?} = \"Felis\"\n"));
    scene.put(
        "spec/codegen.toml",
        ["[package]\nname = \"pets\"\n[renames]\n", &lines.concat()].concat(),
    );
    let run = scene.codegen(&[]);
    for key in keys {
        assert!(
            run.messages.contains(&format!("error[rename]: `{key}` is not an")),
            "{}",
            run.messages
        );
    }
}

#[test]
fn all_places_of_a_warning_are_shown_on_demand() {
    let scene = Scene::new();
    let text = spec(&["cat", "dog", "cow", "ape", "elk"]);
    scene.put("spec/openapi.yaml", text.replace("summary: ", "nonsense: "));
    let shown = |arguments: &[&str]| {
        scene.codegen(arguments).messages.matches("warning[unknown-field]: `nonsense`").count()
    };
    assert_eq!((shown(&[]), shown(&["--verbose"])), (3, 5));
}

#[test]
fn allowed_warnings_are_not_reported_and_unused_entries_are() {
    let scene = Scene::new();
    scene.put("spec/openapi.yaml", spec(&["cat"]).replace("summary: ", "nonsense: "));
    let allow = |codes: &str| {
        let settings = format!("[package]\nname = \"pets\"\n[warnings]\nallow = [{codes}]\n");
        scene.put("spec/codegen.toml", settings);
        scene.codegen(&["--deny-warnings"])
    };
    assert_eq!(allow("").code, Some(2));
    let run = allow("\"unknown-field\"");
    assert_eq!((run.code, run.messages.as_str()), (Some(0), ""), "{}", run.output);
    let run = allow("\"unknown-field\", \"danglingref\"");
    assert_eq!(run.code, Some(2));
    let message = "warning[unused-allow]: the document has no warning `danglingref`";
    assert!(run.messages.contains(message), "{}", run.messages);
    assert!(run.messages.contains("did you mean `dangling-ref`?"), "{}", run.messages);
    assert!(run.messages.contains("--> spec/codegen.toml:4:28"), "{}", run.messages);
}

#[test]
fn the_tokens_of_pages_can_have_other_names() {
    let scene = Scene::new();
    let document = "openapi: 3.1.0\ninfo: {title: a, version: a}\npaths:\n  /cats:\n    get:\n      operationId: cats.list\n\
        \x20     tags: [cats]\n      parameters: [{name: cursor, in: query, schema: {type: string}}]\n      responses:\n\
        \x20       '200':\n          description: Cats.\n          content:\n            application/json:\n\
        \x20             schema: {type: object, properties: {cats: {type: array, items: {type: string}}, after: {type: string}}}\n";
    scene.put("spec/openapi.yaml", document);
    let settings = "[package]\nname = \"pets\"\n";
    scene.put("spec/codegen.toml", settings);
    assert_eq!(scene.codegen(&[]).code, Some(0));
    assert!(!scene.get("generated/src/resources/cats.rs").contains("PagedEndpoint"));
    let paging = format!("{settings}[paging]\ntoken = \"cursor\"\nnext_token = \"after\"\n");
    scene.put("spec/codegen.toml", &*paging);
    let run = scene.codegen(&["--deny-warnings"]);
    assert_eq!(run.code, Some(0), "{}", run.messages);
    assert!(scene.get("generated/src/resources/cats.rs").contains("PagedEndpoint"));
    // Any JSON takes the text.
    scene.put("spec/openapi.yaml", document.replace("schema: {type: string}", "schema: {}"));
    scene.put("spec/codegen.toml", format!("{paging}first = \"\"\n"));
    let run = scene.codegen(&["--deny-warnings"]);
    assert_eq!(run.code, Some(0), "{}", run.messages);
    let api = scene.get("generated/api.txt");
    assert!(api.contains("setting page-token = in query \"cursor\" from \"\"\n"), "{api}");
    scene.put("spec/codegen.toml", paging.replace("cursor", "absent"));
    let messages = scene.codegen(&[]).messages;
    assert!(
        messages.contains("warning[unused-setting]: no list has pages by `absent`"),
        "{messages}"
    );
    assert!(scene.get("generated/api.txt").contains("pages_by"));
    scene.put("spec/openapi.yaml", document);
    scene.put("spec/codegen.toml", paging.replace("after", "meta.after") + "first = \"\"\n");
    let messages = scene.codegen(&[]).messages;
    assert!(messages.contains("no list has pages by an empty token"), "{messages}");
    assert!(
        messages.contains("warning[unused-setting]: no list has pages by `meta.after`"),
        "{messages}"
    );
    assert!(!scene.get("generated/src/resources/cats.rs").contains("PagedEndpoint"));
    let after = "after: {type: string}";
    let nested = format!("meta: {{type: object, properties: {{{after}}}}}");
    scene.put("spec/openapi.yaml", document.replace(after, &nested));
    let run = scene.codegen(&["--deny-warnings"]);
    assert_eq!(run.code, Some(0), "{}", run.messages);
    assert!(
        scene.get("generated/src/resources/cats.rs").contains("page.meta.as_ref()?.after.clone()")
    );
}

#[test]
fn the_numbers_of_pages_can_have_other_names() {
    let scene = Scene::new();
    let document = "openapi: 3.1.0\ninfo: {title: a, version: a}\npaths:\n  /cats:\n    post:\n      operationId: cats.list\n\
        \x20     tags: [cats]\n      parameters: [{name: p, in: query, schema: {type: integer, minimum: 0}}]\n      responses:\n\
        \x20       '200':\n          description: Cats.\n          content:\n            application/json:\n\
        \x20             schema: {type: object, properties: {cats: {type: array, items: {type: string}}, next_p: {type: [integer, 'null']},\n\
        \x20               meta: {type: object, properties: {all: {type: number}}}}}\n";
    scene.put("spec/openapi.yaml", document);
    let settings = "[package]\nname = \"pets\"\n[paging]\ntotal = \"meta.all\"\n";
    for (setting, expected) in [
        ("offset", "by item in query \"p\" from 0 to \"meta.all\""),
        ("page", "by page in query \"p\" from 0 to \"meta.all\""),
    ] {
        scene.put("spec/codegen.toml", format!("{settings}{setting} = \"p\"\n"));
        let run = scene.codegen(&["--deny-warnings"]);
        assert_eq!(run.code, Some(0), "{}", run.messages);
        let api = scene.get("generated/api.txt");
        assert!(api.contains(&format!("setting page-token = {expected}\n")), "{api}");
    }
    let offset = format!("{settings}offset = \"p\"\n");
    scene.put("spec/openapi.yaml", document.replace(", minimum: 0", ""));
    for (setting, from) in [("offset", 0), ("page", 1)] {
        scene.put("spec/codegen.toml", offset.replace("offset", setting));
        scene.codegen(&[]);
        let api = scene.get("generated/api.txt");
        assert!(api.contains(&format!("in query \"p\" from {from} ")), "{api}");
    }
    scene.put("spec/codegen.toml", offset.replace("all", "every").replace("\"p\"", "\"q\""));
    let messages = scene.codegen(&[]).messages;
    for name in ["q", "meta.every"] {
        assert!(messages.contains(&format!("no list has pages by `{name}`")), "{messages}");
    }
}

#[test]
fn the_lists_and_urls_of_pages_can_have_other_names() {
    let scene = Scene::new();
    let document = "openapi: 3.1.0\ninfo: {title: a, version: a}\npaths:\n  /all:\n    get:\n      operationId: cats.list\n\
        \x20     tags: [pets]\n      responses:\n        '200':\n          description: Cats.\n          content:\n            application/json:\n\
        \x20             schema: {type: object, properties: {dogs: {type: array, items: {type: string}}, cats: {type: array, items: {type: integer}},\n\
        \x20               paging: {type: object, properties: {next: {type: string}}}}}\n";
    scene.put("spec/openapi.yaml", document);
    let settings = "[package]\nname = \"pets\"\n[paging]\nnext_link = \"paging.next\"\n";
    scene.put("spec/codegen.toml", settings);
    let messages = scene.codegen(&[]).messages;
    for expected in [
        "warning[unused-setting]: no list has pages by `paging.next`",
        "note[several-lists]: several lists can be the items of a page: `cats`, `dogs`",
        "name the list in `codegen.toml`: `paging.items`",
    ] {
        assert!(messages.contains(expected), "{messages}");
    }
    scene.put("spec/codegen.toml", format!("{settings}items = \"cats\"\n"));
    let run = scene.codegen(&["--deny-warnings"]);
    assert_eq!(run.code, Some(0), "{}", run.messages);
    let api = scene.get("generated/api.txt");
    assert!(api.contains("items i64 as cats by paging.next\n"), "{api}");
    assert!(api.contains("setting page-token = by URL in \"paging.next\"\n"), "{api}");
    scene.put("spec/codegen.toml", format!("{settings}items = \"birds\"\n"));
    let messages = scene.codegen(&[]).messages;
    assert!(messages.contains("no list has pages by `birds`"), "{messages}");
}

#[test]
fn settings_that_nothing_uses_are_reported() {
    let scene = Scene::new();
    let settings = "[package]\nname = \"pets\"\n[streams]\nsentinel = \"END\"\n[parameters]\nidempotency-key = \"X-Key\"\n\
        deep-object-lists = \"brackets\"\n";
    scene.put("spec/codegen.toml", settings);
    let messages = scene.codegen(&[]).messages;
    for (expected, place) in [
        ("no stream ends with `END`", "4:13"),
        ("no operation has the idempotency key `X-Key`", "6:20"),
        ("nothing has the style `deepObject`, of whose lists the keys are `brackets`", "7:22"),
    ] {
        assert!(messages.contains(&format!("warning[unused-setting]: {expected}")), "{messages}");
        assert!(messages.contains(&format!("--> spec/codegen.toml:{place}")), "{messages}");
    }
    let document = "openapi: 3.1.0\ninfo: {title: a, version: a}\npaths:\n  /cats:\n    get:\n      operationId: cats.list\n\
        \x20     parameters:\n        - {name: x-key, in: header, schema: {type: string}}\n\
        \x20       - {name: filter, in: query, style: deepObject, schema: {type: object, properties: {a: {type: string}}}}\n\
        \x20     responses: {'200': {description: Cats., content: {text/event-stream: {schema: {type: string}}}}}\n";
    scene.put("spec/openapi.yaml", document);
    let run = scene.codegen(&["--deny-warnings"]);
    assert_eq!(run.code, Some(0), "{}", run.messages);
}

#[test]
fn the_installed_program_has_a_version_and_a_help() {
    let scene = Scene::new();
    let version = installed(&scene, &["--version"]);
    assert_eq!(version.output, concat!("openapi-bindings ", env!("CARGO_PKG_VERSION"), "\n"));
    let help = installed(&scene, &["help", "codegen"]);
    assert!(help.output.contains("Usage: openapi-bindings codegen [OPTIONS]"), "{}", help.output);
}
