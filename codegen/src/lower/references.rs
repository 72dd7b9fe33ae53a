//! The targets of `$ref`s: schemas, parameters, bodies and responses.

use super::classify::{Classified, SchemaKind, classify};
use super::{Context, Owner, Reading};
use crate::diagnostics::{Code, Cost, Place};
use crate::document::{Document, Kind, MAX_CHAIN, Pointer, Schema, View};

/// Classifies a schema, or the target of its `$ref`; `None` if a reference is unresolved.
pub fn classify_target<'d>(schema: &Schema<'d>, known: &Reading<'d>) -> Option<Classified<'d>> {
    match classify(schema, false, known) {
        Classified { kind: SchemaKind::Ref(reference), .. } => {
            Some(known.target(&reference)?.1.clone())
        }
        classified => Some(classified),
    }
}

impl<'d> Context<'d> {
    /// Follows the `$ref`s of a schema, and returns the target with the owner of its component. An unresolved reference or
    /// a cycle is reported.
    pub fn target(&self, schema: &Schema<'d>) -> Option<(Schema<'d>, Option<&Owner>)> {
        let mut current = schema.clone();
        let mut owner = None;
        for _ in 0..MAX_CHAIN {
            let Some(target) = current.reference() else { return Some((current, owner)) };
            let component = Document::key_of(target).and_then(|key| self.component(&key));
            owner = component.map(|component| &component.owner);
            let Some(next) = self.document.schema_at(target) else {
                self.unresolved(&current.pointer, target, Cost::Operation);
                return None;
            };
            current = next;
        }
        self.cyclic(&schema.pointer);
        None
    }

    /// Follows the `$ref`s of an item. An unresolved reference or a cycle is reported.
    pub fn item(&self, start: &View<'d>, kind: Kind) -> Option<View<'d>> {
        // An unresolved reference of a response costs the reply alone.
        let cost = if kind == Kind::Response { Cost::Reply } else { Cost::Operation };
        let mut current = start.clone();
        for _ in 0..MAX_CHAIN {
            let Some(target) = current.reference() else { return Some(current) };
            let pointer = Pointer::from_reference(target);
            let next = pointer.and_then(|pointer| self.document.item(kind, pointer));
            if next.is_none() {
                self.unresolved(&current.pointer, target, cost);
            }
            current = next?;
        }
        let message = "this reference refers to itself";
        let help = "point one of the references to a definition";
        self.report(Code::CyclicRef, Place::value(&start.pointer), message).help(help);
        None
    }

    /// Reports a schema that refers to itself without an object in between.
    pub fn cyclic(&self, pointer: &Pointer) {
        let message = "this schema refers to itself without an object in between";
        let help = "turn one schema of the cycle into a `type: object` with the reference in its `properties`";
        self.report(Code::CyclicRef, Place::value(pointer), message).help(help);
    }

    /// Reports a reference whose target does not exist, cannot be read, or is of another kind.
    pub fn unresolved(&self, pointer: &Pointer, target: &str, cost: Cost) {
        let shown = target.trim_end_matches('#');
        let missing = format!("`{shown}` does not exist");
        let file = Pointer::from_reference(target);
        let tree = &self.document.tree;
        let place = || Place::value(&pointer.join("$ref"));
        let code_of = |code| if cost == Cost::Reply { Code::ReplyRef } else { code };
        if file.as_ref().is_some_and(|file| tree.at(file).is_some()) {
            let message = format!("`{shown}` is of another kind, which cannot be used here");
            let help = if Document::key_of(target).is_some() {
                "write the reference into a `schema`: of a media type in `content`, or of a parameter"
            } else {
                "refer to a component of a kind that is allowed here"
            };
            self.report(code_of(Code::WrongRef), place(), message).help(help);
            return;
        }
        let unread = file.and_then(|file| tree.unread(&file));
        let (message, help) = match (self.intended(shown), unread) {
            (Some(intended), _) => (missing, format!("did you mean `{intended}`?")),
            (None, Some(unread)) => {
                (format!("`{shown}` cannot be read: {}", unread.reason), unread.help.clone())
            }
            (None, None) => (missing, Document::correction(shown)),
        };
        self.report(code_of(Code::DanglingRef), place(), message).help(help);
    }

    /// Returns the component that a misspelled reference probably means.
    fn intended(&self, target: &str) -> Option<String> {
        let tree = &self.document.tree;
        // A fragment without its first slash: `schemas.yaml#Pet`.
        let slashed = target.replacen('#', "#/", 1);
        let place = Pointer::from_reference(&slashed).filter(|_| !target.contains("#/"));
        if place.is_some_and(|place| tree.at(&place).is_some()) {
            return Some(slashed);
        }
        let root = &tree.root;
        // As Swagger 2.0 and JSON Schema write it, or without a path.
        let mut prefixes = ["#/definitions/", "#/$defs/", ""].iter();
        let key = prefixes.find_map(|prefix| target.strip_prefix(prefix));
        let mut schemas = root.members(&["components", "schemas"]);
        if let Some((key, _)) = schemas.find(|(name, _)| Some(*name) == key) {
            return Some(format!("#/components/schemas/{key}"));
        }
        let (_, path) = target
            .split_once("components/")
            .filter(|(before, _)| matches!(*before, "" | "/" | "#" | "#/"))?;
        let (section, key) = path.split_once('/')?;
        let is_known = ["schemas", "parameters", "requestBodies", "responses", "pathItems"];
        if !is_known.contains(&section) {
            return None;
        }
        let path = ["components", section];
        let names = root.members(&path).map(|(name, _)| name);
        let closest = self.diagnostics().spelling().closest(key, names);
        closest.map(|key| format!("#/components/{section}/{key}"))
    }
}
