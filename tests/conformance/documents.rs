//! From TypeSpec to emitted crates.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use codegen::{Settings, Source};
use tests::stale::remove_stale;

use crate::plan::Document;
use crate::step::{Failure, REPOSITORY, run, write};

/// The packages of the scenarios and of the compiler. They are of one release.
const PACKAGES: [&str; 13] = [
    "@typespec/http-specs@0.1.0-alpha.33-dev.3",
    "@typespec/spector@0.1.0-alpha.24-dev.2",
    "@typespec/compiler@1.11.0",
    "@typespec/openapi@1.11.0",
    "@typespec/openapi3@1.11.0",
    "@typespec/http@1.11.0",
    "@typespec/rest@0.81.0",
    "@typespec/versioning@0.81.0",
    "@typespec/streams@0.81.0",
    "@typespec/events@0.81.0",
    "@typespec/sse@0.81.0",
    "@typespec/xml@0.80.0",
    "@azure-tools/typespec-client-generator-core@0.66.4",
];

/// The documents, below the folder.
const SPECS: &str = "node_modules/@typespec/http-specs/specs";

/// The files that scenarios send, below the folder.
pub const ASSETS: &str = "node_modules/@typespec/http-specs/assets";

/// Installs the scenarios, unless they are.
pub fn install(folder: &Path) -> Result<(), Failure> {
    if folder.join(SPECS).is_dir() {
        return Ok(());
    }
    // The server reads the commit of the folder.
    let git = || {
        let mut git = Command::new("git");
        git.current_dir(folder).args(["-c", "user.name=conformance", "-c", "user.email="]);
        git
    };
    run(git().args(["init", "--quiet"]), "git init")?;
    run(git().args(["commit", "--quiet", "--allow-empty", "--message", "Begin"]), "git commit")?;
    write(&folder.join("package.json"), "{\"private\": true}\n")?;
    let mut npm = Command::new("npm");
    npm.current_dir(folder).args(["install", "--legacy-peer-deps", "--no-fund", "--no-audit"]);
    run(npm.args(PACKAGES), "npm install").map(drop)
}

/// Compiles a document to OpenAPI, and emits its crate.
pub fn emit(document: &Document<'_>, folder: &Path) -> Result<(), Failure> {
    let specs = folder.join(SPECS);
    // Next to the original, so that its imports are found.
    let source = specs.join(document.path);
    let text = fs::read_to_string(source.join("main.tsp"))?;
    let text = match document.without {
        Some(namespace) => without(&text, namespace)?,
        None => text,
    };
    let text = match document.replaced {
        Some((old, new)) => text.replace(old, new),
        None => text,
    };
    let copy = source.join("conformance.tsp");
    let output = folder.join("documents").join(document.path);
    let openapi = output.join("@typespec/openapi3/openapi.yaml");
    // The compiler takes seconds for each document.
    if !openapi.exists() || fs::read_to_string(&copy).is_ok_and(|old| old != text) {
        write(&copy, &text)?;
        let mut compiler = Command::new("npx");
        compiler.current_dir(folder).args(["tsp", "compile", "--emit", "@typespec/openapi3"]);
        run(compiler.arg("--output-dir").arg(&output).arg(&copy), "the compiler of TypeSpec")?;
    }
    let spec = Source { name: document.path.to_owned(), text: fs::read_to_string(openapi)? };
    let runtime = format!("{REPOSITORY}/runtime");
    let package = document.package();
    let settings = Settings {
        package: package.clone(),
        version: "0.1.0".to_owned(),
        runtime: format!(
            "{{ package = \"openapi-bindings-runtime\", path = {runtime:?}, default-features = false }}"
        ),
        ..Settings::default()
    };
    let outcome = codegen::generate(&spec, &settings);
    let Some(output) = outcome.output else {
        return Err(format!("no crate for `{}`", document.path).into());
    };
    let folder = folder.join("crates").join(&package);
    let mut written = BTreeSet::new();
    for file in output.files {
        let path = folder.join(&file.path);
        write(&path, &file.text)?;
        written.insert(path);
    }
    remove_stale(&folder.join("src"), &written)?;
    Ok(())
}

/// Returns a text in TypeSpec without a namespace and its decorators.
fn without(text: &str, namespace: &str) -> Result<String, Failure> {
    let missing = || format!("the document has no namespace `{namespace}`");
    let name = text.find(&format!("namespace {namespace} {{")).ok_or_else(missing)?;
    let start = text[..name].rfind("\n\n").unwrap_or_default();
    let mut depth = 0_usize;
    for (index, char) in text[name..].char_indices() {
        match char {
            '{' => depth += 1,
            '}' if depth == 1 => {
                return Ok(format!("{}{}", &text[..start], &text[name + index + 1..]));
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    Err(missing().into())
}
