//! `cargo xtask probe`: checks the report of `cargo xtask diff` against the compiler.
//!
//! A generated program uses each public item of the old crate in every way. It is compiled against the new crate: the
//! failing uses must be those that the report calls breaking.

mod project;
mod uses;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ::codegen::compare::compare;
use ::codegen::items::Path as ItemPath;
use ::codegen::{Readable, Settings};
use clap::{Arg, ArgMatches, Command, value_parser};
use toml::de::DeTable;

use crate::host::exit::{Exit, Failure};
use crate::host::read;
use crate::host::terminal::{Terminal, pluralize};
use crate::host::toml_file::{self, Invalid, table};
use crate::host::workspace::Workspace;
use crate::probe::project::{Program, Project};
use crate::settings::SettingsFile;

/// Returns the command line, with its help.
pub fn command() -> Command {
    Command::new("probe")
        .about("Compile every use of the old crate against the new one, and compare with the report of diff")
        .arg(
            Arg::new("specs")
                .value_names(["OLD", "NEW"])
                .value_parser(value_parser!(PathBuf))
                .num_args(2..)
                .required(true)
                .help("Pairs of spec files, the old one first"),
        )
}

/// Probes pairs of specs.
pub fn run(
    arguments: &ArgMatches,
    workspace: &Workspace,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let specs: Vec<&PathBuf> = arguments.get_many("specs").into_iter().flatten().collect();
    if !specs.len().is_multiple_of(2) {
        return Err(Failure::new("the number of specs is odd").help("pass the specs in pairs"));
    }
    let _lock = project::lock(workspace, terminal)?;
    let pairs = specs.chunks_exact(2).enumerate();
    let programs = pairs.map(|(index, pair)| program(index, pair[0], pair[1], workspace));
    let programs: Vec<Program> = programs.collect::<Result<_, _>>()?;
    let project = Project::write(&programs, workspace)?;
    let uses: usize = programs.iter().map(|program| program.uses.len()).sum();
    terminal.eprint(&format!("compiling {uses} uses of {}\n", pluralize(programs.len(), "crate")));
    let compiled = project.broken(|failed| {
        terminal.eprint(&format!(
            "{} no longer compile; compiling the others\n",
            pluralize(failed, "use")
        ));
    })?;
    let mut disagreements = 0;
    for (program, mut broken) in programs.iter().zip(compiled) {
        broken.extend(program.lost_features.iter().cloned());
        let title = &program.title;
        let count = broken.len();
        let uses = program.uses.len();
        terminal.print(&format!("{title}: {count} of {uses} uses no longer compile\n"))?;
        for (what, items) in [
            ("does not compile, but is not reported", broken.difference(&program.reported)),
            ("compiles, but is reported as breaking", program.reported.difference(&broken)),
        ] {
            for item in items {
                disagreements += 1;
                terminal.print(&format!("  {what}: {item}\n"))?;
            }
        }
    }
    if disagreements == 0 {
        return Ok(());
    }
    Err(Failure::new(format!("the report and the compiler disagree on {disagreements} items")))
}

/// Returns the program of the old crate with the new crate.
fn program(
    index: usize,
    old: &Path,
    new: &Path,
    workspace: &Workspace,
) -> Result<Program, Failure> {
    let file = SettingsFile::read(&new.with_file_name("codegen.toml"))?;
    let settings = Settings {
        package: format!("subject-{index}"),
        version: "0.0.0".to_owned(),
        runtime: format!(
            "{{ package = \"openapi-bindings-runtime\", path = {:?}, default-features = false }}",
            workspace.runtime().display().to_string()
        ),
        aliases: file.aliases,
        ..Settings::default()
    };
    let output = |path: &Path, settings: &Settings| {
        ::codegen::generate(read::spec(path, &[], Readable::default())?, settings)
            .output
            .ok_or_else(|| {
                Failure::new(format!("{} is invalid", path.display()))
                    .help("run `cargo xtask codegen` on it")
                    .exit(Exit::InvalidSpec)
            })
    };
    let before = output(old, &settings)?.public_api;
    let after = output(new, &Settings { file: file.file, ..settings })?;
    // Features that the crate does not have cannot be enabled: cargo rejects them before rustc starts.
    let manifest = after
        .files
        .iter()
        .find(|file| file.path == "Cargo.toml")
        .map(|file| file.text.as_str())
        .unwrap_or_default();
    let declared = toml_file::parse(manifest, "Cargo.toml", declared_features)?;
    let (kept, lost): (Vec<&str>, Vec<&str>) =
        uses::features(&before).partition(|feature| declared.contains(*feature));
    let features = kept.into_iter().filter(|feature| !["default", "reqwest"].contains(feature));
    Ok(Program {
        title: format!("{} -> {}", old.display(), new.display()),
        reported: compare(&before, &after.public_api).broken(),
        features: features.map(str::to_owned).collect(),
        lost_features: lost
            .into_iter()
            .map(|name| ItemPath::of_feature(name).to_string())
            .collect(),
        uses: uses::all(&before),
        files: after.files,
    })
}

/// Returns the features of a manifest.
fn declared_features(manifest: &DeTable<'_>) -> Result<BTreeSet<String>, Invalid> {
    let Some(features) = manifest.get("features") else { return Ok(BTreeSet::new()) };
    Ok(table(features)?.keys().map(|name| name.get_ref().to_string()).collect())
}
