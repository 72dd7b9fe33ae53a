//! `cargo xtask release`.

use std::fs;
use std::path::Path;

use crate::{Repository, bump};

const CHANGELOG: &str = "generated/CHANGELOG.md";

#[test]
fn aliases_stay_until_the_next_breaking_release() {
    let folder = bump("aliased");
    let repository = Repository::new(&folder.join("old.yaml"));
    let aliases = fs::read_to_string(folder.join("codegen.toml")).unwrap();
    let spec = fs::read_to_string(folder.join("new.yaml")).unwrap();
    repository.write("spec/openapi.yaml", &spec);
    let settings = repository.read("spec/codegen.toml");
    repository.write("spec/codegen.toml", &[&settings, "\n", &aliases].concat());
    assert_eq!(repository.xtask(&["release"]), Some(0));
    let settings = settings.replace("1.0.0", "1.1.0");
    assert_eq!(repository.read("spec/codegen.toml"), [&settings, "\n", &aliases].concat());
    repository.commit();

    repository.write("spec/openapi.yaml", &spec.replace("        email: {type: string}\n", ""));
    assert_eq!(repository.xtask(&["release", "1.1.1"]), Some(100));
    assert_eq!(repository.xtask(&["release"]), Some(0));
    let settings = settings.replace("1.1.0", "2.0.0");
    assert_eq!(repository.read("spec/codegen.toml"), settings);
    assert!(!repository.read("generated/api.txt").contains("alias"));
    insta::assert_snapshot!(repository.read(CHANGELOG));
}

#[test]
fn a_release_can_be_repeated_and_needs_a_change() {
    let folder = bump("added");
    let repository = Repository::new(&folder.join("old.yaml"));
    assert_eq!(repository.xtask(&["release"]), Some(1));
    repository.write("spec/openapi.yaml", &fs::read_to_string(folder.join("new.yaml")).unwrap());
    repository.write(CHANGELOG, "# Changelog\n\n## Unreleased\n\n### Fixed\n\n- By hand.\n");
    repository.commit();
    let files = ["spec/codegen.toml", CHANGELOG, "generated/Cargo.toml", "generated/api.txt"];
    let release = || {
        assert_eq!(repository.xtask(&["release"]), Some(0));
        files.map(|name| repository.read(name))
    };
    let released = release();
    insta::assert_snapshot!(released[1]);
    assert!(released[2].contains("version = \"1.1.0\""), "{}", released[2]);
    // Nobody knows who wrote lines of a section that is not committed.
    let output = repository.run(env!("CARGO_BIN_EXE_openapi-bindings"), &["release"]);
    let message = String::from_utf8(output.stderr).unwrap();
    let expected =
        "error: `generated/CHANGELOG.md` has a section for 1.1.0, which is not committed\n";
    assert!(message.starts_with(expected), "{message}");
    assert_eq!(files.map(|name| repository.read(name)), released);
    // Another change before the commit.
    let restored = repository.run("git", &["restore", CHANGELOG]);
    assert!(restored.status.success(), "{restored:?}");
    assert_eq!(release(), released);
    repository.commit();
    assert_eq!(repository.xtask(&["release"]), Some(1));
}

#[test]
fn only_what_warns_programs_is_listed_as_deprecated() {
    for (name, listed) in
        [("path-parameter-renamed", "### Changed"), ("deprecated", "### Deprecated")]
    {
        let folder = bump(name);
        let repository = Repository::new(&folder.join("old.yaml"));
        let spec = fs::read_to_string(folder.join("new.yaml")).unwrap();
        repository.write("spec/openapi.yaml", &spec);
        assert_eq!(repository.xtask(&["release"]), Some(0));
        let changelog = repository.read(CHANGELOG);
        let mut headings = changelog.lines().filter(|line| line.starts_with("### "));
        let others = ["### Changed", "### Deprecated"];
        assert!(headings.all(|it| it == listed || !others.contains(&it)), "{changelog}");
        assert!(changelog.contains(listed), "{changelog}");
    }
}

#[test]
fn a_release_does_not_write_files_that_are_read_only() {
    let folder = bump("added");
    let repository = Repository::new(&folder.join("old.yaml"));
    repository.write("spec/openapi.yaml", &fs::read_to_string(folder.join("new.yaml")).unwrap());
    repository.write(CHANGELOG, "# Changelog\n");
    let files = ["spec/codegen.toml", CHANGELOG];
    let before = files.map(|name| repository.read(name));
    for name in files {
        let path = repository.0.path().join(name);
        let set_read_only = |is_read_only| {
            let mut permissions = fs::metadata(&path).unwrap().permissions();
            permissions.set_readonly(is_read_only);
            fs::set_permissions(&path, permissions).unwrap();
        };
        set_read_only(true);
        assert_eq!(repository.xtask(&["release"]), Some(1), "{name}");
        assert_eq!(files.map(|name| repository.read(name)), before);
        set_read_only(false);
    }
}

