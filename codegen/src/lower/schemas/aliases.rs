//! The components that are not named types: lists, maps, simple types and references.

use std::collections::HashMap;

use crate::lower::Typed;
use crate::lower::classify::Classified;

/// The types of the components.
#[derive(Default)]
pub struct Aliases<'d> {
    states: HashMap<String, State<'d>>,
    /// The number of lists and maps that contain the current schema.
    containers: usize,
}

/// The type of a component.
pub enum State<'d> {
    /// An alias that is not resolved yet.
    Alias(Classified<'d>),
    /// An alias that is being resolved, in this number of lists and maps: seeing it again is a cycle.
    InProgress(usize),
    /// A named type, or the type of an alias.
    Resolved(Typed),
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
            State::InProgress(outer) => Some(State::InProgress(self.containers - *outer)),
            state @ State::Alias(_) => {
                Some(std::mem::replace(state, State::InProgress(self.containers)))
            }
        }
    }

    pub fn enter_container(&mut self) {
        self.containers += 1;
    }

    pub fn leave_container(&mut self) {
        self.containers -= 1;
    }
}
