//! The commands of `openapi-bindings`: those that generate, and those that rewrite programs, release, and check traffic.

mod drift;
pub mod migrate;
mod release;
pub mod rustc;

use commands::Entry;

/// The commands that need no clone of this workspace, in the order of the help.
pub const COMMANDS: [Entry; 8] = {
    let [init, codegen, overlay, diff, explain] = commands::COMMANDS;
    [
        init,
        codegen,
        overlay,
        diff,
        (drift::command, drift::run),
        (migrate::command, migrate::run),
        (release::command, release::run),
        explain,
    ]
};
