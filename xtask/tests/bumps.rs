//! Two revisions of a spec for every class of change, with the reports of `cargo xtask diff`, which `cargo xtask probe` checks
//! against rustc (`xtask/checks/tests/probe.rs`).

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod release;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns the folders, each with an `old.yaml` and a `new.yaml`.
fn bumps() -> Vec<PathBuf> {
    let entries = fs::read_dir(bump("")).unwrap();
    let mut folders: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

fn bump(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/bumps").join(name)
}

fn xtask(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_openapi-bindings"));
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1").output().unwrap()
}

#[test]
fn reports_are_as_reviewed() {
    let [mut accepted, mut confirmed] = [0, 0];
    for folder in bumps() {
        let output = xtask(&folder, &["diff", "--verbose", "old.yaml", "new.yaml"]);
        assert!(output.status.success(), "{}: {output:?}", folder.display());
        let report = String::from_utf8(output.stdout).unwrap();
        let notes = String::from_utf8_lossy(&output.stderr);
        // Without blank lines, and the last ones, which are the same of most: `groups.rs` shows them.
        let is_of_most = |line: &&str| {
            line.ends_with(": 1.0.0, unchanged") || line.ends_with("(breaking changes by the spec)")
        };
        let is_own = |line: &&str| !line.is_empty() && !is_of_most(line);
        // What sends a request in another way has the result of `send()`.
        let is_own = |line: &&str| {
            is_own(line) && !line.contains("::send_raw") && !line.ends_with("::send_blocking()")
        };
        let own: Vec<_> = report.lines().filter(is_own).collect();
        // A fingerprint has no line of its own: it changes only with another line.
        let own = own.join("\n").replace("\n   = fingerprint ", " = fingerprint ");
        snapshot(&folder, "report", &own);
        let is_breaking = report.lines().any(|line| line.starts_with("breaking"));
        assert_eq!(notes.contains("--to new.yaml MANIFEST`"), is_breaking, "{report}{notes}");
        if let Some(lines) = aliases(&report) {
            assert_accepts(&lines, &folder.join("new.yaml"));
            accepted += 1;
        }
        let pairs: Vec<&str> = report.split("if so: --accept '").skip(1).collect();
        let pairs: Vec<&str> = pairs.iter().map(|it| it.split_once('\'').unwrap().0).collect();
        if !pairs.is_empty() {
            let options = pairs.iter().flat_map(|pair| ["--accept", *pair]);
            let arguments = ["diff", "old.yaml", "new.yaml"].into_iter().chain(options);
            let output = xtask(&folder, &arguments.collect::<Vec<_>>());
            let certain = String::from_utf8(output.stdout).unwrap();
            assert!(output.status.success(), "{:?}", output.stderr);
            assert!(!pairs.iter().any(|pair| certain.contains(pair)), "{certain}");
            let renamed = |text: &str| text.matches("` is renamed to `").count();
            assert_eq!(renamed(&certain), renamed(&report) + pairs.len(), "{certain}");
            confirmed += pairs.len();
        }
    }
    assert!(accepted > 9 && confirmed > 1, "{accepted} {confirmed}");
}

fn snapshot(folder: &Path, name: &str, text: &str) {
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn all_formats_report_the_same() {
    let folder = bump("formats");
    let rendered = ["json", "markdown", "github", "upgrade"].map(|format| {
        let output = xtask(&folder, &["diff", "--format", format, "old.yaml", "new.yaml"]);
        let text = String::from_utf8(output.stdout).unwrap();
        let lines = text.lines().filter(|line| !line.is_empty());
        snapshot(&folder, format, &lines.collect::<Vec<_>>().join("\n"));
        text
    });
    let report: serde_json::Value = serde_json::from_str(&rendered[0]).unwrap();
    for change in report["changes"].as_array().unwrap() {
        let title = change["title"].as_str().unwrap();
        assert!(rendered.iter().all(|text| text.contains(title)), "{title}");
    }
}

#[test]
fn an_upgrade_guide_tells_edits_from_decisions() {
    let guide = |name: &str, arguments: &[&str]| {
        let arguments = [&["diff", "--format", "upgrade"], arguments].concat();
        String::from_utf8(xtask(&bump(name), &arguments).stdout).unwrap()
    };
    let files = ["old.yaml", "new.yaml"];
    let [commands, by_hand, _] = chapters(&guide("perhaps-renamed", &files));
    let line = " \\\n    --accept 'models::Keeper=models::PetKeeper' Cargo.toml\n";
    assert!(commands.contains(line), "{commands}");
    assert!(by_hand.contains("\n- [ ] `models::Keeper` is removed\n"), "{by_hand}");
    let accepted = [&files[..], &["--accept", "models::Keeper=models::PetKeeper"]].concat();
    let [commands, by_hand, _] = chapters(&guide("perhaps-renamed", &accepted));
    // What else is perhaps renamed is only found now.
    let command = "--to new.yaml --accept 'models::Keeper=models::PetKeeper' \\\n    --accept 'models::Keeper::phone=";
    assert!(commands.contains(command), "{commands}");
    let edited = "\n- `models::Keeper` is renamed to `models::PetKeeper`\n";
    assert!(commands.contains(edited), "{commands}");
    assert!(by_hand.contains("- [ ] `models::Keeper.age` has another type"), "{by_hand}");
    // A renamed operation has another `operationId` and request, too.
    let [commands, by_hand, _] = chapters(&guide("operation-renamed-with-result", &files));
    assert!(commands.contains("Pets::list()` is renamed to `"), "{commands}");
    assert!(by_hand.contains("`pets().list` returns another type"), "{by_hand}");
    let [commands, by_hand, wire] = chapters(&guide("property-renamed", &files));
    let [name, wire_name] = ["Pet.name` is renamed to `", "Pet.name` is sent or received in"];
    assert!(commands.contains(name) && !by_hand.contains(name), "{commands}");
    assert!(wire.contains(wire_name) && !by_hand.contains(wire_name), "{wire}");
    let same = guide("formats", &["old.yaml", "old.yaml"]);
    assert!(same.ends_with("`\n\nNothing differs: there is nothing to do.\n"), "{same}");
}

/// Returns the commands of a guide, the decisions, and what compiles but means something else.
fn chapters(guide: &str) -> [String; 3] {
    let (rest, wire) = guide.split_once("## Check what compiles").unwrap_or((guide, ""));
    let (commands, by_hand) = rest.split_once("## Decide by hand").unwrap_or((rest, ""));
    [commands, by_hand, wire].map(str::to_owned)
}

#[test]
fn names_end_no_block_of_an_upgrade_guide() {
    let folder = tempfile::tempdir().unwrap();
    let old = fs::read_to_string(bump("formats").join("old.yaml")).unwrap();
    let old = old.replace("email: {", "\"```\\n  ```\\n# `a`\": {");
    fs::write(folder.path().join("old.yaml"), old).unwrap();
    fs::copy(bump("formats").join("new.yaml"), folder.path().join("new.yaml")).unwrap();
    let arguments = ["diff", "--format", "upgrade", "old.yaml", "new.yaml"];
    let guide = String::from_utf8(xtask(folder.path(), &arguments).stdout).unwrap();
    let usual = String::from_utf8(xtask(&bump("formats"), &arguments).stdout).unwrap();
    let fences = |text: &str| -> Vec<usize> {
        let lines = text.lines().enumerate();
        lines.filter(|(_, line)| line.trim_start().starts_with("```")).map(|it| it.0).collect()
    };
    assert_eq!(fences(&guide), fences(&usual), "{guide}");
    assert!(guide.contains(r#" as "```\n  ```\n# `a`""#), "{guide}");
}

#[test]
fn proposed_aliases_keep_programs_compiling() {
    // `reports_are_as_reviewed` and `cargo xtask probe` show that programs still compile with them.
    let folder = tempfile::tempdir().unwrap();
    for name in ["old.yaml", "new.yaml"] {
        fs::copy(bump("aliased").join(name), folder.path().join(name)).unwrap();
    }
    let output = xtask(folder.path(), &["diff", "old.yaml", "new.yaml"]);
    let report = String::from_utf8(output.stdout).unwrap();
    let settings = fs::read_to_string(bump("aliased").join("codegen.toml")).unwrap();
    assert_eq!(settings, aliases(&report).unwrap());
}

/// Returns the lines of a report for `codegen.toml`, if it has any.
fn aliases(report: &str) -> Option<String> {
    let (_, lines) = report.split_once("\n[aliases]\n")?;
    let lines: Vec<&str> = lines.lines().take_while(|line| line.starts_with('"')).collect();
    Some(format!("[aliases]\n{}\n", lines.join("\n")))
}

fn assert_accepts(aliases: &str, spec: &Path) {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(spec, folder.path().join("openapi.yaml")).unwrap();
    let settings = format!("{aliases}[runtime]\nversion = \"1\"\n");
    fs::write(folder.path().join("codegen.toml"), settings).unwrap();
    let arguments = ["codegen", "--spec", "openapi.yaml", "--out", "out", "--package", "pets"];
    let output = xtask(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}: {output:?}", spec.display());
}

#[test]
fn only_a_removed_item_can_be_the_new_one() {
    let folder = bump("perhaps-renamed");
    for (pair, message) in [
        ("models::Keeper", "expected two names"),
        ("models::Keeper=models::Nobody", "`models::Keeper` is not removed, or"),
        ("models::Keeper.phone=models::PetKeeper", "not items of the same kind"),
        ("models::PetKeeper=models::Keeper", "is not removed"),
    ] {
        let output = xtask(&folder, &["diff", "old.yaml", "new.yaml", "--accept", pair]);
        let messages = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && messages.contains(message), "{messages}");
    }
}

#[test]
fn aliases_that_are_not_possible_are_errors_in_their_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(bump("added").join("old.yaml"), folder.path().join("openapi.yaml")).unwrap();
    let settings = "[aliases]\n\"models::Animal\" = \"models::Pets\"\n\"models::NewPet\" = \"models::Pet\"\n\
        \"models::pet::Cat\" = \"models::Pet\"\n\"models::Pet::label\" = \"models::Pet::name\"\n\
        \"models::Sort::Cat\" = \"models::Kind::Cat\"\n\"models::Kind::Dog\" = \"models::Kind::Cat\"\n\
        \"models::a pet\" = \"models::Pet\"\n\"models::Old // c\" = \"models::Pet\"\n\"Pet\" = \"models::Pet\"\n\"Client::zoo\" = \"Client::from_env\"\n\
        \"models::con::Old\" = \"models::Pet\"\n\"models::CON::Old\" = \"models::Pet\"\n\"models::Option\" = \"models::Pet\"\n";
    fs::write(folder.path().join("codegen.toml"), settings).unwrap();
    let arguments = ["codegen", "--spec", "openapi.yaml", "--out", "out", "--package", "pets"];
    let output = xtask(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(String::from_utf8(output.stderr).unwrap());
}

#[test]
fn the_package_and_pinned_names_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let spec = fs::read_to_string(bump("added").join("old.yaml")).unwrap();
    for (name, schema) in [("zoo", "Owner"), ("ark", "Keeper")] {
        let folder = folder.path().join(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("openapi.yaml"), spec.replace("Owner", schema)).unwrap();
        let settings = format!(
            "[package]\nname = \"{name}\"\n[renames]\n\"/components/schemas/{schema}\" = \"Holder\"\n"
        );
        fs::write(folder.join("codegen.toml"), settings).unwrap();
    }
    let arguments = ["diff", "--format", "json", "zoo/openapi.yaml", "ark/openapi.yaml"];
    let output = xtask(folder.path(), &arguments);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let changes = report["changes"].as_array().unwrap();
    let [change, prefix] = changes.as_slice() else { panic!("{changes:#?}") };
    assert_eq!(change["title"], "`zoo` is renamed to `ark`");
    assert_eq!([&change["origin"], &change["class"]], ["configuration", "breaking"]);
    assert_eq!(prefix["title"], "`ClientBuilder (env-prefix)` is `\"ARK\"`, no longer `\"ZOO\"`");
}

/// A git repository with a spec, as a separate workspace.
struct Repository(tempfile::TempDir);

impl Repository {
    fn new(spec: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("spec")).unwrap();
        fs::copy(spec, folder.path().join("spec/openapi.yaml")).unwrap();
        let repository = Self(folder);
        repository.write("spec/codegen.toml", "[package]\nname = \"pets\"\nversion = \"1.0.0\"\n");
        assert!(repository.run("git", &["init", "--quiet"]).status.success());
        repository.commit();
        repository
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.path().join(path)).unwrap()
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(program);
        // Cargo's variables locate the workspace.
        command.env("CARGO_MANIFEST_DIR", self.0.path().join("xtask"));
        command.env("SOURCE_DATE_EPOCH", "1795305600").env("NO_COLOR", "1");
        command.args(arguments).current_dir(self.0.path()).output().unwrap()
    }

    fn xtask(&self, arguments: &[&str]) -> Option<i32> {
        self.run(env!("CARGO_BIN_EXE_openapi-bindings"), arguments).status.code()
    }

    fn commit(&self) {
        let author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
        assert!(self.run("git", &["add", "."]).status.success());
        let commit = [&author[..], &["commit", "--quiet", "-m", "spec"]].concat();
        assert!(self.run("git", &commit).status.success());
    }
}

