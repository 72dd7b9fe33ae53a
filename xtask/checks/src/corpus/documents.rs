//! The documents in a folder.

use std::path::{Path, PathBuf};

use commands::host::exit::Fallible;
use commands::host::paths::files;

/// Returns the paths of the specs in a folder and in those below it, sorted. Test sets have their invalid documents in
/// folders `fail`, which are not read.
pub fn specs(folder: &Path) -> Fallible<Vec<PathBuf>> {
    let mut paths = files(folder)?;
    paths.retain(|path| {
        let mut parts = path.strip_prefix(folder).unwrap_or(path).iter();
        let mut endings = ["yaml", "yml", "json"].iter();
        endings.any(|end| path.extension() == Some(end.as_ref())) && !parts.any(|it| it == "fail")
    });
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn specs_are_sorted_and_not_in_folders_of_invalid_documents() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().join("fail");
        for file in ["b.json", "a/pass/c.yml", "a/fail/d.yaml", "a/fail.yaml", "README.md"] {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let expected = ["a/fail.yaml", "a/pass/c.yml", "b.json"].map(|file| root.join(file));
        assert_eq!(specs(&root).unwrap(), expected);
    }
}
