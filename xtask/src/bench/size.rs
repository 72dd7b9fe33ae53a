//! `cargo xtask bench size`: what the emitted crate adds to a program, and that what is not called adds nothing.

use std::collections::BTreeSet;

use ::codegen::diagnostics::Diagnostics;
use ::codegen::{Node, Source, parse};

use crate::bench::binaries::{ONE_CALL, THREE_BY_HAND, THREE_CALLS};
use crate::bench::machine;
use crate::bench::table::{Table, mebibytes};
use crate::exit::{Exit, Failure};
use crate::read;
use crate::terminal::Terminal;
use crate::workspace::Workspace;

/// Link programs that make three calls and one, with the emitted crate and by hand
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Builds the programs, and prints how large they are and of how many paths there is a trace in them.
pub fn run(_: &Arguments, workspace: &Workspace, terminal: &Terminal) -> Result<(), Failure> {
    let templates = templates(workspace)?;
    terminal.print(&machine::heading(&["cargo xtask bench size".to_owned()]))?;
    let mut table = Table::new(["program", "linked", "stripped", "paths in it"]);
    for program in [THREE_BY_HAND, THREE_CALLS, ONE_CALL] {
        let binary = program.build(workspace)?;
        let found = templates.iter().filter(|path| holds(&binary.stripped, path)).count();
        let stripped = u64::try_from(binary.stripped.len()).unwrap_or(u64::MAX);
        table.row([
            program.about.to_owned(),
            mebibytes(binary.linked),
            mebibytes(stripped),
            format!("{found} of {}", templates.len()),
        ]);
    }
    terminal.print(&table.to_string())
}

/// Returns the path templates of the description.
fn templates(workspace: &Workspace) -> Result<BTreeSet<String>, Failure> {
    let text = read::text(&workspace.description(), Exit::WrongDescription)?;
    let source = Source { name: String::new(), text };
    let root = parse(&source, &mut Diagnostics::new())
        .ok_or_else(|| Failure::new("the text is no description").exit(Exit::WrongDescription))?;
    let paths = root.get("paths").and_then(Node::as_object).unwrap_or_default();
    Ok(paths.iter().map(|(path, _)| path.clone()).collect())
}

/// Tells whether a binary holds a text.
fn holds(binary: &[u8], text: &str) -> bool {
    binary.windows(text.len()).any(|window| window == text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::holds;

    #[test]
    fn texts_are_found_anywhere_in_a_binary() {
        let binary = b"\x7fELF/api/v1/pets/{id}\0";
        assert!(holds(binary, "/api/v1/pets/{id}"));
        assert!(!holds(binary, "/api/v1/pets/{name}"));
    }
}
