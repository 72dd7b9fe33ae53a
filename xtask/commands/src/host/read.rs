//! Reads text files; reports the place where one is not UTF-8.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ::codegen::{Input, Readable, Source, may_read};

use crate::host::exit::{Context, Exit, Failure, Fallible};

/// Maximum size of a file, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// Returns the text of a file.
///
/// Fails with [`Exit::Failed`] if the file cannot be read, and with `not_text` if it is not UTF-8.
pub fn text(path: &Path, not_text: Exit) -> Fallible<String> {
    if path.is_dir() {
        return Err(Failure::at("read", path, "it is a folder").help("name a file"));
    }
    let bytes = bytes(path).context("read", path)?;
    String::from_utf8(bytes).map_err(|error| {
        let (place, help) = not_utf8(error.as_bytes(), error.utf8_error().valid_up_to());
        Failure::new(format!("{}:{place}", path.display())).help(help).exit(not_text)
    })
}

/// Fails if a spec cannot be read.
pub fn is_readable(spec: &Path) -> Fallible {
    exists(spec, NO_SPEC)?;
    let is_file = fs::metadata(spec).context("read", spec)?.is_file();
    if is_file { Ok(()) } else { text(spec, Exit::Failed).map(drop) }
}

/// Fails with the help text if a file does not exist.
fn exists(path: &Path, help: &str) -> Fallible {
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(Failure::at("read", path, error).help(help))
        }
        _ => Ok(()),
    }
}

const NO_SPEC: &str = "write the spec to this file, or name its file: `spec = \"FILE\"` in codegen.toml, or \
    `codegen --spec FILE`";

const NO_OVERLAY: &str = "correct `overlays` in codegen.toml, or `--overlay`";

/// Returns the content of a regular file. Others are not opened, because opening a pipe waits for a writer.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other("it is larger than 64 MiB"));
    }
    Ok(bytes)
}

/// Returns a spec, which can refer to other files in a folder, with its overlays.
pub fn spec(path: &Path, overlays: &[PathBuf], readable: Readable) -> Fallible<Input<'static>> {
    let source = source(path, NO_SPEC)?;
    let overlays =
        overlays.iter().map(|path| self::source(path, NO_OVERLAY)).collect::<Result<_, _>>()?;
    let folder = Path::new(".").join(path).with_file_name("");
    let root = (0..readable.levels).fold(folder.clone(), |root, _| root.join(".."));
    let read_file = Rc::new(move |name: &str| text_inside(&root, &folder.join(name)));
    Ok(Input { source, overlays, read_file, readable })
}

fn source(path: &Path, help: &str) -> Fallible<Source> {
    exists(path, help)?;
    Ok(Source { name: path.display().to_string(), text: text(path, Exit::InvalidSpec)? })
}

/// Returns the text of a file in a folder, or the reason of a failure. Links that lead out of the folder, or to a file that a
/// spec cannot name, are not followed.
fn text_inside(folder: &Path, file: &Path) -> Result<String, String> {
    let [path, folder] = [file, folder].map(|path| {
        fs::canonicalize(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => missing(path),
            _ => error.to_string(),
        })
    });
    let (path, folder) = (path?, folder?);
    let Ok(target) = path.strip_prefix(&folder) else {
        return Err("it is a link to a file outside of the folder that a spec may read".to_owned());
    };
    let target = target.to_string_lossy();
    may_read(&target).map_err(|why| format!("it is a link to `{target}`: {why}"))?;
    text(&path, Exit::InvalidSpec).map_err(|failure| failure.message)
}

/// Returns the reason for a file that does not exist. Documents are often written where the case of a name does not matter.
fn missing(path: &Path) -> String {
    let names = path.parent().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten();
    let mut names = names.flatten().map(|entry| entry.file_name());
    let alike = path.file_name().and_then(|name| names.find(|it| it.eq_ignore_ascii_case(name)));
    match alike {
        Some(alike) => format!("the file does not exist, but `{}` does", alike.display()),
        None => "the file does not exist".to_owned(),
    }
}

