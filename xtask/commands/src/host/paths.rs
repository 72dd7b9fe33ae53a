//! Paths: absolute, relative to another, for messages, and of the files in a folder.

use std::env;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::host::exit::{Context, Failure, Fallible};

/// Returns the absolute path, with symbolic links and `..` resolved as far as it exists.
pub fn absolute_path(path: &Path) -> Fallible<PathBuf> {
    // The folder of a bare file name is empty.
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let whole = std::path::absolute(path).context("resolve", path)?;
    let found =
        whole.ancestors().find_map(|ancestor| Some((ancestor, fs::canonicalize(ancestor).ok()?)));
    let Some((ancestor, found)) = found else {
        return Ok(whole);
    };
    let rest = whole.strip_prefix(ancestor).unwrap_or(Path::new(""));
    if rest.components().any(|component| component.as_os_str() == "..") {
        return Err(Failure::at(
            "resolve",
            path,
            "it contains `..` after a folder that does not exist",
        ));
    }
    Ok(if rest.as_os_str().is_empty() { found } else { found.join(rest) })
}

/// Returns a path without `.`, and without `..` after the name of a folder, as if no folder were a symbolic link.
pub fn normal_path(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(normal.components().next_back(), Some(Component::Normal(_))) =>
            {
                normal.pop();
            }
            component => normal.push(component),
        }
    }
    normal
}

/// Returns the relative path from one absolute folder to another, or `to` itself if they have no common root.
pub fn relative_path(from: &Path, to: &Path) -> PathBuf {
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return to.to_path_buf();
    }
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    up.chain(to.components().skip(common)).collect()
}

/// Returns a path for messages: relative to the current folder if it is below it.
pub fn display_path(path: &Path) -> &Path {
    let here = env::current_dir().and_then(fs::canonicalize);
    match here.ok().and_then(|here| path.strip_prefix(here).ok()) {
        Some(rest) if rest.as_os_str().is_empty() => Path::new("."),
        Some(rest) => rest,
        None => path,
    }
}

/// Returns the files below a folder.
pub fn files(folder: &Path) -> Fallible<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).context("read", folder)? {
        let path = entry.context("read", folder)?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_resolve_as_far_as_they_exist() {
        let root = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(root.path()).unwrap();
        fs::create_dir(root.join("a")).unwrap();
        assert_eq!(absolute_path(&root.join("a/../b/c")).unwrap(), root.join("b/c"));
        assert_eq!(absolute_path(Path::new("")).unwrap(), env::current_dir().unwrap());
        assert_eq!(absolute_path(&root.join("a/.")).unwrap(), root.join("a"));
        assert!(absolute_path(&root.join("none/../b")).is_err());
    }

    #[test]
    fn normal_paths_go_up_only_at_their_start() {
        for (path, expected) in
            [("a/../b/./c", "b/c"), ("../a/..", ".."), ("a/../../b", "../b"), ("/w/s/../g", "/w/g")]
        {
            assert_eq!(normal_path(Path::new(path)), Path::new(expected));
        }
    }

    #[test]
    fn relative_paths_go_up_and_down() {
        let relative = |from, to| relative_path(Path::new(from), Path::new(to));
        for (from, to, expected) in [
            ("/w/generated", "/w/runtime", "../runtime"),
            ("/w/a/b", "/w/runtime", "../../runtime"),
            ("/elsewhere", "/w/runtime", "../w/runtime"),
            ("/w", "/w/runtime", "runtime"),
        ] {
            assert_eq!(relative(from, to), Path::new(expected));
        }
    }
}
