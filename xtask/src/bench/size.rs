//! `cargo xtask bench size`: the size of programs, and which operations are linked into them.

use std::collections::BTreeSet;
use std::env::consts::EXE_SUFFIX;
use std::fs;

use ::codegen::diagnostics::Diagnostics;
use ::codegen::{Node, Source, parse};

use crate::bench::machine;
use crate::host::exit::{Context, Exit, Failure};
use crate::host::read;
use crate::host::scratch;
use crate::host::table::{Table, mebibytes};
use crate::host::terminal::Terminal;
use crate::host::workspace::Workspace;

/// The programs in `tests/examples/size`, and the dependencies of each. The workspace's lock file pins the versions.
const PROGRAMS: [(&str, &str, &str); 3] = [
    ("three calls, reqwest and derive", "by_hand", BY_HAND),
    ("three calls, emitted crate", "three_calls", EMITTED),
    ("one call, emitted crate", "one_call", EMITTED),
];

const BY_HAND: &str = r#"
reqwest = { version = "*", default-features = false, features = ["http2", "rustls-no-provider"] }
rustls = { version = "*", default-features = false, features = ["ring", "std", "tls12"] }
rustls-platform-verifier = "*"
serde = { version = "*", features = ["derive"] }
serde_json = "*"
"#;

const EMITTED: &str = "access-governance = { path = 'GENERATED' }";

/// Builds the programs, and prints their sizes and how many path templates they contain.
pub fn run(workspace: &Workspace, terminal: &Terminal) -> Result<(), Failure> {
    let templates = templates(workspace)?;
    terminal.print(&machine::heading("cargo xtask bench size"))?;
    let mut table = Table::new(["program", "linked", "stripped", "paths in it"]);
    for (about, source, dependencies) in PROGRAMS {
        let [linked, stripped] = build(source, dependencies, workspace)?;
        let found = templates.iter().filter(|path| contains(&stripped, path)).count();
        table.row([
            about.to_owned(),
            mebibytes(linked.len() as u64),
            mebibytes(stripped.len() as u64),
            format!("{found} of {}", templates.len()),
        ]);
    }
    terminal.print(&table.to_string())
}

/// Builds a program in release mode, outside of the workspace; returns the binary with symbols and without.
fn build(source: &str, dependencies: &str, workspace: &Workspace) -> Result<[Vec<u8>; 2], Failure> {
    let scratch = scratch::folder(workspace, "size")?;
    let package = scratch.join(source);
    fs::create_dir_all(&package).context("create", &package)?;
    let path = workspace.root().join("tests/examples/size").join(source).with_extension("rs");
    let dependencies = dependencies.replace("GENERATED", &workspace.generated().to_string_lossy());
    let text = format!(
        "[package]\nname = \"{source}\"\nedition = \"2024\"\n\n[[bin]]\nname = \"{source}\"\npath = '{}'\n\n\
         [dependencies]\ntokio = {{ version = \"*\", features = [\"macros\", \"rt\"] }}\n{dependencies}\n[workspace]\n",
        path.display()
    );
    let manifest = package.join("Cargo.toml");
    fs::write(&manifest, text).context("write", &manifest)?;
    scratch::lock(workspace, &package)?;
    let target = scratch.join("target");
    let binary = target.join("release").join(format!("{source}{EXE_SUFFIX}"));
    let build = |options: &[&str]| {
        let mut cargo = scratch::cargo(&package, &target);
        cargo.args(["rustc", "--quiet", "--release", "--"]).args(options);
        scratch::succeed(&mut cargo)?;
        fs::read(&binary).context("read", &binary)
    };
    // `cargo rustc` passes the option to the program alone: its dependencies are not built twice.
    Ok([build(&[])?, build(&["-C", "strip=symbols"])?])
}

/// Returns the path templates of the spec.
fn templates(workspace: &Workspace) -> Result<BTreeSet<String>, Failure> {
    let text = read::text(&workspace.spec(), Exit::InvalidSpec)?;
    let source = Source { name: String::new(), text };
    let root = parse(&source, &mut Diagnostics::new())
        .ok_or_else(|| Failure::new("the spec cannot be read").exit(Exit::InvalidSpec))?;
    let paths = root.get("paths").and_then(Node::as_object).unwrap_or_default();
    Ok(paths.iter().map(|(path, _)| path.clone()).collect())
}

/// Returns whether a binary contains a text.
fn contains(binary: &[u8], text: &str) -> bool {
    binary.windows(text.len()).any(|window| window == text.as_bytes())
}
