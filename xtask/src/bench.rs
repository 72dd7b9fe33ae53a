//! `cargo xtask bench`: what generating, compiling and calling cost, as tables in Markdown.
//!
//! Nothing here passes or fails: each table begins with the machine and the commands, so that a figure can be had again.
//! docs/performance.md holds the figures of one machine, and what they mean.

mod binaries;
mod compile;
mod delegated;
mod generate;
mod machine;
mod peers;
mod process;
mod repeated;
mod scratch;
mod size;
mod table;

use crate::exit::Failure;
use crate::terminal::Terminal;
use crate::workspace::Workspace;

/// Measure what generating, compiling and calling cost
///
/// Each command prints a table in Markdown together with the machine and the commands that were run.
/// All builds are release builds, but those of `compile`. docs/performance.md says what is measured.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, disable_help_subcommand = true)]
pub struct Arguments {
    #[command(subcommand)]
    bench: Bench,
}

#[derive(Debug, clap::Subcommand)]
enum Bench {
    Generate(generate::Arguments),
    Compile(compile::Arguments),
    Size(size::Arguments),
    /// Decode and encode large bodies, against serde's derive
    Wire,
    /// Call over loopback, against the same call written by hand with reqwest
    Overhead,
    /// Build requests and encode their bodies
    Requests,
}

/// Runs one of the benchmarks.
pub fn run(
    arguments: Arguments,
    workspace: &Workspace,
    terminal: &Terminal,
) -> Result<(), Failure> {
    match arguments.bench {
        Bench::Generate(arguments) => generate::run(arguments, workspace, terminal),
        Bench::Compile(arguments) => compile::run(arguments, workspace, terminal),
        Bench::Size(arguments) => size::run(&arguments, workspace, terminal),
        Bench::Wire => delegated::run(delegated::WIRE, workspace, terminal),
        Bench::Overhead => delegated::run(delegated::OVERHEAD, workspace, terminal),
        Bench::Requests => delegated::run(delegated::REQUESTS, workspace, terminal),
    }
}
