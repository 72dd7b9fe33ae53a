//! Enums of strings.

use std::collections::HashMap;

use crate::diagnostics::Place;
use crate::document::{Pointer, Schema};
use crate::ir::{EnumVariant, OpenEnum, VariantName};
use crate::lower::classify::string_values;
use crate::lower::names::{self, Scope};
use crate::lower::{Lowering, Owner};

const UNSPECIFIED: &str = "UNSPECIFIED";

impl Lowering<'_> {
    /// Lowers an enum of strings: variants without the prefix that the values share by convention.
    pub(crate) fn enum_of(&mut self, schema: &Schema, owner: &Owner) -> OpenEnum {
        let values = self.distinct_values(schema);
        let prefix = shared_prefix(&owner.name, values.iter().map(|&(value, _)| value));
        let mut bearers: HashMap<VariantName, usize> = HashMap::new();
        for &(value, _) in &values {
            *bearers.entry(variant_name(value, &prefix)).or_default() += 1;
        }
        let mut scope = Scope::default();
        let mut variants = Vec::with_capacity(values.len());
        for (value, pointer) in values {
            let name =
                Some(variant_name(value, &prefix)).filter(|name| bearers.get(name) == Some(&1));
            let name = name.unwrap_or_else(|| exact_name(value));
            let what = format!("the variant `{}::{name}`", owner.name);
            if scope.take(name.clone(), &pointer, &what, self.diagnostics) {
                let (value, pointer) = (value.to_owned(), pointer.to_string());
                variants.push(EnumVariant { name, value, pointer });
            }
        }
        OpenEnum { variants }
    }

    /// Returns the values, each once, and where they are written.
    fn distinct_values<'s>(&mut self, schema: &'s Schema) -> Vec<(&'s str, Pointer)> {
        let mut first: HashMap<&str, Pointer> = HashMap::new();
        let mut values = Vec::new();
        for (index, value) in string_values(schema) {
            let pointer = match schema.enumeration {
                Some(_) => schema.pointer.join("enum").join_index(index),
                None => schema.pointer.join("const"),
            };
            if let Some(first) = first.get(value) {
                self.diagnostics
                    .warning(
                        "duplicate-value",
                        Place::value(&pointer),
                        format!("the value `{value}` is listed twice"),
                    )
                    .related(Place::value(first), "the first is here")
                    .help("remove one of them");
                continue;
            }
            first.insert(value, pointer.clone());
            values.push((value, pointer));
        }
        values
    }
}

/// Returns the prefix that the values carry by the convention of Protocol Buffers: what stands before `UNSPECIFIED` in
/// the value that ends so, or else the name of the enum. Neither depends on which other values there are.
fn shared_prefix<'v>(name: &str, values: impl Iterator<Item = &'v str>) -> String {
    let unspecified = values
        .filter_map(|value| value.strip_suffix(UNSPECIFIED))
        .min_by_key(|prefix| prefix.len());
    match unspecified {
        Some(prefix) => prefix.to_owned(),
        None => format!("{}_", names::snake(name).to_uppercase()),
    }
}

fn variant_name(value: &str, prefix: &str) -> VariantName {
    let short = value.strip_prefix(prefix).filter(|short| short.starts_with(char::is_alphabetic));
    names::variant(short.unwrap_or(value))
}

/// Returns the name of a value that differs from another only in its symbols or its case, which it therefore spells out.
fn exact_name(value: &str) -> VariantName {
    let case = match value.chars().find(|char| char.is_alphabetic()) {
        Some(first) if first.is_uppercase() && value.chars().any(char::is_lowercase) => {
            " capitalized"
        }
        Some(first) if first.is_uppercase() => " uppercase",
        _ => "",
    };
    names::variant(&format!("{}{case}", names::camel_in_full(value)))
}