#[test]
fn a_stale_crate_is_refused_before_the_gate() {
    let repository = Repository::new(&bump("added").join("old.yaml"));
    assert_eq!(repository.xtask(&["diff", "--deny", "breaking"]), Some(4));
    assert_eq!(repository.xtask(&["codegen"]), Some(0));
    assert_eq!(repository.xtask(&["diff", "--deny", "breaking"]), Some(0));
}

#[test]
fn changes_by_the_generator_are_reported_as_such() {
    let repository = Repository::new(&bump("added").join("old.yaml"));
    assert_eq!(repository.xtask(&["codegen"]), Some(0));
    // As if an older generator had written the list.
    let list = repository.read("generated/api.txt");
    let older = list.replace("\n    id: Option<String>", "\n    id: Option<i64>");
    repository.write("generated/api.txt", &older);
    repository.commit();
    let spec = repository.read("spec/openapi.yaml");
    repository.write("spec/openapi.yaml", &["# A line.\n", &spec].concat());
    let output = repository.run(env!("CARGO_BIN_EXE_openapi-bindings"), &["diff"]);
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap());

    repository.write("generated/api.txt", "what another generator lists\n");
    repository.commit();
    let output = repository.run(env!("CARGO_BIN_EXE_openapi-bindings"), &["diff"]);
    let messages = String::from_utf8(output.stderr).unwrap();
    let expected = "api.txt of spec/openapi.yaml at HEAD has another format";
    assert!(messages.contains(expected), "{messages}");
}

