//! Named types before they are lowered and named.

use std::borrow::Cow;

use crate::document::{Pointer, Schema};
use crate::ir::{Origin, Shape, TypeDef, TypeId};
use crate::lower::Owner;
use crate::lower::classify::Definition;
use crate::names::{self, NameRequest};

/// A type without its final name.
#[derive(Debug)]
pub struct TypeDraft {
    /// The type, with its preferred name.
    pub(super) definition: TypeDef,
    /// The context that names the type.
    pub(super) owner: Owner,
    /// The JSON pointer to the schema.
    pub(super) pointer: Pointer,
}

impl TypeDraft {
    /// Returns the shape of the type.
    pub fn shape(&self) -> &Shape {
        &self.definition.shape
    }

    /// Returns the request for the name. After a collision, a component adds words for its spelling, and a derived name
    /// adds a word for the kind of the type.
    pub(super) fn name_request(&self) -> NameRequest<'_> {
        let raw = self.owner.name();
        let priority = self.owner.priority;
        let request = NameRequest { priority, ..NameRequest::new(raw.clone(), &self.pointer) };
        let what = match (&self.definition.shape, &self.definition.origin) {
            (_, Origin::Component(_)) => return request,
            (_, Origin::RequestBody(_)) => ["Body", "RequestBody"],
            (_, Origin::ResponseBody(_)) => ["Body", "ResponseBody"],
            (_, Origin::Failures) => ["Failure", "FailureBody"],
            (Shape::Enum(_), _) => ["Kind", "Enum"],
            (Shape::Union(_) | Shape::Reply(_), _) => ["Kind", "Union"],
            (Shape::Struct(_), Origin::Element(_)) => ["Item", "Element"],
            (Shape::Struct(_), _) => ["Value", "Object"],
        };
        let full = self.owner.full_name();
        let [longer, other] = what.map(|what| format!("{full}{what}"));
        let checked = format!("{longer}_{:08x}", names::checksum(&format!("2{}", self.pointer)));
        let candidates = [raw, full, longer, other, checked].map(Cow::from).into();
        NameRequest { candidates, is_hashed: true, ..request }
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
