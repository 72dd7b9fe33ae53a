//! The dependencies of this crate: their number, those that build C, and the purpose of each.

use std::collections::BTreeSet;
use std::process::Command;

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
fn the_manifest_gives_the_reason_for_every_dependency() {
    let manifest = include_str!("../Cargo.toml");
    let (_, after) = manifest.split_once("\n[dependencies]\n").unwrap();
    let (own, _) = after.split_once("\n[dev-dependencies]\n").unwrap();
    let (mut dependencies, mut is_explained) = (0, false);
    for line in own.lines() {
        match line.chars().next() {
            None => is_explained = false,
            Some('#') => is_explained = true,
            Some('[') => {}
            Some(_) => {
                assert!(is_explained, "Cargo.toml gives no reason for {line}");
                dependencies += 1;
                is_explained = false;
            }
        }
    }
    assert!(dependencies > 20, "{own}");
}
