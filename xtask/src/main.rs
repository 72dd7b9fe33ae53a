//! `openapi-bindings`: typed Rust bindings for an OpenAPI spec.

use std::process::ExitCode;

use mimalloc::MiMalloc;
use openapi_bindings::COMMANDS;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    commands::run("Typed Rust bindings for an OpenAPI spec", &COMMANDS)
}
