//! Which files `migrate --write` replaces.

use std::fs::File;
use std::time::SystemTime;

use crate::faults::{MAIN, app, compiled_app};

#[test]
#[cfg(unix)]
fn only_what_git_can_restore_is_written_and_links_stay() {
    let owner =
        "pub fn email(owner: pets::models::Owner) -> Option<String> {\n    owner.email\n}\n";
    let scene = app("restorable", "type-renamed", &["mod link;\n\n", MAIN].concat());
    scene.put("common/link.rs", owner);
    let link = scene.path("app/src/link.rs");
    std::os::unix::fs::symlink("../../common/link.rs", &link).unwrap();
    for file in ["Cargo.toml", "Cargo.lock"] {
        scene.put(&format!("other/{file}"), &scene.get(&format!("app/{file}")));
    }
    let modules =
        "mod ignored;\n#[path = \"../../common/shared.rs\"]\nmod shared;\nmod untracked;\n\n";
    scene.put("other/src/main.rs", &[modules, MAIN].concat());
    scene.put("common/shared.rs", owner);
    scene.put(".gitignore", "target\nignored.rs\n");
    scene.commit();
    assert!(scene.run("git", &["config", "status.showUntrackedFiles", "no"]).status.success());
    let dirty = ["common/shared.rs", "other/src/ignored.rs", "other/src/untracked.rs"];
    for file in dirty {
        scene.put(file, &["// Not committed.\n", owner].concat());
    }

    // One file that git could not restore: none is written, also not those of another manifest.
    let manifests = ["--write", "app/Cargo.toml", "other/Cargo.toml"];
    let (code, text) = scene.migrate(&manifests);
    assert_eq!(code, Some(1), "{text}");
    let listed = dirty
        .map(|file| [" M ", "!! ", "?? "].iter().any(|it| text.contains(&[it, file].concat())));
    assert_eq!(listed, [true; 3], "{text}");
    assert!(!text.contains("link.rs"), "{text}");
    for file in ["common/link.rs"].iter().chain(&dirty) {
        assert!(scene.get(file).ends_with(owner), "{file}");
    }

    let (code, text) = scene.migrate(&[&["--allow-dirty"], &manifests[..]].concat());
    assert_eq!(code, Some(0), "{text}");
    for file in ["common/link.rs"].iter().chain(&dirty) {
        assert!(scene.get(file).ends_with(&owner.replace("Owner", "Keeper")), "{file}");
    }
    assert!(std::fs::symlink_metadata(link).unwrap().is_symlink());
}

#[test]
fn all_files_are_written_or_none() {
    let [main, other] = ["app/src/main.rs", "app/src/other.rs"];
    let module = "mod other;\n\npub fn owner(_: pets::models::Owner) {}\n\n";
    let scene = app("written", "type-renamed", &[module, MAIN].concat());
    let text = "// An Owner.\r\npub fn owner(_: pets::models::Owner) {}\r\n\r\n\
                #[cfg(windows)]\r\npub fn off(_: pets::models::Owner) {}\r\n";
    scene.put(other, text);
    scene.commit();

    // Nothing is left beside a file that cannot be written.
    scene.set_read_only(main, true);
    let (code, output) = scene.migrate(&["--write", "--allow-dirty", "app/Cargo.toml"]);
    assert_eq!(code, Some(1), "{output}");
    assert!(output.contains("main.rs") && output.contains("no file was written"), "{output}");
    assert_eq!(scene.status(), "");
    scene.set_read_only(main, false);

    // Line ends, and code that a `cfg` leaves out, stay.
    let (code, output) = scene.migrate(&["--write", "app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{output}");
    let edited = text.replacen("models::Owner", "models::Keeper", 1);
    assert_eq!(scene.get(other), edited);

    // A second run has nothing to do: that git has changes does not matter.
    let (code, output) = scene.migrate(&["--write", "app/Cargo.toml"]);
    assert_eq!((code, scene.get(other)), (Some(0), edited), "{output}");

    // A run that was killed between two files is completed, and what it left beside them is deleted.
    let written = scene.get(main);
    scene.put(main, &written.replace("Keeper", "Owner"));
    scene.put("app/src/.main.rs.0123456789abcdef.openapi-bindings", "fn");
    let (code, output) = scene.migrate(&["--write", "--allow-dirty", "app/Cargo.toml"]);
    assert_eq!((code, scene.get(main)), (Some(0), written), "{output}");
    assert_eq!(scene.status(), " M app/src/main.rs\n M app/src/other.rs\n");
}

#[test]
fn each_run_compiles_the_files_as_they_are() {
    let main = "app/src/main.rs";
    let text = |function: &str| {
        [&format!("pub fn {function}(_: pets::models::Owner) {{}}\n\n"), MAIN].concat()
    };
    let scene = compiled_app("as-they-are", "type-renamed", &text("first"));
    // With the bindings outside of the repository, only the program differs between two runs.
    assert!(scene.run("git", &["init", "--quiet", "app"]).status.success());
    let migrate = |arguments: &[&str]| {
        let output = scene.apart(&[arguments, &["app/Cargo.toml"]].concat()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let first = migrate(&[]);
    assert!(
        first.0 == Some(0) && first.1.contains("+pub fn first(_: pets::models::Keeper)"),
        "{first:?}"
    );
    assert_eq!(migrate(&[]), first, "the same files again");

    // Another program, whose file is older than the last run.
    scene.put(main, &text("second"));
    let file = File::options().append(true).open(scene.path(main)).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    let (code, report) = migrate(&["--write", "--allow-dirty"]);
    assert_eq!(code, Some(0), "{report}");
    assert!(report.contains("1 edit in 1 file"), "{report}");
    assert_eq!(scene.get(main), text("second").replace("Owner", "Keeper"));
}
