//! The targets of `$ref`s: schemas, parameters, bodies and responses.

use super::classify::Ref;
use super::ref_index::{RefIndex, Section};
use super::{Lowering, Owner, Typed};
use crate::diagnostics::Place;
use crate::document::{
    self, Parameter, PathItem, Pointer, RefOr, Reference, RequestBody, Response, Schema,
};
use crate::ir::Type;

/// The longest chain of `$ref`s; a longer one is a cycle.
const LONGEST_CHAIN: usize = 64;

/// Selects a section of the index.
type SectionOf<'d, T> = for<'s> fn(&'s RefIndex<'d>) -> &'s Section<'d, RefOr<T>>;

impl<'d> Lowering<'d> {
    /// Returns the type that a `$ref` names.
    pub fn referenced_type(&mut self, reference: Ref<'d>, owner: &Owner) -> Typed {
        let Ref { target, pointer } = reference;
        let key = component_key(target);
        if let Some(typed) = key.and_then(|key| self.component_type(&key, pointer)) {
            return typed;
        }
        match self.document.schema_at(target) {
            Some(found) if found.pointer != *pointer => {
                if self.following.contains(&found.pointer) {
                    self.cyclic_reference(pointer);
                    return Typed::new(Type::Value);
                }
                self.following.push(found.pointer.clone());
                let typed = self.type_of(found, owner);
                self.following.pop();
                typed
            }
            Some(_) => {
                self.cyclic_reference(pointer);
                Typed::new(Type::Value)
            }
            None => {
                self.dangling(pointer, target);
                Typed::new(Type::Value)
            }
        }
    }

    /// Follows `$ref`s to a schema that is none, and returns it with the key of its component.
    pub fn followed(&mut self, schema: &'d Schema) -> Option<(&'d Schema, Option<String>)> {
        let mut current = schema;
        let mut key = None;
        for _ in 0..LONGEST_CHAIN {
            let Some(target) = &current.reference else {
                return Some((current, key));
            };
            key = component_key(target);
            let component = key
                .as_deref()
                .and_then(|key| self.components.get(key))
                .map(|component| component.schema);
            if let Some(next) = component.or_else(|| self.document.schema_at(target)) {
                current = next;
            } else {
                self.dangling(&current.pointer, target);
                return None;
            }
        }
        self.cyclic_reference(&schema.pointer);
        None
    }

    /// Reports a schema that refers to itself without an object in between.
    pub fn cyclic_reference(&mut self, pointer: &Pointer) {
        self.diagnostics
            .error("cyclic-ref", Place::value(pointer), "this schema refers to itself without an object in between")
            .help("make one schema of the cycle a `type: object` that has the reference in its `properties`");
    }

    fn dangling(&mut self, pointer: &Pointer, target: &str) {
        let shown = target.trim_end_matches('#');
        let missing = format!("`{shown}` does not exist");
        let file = Pointer::from_reference(target);
        let unread = file.and_then(|file| self.document.tree.unread(&file));
        let (message, help) = match (self.meant(shown), unread) {
            (Some(meant), _) => (missing, format!("did you mean `{meant}`?")),
            (None, Some(unread)) => {
                (format!("`{shown}` is not read: {}", unread.reason), unread.help.to_owned())
            }
            (None, None) => {
                (missing, "correct the reference, or add the missing component".to_owned())
            }
        };
        self.diagnostics
            .error("dangling-ref", Place::value(&pointer.join("$ref")), message)
            .help(help);
    }

    /// Returns the component that a misspelled reference probably means.
    fn meant(&mut self, target: &str) -> Option<String> {
        let (_, path) = target
            .split_once("components/")
            .filter(|(before, _)| matches!(*before, "" | "/" | "#" | "#/"))?;
        let (section, key) = path.split_once('/')?;
        let components = &self.document.openapi.components;
        let spelling = self.diagnostics.spelling();
        let meant = match section {
            "schemas" => spelling.closest(key, names(&components.schemas)),
            "parameters" => spelling.closest(key, names(&components.parameters)),
            "requestBodies" => spelling.closest(key, names(&components.request_bodies)),
            "responses" => spelling.closest(key, names(&components.responses)),
            "pathItems" => spelling.closest(key, names(&components.path_items)),
            _ => None,
        };
        meant.map(|key| format!("#/components/{section}/{key}"))
    }

    /// Returns the path item, behind its `$ref`s.
    pub fn path_item_at(&mut self, item: &'d RefOr<PathItem>) -> Option<&'d PathItem> {
        self.item(item, |index| &index.path_items)
    }

    /// Returns the parameter, behind its `$ref`s.
    pub fn parameter_at(&mut self, parameter: &'d RefOr<Parameter>) -> Option<&'d Parameter> {
        self.item(parameter, |index| &index.parameters)
    }

    /// Returns the request body, behind its `$ref`s.
    pub fn body_at(&mut self, body: &'d RefOr<RequestBody>) -> Option<&'d RequestBody> {
        self.item(body, |index| &index.bodies)
    }

    /// Returns the response, behind its `$ref`s.
    pub fn response_at(&mut self, response: &'d RefOr<Response>) -> Option<&'d Response> {
        self.item(response, |index| &index.responses)
    }

    /// Follows references in a section. One that does not exist or is part of a cycle is reported.
    fn item<T>(&mut self, start: &'d RefOr<T>, places: SectionOf<'d, T>) -> Option<&'d T> {
        let mut current = start;
        for _ in 0..LONGEST_CHAIN {
            let reference = match current {
                RefOr::Item(item) => return Some(item),
                RefOr::Ref(reference) => reference,
            };
            let wanted = Pointer::from_reference(&reference.target);
            let next = wanted.and_then(|wanted| places(&self.ref_index).get(&wanted).copied());
            let Some(next) = next else {
                self.dangling(&reference.pointer, &reference.target);
                return None;
            };
            current = next;
        }
        if let RefOr::Ref(reference) = start {
            self.cyclic_item(reference);
        }
        None
    }

    fn cyclic_item(&mut self, reference: &Reference) {
        self.diagnostics
            .error(
                "cyclic-ref",
                Place::value(&reference.pointer),
                "this reference refers to itself",
            )
            .help("point one of the references to a definition");
    }
}

fn names<T>(components: &[(String, T)]) -> impl Iterator<Item = &str> {
    components.iter().map(|(name, _)| name.as_str())
}

/// Returns the key of the component that a reference names.
pub fn component_key(target: &str) -> Option<String> {
    document::component_key(&Pointer::from_reference(target)?)
}
