//! A schema under `components`, and what is known of it.

use crate::document::Schema;
use crate::ir::TypeId;
use crate::lower::classify::Classified;
use crate::lower::{Owner, Typed};

/// A schema under `components`.
#[derive(Debug)]
pub struct Component<'d> {
    pub schema: &'d Schema,
    pub owner: Owner,
    pub(super) state: State<'d>,
}

/// What is known of a component.
#[derive(Debug)]
pub(super) enum State<'d> {
    /// It is a type of its own.
    Named { id: TypeId, nullable: bool },
    /// It is an alias of a type that is not found yet.
    Alias(Classified<'d>),
    /// It is an alias whose type is being found: to meet it again is a cycle.
    InProgress,
    /// It is an alias of this type.
    Resolved(Typed),
}

/// The alias whose type is being found.
#[derive(Clone, Debug, Default)]
pub struct Resolving {
    pub(super) key: String,
    /// How many lists and maps of the alias have been entered.
    pub containers: usize,
}
