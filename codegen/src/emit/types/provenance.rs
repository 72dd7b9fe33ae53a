//! What documents a type that the spec does not describe: where it comes from.

use crate::emit::rust::docs::{Inline, text};
use crate::ir::{Api, TypeDef};

/// Returns a sentence on where a type comes from.
pub fn of(definition: &TypeDef, api: &Api) -> Inline {
    if let Some(key) = &definition.component {
        return text!("The schema {}.", Inline::code(key));
    }
    let segments: Vec<&str> = definition.pointer.split('/').collect();
    let operation = || {
        let found = api.operations().find(|found| is_below(&definition.pointer, &found.pointer));
        found.map(|operation| Inline::code(&operation.id))
    };
    let property = |member: &str| Inline::code(&member.replace("~1", "/").replace("~0", "~"));
    let origin = match segments.as_slice() {
        [.., "properties", member, "items"] => Some(text!("An item of {}.", property(member))),
        [.., "properties", member, "additionalProperties"] => {
            Some(text!("A value of {}.", property(member)))
        }
        [.., "properties", member] => Some(text!("The value of {}.", property(member))),
        [.., "requestBody", "content", _, "schema"] => {
            operation().map(|operation| text!("Body of {}.", operation))
        }
        [.., "content", _, "schema"] => {
            operation().map(|operation| text!("Response of {}.", operation))
        }
        _ => None,
    };
    origin.unwrap_or_else(|| text!("The schema at {}.", Inline::code(&definition.pointer)))
}

fn is_below(pointer: &str, operation: &str) -> bool {
    pointer.strip_prefix(operation).is_some_and(|rest| rest.starts_with('/'))
}
