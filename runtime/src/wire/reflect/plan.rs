//! The rows that the macro of a union writes, and the rules that they are read as.

use std::collections::{BTreeMap, HashMap};
use std::slice::Iter;
use std::sync::OnceLock;

use crate::wire::reflect::rules::{Candidate, JsonKind, Kinds, Rule, Rules, Variant};
use crate::wire::reflect::secrecy::Secrecy;
use crate::wire::value::Value;

/// The variants and the rules of a union, as the macro writes them.
pub struct Plan {
    variants: &'static [&'static str],
    rules: &'static [&'static str],
    read: OnceLock<Rules>,
    pub(in crate::wire) secrecy: Secrecy,
}

impl Plan {
    /// Returns the plan of a union. Each variant has two rows: its name and `t` for integers as text. Each rule has three:
    /// its word, its text, and the variant.
    pub const fn new(variants: &'static [&'static str], rules: &'static [&'static str]) -> Self {
        Self { variants, rules, read: OnceLock::new(), secrecy: Secrecy::new() }
    }

    pub(in crate::wire) fn read(&self) -> &Rules {
        self.read.get_or_init(|| {
            let (variants, _) = self.variants.as_chunks();
            let names = variants.iter().enumerate().map(|(index, &[name, _])| (name, index));
            let (rows, _) = self.rules.as_chunks();
            let kinds = Reader { rows: rows.iter(), indices: names.collect() }.kinds();
            let variants = variants.iter().enumerate().map(|(index, &[name, flags])| {
                let tags = kinds.rule(JsonKind::Object).tags(index).unwrap_or_default();
                Variant { name, as_text: !flags.is_empty(), tags: tags.into_boxed_slice() }
            });
            Rules { variants: variants.collect(), kinds }
        })
    }
}

/// Reads the rows of rules.
struct Reader<'a> {
    rows: Iter<'a, [&'static str; 3]>,
    indices: HashMap<&'static str, usize>,
}

impl Reader<'_> {
    /// Reads the rules for kinds, up to the end of their block.
    fn kinds(&mut self) -> Kinds {
        let mut kinds = Kinds::default();
        while let Some(&[word, _, target]) = self.rows.next() {
            let Some(kind) = JsonKind::named(word) else { break };
            kinds.0[kind as usize] = self.rule(target);
        }
        kinds
    }

    /// Reads the rule of a row: its variant, or what follows.
    fn rule(&mut self, target: &str) -> Rule {
        if !target.is_empty() {
            return self.indices.get(target).map_or(Rule::Unknown, |index| Rule::Variant(*index));
        }
        match self.rows.next() {
            Some(&["tag", name, _]) => self.tag(name),
            Some(["required", ..]) => self.required(),
            Some(&["property", name, _]) => self.property(name),
            Some(["items", ..]) => Rule::Items(Box::new(self.kinds())),
            Some(["fit", ..]) => Rule::Fit(self.candidates()),
            _ => Rule::Unknown,
        }
    }

    fn property(&mut self, name: &'static str) -> Rule {
        let mut kinds = Kinds::default();
        let mut missing = Rule::Unknown;
        while let Some(&[word, _, target]) = self.rows.next() {
            match JsonKind::named(word) {
                Some(kind) => kinds.0[kind as usize] = self.rule(target),
                None if word == "missing" => missing = self.rule(target),
                None => break,
            }
        }
        Rule::Property { name, kinds: Box::new(kinds), missing: Box::new(missing) }
    }

    fn tag(&mut self, name: &'static str) -> Rule {
        let mut texts = BTreeMap::new();
        let mut others = Vec::new();
        let mut otherwise = Rule::Unknown;
        let mut missing = Rule::Unknown;
        while let Some(&[word, text, target]) = self.rows.next() {
            match word {
                "is" => {
                    texts.insert(text, self.rule(target));
                }
                "equals" => others.push((constant(text), self.rule(target))),
                "otherwise" => otherwise = self.rule(target),
                "missing" => missing = self.rule(target),
                _ => break,
            }
        }
        let otherwise = Box::new(otherwise);
        let missing = Box::new(missing);
        Rule::Tag { name, texts, others, otherwise, missing }
    }

    fn required(&mut self) -> Rule {
        let mut properties = Vec::new();
        let mut otherwise = Rule::Unknown;
        while let Some(&[word, text, target]) = self.rows.next() {
            match word {
                "has" => properties.push((text, self.rule(target))),
                "otherwise" => otherwise = self.rule(target),
                _ => break,
            }
        }
        Rule::Required { properties, otherwise: Box::new(otherwise) }
    }

    fn candidates(&mut self) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = Vec::new();
        for &[word, text, target] in self.rows.by_ref() {
            if word == "candidate" {
                let variant = self.indices.get(target).copied().unwrap_or(usize::MAX);
                candidates.push(Candidate { variant, ..Candidate::default() });
                continue;
            }
            let Some(candidate) = candidates.last_mut() else { break };
            match word {
                "requires" => {
                    candidate.required.push(text);
                    candidate.declared.push(text);
                }
                "declares" => candidate.declared.push(text),
                "kinds" => candidate.kinds.push((text, Vec::new())),
                "fixes" => candidate.fixed.push((text, Vec::new())),
                "is" | "equals" => {
                    let value = if word == "is" { Value::from(text) } else { constant(text) };
                    if let Some((_, values)) = candidate.fixed.last_mut() {
                        values.push(value);
                    }
                }
                "closed" => candidate.is_closed = true,
                word => {
                    let Some(kind) = JsonKind::named(word) else { break };
                    if let Some((_, kinds)) = candidate.kinds.last_mut() {
                        kinds.push(kind);
                    }
                }
            }
        }
        candidates
    }
}

/// Reads a constant, which is JSON.
fn constant(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}
