//! Adding an emitted crate to a program does not change the program's own clients of reqwest, although cargo unifies the
//! features of reqwest: the same programs run without the crate and with it.

use codegen::SourceFile;

use crate::support::case::Case;
use crate::support::workspace::Workspace;

/// The program's own client, with the place of the emitted crate's.
const PROGRAM: &str = "fn main() {\n    OTHER\n    drop(reqwest::Client::new());\n}\n";

const OTHER: &str =
    "drop(case_idempotency::Client::builder(\"http://localhost\").build().unwrap());";

/// Runs a program with these settings of its own dependency on reqwest.
fn run(name: &str, reqwest: &str) {
    let mut workspace = Workspace::new(&format!("unified-{name}"));
    let case = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let case = Case::read(&case.join("cases/idempotency/openapi.yaml"));
    workspace.add("idempotency", &case.output().files);
    let programs = [
        ("before", "", ""),
        ("after", OTHER, "case-idempotency = { path = \"../idempotency\" }\n"),
    ];
    for (package, other, dependency) in programs {
        let manifest = format!(
            "[package]\nname = \"{package}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
             reqwest = {{ version = \"0.13\"{reqwest} }}\n{dependency}"
        );
        let file = |path: &str, text: String| SourceFile { path: path.to_owned(), text };
        let main = file("src/main.rs", PROGRAM.replace("OTHER", other));
        workspace.add(package, &[file("Cargo.toml", manifest), main]);
    }
    workspace.finish();
    for (package, ..) in programs {
        workspace.cargo(&["run", "--quiet", "--package", package]).unwrap();
    }
}

#[test]
#[ignore = "part of `cargo ci --all`: it compiles HTTP clients"]
fn a_client_without_tls_is_the_same() {
    run("none", ", default-features = false");
}

#[test]
#[ignore = "part of `cargo ci --all`: it compiles HTTP clients with aws-lc-rs"]
fn a_client_with_default_features_is_the_same() {
    run("default", "");
}

#[test]
#[ignore = "part of `cargo ci --all`: it compiles HTTP clients with OpenSSL"]
fn a_client_with_native_tls_is_the_same() {
    run("native", ", default-features = false, features = [\"native-tls\"]");
}
