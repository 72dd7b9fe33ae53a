//! What is told of a type of which the description tells nothing: where it comes from.

use crate::ir::{Api, TypeDef};

/// Returns a sentence on where a type comes from.
pub fn of(definition: &TypeDef, api: &Api) -> String {
    if let Some(key) = &definition.component {
        return format!("The schema `{key}`.");
    }
    let segments: Vec<&str> = definition.pointer.split('/').collect();
    let operation =
        || api.operations().find(|operation| is_below(&definition.pointer, &operation.pointer));
    let told = match segments.as_slice() {
        [.., "properties", member, "items"] => {
            Some(format!("An element of `{}`.", unescaped(member)))
        }
        [.., "properties", member, "additionalProperties"] => {
            Some(format!("A value in `{}`.", unescaped(member)))
        }
        [.., "properties", member] => Some(format!("What `{}` holds.", unescaped(member))),
        [.., "requestBody", "content", _, "schema"] => {
            operation().map(|operation| format!("What `{}` takes.", operation.id))
        }
        [.., "content", _, "schema"] => {
            operation().map(|operation| format!("What `{}` returns.", operation.id))
        }
        _ => None,
    };
    told.unwrap_or_else(|| format!("What stands at `{}` of the description.", definition.pointer))
}

fn is_below(pointer: &str, operation: &str) -> bool {
    pointer.strip_prefix(operation).is_some_and(|rest| rest.starts_with('/'))
}

fn unescaped(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}
