//! The rules of a union, one for each way in which a value is recognized as a variant.

use std::collections::BTreeSet;

use crate::ir::{Candidate, Constant, Kinds, Rule, Union};

/// Returns the conditions of a union's rules, with the names of the variants: `object tag "type" "card"`.
pub fn conditions(union: &Union, kinds: &Kinds) -> Vec<(String, String)> {
    let mut conditions = Conditions { union, found: Vec::new() };
    conditions.kinds("", kinds);
    conditions.found
}

/// Returns the variant that an object with this property alone fits best.
fn best_fit(candidates: &[Candidate], property: &String) -> Option<usize> {
    let distance = |candidate: &&Candidate| {
        let Candidate { required, declared, is_closed, .. } = candidate;
        let is_declared = required.contains(property) || declared.contains(property);
        let missing = required.iter().filter(|name| *name != property).count();
        let contradictions = missing + usize::from(*is_closed && !is_declared);
        (contradictions, !is_declared, required.len() + declared.len())
    };
    // The first of equal ones.
    candidates.iter().min_by_key(distance).map(|candidate| candidate.variant)
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
            Rule::Property(name, kinds, missing) => {
                let before = format!("{before} property {name:?}");
                self.kinds(&format!("{before} "), kinds);
                self.optional(&format!("{before} missing"), missing.as_deref());
            }
            Rule::Items(kinds) => self.kinds(&format!("{before} of "), kinds),
            Rule::Fit(candidates) => {
                let names = candidates.iter().flat_map(|it| it.required.iter().chain(&it.declared));
                let names: BTreeSet<&String> = names.collect();
                for name in names {
                    if let Some(variant) = best_fit(candidates, name) {
                        self.add(format!("{before} fit {name:?}"), variant);
                    }
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
