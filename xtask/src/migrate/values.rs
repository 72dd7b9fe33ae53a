//! Errors about values whose types differ, and the items that they come from: rustc names the type, and not the field or
//! the method.

use std::collections::BTreeSet;
use std::ops::Range;

use ::codegen::items::MemberKind;
use syn::Expr;

use crate::migrate::edit::{Edit, Group};
use crate::migrate::join::{Join, line, lines, words};
use crate::migrate::plan::Remedy;
use crate::rustc::{Message, Span};

/// A value of another type, and the proposals of rustc that lose no value.
const MISMATCH: (&str, [&str; 4]) = (
    "E0308",
    [
        "try wrapping the expression in `Some`",
        "call `Into::into`",
        "try using a",
        "you can convert",
    ],
);

/// What a proposal must not contain: calls that panic.
const PANICS: [&str; 2] = ["unwrap", "expect"];

/// Other numbers of arguments, what a type does not implement, and what cannot be cast, dereferenced or moved.
const OTHERS: [&str; 12] = [
    "E0061", "E0271", "E0277", "E0369", "E0382", "E0507", "E0600", "E0605", "E0606", "E0608",
    "E0614", "E0631",
];

/// Methods and fields that the type of their receiver does not have, or that it hides.
const MEMBERS: [&str; 5] = ["E0599", "E0609", "E0610", "E0616", "E0624"];

/// Maximum length of the methods between an item and a place, in bytes, and number of items that are tried.
const MAX_CHAIN: usize = 2_000;
const MAX_TRIED: usize = 4;

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
        let edits: Vec<Edit> = edits.or_else(|| self.converted(message)).unwrap_or_default();
        headlines.into_iter().map(|headline| (edits.clone(), headline)).collect()
    }

    /// Returns the headline of the last item before a method or a field whose type differs, through other methods.
    fn receiver(&self, span: &Span) -> Option<usize> {
        let text = self.texts.get(&span.file)?;
        let before = self.uses(span, span.start.saturating_sub(MAX_CHAIN)..span.start);
        let is_receiver = |used: &&(Span, usize)| {
            let between = text.get(used.0.end..span.start).unwrap_or(";");
            let chain = syn::parse_str(&format!("it{between}it"));
            matches!(chain, Ok(Expr::Field(_)))
        };
        before.iter().rev().take(MAX_TRIED).find(is_receiver).map(|(_, headline)| *headline)
    }

    /// Returns the uses of items whose types differ in a range of the file of a place, in order.
    fn uses(&self, at: &Span, range: Range<usize>) -> &[(Span, usize)] {
        let [start, end] = [range.start, range.end].map(|end| {
            let is_before = |used: &Span| (&used.file, used.start) < (&at.file, end);
            self.retyped.partition_point(|(used, _)| is_before(used))
        });
        &self.retyped[start..end.max(start)]
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
        let within = |at: &Span| {
            let inner = self.uses(span, at.range()).iter();
            inner.filter(|(used, _)| used.end <= at.end).max_by_key(|used| used.0.end)
        };
        let in_place = std::iter::once(span).chain(&message.secondary).find_map(within);
        let is_in_line = |used: &Span| {
            let between = text.get(used.end.min(span.end)..span.start.max(used.start));
            between.is_some_and(|text| !text.contains('\n'))
        };
        let in_line =
            self.uses(span, lines(text, span)).iter().filter(|(used, _)| is_in_line(used));
        let nearest = in_line.min_by_key(|used| used.0.end.abs_diff(span.start));
        in_place.or(nearest).map(|(_, headline)| *headline)
    }

    /// Returns the edits of a value that can only be converted in one way, of which rustc says nothing. What is compared can
    /// mean another comparison now.
    fn converted(&self, message: &Message) -> Option<Vec<Edit>> {
        let span = message.primary.first()?;
        let line = line(self.texts.get(&span.file)?, span);
        let has_note = |note| message.secondary.iter().any(|it| it.label.starts_with(note));
        if has_note("this expression has type") || ["==", "!="].iter().any(|it| line.contains(it)) {
            return None;
        }
        let is_argument = has_note("required by a bound introduced by this call");
        let [before, after] = if is_argument && message.text.contains("` is not a") {
            ["[", "]"].map(str::to_owned)
        } else if is_argument {
            let bound = message.text.strip_prefix("the trait bound `String: From<")?;
            conversion("String", bound.split_once(">` is not satisfied").map(|it| it.0))?
        } else {
            let mut types = span.label.strip_prefix("expected ")?.split('`').skip(1).step_by(2);
            conversion(types.next().filter(|it| it.ends_with('>'))?, types.next())?
        };
        let places = [(span.start..span.start, before), (span.end..span.end, after)];
        let edits = places.into_iter().filter(|(_, text)| !text.is_empty());
        Some(edits.map(|edit| Edit::new(&span.file, edit)).collect())
    }
}

/// Returns what is before and after a value of a type to make one of another. Literals have no type.
fn conversion(expected: &str, found: Option<&str>) -> Option<[String; 2]> {
    let inner = |ty: &str, outer| Some(ty.strip_prefix(outer)?.strip_suffix('>')?.to_owned());
    let options = inner(expected, "Option<").zip(found.and_then(|it| inner(it, "Option<")));
    if let Some((expected, found)) = options {
        let [before, after] = conversion(&expected, Some(&found))?;
        return Some([String::new(), format!(".map(|it| {before}it{after})")]);
    }
    let texts = match (inner(expected, "Vec<"), found) {
        (Some(item), found) if found.is_none_or(|found| found == item) => ["vec![", "]"],
        (None, Some("String")) => ["", ".into()"],
        (None, Some(found)) if expected == "String" && !found.contains(['<', '&']) => {
            ["", ".to_string()"]
        }
        _ => return None,
    };
    Some(texts.map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::PathBuf;

    use super::*;
    use crate::migrate::edit::Texts;
    use crate::migrate::plan::Plan;

    fn span(start: usize, end: usize) -> Span {
        let (file, label) = (PathBuf::from("a.rs"), String::new());
        Span { file, start, end, line: 1, column: 1, label, replacement: None }
    }

    /// Without a bound, the program between each error and each use would be parsed.
    #[test]
    fn only_near_uses_explain_a_member() {
        let line = "x.bad;\npet.id().get(1).bad;\n";
        let lines = 0..2_000;
        let texts = Texts::from([(PathBuf::from("a.rs"), line.repeat(lines.len()))]);
        let used = |at: usize| (span(at + 11, at + 13), 7);
        let retyped: Vec<_> = lines.clone().map(|number| used(number * line.len())).collect();
        let (plan, edited) = (Plan::default(), BTreeSet::new());
        let join = Join { plan: &plan, texts: &texts, package: "pets", retyped: &retyped, edited };
        for at in lines.map(|number| number * line.len()) {
            let explained = [span(at + 2, at + 5), span(at + 23, at + 26)].map(|place| Message {
                code: "E0609".to_owned(),
                is_error: true,
                text: String::new(),
                primary: vec![place],
                secondary: Vec::new(),
                helps: Vec::new(),
                manifest: PathBuf::new(),
                target: String::new(),
                rendered: String::new(),
            });
            let explained = explained.map(|message| join.of_value(&message).len());
            assert_eq!(explained, [0, 1], "{at}");
        }
    }
}
