//! A revision to compare: a spec with the settings of its crate, from the working tree, from git, or from a file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ::codegen::compare::unmatched;
use ::codegen::diagnostics::{Diagnostics, render};
use ::codegen::items::PublicApi;
use ::codegen::{Input, Outcome, Output, Pointer, Settings, Source, SourceFile};

use clap::{Arg, ArgAction, ArgMatches};

use crate::diff::git::Commit;
use crate::host::cli::option;
use crate::host::exit::{Exit, Failure, Fallible};
use crate::host::invalid;
use crate::host::paths::{display_path, normal_path};
use crate::host::read;
use crate::host::terminal::Terminal;
use crate::host::workspace::{self, Workspace};
use crate::settings::SettingsFile;
use crate::settings::package_name::PackageName;
use crate::settings::project::Project;
use crate::settings::types::dependencies_of;

/// A revision of a spec.
pub struct Revision {
    /// The name in messages.
    pub label: String,
    /// The spec, with the files that it refers to.
    pub input: Input<'static>,
    /// Where its files are, with the content of the `codegen.toml`.
    pub project: Project,
    /// The `api.txt` of the crate that was emitted for it, if it is checked in.
    pub listed: Option<String>,
    /// The commit of a git revision.
    pub commit: Option<Commit>,
    /// The folder of the emitted crate in the working tree, for the workspace's own spec there.
    pub out: Option<PathBuf>,
    /// The new paths of items of older revisions that the user is certain of.
    pub accepted: BTreeMap<String, String>,
}

impl Revision {
    /// Reads the spec that an argument names: a file, or the workspace's own spec as a git revision has it.
    pub fn named(argument: &str, workspace: &Workspace) -> Fallible<Self> {
        match Path::new(argument) {
            file if file.is_file() => Self::of_file(file),
            _ => Self::of_git(argument, workspace),
        }
    }

    /// Reads a spec from a file, with the settings next to it.
    pub fn of_file(path: &Path) -> Fallible<Self> {
        Self::of_project(Project::of_spec(path)?)
    }

    /// Reads the workspace's own spec from the working tree.
    pub fn of_workspace(workspace: &Workspace) -> Fallible<Self> {
        let project = Project::of_workspace(workspace)?;
        let listed = project
            .out
            .as_ref()
            .map(|out| read::text(&out.join("api.txt"), Exit::Failed))
            .and_then(Result::ok);
        let out = project.out.clone();
        Ok(Self { listed, out, ..Self::of_project(project)? })
    }

    fn of_project(project: Project) -> Fallible<Self> {
        let shown = display_path(&project.spec);
        Ok(Self {
            label: shown.display().to_string(),
            input: read::spec(shown, &project.overlays, project.readable()?)?,
            project,
            listed: None,
            commit: None,
            out: None,
            accepted: BTreeMap::new(),
        })
    }

    /// Reads the workspace's own spec from a git revision.
    pub fn of_git(revision: &str, workspace: &Workspace) -> Fallible<Self> {
        let commit = Commit::find(revision, &workspace.root)?;
        let project = Project::of_revision(workspace, revision, |path| commit.show(path).ok())?;
        let source = |path: &Path| {
            let name = display_path(path).display().to_string();
            let text = commit.show(path).map_err(|message| {
                Failure::new(format!(
                    "cannot read `{name}` of git revision `{revision}`: {message}"
                ))
                .help("specify a git revision that has the spec, or the file of another spec")
            })?;
            Ok(Source { name, text })
        };
        let listed = project.out.as_ref().and_then(|out| commit.show(&out.join("api.txt")).ok());
        let overlays =
            project.overlays.iter().map(|path| source(path)).collect::<Result<_, _>>()?;
        let source = source(&project.spec)?;
        let folder = project.spec.with_file_name("");
        let readable = project.readable()?;
        let files = commit.clone();
        Ok(Self {
            label: format!("{} at {revision}", source.name),
            input: Input {
                source,
                overlays,
                read_file: Rc::new(move |name: &str| files.show(&normal_path(&folder.join(name)))),
                readable,
            },
            project,
            listed,
            commit: Some(commit),
            out: None,
            accepted: BTreeMap::new(),
        })
    }