/// Returns the place where a text is not UTF-8, and the help text.
fn not_utf8(bytes: &[u8], offset: usize) -> (String, &'static str) {
    let (before, rest) = bytes.split_at(offset);
    let (line, column) = line_column(&String::from_utf8_lossy(before), usize::MAX);
    let byte = rest.first().copied().unwrap_or_default();
    let help = match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "the file looks like UTF-16: save it as UTF-8",
        _ => "save the file as UTF-8",
    };
    (format!("{line}:{column}: not UTF-8: byte 0x{byte:02x} at offset {offset}"), help)
}

/// Returns the line and the column of a place in a text, counted from 1.
pub fn line_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (1 + before.matches('\n').count(), 1 + line.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(bytes: &[u8]) -> (String, &'static str) {
        let error = str::from_utf8(bytes).expect_err("invalid UTF-8");
        not_utf8(bytes, error.valid_up_to())
    }

    #[test]
    fn the_place_counts_lines_and_characters() {
        for (bytes, expected) in [
            (&b"a\nb\xff"[..], "2:2: not UTF-8: byte 0xff at offset 3"),
            (b"\xc3\xa9\n\xe2\x82\xac\xc3\xa9\x80", "2:3: not UTF-8: byte 0x80 at offset 8"),
            (b"\xc3", "1:1: not UTF-8: byte 0xc3 at offset 0"),
        ] {
            assert_eq!(place(bytes).0, expected);
        }
    }

    #[test]
    fn the_largest_file_has_64_mib() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large.yaml");
        // The file is sparse: it takes no space.
        let read = |size| {
            File::create(&path).unwrap().set_len(size).unwrap();
            bytes(&path).map(|bytes| bytes.len()).map_err(|error| error.to_string())
        };
        assert_eq!(read(67_108_864), Ok(67_108_864));
        assert_eq!(read(67_108_865), Err("it is larger than 64 MiB".to_owned()));
    }

    #[test]
    #[cfg(unix)]
    fn links_do_not_lead_out_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("inside");
        fs::create_dir(&inside).unwrap();
        for (path, text) in [("outside.yaml", "secret"), ("inside/pet.yaml", "pet")] {
            fs::write(folder.path().join(path), text).unwrap();
        }
        std::os::unix::fs::symlink("../outside.yaml", inside.join("link.yaml")).unwrap();
        std::os::unix::fs::symlink("pet.yaml", inside.join("same.yaml")).unwrap();
        assert_eq!(text_inside(&inside, &inside.join("same.yaml")).unwrap(), "pet");
        assert!(text_inside(&inside, &inside.join("link.yaml")).unwrap_err().contains("outside"));
        assert!(
            text_inside(&inside, &inside.join("none.yaml")).unwrap_err().contains("does not exist")
        );
    }

    #[test]
    #[cfg(unix)]
    fn links_do_not_lead_to_files_that_a_spec_cannot_name() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for inner in [".git", "keys"] {
            fs::create_dir(folder.join(inner)).unwrap();
        }
        for path in [".env", ".git/config.yaml", "keys/id_rsa", "keys/key.pem"] {
            fs::write(folder.join(path), "secret").unwrap();
        }
        for (target, link, name, why) in [
            (".env", "env.yaml", "env.yaml", "a link to `.env`: it is hidden"),
            (".git", "g", "g/config.yaml", "a link to `.git/config.yaml`: it is hidden"),
            (
                "keys/id_rsa",
                "key.yaml",
                "key.yaml",
                "a link to `keys/id_rsa`: its name does not end",
            ),
            ("keys/key.pem", "key.md", "key.md", "a link to `keys/key.pem`: its name does not end"),
            ("env.yaml", "twice.yaml", "twice.yaml", "a link to `.env`: it is hidden"),
        ] {
            std::os::unix::fs::symlink(target, folder.join(link)).unwrap();
            let error = text_inside(folder, &folder.join(name)).unwrap_err();
            assert!(error.contains(why), "{name}: {error}");
        }
    }

    #[test]
    fn utf_16_is_recognized() {
        assert_eq!(place(b"\xff\xfeo\0").1, "the file looks like UTF-16: save it as UTF-8");
        assert_eq!(place(b"o\xff").1, "save the file as UTF-8");
    }
}
