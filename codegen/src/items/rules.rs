//! The rules of a union, one for each way in which a value is recognized as a variant.

use crate::ir::{Constant, Kinds, Rule, Union};

/// Returns the conditions of a union's rules, with the names of the variants: `object tag "type" "card"`.
pub fn conditions(union: &Union, kinds: &Kinds) -> Vec<(String, String)> {
    let mut conditions = Conditions { union, found: Vec::new() };
    conditions.kinds("", kinds);
    conditions.found
}

struct Conditions<'a> {
    union: &'a Union,
    found: Vec<(String, String)>,
}

impl Conditions<'_> {
    fn add(&mut self, condition: String, variant: usize) {
        let variant = self.union.variants[variant].name.to_string();
        self.found.push((condition, variant));
    }

    fn kinds(&mut self, before: &str, kinds: &Kinds) {
        for (kind, rule) in kinds {
            self.rule(&format!("{before}{}", kind.name()), rule);
        }
    }

    /// Adds the conditions of a rule, each after the one that leads to it.
    fn rule(&mut self, before: &str, rule: &Rule) {
        match rule {
            Rule::Variant(index) => self.add(before.to_owned(), *index),
            Rule::Tag(tag) => {
                let before = format!("{before} tag {:?}", tag.name);
                for (value, rule) in &tag.values {
                    let value = match value {
                        Constant::Text(text) => format!("{text:?}"),
                        Constant::Json(json) => json.clone(),
                    };
                    self.rule(&format!("{before} {value}"), rule);
                }
                self.optional(&format!("{before} otherwise"), tag.otherwise.as_deref());
                self.optional(&format!("{before} missing"), tag.missing.as_deref());
            }
            Rule::Required(properties, otherwise) => {
                for (name, rule) in properties {
                    self.rule(&format!("{before} with {name:?}"), rule);
                }
                self.optional(&format!("{before} otherwise"), otherwise.as_deref());
            }
            Rule::Property(name, kinds) => {
                self.kinds(&format!("{before} property {name:?} "), kinds);
            }
            Rule::Items(kinds) => self.kinds(&format!("{before} of "), kinds),
            Rule::Fit(candidates) => {
                for candidate in candidates {
                    let name = &self.union.variants[candidate.variant].name;
                    self.add(format!("{before} fit {name}"), candidate.variant);
                }
            }
        }
    }

    fn optional(&mut self, before: &str, rule: Option<&Rule>) {
        if let Some(rule) = rule {
            self.rule(before, rule);
        }
    }
}
