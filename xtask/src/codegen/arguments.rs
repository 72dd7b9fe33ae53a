//! The arguments of `cargo xtask codegen`.

use std::path::PathBuf;

use clap::{ArgAction, ArgMatches, Command, value_parser};

use crate::cli::{flag, option};
use crate::codegen::package_name::PackageName;

/// What `cargo xtask codegen` is given.
#[derive(Debug, Default)]
pub struct Arguments {
    pub mode: Mode,
    pub spec: Option<PathBuf>,
    pub out: Option<PathBuf>,
    pub package: Option<PackageName>,
    pub overlays: Vec<PathBuf>,
    pub deny_warnings: bool,
    pub keep_going: bool,
}

/// What a run does with the generated crate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    #[default]
    Write,
    /// Compares, and writes nothing.
    Check,
    /// Prints the intermediate representation, and writes nothing.
    DumpIr,
}

/// Returns the command line, with its help.
pub fn command() -> Command {
    Command::new("codegen")
        .about("Write the crate of typed bindings for the spec")
        .long_about(ABOUT)
        .after_help(EXIT_CODES)
        .arg(flag("check", "Write nothing; fail with a diff if the emitted crate is stale"))
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
        .arg(
            flag(
                "keep-going",
                "Leave out operations that need something with errors (needs --out)",
            )
            .requires("out"),
        )
        .arg(
            flag("dump-ir", "Print the intermediate representation of the spec, and write nothing")
                .conflicts_with("check"),
        )
}

impl Arguments {
    /// Returns what was given.
    pub fn from_matches(matches: &ArgMatches) -> Self {
        let mode = match (matches.get_flag("check"), matches.get_flag("dump-ir")) {
            (true, _) => Mode::Check,
            (_, true) => Mode::DumpIr,
            _ => Mode::Write,
        };
        Self {
            mode,
            spec: matches.get_one("spec").cloned(),
            out: matches.get_one("out").cloned(),
            package: matches.get_one("package").cloned(),
            overlays: matches.get_many("overlay").into_iter().flatten().cloned().collect(),
            deny_warnings: matches.get_flag("deny-warnings"),
            keep_going: matches.get_flag("keep-going"),
        }
    }
}

const ABOUT: &str = "\
Write the crate of typed bindings for the spec

Without options: reads spec/openapi.yaml and spec/codegen.toml and makes generated/ hold what they
give, nothing more and nothing less. Files that are already right are left alone, and a run that is
interrupted leaves the old crate or the new one.";

const SPEC: &str = "\
Read another spec (needs --out)

A codegen.toml beside it may give the name and the version of the crate.";

const OVERLAY: &str = "Change the spec by an OpenAPI Overlay before it is read (repeatable)";

const OUT: &str = "Write another folder: a new one, an empty one, or one that this command wrote";

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  anything without a code of its own: a file that cannot be read, a wrong argument
  2  the spec is invalid: all its problems are shown, and nothing was written
  4  with --check: the emitted crate is stale";
