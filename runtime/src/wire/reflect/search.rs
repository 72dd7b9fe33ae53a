//! The search for secrets in types.

use std::collections::BTreeSet;
use std::{mem, ptr};

use crate::wire::reflect::wire::{ActiveMut, Choice, Target, Union, View, Wire};
use crate::wire::value::{Map, Value};

/// Dictionaries and lists may be their own values, so the depth is limited.
const MAX_DEPTH: usize = 100;

/// Returns whether a type is or contains a secret. Overwrites the value.
pub(in crate::wire) fn has_secrets(wire: &mut dyn Wire) -> bool {
    Search::default().value(wire, 0)
}

/// Returns whether a variant of a union contains a secret. Overwrites the value.
pub(in crate::wire) fn choice_has_secrets(choice: &mut dyn Choice) -> bool {
    Search::default().choice(choice, 0)
}

impl dyn Union + '_ {
    /// Drops the known property and adds these as JSON.
    pub(in crate::wire) fn hold(&mut self, properties: impl IntoIterator<Item = (String, Value)>) {
        let held = match self.active_mut() {
            ActiveMut::Unknown(map) => mem::take(map),
            ActiveMut::Known(_) => Map::new(),
        };
        let table = self.table();
        table.secrecy.contains_secrets(|| Search::default().union(self, 0));
        self.choose(None);
        if let ActiveMut::Unknown(map) = self.active_mut() {
            *map = held;
            map.extend(properties);
        }
    }
}

/// The descriptions of the types that were searched.
#[derive(Default)]
struct Search(BTreeSet<usize>);

impl Search {
    fn value(&mut self, wire: &mut dyn Wire, depth: usize) -> bool {
        let depth = depth + 1;
        let is_within = match wire.target() {
            _ if depth > MAX_DEPTH => return false,
            Target::Array(array) => self.value(array.push(), depth),
            Target::Dictionary(entries) => {
                entries.free_form().is_none() && self.value(entries.insert(String::new()), depth)
            }
            Target::Union(union) => self.union(union, depth),
            Target::Choice(choice) => self.choice(choice, depth),
            Target::Object => self.object(wire, depth),
            _ => false,
        };
        is_within || matches!(wire.view(), View::Secret(_))
    }

    fn object(&mut self, object: &mut dyn Wire, depth: usize) -> bool {
        let mut is_new = false;
        let mut found = false;
        object.with_fields(|table, _, _| {
            is_new = self.is_new(table);
            found = table.read().has_secret_mark();
        });
        if is_new && !found {
            object.with_fields_mut(|fields, _| {
                found = fields.iter_mut().any(|field| self.value(&mut **field, depth));
            });
        }
        found
    }

    fn union(&mut self, union: &mut dyn Union, depth: usize) -> bool {
        let table = union.table();
        table.read().has_secret_mark()
            || self.is_new(table)
                && (0..table.read().properties.len()).any(|index| {
                    union.choose(Some(index));
                    match union.active_mut() {
                        ActiveMut::Known(payload) => self.value(payload, depth),
                        ActiveMut::Unknown(_) => false,
                    }
                })
    }

    fn choice(&mut self, choice: &mut dyn Choice, depth: usize) -> bool {
        let plan = choice.plan();
        self.is_new(plan)
            && (0..plan.read().variants.len()).any(|index| {
                choice.choose(Some(index));
                match choice.active_mut() {
                    ActiveMut::Known(payload) => self.value(payload, depth),
                    ActiveMut::Unknown(_) => false,
                }
            })
    }

    fn is_new<T>(&mut self, description: &'static T) -> bool {
        self.0.insert(ptr::from_ref(description).addr())
    }
}
