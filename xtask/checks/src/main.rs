//! `cargo xtask …`: all commands, with those that need a clone of this workspace.

mod ci;
mod corpus;
mod probe;

use std::process::ExitCode;

use commands::Entry;
use mimalloc::MiMalloc;

use crate::ci::programs::{conformance, fuzz, judges, roundtrip};
use crate::ci::{logins, targets};

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The commands that need a clone, in the order of the help.
const COMMANDS: [Entry; 9] = [
    (probe::command, probe::run),
    (ci::command, ci::run),
    (roundtrip::command, roundtrip::run),
    (conformance::command, conformance::run),
    (judges::command, judges::run),
    (logins::command, logins::run),
    (corpus::command, corpus::run),
    (targets::command, targets::run),
    (fuzz::command, fuzz::run),
];

fn main() -> ExitCode {
    let all = [&openapi_bindings::COMMANDS[..], &COMMANDS].concat();
    commands::run("The commands of this workspace", &all)
}
