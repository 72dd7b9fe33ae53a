//! Recorded messages of rustc: the tests of what `migrate` makes of them compile nothing. They name no place in the emitted
//! crate, so that it can change. `MESSAGES=record cargo test --package openapi-bindings --test migrate` records them.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use serde_json::{Value, json};

/// A cargo that counts its checks, and sums what it would compile. It runs the real one, or answers with files.
const CARGO: &str = r#"#!/bin/sh
[ "$1" = check ] || exec "$REAL_CARGO" "$@"
number=$(($(cat "$MESSAGES_OF/count") + 1))
echo $number > "$MESSAGES_OF/count"
check="$MESSAGES_OF/$number"
(cd "$CARGO_TARGET_DIR/migrate/copy" || exit
find . ! -path './pets/*' \( -name '*.rs' -o -name '*.yaml' -o -name Cargo.toml \) | LC_ALL=C sort | xargs cat | cksum) > "$check.sum"
if [ "$MESSAGES" ]; then
    "$REAL_CARGO" "$@" > "$check.out"
    echo $? > "$check.status"
fi
[ -e "$check.status" ] || { echo "no messages are recorded" >&2; exit 101; }
cat "$check.out"
exit "$(cat "$check.status")"
"#;

/// The messages of the checks of a scene.
pub struct Messages {
    /// The recorded ones.
    file: PathBuf,
    /// The folder of the cargo and its files.
    folder: PathBuf,
    /// The copy that `migrate` compiles.
    copy: String,
}

impl Messages {
    /// Prepares those of a scene with this folder.
    pub fn new(root: &Path) -> Self {
        let name = root.file_name().unwrap().to_str().unwrap();
        let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/migrate/recorded");
        let messages = Self {
            file: recorded.join(format!("{name}.json")),
            folder: root.with_file_name(format!("{name}.messages")),
            copy: root.join("target/migrate/copy").to_str().unwrap().to_owned(),
        };
        if messages.folder.exists() {
            fs::remove_dir_all(&messages.folder).unwrap();
        }
        fs::create_dir_all(&messages.folder).unwrap();
        messages.write("count", "0");
        messages.write("cargo", CARGO);
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(messages.folder.join("cargo"), executable).unwrap();
        if mode().is_none() {
            for (number, lines) in (1..).zip(messages.recorded()) {
                let (end, lines) = lines.split_last().unwrap();
                let status = if end["success"] == true { "0" } else { "101" };
                messages.write(&format!("{number}.status"), status);
                let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
                let lines = lines.join("\n").replace("COPY", &messages.copy);
                messages.write(&format!("{number}.out"), &lines);
            }
        }
        messages
    }

    /// Lets a command use this cargo.
    pub fn use_in(&self, command: &mut Command) {
        command.env("CARGO", self.folder.join("cargo")).env("REAL_CARGO", env!("CARGO"));
        command.env("MESSAGES_OF", &self.folder);
    }

    /// Records what the last run compiled, or compares it with what is recorded.
    pub fn finish_run(&self) {
        let checks: Vec<Vec<Value>> = (1..=self.count()).map(|number| self.check(number)).collect();
        if mode().as_deref() == Some("record") {
            let lines = checks.iter().flatten().map(|line| line.to_string() + "\n");
            fs::create_dir_all(self.file.parent().unwrap()).unwrap();
            fs::write(&self.file, lines.collect::<String>()).unwrap();
        }
        let recorded = self.recorded();
        for (number, check) in checks.iter().enumerate() {
            let same = recorded.get(number);
            let file = self.file.display();
            assert_eq!(Some(check), same, "check {number} of {file}: record the messages again");
        }
    }

    /// Returns the messages of a check, and how it ended.
    fn check(&self, number: usize) -> Vec<Value> {
        let read = |kind: &str| {
            let text = fs::read_to_string(self.folder.join(format!("{number}.{kind}"))).unwrap();
            text.replace(&self.copy, "COPY")
        };
        let values = read("out");
        let values = values.lines().map(|line| serde_json::from_str(line).unwrap());
        let mut messages: Vec<Value> = values
            .filter(|value: &Value| value["reason"] == "compiler-message")
            .map(|value| without_bindings(&value))
            .collect();
        // Several programs are compiled at the same time.
        messages.sort_by_key(Value::to_string);
        let is_success = read("status").trim() == "0";
        let programs = read("sum").trim().to_owned();
        messages.push(
            json!({ "reason": "build-finished", "success": is_success, "programs": programs }),
        );
        messages
    }

    /// Returns the recorded messages of all checks.
    fn recorded(&self) -> Vec<Vec<Value>> {
        let text = fs::read_to_string(&self.file).unwrap_or_default();
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let checks = lines.split_inclusive(|line| line["reason"] == "build-finished");
        checks.map(<[Value]>::to_vec).collect()
    }

    fn count(&self) -> usize {
        fs::read_to_string(self.folder.join("count")).unwrap().trim().parse().unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.join(name), text).unwrap();
    }
}

impl Drop for Messages {
    /// All that is recorded was used.
    fn drop(&mut self) {
        if !thread::panicking() {
            assert_eq!(self.count(), self.recorded().len(), "{}", self.file.display());
        }
    }
}

/// Returns `record` or `compare`; otherwise nothing is compiled.
fn mode() -> Option<String> {
    env::var("MESSAGES").ok()
}

/// Returns what `migrate` reads of a message, without places outside of the programs.
fn without_bindings(value: &Value) -> Value {
    let spans = |value: &Value| -> Vec<Value> {
        let all = value["spans"].as_array().unwrap().iter();
        let is_of_program = |span: &&Value| {
            let file = span["file_name"].as_str().unwrap();
            !file.starts_with("COPY/pets/") && (file.starts_with("COPY/") || !file.starts_with('/'))
        };
        let keys = [
            "file_name",
            "byte_start",
            "byte_end",
            "line_start",
            "column_start",
            "label",
            "suggested_replacement",
            "is_primary",
        ];
        all.filter(is_of_program)
            .map(|span| keys.into_iter().map(|key| (key.to_owned(), span[key].clone())).collect())
            .collect()
    };
    let message = &value["message"];
    let children = message["children"].as_array().unwrap().iter();
    let children = children.map(|it| json!({ "message": it["message"], "spans": spans(it) }));
    json!({
        "reason": value["reason"],
        "manifest_path": value["manifest_path"],
        "target": { "name": value["target"]["name"] },
        "message": {
            "code": { "code": message["code"]["code"] },
            "level": message["level"],
            "message": message["message"],
            "spans": spans(message),
            "children": children.collect::<Vec<_>>(),
        },
    })
}

#[test]
#[ignore = "part of `cargo ci --all`: it compiles all programs"]
fn rustc_says_what_is_recorded() {
    let mut tests = Command::new(env::current_exe().unwrap());
    let output = tests.env("MESSAGES", "compare").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
