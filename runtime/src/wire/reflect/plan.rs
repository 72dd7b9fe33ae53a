//! The table of a union: its variants, and the rules by which a value is recognized as one of them.
//!
//! The generator decides the rules; [`wire_rules`] reads and follows them.

use std::sync::OnceLock;

#[cfg(feature = "record")]
use wire_rules::Rule;

use crate::wire::encode::text;
use crate::wire::value::Value;

/// The variants and the rules of a union, as the macro writes them.
pub struct Plan {
    variants: &'static [&'static str],
    rules: &'static str,
    read: OnceLock<UnionTable>,
}

pub(in crate::wire) struct UnionTable {
    pub variants: Box<[Variant]>,
    pub plan: wire_rules::Plan,
}

/// A variant of a union.
pub(in crate::wire) struct Variant {
    pub name: &'static str,
    /// Whether integers are written as strings of decimal digits.
    pub as_text: bool,
    /// The properties that distinguish it from the others, written even if its value has none.
    pub tags: Box<[Tag]>,
}

/// A property with a constant.
pub(in crate::wire) struct Tag {
    pub name: &'static str,
    pub value: Value,
    /// The property in JSON, with its comma: `,"name":"value"`.
    pub json: Box<[u8]>,
}

impl Plan {
    /// Returns the plan of a union. Each variant has three texts: its name, `t` for integers as text, and the properties that
    /// it writes.
    pub const fn new(variants: &'static [&'static str], rules: &'static str) -> Self {
        Self { variants, rules, read: OnceLock::new() }
    }

    /// Returns whether the integers of a variant are strings, and its enums allow any text.
    pub(crate) fn is_text(&self, variant: usize) -> bool {
        self.read().variants.get(variant).is_some_and(|variant| variant.as_text)
    }

    pub(in crate::wire) fn read(&self) -> &UnionTable {
        self.read.get_or_init(|| {
            let (variants, _) = self.variants.as_chunks();
            let names = variants.iter().map(|&[name, _, _]| name);
            let plan = wire_rules::Plan::read(self.rules, names);
            let variants = variants.iter().map(|&[name, flags, tags]| Variant {
                name,
                as_text: !flags.is_empty(),
                tags: wire_rules::tags(tags).into_iter().map(Tag::from).collect(),
            });
            UnionTable { variants: variants.collect(), plan }
        })
    }
}

impl UnionTable {
    /// Returns the texts that distinguish variants.
    #[cfg(feature = "record")]
    pub(in crate::wire) fn constants(&self) -> impl Iterator<Item = &str> {
        let of_rules = self.plan.rules.all.iter().flat_map(|rule| match rule {
            Rule::Tag { texts, .. } => texts.keys().map(String::as_str).collect(),
            Rule::Fit(candidates) => {
                let fixed = candidates.iter().flat_map(|candidate| &candidate.fixed);
                fixed.flat_map(|(_, values)| values).filter_map(Value::as_str).collect()
            }
            _ => Vec::new(),
        });
        let tags = self.variants.iter().flat_map(|variant| &variant.tags);
        of_rules.chain(tags.filter_map(|tag| tag.value.as_str()))
    }

    /// Returns the properties that distinguish a variant from the others.
    pub(in crate::wire) fn tags(&self, variant: usize) -> &[Tag] {
        self.variants.get(variant).map_or(&[], |variant| &variant.tags)
    }

    /// Returns whether a rule for objects is about a property.
    pub(in crate::wire) fn mentions(&self, property: &str) -> bool {
        self.plan.names.contains(property)
    }
}

impl From<(&'static str, Value)> for Tag {
    fn from((name, value): (&'static str, Value)) -> Self {
        let mut json = text::lead(name).into_vec();
        text::json(&mut json, &value);
        Self { name, value, json: json.into_boxed_slice() }
    }
}
