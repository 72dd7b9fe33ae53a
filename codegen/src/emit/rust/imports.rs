//! The `use` declarations of an emitted file, gathered while its items are written.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use super::rust_types::ident;
use super::sorting;
use crate::ir::{ModulePath, TypeDef};

/// The longest declaration that `cargo fmt` leaves on one line.
const WHOLE_WIDTH: usize = 98;

/// The longest line of a declaration that is broken into several.
const SHARED_WIDTH: usize = 99;

/// The longest line of a list that takes one line between its braces.
const ROW_WIDTH: usize = 100;

/// The imports of one file.
pub struct Imports {
    /// The module of the models that the file is in, if it is a file of models.
    module: Option<ModulePath>,
    /// The file of that module, whose own types need no import.
    file: Option<String>,
    /// The names that the file defines itself.
    own: Vec<String>,
    /// Imported names with the path that each comes from.
    names: BTreeMap<String, String>,
}

impl Imports {
    /// Starts the imports of a file of models.
    pub fn of_models(module: &ModulePath, file: &str, own: Vec<String>) -> Self {
        Self {
            module: Some(module.clone()),
            file: Some(file.to_owned()),
            own,
            names: BTreeMap::new(),
        }
    }

    /// Starts the imports of any other file.
    pub fn of_file(own: Vec<String>) -> Self {
        Self { module: None, file: None, own, names: BTreeMap::new() }
    }

    /// Imports an item of the runtime and returns it as it is written.
    pub fn runtime(&mut self, name: &str) -> TokenStream {
        self.import("runtime", name)
    }

    /// Imports an item that only emitted code uses.
    pub fn internal(&mut self, name: &str) -> TokenStream {
        self.import("runtime::internal", name)
    }

    /// Imports an item of the standard library, given by its whole path.
    pub fn standard(&mut self, path: &str) {
        if let Some((module, name)) = path.rsplit_once("::") {
            self.import(module, name);
        }
    }

    /// Imports a model and returns it as it is written.
    pub fn model(&mut self, definition: &TypeDef) -> TokenStream {
        let name = ident(definition.name.as_str());
        if self.module.as_ref() == Some(&definition.module)
            && self.file.as_deref() == Some(definition.file.as_str())
        {
            return quote!(#name);
        }
        let path = if self.module.as_ref() == Some(&definition.module) {
            "super".to_owned()
        } else {
            module_path(&definition.module)
        };
        self.import(&path, definition.name.as_str())
    }

    /// Imports a module of the crate itself.
    pub fn own_module(&mut self, name: &str) {
        self.import("crate", name);
    }

    /// Imports a name, or writes it with its path if another item already has the name here.
    fn import(&mut self, path: &str, name: &str) -> TokenStream {
        let taken = self.own.iter().any(|own| own == name)
            || self.names.get(name).is_some_and(|from| from != path);
        let name_ident = ident(name);
        if taken {
            let segments = path.split("::").map(ident);
            return quote!(#(#segments)::*::#name_ident);
        }
        self.names.insert(name.to_owned(), path.to_owned());
        quote!(#name_ident)
    }

    /// Writes the declarations: the standard library, the runtime, the crate, each a paragraph sorted by `cargo fmt`'s rules.
    pub fn text(&self) -> String {
        let mut paths: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, path) in &self.names {
            paths.entry(path).or_default().push(name);
        }
        let mut out = String::new();
        let groups: [fn(&str) -> bool; 3] = [
            |path| path.starts_with("std"),
            |path| path.starts_with("runtime"),
            |path| !path.starts_with("std") && !path.starts_with("runtime"),
        ];
        for is_in_group in groups {
            let mut group: Vec<_> = paths.iter().filter(|(path, _)| is_in_group(path)).collect();
            group.sort_by(|left, right| {
                sorting::imports((left.0, sole(left.1)), (right.0, sole(right.1)))
            });
            let declarations: Vec<String> =
                group.into_iter().map(|(path, names)| declaration("use", path, names)).collect();
            if !declarations.is_empty() {
                out.push_str(&declarations.join("\n"));
                out.push_str("\n\n");
            }
        }
        out
    }
}

/// Returns the path of a module of models.
pub fn module_path(module: &ModulePath) -> String {
    let mut path = "crate::models".to_owned();
    for segment in module.segments() {
        path.push_str("::");
        path.push_str(segment.as_str());
    }
    path
}

/// Writes one declaration as `cargo fmt` lays it out.
pub fn declaration(keyword: &str, path: &str, names: &[&str]) -> String {
    let mut names = names.to_vec();
    names.sort_by(|left, right| sorting::names(left, right));
    if let [name] = names.as_slice() {
        return format!("{keyword} {path}::{name};");
    }
    let line = format!("{keyword} {path}::{{{}}};", names.join(", "));
    if line.len() <= WHOLE_WIDTH {
        return line;
    }
    let row = format!("    {},", names.join(", "));
    if row.len() <= ROW_WIDTH {
        return format!("{keyword} {path}::{{\n{row}\n}};");
    }
    let mut out = format!("{keyword} {path}::{{\n");
    let mut current = String::from("   ");
    for name in names {
        let is_full = current.len() + name.len() + 2 > SHARED_WIDTH;
        if is_full && !current.trim().is_empty() {
            let _ = writeln!(out, "{current}");
            current = String::from("   ");
        }
        let _ = write!(current, " {name},");
    }
    let _ = write!(out, "{current}\n}};");
    out
}

/// Returns the name if there is only one.
fn sole<'n>(names: &[&'n str]) -> Option<&'n str> {
    match names {
        [name] => Some(name),
        _ => None,
    }
}
