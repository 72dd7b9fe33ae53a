//! The rules of a union: how a value is recognized as one of its variants.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::structs::form;
use crate::emit::rust::docs::{Inline, text};
use crate::emit::rust::page::Page;
use crate::ir::{
    Candidate, CandidateProperty, Constant, JsonKind, Kinds, Rule, RuleId, Rules, TypeDef, Union,
    UnionVariant, VariantName,
};
use crate::items::models;

/// Maximum width of a line.
const WIDTH: usize = 100;

/// Writes the table of a union: its variants with their accessors, and its rules.
pub fn table(definition: &TypeDef, union: &Union, rules: &Rules, page: &mut Page<'_>) -> String {
    let variants = variants(union, page, |index, variant| {
        let tags = rules.tags.get(index).into_iter().flatten();
        let tags: Vec<String> =
            tags.map(|(name, value)| format!("{name:?} = {}", constant(value))).collect();
        let writes = match tags.as_slice() {
            [] => String::new(),
            tags => format!(" writes {{ {} }}", tags.join(", ")),
        };
        format!("{}{writes}", form(&variant.ty))
    });
    let mut rows = Rows { union, rules, labels: HashMap::new(), text: String::new(), depth: 1 };
    rows.block(&definition.name.to_string(), "", |rows| {
        for row in &variants {
            rows.row(row);
        }
    });
    rows.rules();
    rows.text
}

/// Writes the rules of a union as they are in its table.
pub fn rows(union: &Union, rules: &Rules) -> String {
    let mut rows = Rows { union, rules, labels: HashMap::new(), text: String::new(), depth: 1 };
    rows.rules();
    rows.text
}

/// Returns the rows of the variants in a table: each with what it is on the wire, and its accessors.
pub fn variants(
    union: &Union,
    page: &mut Page<'_>,
    wire: impl Fn(usize, &UnionVariant) -> String,
) -> Vec<String> {
    let accessors = models::accessors(union, page.api);
    let rows = union.variants.iter().enumerate().map(|(index, variant)| {
        let head = format!("{}{}", variant.name, wire(index, variant));
        let accessor = accessors.iter().find(|(known, ..)| known.name == variant.name);
        let Some((_, ty, [(as_name, _), (into_name, _)])) = accessor else {
            return format!("{head},");
        };
        let boxed = if variant.boxed { "* " } else { "" };
        let ty = page.ty_text(ty);
        let accessors = format!("{boxed}{as_name}, {into_name} -> {ty},");
        wrapped(&[format!("{head}:"), accessors], 8, "", "    ")
    });
    rows.collect()
}

/// Returns the documentation of how values are recognized as a variant, if a single rule decides it.
pub fn recognized(rules: &Rules, variant: usize) -> Option<Inline> {
    let leads_to = |id: &RuleId| rules.variant(*id) == Some(variant);
    if let Some((kinds, _)) = rules.kinds.iter().find(|(_, id)| leads_to(id)) {
        return Some(match kinds.first()? {
            JsonKind::Boolean => text!("A boolean."),
            JsonKind::Number => text!("A number."),
            JsonKind::String => text!("A text."),
            JsonKind::Array => text!("A list."),
            JsonKind::Object => text!("An object."),
        });
    }
    match rules.of_kind(JsonKind::Object)? {
        Rule::Tag(tag) => {
            let values = tag.values.iter().filter(|(_, id)| leads_to(id));
            let values = values.flat_map(|(values, _)| values);
            let values = values.map(|value| Inline::code(value.text()));
            let values = values.reduce(|list, value| text!("{} or {}", list, value))?;
            Some(text!("An object whose {} is {}.", Inline::code(&tag.name), values))
        }
        Rule::Required(properties, _) => {
            let (property, _) = properties.iter().find(|(_, id)| leads_to(id))?;
            Some(text!("An object with {}.", Inline::code(property)))
        }
        Rule::Fit(candidates) => {
            candidates.iter().find(|candidate| candidate.variant == variant)?;
            Some(text!("An object whose properties fit it best."))
        }
        Rule::Variant(_) | Rule::Property(..) | Rule::Items(_) => None,
    }
}

struct Rows<'a> {
    union: &'a Union,
    rules: &'a Rules,
    /// The numbers of the rules that are written on their own.
    labels: HashMap<RuleId, usize>,
    text: String,
    depth: usize,
}

