//! `cargo xtask probe`: whether the compiler agrees with `cargo xtask diff` on what breaks.
//!
//! From the public items of the old crate a program is written that uses each of them in each way. It is compiled against
//! the new crate: what fails must be what the report calls breaking.

mod project;
mod uses;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ::codegen::Settings;
use ::codegen::public_api::{FEATURES, compare};
use clap::{Arg, ArgMatches, Command, value_parser};

use crate::codegen::settings::SettingsFile;
use crate::exit::{Exit, Failure};
use crate::probe::project::{Program, Project};
use crate::read;
use crate::terminal::Terminal;
use crate::workspace::Workspace;

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
                .help("Files of specs in pairs, the old one first"),
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
        return Err(Failure::new("the last spec has no partner").help("name specs in pairs"));
    }
    let mut programs = Vec::new();
    let mut reported = Vec::new();
    for (index, pair) in specs.chunks_exact(2).enumerate() {
        let (program, broken) = program(index, pair[0], pair[1], workspace)?;
        programs.push(program);
        reported.push(broken);
    }
    let counts: Vec<usize> = programs.iter().map(|program| program.uses.len()).collect();
    let lost = programs.iter().map(|program| program.lost_features.clone()).collect::<Vec<_>>();
    let compiled = Project::write(programs, workspace)?.broken()?;
    let mut disagreements = 0;
    for (index, (mut broken, reported)) in compiled.into_iter().zip(reported).enumerate() {
        broken.extend(lost[index].iter().cloned());
        let pair = &specs[2 * index..2 * index + 2];
        let names = format!("{} -> {}", pair[0].display(), pair[1].display());
        let (count, uses) = (broken.len(), counts[index]);
        terminal.print(&format!("{names}: {count} of {uses} uses no longer compile\n"))?;
        for (what, items) in [
            ("does not compile, but is not reported", broken.difference(&reported)),
            ("compiles, but is reported as breaking", reported.difference(&broken)),
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
    Err(Failure::new(format!("the report and the compiler disagree at {disagreements} items")))
}

/// Returns the program of the old crate with the new crate, and what the report calls breaking.
fn program(
    index: usize,
    old: &Path,
    new: &Path,
    workspace: &Workspace,
) -> Result<(Program, BTreeSet<String>), Failure> {
    let file = SettingsFile::read(&new.with_file_name("codegen.toml"))?;
    let settings = Settings {
        package: format!("subject-{index}"),
        version: "0.0.0".to_owned(),
        runtime: format!(
            "{{ package = \"access-governance-runtime\", path = {:?}, default-features = false }}",
            workspace.runtime().display().to_string()
        ),
        aliases: file.aliases,
        ..Settings::default()
    };
    let output = |path: &Path, settings: &Settings| {
        ::codegen::generate(read::spec(path)?, settings).output.ok_or_else(|| {
            Failure::new(format!("{} is invalid", path.display()))
                .help("run `cargo xtask codegen` on it")
                .exit(Exit::InvalidSpec)
        })
    };
    let before = output(old, &settings)?.public_api;
    let after = output(new, &Settings { file: file.file, ..settings })?;
    let broken = compare(&before, &after.public_api).broken();
    // What no program can enable is not compiled: cargo refuses it before rustc starts.
    let manifest = after.files.iter().find(|file| file.path == "Cargo.toml");
    let manifest = manifest.map(|file| file.text.as_str()).unwrap_or_default();
    let exists = |feature: &&str| manifest.contains(&format!("\n{feature} = ["));
    let (kept, lost): (Vec<&str>, Vec<&str>) = uses::features(&before).partition(exists);
    let features = kept.into_iter().filter(|feature| !["default", "reqwest"].contains(feature));
    let program = Program {
        features: features.map(str::to_owned).collect(),
        lost_features: lost.into_iter().map(|name| [FEATURES, name].concat()).collect(),
        uses: uses::all(&before),
        files: after.files,
    };
    Ok((program, broken))
}
