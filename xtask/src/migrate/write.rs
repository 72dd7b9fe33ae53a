//! Writes the edited files: all of them, or none.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::host::exit::{Context, Failure};
use crate::host::originals::Originals;
use crate::host::write::refuse_read_only;
use crate::migrate::report::Report;

/// The texts of files, before and after, by their paths without symbolic links.
type Files<'r> = BTreeMap<PathBuf, &'r [String; 2]>;

/// Writes the files of reports. Each is replaced as a whole, and none before all of them can be. If one cannot be replaced
/// then, those before it get their old texts back.
pub fn write(reports: &[Report], allow_dirty: bool) -> Result<(), Failure> {
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
    for (path, [before, _]) in &files {
        if fs::read_to_string(path).context("read", path)? != *before {
            let failure = Failure::at("write", path, "it has changed during the run");
            return Err(failure.help("run the command again"));
        }
        refuse_read_only(path)?;
    }
    replace(&files, |new, path| fs::rename(new, path))
}

/// Replaces files. If this fails, all of them have their old texts.
fn replace(
    files: &Files<'_>,
    rename: impl Fn(&Path, &Path) -> io::Result<()>,
) -> Result<(), Failure> {
    let staged = files.iter().map(|(path, [_, after])| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        (path, path.with_file_name(format!(".{name}.migrate")), after)
    });
    let staged: Vec<_> = staged.collect();
    let paths: Vec<&Path> = files.keys().map(PathBuf::as_path).collect();
    let written = Originals::read(&paths)?.protect(|| {
        staged.iter().try_for_each(|(path, new, after)| {
            fs::copy(path, new).context("write", new)?;
            fs::write(new, after).context("write", new)
        })?;
        staged.iter().try_for_each(|(path, new, _)| rename(new, path).context("write", path))
    });
    if written.is_err() {
        for (_, new, _) in &staged {
            let _ = fs::remove_file(new);
        }
    }
    written
}

/// Fails if git could not restore one of the files.
fn refuse_dirty(files: &Files<'_>) -> Result<(), Failure> {
    let mut folders: BTreeMap<&Path, Vec<&OsStr>> = BTreeMap::new();
    for path in files.keys() {
        if let (Some(folder), Some(name)) = (path.parent(), path.file_name()) {
            folders.entry(folder).or_default().push(name);
        }
    }
    let mut dirty = BTreeSet::new();
    for (folder, names) in folders {
        let mut git = std::process::Command::new("git");
        git.args([
            "--literal-pathspecs",
            "status",
            "--porcelain",
            "--ignored",
            "--untracked-files=all",
            "--",
        ]);
        let output = git.args(names).current_dir(folder).output().context("run git in", folder)?;
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_file_that_cannot_be_replaced_leaves_those_before_it_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let texts = ["old\r\n", "new\r\n"].map(str::to_owned);
        let files: Files<'_> =
            ["a.rs", "b.rs"].map(|name| (folder.path().join(name), &texts)).into();
        for path in files.keys() {
            fs::write(path, &texts[0]).unwrap();
        }
        let failed = replace(&files, |new, path| {
            if path.ends_with("b.rs") {
                Err(io::ErrorKind::ResourceBusy.into())
            } else {
                fs::rename(new, path)
            }
        });
        assert!(failed.unwrap_err().message.contains("b.rs"));
        for path in files.keys() {
            assert_eq!(fs::read_to_string(path).unwrap(), texts[0], "{}", path.display());
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);

        replace(&files, |new, path| fs::rename(new, path)).unwrap();
        for path in files.keys() {
            assert_eq!(fs::read_to_string(path).unwrap(), texts[1], "{}", path.display());
        }
    }
}
