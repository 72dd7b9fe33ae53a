//! Joins the messages of rustc with the changes of a bump: a table of what rustc calls the error and which changes explain
//! it.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use ::codegen::items::MemberKind;

use crate::migrate::edit::{Edit, Group, Texts};
use crate::migrate::manifest;
use crate::migrate::marks;
use crate::migrate::plan::{Effect, Plan, Remedy, bare};
use crate::rustc::{Message, Span};

/// The errors, and the kinds of items whose changes explain them. Versions of rustc differ in the codes of names that are not
/// found.
const TABLE: &[(&[&str], &[MemberKind])] = &[
    (PATHS, &[MemberKind::Whole]),
    (NAMES, &[MemberKind::Whole, MemberKind::Variant]),
    // A method that is there, but for operations of another kind, is a bound that does not hold (E0277).
    (&["E0599", "E0277"], MEMBERS),
    (&["E0609", "E0615", SHORTHAND], &[MemberKind::Field]),
    (&["deprecated"], ALIASED),
];

/// What a path names after its type.
const MEMBERS: &[MemberKind] = &[MemberKind::Method, MemberKind::Variant, MemberKind::Const];

/// What can have an alias, or a stand-in.
const ALIASED: &[MemberKind] =
    &[MemberKind::Whole, MemberKind::Method, MemberKind::Variant, MemberKind::Const];

/// Types and modules that are not found, or not public.
const PATHS: &[&str] = &["E0405", "E0412", "E0422", "E0425", "E0433", "E0603"];

/// Types, modules and variants that are not found.
const NAMES: &[&str] = &["E0432", "E0531", "E0574", "E0576"];

/// Fields in patterns. One without a pattern of its own is written with both names.
const SHORTHAND: &str = "E0026";

/// The errors about types and traits, which can be explained by the types that they name.
const OF_TYPES: [&str; 5] = ["E0271", "E0277", "E0308", "E0599", "E0609"];

/// Finds the explanations of messages.
pub struct Join<'a> {
    pub plan: &'a Plan,
    pub texts: &'a Texts,
    pub package: &'a str,
    /// The uses of items whose types differ by their places, as far as they are known.
    pub retyped: &'a [(Span, usize)],
    /// The files with edits, each with the indices of their headlines.
    pub edited: BTreeSet<(&'a Path, usize)>,
}

