//! The schemas under `components`: ids first, then shapes.

use super::alternatives::definition_of;
use super::{Pending, Schemas, Typed};
use crate::document::{Pointer, Schema};
use crate::facts::composition;
use crate::ir::{Origin, Type};
use crate::lower::classify::{Classified, Definition, classify};
use crate::lower::{Alternative, Component};

impl<'d> Schemas<'_, 'd> {
    /// Assigns ids to all components that are named types, then lowers them.
    pub fn lower_components(&mut self, schemas: &[(String, Schema<'d>)]) {
        for (key, schema) in schemas {
            let Some(component) = self.context.component(key) else { continue };
            let Classified { kind, nullable, .. } = classify(schema, true, &self.context.reading);
            let definition = definition_of(kind, schema, &self.context.reading);
            let own = self.context.own_type(schema, None);
            let Some(definition) = definition.filter(|_| own.is_none()) else { continue };
            let pending = match definition {
                // A base that lists alternatives of its own has no others.
                Definition::Struct(object)
                    if self.context.extensions(key).is_some()
                        && composition::alternatives(schema).is_empty() =>
                {
                    let branches = self.extension_branches(key);
                    let union = self.reserve(component, Definition::Union(branches));
                    // The struct with the properties of the component itself.
                    let base = self.reserve(component, Definition::Struct(object));
                    self.bases.insert(union.id, base.id);
                    let owner = component.owner.child("Base", Origin::Base(key.clone()));
                    self.pending.push(Pending { owner, ..base });
                    union
                }
                definition => self.reserve(component, definition),
            };
            let ty = Type::Named(pending.id);
            self.pending.push(pending);
            self.components.insert(key.clone(), Typed { ty, nullable });
        }
        // What a cycle of lists contains depends on where it begins.
        let mut sorted: Vec<_> = schemas.iter().collect();
        sorted.sort_by_key(|(key, _)| key);
        for (key, schema) in sorted {
            self.component_type(key, &schema.pointer);
        }
        self.define_pending();
    }

    /// Returns the branches of a component with a discriminator: the components that extend it, and itself, the last one.
    fn extension_branches(&self, base: &str) -> Vec<Alternative<'d>> {
        let extensions = self.context.extensions(base).unwrap_or_default();
        let branches = extensions.iter().map(String::as_str).chain([base]).filter_map(|key| {
            let schemas = vec![self.context.component(key)?.schema.clone()];
            Some(Alternative { schemas, shape: None, extension: Some(key.to_owned()) })
        });
        branches.collect()
    }

    /// Returns the type of a component as a branch of the union with the discriminator `tag`, which the component
    /// extends or is. If the component has no other discriminator, this is its struct (`…Base`), not its own union.
    pub fn extension_type(&mut self, key: &str, tag: &str, user: &Pointer) -> Type {
        let ty = self.component_type(key, user).map_or(Type::Value, |typed| typed.ty);
        let component = self.context.component(key);
        let own = component.and_then(|component| component.schema.child("discriminator"));
        let is_own = own.is_none_or(|own| own.text("propertyName") == Some(tag));
        let base = ty.named().filter(|_| is_own).and_then(|id| self.bases.get(&id));
        base.map_or(ty, |base| Type::Named(*base))
    }

    /// Reserves the id of a component that is a named type.
    fn reserve(&mut self, component: &Component<'d>, definition: Definition<'d>) -> Pending<'d> {
        let Component { schema, owner } = component;
        let id = self.types.reserve();
        Pending { id, schema: schema.clone(), definition, owner: owner.clone() }
    }

    /// Returns the type of a component, or `None` if there is no such component. `user` refers to it.
    pub fn component_type(&mut self, key: &str, user: &Pointer) -> Option<Typed> {
        if let Some(known) = self.components.get(key) {
            return Some(known.clone());
        }
        let Component { schema, owner } = self.context.component(key)?;
        let classified = classify(schema, true, &self.context.reading);
        let typed = self.followed_type(classified, schema, owner, user);
        if self.following.iter().all(|(pointer, _)| *pointer != schema.pointer) {
            self.components.insert(key.to_owned(), typed.clone());
        }
        Some(typed)
    }
}
