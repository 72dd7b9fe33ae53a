//! The releases of the emitted crate: the git revisions that set its version.

use std::ffi::OsStr;

use semver::Version;

use crate::diff::git::{Commit, git};
use crate::host::exit::{Failure, Fallible};
use crate::host::paths::display_path;
use crate::host::workspace::Workspace;
use crate::settings::SettingsFile;
use crate::settings::project::Project;

/// The last releases.
#[derive(Debug)]
pub struct Releases {
    /// The git revision that set the version.
    pub last: String,
    /// The version that it set.
    pub version: Version,
    /// The git revision that set the version before it.
    pub previous: Option<String>,
}

/// Finds the last releases: the first commits of the last two versions of the package, as the commits of `codegen.toml`
/// have them. Its formatting and its other keys do not matter.
pub fn find(workspace: &Workspace) -> Fallible<Releases> {
    let file = Project::of_workspace(workspace)?.file;
    let git = |arguments: &[&OsStr]| -> Fallible<String> {
        let output = git(arguments, &workspace.root)?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let log = ["log", "--format=%h %p", "--"].map(OsStr::new);
    let listed = git(&[&log[..], &[file.as_os_str()]].concat())?;
    let mut releases: Vec<(&str, Version)> = Vec::new();
    let mut oldest = None;
    for line in listed.lines() {
        let (revision, parents) = line.split_once(' ').unwrap_or((line, ""));
        // A revision that cannot be read set no version.
        let text = Commit::find(revision, &workspace.root)?.show(&file);
        let settings = text.ok().and_then(|text| SettingsFile::parse(&text, revision).ok());
        let Some(version) = settings.and_then(|settings| settings.package.version) else {
            continue;
        };
        let has_both = releases.len() == 2;
        match releases.last_mut().filter(|(_, last)| *last == version) {
            Some((first, _)) => *first = revision,
            None if has_both => break,
            None => releases.push((revision, version)),
        }
        oldest = parents.is_empty().then_some(revision);
    }
    let mut releases = releases.into_iter();
    let Some((last, version)) = releases.next() else {
        let file = display_path(&file).display();
        return Err(Failure::new(format!("no git revision sets the version in {file}"))
            .help("set `version` in `[package]` and commit it, or pass the git revision of the last release"));
    };
    // In a shallow clone, the first commit appears to add all lines.
    if oldest == Some(last)
        && git(&["rev-parse", "--is-shallow-repository"].map(OsStr::new))? == "true"
    {
        return Err(Failure::new("the clone is too shallow to contain the last release").help(
            "fetch the history (`git fetch --unshallow`), or pass the revision to compare with",
        ));
    }
    let previous = releases.next().map(|(revision, _)| revision.to_owned());
    Ok(Releases { last: last.to_owned(), version, previous })
}
