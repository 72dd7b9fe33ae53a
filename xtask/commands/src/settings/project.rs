//! Where the files of a project are: its settings, its spec, its overlays and the emitted crate.

use std::path::{Path, PathBuf};

use ::codegen::Readable;

use crate::host::exit::{Failure, Fallible};
use crate::host::paths::{absolute_path, display_path, normal_path, relative_path};
use crate::host::workspace::Workspace;
use crate::settings::SettingsFile;

/// The files of a project.
#[derive(Clone, Debug)]
pub struct Project {
    /// The `codegen.toml`, which need not exist.
    pub file: PathBuf,
    /// Its content.
    pub settings: SettingsFile,
    /// The spec.
    pub spec: PathBuf,
    /// The overlays, in the order in which they apply.
    pub overlays: Vec<PathBuf>,
    /// The folder whose files the spec may refer to; `None` for its own.
    pub files: Option<PathBuf>,
    /// The folder of the emitted crate; `None` if it is not set.
    pub out: Option<PathBuf>,
}

/// Where a workspace may have its `codegen.toml`.
const FILES: [&str; 2] = ["codegen.toml", "spec/codegen.toml"];

impl Project {
    /// Finds the project of a workspace: the project of `codegen.toml` or `spec/codegen.toml`. By default, the spec is
    /// `spec/openapi.yaml` and the emitted crate `generated/`.
    pub fn of_workspace(workspace: &Workspace) -> Fallible<Self> {
        let files = FILES.map(|file| workspace.root.join(file));
        let file = files.iter().find(|file| file.exists()).unwrap_or(&files[1]);
        let project = Self::new(file.clone(), None, SettingsFile::read(file)?);
        Ok(project.with_defaults(workspace))
    }

    /// Finds the project of a workspace at a revision, whose files `show` returns.
    pub fn of_revision(
        workspace: &Workspace,
        revision: &str,
        show: impl Fn(&Path) -> Option<String>,
    ) -> Fallible<Self> {
        let files = FILES.map(|file| (file, workspace.root.join(file)));
        let found = files.iter().find_map(|(name, file)| Some((*name, file, show(file)?)));
        let (name, file, text) = found.unwrap_or((files[1].0, &files[1].1, String::new()));
        let settings = SettingsFile::parse(&text, &format!("{revision}:{name}"))?;
        Ok(Self::new(file.clone(), None, settings).with_defaults(workspace))
    }

    /// Returns the project of a spec, with the `codegen.toml` in its folder.
    pub fn of_spec(spec: &Path) -> Fallible<Self> {
        let file = spec.with_file_name("codegen.toml");
        let settings = SettingsFile::read(&file)?;
        Ok(Self::new(file, Some(spec.to_owned()), settings))
    }

    /// Returns the project of a spec, or of the workspace.
    pub fn find(spec: Option<&PathBuf>, workspace: &Workspace) -> Fallible<Self> {
        spec.map_or_else(|| Self::of_workspace(workspace), |spec| Self::of_spec(spec))
    }

    fn new(file: PathBuf, spec: Option<PathBuf>, settings: SettingsFile) -> Self {
        let resolve = |path: &PathBuf| normal_path(&file.with_file_name("").join(path));
        let named = settings.spec.as_ref().map(resolve);
        Self {
            spec: spec.or(named).unwrap_or_default(),
            overlays: settings.overlays.iter().map(resolve).collect(),
            files: settings.files.as_ref().map(resolve),
            out: settings.out.as_ref().map(resolve),
            settings,
            file,
        }
    }

    /// Returns whether the `codegen.toml` exists, and is not empty.
    pub fn has_settings(&self) -> bool {
        self.settings.generator.file.as_ref().is_some_and(|(_, text)| !text.is_empty())
    }

    /// Returns the folder whose files the spec may refer to. Fails if it is not the folder of the spec or one above, or
    /// not in the repository of the `codegen.toml`.
    pub fn readable(&self) -> Fallible<Readable> {
        let own = absolute_path(&self.spec.with_file_name(""))?;
        let settings = absolute_path(&self.file.with_file_name(""))?;
        let folder = relative_path(&settings, &own).to_string_lossy().replace('\\', "/");
        let Some(files) = self.files.as_deref() else {
            return Ok(Readable { levels: 0, folder });
        };
        let files = absolute_path(files)?;
        let failure = |message: &str, help: &str| {
            let file = display_path(&self.file).display();
            Failure::new(format!("`files` of {file}: {message}")).help(help)
        };
        let levels = own.strip_prefix(&files).map_err(|_| {
            failure(
                "this is not a folder above the spec",
                "name the folder of the spec, or one above",
            )
        })?;
        let is_in_repository = files.ancestors().any(|folder| folder.join(".git").exists());
        if settings == files || !settings.starts_with(&files) || is_in_repository {
            let levels = levels.components().count();
            return Ok(Readable { levels, folder });
        }
        Err(failure(
            "the folder is above the repository of the file",
            "name a folder in the same git repository",
        ))
    }

    fn with_defaults(mut self, workspace: &Workspace) -> Self {
        if self.settings.spec.is_none() {
            self.spec = workspace.root.join("spec").join("openapi.yaml");
        }
        self.out.get_or_insert_with(|| workspace.root.join("generated"));
        self
    }
}
