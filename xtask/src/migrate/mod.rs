//! `cargo xtask migrate`: rewrites the programs that use the emitted crate after a bump.
//!
//! The programs are compiled against the new crate, in a copy. Each error of rustc is joined with the change that caused
//! it, and edited at exactly the place that rustc names. This repeats until nothing changes.

pub mod cargo;
mod edit;
mod join;
mod manifest;
mod marks;
mod namesakes;
mod plan;
mod report;
mod rounds;
mod shadow;
mod stubs;
mod values;
mod write;

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

pub use crate::migrate::report::{Report, Row};
pub use crate::migrate::rounds::Crates;
pub use crate::migrate::shadow::Shadow;
use commands::codegen::runtime_dependency;
use commands::diff::{Revision, accept, accepted, check_accepted};
use commands::host::cli::{flag, option};
use commands::host::exit::{Exit, Failure, Fallible};
use commands::host::terminal::{Terminal, pluralize};
use commands::host::workspace::Workspace;
use commands::settings::package_name::PackageName;
use commands::settings::project::Project;

/// Returns the command line, with its help.
pub fn command() -> Command {
    Command::new("migrate")
        .about("Rewrite the programs that use the emitted crate, after a change of the spec")
        .long_about(ABOUT)
        .after_help(EXIT_CODES)
        .arg(
            Arg::new("manifests")
                .value_name("MANIFEST")
                .value_parser(value_parser!(PathBuf))
                .num_args(1..)
                .required(true)
                .help("The Cargo.toml of a crate that uses the emitted one, or of a workspace"),
        )
        .arg(option(
            "from",
            "REVISION",
            value_parser!(String),
            "The git revision, or the file of the spec, that the programs were written for [default: HEAD]",
        ))
        .arg(option(
            "to",
            "REVISION",
            value_parser!(String),
            "The git revision, or the file of the spec, to migrate to [default: the workspace's own]",
        ))
        .arg(option(
            "package",
            "NAME",
            value_parser!(PackageName),
            "The name of the package of the bindings [default: that in codegen.toml]",
        ))
        .arg(accept())
        .arg(
            option("features", "FEATURES", value_parser!(String), "The features of the programs to compile with the default ones")
                .action(ArgAction::Append),
        )
        .arg(flag("all-features", "Compile the programs with all their features"))
        .arg(flag("write", "Write the files, instead of printing the difference"))
        .arg(flag("allow-dirty", "Write files that git could not restore"))
        .arg(option("format", "FORMAT", ["text", "json"], "The format of the report [default: text]"))
}

/// Migrates the crates of manifests.
pub fn run(arguments: &ArgMatches, workspace: &Workspace, terminal: &Terminal) -> Fallible {
    let named = |option: &str| arguments.get_one::<String>(option);
    let from = match named("from") {
        Some(from) => Revision::named(from, workspace)?,
        None => Revision::of_git("HEAD", workspace)?,
    };
    let mut to = match named("to") {
        Some(to) => Revision::named(to, workspace)?,
        None => Revision::of_workspace(workspace)?,
    };
    to.accepted = accepted(arguments);
    let bump = Bump::new(from, to, arguments.get_one("package").cloned());
    let features = arguments.get_many::<String>("features").into_iter().flatten();
    let features = features.map(|features| format!("--features={features}"));
    let all = arguments.get_flag("all-features").then(|| "--all-features".to_owned());
    let options: Vec<String> = features.chain(all).collect();
    let is_write = arguments.get_flag("write");
    let mut reports = Vec::new();
    for users in workspaces(arguments, &bump.package, &options)? {
        let shadow = Shadow::new(&users, terminal)?;
        let crates = bump.emit(&shadow.bindings, users.source.is_standalone(), workspace)?;
        reports.push(Report::of(&users, &shadow, &crates, &bump.package)?);
    }
    if is_write {
        write::write(&reports, arguments.get_flag("allow-dirty"))?;
    }
    let is_json = named("format").is_some_and(|format| format == "json");
    terminal.print(&if is_json {
        report::json(&reports)
    } else {
        report::text(&reports, is_write, terminal.output)
    })?;
    let left: usize = reports.iter().map(|report| report.places().count()).sum();
    if left == 0 {
        return Ok(());
    }
    let message = format!("{} not migrated", pluralize(left, "place"));
    Err(Failure::new(message).help("edit them, then run the command again").exit(Exit::Remaining))
}

/// A bump of an emitted crate.
pub struct Bump {
    from: Revision,
    to: Revision,
    /// The name of the emitted package.
    pub package: String,
}

impl Bump {
    /// Returns the bump between two revisions; by default, the package has the name in the settings.
    pub fn new(mut from: Revision, mut to: Revision, package: Option<PackageName>) -> Self {
        from.share_settings(&mut to);
        let name = package.or_else(|| to.settings().package.name.clone());
        let package = PackageName::or_default(name.as_ref()).to_owned();
        for revision in [&mut from, &mut to] {
            revision.project.settings.package.name.clone_from(&name);
        }
        Self { from, to, package }
    }

    /// Emits the crates for a folder, whose manifest can have a `[workspace]`.
    pub fn emit(
        &self,
        folder: &Path,
        is_standalone: bool,
        workspace: &Workspace,
    ) -> Fallible<Crates> {
        let Project { settings, file, .. } = &self.to.project;
        let runtime = runtime_dependency(&settings.runtime, file, folder, workspace)?;
        let [(old, old_texts), (new, new_texts)] = [
            self.from.output(runtime.clone(), folder, is_standalone)?,
            self.to.output(runtime, folder, is_standalone)?,
        ];
        if self.to.listed.is_some() && self.to.out.is_some() {
            self.to.refuse_stale(&new.public_api)?;
        }
        check_accepted(&old.public_api, &new.public_api)?;
        Ok(Crates { old, new, texts: [old_texts, new_texts] })
    }
}

fn workspaces(
    arguments: &ArgMatches,
    package: &str,
    options: &[String],
) -> Fallible<Vec<cargo::Workspace>> {
    let mut found: Vec<cargo::Workspace> = Vec::new();
    for manifest in arguments.get_many::<PathBuf>("manifests").into_iter().flatten() {
        let new = cargo::Workspace::of(manifest, package, options)?;
        match found.iter_mut().find(|other| other.root == new.root) {
            Some(other) if new.packages.is_empty() || other.packages.is_empty() => {
                other.packages.clear();
            }
            Some(other) => other.packages.extend(new.packages),
            None => found.push(new),
        }
    }
    Ok(found)
}

const ABOUT: &str = "\
Rewrite the programs that use the emitted crate, after a change of the spec

The crates are compiled against the new bindings, in a copy in their target folder. Each error of rustc is
joined with the change in the report of `diff` that caused it, and exactly the place that rustc names is
edited. This repeats until nothing changes. Comments, texts, and code that a `cfg` leaves out are not edited.
Without --write, the difference is printed, and no file changes.";

const EXIT_CODES: &str = "\
Exit codes:
    0  everything compiles
    1  any other failure
    2  a spec is invalid
    3  some places need an edit by hand
    4  the emitted crate is stale";
