//! `cargo xtask diff`: reports changes for the users of the emitted crate, their causes, and the next version.

mod entry;
mod formats;
mod git;
mod keys;
pub mod last_release;
mod report;
mod revision;
mod text;
mod upgrade;
mod version;
mod waivers;

use std::collections::BTreeMap;

use clap::{Arg, ArgMatches, Command};

use ::codegen::compare::Class;

use crate::host::cli::{flag, option};
pub use entry::{Entry, Origin, Places};
pub use formats::{entry as json_entry, markdown};
pub use git::Commit;
pub use report::Report;
pub use revision::{Revision, accept, accepted, check_accepted};
pub use text::places;

use crate::diff::revision::Depth;
use crate::host::exit::{Exit, Failure, Fallible};
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
            ["text", "json", "markdown", "github", "upgrade"],
            "The format of the report [default: text]",
        ))
        .arg(accept())
        .arg(option("deny", "CLASS", ["breaking"], DENY))
}

/// Compares two revisions and prints the report.
pub fn run(arguments: &ArgMatches, workspace: &Workspace, terminal: &Terminal) -> Fallible {
    let is_gate = arguments.contains_id("deny");
    let mut releases = None;
    let mut base = match arguments.get_one::<String>("base") {
        Some(base) => Revision::named(base, workspace)?,
        None if is_gate => {
            let found = releases.insert(last_release::find(workspace)?);
            Revision::of_git(&found.last, workspace)?
        }
        None => Revision::of_git("HEAD", workspace)?,
    };
    // Waivers are kept until the next release, so only a comparison with the last one can use all of them.
    let has_all_changes = is_gate && !arguments.contains_id("base");
    let named = arguments.get_one::<String>("head");
    let is_own = named.is_none();
    let mut head = match named {
        Some(head) => Revision::named(head, workspace)?,
        None => Revision::of_workspace(workspace)?,
    };
    base.share_settings(&mut head);
    head.accepted = accepted(arguments);
    let project = &head.project;
    let waivers = waivers::of_spec(&project.spec)?;
    let mut report = Report::between(&base, &head, Depth::Files, waivers.clone(), terminal)?;
    let verbose = arguments.get_flag("verbose");
    let format = arguments.get_one::<String>("format").map(String::as_str);
    let from = arguments.get_one::<String>("base");
    let from = from.or(releases.as_ref().map(|found| &found.last));
    let migration = migration([from, named], &head.accepted);
    terminal.print(&match format {
        Some("json") => formats::json(&report),
        Some("markdown") => markdown(&report),
        Some("github") => formats::github(&report),
        Some("upgrade") => upgrade::guide(&report, head.settings(), &migration, verbose),
        _ => text::full(&report, verbose, terminal.output),
    })?;
    if format.is_none_or(|format| format == "text") && report.count(Class::Breaking) > 0 {
        terminal.note(&format!("`{migration} MANIFEST` rewrites the programs of a Cargo.toml"));
    }
    if is_gate {
        if let Some(head) = Some(&head).filter(|_| is_own) {
            let (emitted, _) = head.emitted(head.settings(), Depth::Items, terminal)?;
            head.refuse_stale(&emitted.api)?;
        }
        deny(&report, project)?;
        // The version that the last release set must allow its own changes; unless the next one is already set.
        let previous = releases.filter(|it| it.version == report.version.new);
        if let Some(previous) = previous.and_then(|it| it.previous) {
            let previous = Revision::of_git(&previous, workspace)?;
            let step = Report::between(&previous, &base, Depth::Files, waivers, terminal)?;
            report.unused_waivers.retain(|it| step.unused_waivers.contains(it));
            deny(&step, project)?;
        }
    }
    if report.unused_waivers.is_empty() {
        return Ok(());
    }
    let message = format!("no change matches the waivers of {}", report.unused_waivers.join(", "));
    if !has_all_changes {
        terminal.note(&message);
        return Ok(());
    }
    Err(Failure::new(message).help(format!(
        "remove them from {}, or correct the fingerprints",
        waivers::file(&project.spec).display()
    )))
}

/// Returns the command that rewrites programs, between the revisions that the user has named, without manifests.
fn migration([from, to]: [Option<&String>; 2], accepted: &BTreeMap<String, String>) -> String {
    let revisions = [("from", from), ("to", to)].map(|(option, revision)| {
        revision.map(|revision| format!(" --{option} {revision}")).unwrap_or_default()
    });
    let accepted = accepted.iter().map(|(old, new)| format!(" --accept '{old}={new}'"));
    let accepted: String = accepted.collect();
    format!("{} migrate{}{accepted}", workspace::program(), revisions.concat())
}

/// Fails if a change may break programs, and neither the version nor a waiver allows it.
fn deny(report: &Report, project: &Project) -> Fallible {
    let denied = report.denied();
    if denied.is_empty() {
        return Ok(());
    }
    let fingerprints: Vec<&str> = denied.iter().map(|entry| entry.fingerprint.as_str()).collect();
    let version = &report.version;
    let message = format!(
        "{} since {} may break programs, and the version {} does not allow that",
        pluralize(denied.len(), "change"),
        version.old,
        version.new
    );
    let help = format!(
        "set the version {} in {}, as `{} release` does, or add waivers to {}: {}",
        version.suggested,
        display_path(&project.file).display(),
        workspace::program(),
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
) -> Fallible<Report> {
    let waivers = waivers::of_spec(&Project::of_workspace(workspace)?.spec)?;
    Report::between(base, head, Depth::Files, waivers, terminal)
}

/// Prints the short form of the report against git HEAD, for the end of a run of the generator. Without git
/// there is nothing to compare with.
pub fn print_since_head(workspace: &Workspace, terminal: &Terminal) -> Fallible {
    let Ok(base) = Revision::of_git("HEAD", workspace) else { return Ok(()) };
    let head = Revision::of_workspace(workspace)?;
    let is_changed = match (&base.commit, &head.out) {
        (Some(commit), Some(out)) => !commit.changed_in(out)?.is_empty(),
        _ => false,
    };
    let depth = if is_changed { Depth::Files } else { Depth::Items };
    let waivers = waivers::of_spec(&Project::of_workspace(workspace)?.spec)?;
    let report = Report::between(&base, &head, depth, waivers, terminal)?;
    if report.is_empty() {
        return Ok(());
    }
    terminal.print(&text::short(&report, terminal.output))
}

const ABOUT: &str = "\
Report changes for the users of the emitted crate, and the next version

Without arguments, compares the spec in the working tree with the one at git HEAD. The public items of the
crates and the emitted code are compared, not the documents: a document that differs only in formatting
has not changed. Code that differs although no item does is wire-breaking.
Changes by the generator or by codegen.toml are reported as such.";

const DENY: &str = "Fail if programs may break, and neither the version nor a waiver allows it";

const EXIT_CODES: &str = "\
Exit codes:
    0  done
    1  any other failure
    2  a spec is invalid
    4  with --deny: the emitted crate is stale
  100  with --deny: programs may break, and neither the version nor a waiver allows it";
