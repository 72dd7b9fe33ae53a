//! The rules of a union, one for each way in which a value is recognized as a variant.

use std::collections::{BTreeMap, BTreeSet};

use super::hash::fnv_1a;
use crate::ir::{Candidate, Constant, Kinds, Rule, RuleId, Rules, Union};

/// Returns the conditions of a union's rules, with the names of the variants: `object tag "type" "card"`. Rules that are
/// written on their own have a name made of the first condition that leads to them.
pub fn conditions(union: &Union, rules: &Rules) -> Vec<(String, String)> {
    let separate = rules.separate().into_iter().map(|id| (id, None)).collect();
    let mut conditions = Conditions { union, rules, separate, open: Vec::new(), found: Vec::new() };
    conditions.kinds("", &rules.kinds);
    while let Some((name, id)) = conditions.open.pop() {
        conditions.write_rule(&name, id);
    }
    conditions.found
}

/// Returns the variant that an object with this property alone fits best.
fn best_fit(candidates: &[Candidate], property: &str) -> Option<usize> {
    // The first of equal ones.
    let nearest = candidates.iter().min_by_key(|candidate| distance(candidate, property));
    nearest.map(|candidate| candidate.variant)
}

/// Returns the distance of an object with this property alone from a variant, as the runtime compares it.
fn distance(candidate: &Candidate, property: &str) -> (usize, bool, usize, bool) {
    let properties = &candidate.properties;
    let described = properties.iter().find(|it| it.name == property);
    let is_time = described.is_some_and(|it| it.is_time);
    let missing = properties.iter().filter(|it| it.is_required && it.name != property).count();
    let contradictions = missing + usize::from(candidate.is_closed && described.is_none());
    (contradictions, described.is_none(), properties.len(), is_time)
}

struct Conditions<'a> {
    union: &'a Union,
    rules: &'a Rules,
    /// The names of the rules that are written on their own, if a condition leads to them already.
    separate: BTreeMap<RuleId, Option<String>>,
    /// Those that are not written yet.
    open: Vec<(String, RuleId)>,
    found: Vec<(String, String)>,
}

impl Conditions<'_> {
    fn add(&mut self, condition: String, variant: usize) {
        let variant = self.union.variants[variant].name.to_string();
        self.found.push((condition, variant));
    }

    fn kinds(&mut self, before: &str, kinds: &Kinds) {
        for (kinds, rule) in kinds {
            for kind in kinds {
                self.rule(&format!("{before}{}", kind.name()), *rule);
            }
        }
    }

    /// Adds the conditions of a rule, each after the condition that leads to it.
    fn rule(&mut self, before: &str, id: RuleId) {
        let Some(name) = self.separate.get_mut(&id) else { return self.write_rule(before, id) };
        if name.is_none() {
            self.open.push((format!("rule {:016x}", fnv_1a(before)), id));
        }
        let name = name.get_or_insert_with(|| format!("rule {:016x}", fnv_1a(before)));
        self.found.push((before.to_owned(), name.clone()));
    }

    fn write_rule(&mut self, before: &str, id: RuleId) {
        match self.rules.get(id) {
            Rule::Variant(index) => self.add(before.to_owned(), *index),
            Rule::Tag(tag) => {
                let before = format!("{before} tag {:?}", tag.name);
                for (value, rule) in tag
                    .values
                    .iter()
                    .flat_map(|(values, rule)| values.iter().map(move |value| (value, rule)))
                {
                    let value = match value {
                        Constant::Text(text) => format!("{text:?}"),
                        Constant::Json(json) => json.clone(),
                    };
                    self.rule(&format!("{before} {value}"), *rule);
                }
                self.optional(&format!("{before} otherwise"), tag.otherwise);
                self.optional(&format!("{before} missing"), tag.missing);
            }
            Rule::Required(properties, otherwise) => {
                for (name, rule) in properties {
                    self.rule(&format!("{before} with {name:?}"), *rule);
                }
                self.optional(&format!("{before} otherwise"), *otherwise);
            }
            Rule::Property(name, kinds, missing) => {
                let before = format!("{before} property {name:?}");
                self.kinds(&format!("{before} "), kinds);
                self.optional(&format!("{before} missing"), *missing);
            }
            Rule::Items(items) => {
                self.kinds(&format!("{before} of "), &items.kinds);
                self.optional(&format!("{before} otherwise"), items.otherwise);
            }
            Rule::Fit(candidates) => {
                let names = candidates.iter().flat_map(|it| &it.properties).map(|it| &*it.name);
                let names: BTreeSet<&str> = names.collect();
                for name in names {
                    if let Some(variant) = best_fit(candidates, name) {
                        self.add(format!("{before} fit {name:?}"), variant);
                    }
                }
            }
        }
    }

    fn optional(&mut self, before: &str, rule: Option<RuleId>) {
        if let Some(rule) = rule {
            self.rule(before, rule);
        }
    }
}