    /// Returns the content of its `codegen.toml`.
    pub fn settings(&self) -> &SettingsFile {
        &self.project.settings
    }

    /// Gives a file without a `codegen.toml` the settings of the revision that it is compared with.
    pub fn share_settings(&mut self, other: &mut Self) {
        let share = |from: &Self, to: &mut Self| {
            if from.project.has_settings() && !to.project.has_settings() && to.commit.is_none() {
                to.project.file.clone_from(&from.project.file);
                to.project.settings = from.settings().without_text();
            }
        };
        share(self, other);
        share(other, self);
    }

    /// Returns the settings of this revision for an older one, with the older pins of places that this one no longer has.
    /// Aliases of items that the older one does not have are ignored.
    pub fn settings_for(&self, older: &Self) -> SettingsFile {
        let mut settings = self.settings().without_text();
        let pins = older.settings().generator.renames.iter();
        let mut pins = pins
            .filter(|(key, _)| !self.settings().generator.renames.contains_key(*key))
            .peekable();
        if pins.peek().is_some() {
            let root = ::codegen::parse(&self.input.source, &mut Diagnostics::new());
            let is_missing = |key: &str| {
                let pointer = Pointer::from_reference(&["#", key].concat());
                pointer.is_some_and(|pointer| {
                    root.as_ref().is_some_and(|root| root.at(&pointer).is_none())
                })
            };
            let pins = pins.filter(|(key, _)| is_missing(key));
            settings.generator.renames.extend(pins.map(|(key, name)| (key.clone(), name.clone())));
        }
        settings
    }

    /// Fails if the crate that is checked in does not have the items that its spec makes.
    pub fn refuse_stale(&self, api: &PublicApi) -> Fallible {
        if self.listed == Some(api.to_string()) {
            return Ok(());
        }
        Err(Failure::new("the emitted crate is stale")
            .help(format!("run `{} codegen`", workspace::program()))
            .exit(Exit::Stale))
    }

    /// Returns whether the generator emits another crate for this revision with other settings.
    pub fn is_emitted_otherwise(&self, settings: &SettingsFile) -> bool {
        of_generator(&self.settings().without_text()) != of_generator(&settings.without_text())
    }

    /// Returns the crate that the current generator emits for the spec.
    pub fn emitted(
        &self,
        settings: &SettingsFile,
        depth: Depth,
        terminal: &Terminal,
    ) -> Fallible<(Emitted, Diagnostics)> {
        let (emitted, diagnostics) = emit(&self.input, &of_generator(settings), depth);
        let Some(mut emitted) = emitted else {
            terminal.eprint(&render(&diagnostics, terminal.messages.colors));
            return Err(invalid::failure(&self.label, "", &diagnostics));
        };
        emitted.api.accepted.clone_from(&self.accepted);
        self.report_errors(&diagnostics, "is left out, and removed in the report", terminal);
        Ok((emitted, diagnostics))
    }

    /// Reports the errors of a revision, and what becomes of the parts that need their places.
    fn report_errors(&self, diagnostics: &Diagnostics, rest: &str, terminal: &Terminal) {
        if diagnostics.has_errors() {
            terminal.eprint(&render(diagnostics, terminal.messages.colors));
            terminal.note(&format!("{} has errors: what needs these parts {rest}", self.label));
        }
    }

    /// Returns the crate of the parts of an older revision without errors, which nobody can correct any more.
    pub fn sound(
        &self,
        settings: &SettingsFile,
        depth: Depth,
        terminal: &Terminal,
    ) -> Fallible<(Emitted, Diagnostics)> {
        let kept = Settings { keep_going: true, ..of_generator(settings) };
        let (Some(emitted), diagnostics) = emit(&self.input, &kept, depth) else {
            return self.emitted(settings, depth, terminal);
        };
        self.report_errors(&diagnostics, "is not compared, and new in the report", terminal);
        Ok((emitted, diagnostics))
    }

