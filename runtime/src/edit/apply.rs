//! The body of an update.

use super::changes::{EditedPath, changes};
use super::mask::Mask;
use crate::request::call::Call;
use crate::wire::lookup::{Description, Digits, describe, missing, replace, to_map, with_property};
use crate::wire::{Map, Value, View, Wire};

/// Writes the differences between two values into a request, with its mask, and returns whether there are any.
///
/// The object of the body and the mask keep what was set before. The object gets the new values of changed properties, and
/// all required properties, also within the objects that a path leads through; cleared properties are absent.
///
/// # Errors
///
/// Fails if the value cannot be sent, the object cannot have one of the properties, or the mask cannot name it.
pub(super) fn apply(
    mask: &Mask,
    call: &mut Call,
    body: &mut dyn Wire,
    original: &dyn Wire,
    value: &dyn Wire,
) -> Result<bool, String> {
    let mut digits = Digits::new();
    let new = to_map(value, &mut digits)?;
    let changes = changes(original, value, mask.nested);
    if changes.is_empty() {
        return Ok(false);
    }
    let mut write = |object: &mut dyn Wire| {
        let mut sent = to_map(object, &mut digits)?;
        merge(object, original, value, &new, &changes, &mut sent)?;
        // A typed value sends back what it retains beside its fields; any other is not checked yet.
        let is_strict = matches!(value.view(), View::Dictionary(_));
        let replaced = replace(object, &Value::Object(sent), &digits, is_strict);
        replaced.map_err(|error| error.to_string())
    };
    let outcome = match mask.object {
        None => Some(write(body)),
        Some(property) => with_property(body, property, &mut write),
    };
    outcome.unwrap_or_else(|| Err("the body has no object to update".to_owned()))?;
    let names = mask.names(call, body)?;
    mask.write(call, body, names, changes.iter().map(|change| change.names.as_slice()))?;
    Ok(true)
}

/// Adds the changes, which have their values in `new`, to the properties of the object of the body.
fn merge(
    object: &mut dyn Wire,
    original: &dyn Wire,
    value: &dyn Wire,
    new: &Map,
    changes: &[EditedPath<'_>],
    sent: &mut Map,
) -> Result<(), String> {
    let mut refused = Vec::new();
    refuse(object, original, value, "", &mut refused);
    if !refused.is_empty() {
        let noun = if refused.len() == 1 { "property" } else { "properties" };
        return Err(format!("this operation cannot change the {noun} {}", refused.join(", ")));
    }
    for change in changes {
        require(object, &change.names, new, sent);
    }
    for change in changes {
        copy(&change.names, new, sent);
    }
    Ok(())
}

/// Adds the required properties that an object and the objects on the path to a change lack.
fn require(object: &mut dyn Wire, path: &[String], from: &Map, to: &mut Map) {
    for name in missing(object) {
        if let Some(value) = from.get(name) {
            to.insert(name.to_owned(), value.clone());
        }
    }
    if let [name, path @ ..] = path
        && !path.is_empty()
        && let Some(Value::Object(from)) = from.get(name)
        && let Value::Object(to) = to.entry(name.clone()).or_insert_with(|| Map::new().into())
    {
        with_property(object, name, &mut |object| require(object, path, from, to));
    }
}

/// Adds the changed properties that an object does not describe or has as read-only. Undescribed properties can be
/// sent.
fn refuse(
    object: &mut dyn Wire,
    original: &dyn Wire,
    value: &dyn Wire,
    outer: &str,
    refused: &mut Vec<String>,
) {
    for EditedPath { names, is_described, objects } in changes(original, value, false) {
        let Some(name) = names.first() else { continue };
        match describe(object, name) {
            Description::ReadOnly => refused.push(format!("`{outer}{name}` (read-only)")),
            Description::None if is_described => refused.push(format!("`{outer}{name}`")),
            Description::None => {}
            Description::Writable => {
                if let Some((original, value)) = objects {
                    let outer = format!("{outer}{name}.");
                    with_property(object, name, &mut |inner| {
                        refuse(inner, original, value, &outer, refused);
                    });
                }
            }
        }
    }
}

/// Copies the property at a path, or removes it if it is not there.
fn copy(path: &[String], from: &Map, to: &mut Map) {
    match path {
        [] => {}
        [name] => match from.get(name) {
            Some(value) => {
                to.insert(name.clone(), value.clone());
            }
            None => {
                to.remove(name);
            }
        },
        [name, path @ ..] => {
            let inner = to.entry(name.clone()).or_insert_with(|| Value::Object(Map::new()));
            if let (Some(Value::Object(from)), Value::Object(to)) = (from.get(name), inner) {
                copy(path, from, to);
            }
        }
    }
}
