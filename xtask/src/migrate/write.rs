//! Writes the edited files: all of them, or none.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use crate::migrate::report::Report;
use commands::host::exit::{Context, Failure, Fallible};
use commands::host::write::{Staged, TextFile, protect};

/// The texts of files, before and after, by their paths without symbolic links.
type Files<'r> = BTreeMap<PathBuf, &'r [String; 2]>;

/// Writes the files of reports. Each is replaced as a whole, and none before all of them can be. If one cannot be replaced
/// then, those before it get their old texts back.
pub fn write(reports: &[Report], allow_dirty: bool) -> Fallible {
    let mut files = Files::new();
    for report in reports {
        for (path, texts) in &report.files {
            let path = report.root.join(path);
            let path = fs::canonicalize(&path).context("read", &path)?;
            if files.insert(path.clone(), texts).is_some_and(|other| other != texts) {
                let reason = "the programs that share it need different edits; no file was written";
                return Err(Failure::at("write", &path, reason).help("edit it by hand"));
            }
        }
    }
    if !allow_dirty {
        refuse_dirty(&files)?;
    }
    let edited = files.into_iter().map(|(path, [before, after])| {
        let file = TextFile { path, before: Some(before.clone()) };
        Ok((file.stage(after)?, file))
    });
    let edited: Fallible<(Vec<_>, Vec<_>)> = edited.collect();
    let (staged, edited) = edited.map_err(|failure| Failure {
        message: format!("{}; no file was written", failure.message),
        ..failure
    })?;
    protect(&Vec::from_iter(&edited), || staged.into_iter().try_for_each(Staged::commit))
}

/// Fails if git could not restore one of the files.
fn refuse_dirty(files: &Files<'_>) -> Fallible {
    let mut dirty = BTreeSet::new();
    for path in files.keys() {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { continue };
        let mut git = std::process::Command::new("git");
        git.args(["--literal-pathspecs", "status", "--porcelain", "--ignored"]);
        git.args(["--untracked-files=all", "--"]).arg(name).current_dir(folder);
        let output = git.output().context("run git in", folder)?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            let message = format!("git does not know {}: {}", folder.display(), message.trim_end());
            return Err(Failure::new(message).help("commit its files, or add `--allow-dirty`"));
        }
        dirty.extend(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned));
    }
    if dirty.is_empty() {
        return Ok(());
    }
    let dirty = Vec::from_iter(dirty).join("\n");
    Err(Failure::new(format!("git could not restore these files; no file was written:\n{dirty}"))
        .help("commit them, or add `--allow-dirty`"))
}
