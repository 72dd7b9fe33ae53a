//! `[masks]` and `[[wait]]`: the conventions of an API that its document cannot describe.

use ::codegen::conventions::{Masks, Wait};
use toml::de::DeTable;

use crate::host::toml_file::{Invalid, Value, list, string, table};

/// Reads `[masks]`. The other keys are operationIds.
pub(super) fn masks(table: &DeTable<'_>) -> Result<Masks, Invalid> {
    let mut masks = Masks::default();
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "separator" => {
                let separator = string(value)?;
                if separator.is_empty() {
                    return Err(Invalid::value(value, "the separator cannot be empty"));
                }
                masks.separator = Some(separator.to_owned());
            }
            "paths" => {
                masks.nested = match string(value)? {
                    "top-level" => false,
                    "nested" => true,
                    _ => return Err(Invalid::value(value, "expected `top-level` or `nested`")),
                };
            }
            id => drop(masks.objects.insert(id.to_owned(), string(value)?.to_owned())),
        }
    }
    Ok(masks)
}

/// Reads `[[wait]]`.
pub(super) fn waits(value: &Value<'_>) -> Result<Vec<Wait>, Invalid> {
    list(value)?.iter().map(wait).collect()
}

fn wait(entry: &Value<'_>) -> Result<Wait, Invalid> {
    let mut wait = Wait::default();
    for (key, value) in table(entry)? {
        match key.get_ref().as_ref() {
            "operation" => string(value)?.clone_into(&mut wait.operation),
            "property" => string(value)?.clone_into(&mut wait.property),
            "values" => {
                let values = list(value)?.iter().map(|value| Ok(string(value)?.to_owned()));
                wait.values = values.collect::<Result<_, _>>()?;
            }
            _ => return Err(Invalid::key(key, &["operation", "property", "values"])),
        }
    }
    if wait.operation.is_empty() || wait.property.is_empty() {
        return Err(Invalid::value(entry, "a wait needs an `operation` and a `property`"));
    }
    Ok(wait)
}
