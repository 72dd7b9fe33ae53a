//! What was read of the schemas: each is read once, and so are the targets of references and the unions in cycles.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Deref;
use std::rc::Rc;

use super::alternative::ValueShape;
use super::classify::{Classified, SchemaKind, classify};
use crate::document::{MAX_CHAIN, Schema, SchemaKey};
use crate::facts::{Known, composition};
use crate::graph::groups;

#[derive(Default)]
pub struct Reading<'d> {
    known: Known<'d>,
    /// The targets of references; `None` if a reference is unresolved.
    targets: RefCell<HashMap<SchemaKey, Option<Rc<Target<'d>>>>>,
    /// The first one of the schemas that are alternatives of each other.
    cycles: RefCell<HashMap<SchemaKey, Schema<'d>>>,
    /// The branches of the unions in a cycle, which are the same for all of them, by the first one.
    pub branches: RefCell<HashMap<SchemaKey, Rc<Branches<'d>>>>,
}

/// The target of a chain of references, with its kind.
pub type Target<'d> = (Schema<'d>, Classified<'d>);

/// The branches of a union, with the shapes of their values; `None` if one of them allows any value.
pub type Branches<'d> = Option<Vec<(Schema<'d>, Option<ValueShape>)>>;

impl<'d> Deref for Reading<'d> {
    type Target = Known<'d>;

    fn deref(&self) -> &Known<'d> {
        &self.known
    }
}

impl<'d> Reading<'d> {
    /// Follows the `$ref`s of a schema, without a report. Returns `None` if a reference is unresolved.
    pub fn target(&self, schema: &Schema<'d>) -> Option<Rc<Target<'d>>> {
        let is_reference = schema.reference().is_some();
        let start = if is_reference { schema.target()? } else { schema.clone() };
        let key = start.key();
        if let Some(known) = self.targets.borrow().get(&key) {
            return known.clone();
        }
        let found = self.followed(start).map(Rc::new);
        if is_reference {
            self.targets.borrow_mut().insert(key, found.clone());
        }
        found
    }

    fn followed(&self, start: Schema<'d>) -> Option<Target<'d>> {
        let mut current = start;
        for _ in 0..MAX_CHAIN {
            let classified = classify(&current, true, self);
            let SchemaKind::Ref(reference) = classified.kind else {
                return Some((current, classified));
            };
            current = reference.target()?;
        }
        None
    }

    /// Returns the first one of the schemas that are alternatives of each other to which a schema belongs, by place.
    pub fn cycle(&self, schema: &Schema<'d>) -> Schema<'d> {
        let mut cycles = self.cycles.borrow_mut();
        let key = schema.key();
        if let Some(known) = cycles.get(&key) {
            return known.clone();
        }
        let found = groups(vec![schema.clone()], Schema::key, |it| {
            let only = it.target().or_else(|| composition::wrapped(it));
            let mut inner = only.map_or_else(|| it.alternatives(), |only| vec![only]);
            inner.retain(|it| !cycles.contains_key(&it.key()));
            inner
        });
        for group in found {
            let unions = group.iter().filter(|schema| !schema.alternatives().is_empty());
            let first = unions.min_by_key(|schema| schema.pointer.to_string());
            let first = first.unwrap_or(&group[0]);
            cycles.extend(group.iter().map(|schema| (schema.key(), first.clone())));
        }
        cycles[&key].clone()
    }
}
