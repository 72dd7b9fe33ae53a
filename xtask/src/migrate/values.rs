//! Errors about values whose types differ, and the items that they come from: rustc names the type, and not the field or
//! the method.

use std::collections::BTreeSet;

use ::codegen::items::MemberKind;
use syn::Expr;

use crate::migrate::edit::{Edit, Group};
use crate::migrate::join::{Join, line, words};
use crate::migrate::plan::Remedy;
use crate::rustc::{Message, Span};

/// A value of another type, with the proposals of rustc that lose no value.
const MISMATCH: (&str, [&str; 3]) =
    ("E0308", ["try wrapping the expression in `Some`", "call `Into::into`", "you can convert"]);

/// What a proposal must not contain: calls that panic.
const PANICS: [&str; 2] = ["unwrap", "expect"];

/// Other numbers of arguments, what the type of a value does not implement, and what it cannot be cast or dereferenced to.
const OTHERS: [&str; 10] =
    ["E0061", "E0271", "E0277", "E0369", "E0600", "E0605", "E0606", "E0608", "E0614", "E0631"];

/// Methods and fields that the type of their receiver does not have, or that it hides.
const MEMBERS: [&str; 5] = ["E0599", "E0609", "E0610", "E0616", "E0624"];

/// Returns whether a message can be about an item whose type or arguments differ.
pub fn is_of_value(message: &Message) -> bool {
    let code = message.code.as_str();
    code == MISMATCH.0 || OTHERS.contains(&code) || MEMBERS.contains(&code)
}

impl Join<'_> {
    /// Returns the explanations of a value that does not fit: the item that it comes from or that takes it.
    pub fn of_value(&self, message: &Message) -> Vec<Group> {
        if MEMBERS.contains(&message.code.as_str()) {
            let headline = message.primary.first().and_then(|span| self.receiver(span));
            return headline.into_iter().map(|headline| (Vec::new(), headline)).collect();
        }
        if !is_of_value(message) {
            return Vec::new();
        }
        let headlines = message.primary.iter().flat_map(|span| self.items(message, span));
        let headlines: BTreeSet<usize> = headlines.collect();
        let help = message.helps.iter().find(|help| {
            let is_safe = MISMATCH.1.iter().any(|text| help.text.starts_with(text));
            is_safe && message.code == MISMATCH.0 && !help.spans.is_empty()
        });
        // One that could lose a value is not made.
        let edit = |span: &Span| {
            let text = span.replacement.clone()?;
            let is_safe = self.texts.contains_key(&span.file)
                && !PANICS.iter().any(|call| text.contains(call));
            is_safe.then(|| Edit::new(&span.file, (span.range(), text)))
        };
        let edits = help.and_then(|help| help.spans.iter().map(edit).collect());
        let edits: Vec<Edit> = edits.unwrap_or_default();
        headlines.into_iter().map(|headline| (edits.clone(), headline)).collect()
    }

    /// Returns the headline of the last item before a method or a field whose type differs, through other methods.
    fn receiver(&self, span: &Span) -> Option<usize> {
        let text = self.texts.get(&span.file)?;
        let is_receiver = |used: &&(Span, usize)| {
            let between = text.get(used.0.end..span.start).unwrap_or(";");
            let chain = syn::parse_str(&format!("it{between}it"));
            used.0.file == span.file && matches!(chain, Ok(Expr::Field(_)))
        };
        let last = self.retyped.iter().filter(is_receiver).max_by_key(|used| used.0.end);
        last.map(|(_, headline)| *headline)
    }

    /// Returns the headlines of the item whose type differs and that is used in a place, or near it. If its uses are not
    /// known, these are all items that have a name of the line.
    fn items(&self, message: &Message, span: &Span) -> BTreeSet<usize> {
        let Some(text) = self.texts.get(&span.file) else { return BTreeSet::new() };
        if let Some(headline) = self.used(message, span, text) {
            return BTreeSet::from([headline]);
        }
        let words: BTreeSet<&str> = words(line(text, span)).collect();
        let named = self.plan.effects.iter().filter(|effect| {
            let is_value = effect.kind != MemberKind::Whole && effect.remedy == Remedy::Type;
            is_value && effect.names.iter().any(|name| words.contains(name.as_str()))
        });
        named.map(|effect| effect.headline).collect()
    }

    /// Returns the headline of the item that is used last in a place of a message, or else nearest to it in its line.
    fn used(&self, message: &Message, span: &Span, text: &str) -> Option<usize> {
        let uses = self.retyped.iter().filter(|used| used.0.file == span.file);
        let within = |at: &Span| {
            let inner =
                uses.clone().filter(|(used, _)| at.start <= used.start && used.end <= at.end);
            inner.max_by_key(|used| used.0.end)
        };
        let in_place = std::iter::once(span).chain(&message.secondary).find_map(within);
        let is_in_line = |used: &Span| {
            let between = text.get(used.end.min(span.end)..span.start.max(used.start));
            between.is_some_and(|text| !text.contains('\n'))
        };
        let in_line = uses.clone().filter(|(used, _)| is_in_line(used));
        let nearest = in_line.min_by_key(|used| used.0.end.abs_diff(span.start));
        in_place.or(nearest).map(|(_, headline)| *headline)
    }
}
