//! The arguments of `cargo xtask codegen`.

use std::path::PathBuf;

use crate::codegen::package_name::PackageName;

/// Write the crate of typed bindings that the description gives
///
/// Without options: reads spec/openapi.yaml and spec/codegen.toml, and makes generated/ hold what
/// they give, nothing more and nothing less. Files that are right already are left alone, and a run
/// that is interrupted leaves the old crate or the new one.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES, verbatim_doc_comment)]
pub struct Arguments {
    /// Write nothing; fail with a diff where what is there differs
    #[arg(long)]
    pub check: bool,

    /// Read another description (needs --out)
    ///
    /// A codegen.toml beside it may give the name and the version of the crate.
    #[arg(long, value_name = "FILE")]
    pub spec: Option<PathBuf>,

    /// Write another folder: a new one, an empty one, or one that this command wrote
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Name the emitted crate (needs --out)
    #[arg(long, value_name = "NAME", requires = "out")]
    pub package: Option<PackageName>,

    /// Print what the generator understood of the description, and write nothing
    #[arg(long, conflicts_with = "check")]
    pub dump_ir: bool,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  anything that has no code of its own: a file that cannot be read, a wrong argument
  2  the description is wrong; all its problems are shown, and nothing was written
  4  with --check: what is there is not what the description gives";