/// Returns a repository whose last commit removes a field since the last release.
fn with_lost_field() -> Repository {
    let folder = bump("field-lost");
    let repository = Repository::new(&folder.join("old.yaml"));
    let spec = fs::read_to_string(folder.join("new.yaml")).unwrap();
    repository.write("spec/openapi.yaml", &spec);
    assert_eq!(repository.xtask(&["codegen"]), Some(0));
    repository.commit();
    repository
}

#[test]
fn the_gate_compares_with_the_last_release() {
    let repository = with_lost_field();
    assert_eq!(repository.xtask(&["diff", "--deny", "breaking", "HEAD"]), Some(0));
    assert_eq!(repository.xtask(&["diff", "--deny", "breaking"]), Some(100));

    let waiver = |fingerprint: &str| {
        let waiver = format!("[[waiver]]\nfingerprint = \"{fingerprint}\"\nreason = \"unused\"\n");
        repository.write("spec/waivers.toml", &waiver);
        repository.run(env!("CARGO_BIN_EXE_openapi-bindings"), &["diff", "--deny", "breaking"])
    };
    let denied = String::from_utf8(waiver("0").stderr).unwrap();
    let (_, fingerprint) = denied.trim_end().rsplit_once(' ').unwrap();
    assert_eq!(waiver(fingerprint).status.code(), Some(0));

    let settings = repository.read("spec/codegen.toml");
    repository.write("spec/codegen.toml", &settings.replace("1.0.0", "2.0.0"));
    assert_eq!(waiver(fingerprint).status.code(), Some(0));
    let unused = waiver("0");
    assert_eq!(unused.status.code(), Some(1));
    let message = String::from_utf8(unused.stderr).unwrap();
    assert!(message.contains("no change matches the waivers of 0"), "{message}");
}

