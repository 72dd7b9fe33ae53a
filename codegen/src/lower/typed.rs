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

    /// Returns the type at a place without a field: of a response body, the elements of a list, the values of a map. Any
    /// JSON value can be null.
    pub fn into_element(self) -> Type {
        match self.ty {
            Type::Value => Type::Value,
            ty if self.nullable => Type::Nullable(Box::new(ty)),
            ty => ty,
        }
    }
}
