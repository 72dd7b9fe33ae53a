//! Enums of strings.

use super::names::{self, Scope};
use super::nature::string_values;
use super::{Lowering, Owner};
use crate::diagnostics::Place;
use crate::document::Schema;
use crate::ir::{EnumVariant, OpenEnum};

const UNSPECIFIED: &str = "UNSPECIFIED";

impl Lowering<'_> {
    /// Lowers an enum of strings: variants without the prefix that the values share by convention.
    pub(super) fn enum_of(&mut self, schema: &Schema, owner: &Owner) -> OpenEnum {
        let values = string_values(schema);
        let prefix = shared_prefix(&owner.name, values.iter().map(|&(_, value)| value));
        let mut scope = Scope::default();
        let mut variants: Vec<EnumVariant> = Vec::new();
        for (index, value) in values {
            let pointer = match schema.enumeration {
                Some(_) => schema.pointer.join("enum").join_index(index),
                None => schema.pointer.join("const"),
            };
            if variants.iter().any(|variant| variant.value == value) {
                self.diagnostics
                    .warning("duplicate-value", Place::value(&pointer), format!("the value `{value}` is listed twice"))
                    .help("remove one of them");
                continue;
            }
            let name = variant_name(value, &prefix);
            let what = format!("the variant `{}::{name}`", owner.name);
            if scope.take(name.clone(), &pointer, &what, self.diagnostics) {
                variants.push(EnumVariant { name, value: value.to_owned() });
            }
        }
        OpenEnum { variants }
    }
}

/// Returns the prefix that the values carry by the convention of Protocol Buffers: what stands before `UNSPECIFIED` in
/// the value that ends so, or else the name of the enum. Neither depends on which other values there are.
fn shared_prefix<'v>(name: &str, values: impl Iterator<Item = &'v str>) -> String {
    let unspecified = values.filter_map(|value| value.strip_suffix(UNSPECIFIED)).min_by_key(|prefix| prefix.len());
    match unspecified {
        Some(prefix) => prefix.to_owned(),
        None => format!("{}_", names::snake(name).to_uppercase()),
    }
}

fn variant_name(value: &str, prefix: &str) -> crate::ir::VariantName {
    let short = value.strip_prefix(prefix).filter(|short| short.starts_with(char::is_alphabetic));
    names::variant(short.unwrap_or(value))
}
