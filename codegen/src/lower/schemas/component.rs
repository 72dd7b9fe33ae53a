//! A schema under `components`.

use crate::document::Schema;
use crate::lower::classify::Classified;
use crate::lower::{Owner, Typed};

/// A schema under `components`.
#[derive(Debug)]
pub struct Component<'d> {
    pub schema: Schema<'d>,
    pub owner: Owner,
    pub(super) state: State<'d>,
}

/// The state of a component.
#[derive(Debug)]
pub(super) enum State<'d> {
    /// An alias that is not resolved yet.
    Alias(Classified<'d>),
    /// An alias that is being resolved: meeting it again is a cycle.
    InProgress,
    /// A named type, or an alias of this one.
    Resolved(Typed),
}

/// The alias that is being resolved.
#[derive(Clone, Debug, Default)]
pub struct Resolving {
    pub(super) key: String,
    /// The number of its lists and maps that contain the current schema.
    pub containers: usize,
}
