//! The schemas under `components`: ids first, then shapes.

use super::aliases::State;
use super::draft::Pending;
use super::{Schemas, untyped};
use crate::document::{Pointer, Schema};
use crate::ir::Type;
use crate::lower::classify::{Classified, Definition, Object, SchemaKind, classify};
use crate::lower::{Component, Typed, references};

impl<'d> Schemas<'_, 'd> {
    /// Assigns ids to all components that are named types, then lowers them.
    pub fn lower_components(&mut self, schemas: &[(String, Schema<'d>)]) {
        let mut definitions: Vec<Pending<'d>> = Vec::new();
        for (key, schema) in schemas {
            let Some(component) = self.context.component(key) else { continue };
            let classified = classify(schema, true);
            let state = match classified.kind {
                SchemaKind::Named(definition) => {
                    let nullable = classified.nullable;
                    definitions.push(self.reserve(component, definition));
                    let ty = Type::Named(definitions[definitions.len() - 1].id);
                    State::Resolved(Typed { ty, nullable })
                }
                kind => State::Alias(Classified { kind, ..classified }),
            };
            self.aliases.set(key, state);
        }
        definitions.extend(self.recursive_maps());
        self.aliases.find_cycles();
        self.types.add_pending(definitions);
        self.define_pending();
        for (key, schema) in schemas {
            self.component_type(key, &schema.pointer);
        }
        self.define_pending();
    }

    /// Defines types for the maps that contain themselves.
    fn recursive_maps(&mut self) -> Vec<Pending<'d>> {
        let mut definitions = Vec::new();
        for key in self.aliases.cyclic_keys() {
            let Some(component) = self.context.component(&key) else { continue };
            if let Some(Classified { kind: SchemaKind::Map(Some(_)), nullable, .. }) =
                self.aliases.unresolved(&key)
                && component.schema.additional_properties().is_some()
            {
                let nullable = *nullable;
                let object = Object::new(&component.schema);
                let pending = self.reserve(component, Definition::Struct(object));
                let ty = Type::Named(pending.id);
                self.aliases.set(&key, State::Resolved(Typed { ty, nullable }));
                definitions.push(pending);
            }
        }
        definitions
    }

    /// Reserves the id of a component that is a named type.
    fn reserve(&mut self, component: &Component<'d>, definition: Definition<'d>) -> Pending<'d> {
        Pending {
            id: self.types.reserve(),
            schema: component.schema.clone(),
            definition,
            owner: component.owner.clone(),
        }
    }

    /// Returns the type of a component, or `None` if there is no such component. `user` is the schema that refers to
    /// it.
    pub fn component_type(&mut self, key: &str, user: &Pointer) -> Option<Typed> {
        let component = self.context.component(key)?;
        if self.aliases.is_cycle(key) {
            untyped(user, "a list or map of itself", self.diagnostics);
            return Some(Typed::new(Type::Value));
        }
        match self.aliases.take(key)? {
            State::Alias(classified) => {
                let outer = self.aliases.enter(key);
                let typed =
                    self.type_of_classified(classified, &component.schema, &component.owner);
                self.aliases.leave(outer);
                self.aliases.set(key, State::Resolved(typed.clone()));
                Some(typed)
            }
            State::InProgress => {
                references::cyclic(user, self.diagnostics);
                Some(Typed::new(Type::Value))
            }
            State::Resolved(typed) => Some(typed),
        }
    }
}
