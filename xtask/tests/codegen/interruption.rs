//! Runs that are killed, and runs that meet.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Child;

use crate::scene::{Scene, contents, description, is_emitted};

const KILLED_RUNS: usize = 40;

type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Two descriptions of one workspace, and the crates that they become.
struct Versions {
    scene: Scene,
    crates: [Files; 2],
}

const SPECS: [[&str; 4]; 2] =
    [["--spec", "spec/a.yaml", "--out", "out"], ["--spec", "spec/b.yaml", "--out", "out"]];

impl Versions {
    fn new() -> Self {
        let scene = Scene::new();
        scene.put("spec/a.yaml", description(&["cat", "dog", "fish"]));
        scene.put("spec/b.yaml", description(&["cat", "horse", "owl", "rat"]));
        let crates = SPECS.map(|arguments| {
            let run = scene.codegen(&arguments);
            assert_eq!(run.code, Some(0), "{}", run.messages);
            contents(scene.snapshot("out"))
        });
        assert_ne!(crates[0], crates[1]);
        scene.put("out/Cargo.lock", "locked");
        scene.put("out/target/built", "built");
        Self { scene, crates }
    }

    /// Demands one of the two crates, whole.
    fn demand_either(&self) {
        let mut now = contents(self.scene.snapshot("out"));
        now.retain(|path, _| is_emitted(path));
        assert!(self.crates.contains(&now), "a mix: {:?}", now.keys());
    }

    /// Demands this crate, what the user keeps there, and nothing beside it.
    fn demand_clean(&self, version: usize) {
        let run = self.scene.codegen(&SPECS[version]);
        assert_eq!(run.code, Some(0), "{}", run.messages);
        let mut expected = self.crates[version].clone();
        expected.insert("Cargo.lock".into(), b"locked".to_vec());
        expected.insert("target/built".into(), b"built".to_vec());
        assert_eq!(contents(self.scene.snapshot("out")), expected);
        assert_eq!(self.scene.names(""), ["Cargo.toml", "out", "runtime", "spec", "xtask"]);
    }

    /// Kills a run some looks after it began to change something, or lets it end where it is faster.
    fn kill(&self, mut run: Child, looks: usize) {
        let staging = self.scene.path(".out.codegen-new");
        let mut seen = 0;
        while run.try_wait().unwrap().is_none() {
            seen += usize::from(seen > 0 || staging.exists());
            if seen > looks {
                run.kill().unwrap();
            }
        }
    }
}

#[test]
fn a_killed_run_leaves_the_old_crate_or_the_new_one() {
    let versions = Versions::new();
    for run in 0..KILLED_RUNS {
        let child = versions.scene.start(&SPECS[run % 2]);
        versions.kill(child, run * run);
        versions.demand_either();
    }
    versions.demand_clean(0);
    versions.demand_clean(1);
}

#[test]
fn runs_that_meet_do_not_mix() {
    let versions = Versions::new();
    let children: Vec<_> = (0..12).map(|run| versions.scene.start(&SPECS[run % 2])).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    versions.demand_either();
    versions.demand_clean(1);
}
