//! The arguments of `cargo xtask roundtrip`.

use std::path::PathBuf;

/// Check that emitted types lose nothing between decoding and encoding
///
/// Emits the crate of a description, makes instances of all its schemas, and mutants of these, and
/// sends them through the types. What comes back must be what was sent. A run meets every member,
/// present, absent and null, every branch, every enum value and every boundary value.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// Read another description
    #[arg(long, value_name = "FILE")]
    pub spec: Option<PathBuf>,

    /// Make at least that many instances
    #[arg(long, value_name = "N", default_value_t = 4000)]
    pub instances: usize,

    /// Make that many mutants of each instance
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub mutants: usize,

    /// Make other instances
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Write the crate and the program around it into this folder
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,

    /// Send --json through the type of this schema only
    ///
    /// A key of components/schemas, or a JSON pointer.
    #[arg(long, value_name = "NAME", requires = "json")]
    pub schema: Option<String>,

    /// The instance to send
    #[arg(long, value_name = "JSON", requires = "schema")]
    pub json: Option<String>,
}
