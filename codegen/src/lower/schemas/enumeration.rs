//! Enums of strings and integers.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::facts::Listed;
use crate::ir::{EnumKind, EnumVariant, VariantName};
use crate::lower::{Context, Owner};
use crate::names::{self, NameRequest, Priority};

const UNSPECIFIED: &str = "UNSPECIFIED";

/// Lowers the values of an enum: the variants omit the conventional prefix of the values.
pub fn variants(
    mut values: Vec<Listed<'_>>,
    kind: EnumKind,
    owner: &Owner,
    context: &Context<'_>,
) -> Vec<EnumVariant> {
    let mut seen = HashSet::new();
    values.retain(|value| seen.insert(value.text.clone()));
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
