//! The schemas under `components`: modules and names first, then shapes.

use std::collections::HashMap;

use super::component::{Component, Resolving, State};
use super::draft::Pending;
use crate::document::{Document, Pointer, Schema};
use crate::ir::{Origin, Type, TypeId};
use crate::lower::classify::{Classified, Definition, Object, SchemaKind, classify};
use crate::lower::graph::strongly_connected;
use crate::lower::names::{Standing, component_name};
use crate::lower::{Lowering, Owner, Typed};

impl<'d> Lowering<'d> {
    /// Assigns modules, files and ids to all components, then lowers them.
    pub fn lower_components(&mut self, schemas: &[(String, Schema<'d>)]) {
        let mut definitions: Vec<Pending<'d>> = Vec::new();
        for (key, schema) in schemas {
            let owner = self.component_owner(schema);
            let Classified { kind, nullable, secret } = classify(schema, true);
            let state = match kind {
                SchemaKind::Named(definition) => {
                    let id = self.reserve();
                    let (schema, owner) = (schema.clone(), owner.clone());
                    definitions.push(Pending { id, schema, definition, owner });
                    State::Resolved(Typed { ty: Type::Named(id), nullable })
                }
                kind => State::Alias(Classified { kind, nullable, secret }),
            };
            let component = Component { schema: schema.clone(), owner, state };
            self.components.insert(key.clone(), component);
        }
        definitions.extend(self.recursive_maps());
        self.alias_cycles = self.find_alias_cycles();
        self.pending = definitions;
        self.define_pending();
        for (key, schema) in schemas {
            self.component_type(key, &schema.pointer);
        }
        self.define_pending();
    }

    /// Makes types of the maps that contain themselves.
    fn recursive_maps(&mut self) -> Vec<Pending<'d>> {
        let mut keys: Vec<String> = self.find_alias_cycles().into_keys().collect();
        keys.sort_unstable();
        let mut definitions = Vec::new();
        for key in keys {
            let id = TypeId::new(self.types.len());
            let Some(component) = self.components.get_mut(&key) else { continue };
            let Component { schema, owner, state } = component;
            if let State::Alias(Classified { kind: SchemaKind::Map(Some(_)), nullable, .. }) =
                *state
                && schema.additional_properties().is_some()
            {
                *state = State::Resolved(Typed { ty: Type::Named(id), nullable });
                let object = Object::new(schema, None);
                let (definition, schema) = (Definition::Struct(object), schema.clone());
                definitions.push(Pending { id, schema, definition, owner: owner.clone() });
                self.reserve();
            }
        }
        definitions
    }

    fn component_owner(&mut self, schema: &Schema<'_>) -> Owner {
        let name = component_name(&schema.pointer);
        let (module, base) = self.modules.split(name);
        let owner = Owner {
            file: self.modules.free_file(&module, base),
            module,
            outer: base.to_owned(),
            inner: Vec::new(),
            standing: Standing::Named,
            origin: Origin::Component(name.to_owned()),
        };
        match self.pin(schema) {
            Some(pin) => {
                Owner { file: self.modules.free_file(&owner.module, &pin), ..owner.pinned(pin) }
            }
            None => owner,
        }
    }

    /// Returns the type of a component, or `None` if there is no such component. `user` is the schema that refers to it.
    pub fn component_type(&mut self, key: &str, user: &Pointer) -> Option<Typed> {
        let is_cycle = self.resolving.containers > 0
            && self.alias_cycles.get(key).is_some_and(|cycle| {
                self.alias_cycles.get(self.resolving.key.as_str()) == Some(cycle)
            });
        let component = self.components.get_mut(key)?;
        let schema = component.schema.clone();
        if is_cycle {
            self.untyped(user, "a list or map of itself");
            return Some(Typed::new(Type::Value));
        }
        match std::mem::replace(&mut component.state, State::InProgress) {
            State::Alias(classified) => {
                let owner = component.owner.clone();
                let resolving = Resolving { key: key.to_owned(), containers: 0 };
                let outer = std::mem::replace(&mut self.resolving, resolving);
                let typed = self.type_of_classified(classified, &schema, &owner);
                self.resolving = outer;
                if let Some(component) = self.components.get_mut(key) {
                    component.state = State::Resolved(typed.clone());
                }
                Some(typed)
            }
            State::InProgress => {
                self.cyclic_reference(user);
                Some(Typed::new(Type::Value))
            }
            State::Resolved(typed) => {
                component.state = State::Resolved(typed.clone());
                Some(typed)
            }
        }
    }

    /// Numbers the cycles of components that are lists, maps or aliases of one another, without a named type.
    fn find_alias_cycles(&self) -> HashMap<String, usize> {
        let aliases = self.components.iter();
        let mut aliases: Vec<(&str, &Classified<'d>)> = aliases
            .filter_map(|(key, component)| match &component.state {
                State::Alias(classified) => Some((key.as_str(), classified)),
                _ => None,
            })
            .collect();
        aliases.sort_by_key(|(key, _)| *key);
        let indices: HashMap<&str, usize> =
            aliases.iter().enumerate().map(|(index, &(key, _))| (key, index)).collect();
        let edges: Vec<Vec<usize>> = aliases
            .iter()
            .map(|(_, classified)| {
                let target = alias_target(&classified.kind);
                target.and_then(|key| indices.get(key.as_str()).copied()).into_iter().collect()
            })
            .collect();
        let cycles = strongly_connected(&edges);
        let on_cycle = aliases.iter().enumerate().filter(|&(index, _)| {
            edges[index].iter().any(|&target| cycles[target] == cycles[index])
        });
        on_cycle.map(|(index, &(key, _))| (key.to_owned(), cycles[index])).collect()
    }
}

/// Returns the component that a list, a map or an alias refers to.
fn alias_target(kind: &SchemaKind<'_>) -> Option<String> {
    match kind {
        SchemaKind::Ref(schema) => Document::key_of(schema.reference()?),
        SchemaKind::List(Some(inner)) | SchemaKind::Map(Some(inner)) => {
            alias_target(&classify(inner, false).kind)
        }
        _ => None,
    }
}
