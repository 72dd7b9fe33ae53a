//! The components that are not named types: lists, maps, simple types and references.

use std::collections::HashMap;

use crate::document::{Document, MAX_CHAIN};
use crate::lower::Typed;
use crate::lower::classify::{Classified, Content, SchemaKind, classify};
use crate::lower::graph::strongly_connected;

/// The types of the components.
#[derive(Default)]
pub struct Aliases<'d> {
    states: HashMap<String, State<'d>>,
    /// The lists and maps that contain themselves: the number of the cycle, by key.
    cycles: HashMap<String, usize>,
    /// The key of the alias that is being resolved.
    key: String,
    /// The number of its lists and maps that contain the current schema.
    containers: usize,
}

/// The type of a component.
pub enum State<'d> {
    /// An alias that is not resolved yet.
    Alias(Classified<'d>),
    /// An alias that is being resolved: seeing it again is a cycle.
    InProgress,
    /// A named type, or the type of an alias.
    Resolved(Typed),
}

/// The alias that was being resolved before another one.
pub struct Outer {
    key: String,
    containers: usize,
}

impl<'d> Aliases<'d> {
    /// Sets the type of a component.
    pub fn set(&mut self, key: &str, state: State<'d>) {
        self.states.insert(key.to_owned(), state);
    }

    /// Takes the type of a component. An alias is in progress from now on.
    pub fn take(&mut self, key: &str) -> Option<State<'d>> {
        let state = self.states.get_mut(key)?;
        match state {
            State::Resolved(typed) => Some(State::Resolved(typed.clone())),
            state => Some(std::mem::replace(state, State::InProgress)),
        }
    }

    /// Returns the kind of an alias that is not resolved yet.
    pub fn unresolved(&self, key: &str) -> Option<&Classified<'d>> {
        match self.states.get(key)? {
            State::Alias(classified) => Some(classified),
            _ => None,
        }
    }

    /// Begins to resolve an alias; returns the alias that it is part of.
    pub fn enter(&mut self, key: &str) -> Outer {
        let key = std::mem::replace(&mut self.key, key.to_owned());
        Outer { key, containers: std::mem::take(&mut self.containers) }
    }

    /// Ends resolving an alias.
    pub fn leave(&mut self, outer: Outer) {
        self.key = outer.key;
        self.containers = outer.containers;
    }

    pub fn enter_container(&mut self) {
        self.containers += 1;
    }

    pub fn leave_container(&mut self) {
        self.containers -= 1;
    }

    /// Returns whether the alias that is being resolved would contain itself in a list or map by a component.
    pub fn is_cycle(&self, key: &str) -> bool {
        let cycle = self.cycles.get(key).filter(|_| self.containers > 0);
        cycle.is_some() && cycle == self.cycles.get(&self.key)
    }

    /// Finds the lists and maps that contain themselves.
    pub fn find_cycles(&mut self) {
        self.cycles = self.numbered_cycles();
    }

    /// Returns the keys of the lists and maps that contain themselves, sorted.
    pub fn cyclic_keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = self.numbered_cycles().into_keys().collect();
        keys.sort_unstable();
        keys
    }

    /// Numbers the cycles of components that are lists, maps or aliases of one another, without a named type.
    fn numbered_cycles(&self) -> HashMap<String, usize> {
        let mut keys: Vec<&str> = self.states.keys().map(String::as_str).collect();
        keys.sort_unstable();
        let aliases: Vec<(&str, &Classified<'d>)> =
            keys.into_iter().filter_map(|key| Some((key, self.unresolved(key)?))).collect();
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

/// Returns the component that a list, a map or an alias refers to. A list can be its own element without a reference.
fn alias_target(kind: &SchemaKind<'_>) -> Option<String> {
    let mut kind = kind.clone();
    for _ in 0..MAX_CHAIN {
        kind = match kind {
            SchemaKind::Ref(schema) => return Document::key_of(schema.reference()?),
            SchemaKind::List(Content::Of(inner)) | SchemaKind::Map(Content::Of(inner)) => {
                classify(&inner, false).kind
            }
            _ => return None,
        };
    }
    None
}
