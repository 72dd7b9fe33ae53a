//! `cargo xtask pictures`: the pictures of the documentation, as SVG for light and dark pages.

mod bars;
mod svg;
mod way;

use std::fs;

use clap::{ArgMatches, Command};

use crate::host::cli::flag;
use crate::host::exit::{Context, Exit, Failure};
use crate::host::read;
use crate::host::terminal::{Terminal, pluralize};
use crate::host::workspace::Workspace;
use crate::host::write::replace;
use svg::{DARK, LIGHT};

/// Returns the command line, with its help.
pub fn command() -> Command {
    Command::new("pictures")
        .about("Draw the pictures of the documentation")
        .long_about(ABOUT)
        .arg(flag("check", "Write nothing; fail if a picture is not that of its table"))
}

const ABOUT: &str = "\
Draw the pictures of the documentation

Writes docs/pictures/: the way from a document to a call, and the costs of compiling emitted crates, from a
table of docs/performance.md. Each has a version for light and one for dark pages.";

/// The folder of the pictures.
const FOLDER: &str = "docs/pictures";

/// The page with the table of costs.
const PAGE: &str = "docs/performance.md";

/// Writes the pictures that differ.
pub fn run(
    arguments: &ArgMatches,
    workspace: &Workspace,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let page = read::text(&workspace.root().join(PAGE), Exit::Failed)?;
    let rows = bars::rows(&page).ok_or_else(|| {
        Failure::new(format!("`{PAGE}` has no table with the header `{}`", bars::HEADER))
            .help("restore the table, or change `HEADER` in xtask/src/pictures/bars.rs")
    })?;
    let mut pictures = Vec::new();
    for (suffix, theme) in [("light", &LIGHT), ("dark", &DARK)] {
        let drawn: [(&str, String); 2] =
            [("way", way::picture(theme)), ("check", bars::picture(&rows, theme))];
        pictures.extend(drawn.map(|(name, text)| (format!("{name}-{suffix}.svg"), text)));
    }
    let folder = workspace.root().join(FOLDER);
    let is_fresh = |(name, text): &(String, String)| {
        fs::read_to_string(folder.join(name)).is_ok_and(|written| written == *text)
    };
    pictures.retain(|picture| !is_fresh(picture));
    if arguments.get_flag("check") {
        return report(&pictures);
    }
    fs::create_dir_all(&folder).context("create", &folder)?;
    for (name, text) in &pictures {
        replace(&folder.join(name), text)?;
    }
    terminal.print(&format!("{} written to {FOLDER}\n", pluralize(pictures.len(), "picture")))
}

fn report(stale: &[(String, String)]) -> Result<(), Failure> {
    let names: Vec<&str> = stale.iter().map(|(name, _)| name.as_str()).collect();
    match names.as_slice() {
        [] => Ok(()),
        names => Err(Failure::new(format!("these pictures are stale: {}", names.join(", ")))
            .help("run `cargo xtask pictures`")
            .exit(Exit::Stale)),
    }
}
