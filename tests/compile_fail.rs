//! Mistakes that the types of an emitted crate keep from compiling.
//!
//! Each file of `compile_fail/` is a program over the crate of `cases/common`. A comment `//~ CODE` on or above a line is
//! an error that the compiler must report there, with the text after the code if there is one; it must report no other.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use codegen::SourceFile;
use serde_json::Value;

use crate::support::case::Case;
use crate::support::workspace::Workspace;

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

const MANIFEST: &str = "[package]\nname = \"programs\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
    [dependencies]\ncase-common = { path = \"../common\", default-features = false, features = [\"client\"] }\n";

/// A complaint of the compiler: the file, the line, and the code of the error or the name of the lint, with a text that
/// the message has if the program announces one.
type Complaint = (String, u64, String);

#[test]
fn mistakes_do_not_compile() {
    let common = Case::read(&Path::new(FOLDER).join("cases/common/openapi.yaml"));
    let mut files = vec![SourceFile { path: "Cargo.toml".to_owned(), text: MANIFEST.to_owned() }];
    let mut expected = BTreeSet::new();
    for entry in fs::read_dir(Path::new(FOLDER).join("compile_fail")).unwrap().map(Result::unwrap) {
        let path = format!("src/bin/{}", entry.file_name().into_string().unwrap());
        let text = fs::read_to_string(entry.path()).unwrap();
        expected.extend(announced(&format!("programs/{path}"), &text));
        files.push(SourceFile { path, text });
    }
    let mut workspace = Workspace::new("compile_fail");
    workspace.add("common", &common.output().files);
    workspace.add("programs", &files);
    workspace.finish();
    let output = workspace.output(&[
        "check",
        "-p",
        "programs",
        "--bins",
        "--keep-going",
        "--message-format=json",
    ]);
    let messages = String::from_utf8(output.stdout).unwrap();
    let mut found = BTreeSet::new();
    for (mut complaint, rendered) in messages.lines().filter_map(complaint) {
        // rustc writes names to a file that are too long for a message.
        assert!(!rendered.contains("written to"), "{rendered}");
        let hinted = expected.iter().find(|(file, line, announced)| {
            let hint = announced.split_once(' ').filter(|(code, _)| *code == complaint.2);
            (file, line) == (&complaint.0, &complaint.1)
                && hint.is_some_and(|(_, hint)| rendered.contains(hint))
        });
        if let Some((.., announced)) = hinted {
            complaint.2.clone_from(announced);
        }
        found.insert(complaint);
    }
    assert!(!expected.is_empty());
    assert_eq!(expected, found, "{}", String::from_utf8_lossy(&output.stderr));
}

/// Returns the complaints that the comments of a program announce.
fn announced(file: &str, text: &str) -> Vec<Complaint> {
    let mut announced = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        if let Some((before, code)) = text.split_once("//~ ") {
            let line = line + u64::from(before.trim().is_empty());
            announced.push((file.to_owned(), line, code.to_owned()));
        }
    }
    announced
}

/// Reads one of cargo's messages (The Cargo Book, "External tools"), and returns it as people read it as well; `None`
/// unless it is an error with a place and a code.
fn complaint(message: &str) -> Option<(Complaint, String)> {
    let message: Value = serde_json::from_str(message).ok()?;
    let message = message.get("message").filter(|message| message["level"] == "error")?;
    let span = message["spans"].as_array()?.iter().find(|span| span["is_primary"] == true)?;
    let code = message["code"]["code"].as_str()?;
    let place = (span["file_name"].as_str()?.to_owned(), span["line_start"].as_u64()?);
    // The lines of the program that are shown have the announced text, too.
    let rendered = message["rendered"].as_str()?.lines();
    let rendered: Vec<_> =
        rendered.map(|line| line.split_once("//~ ").map_or(line, |it| it.0)).collect();
    Some(((place.0, place.1, code.to_owned()), rendered.join("\n")))
}
