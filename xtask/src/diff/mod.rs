//! `cargo xtask diff`: reports changes for the users of the emitted crate, their causes, and the next version.

mod entry;
mod formats;
mod git;
pub mod last_release;
mod report;
mod revision;
mod text;
mod version;
mod waivers;

use std::path::Path;

use clap::{Arg, ArgMatches, Command};

use crate::host::cli::{flag, option};
pub use formats::markdown;
pub use revision::Revision;

use crate::diff::report::Report;
use crate::host::exit::{Exit, Failure};
use crate::host::paths::display_path;
use crate::host::terminal::{Terminal, pluralize};
use crate::host::workspace::{self, Workspace};
use crate::settings::project::Project;

/// Returns the command line, with its help.
pub fn command() -> Command {
    Command::new("diff")
        .about("Report changes for the users of the emitted crate, and the next version")
        .long_about(ABOUT)
        .after_help(EXIT_CODES)
        .arg(Arg::new("base").value_name("BASE").help(
            "A git revision or the file of a spec [default: HEAD; with --deny, the last release]",
        ))
        .arg(
            Arg::new("head")
                .value_name("HEAD")
                .help("A git revision or the file of a spec [default: the workspace's own]"),
        )
        .arg(
            flag(
                "verbose",
                "List all items of a change, the methods that use it, and the additions",
            )
            .short('v'),
        )
        .arg(option(
            "format",
            "FORMAT",
            ["text", "json", "markdown", "github"],
            "The format of the report [default: text]",
        ))
        .arg(option("deny", "CLASS", ["breaking"], DENY))
}

/// Compares two revisions and prints the report.
pub fn run(
    arguments: &ArgMatches,
    workspace: &Workspace,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let is_gate = arguments.contains_id("deny");
    let base = match arguments.get_one::<String>("base") {
        Some(base) => Revision::named(base, workspace)?,
        None if is_gate => Revision::of_git(&last_release::find(workspace)?, workspace)?,
        None => Revision::of_git("HEAD", workspace)?,
    };
    // Waivers are kept until the next release, so only a comparison with the last one can use all of them.
    let has_all_changes = is_gate && !arguments.contains_id("base");
    let named = arguments.get_one::<String>("head");
    let is_own = named.is_none();
    let head = match named {
        Some(head) => Revision::named(head, workspace)?,
        None => Revision::of_workspace(workspace)?,
    };
    let file = named.map(Path::new).filter(|file| file.is_file());
    let project = match file {
        Some(file) => Project::of_spec(file)?,
        None => Project::of_workspace(workspace)?,
    };
    let mut report = Report::between(&base, &head, waivers::of_spec(&project.spec)?, terminal)?;
    report.add_other_text(&base, &head)?;
    let verbose = arguments.get_flag("verbose");
    terminal.print(&match arguments.get_one::<String>("format").map(String::as_str) {
        Some("json") => formats::json(&report),
        Some("markdown") => markdown(&report),
        Some("github") => formats::github(&report),
        _ => text::full(&report, verbose, terminal.output()),
    })?;
    if is_gate {
        deny(&report, is_own.then_some(&head), &project, terminal)?;
    }
    match report.unused_waivers.as_slice() {
        [] => Ok(()),
        unused if has_all_changes => {
            let fingerprints = unused.join(", ");
            Err(Failure::new(format!("no change matches the waivers of {fingerprints}")).help(
                format!(
                    "remove them from {}, or correct the fingerprints",
                    waivers::file(&project.spec).display()
                ),
            ))
        }
        unused => {
            terminal.note(&format!("no change matches the waivers of {}", unused.join(", ")));
            Ok(())
        }
    }
}

/// Fails if a change may break programs, and neither the version nor a waiver allows it.
fn deny(
    report: &Report,
    own: Option<&Revision>,
    project: &Project,
    terminal: &Terminal,
) -> Result<(), Failure> {
    if let Some(head) = own {
        let (api, _) = head.public_api(&head.settings, terminal)?;
        let listed = head.listed.as_ref().and_then(|listed| listed.as_ref().ok());
        if listed.map(ToString::to_string) != Some(api.to_string()) {
            return Err(Failure::new("the emitted crate is stale")
                .help(format!("run `{} codegen`", workspace::program()))
                .exit(Exit::Stale));
        }
    }
    let denied = report.denied();
    if denied.is_empty() {
        return Ok(());
    }
    let fingerprints: Vec<&str> = denied.iter().map(|entry| entry.fingerprint.as_str()).collect();
    let version = &report.version;
    let message = format!(
        "{} may break programs, and the version {} does not allow that",
        pluralize(denied.len(), "change"),
        version.new
    );
    let help = format!(
        "set the version {} in {}, or add waivers to {}: {}",
        version.suggested,
        display_path(&project.file).display(),
        waivers::file(&project.spec).display(),
        fingerprints.join(", ")
    );
    Err(Failure::new(message).help(help).exit(Exit::Denied))
}

/// Compares two revisions of the workspace's spec.
pub fn compare(
    base: &Revision,
    head: &Revision,
    workspace: &Workspace,
    terminal: &Terminal,
) -> Result<Report, Failure> {
    Report::between(
        base,
        head,
        waivers::of_spec(&Project::of_workspace(workspace)?.spec)?,
        terminal,
    )
}

/// Prints the short form of the report against git HEAD, for the end of a run of the generator. Without git
/// there is nothing to compare with.
pub fn print_since_head(workspace: &Workspace, terminal: &Terminal) -> Result<(), Failure> {
    let Ok(base) = Revision::of_git("HEAD", workspace) else { return Ok(()) };
    let head = Revision::of_workspace(workspace)?;
    let mut report = compare(&base, &head, workspace, terminal)?;
    // The comparison of the text takes as long as generating the crate twice.
    if let (Some(commit), Some(out)) = (&base.commit, &head.out)
        && commit.differs_in(out)?
    {
        report.add_other_text(&base, &head)?;
    }
    if report.is_empty() {
        return Ok(());
    }
    terminal.print(&text::short(&report, terminal.output()))
}

const ABOUT: &str = "\
Report changes for the users of the emitted crate, and the next version

Without arguments, compares the spec in the working tree with the one at git HEAD. The public items of the
crates are compared, not the documents: a document that differs only in formatting has not changed. If
no item differs, the text of the emitted files is compared as well.
Changes by the generator or by codegen.toml are reported as such.";

const DENY: &str = "Fail if programs may break, and neither the version nor a waiver allows it";

const EXIT_CODES: &str = "\
Exit codes:
    0  done
    1  any other failure
    2  a spec is invalid
    4  with --deny: the emitted crate is stale
  100  with --deny: programs may break, and neither the version nor a waiver allows it";