    /// Returns the crate that the current generator emits for the spec, with its own settings; of an older revision with
    /// errors, the parts without them. `runtime` is the dependency in its manifest.
    pub fn output(
        &self,
        runtime: String,
        folder: &Path,
        standalone: bool,
    ) -> Fallible<(Output, Diagnostics)> {
        let version = self.settings().package.version.as_ref();
        let own = Settings {
            keep_going: true,
            runtime,
            standalone,
            dependencies: dependencies_of(
                &self.settings().dependencies,
                &self.project.file,
                folder,
            )?,
            version: version.map_or_else(|| "0.1.0".to_owned(), ToString::to_string),
            // Aliases of items that an older revision does not have are ignored.
            ..of_generator(&self.settings().without_text())
        };
        let outcome = ::codegen::generate(&self.input, &own);
        let mut output = outcome.output.ok_or_else(|| {
            Failure::new(format!("{} is invalid", self.label))
                .help("run `codegen` on it for the errors")
                .exit(Exit::InvalidSpec)
        })?;
        output.public_api.accepted.clone_from(&self.accepted);
        Ok((output, outcome.diagnostics))
    }
}

/// Returns the option `--accept`.
pub fn accept() -> Arg {
    let help = "A removed item and the new item that replaces it, as a report proposes";
    option("accept", "OLD=NEW", pair, help).action(ArgAction::Append)
}

fn pair(text: &str) -> Result<[String; 2], String> {
    let pair = text.split_once('=').ok_or("expected two names with a `=` between them")?;
    Ok([pair.0, pair.1].map(|name| name.trim().trim_end_matches("()").replace('.', "::")))
}

/// Returns the pairs of `--accept`.
pub fn accepted(arguments: &ArgMatches) -> BTreeMap<String, String> {
    let pairs = arguments.get_many::<[String; 2]>("accept").into_iter().flatten();
    pairs.cloned().map(|[old, new]| (old, new)).collect()
}

/// Fails if an accepted rename is not from a removed item to a new one.
pub fn check_accepted(old: &PublicApi, new: &PublicApi) -> Fallible {
    let Some((from, to)) = unmatched(old, new) else { return Ok(()) };
    let message = format!(
        "`{from}` is not removed, or `{to}` is not new, or they are not items of the same kind"
    );
    Err(Failure::new(message).help("copy `--accept` from the report of `diff`"))
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The public items.
    Items,
    /// The public items and the emitted files, which takes as long as generating the crates.
    Files,
}

/// The crate of a revision: its public items, and its files if these are compared.
pub struct Emitted {
    /// The public items.
    pub api: PublicApi,
    pub files: Vec<SourceFile>,
}

fn emit(input: &Input<'_>, settings: &Settings, depth: Depth) -> (Option<Emitted>, Diagnostics) {
    if depth == Depth::Items {
        let (api, diagnostics) = ::codegen::public_api(input, settings);
        return (api.map(|api| Emitted { api, files: Vec::new() }), diagnostics);
    }
    let Outcome { output, diagnostics, .. } = ::codegen::generate(input, settings);
    (output.map(|it| Emitted { api: it.public_api, files: it.files }), diagnostics)
}

/// Returns the settings of the generator, with the same version for all revisions.
fn of_generator(settings: &SettingsFile) -> Settings {
    Settings {
        package: PackageName::or_default(settings.package.name.as_ref()).to_owned(),
        metadata: settings.package.metadata.clone(),
        runtime: format!("{:?}", settings.runtime),
        dependencies: vec![(String::new(), format!("{:?}", settings.dependencies))],
        allowed: Vec::new(),
        ..settings.generator.clone()
    }
}
