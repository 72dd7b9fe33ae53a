//! Enums of strings.

use std::collections::HashMap;

use crate::diagnostics::{Diagnostics, Place};
use crate::document::Pointer;
use crate::ir::{EnumVariant, OpenEnum, VariantName};
use crate::lower::Owner;
use crate::lower::classify::Value;
use crate::lower::names::{self, NameRequest};

const UNSPECIFIED: &str = "UNSPECIFIED";

/// Lowers an enum of strings: the variants omit the conventional prefix of the values.
pub fn enum_of(
    values: Vec<Value<'_>>,
    takes_any: bool,
    owner: &Owner,
    diagnostics: &mut Diagnostics,
) -> OpenEnum {
    let values = distinct_values(values, diagnostics);
    let prefix = shared_prefix(&owner.name(), values.iter().map(|value| value.text));
    let requests = values.iter().map(|Value { text, pointer, .. }| {
        let short = text
            .strip_prefix(&prefix)
            .filter(|short| short.starts_with(char::is_alphabetic))
            .map(|short| [short.into(), names::spelling(short, 1)]);
        let candidates = short.into_iter().flatten().chain([(*text).into()]).collect();
        NameRequest { candidates, ..NameRequest::new(*text, pointer) }
    });
    let what = |name: &VariantName| format!("the variant `{}::{name}`", owner.name());
    let names = names::assign(requests, |_, text| names::variant(text), what, diagnostics);
    let variants = values.into_iter().zip(names).map(|(value, name)| EnumVariant {
        name,
        value: value.text.to_owned(),
        description: value.description.map(str::to_owned),
        pointer: value.pointer.to_string(),
    });
    OpenEnum { variants: variants.collect(), takes_any }
}

/// Returns the values, each once.
fn distinct_values<'s>(values: Vec<Value<'s>>, diagnostics: &mut Diagnostics) -> Vec<Value<'s>> {
    let mut first: HashMap<&str, Pointer> = HashMap::new();
    let mut distinct = Vec::with_capacity(values.len());
    for value in values {
        if let Some(first) = first.get(value.text) {
            let message = format!("duplicate value `{}`", value.text);
            diagnostics
                .warning("duplicate-value", Place::value(&value.pointer), message)
                .related(Place::value(first), "the first is here")
                .help("remove one of them");
            continue;
        }
        first.insert(value.text, value.pointer.clone());
        distinct.push(value);
    }
    distinct
}

/// Returns the prefix of the values by the convention of Protocol Buffers: the part before `UNSPECIFIED` in the value
/// that ends with it, or else the name of the enum. Neither depends on the other values.
fn shared_prefix<'v>(name: &str, values: impl Iterator<Item = &'v str>) -> String {
    let unspecified = values
        .filter_map(|value| value.strip_suffix(UNSPECIFIED))
        .min_by_key(|prefix| prefix.len());
    match unspecified {
        Some(prefix) => prefix.to_owned(),
        None => format!("{}_", names::snake(name).to_uppercase()),
    }
}