impl Join<'_> {
    /// Returns the changes that explain a message, each with the edits that make it compile: none if they are not known.
    pub fn explain(&self, message: &Message) -> Vec<Group> {
        let is_own = message.primary.iter().any(|span| self.texts.contains_key(&span.file));
        if let (Some(headline), true) = (marks::headline(message), is_own) {
            return vec![(Vec::new(), headline)];
        }
        // What the document deprecates has no note.
        if message.code == "deprecated" && !message.text.contains("`: ") {
            return Vec::new();
        }
        let rows = TABLE.iter().filter(|(codes, _)| codes.contains(&message.code.as_str()));
        let kinds: Vec<MemberKind> = rows.flat_map(|(_, kinds)| *kinds).copied().collect();
        let at = |span| self.at(message, span, &kinds);
        let mut explained: Vec<Group> = message.primary.iter().filter_map(at).collect();
        if explained.is_empty() {
            explained.extend(self.of_value(message));
        }
        if explained.is_empty() {
            explained.extend(self.of_named(message));
        }
        explained
    }

    /// Returns the explanation of an error about a type or a trait: a change of a type that the message names.
    fn of_named(&self, message: &Message) -> Option<Group> {
        let span = message.primary.first()?;
        let is_of_types = OF_TYPES.contains(&message.code.as_str());
        let text = self.texts.get(&span.file).filter(|_| is_of_types)?;
        let contexts = [contexts(message, span), paths(line(text, span))].concat();
        let is_same = |path: &str| contexts.iter().any(|it| ends_alike(it, path));
        let mut effects = self.plan.effects.iter().filter(|it| it.remedy == Remedy::Hands);
        let effect = effects.find(|effect| effect.is_of_type(is_same))?;
        Some((Vec::new(), effect.headline))
    }

    fn at(&self, message: &Message, span: &Span, kinds: &[MemberKind]) -> Option<Group> {
        let text = self.texts.get(&span.file)?;
        let code = text.get(span.range())?;
        let named = named(code, &span.label, &message.text)?;
        let name = bare(&code[named.clone()]);
        let effect = self.effect(name, kinds, &contexts(message, span), &span.file)?;
        let name = span.start + named.start..span.start + named.end;
        let edits = match &effect.remedy {
            Remedy::Name => renamed(message, effect, text, span, name).unwrap_or_default(),
            Remedy::Features(features) => {
                let manifest = self.texts.get(&message.manifest).zip(features.first());
                let enabled = manifest.and_then(|(text, feature)| {
                    manifest::enabled(&message.manifest, text, self.package, feature)
                });
                enabled.into_iter().collect()
            }
            _ => Vec::new(),
        };
        Some((edits, effect.headline))
    }

    /// Returns the effect on a name. The paths in a message decide between several of the same name; modules and types can
    /// come through a re-export.
    fn effect(
        &self,
        name: &str,
        kinds: &[MemberKind],
        contexts: &[String],
        file: &Path,
    ) -> Option<&Effect> {
        // An item with its new name can need a feature, too.
        let is_named = |it: &&Effect| {
            it.names[0] == name || (it.names[1] == name && it.remedy != Remedy::Name)
        };
        let found = self.plan.effects.iter().filter(is_named);
        let found: Vec<&Effect> = found.filter(|it| kinds.contains(&it.kind)).collect();
        // Where a name is similar, rustc does not say which request has the method.
        let is_request = contexts.iter().any(|path| path.ends_with("resources::Request"));
        let is_owned = |effect: &&&Effect| {
            let owners = effect.owners.iter();
            contexts.iter().any(|path| owners.clone().any(|owner| ends_alike(path, owner)))
                || (is_request && effect.owners[1].starts_with("resources::"))
        };
        let owned: Vec<&Effect> = found.iter().filter(is_owned).copied().collect();
        let anywhere = || found.iter().filter(|it| it.kind == MemberKind::Whole).copied().collect();
        let mut candidates: Vec<&Effect> = if owned.is_empty() { anywhere() } else { owned };
        // What else differs at a renamed item is only reported once it has its new name.
        let is_name = |effect: &&Effect| effect.remedy == Remedy::Name;
        if candidates.iter().any(is_name) {
            candidates.retain(is_name);
        }
        // Of several, the one whose import in this file has its new name.
        let is_imported = |it: &&Effect| self.edited.contains(&(file, it.headline));
        if candidates.iter().any(is_imported) {
            candidates.retain(is_imported);
        }
        let edited = |effect: &&Effect| {
            let is_edited = matches!(effect.remedy, Remedy::Name | Remedy::Features(_));
            is_edited.then(|| (effect.remedy.clone(), effect.names[1].clone()))
        };
        let remedies: BTreeSet<_> = candidates.iter().map(edited).collect();
        let owners: BTreeSet<&str> = candidates.iter().map(|it| it.owners[0].as_str()).collect();
        match (remedies.len(), owners.len()) {
            (1, _) => candidates.first().copied(),
            // A feature does not mend an item that is of another kind, too.
            (_, 1) => candidates.into_iter().find(|effect| edited(effect).is_none()),
            _ => None,
        }
    }
}

/// Returns the edits at an old name, which has a place in the text.
fn renamed(
    message: &Message,
    effect: &Effect,
    text: &str,
    span: &Span,
    name: Range<usize>,
) -> Option<Vec<Edit>> {
    let new = &effect.names[1];
    // The module of an alias stays, and a moved type's can.
    let is_moved = message.code == "deprecated" || effect.names[0] == *new;
    let mut edits = if effect.kind == MemberKind::Whole && is_moved {
        moved(&text[..name.start], &effect.owners)?
    } else {
        Vec::new()
    };
    if message.code == SHORTHAND && is_shorthand(text, span.end) {
        let binding = binding_start(text, span.start)..span.end;
        edits.push((binding.clone(), format!("{new}: {}", &text[binding])));
    } else {
        edits.push((name, new.clone()));
    }
    // A path that leads to another item of this name.
    edits.retain(|(range, new)| text[range.clone()] != *new);
    Some(edits.into_iter().map(|edit| Edit::new(&span.file, edit)).collect())
}

