//! Programs that make the same calls, built apart from the workspace so that each has the dependencies it asks for.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::Path;

use crate::bench::{process, scratch};
use crate::exit::{Doing, Failure};
use crate::workspace::Workspace;

/// A program out of `tests/examples/size`, and what it depends on.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// What it is, in words.
    pub about: &'static str,
    source: &'static str,
    uses: Uses,
}

#[derive(Clone, Copy, Debug)]
enum Uses {
    EmittedCrate,
    ReqwestAndDerive,
}

/// What a program needs that is written by hand. The workspace's lock file says which versions.
const BY_HAND: &str = r#"
reqwest = { version = "*", default-features = false, features = ["http2", "rustls-no-provider"] }
rustls = { version = "*", default-features = false, features = ["std", "tls12"] }
rustls-graviola = "*"
rustls-platform-verifier = "*"
serde = { version = "*", features = ["derive"] }
serde_json = "*"
"#;

/// Three calls with reqwest and serde's derive.
pub const THREE_BY_HAND: Program = Program {
    about: "three calls, reqwest and derive",
    source: "by_hand",
    uses: Uses::ReqwestAndDerive,
};

/// The same three calls with the emitted crate.
pub const THREE_CALLS: Program = Program {
    about: "three calls, emitted crate",
    source: "three_calls",
    uses: Uses::EmittedCrate,
};

/// The first of the three calls with the emitted crate.
pub const ONE_CALL: Program =
    Program { about: "one call, emitted crate", source: "one_call", uses: Uses::EmittedCrate };

/// A binary, as the linker left it and without symbols.
#[derive(Debug)]
pub struct Binary {
    /// The bytes that the linker wrote.
    pub linked: u64,
    /// The content of the binary without symbols.
    pub stripped: Vec<u8>,
}

impl Program {
    /// Builds the program in release mode, twice: with and without symbols.
    pub fn build(self, workspace: &Workspace) -> Result<Binary, Failure> {
        let scratch = scratch::folder(workspace, "size")?;
        let package = scratch.join(self.source);
        fs::create_dir_all(&package).doing("create", &package)?;
        let manifest = package.join("Cargo.toml");
        fs::write(&manifest, self.manifest(workspace)).doing("write", &manifest)?;
        scratch::lock(workspace, &package)?;
        let target = scratch.join("target");
        let binary = target.join("release").join(format!("{}{EXE_SUFFIX}", self.source));
        let build = |options: &[&str]| {
            let mut cargo = scratch::cargo(&package, &target);
            cargo.args(["rustc", "--quiet", "--release", "--"]);
            process::succeed(cargo.args(options))
        };
        build(&[])?;
        let linked = fs::metadata(&binary).doing("read", &binary)?.len();
        // The option reaches the program alone, so that its dependencies are not built again.
        build(&["-C", "strip=symbols"])?;
        Ok(Binary { linked, stripped: fs::read(&binary).doing("read", &binary)? })
    }

    /// Returns the manifest, with the dependencies of this program and nothing else.
    fn manifest(self, workspace: &Workspace) -> String {
        let name = self.source;
        let examples = workspace.root().join("tests/examples/size");
        let source = toml_path(&examples.join(name).with_extension("rs"));
        let dependencies = match self.uses {
            Uses::EmittedCrate => {
                let path = toml_path(&workspace.generated());
                format!("access-governance = {{ path = {path} }}\n")
            }
            Uses::ReqwestAndDerive => BY_HAND.trim_start().to_owned(),
        };
        format!(
            "[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[[bin]]\nname = \"{name}\"\npath = {source}\n\n\
             [dependencies]\ntokio = {{ version = \"*\", features = [\"macros\", \"rt\"] }}\n{dependencies}\n[workspace]\n"
        )
    }
}

/// Returns a path as a string of TOML.
fn toml_path(path: &Path) -> toml::Value {
    toml::Value::String(path.to_string_lossy().into_owned())
}
