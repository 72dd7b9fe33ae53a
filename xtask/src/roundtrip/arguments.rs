//! The arguments of `cargo xtask roundtrip`.

use std::path::PathBuf;

use clap::{ArgMatches, Command, value_parser};

use crate::cli::option;

/// What `cargo xtask roundtrip` is given.
#[derive(Debug)]
pub struct Arguments {
    pub spec: Option<PathBuf>,
    pub instances: usize,
    pub mutants: usize,
    pub seed: u64,
    pub keep: Option<PathBuf>,
    pub schema: Option<String>,
    pub json: Option<String>,
}

/// Returns the command line, with its help.
pub fn command() -> Command {
    let number =
        |name, default, help| option(name, "N", value_parser!(u64), help).default_value(default);
    Command::new("roundtrip")
        .about("Check that emitted types lose nothing between decoding and encoding")
        .long_about(ABOUT)
        .arg(option("spec", "FILE", value_parser!(PathBuf), "Read another spec"))
        .arg(number("instances", "4000", "Make at least that many instances"))
        .arg(number("mutants", "3", "Make that many mutants of each instance"))
        .arg(number("seed", "1", "Make other instances"))
        .arg(option(
            "keep",
            "DIR",
            value_parser!(PathBuf),
            "Write the crate and the program around it into this folder",
        ))
        .arg(
            option("schema", "NAME", value_parser!(String), "Send --json through this type only")
                .long_help(SCHEMA)
                .requires("json"),
        )
        .arg(
            option("json", "JSON", value_parser!(String), "The instance to send")
                .requires("schema"),
        )
}

const ABOUT: &str = "\
Check that emitted types lose nothing between decoding and encoding

Emits the crate of a spec, makes instances of all its schemas, and mutants of these, and sends them
through the types. What comes back must be what was sent. A run meets every member, present, absent
and null, every branch, every enum value and every boundary value.";

const SCHEMA: &str = "\
Send --json through the type of this schema only

A key of components/schemas, or a JSON pointer.";

impl Arguments {
    /// Returns what was given.
    pub fn from_matches(matches: &ArgMatches) -> Self {
        let number = |name| matches.get_one::<u64>(name).copied().unwrap_or_default();
        let count = |name| usize::try_from(number(name)).unwrap_or(usize::MAX);
        Self {
            spec: matches.get_one("spec").cloned(),
            instances: count("instances"),
            mutants: count("mutants"),
            seed: number("seed"),
            keep: matches.get_one("keep").cloned(),
            schema: matches.get_one("schema").cloned(),
            json: matches.get_one("json").cloned(),
        }
    }
}
