//! The arguments of `codegen`.

use std::path::PathBuf;

use clap::{ArgAction, Command, value_parser};

use crate::host::cli::{flag, option};
use crate::settings::package_name::PackageName;

/// Returns the command line, with its help.
pub fn command() -> Command {
    Command::new("codegen")
        .about("Write the crate of typed bindings for the spec")
        .long_about(ABOUT)
        .after_help(EXIT_CODES)
        .arg(flag("check", "Write nothing; fail if the emitted crate is stale"))
        .arg(
            option("spec", "FILE", value_parser!(PathBuf), "Read another spec (needs --out)")
                .long_help(SPEC),
        )
        .arg(option("out", "DIR", value_parser!(PathBuf), OUT))
        .arg(
            option(
                "package",
                "NAME",
                value_parser!(PackageName),
                "Name the emitted crate (needs --out)",
            )
            .requires("out"),
        )
        .arg(option("overlay", "FILE", value_parser!(PathBuf), OVERLAY).action(ArgAction::Append))
        .arg(flag("deny-warnings", "Treat warnings about the spec as errors"))
        .arg(flag("keep-going", "Leave out operations that have errors"))
        .arg(flag("verbose", "Show all places of a warning, instead of the first three").short('v'))
}

const ABOUT: &str = "\
Write the crate of typed bindings for the spec

Reads spec/openapi.yaml and spec/codegen.toml, and updates generated/. Files that are up to date keep their
modification time, files that are no longer emitted are deleted, and a run that fails changes nothing.";

const SPEC: &str = "\
Read another spec (needs --out)

A codegen.toml next to it can set the name and the version of the crate.";

const OVERLAY: &str = "Apply an OpenAPI Overlay to the spec before it is read (repeatable)";

const OUT: &str = "Write to another folder: a new or empty one, or one that this command wrote";

const EXIT_CODES: &str = "\
Exit codes:
  0  success
  1  any other failure, such as a file that cannot be read or an invalid argument
  2  the spec is invalid: all its problems are reported, and nothing is written
  4  with --check: the emitted crate is stale";
