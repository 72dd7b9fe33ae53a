//! `cargo xtask release`: sets the version that follows from what has changed, and notes the change.

use std::fs;
use std::process::Command as Process;

use clap::{Arg, ArgMatches, Command, value_parser};
use semver::Version;

use crate::codegen;
use crate::diff::{Revision, compare, markdown};
use crate::host::cli::option;
use crate::host::exit::{Context, Exit, Failure};
use crate::host::paths::display_path;
use crate::host::read;
use crate::host::terminal::Terminal;
use crate::host::workspace::Workspace;
use crate::settings::project::Project;

/// Returns the command line, with its help.
pub fn command() -> Command {
    Command::new("release")
        .about("Set the version that follows from what has changed, note it in the changelog, and regenerate")
        .long_about(ABOUT)
        .arg(Arg::new("version").value_name("VERSION").value_parser(value_parser!(Version)).help(
            "The version to set [default: the next one that is enough]",
        ))
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
        None => last_release(workspace)?,
    };
    let base_revision = Revision::of_git(&base, workspace)?;
    let mut head = Revision::of_workspace(workspace)?;
    let mut report = compare(&base_revision, &head, workspace, terminal)?;
    if report.is_empty() {
        return Err(Failure::new(format!("nothing has changed since {base}")));
    }
    let version = arguments.get_one("version").unwrap_or(&report.version.suggested).clone();
    if !report.is_enough(&version) {
        let message = format!("{version} is not enough for what has changed since {base}");
        return Err(Failure::new(message)
            .help(format!(
                "{} is; `cargo xtask diff {base}` lists the changes",
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
    }
    let changelog = workspace.root().join("CHANGELOG.md");
    let notes = with_section(&read::text(&changelog, Exit::Failed)?, &version, &markdown(&report));
    fs::write(&settings, text).context("write", &settings)?;
    fs::write(&changelog, notes).context("write", &changelog)?;
    terminal.print(&format!(
        "{} -> {version} in codegen.toml and CHANGELOG.md\n",
        report.version.old
    ))?;
    codegen::run(&codegen::command().get_matches_from(["codegen"]), workspace, terminal)
}

/// Returns the git revision that has set the current version.
fn last_release(workspace: &Workspace) -> Result<String, Failure> {
    let file = Project::of_workspace(workspace)?.file;
    let output = Process::new("git")
        .args(["log", "-1", "--format=%h", "-G", "^version *=", "--"])
        .arg(&file)
        .current_dir(workspace.root())
        .output();
    let output = output.context("run git in", workspace.root())?;
    let revision = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if revision.is_empty() {
        let file = display_path(&file).display();
        return Err(Failure::new(format!("no git revision has set the version in {file}"))
            .help("name the last release with `--base REVISION`"));
    }
    Ok(revision)
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

/// Returns a changelog with the section of a version below what is not yet released.
fn with_section(changelog: &str, version: &Version, notes: &str) -> String {
    let section = format!("## {version}\n\n{}\n\n", notes.trim_end());
    let unreleased = changelog.find("\n## Unreleased").map_or(0, |at| at + 4);
    let at = changelog[unreleased..].find("\n## ").map(|at| unreleased + at + 1);
    match at {
        Some(at) => [&changelog[..at], &section, &changelog[at..]].concat(),
        None => [changelog.trim_end(), "\n\n", section.trim_end(), "\n"].concat(),
    }
}

const ABOUT: &str = "\
Set the version that follows from what has changed, note it in the changelog, and regenerate

Compares the spec in the working tree with the last release, as `cargo xtask diff` does. A release
that may break programs also drops the aliases that the last one had.";

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

    #[test]
    fn sections_stand_below_what_is_not_released() {
        let version = Version::new(2, 0, 0);
        let log = "# Changelog\n\n## Unreleased\n\n- a\n\n## 1.0.0\n\n- b\n";
        assert_eq!(
            with_section(log, &version, "- c\n"),
            "# Changelog\n\n## Unreleased\n\n- a\n\n## 2.0.0\n\n- c\n\n## 1.0.0\n\n- b\n"
        );
        assert_eq!(
            with_section("# Changelog\n", &version, "- c\n"),
            "# Changelog\n\n## 2.0.0\n\n- c\n"
        );
    }
}
