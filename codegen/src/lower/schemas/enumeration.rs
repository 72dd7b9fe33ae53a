//! Enums of strings.

use std::collections::HashMap;

use crate::diagnostics::Place;
use crate::ir::{EnumVariant, OpenEnum, VariantName};
use crate::lower::classify::Value;
use crate::lower::names::{self, Claim};
use crate::lower::{Lowering, Owner};

const UNSPECIFIED: &str = "UNSPECIFIED";

impl Lowering<'_> {
    /// Lowers an enum of strings: variants without the prefix that the values have by convention.
    pub fn enum_of(&mut self, values: Vec<Value<'_>>, takes_any: bool, owner: &Owner) -> OpenEnum {
        let values = self.distinct_values(values);
        let prefix = shared_prefix(&owner.name(), values.iter().map(|value| value.text));
        let claims = values.iter().map(|Value { text, pointer, .. }| {
            let short = text.strip_prefix(&prefix);
            let short = short.filter(|short| short.starts_with(char::is_alphabetic));
            let short = short.map(|short| [short.into(), names::spelling(short, 1)]);
            let wordings = short.into_iter().flatten().chain([(*text).into()]).collect();
            Claim { wordings, ..Claim::new(*text, pointer) }
        });
        let what = |name: &VariantName| format!("the variant `{}::{name}`", owner.name());
        let names = names::assign(claims, |_, text| names::variant(text), what, self.diagnostics);
        let variants = values.into_iter().zip(names);
        OpenEnum {
            takes_any,
            variants: variants
                .map(|(value, name)| EnumVariant {
                    name,
                    value: value.text.to_owned(),
                    description: value.description.map(str::to_owned),
                    pointer: value.pointer.to_string(),
                })
                .collect(),
        }
    }

    /// Returns the values, each once.
    fn distinct_values<'s>(&mut self, values: Vec<Value<'s>>) -> Vec<Value<'s>> {
        let mut first: HashMap<&str, crate::document::Pointer> = HashMap::new();
        let mut distinct = Vec::with_capacity(values.len());
        for value in values {
            if let Some(first) = first.get(value.text) {
                self.diagnostics
                    .warning(
                        "duplicate-value",
                        Place::value(&value.pointer),
                        format!("the value `{}` is listed twice", value.text),
                    )
                    .related(Place::value(first), "the first is here")
                    .help("remove one of them");
                continue;
            }
            first.insert(value.text, value.pointer.clone());
            distinct.push(value);
        }
        distinct
    }
}

/// Returns the prefix of the values by the convention of Protocol Buffers: the part before `UNSPECIFIED` in the value that
/// ends with it, or else the name of the enum. Neither depends on the other values.
fn shared_prefix<'v>(name: &str, values: impl Iterator<Item = &'v str>) -> String {
    let unspecified = values
        .filter_map(|value| value.strip_suffix(UNSPECIFIED))
        .min_by_key(|prefix| prefix.len());
    match unspecified {
        Some(prefix) => prefix.to_owned(),
        None => format!("{}_", names::snake(name).to_uppercase()),
    }
}
