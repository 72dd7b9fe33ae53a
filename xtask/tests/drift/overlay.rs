//! The overlay that `drift` writes.

use std::fs;
use std::process::Command;

use serde_json::json;

use crate::{case, entry, pet, text, xtask};

#[test]
fn changes_are_added_to_an_overlay_that_is_applied() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::copy(case().join("openapi.yaml"), folder.join("openapi.yaml")).unwrap();
    let run = |property: &str| {
        let mut pet = pet();
        pet[property] = json!(1);
        let traffic = entry(&pet).to_string();
        let arguments =
            ["drift", "--spec", "openapi.yaml", "--min", "1", "--overlay", "overlay.yaml", "-"];
        let output = xtask(folder, &arguments, &traffic);
        (output.status.code(), text(output.stderr))
    };
    let (code, message) = run("first");
    assert_eq!(code, Some(5), "{message}");
    fs::write(folder.join("codegen.toml"), "overlays = [\"overlay.yaml\"]\n").unwrap();
    let overlay = folder.join("overlay.yaml");
    let before = fs::read_to_string(&overlay).unwrap().replace("actions:", "# By hand.\nactions:");
    fs::write(&overlay, &before).unwrap();
    let (code, message) = run("second");
    assert_eq!(code, Some(5), "{message}");
    let all = fs::read_to_string(&overlay).unwrap();
    assert!(all.starts_with(&before) && all.contains("second:"), "{all}");
    for property in ["first", "second"] {
        assert_eq!(run(property).0, Some(0), "{property}");
    }
    assert_eq!(fs::read_to_string(&overlay).unwrap(), all);

    // The lines of the file end as before.
    fs::write(&overlay, all.replace('\n', "\r\n")).unwrap();
    assert_eq!(run("windows").0, Some(5));
    let windows = fs::read_to_string(&overlay).unwrap();
    assert!(windows.contains("windows:"), "{windows}");
    assert_eq!(windows.matches("\r\n").count(), windows.matches('\n').count());

    // A later overlay could hide the changes.
    fs::write(folder.join("later.yaml"), &all).unwrap();
    fs::write(folder.join("codegen.toml"), "overlays = [\"overlay.yaml\", \"later.yaml\"]\n")
        .unwrap();
    let (code, message) = run("third");
    assert_eq!(code, Some(1), "{message}");
    assert!(message.contains("other overlays are applied after it"), "{message}");
    assert_eq!(fs::read_to_string(&overlay).unwrap(), windows);
    fs::write(folder.join("codegen.toml"), "overlays = [\"overlay.yaml\"]\n").unwrap();

    // A list with another form at its end.
    let other =
        all.replace("\n- ", "\n  - ").replace("\n  ", "\n    ").replace("\n    - ", "\n  - ");
    for other in [other, "overlay: 1.1.0\ninfo: {title: a, version: '1'}\nactions: []\n".to_owned()]
    {
        fs::write(&overlay, &other).unwrap();
        let (code, message) = run("third");
        assert_eq!(code, Some(1), "{message}");
        assert!(message.contains("a list without indentation"), "{message}");
        assert_eq!(fs::read_to_string(&overlay).unwrap(), other);
    }
}

#[test]
#[cfg(unix)]
fn a_run_that_cannot_write_leaves_the_overlay_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::copy(case().join("openapi.yaml"), folder.join("openapi.yaml")).unwrap();
    fs::write(folder.join("codegen.toml"), "overlays = [\"overlay.yaml\"]\n").unwrap();
    let long = "# By hand.\n".repeat(1_000);
    let before = format!(
        "overlay: 1.1.0\ninfo: {{title: a, version: '1'}}\n{long}actions:\n- target: $\n  update: {{}}\n"
    );
    let overlay = folder.join("overlay.yaml");
    fs::write(&overlay, &before).unwrap();
    let mut pet = pet();
    pet["first"] = json!(1);
    fs::write(folder.join("traffic.har"), entry(&pet).to_string()).unwrap();
    let drift = "drift --spec openapi.yaml --min 1 --overlay overlay.yaml traffic.har".split(' ');
    let run = |limit: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{limit}; exec \"$@\""), "sh"]).current_dir(folder);
        command.arg(env!("CARGO_BIN_EXE_openapi-bindings")).args(drift.clone());
        let output = command.output().unwrap();
        (output.status.code(), text(output.stderr))
    };
    let beside = || fs::read_dir(folder).unwrap().count();
    let files = beside();

    // The disk is full after some blocks.
    let (code, message) = run("trap '' XFSZ; ulimit -f 4");
    assert_eq!(code, Some(1), "{message}");
    assert!(message.contains("cannot write") && message.contains("overlay.yaml"), "{message}");
    assert_eq!(fs::read_to_string(&overlay).unwrap(), before);
    assert_eq!(beside(), files);

    // The signal kills the run while it writes.
    let (code, message) = run("ulimit -c 0; ulimit -f 4");
    assert_eq!(code, None, "{message}");
    assert_eq!(fs::read_to_string(&overlay).unwrap(), before);

    let (code, message) = run(":");
    assert_eq!(code, Some(5), "{message}");
    assert!(fs::read_to_string(&overlay).unwrap().contains("first:"));
    assert_eq!(beside(), files, "the next run deletes what the killed one left");
}
