//! The schemas under `components`: their modules and names first, their shapes once all are named.

use std::collections::HashMap;

use super::names;
use super::nature::{self, Nature};
use super::{Lowering, Owner, Typed, docs};
use crate::document::Schema;
use crate::ir::{ModuleName, ModulePath, Shape, Type, TypeDef, TypeId};

/// A schema under `components`.
#[derive(Debug)]
pub(super) struct Component<'d> {
    pub schema: &'d Schema,
    pub owner: Owner,
    pub state: State,
}

/// What is known of a component.
#[derive(Clone, Debug)]
pub(super) enum State {
    /// It is a type of its own.
    Named(TypeId),
    /// It is an alias that nobody asked for yet.
    Transparent,
    /// It is an alias whose type is being found: to meet it again is a cycle.
    InProgress,
    /// It is an alias of this type.
    Resolved(Typed),
}

impl<'d> Lowering<'d> {
    /// Gives every component its module, its file and, where it needs one, its name.
    pub(super) fn name_components(&mut self) {
        let document = self.document;
        let schemas = &document.openapi.components.schemas;
        let modules = ModulePaths::of(schemas.iter().map(|(key, _)| key.as_str()));
        for (key, schema) in schemas {
            let (module, base) = modules.split(key);
            let name = names::type_name(schema.rust_name.as_deref().unwrap_or(base));
            let file = modules.free_file(&module, name.as_str());
            let owner = Owner { module, file, name: name.to_string() };
            let state = if nature::of(schema, true) == Nature::Transparent {
                State::Transparent
            } else {
                State::Named(self.reserve())
            };
            self.components.insert(key, Component { schema, owner, state });
        }
    }

    /// Lowers the shape of every component that is a type of its own, and finds the type of every other.
    pub(super) fn lower_components(&mut self) {
        let document = self.document;
        for (key, _) in &document.openapi.components.schemas {
            let Some(component) = self.components.get(key.as_str()) else { continue };
            let (schema, owner) = (component.schema, component.owner.clone());
            match component.state {
                State::Named(id) => self.define(id, schema, &owner, Some(key)),
                _ => drop(self.component_type(key)),
            }
        }
    }

    /// Returns the type of a component, or `None` if there is no component of that key.
    pub(super) fn component_type(&mut self, key: &str) -> Option<Typed> {
        let component = self.components.get_mut(key)?;
        let schema = component.schema;
        match &component.state {
            State::Named(id) => Some(Typed { ty: Type::Named(*id), nullable: Self::says_nullable(schema) }),
            State::Resolved(typed) => Some(typed.clone()),
            State::InProgress => {
                self.cyclic_reference(schema);
                Some(Typed::new(Type::Value))
            }
            State::Transparent => {
                component.state = State::InProgress;
                let owner = component.owner.clone();
                let typed = self.type_of(schema, &owner);
                if let Some(component) = self.components.get_mut(key) {
                    component.state = State::Resolved(typed.clone());
                }
                Some(typed)
            }
        }
    }

    /// Makes room for a type whose shape comes later.
    pub(super) fn reserve(&mut self) -> TypeId {
        self.types.push(None);
        TypeId::new(self.types.len() - 1)
    }

    /// Lowers the shape of a schema into the room that was made for it.
    pub(super) fn define(&mut self, id: TypeId, schema: &'d Schema, owner: &Owner, component: Option<&str>) {
        let shape = self.shape_of(schema, owner, component.is_some());
        self.place(id, schema, owner, component, shape);
    }

    /// Puts a finished shape into the room that was made for it.
    pub(super) fn place(&mut self, id: TypeId, schema: &Schema, owner: &Owner, component: Option<&str>, shape: Shape) {
        let name = names::type_name(&owner.name);
        let what = format!("the type `{name}`");
        self.type_names.take((owner.module.clone(), name.clone()), &schema.pointer, &what, self.diagnostics);
        let definition = TypeDef {
            name,
            module: owner.module.clone(),
            file: owner.file.clone(),
            leads_file: component.is_some(),
            component: component.map(str::to_owned),
            docs: docs(schema.description.as_ref(), schema.title.as_ref(), schema.deprecated),
            shape,
            pointer: schema.pointer.to_string(),
        };
        if let Some(room) = self.types.get_mut(id.index()) {
            *room = Some(definition);
        }
    }
}

/// The module paths of all components: the dotted parts of their keys, less what all keys have in common.
struct ModulePaths {
    common: usize,
    /// Modules below each module, whose names no file beside them may take.
    children: HashMap<ModulePath, Vec<ModuleName>>,
}

impl ModulePaths {
    fn of<'k>(keys: impl Iterator<Item = &'k str> + Clone) -> Self {
        let mut shared: Option<Vec<&str>> = None;
        for key in keys.clone() {
            let parts = dotted(key).0;
            shared = Some(match shared {
                None => parts,
                Some(shared) => shared.into_iter().zip(parts).take_while(|(left, right)| left == right).map(|(left, _)| left).collect(),
            });
        }
        let mut paths = Self { common: shared.map_or(0, |shared| shared.len()), children: HashMap::new() };
        for key in keys {
            let path = paths.split(key).0;
            for depth in 0..path.0.len() {
                let (outer, inner) = path.0.split_at(depth);
                if let Some(child) = inner.first() {
                    let siblings = paths.children.entry(ModulePath(outer.to_vec())).or_default();
                    if !siblings.contains(child) {
                        siblings.push(child.clone());
                    }
                }
            }
        }
        paths
    }

    /// Splits a key into its module and its own name.
    fn split<'k>(&self, key: &'k str) -> (ModulePath, &'k str) {
        let (parts, name) = dotted(key);
        (ModulePath(parts.into_iter().skip(self.common).map(names::module).collect()), name)
    }

    /// Makes the file of a type, beside the modules of the same folder.
    fn free_file(&self, module: &ModulePath, name: &str) -> ModuleName {
        let file = names::file(name);
        let taken = self.children.get(module).is_some_and(|children| children.contains(&file));
        if taken { names::file(&format!("{name}Type")) } else { file }
    }
}

/// Splits a key at its dots; a key that is no dotted name (such as `1.5 Turbo`) is left whole.
fn dotted(key: &str) -> (Vec<&str>, &str) {
    let parts: Vec<&str> = key.split('.').collect();
    let is_identifier =
        |part: &&str| part.starts_with(|first: char| first.is_alphabetic()) && part.chars().all(|char| char.is_alphanumeric() || char == '_');
    match parts.split_last() {
        Some((name, modules)) if parts.iter().all(is_identifier) => (modules.to_vec(), name),
        _ => (Vec::new(), key),
    }
}
