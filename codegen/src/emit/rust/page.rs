//! An emitted file while its items are written: the models that it imports.
//!
//! Nothing but models is imported: emitted code names items of the runtime and the standard library by their paths, so that
//! no name of a spec can shadow them. No model has a name of the prelude.

use super::print;
use crate::ir::{Api, ModuleName, ModulePath, TypeId, TypeName};

/// A file while its items are written.
pub struct Page<'a> {
    /// The API whose models are imported.
    pub api: &'a Api,
    /// The module and the file, if it is one of models.
    file: Option<(&'a ModulePath, &'a ModuleName)>,
    /// The names that the file defines itself.
    own: Vec<&'a TypeName>,
    /// The imported models, each once.
    models: Vec<(&'a ModulePath, &'a TypeName)>,
}

impl<'a> Page<'a> {
    /// Starts a file of models.
    pub fn of_models(
        api: &'a Api,
        module: &'a ModulePath,
        file: &'a ModuleName,
        own: Vec<&'a TypeName>,
    ) -> Self {
        Self { file: Some((module, file)), ..Self::new(api, own) }
    }

    /// Starts another file.
    pub fn new(api: &'a Api, own: Vec<&'a TypeName>) -> Self {
        Self { api, file: None, own, models: Vec::new() }
    }

    /// Imports a model and returns its name, with its path if another type in the file has that name.
    pub fn model(&mut self, id: TypeId) -> String {
        let definition = self.api.definition(id);
        let name = &definition.name;
        if self.file == Some((&definition.module, &definition.file)) {
            return name.to_string();
        }
        let model = (&definition.module, name);
        let is_other = |other: &(&ModulePath, &TypeName)| other.1 == name && *other != model;
        if self.own.contains(&name) || self.models.iter().any(is_other) {
            return format!("{}::{name}", self.path(&definition.module));
        }
        if !self.models.contains(&model) {
            self.models.push(model);
        }
        name.to_string()
    }

    /// Returns the declarations.
    pub fn declarations(&mut self) -> String {
        self.models.sort_unstable();
        let modules = self.models.chunk_by(|one, other| one.0 == other.0);
        modules
            .map(|models| {
                print::import("use", &self.path(models[0].0), models.iter().map(|(_, name)| name))
            })
            .collect()
    }

    fn path(&self, module: &ModulePath) -> String {
        if self.file.is_some_and(|(own, _)| own == module) {
            return "super".to_owned();
        }
        let segments = module.segments().iter().map(|segment| format!("::{segment}"));
        "crate::models".to_owned() + &segments.collect::<String>()
    }
}
