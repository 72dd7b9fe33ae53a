//! Enums of strings and integers.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::diagnostics::{Code, Place};
use crate::document::Pointer;
use crate::facts::Listed;
use crate::ir::{EnumKind, EnumVariant, VariantName};
use crate::lower::{Context, Owner};
use crate::names::{self, NameRequest, Priority};

const UNSPECIFIED: &str = "UNSPECIFIED";

/// Lowers the values of an enum: the variants omit the conventional prefix of the values.
pub fn variants(
    values: Vec<Listed<'_>>,
    kind: EnumKind,
    owner: &Owner,
    context: &Context<'_>,
) -> Vec<EnumVariant> {
    let values = distinct_values(values, context);
    let labels: Vec<Cow<'_, str>> = values.iter().map(|value| label(value, kind)).collect();
    let prefix = shared_prefix(&owner.name(), labels.iter().map(AsRef::as_ref));
    let requests = values.iter().zip(&labels).map(|(Listed { text, pointer, .. }, label)| {
        let short = label
            .strip_prefix(&prefix)
            .filter(|short| short.starts_with(char::is_alphabetic))
            .map(|short| {
                let spelled = |attempt| names::spelling(short, attempt);
                [short.into(), spelled(1), label.as_ref().into(), spelled(3)]
            });
        let whole = [label.as_ref().into(), text.as_ref().into()];
        let candidates = short.into_iter().flatten().chain(whole).collect();
        let request = NameRequest::new(label.as_ref(), pointer);
        NameRequest { priority: Priority::Value, candidates, ..request }
    });
    let what = |name: &VariantName| format!("the variant `{}::{name}`", owner.name());
    let names = context.assign(requests, |_, text| names::variant(text), what);
    let variants = values.iter().zip(names).map(|(value, name)| EnumVariant {
        name,
        value: value.text.to_string(),
        description: value.description.map(str::to_owned),
        pointer: value.pointer.to_string(),
    });
    variants.collect()
}

/// Returns the text that names a value: the name in the document, or the value itself.
fn label<'v>(value: &'v Listed<'_>, kind: EnumKind) -> Cow<'v, str> {
    match (value.name, kind) {
        (Some(name), _) => name.into(),
        // The sign is a word, too.
        (None, EnumKind::Integer) if !value.text.starts_with('-') => {
            format!("value {}", value.text).into()
        }
        (None, _) => value.text.as_ref().into(),
    }
}

fn distinct_values<'s>(values: Vec<Listed<'s>>, context: &Context<'_>) -> Vec<Listed<'s>> {
    let mut first: HashMap<Cow<'s, str>, Pointer> = HashMap::new();
    let mut distinct = Vec::with_capacity(values.len());
    for value in values {
        if let Some(first) = first.get(&value.text) {
            let message = format!("duplicate value `{}`", value.text);
            context
                .report(Code::DuplicateValue, Place::value(&value.pointer), message)
                .related(Place::value(first), "the first is here")
                .help("remove one of them");
            continue;
        }
        first.insert(value.text.clone(), value.pointer.clone());
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
