//! What documents a type that the spec does not describe: where it comes from.

use crate::emit::rust::docs::{Inline, text};
use crate::ir::{Origin, TypeDef};

/// Returns a sentence on where a type comes from.
pub fn of(definition: &TypeDef) -> Inline {
    sentence(&definition.origin)
}

fn sentence(origin: &Origin) -> Inline {
    match origin {
        Origin::Component(key) => text!("The schema {}.", Inline::code(key)),
        Origin::Property(name) => text!("The value of {}.", Inline::code(name)),
        Origin::Element(list) => match &**list {
            Origin::Property(name) => text!("An item of {}.", Inline::code(name)),
            Origin::Component(key) => text!("An item of the schema {}.", Inline::code(key)),
            list => sentence(list),
        },
        Origin::Value(map) => match &**map {
            Origin::Property(name) => text!("A value of {}.", Inline::code(name)),
            Origin::Component(key) => text!("A value of the schema {}.", Inline::code(key)),
            map => sentence(map),
        },
        Origin::Parameter(name) => text!("The parameter {}.", Inline::code(name)),
        Origin::RequestBody(id) => text!("Body of {}.", Inline::code(id)),
        Origin::ResponseBody(id) => text!("Response of {}.", Inline::code(id)),
        Origin::Operation(id) => text!("A value of {}.", Inline::code(id)),
    }
}
