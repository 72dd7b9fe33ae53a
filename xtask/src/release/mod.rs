//! `cargo xtask release`: sets the version that the changes require, and updates the changelog.

mod changelog;
mod settings;

use std::{env, fs};

use clap::{Arg, ArgMatches, Command, value_parser};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use semver::Version;

use crate::release::settings::SettingsText;
use commands::codegen;
use commands::diff::{Commit, Revision, compare, last_release, markdown};
use commands::host::cargo;
use commands::host::cli::option;
use commands::host::exit::{Context, Exit, Failure, Fallible};
use commands::host::output_dir::CHANGELOG;
use commands::host::paths::display_path;
use commands::host::terminal::Terminal;
use commands::host::workspace::{self, Workspace};
use commands::host::write::{TextFile, protect};
use commands::settings::project::Project;

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

pub fn run(arguments: &ArgMatches, workspace: &Workspace, terminal: &Terminal) -> Fallible {
    let base = match arguments.get_one::<String>("base") {
        Some(base) => base.clone(),
        None => last_release::find(workspace)?.last,
    };
    let base_revision = Revision::of_git(&base, workspace)?;
    let mut head = Revision::of_workspace(workspace)?;
    let mut report = compare(&base_revision, &head, workspace, terminal)?;
    if report.is_empty() {
        return Err(Failure::new(format!("nothing has changed since {base}"))
            .help("release again when the spec, its settings or the generator have changed"));
    }
    let version = arguments.get_one("version").unwrap_or(&report.version.suggested).clone();
    if !report.is_enough(&version) {
        let message = format!("the changes since {base} require a larger step than {version}");
        return Err(Failure::new(message)
            .help(format!(
                "set {} or larger; `{} diff {base}` lists the changes",
                report.version.suggested,
                workspace::program()
            ))
            .exit(Exit::Denied));
    }
    let project = Project::of_workspace(workspace)?;
    let settings = TextFile::read(&project.file, Exit::Failed)?;
    let folder = project.out.unwrap_or_default();
    fs::create_dir_all(&folder).context("create", &folder)?;
    let changelog = TextFile::read(&folder.join(CHANGELOG), Exit::Failed)?;
    let path = display_path(&changelog.path).display().to_string();
    let changes = changelog.before.as_deref().unwrap_or("# Changelog\n\n## Unreleased\n");
    let committed = Commit::find("HEAD", &workspace.root)?.show(&changelog.path);
    let committed = committed.unwrap_or_default();
    if let Some(found) = changelog::new_version(changes, &committed) {
        let message = format!("`{path}` has a section for {found}, which is not committed");
        let help = "run `codegen`, and commit it; to release again, move what to keep to `Unreleased`, and delete it";
        return Err(Failure::new(message).help(help));
    }
    let mut text = SettingsText::of(&settings);
    text.set_version(&version)?;
    if report.may_break(&version) {
        let is_old = |path: &str| base_revision.settings().generator.aliases.contains_key(path);
        text.remove_aliases(is_old)?;
        head.project.settings.generator.aliases.retain(|path, _| !is_old(path));
        report = compare(&base_revision, &head, workspace, terminal)?;
    }
    protect(&[&settings, &changelog], || {
        settings.stage(&text.text)?.commit()?;
        if changelog::has_section(&committed, &version) {
            terminal
                .note(&format!("{path} already has a section for {version}, which is not changed"));
        } else {
            let notes = markdown(&report);
            let changes = changelog::released(changes, &version, date_of_release(), &notes);
            changelog.stage(&changes)?.commit()?;
        }
        codegen::run(&codegen::command().get_matches_from(["codegen"]), workspace, terminal)
    })?;
    terminal.print(&format!(
        "{} -> {version} in {} and {path}\n",
        report.version.old,
        display_path(&settings.path).display()
    ))?;
    update_lock_file(workspace)
}

/// Returns the day of `SOURCE_DATE_EPOCH`, which makes builds reproducible; today without it.
fn date_of_release() -> Date {
    let pinned = env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let pinned = pinned.and_then(|seconds| Timestamp::from_second(seconds).ok());
    pinned.unwrap_or_else(Timestamp::now).to_zoned(TimeZone::UTC).date()
}

/// Sets the version of the emitted crate in the workspace's `Cargo.lock`, if there is one.
fn update_lock_file(workspace: &Workspace) -> Fallible {
    if !workspace.root.join("Cargo.lock").exists() {
        return Ok(());
    }
    let mut command = cargo::command(workspace);
    command.args(["update", "--workspace", "--offline", "--quiet"]);
    let status = command.status().context("run cargo in", &workspace.root)?;
    if status.success() {
        return Ok(());
    }
    let message = "the release is written, but cargo did not update Cargo.lock";
    Err(Failure::new(message).help("run `cargo update --workspace`; do not release again"))
}

const ABOUT: &str = "\
Bump the version as the changes require, update the changelog, and regenerate

Compares the spec in the working tree with the last release, as `diff` does, and sets the version in
codegen.toml. In the CHANGELOG.md of the emitted crate, the section `Unreleased` becomes that of the version,
and lists the changes. A breaking release also removes the aliases that the previous release introduced. If
something fails before Cargo.lock is updated, the files are as before. Nothing is committed.";

const BASE: &str = "The git revision of the last release [default: the one that set the version]";