impl Rows<'_> {
    fn rules(&mut self) {
        let rules = self.rules;
        for (index, id) in rules.separate().into_iter().enumerate() {
            self.write_rule(&format!("rule {} => ", index + 1), id);
            self.labels.insert(id, index + 1);
        }
        self.kinds(&rules.kinds);
        let siblings: Vec<String> = rules.siblings.iter().map(|name| format!("{name:?}")).collect();
        if rules.is_open {
            self.row("others any,");
        } else if !siblings.is_empty() {
            self.row(&format!("others {},", self.alternatives(&siblings)));
        }
    }

    fn row(&mut self, row: &str) {
        let _ = writeln!(self.text, "{:indent$}{row}", "", indent = 4 * self.depth);
    }

    fn block(&mut self, head: &str, end: &str, content: impl FnOnce(&mut Self)) {
        self.row(&format!("{head} {{"));
        self.depth += 1;
        content(self);
        self.depth -= 1;
        self.row(&format!("}}{end}"));
    }

    fn variant(&self, index: usize) -> &VariantName {
        &self.union.variants[index].name
    }

    fn kinds(&mut self, kinds: &Kinds) {
        for (kinds, id) in kinds {
            let kinds: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
            self.arm(&kinds.join(" | "), *id);
        }
    }

    /// Writes an arm: with its variant, or with the rule that it leads to.
    fn arm(&mut self, case: &str, id: RuleId) {
        match self.labels.get(&id) {
            Some(label) => self.row(&format!("{case} => rule {label},")),
            None => self.write_rule(&format!("{case} => "), id),
        }
    }

    fn write_rule(&mut self, before: &str, id: RuleId) {
        let rules = self.rules;
        match rules.get(id) {
            Rule::Variant(index) => self.row(&format!("{before}{},", self.variant(*index))),
            Rule::Tag(tag) => self.block(&format!("{before}tag {:?}", tag.name), ",", |rows| {
                for (values, id) in &tag.values {
                    let values: Vec<String> = values.iter().map(constant).collect();
                    rows.arm(&rows.alternatives(&values), *id);
                }
                rows.optional("otherwise", tag.otherwise);
                rows.optional("missing", tag.missing);
            }),
            Rule::Required(properties, otherwise) => {
                self.block(&format!("{before}required"), ",", |rows| {
                    for (name, id) in properties {
                        rows.arm(&format!("{name:?}"), *id);
                    }
                    rows.optional("otherwise", *otherwise);
                });
            }
            Rule::Property(name, kinds, missing) => {
                self.block(&format!("{before}property {name:?}"), ",", |rows| {
                    rows.kinds(kinds);
                    rows.optional("missing", *missing);
                });
            }
            Rule::Items(items) => {
                let word = if items.is_object { "within" } else { "items" };
                self.block(&format!("{before}{word}"), ",", |rows| {
                    rows.kinds(&items.kinds);
                    if items.empty == items.otherwise {
                        return rows.optional("empty | otherwise", items.empty);
                    }
                    rows.optional("empty", items.empty);
                    rows.optional("otherwise", items.otherwise);
                });
            }
            Rule::Fit(candidates) => self.block(&format!("{before}fit"), ",", |rows| {
                for candidate in candidates {
                    rows.candidate(candidate);
                }
            }),
        }
    }

    fn optional(&mut self, case: &str, id: Option<RuleId>) {
        if let Some(id) = id {
            self.arm(case, id);
        }
    }

    fn candidate(&mut self, candidate: &Candidate) {
        let properties: Vec<String> = candidate.properties.iter().map(property).collect();
        let closed = if candidate.is_closed { " closed" } else { "" };
        let name = self.variant(candidate.variant);
        self.list(&name.to_string(), &properties, &format!("{closed},"));
    }

    /// Writes a list in braces: in one line, or in as many as it needs.
    fn list(&mut self, head: &str, entries: &[String], end: &str) {
        let row = match entries {
            [] => format!("{head} {{}}{end}"),
            entries => format!("{head} {{ {} }}{end}", entries.join(", ")),
        };
        if 4 * self.depth + row.len() <= WIDTH {
            return self.row(&row);
        }
        self.block(head, end, |rows| {
            let entries = wrapped(entries, 4 * rows.depth, ",", "");
            rows.row(&format!("{entries},"));
        });
    }

    /// Joins alternatives, in as many lines as they need.
    fn alternatives(&self, alternatives: &[String]) -> String {
        wrapped(alternatives, 4 * self.depth, "", "    | ")
    }
}

/// Joins texts in lines that are indented: with a separator at the end of lines, or a mark at the start.
fn wrapped(texts: &[String], indent: usize, separator: &str, mark: &str) -> String {
    let within = format!("{separator} {}", mark.trim_start());
    let mut joined = String::new();
    let mut width = indent;
    for text in texts {
        let is_first = joined.is_empty();
        if !is_first && width + within.len() + text.len() + separator.len() > WIDTH {
            let _ = write!(joined, "{separator}\n{:indent$}{mark}", "");
            width = indent + mark.len();
        } else if !is_first {
            joined.push_str(&within);
            width += within.len();
        }
        joined.push_str(text);
        width += text.len();
    }
    joined
}

fn property(property: &CandidateProperty) -> String {
    let mut text = format!("{:?}", property.name);
    if !property.is_required {
        text.push('?');
    }
    if property.is_nullable {
        text.push_str(" null");
    }
    if !property.kinds.is_empty() {
        let kinds = property.kinds.iter().map(|kind| match kind {
            JsonKind::String if property.is_time => "time",
            kind => kind.name(),
        });
        let kinds: Vec<&str> = kinds.collect();
        let _ = write!(text, ": {}", kinds.join(" | "));
    }
    if !property.constants.is_empty() {
        let constants: Vec<String> = property.constants.iter().map(constant).collect();
        let _ = write!(text, " = {}", constants.join(" | "));
    }
    text
}

fn constant(constant: &Constant) -> String {
    match constant {
        Constant::Text(text) => format!("{text:?}"),
        Constant::Json(json) => format!("json {json:?}"),
    }
}
