//! The targets of `$ref`s: schemas, parameters, bodies and responses.

use super::classify::Ref;
use super::ref_index::{RefIndex, Section};
use super::{Lowering, Owner, Typed};
use crate::diagnostics::Place;
use crate::document::{
    Parameter, PathItem, Pointer, RefOr, Reference, RequestBody, Response, Schema,
};
use crate::ir::Type;

/// The longest chain of `$ref`s; a longer one is a cycle.
const LONGEST_CHAIN: usize = 64;

/// Selects a section of the index.
type SectionOf<'d, T> = for<'s> fn(&'s RefIndex<'d>) -> &'s Section<'d, T>;

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
        let help = self.meant(target).map_or_else(
            || help_with(target).to_owned(),
            |meant| format!("did you mean `{meant}`?"),
        );
        self.diagnostics
            .error(
                "dangling-ref",
                Place::value(&pointer.join("$ref")),
                format!("`{target}` does not exist"),
            )
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
    pub fn path_item_at(&mut self, start: &'d PathItem) -> &'d PathItem {
        let places: SectionOf<'d, PathItem> = |index| &index.path_items;
        self.follow(start, places, |item| item.reference.as_ref()).unwrap_or_else(|last| last)
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

    fn item<T>(&mut self, start: &'d RefOr<T>, places: SectionOf<'d, RefOr<T>>) -> Option<&'d T> {
        let reference_of = |found: &'d RefOr<T>| match found {
            RefOr::Item(_) => None,
            RefOr::Ref(reference) => Some(reference),
        };
        match self.follow(start, places, reference_of) {
            Ok(RefOr::Item(item)) => Some(item),
            _ => None,
        }
    }

    /// Follows references in a section. One that does not exist or is part of a cycle is reported; the error is the last
    /// item that was reached.
    fn follow<T>(
        &mut self,
        start: &'d T,
        places: SectionOf<'d, T>,
        reference_of: impl Fn(&'d T) -> Option<&'d Reference>,
    ) -> Result<&'d T, &'d T> {
        let mut current = start;
        for _ in 0..LONGEST_CHAIN {
            let Some(reference) = reference_of(current) else {
                return Ok(current);
            };
            let wanted = Pointer::from_fragment(&reference.target);
            let next = wanted.and_then(|wanted| places(&self.ref_index).get(&wanted).copied());
            let Some(next) = next else {
                self.dangling(&reference.pointer, &reference.target);
                return Err(current);
            };
            current = next;
        }
        if let Some(reference) = reference_of(start) {
            self.cyclic_item(reference);
        }
        Err(current)
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

fn help_with(target: &str) -> &'static str {
    if target.starts_with('#') {
        "correct the reference, or add the missing component"
    } else {
        "only references within the document (`#/…`) are supported: bundle the document into one file first"
    }
}

fn names<T>(components: &[(String, T)]) -> impl Iterator<Item = &str> {
    components.iter().map(|(name, _)| name.as_str())
}

/// Returns the key of the component of `components.schemas` that a reference names.
pub fn component_key(target: &str) -> Option<String> {
    let pointer = Pointer::from_fragment(target)?;
    let segments = pointer.segments();
    match segments.as_slice() {
        ["components", "schemas", key] => Some((*key).to_owned()),
        _ => None,
    }
}