#[test]
fn other_changes_of_the_emitted_files_are_documentation() {
    let repository = Repository::new(&bump("added").join("old.yaml"));
    assert_eq!(repository.xtask(&["codegen"]), Some(0));
    repository.commit();
    let spec = repository.read("spec/openapi.yaml");
    let settings = repository.read("spec/codegen.toml");
    let readme = repository.read("generated/README.md");
    for (file, text, by) in [
        ("spec/openapi.yaml", spec.replace("Pet Store API", "Pets API"), "spec"),
        ("spec/codegen.toml", settings.replace("name", "license = \"MIT\"\nname"), "configuration"),
        ("generated/README.md", readme + "By an older generator.\n", "generator"),
    ] {
        let before = repository.read(file);
        repository.write(file, &text);
        let output =
            repository.run(env!("CARGO_BIN_EXE_openapi-bindings"), &["diff", "--format", "json"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["version"]["class"], "documentation", "{file}");
        assert_eq!(report["version"]["decided_by"], by, "{file}");
        assert_eq!(report["version"]["suggested"], "1.0.1", "{file}");
        repository.write(file, &before);
    }
    repository.write("spec/openapi.yaml", &spec.replace("Pet Store API", "Pets API"));
    let output = repository.run(env!("CARGO_BIN_EXE_openapi-bindings"), &["codegen"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("\ncompatible: other changes of the emitted files\n"), "{text}");
    repository.write("spec/openapi.yaml", &spec);
    assert_eq!(repository.xtask(&["codegen"]), Some(0));
    // Neither formatting nor the version changes the text.
    repository.write("spec/openapi.yaml", &["# A line.\n", &spec].concat());
    repository.write("spec/codegen.toml", &settings.replace("1.0.0", "1.5.0"));
    let output = repository.run(env!("CARGO_BIN_EXE_openapi-bindings"), &["diff"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text, "nothing differs between spec/openapi.yaml at HEAD and spec/openapi.yaml\n");
}

#[test]
fn a_shallow_clone_has_no_last_release() {
    let repository = Repository::new(&bump("field-lost").join("old.yaml"));
    assert_eq!(repository.xtask(&["codegen"]), Some(0));
    repository.commit();
    let url = format!("file://{}", repository.0.path().display());
    let clone = Repository(tempfile::tempdir().unwrap());
    let arguments = ["clone", "--quiet", "--depth", "1", &url, "."];
    assert!(clone.run("git", &arguments).status.success());
    let output = clone.run(env!("CARGO_BIN_EXE_openapi-bindings"), &["diff", "--deny", "breaking"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("too shallow"), "{message}");
}

#[test]
fn the_gate_follows_the_version_and_the_waivers() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
    let pair = bump("field-lost");
    for (to, from) in [(&old, "old.yaml"), (&new, "new.yaml")] {
        fs::create_dir(to).unwrap();
        fs::copy(pair.join(from), to.join("openapi.yaml")).unwrap();
        fs::write(to.join("codegen.toml"), "[package]\nversion = \"1.2.3\"\n").unwrap();
    }
    let arguments = "diff --deny breaking --format json old/openapi.yaml new/openapi.yaml";
    let gate = || xtask(folder.path(), &arguments.split(' ').collect::<Vec<_>>());
    let denied = gate();
    assert_eq!(denied.status.code(), Some(100));
    let report: serde_json::Value = serde_json::from_slice(&denied.stdout).unwrap();
    assert_eq!(report["version"]["suggested"], "2.0.0");
    let fingerprint = report["changes"][0]["fingerprint"].as_str().unwrap();
    assert!(String::from_utf8_lossy(&denied.stderr).contains(fingerprint));

    let waiver =
        format!("[[waiver]]\nfingerprint = \"{fingerprint}\"\nreason = \"nobody reads it\"\n");
    fs::write(new.join("waivers.toml"), waiver).unwrap();
    assert_eq!(gate().status.code(), Some(0));
    fs::write(new.join("waivers.toml"), "[[waiver]]\nfingerprint = \"0\"\nreason = \"other\"\n")
        .unwrap();
    assert_eq!(gate().status.code(), Some(100));

    for (version, code) in [("1.3.0", 100), ("2.0.0", 0)] {
        fs::write(new.join("codegen.toml"), format!("[package]\nversion = \"{version}\"\n"))
            .unwrap();
        assert_eq!(gate().status.code(), Some(code), "{version}");
    }
    fs::write(new.join("openapi.yaml"), "openapi: 3.1.0\n").unwrap();
    assert_eq!(gate().status.code(), Some(2));
}

#[test]
fn only_another_version_of_the_package_is_a_release() {
    let repository = with_lost_field();
    let settings = repository.read("spec/codegen.toml");
    let git = "[runtime]\ngit = \"https://example.com/runtime.git\"\n";
    for edited in [
        [&settings, git, "version = \"0.1\"\n"].concat(),
        settings.replace("version = ", "version  =  "),
        settings.replace('\n', "\r\n"),
        settings.replace("\"1.0.0\"", "'1.0.0'"),
        "not TOML".to_owned(),
        settings,
    ] {
        repository.write("spec/codegen.toml", &edited);
        repository.commit();
    }
    assert_eq!(repository.xtask(&["codegen"]), Some(0));
    assert_eq!(repository.xtask(&["diff", "--deny", "breaking"]), Some(100));
}

#[test]
fn errors_of_the_old_spec_do_not_stop_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let pair = bump("field-lost");
    let old = fs::read_to_string(pair.join("old.yaml")).unwrap();
    let old = old.replace("  /pets:\n", "  /pets:\n    get: {operationId: pets.broken, tags: [pets], parameters: [{$ref: '#/components/parameters/None'}], responses: {'204': {description: A.}}}\n");
    fs::write(folder.path().join("old.yaml"), &old).unwrap();
    fs::copy(pair.join("new.yaml"), folder.path().join("new.yaml")).unwrap();
    let output = xtask(folder.path(), &["diff", "old.yaml", "new.yaml"]);
    let messages = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{messages}");
    let texts = ["old.yaml has errors", "old.yaml:17"];
    assert!(texts.iter().all(|text| messages.contains(text)), "{messages}");
    let expected = xtask(&pair, &["diff", "old.yaml", "new.yaml"]);
    let [report, expected] = [output.stdout, expected.stdout].map(|text| {
        // The lines of the old spec are others.
        let text = String::from_utf8(text).unwrap();
        text.lines().filter(|line| !line.contains("-->")).collect::<Vec<_>>().join("\n")
    });
    assert_eq!(report, expected);
    // Those of the new one do.
    let output = xtask(folder.path(), &["diff", "new.yaml", "old.yaml"]);
    assert_eq!(output.status.code(), Some(2));
}
