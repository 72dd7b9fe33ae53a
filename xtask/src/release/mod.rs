//! `cargo xtask release`: sets the version that the changes require, and moves them in the changelog to its section.

mod changelog;
mod date;

use std::fs;

use clap::{Arg, ArgMatches, Command, value_parser};
use semver::Version;

use crate::codegen;
use crate::diff::{Revision, compare, last_release, markdown};
use crate::host::cargo;
use crate::host::cli::option;
use crate::host::exit::{Context, Exit, Failure};
use crate::host::read;
use crate::host::terminal::Terminal;
use crate::host::workspace::Workspace;
use crate::release::date::Date;
use crate::settings::project::Project;

/// Returns the command line, with its help.
pub fn command() -> Command {
    Command::new("release")
        .about("Bump the version as the changes require, update the changelog, and regenerate")
        .long_about(ABOUT)
        .arg(
            Arg::new("version")
                .value_name("VERSION")
                .value_parser(value_parser!(Version))
                .help("The version to set [default: the smallest that the changes allow]"),
        )
        .arg(option("base", "REVISION", value_parser!(String), BASE))
}

/// Prepares a release.
pub fn run(
    arguments: &ArgMatches,
    workspace: &Workspace,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let base = match arguments.get_one::<String>("base") {
        Some(base) => base.clone(),
        None => last_release::find(workspace)?,
    };
    let base_revision = Revision::of_git(&base, workspace)?;
    let mut head = Revision::of_workspace(workspace)?;
    let mut report = compare(&base_revision, &head, workspace, terminal)?;
    report.add_other_text(&base_revision, &head)?;
    if report.is_empty() {
        return Err(Failure::new(format!("nothing has changed since {base}")));
    }
    let version = arguments.get_one("version").unwrap_or(&report.version.suggested).clone();
    if !report.is_enough(&version) {
        let message = format!("the changes since {base} require a larger step than {version}");
        return Err(Failure::new(message)
            .help(format!(
                "set {} or larger; `cargo xtask diff {base}` lists the changes",
                report.version.suggested
            ))
            .exit(Exit::Denied));
    }
    let settings = Project::of_workspace(workspace)?.file;
    let old = read::text(&settings, Exit::Failed)?;
    let mut text = with_version(&old, &version).ok_or_else(|| {
        Failure::new(format!("`{}` has no `version`", settings.display()))
            .help("write `version = \"…\"` under `[package]`")
    })?;
    if report.may_break(&version) {
        let is_old = |path: &str| base_revision.settings.aliases.contains_key(path);
        text = without_aliases(&text, is_old);
        head.settings.aliases.retain(|path, _| !is_old(path));
        report = compare(&base_revision, &head, workspace, terminal)?;
        report.add_other_text(&base_revision, &head)?;
    }
    let path = workspace.root().join("CHANGELOG.md");
    let changes = read::text(&path, Exit::Failed)?;
    fs::write(&settings, text).context("write", &settings)?;
    if changelog::has_section(&changes, &version) {
        terminal.note(&format!("CHANGELOG.md has a section for {version}, which stays as it is"));
    } else {
        let notes = markdown(&report);
        let changes = changelog::with_section(&changes, &version, Date::of_release(), &notes);
        fs::write(&path, changes).context("write", &path)?;
    }
    terminal.print(&format!(
        "{} -> {version} in codegen.toml and CHANGELOG.md\n",
        report.version.old
    ))?;
    codegen::run(&codegen::command().get_matches_from(["codegen"]), workspace, terminal)?;
    update_lock_file(workspace)
}

/// Sets the version of the emitted crate in the workspace's `Cargo.lock`, if there is one.
fn update_lock_file(workspace: &Workspace) -> Result<(), Failure> {
    if !workspace.root().join("Cargo.lock").exists() {
        return Ok(());
    }
    let mut command = cargo::command(workspace);
    command.args(["update", "--workspace", "--offline", "--quiet"]);
    let status = command.status().context("run cargo in", workspace.root())?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::new("cargo did not update Cargo.lock").help("run `cargo update --workspace`"))
}

/// Returns the text of a `codegen.toml` with another version; `None` if it has none.
fn with_version(text: &str, version: &Version) -> Option<String> {
    let is_version =
        |line: &&str| line.split('=').next().is_some_and(|key| key.trim() == "version");
    let line = text.lines().find(is_version)?;
    Some(text.replacen(line, &format!("version = \"{version}\""), 1))
}

/// Returns the text of a `codegen.toml` without the aliases of some old paths.
fn without_aliases(text: &str, is_dropped: impl Fn(&str) -> bool) -> String {
    let mut is_alias = false;
    let kept = text.split_inclusive('\n').filter(|line| {
        if line.starts_with('[') {
            is_alias = line.trim_end() == "[aliases]";
        }
        let key = line.split('=').next().unwrap_or_default();
        !(is_alias && is_dropped(key.trim().trim_matches(['"', '\''])))
    });
    let kept: String = kept.collect();
    let without_heading = kept.trim_end().strip_suffix("[aliases]");
    without_heading.map_or(kept.clone(), |kept| kept.trim_end().to_owned() + "\n")
}

const ABOUT: &str = "\
Bump the version as the changes require, update the changelog, and regenerate

Compares the spec in the working tree with the last release, as `cargo xtask diff` does. The section
`Unreleased` of the changelog becomes that of the version, with the changes. A breaking release also
removes the aliases of the last one. Nothing is committed; running it again before the commit changes
nothing.";

const BASE: &str = "The git revision of the last release [default: the one that set the version]";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_version_and_the_aliases_change() {
        let text = "# Settings.\n[package]\nname = \"a\"\nversion = \"1.0.0\" # now\n\n[aliases]\n\"a::B\" = \"a::C\"\n\"a::D\" = \"a::C\"\n\n[renames]\n\"a::B\" = \"C\"\n";
        let version = Version::new(2, 0, 0);
        let text = with_version(text, &version).unwrap();
        assert!(text.contains("\nversion = \"2.0.0\"\n\n[aliases]"), "{text}");
        let text = without_aliases(&text, |path| path == "a::B");
        assert!(
            text.ends_with("[aliases]\n\"a::D\" = \"a::C\"\n\n[renames]\n\"a::B\" = \"C\"\n"),
            "{text}"
        );
        assert_eq!(with_version("[package]\n", &version), None);
    }
}
