//! The dependencies of this crate: their number, those that build C, and the purpose of each.

use std::collections::BTreeSet;
use std::process::Command;

use openapi_bindings_runtime::Value;

const README: &str = include_str!("../README.md");

/// Crates other than `cc` that build C or assembly, or look for it on the machine.
const C_BUILDS: [&str; 5] = ["bindgen", "cmake", "nasm-rs", "pkg-config", "vcpkg"];

/// Returns the output of cargo for this package.
fn cargo(arguments: &str) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments.split(' '))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the names and versions of the crates in a dependency tree of the default features.
fn tree(options: &str) -> BTreeSet<(String, String)> {
    let tree = cargo(&format!(
        "tree --locked --target x86_64-unknown-linux-gnu --edges normal,build --prefix none{options}"
    ));
    let crates = tree.lines().filter_map(|line| line.split_once(" v"));
    let version = |rest: &str| rest.split(' ').next().unwrap_or_default().to_owned();
    crates.map(|(name, rest)| (name.to_owned(), version(rest))).collect()
}

#[test]
fn few_crates_are_compiled_and_only_ring_builds_c() {
    let crates = tree("");
    let claim = format!("{} crates are compiled on Linux", crates.len());
    assert!(README.contains(&claim), "README.md should say: {claim}");
    let names: BTreeSet<_> = crates.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names.len(), crates.len(), "more than one version: {crates:?}");
    assert!(C_BUILDS.iter().all(|name| !names.contains(name)), "{names:?}");
    let users: Vec<_> = tree(" --invert cc --depth 1").into_iter().map(|(name, _)| name).collect();
    assert_eq!(users, ["cc", "ring"]);
}

#[test]
fn the_readme_gives_the_reason_for_every_dependency() {
    let metadata: Value = cargo("metadata --format-version 1 --no-deps --locked").parse().unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let own = packages.iter().find(|package| package["name"] == env!("CARGO_PKG_NAME")).unwrap();
    for dependency in own["dependencies"].as_array().unwrap() {
        let name = dependency["name"].as_str().unwrap();
        assert!(
            !dependency["kind"].is_null() || README.contains(&format!("| `{name}` |")),
            "README.md does not mention `{name}`"
        );
    }
}
