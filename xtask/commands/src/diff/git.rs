//! Files of the workspace as git has them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::host::exit::{Context, Failure, Fallible};
use crate::host::output_dir::CHANGELOG;
use crate::host::paths::relative_path;

/// A commit of the workspace's repository.
#[derive(Clone, Debug)]
pub struct Commit {
    root: PathBuf,
    hash: String,
}

impl Commit {
    /// Finds the commit that a revision names.
    ///
    /// Only hashes are passed to other git commands, so that a revision is never read as an option or a range.
    pub fn find(revision: &str, root: &Path) -> Fallible<Self> {
        let named = format!("{revision}^{{commit}}");
        let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", &named];
        let output = git(&arguments, root)?;
        let hash = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let is_hash = !hash.is_empty() && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        // git writes hashes with `^` for excluded revisions.
        if output.status.success() && is_hash {
            return Ok(Self { root: root.to_owned(), hash });
        }
        Err(Failure::new(format!("`{revision}` is not a git revision"))
            .help("specify a commit, a branch or a tag, or the file of a spec"))
    }

    /// Returns a file of the workspace as the commit has it, or the message of git.
    pub fn show(&self, path: &Path) -> Result<String, String> {
        let object = format!("{}:./{}", self.hash, self.relative(path));
        let output = git(&["show", &object], &self.root).map_err(|failure| failure.message)?;
        if output.status.success() {
            return String::from_utf8(output.stdout).map_err(|error| error.to_string());
        }
        let message = String::from_utf8_lossy(&output.stderr);
        Err(message.lines().next().unwrap_or("git failed").to_owned())
    }

    /// Returns the files of a folder in which the working tree differs from the commit, apart from its `Cargo.toml` and
    /// its changelog.
    pub fn changed_in(&self, folder: &Path) -> Fallible<Vec<String>> {
        let folder = self.relative(folder);
        let [manifest, changelog] =
            ["Cargo.toml", CHANGELOG].map(|name| format!(":(exclude){folder}/{name}"));
        let arguments = ["diff", "--name-only", &self.hash, "--", &folder, &manifest, &changelog];
        let output = git(&arguments, &self.root)?;
        Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
    }

    fn relative(&self, path: &Path) -> String {
        relative_path(&self.root, path).to_string_lossy().replace('\\', "/")
    }
}

/// Runs git in a folder.
pub fn git(arguments: &[impl AsRef<OsStr>], folder: &Path) -> Fallible<Output> {
    let output = Command::new("git").args(arguments).current_dir(folder).output();
    output.context("run git in", folder)
}
