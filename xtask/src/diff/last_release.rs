//! The last release: the git revision that set the version of the emitted crate.

use std::ffi::OsStr;

use crate::diff::git::git;
use crate::host::exit::Failure;
use crate::host::paths::display_path;
use crate::host::workspace::Workspace;
use crate::settings::project::Project;

/// Finds the git revision of the last release.
pub fn find(workspace: &Workspace) -> Result<String, Failure> {
    let file = Project::of_workspace(workspace)?.file;
    let git = |arguments: &[&OsStr]| -> Result<String, Failure> {
        let output = git(arguments, workspace.root())?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let setting = ["log", "-1", "--format=%h %p", "-G", "^version *=", "--"].map(OsStr::new);
    let found = git(&[&setting[..], &[file.as_os_str()]].concat())?;
    let (revision, parents) = found.split_once(' ').unwrap_or((&found, ""));
    if revision.is_empty() {
        let file = display_path(&file).display();
        return Err(Failure::new(format!("no git revision sets the version in {file}"))
            .help("set `version` in `[package]` and commit it, or pass the git revision of the last release"));
    }
    // In a shallow clone, the first commit appears to add all lines.
    if parents.is_empty()
        && git(&["rev-parse", "--is-shallow-repository"].map(OsStr::new))? == "true"
    {
        return Err(Failure::new("the clone is too shallow to contain the last release").help(
            "fetch the history (`git fetch --unshallow`), or pass the revision to compare with",
        ));
    }
    Ok(revision.to_owned())
}