#[test]
#[cfg(unix)]
fn a_release_that_cannot_write_leaves_the_files_as_they_were() {
    let folder = bump("added");
    let repository = Repository::new(&folder.join("old.yaml"));
    repository.write("spec/openapi.yaml", &fs::read_to_string(folder.join("new.yaml")).unwrap());
    let long = "- By hand.\n".repeat(1_000);
    repository.write(CHANGELOG, &format!("# Changelog\n\n## Unreleased\n\n{long}"));
    repository.commit();
    let files = ["spec/codegen.toml", CHANGELOG];
    let before = files.map(|name| repository.read(name));
    let program = env!("CARGO_BIN_EXE_openapi-bindings");
    // The disk is full after some blocks: the changelog is too long.
    let full = "trap '' XFSZ; ulimit -f 4; exec \"$0\" release";
    let output = repository.run("sh", &["-c", full, program]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(files.map(|name| repository.read(name)), before);
    let status = repository.run("git", &["status", "--porcelain"]);
    assert_eq!(String::from_utf8(status.stdout).unwrap(), "");
}

#[test]
fn the_lock_file_follows_a_release() {
    let folder = bump("added");
    let repository = Repository::new(&folder.join("old.yaml"));
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime");
    let workspace = "[workspace]\nresolver = \"3\"\nmembers = [\"generated\"]\n";
    repository.write("Cargo.toml", workspace);
    let settings = repository.read("spec/codegen.toml");
    let runtime = format!("\n[runtime]\npath = {:?}\n", runtime.display().to_string());
    repository.write("spec/codegen.toml", &(settings + &runtime));
    assert_eq!(repository.xtask(&["codegen"]), Some(0));
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    repository.write("Cargo.lock", &fs::read_to_string(lock).unwrap());
    let generated = repository.run(env!("CARGO"), &["update", "--workspace", "--offline"]);
    assert!(generated.status.success(), "{generated:?}");
    repository.commit();
    repository.write("spec/openapi.yaml", &fs::read_to_string(folder.join("new.yaml")).unwrap());
    assert_eq!(repository.xtask(&["release"]), Some(0));
    let lock = repository.read("Cargo.lock");
    assert!(lock.contains("name = \"pets\"\nversion = \"1.1.0\""), "{lock}");
}

#[test]
fn what_a_release_left_to_do_is_said() {
    let folder = bump("added");
    let repository = Repository::new(&folder.join("old.yaml"));
    assert_eq!(repository.xtask(&["codegen"]), Some(0));
    repository.write("Cargo.lock", "not TOML");
    repository.commit();
    repository.write("spec/openapi.yaml", &fs::read_to_string(folder.join("new.yaml")).unwrap());
    let output = repository.run(env!("CARGO_BIN_EXE_openapi-bindings"), &["release"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("the release is written, but"), "{stderr}");
    assert!(stderr.contains("run `cargo update --workspace`; do not release again"), "{stderr}");
    assert!(repository.read("spec/codegen.toml").contains("version = \"1.1.0\""));
}

#[test]
fn a_release_with_too_small_a_step_is_denied() {
    let folder = bump("field-lost");
    let repository = Repository::new(&folder.join("old.yaml"));
    assert_eq!(repository.xtask(&["codegen"]), Some(0));
    repository.commit();
    let spec = fs::read_to_string(folder.join("new.yaml")).unwrap();
    repository.write("spec/openapi.yaml", &spec);
    let settings = repository.read("spec/codegen.toml");
    let release = |version: &str| {
        repository.write("spec/codegen.toml", &settings.replace("1.0.0", version));
        assert_eq!(repository.xtask(&["codegen"]), Some(0));
    };
    let gate =
        || repository.run(env!("CARGO_BIN_EXE_openapi-bindings"), &["diff", "--deny", "breaking"]);
    release("1.0.1");
    assert_eq!(gate().status.code(), Some(100));
    repository.commit();
    let denied = gate();
    assert_eq!(denied.status.code(), Some(100));
    let message = String::from_utf8(denied.stderr).unwrap();
    assert!(message.contains("since 1.0.0 may break programs, and the version 1.0.1"), "{message}");

    let (_, fingerprint) = message.trim_end().rsplit_once(' ').unwrap();
    let waiver = format!("[[waiver]]\nfingerprint = \"{fingerprint}\"\nreason = \"unused\"\n");
    repository.write("spec/waivers.toml", &waiver);
    assert_eq!(gate().status.code(), Some(0));
    fs::remove_file(repository.0.path().join("spec/waivers.toml")).unwrap();

    release("2.0.0");
    assert_eq!(gate().status.code(), Some(0));
    repository.commit();
    assert_eq!(gate().status.code(), Some(0));
}
