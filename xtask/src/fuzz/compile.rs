//! Compiles what some documents give.

use std::fs;
use std::time::Instant;

use ::codegen::Source;

use crate::fuzz::case;
use crate::host::exit::{Context, Failure};
use crate::host::scratch;
use crate::host::terminal::Terminal;
use crate::host::workspace::Workspace;

/// Checks the crates of documents with cargo, until the deadline; returns how many do not compile.
pub fn all(
    documents: impl Iterator<Item = (u64, String)>,
    deadline: Instant,
    workspace: &Workspace,
    terminal: &Terminal,
) -> Result<usize, Failure> {
    let mut settings = case::settings(scratch::runtime(workspace));
    settings.standalone = true;
    let (mut compiled, mut failed) = (0, 0);
    for (number, text) in documents {
        if Instant::now() > deadline {
            break;
        }
        let source = Source { name: "fuzzed.yaml".to_owned(), text };
        let Some(output) = ::codegen::generate(&source, &settings).output else { continue };
        compiled += 1;
        if !scratch::compiles(&output.files, "fuzz", workspace)? {
            let path = workspace
                .root()
                .join("target")
                .join("fuzz-finds")
                .join(format!("compile-{number}.yaml"));
            path.parent().map_or(Ok(()), fs::create_dir_all).context("create", &path)?;
            fs::write(&path, &source.text).context("write", &path)?;
            failed += 1;
        }
    }
    terminal.print(&format!("{compiled} crates compiled, {failed} failed\n"))?;
    Ok(failed)
}
