//! The attributes of a type: its documentation, and whether it is deprecated.

use super::usage::Usage;
use crate::emit::rust::attributes::Attributes;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::ir::{Origin, TypeDef, TypeId};

/// A type whose file is written.
#[derive(Clone, Copy)]
pub struct Model<'a> {
    pub id: TypeId,
    pub definition: &'a TypeDef,
    pub usage: &'a Usage<'a>,
}

impl Model<'_> {
    /// Returns the attributes of the type. One that the spec does not describe is documented by its origin.
    pub fn attributes(self) -> Attributes {
        let Self { id, definition, usage } = self;
        let name = definition.name.bare();
        let documentation = Doc::new(&definition.docs, || sentence(&definition.origin, name));
        let attributes = usage.add_to(documentation, id).attributes(0);
        attributes.deprecated(&definition.docs).derive(&definition.derives)
    }
}

/// Returns what the name of a type does not say of its origin.
fn sentence(origin: &Origin, name: &str) -> Option<Inline> {
    Some(match origin {
        Origin::Property(_) => return None,
        Origin::Component(key) if key == name => return None,
        Origin::Component(key) => text!("The schema {}.", Inline::code(key)),
        Origin::Element(of) | Origin::Value(of) => {
            let part = if matches!(origin, Origin::Element(_)) { "An item" } else { "A value" };
            match &**of {
                Origin::Property(name) => text!("{} of {}.", part, Inline::code(name)),
                Origin::Component(key) => text!("{} of the schema {}.", part, Inline::code(key)),
                of => return sentence(of, name),
            }
        }
        Origin::Base(key) => text!("Properties of all schemas that extend {}.", Inline::code(key)),
        Origin::Variant(union) => text!("A variant of {}.", Inline::code(union)),
        Origin::Parameter(name) => text!("The parameter {}.", Inline::code(name)),
        Origin::RequestBody(id) => text!("Body of {}.", Inline::code(id)),
        Origin::ResponseBody(id) => text!("Response of {}.", Inline::code(id)),
        Origin::ServerVariable(name) => {
            text!("The server variable {}.", Inline::code(name))
        }
        Origin::Failures => text!(
            "The bodies of errors: [`Error::failure`](crate::Error::failure) returns one by its status."
        ),
        Origin::Operation(id) => text!("A value of {}.", Inline::code(id)),
    })
}
