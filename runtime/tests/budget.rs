//! What a program takes on with this crate: how many crates, which direct ones, and which C.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use access_governance_runtime::Value;

/// The most crates that the default features may bring in, this one included.
const MOST_CRATES: usize = 109;

/// Crates that build C or assembly, or look for it on the machine. `cc` is not among them: see below.
const C_BUILDS: [&str; 5] = ["bindgen", "cmake", "nasm-rs", "pkg-config", "vcpkg"];

/// Returns the output of cargo, asked about this package.
fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the versions of each crate that the default features bring in on this platform, by name.
fn tree() -> BTreeMap<String, BTreeSet<String>> {
    let mut crates = BTreeMap::<_, BTreeSet<_>>::new();
    for line in cargo(&[
        "tree",
        "--edges",
        "normal,build",
        "--prefix",
        "none",
        "--format",
        "{p}",
        "--locked",
    ])
    .lines()
    {
        let mut words = line.split_whitespace();
        if let (Some(name), Some(version)) = (words.next(), words.next()) {
            crates.entry(name.to_owned()).or_default().insert(version.to_owned());
        }
    }
    crates
}

#[test]
fn few_crates_and_no_c_but_in_ring() {
    let crates = tree();
    let count: usize = crates.values().map(BTreeSet::len).sum();
    assert!(crates.contains_key("reqwest"), "{crates:?}");
    assert!(count <= MOST_CRATES, "{count} crates: {crates:?}");
    let twice: Vec<_> = crates.iter().filter(|(_, versions)| versions.len() > 1).collect();
    assert!(twice.is_empty(), "more than one version: {twice:?}");
    let c: Vec<_> = crates.keys().filter(|name| C_BUILDS.contains(&name.as_str())).collect();
    assert!(c.is_empty(), "these build C: {c:?}");
    // It comes with its C and assembly, and needs a C compiler alone.
    let users = cargo(&[
        "tree",
        "--edges",
        "normal,build",
        "--invert",
        "cc",
        "--depth",
        "1",
        "--prefix",
        "none",
        "--format",
        "{p}",
        "--locked",
    ]);
    let users: Vec<_> = users.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(users, ["cc", "ring"]);
}

#[test]
fn only_ring_links_a_c_library() {
    let crates = tree();
    let metadata: Value =
        cargo(&["metadata", "--format-version", "1", "--locked"]).parse().unwrap();
    for package in metadata["packages"].as_array().unwrap() {
        let is_used = crates.contains_key(package["name"].as_str().unwrap());
        assert!(
            !is_used || package["links"].is_null() || package["name"] == "ring",
            "{} links {}",
            package["name"],
            package["links"]
        );
    }
}

#[test]
fn the_readme_gives_the_reason_for_every_dependency() {
    let metadata: Value =
        cargo(&["metadata", "--format-version", "1", "--no-deps", "--locked"]).parse().unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let own = packages.iter().find(|package| package["name"] == env!("CARGO_PKG_NAME")).unwrap();
    let readme = include_str!("../README.md");
    for dependency in own["dependencies"].as_array().unwrap() {
        let name = dependency["name"].as_str().unwrap();
        assert!(
            !dependency["kind"].is_null() || readme.contains(&format!("| `{name}` |")),
            "README.md says nothing of `{name}`"
        );
    }
}
