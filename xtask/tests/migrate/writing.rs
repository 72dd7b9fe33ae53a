//! Which files `migrate --write` replaces.

use crate::faults::{MAIN, app};

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