/// Returns the range of the name in the code at a place: all of it, or the name between backticks in the message.
fn named(code: &str, label: &str, text: &str) -> Option<Range<usize>> {
    let is_word = |char: char| is_word(char) || char == '#';
    if !code.is_empty() && code.chars().all(is_word) {
        return Some(0..code.len());
    }
    // Of a path, rustc names the last segment.
    let quoted = |text: &str| Some(text.split('`').nth(1)?.rsplit("::").next()?.to_owned());
    let path = code.split(" as ").next().unwrap_or_default();
    [quoted(label), quoted(text)].into_iter().flatten().find_map(|name| {
        let mut found = path.rmatch_indices(&name).filter(|(at, name)| {
            let before = path[..*at].chars().next_back();
            let after = path[at + name.len()..].chars().next();
            !before.is_some_and(is_word) && !after.is_some_and(is_word)
        });
        found.next().map(|(at, name)| at..at + name.len())
    })
}

/// Returns the edit of the path before a name whose module has another name, as the module of an alias stays: none if no
/// path is before it; `None` if it needs another import.
fn moved(before: &str, [old, new]: &[String; 2]) -> Option<Vec<(Range<usize>, String)>> {
    let is_import = |text: &str| text.chars().all(|it| is_word(it) || ":, \r\n\t".contains(it));
    let group = before.rsplit_once('{').filter(|(_, after)| is_import(after));
    let before = group.map_or(before, |(path, _)| path);
    let Some(path) = before.strip_suffix("::").filter(|_| old != new) else {
        return Some(Vec::new());
    };
    let written = path.rsplit(|char| !is_word(char) && char != ':').next()?;
    let [written, old, new] = [written, old, new].map(|it| it.split("::").collect::<Vec<_>>());
    if written.ends_with(&new) {
        return Some(Vec::new());
    }
    // What an import has of the path must stay.
    let imported = old.len().saturating_sub(written.len());
    if !written.ends_with(&old[imported..]) {
        return new.ends_with(&written).then(Vec::new);
    }
    let is_kept = |shown: &&[&str]| !shown.is_empty() && new[..imported] == old[..imported];
    let shown = new.get(imported..).filter(is_kept)?;
    let start = path.len() - old[imported..].join("::").len();
    Some(vec![(start..path.len(), shown.join("::"))])
}

/// Returns the paths in a message that can have the item at a place: the types and modules between backticks, and what
/// precedes the last segment of each.
fn contexts(message: &Message, span: &Span) -> Vec<String> {
    let texts = [&message.text, &span.label].into_iter();
    texts.flat_map(|text| text.split('`').skip(1).step_by(2)).flat_map(paths).collect()
}

/// Returns the paths in a text, and what precedes the last segment of each.
fn paths(text: &str) -> Vec<String> {
    let paths = text.split(|char| !is_word(char) && char != ':').filter(|path| !path.is_empty());
    let owner = |path: &str| path.rsplit_once("::").map(|(owner, _)| owner.to_owned());
    paths.flat_map(|path| std::iter::once(path.to_owned()).chain(owner(path))).collect()
}

pub fn line<'t>(text: &'t str, span: &Span) -> &'t str {
    &text[lines(text, span)]
}

/// Returns the range of the lines of a place.
pub fn lines(text: &str, span: &Span) -> Range<usize> {
    let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    start..text[span.end..].find('\n').map_or(text.len(), |at| span.end + at)
}

/// Returns whether a path in a message can lead to an item, which rustc shortens or extends by the crate. The parameter
/// of a request is in a hidden module.
fn ends_alike(path: &str, item: &str) -> bool {
    let [mut path, mut item] = [path, item]
        .map(|it| it.rsplit("::").filter(|it| !["operation", ""].contains(it)).peekable());
    path.peek().is_some() && item.peek().is_some() && path.zip(item).all(|(a, b)| a == b)
}

pub fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|char| !is_word(char))
}

/// Returns whether a name can have a character.
pub fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// Returns the start of the binding of a name: `ref` and `mut` stay with the variable.
fn binding_start(text: &str, name: usize) -> usize {
    let strip = |start: usize, keyword| {
        let before = text[..start].trim_end();
        let found = before.strip_suffix(keyword).filter(|_| before.len() < start)?;
        (!found.ends_with(is_word)).then_some(found.len())
    };
    ["mut", "ref"].into_iter().fold(name, |start, keyword| strip(start, keyword).unwrap_or(start))
}

/// Returns whether a field at the end of a place has no value of its own.
fn is_shorthand(text: &str, end: usize) -> bool {
    !text.get(end..).is_some_and(|rest| rest.trim_start().starts_with(':'))
}
