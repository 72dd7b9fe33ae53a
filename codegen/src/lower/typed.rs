//! The type of a schema, with its nullability.

use crate::ir::Type;

/// The type of a schema, and whether null is allowed for it.
#[derive(Clone, Debug)]
pub struct Typed {
    pub ty: Type,
    pub nullable: bool,
}

impl Typed {
    pub fn new(ty: Type) -> Self {
        Self { ty, nullable: false }
    }
}
