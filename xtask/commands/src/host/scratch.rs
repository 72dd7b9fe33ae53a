//! Scratch folders: their files, and cargo in them.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::host::cargo;
use crate::host::exit::{Context, Failure, Fallible};
use crate::host::terminal::Terminal;
use crate::host::workspace::Workspace;

/// Locks a folder once no other run uses it: it would overwrite the files. The lock is held until it is dropped.
pub fn exclusive(folder: &Path, terminal: &Terminal) -> Fallible<File> {
    fs::create_dir_all(folder).context("create", folder)?;
    let path = folder.join("lock");
    // Opening a pipe waits, and a link leads elsewhere.
    if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file()) {
        return Err(Failure::at("lock", &path, "it is not a regular file").help("delete it"));
    }
    let file = File::options().create(true).append(true).open(&path).context("create", &path)?;
    if file.try_lock().is_err() {
        terminal.note("another run uses the same folder; waiting for its end");
        file.lock().context("lock", &path)?;
    }
    Ok(file)
}

/// Runs a command and returns its standard output.
pub fn succeed(command: &mut Command) -> Fallible<String> {
    let program = PathBuf::from(command.get_program());
    let output = command.stderr(Stdio::inherit()).output().context("run", &program)?;
    if !output.status.success() {
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
        return Err(Failure::new(format!("`{}` failed", words.join(" "))));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Writes a file of a scratch folder, with its folder. Nothing is written through a link.
pub fn write(path: &Path, text: &str) -> Fallible {
    create(path)?.write_all(text.as_bytes()).context("write", path)
}

/// Copies a file with its mode to a scratch folder. Its time is that of the copy: cargo compiles what is newer than its last
/// run, and an older file may differ from that run's, too.
pub fn copy(from: &Path, to: &Path) -> Fallible {
    let mut original = File::open(from).context("read", from)?;
    let mut copy = create(to)?;
    io::copy(&mut original, &mut copy).context("copy", from)?;
    let metadata = original.metadata().context("read", from)?;
    copy.set_permissions(metadata.permissions()).context("copy", from)
}

/// Creates a file in place of any other.
fn create(path: &Path) -> Fallible<File> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).context("create", folder)?;
    let _ = fs::remove_file(path);
    File::create_new(path).context("create", path)
}

/// Copies the lock file of the workspace to a package outside of it that has none.
pub fn lock(workspace: &Workspace, package: &Path) -> Fallible {
    let from = workspace.root.join("Cargo.lock");
    let to = package.join("Cargo.lock");
    if to.exists() {
        return Ok(());
    }
    copy(&from, &to)
}

/// Returns a cargo that builds a package outside of the workspace with two jobs and without incremental compilation,
/// ignoring the flags and wrappers of the environment.
pub fn cargo(package: &Path, target: &Path) -> Command {
    let mut command = Command::new(cargo::program());
    command
        .current_dir(package)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_BUILD_JOBS", "2")
        .env("CARGO_INCREMENTAL", "0")
        .env("RUSTC_WRAPPER", "")
        .env("RUSTC_WORKSPACE_WRAPPER", "")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("RUSTFLAGS");
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn only_a_regular_file_is_locked() {
        let folder = tempfile::tempdir().unwrap();
        let [lock, outside] = ["lock", "outside"].map(|name| folder.path().join(name));
        let refused = || {
            let failure = exclusive(folder.path(), &Terminal::of_process()).unwrap_err();
            failure.message.contains("it is not a regular file")
        };
        std::os::unix::fs::symlink("outside", &lock).unwrap();
        assert!(refused() && !outside.exists());
        fs::remove_file(&lock).unwrap();
        assert!(Command::new("mkfifo").arg(&lock).status().unwrap().success());
        assert!(refused());
        fs::remove_file(&lock).unwrap();
        assert!(exclusive(folder.path(), &Terminal::of_process()).is_ok());
    }
}
