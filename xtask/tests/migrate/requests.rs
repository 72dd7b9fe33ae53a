//! What programs send before and after `migrate`: the example of each operation is called. If nothing of it is listed, its
//! requests are the same.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::faults::{MAIN, app};
use crate::scene::Scene;

/// Prints the requests of a call. Boundaries of parts and keys of retries are random.
const PRELUDE: &str = r#"#![allow(unused)]
use pets::runtime::testing::FakeTransport;

fn client(fake: &FakeTransport) -> pets::Client {
    let builder = pets::Client::builder("https://pets.test").allow_anonymous();
    builder.transport(fake.clone()).build().unwrap()
}

fn print(call: usize, fake: &FakeTransport) {
    for sent in fake.requests() {
        let debug = format!("{sent:?}");
        let (_, path) = debug.rsplit_once("sent_path: ").unwrap();
        let verb = sent.operation.method;
        print!("{call}\t{verb} {path} {:?}", sent.query);
        for (name, value) in &sent.headers {
            let value = format!("{value:?}");
            let (value, _) = value.split_once("boundary").unwrap_or((&value, ""));
            if !name.as_str().contains("idempotency") {
                print!(" {name}: {value}");
            }
        }
        match sent.parts.is_empty() {
            true => println!(" {:?}", sent.content),
            false => println!(" {:?}", sent.parts),
        }
    }
}

"#;

/// The example of an operation.
struct Example {
    /// The call, as reports write it: `pets().get`.
    call: String,
    /// The file with its function.
    text: String,
}

#[test]
#[ignore = "part of `cargo xtask ci --all`: it compiles three programs for each bump"]
fn migrated_programs_send_the_same_requests() {
    let bumps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/bumps");
    let mut compared = 0;
    let mut differences = Vec::new();
    for bump in fs::read_dir(bumps).unwrap() {
        let (calls, found) = compare(bump.unwrap().file_name().to_str().unwrap());
        compared += calls;
        differences.extend(found);
    }
    assert_eq!(differences, [""; 0]);
    assert!(compared > 90, "{compared}");
}

#[test]
fn the_examples_of_a_bump_send_the_same_requests() {
    assert_eq!(compare("operation-renamed"), (2, Vec::new()));
}

/// Compares the requests of the examples of a bump; returns how many are compared, and those that differ.
fn compare(bump: &str) -> (usize, Vec<String>) {
    let scene = app(&format!("requests-{bump}"), bump, MAIN);
    scene.emit("spec/old.yaml");
    let examples = examples(&scene);
    let dependency = format!("features = [\"test-util\"{}] }}\n", operations(&scene));
    scene.replace(
        "app/Cargo.toml",
        "default-features = false }",
        &format!(
            "default-features = false, {dependency}\
             tokio = {{ version = \"1\", features = [\"macros\", \"rt\"] }}\n"
        ),
    );
    let mut calls: BTreeSet<usize> = (0..examples.len()).collect();
    for (number, example) in examples.iter().enumerate() {
        scene.put(&format!("app/src/call_{number}.rs"), &example.text);
    }
    let before = requests(&scene, &mut calls);
    assert_eq!(calls.len(), examples.len(), "{bump}: the examples of the old crate compile");
    let (code, text) = scene.migrate(&["--write", "--allow-dirty", "app/Cargo.toml"]);
    assert!(matches!(code, Some(0 | 3)), "{bump}: {text}");
    scene.emit("spec/new.yaml");
    let after = requests(&scene, &mut calls);
    // What needs a look is listed with its place.
    calls.retain(|number| !text.contains(&format!("call_{number}.rs:")));
    let differs = calls.iter().filter(|number| before.get(number) != after.get(number));
    let differences = differs.map(|number| {
        let [old, new] = [&before, &after].map(|sent| sent.get(number));
        format!("{bump}: {}: {old:?} is now {new:?}", examples[*number].call)
    });
    (calls.len(), differences.collect())
}

/// Returns the feature of all operations, if the crate has one.
fn operations(scene: &Scene) -> &'static str {
    let has_features = scene.get("pets/Cargo.toml").contains("\noperations = ");
    if has_features { ", \"operations\"" } else { "" }
}

/// Returns the examples of the operations of the emitted crate.
fn examples(scene: &Scene) -> Vec<Example> {
    let mut examples = Vec::new();
    let files = scene.files("pets/src/resources").into_iter().chain(["pets/src/client.rs".into()]);
    for file in files {
        let text = scene.get(&file);
        let comments = text.lines().filter_map(|line| line.trim().strip_prefix("///"));
        let comments: Vec<&str> = comments.collect();
        for block in comments.join("\n").split("```no_run\n").skip(1) {
            let (program, _) = block.split_once("```").unwrap();
            // The feature of the resource is that of the bindings.
            let lines = program.lines().filter(|line| !line.contains("#[cfg(feature"));
            let lines = lines.map(|line| line.trim_start_matches(' '));
            let lines: Vec<&str> =
                lines.map(|line| line.strip_prefix("# ").unwrap_or(line)).collect();
            let text = lines.join("\n").replace("async fn example", "pub async fn example");
            if let Some(call) = call(&text).filter(|_| text.contains("fn example(client: pets")) {
                examples.push(Example { call, text });
            }
        }
    }
    examples
}

/// Returns the call of an example: `client.pets().get("1")` is `pets().get`.
fn call(text: &str) -> Option<String> {
    let text: String = text.split_whitespace().collect();
    let (first, rest) = text.split("client.").nth(1)?.split_once('(')?;
    let handle = rest.strip_prefix(").").and_then(|rest| rest.split_once('('));
    let is_handle = |(method, _): &(&str, &str)| !["await", "pages", "items"].contains(method);
    Some(match handle.filter(is_handle) {
        Some((method, _)) => format!("{first}().{method}"),
        None => first.to_owned(),
    })
}

/// Runs the calls, without those that do not compile; returns the requests of each.
fn requests(scene: &Scene, calls: &mut BTreeSet<usize>) -> BTreeMap<usize, Vec<String>> {
    loop {
        scene.put("app/src/main.rs", &program(calls));
        let arguments = ["build", "--quiet", "--message-format", "short", "--manifest-path"];
        let built = scene.run("cargo", &[&arguments[..], &["app/Cargo.toml"]].concat());
        if built.status.success() {
            break;
        }
        let errors = String::from_utf8(built.stderr).unwrap();
        let failed = calls.iter().copied();
        let failed: Vec<usize> =
            failed.filter(|call| errors.contains(&format!("call_{call}.rs:"))).collect();
        assert!(!failed.is_empty(), "{errors}");
        calls.retain(|call| !failed.contains(call));
    }
    let output = scene.run("cargo", &["run", "--quiet", "--manifest-path", "app/Cargo.toml"]);
    assert!(output.status.success(), "{output:?}");
    let mut requests: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let (call, request) = line.split_once('\t').unwrap();
        requests.entry(call.parse().unwrap()).or_default().push(request.to_owned());
    }
    requests
}

fn program(calls: &BTreeSet<usize>) -> String {
    let mut text = PRELUDE.to_owned();
    for call in calls {
        writeln!(text, "mod call_{call};").unwrap();
    }
    text.push_str("\n#[tokio::main(flavor = \"current_thread\")]\nasync fn main() {\n");
    for call in calls {
        let run = format!("let _ = call_{call}::example(client(&fake)).await;");
        writeln!(
            text,
            "    let fake = FakeTransport::new();\n    {run}\n    print({call}, &fake);"
        )
        .unwrap();
    }
    text + "}\n"
}
