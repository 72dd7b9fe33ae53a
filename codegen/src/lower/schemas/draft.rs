//! Named types before they are lowered and named.

use crate::document::{Pointer, Schema};
use crate::ir::{Origin, Shape, TypeDef, TypeId};
use crate::lower::Owner;
use crate::lower::classify::Definition;
use crate::names::{self, NameRequest, Priority};

/// A type without its final name.
#[derive(Debug)]
pub struct Draft {
    /// The type, with its preferred name.
    pub(super) definition: TypeDef,
    /// The name in the spelling of the document.
    pub(super) raw: String,
    /// The name with all words of the parts that it is derived from.
    pub(super) full: String,
    pub(super) priority: Priority,
    /// The JSON pointer to the schema.
    pub(super) pointer: Pointer,
}

impl Draft {
    /// Returns the shape of the type.
    pub fn shape(&self) -> &Shape {
        &self.definition.shape
    }

    /// Returns the request for the name. After a collision, a component adds words for its spelling, and a derived name
    /// adds the kind of the type.
    pub(super) fn name_request(&self) -> NameRequest<'_> {
        let request = NameRequest {
            priority: self.priority,
            ..NameRequest::new(self.raw.as_str(), &self.pointer)
        };
        let what = match (&self.definition.shape, &self.definition.origin) {
            (_, Origin::Component(_)) => return request,
            (_, Origin::RequestBody(_) | Origin::ResponseBody(_)) => "Body",
            (Shape::Enum(_) | Shape::Union(_), _) => "Kind",
            (Shape::Reply(_), _) => "Failure",
            (Shape::Struct(_), Origin::Element(_)) => "Item",
            (Shape::Struct(_), _) => "Value",
        };
        let longer = format!("{}{what}", self.full);
        let checked = format!("{longer}_{:08x}", names::checksum(&format!("2{}", self.pointer)));
        let candidates =
            [self.raw.as_str().into(), self.full.as_str().into(), longer.into(), checked.into()];
        NameRequest { candidates: candidates.into(), ..request }
    }
}

/// A schema of a named type that is not lowered yet.
#[derive(Debug)]
pub struct Pending<'d> {
    /// The reserved id.
    pub id: TypeId,
    /// The schema, with the documentation of the type.
    pub schema: Schema<'d>,
    /// The definition of the type.
    pub definition: Definition<'d>,
    /// The context that names the type.
    pub owner: Owner,
}
