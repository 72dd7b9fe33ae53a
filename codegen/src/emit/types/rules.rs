//! The rules of a union: how a value is recognized as one of its variants.

use std::fmt::Write as _;

use super::structs::form;
use crate::emit::rust::docs::{Inline, text};
use crate::ir::{Candidate, Constant, JsonKind, Kinds, Rule, Tag, TypeDef, Union, VariantName};

/// Writes the table of a union: its variants and its rules.
pub fn table(definition: &TypeDef, union: &Union, kinds: &Kinds) -> String {
    let mut rows = Rows { union, text: format!("    {} {{\n", definition.name), depth: 1 };
    for variant in &union.variants {
        rows.row(&format!("    {}{}", variant.name, form(&variant.ty)));
    }
    rows.text.push_str("    }\n");
    rows.kinds(kinds);
    rows.text
}

/// Returns the documentation of how values are recognized as a variant, if a single rule decides it.
pub fn recognized(kinds: &Kinds, variant: usize) -> Option<Inline> {
    let leads_to = |rule: &Rule| matches!(rule, Rule::Variant(index) if *index == variant);
    let is_sole = |(_, rule): &(&JsonKind, &Rule)| leads_to(rule);
    if let Some((kind, _)) = kinds.iter().find(is_sole) {
        return Some(match kind {
            JsonKind::Boolean => text!("A boolean."),
            JsonKind::Number => text!("A number."),
            JsonKind::String => text!("A text."),
            JsonKind::Array => text!("A list."),
            JsonKind::Object => text!("An object."),
        });
    }
    match kinds.get(&JsonKind::Object)? {
        Rule::Tag(tag) => {
            let code = |value: &Constant| match value {
                Constant::Text(text) | Constant::Json(text) => Inline::code(text),
            };
            let values = tag
                .values
                .iter()
                .filter(|(_, rule)| leads_to(rule))
                .map(|(value, _)| code(value))
                .reduce(|list, value| text!("{} or {}", list, value))?;
            Some(text!("An object whose {} is {}.", Inline::code(&tag.name), values))
        }
        Rule::Required(properties, _) => {
            let (property, _) = properties.iter().find(|(_, rule)| leads_to(rule))?;
            Some(text!("An object with {}.", Inline::code(property)))
        }
        Rule::Fit(candidates) => {
            candidates.iter().find(|candidate| candidate.variant == variant)?;
            Some(text!("An object whose properties fit it best."))
        }
        Rule::Variant(_) | Rule::Property(..) | Rule::Items(_) => None,
    }
}

/// The rows of a table.
struct Rows<'a> {
    union: &'a Union,
    text: String,
    depth: usize,
}

impl Rows<'_> {
    fn row(&mut self, row: &str) {
        let _ = writeln!(self.text, "{:indent$}{row},", "", indent = 4 * self.depth);
    }

    fn variant(&self, index: usize) -> &VariantName {
        &self.union.variants[index].name
    }

    fn kinds(&mut self, kinds: &Kinds) {
        for (kind, rule) in kinds {
            self.case(kind.name(), rule);
        }
    }

    /// Writes a case: with its variant, or before the rule that follows.
    fn case(&mut self, case: &str, rule: &Rule) {
        if let Rule::Variant(index) = rule {
            return self.row(&format!("{case} => {}", self.variant(*index)));
        }
        self.row(case);
        match rule {
            Rule::Variant(_) => {}
            Rule::Tag(tag) => self.block(&format!("tag {:?}", tag.name), |rows| rows.tag(tag)),
            Rule::Required(properties, otherwise) => self.block("required", |rows| {
                for (name, rule) in properties {
                    rows.case(&format!("has {name:?}"), rule);
                }
                rows.optional("otherwise", otherwise.as_deref());
            }),
            Rule::Property(name, kinds, missing) => {
                self.block(&format!("property {name:?}"), |rows| {
                    rows.kinds(kinds);
                    rows.optional("missing", missing.as_deref());
                });
            }
            Rule::Items(kinds) => self.block("items", |rows| rows.kinds(kinds)),
            Rule::Fit(candidates) => self.block("fit", |rows| {
                for candidate in candidates {
                    rows.candidate(candidate);
                }
            }),
        }
    }

    fn block(&mut self, head: &str, content: impl FnOnce(&mut Self)) {
        self.row(head);
        self.depth += 1;
        content(self);
        self.depth -= 1;
        self.row("end");
    }

    fn optional(&mut self, case: &str, rule: Option<&Rule>) {
        if let Some(rule) = rule {
            self.case(case, rule);
        }
    }

    fn tag(&mut self, tag: &Tag) {
        for (value, rule) in &tag.values {
            self.case(&constant(value), rule);
        }
        self.optional("otherwise", tag.otherwise.as_deref());
        self.optional("missing", tag.missing.as_deref());
    }

    fn candidate(&mut self, candidate: &Candidate) {
        self.row(&format!("candidate => {}", self.variant(candidate.variant)));
        for name in &candidate.required {
            self.row(&format!("requires {name:?}"));
        }
        for name in &candidate.declared {
            self.row(&format!("declares {name:?}"));
        }
        for (name, kinds) in &candidate.kinds {
            self.row(&format!("kinds {name:?}"));
            for kind in kinds {
                self.row(kind.name());
            }
        }
        for (name, values) in &candidate.fixed {
            self.row(&format!("fixes {name:?}"));
            for value in values {
                self.row(&constant(value));
            }
        }
        if candidate.is_closed {
            self.row("closed");
        }
    }
}

/// Returns the row for a constant.
fn constant(constant: &Constant) -> String {
    match constant {
        Constant::Text(text) => format!("is {text:?}"),
        Constant::Json(json) => format!("equals {json:?}"),
    }
}
