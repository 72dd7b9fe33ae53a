//! The targets of `$ref`s: schemas, parameters, bodies and responses.

use super::{Lowering, Owner, Typed};
use crate::diagnostics::Place;
use crate::document::{Document, Kind, LONGEST_CHAIN, Pointer, Schema, View};
use crate::ir::Type;

impl<'d> Lowering<'d> {
    /// Returns the type that the `$ref` of a schema names.
    pub fn referenced_type(&mut self, schema: &Schema<'d>, owner: &Owner) -> Typed {
        let (target, pointer) = (schema.reference().unwrap_or_default(), &schema.pointer);
        let key = Document::key_of(target);
        if let Some(typed) = key.and_then(|key| self.component_type(&key, pointer)) {
            return typed;
        }
        match self.document.schema_at(target) {
            Some(found)
                if found.pointer != *pointer && !self.following.contains(&found.pointer) =>
            {
                self.following.push(found.pointer.clone());
                let typed = self.type_of(&found, owner);
                self.following.pop();
                return typed;
            }
            Some(_) => self.cyclic_reference(pointer),
            None => self.dangling(pointer, target),
        }
        Typed::new(Type::Value)
    }

    /// Follows `$ref`s to a schema that is none, and returns it with the owner of its component.
    pub fn followed(&mut self, schema: &Schema<'d>) -> Option<(Schema<'d>, Option<Owner>)> {
        let mut current = schema.clone();
        let mut owner = None;
        for _ in 0..LONGEST_CHAIN {
            let Some(target) = current.reference() else { return Some((current, owner)) };
            let key = Document::key_of(target);
            let component = key.and_then(|key| self.components.get(&key));
            owner = component.map(|component| component.owner.clone());
            let component = component.map(|component| component.schema.clone());
            let Some(next) = component.or_else(|| self.document.schema_at(target)) else {
                self.dangling(&current.pointer, target);
                return None;
            };
            current = next;
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
        let is_known = ["schemas", "parameters", "requestBodies", "responses", "pathItems"];
        if !is_known.contains(&section) {
            return None;
        }
        let path = ["components", section];
        let names = self.document.tree.root.members(&path).map(|(name, _)| name);
        let meant = self.diagnostics.spelling().closest(key, names);
        meant.map(|key| format!("#/components/{section}/{key}"))
    }

    /// Follows the `$ref`s of an item. One that does not exist or is part of a cycle is reported.
    pub fn item(&mut self, start: &View<'d>, kind: Kind) -> Option<View<'d>> {
        let mut current = start.clone();
        for _ in 0..LONGEST_CHAIN {
            let Some(target) = current.reference() else { return Some(current) };
            let pointer = Pointer::from_reference(target);
            let next = pointer.and_then(|pointer| self.document.item(kind, pointer));
            if next.is_none() {
                self.dangling(&current.pointer, target);
            }
            current = next?;
        }
        self.diagnostics
            .error("cyclic-ref", Place::value(&start.pointer), "this reference refers to itself")
            .help("point one of the references to a definition");
        None
    }
}
