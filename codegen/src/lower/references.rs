//! What a `$ref` leads to: schemas, parameters, bodies and responses.

use super::{Lowering, Owner, Typed};
use crate::diagnostics::Place;
use crate::document::{Parameter, RefOr, Reference, RequestBody, Response, Schema};
use crate::ir::Type;

/// How many `$ref`s may lead to one another before they are taken for a cycle.
const LONGEST_CHAIN: usize = 64;

impl<'d> Lowering<'d> {
    /// Returns the type that a schema's `$ref` leads to.
    pub(super) fn referenced_type(&mut self, target: &'d str, schema: &'d Schema, owner: &Owner) -> Typed {
        let key = component_key(target, "schemas");
        if let Some(typed) = key.and_then(|key| self.component_type(&key)) {
            return typed;
        }
        match self.document.schema_at(target) {
            Some(found) if found.pointer != schema.pointer => {
                if self.following.iter().any(|pointer| *pointer == found.pointer) {
                    self.cyclic_reference(schema);
                    return Typed::new(Type::Value);
                }
                self.following.push(found.pointer.clone());
                let typed = self.type_of(found, owner);
                self.following.pop();
                typed
            }
            Some(_) => {
                self.cyclic_reference(schema);
                Typed::new(Type::Value)
            }
            None => {
                self.dangling(&schema.pointer, target);
                Typed::new(Type::Value)
            }
        }
    }

    /// Follows `$ref`s until there is a schema that says something itself, together with the key of its component.
    pub(super) fn followed(&mut self, schema: &'d Schema) -> Option<(&'d Schema, Option<String>)> {
        let mut current = schema;
        let mut key = None;
        for _ in 0..LONGEST_CHAIN {
            let Some(target) = &current.reference else { return Some((current, key)) };
            key = component_key(target, "schemas");
            let component = key.as_deref().and_then(|key| self.components.get(key)).map(|component| component.schema);
            match component.or_else(|| self.document.schema_at(target)) {
                Some(next) => current = next,
                None => {
                    self.dangling(&current.pointer, target);
                    return None;
                }
            }
        }
        self.cyclic_reference(schema);
        None
    }

    /// Reports a `$ref` that leads back to itself.
    pub(super) fn cyclic_reference(&mut self, schema: &Schema) {
        self.diagnostics
            .error("cyclic-ref", Place::value(&schema.pointer), "this schema is nothing but a reference to itself")
            .help("give one schema of the cycle a type of its own, such as `type: object` with the member that repeats");
    }

    fn dangling(&mut self, pointer: &crate::document::Pointer, target: &str) {
        let help = if target.starts_with('#') {
            "correct the reference, or add what it names to `components`"
        } else {
            "only references within the document (`#/…`) are followed: bundle the document into one file first"
        };
        self.diagnostics
            .error("dangling-ref", Place::value(&pointer.join("$ref")), format!("`{target}` leads nowhere"))
            .help(help);
    }

    /// Returns the parameter, behind its `$ref`s.
    pub(super) fn parameter_at(&mut self, parameter: &'d RefOr<Parameter>) -> Option<&'d Parameter> {
        let components = &self.document.openapi.components.parameters;
        self.item(parameter, components, "parameters")
    }

    /// Returns the request body, behind its `$ref`s.
    pub(super) fn body_at(&mut self, body: &'d RefOr<RequestBody>) -> Option<&'d RequestBody> {
        let components = &self.document.openapi.components.request_bodies;
        self.item(body, components, "requestBodies")
    }

    /// Returns the response, behind its `$ref`s.
    pub(super) fn response_at(&mut self, response: &'d RefOr<Response>) -> Option<&'d Response> {
        let components = &self.document.openapi.components.responses;
        self.item(response, components, "responses")
    }

    fn item<T>(&mut self, start: &'d RefOr<T>, components: &'d [(String, RefOr<T>)], section: &str) -> Option<&'d T> {
        let mut current = start;
        for _ in 0..LONGEST_CHAIN {
            let reference: &Reference = match current {
                RefOr::Item(item) => return Some(item),
                RefOr::Ref(reference) => reference,
            };
            let key = component_key(&reference.target, section);
            match components.iter().find(|(name, _)| Some(name) == key.as_ref()) {
                Some((_, next)) => current = next,
                None => {
                    self.dangling(&reference.pointer, &reference.target);
                    return None;
                }
            }
        }
        if let RefOr::Ref(reference) = start {
            self.diagnostics
                .error("cyclic-ref", Place::value(&reference.pointer), "this reference leads back to itself")
                .help("let one of the references name the thing itself");
        }
        None
    }
}

/// Returns the key of a component that a reference names.
pub(super) fn component_key(target: &str, section: &str) -> Option<String> {
    let pointer = crate::document::Pointer::from_fragment(target)?;
    let segments = pointer.segments();
    match segments.as_slice() {
        [components, found, key] if components == "components" && found == section => Some(key.to_string()),
        _ => None,
    }
}
