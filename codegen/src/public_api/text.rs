//! The text form of the model, `api.txt`: one public item to a line, members below what they belong to, sorted by path.

use std::fmt;

use super::{Argument, FEATURES, Item, ItemKind, Member, MemberKind, Part, PublicApi};

/// A line of a text that is not in the form of `api.txt`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The number of the line, from 1.
    pub line: usize,
}

/// The words that begin the facts of a member.
const FACTS: [&str; 2] = [" as ", " if "];

const DEPRECATED: &str = "deprecated ";

const INDENT: &str = "    ";

const ITEMS: [(&str, ItemKind); 6] = [
    ("enum", ItemKind::Enum),
    ("feature", ItemKind::Feature),
    ("mod", ItemKind::Module),
    ("struct", ItemKind::Struct),
    ("type", ItemKind::Alias),
    ("use", ItemKind::Use),
];

/// What an item has once, by the word that begins its line.
const ONCE: [(&str, MemberKind); 4] = [
    ("operation", MemberKind::Operation),
    ("body", MemberKind::Body),
    ("output", MemberKind::Output),
    ("items", MemberKind::Items),
];

impl ItemKind {
    /// Returns the keyword.
    pub fn as_str(self) -> &'static str {
        ITEMS.iter().find(|(_, kind)| *kind == self).map_or("", |(word, _)| word)
    }
}

impl PublicApi {
    /// Reads the text form.
    ///
    /// # Errors
    ///
    /// Fails at the first line that has another form.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        let mut api = Self::default();
        let mut current: Option<String> = None;
        for (index, line) in text.lines().enumerate() {
            let error = SyntaxError { line: index + 1 };
            if line.is_empty() || line.starts_with('#') {
            } else if let Some(library) = line.strip_prefix("crate ") {
                library.clone_into(&mut api.library);
            } else if let Some(line) = line.strip_prefix(INDENT) {
                let owner = current.as_ref().and_then(|path| api.items.get_mut(path));
                let (key, member) = member(line).ok_or_else(|| error.clone())?;
                owner.ok_or(error)?.members.insert(key, member);
            } else {
                let (path, item) = item(line).ok_or(error)?;
                current = Some(path.clone());
                api.items.insert(path, item);
            }
        }
        if api.library.is_empty() { Err(SyntaxError { line: 1 }) } else { Ok(api) }
    }
}

impl fmt::Display for PublicApi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "crate {}", self.library)?;
        let mut is_block = true;
        for (path, item) in &self.items {
            let (traits, members): (Vec<_>, Vec<_>) =
                item.parts(path).skip(1).partition(|part| part.kind == MemberKind::Trait);
            if is_block || !members.is_empty() {
                writeln!(f)?;
            }
            is_block = !members.is_empty();
            let traits: Vec<&str> = traits.iter().map(|part| part.name).collect();
            let separator = if traits.is_empty() { "" } else { ": " };
            f.write_str(&item.line(path, &[separator, &traits.join(" + ")].concat()))?;
            for member in members {
                write!(f, "\n{INDENT}{}", member.line())?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl Item {
    fn line(&self, path: &str, traits: &str) -> String {
        let mut line = if self.whole.deprecated { DEPRECATED.to_owned() } else { String::new() };
        line.extend([self.kind.as_str(), " ", path.strip_prefix(FEATURES).unwrap_or(path)]);
        if let Some(schema) = &self.schema {
            line.extend([" from ", schema]);
        }
        line.push_str(traits);
        if !self.whole.ty.is_empty() {
            line.extend([" = ", &self.whole.ty]);
        }
        line
    }
}

impl Part<'_> {
    /// Returns the line of the part; that of an item is without its traits.
    pub fn line(&self) -> String {
        let (name, Member { ty, facts, .. }) = (self.name, self.member);
        let deprecated = if self.member.deprecated { DEPRECATED } else { "" };
        let shape = match self.kind {
            MemberKind::Whole => return self.item.line(self.path, ""),
            MemberKind::Field => format!("{name}: {ty}"),
            MemberKind::Variant if ty.is_empty() => name.to_owned(),
            MemberKind::Variant => format!("{name}({ty})"),
            MemberKind::Const => format!("const {name}: {ty}"),
            MemberKind::Method => {
                let arguments = self.member.arguments.iter().map(ToString::to_string);
                format!("fn {name}({}) -> {ty}", arguments.collect::<Vec<_>>().join(", "))
            }
            MemberKind::Trait => format!("impl {name}"),
            once => {
                let word = ONCE.iter().find(|(_, kind)| *kind == once).map_or("", |(word, _)| word);
                let space = if ty.is_empty() { "" } else { " " };
                [word, space, ty].concat()
            }
        };
        format!("{deprecated}{shape}{facts}")
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if !self.ty.is_empty() {
            write!(f, ": {}{}", self.ty, self.facts)?;
        }
        Ok(())
    }
}

fn item(line: &str) -> Option<(String, Item)> {
    let (deprecated, line) = deprecation(line);
    let (word, rest) = line.split_once(' ')?;
    let kind = ITEMS.iter().find(|(name, _)| *name == word)?.1;
    let (rest, target) = rest.split_once(" = ").unwrap_or((rest, ""));
    let (head, traits) = match split(rest, ": ").as_slice() {
        [head, traits] => (*head, *traits),
        _ => (rest, ""),
    };
    let (path, schema) = head.split_once(" from ").unwrap_or((head, ""));
    let mut item = Item::new(kind);
    item.schema = (!schema.is_empty()).then(|| schema.to_owned());
    item.whole = Member { deprecated, ty: target.to_owned(), ..Member::default() };
    let traits = traits.split(" + ").filter(|name| !name.is_empty());
    item.members
        .extend(traits.map(|name| ((MemberKind::Trait, name.to_owned()), Member::default())));
    let root = if kind == ItemKind::Feature { FEATURES } else { "" };
    Some(([root, path].concat(), item))
}

/// Reads the line of a member, without its indentation.
fn member(line: &str) -> Option<((MemberKind, String), Member)> {
    let (deprecated, line) = deprecation(line);
    let with = |kind, name: &str, rest: &str| {
        let (ty, facts) = split_facts(rest);
        let member =
            Member { ty: ty.to_owned(), facts: facts.to_owned(), deprecated, ..Member::default() };
        ((kind, name.to_owned()), member)
    };
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    if word == "operation" {
        let member = Member { facts: [" ", rest].concat(), ..Member::default() };
        return Some(((MemberKind::Operation, String::new()), member));
    }
    if let Some((_, kind)) = ONCE.iter().find(|(name, _)| *name == word) {
        return Some(with(*kind, "", rest));
    }
    if word == "const" {
        let (name, rest) = rest.split_once(": ")?;
        return Some(with(MemberKind::Const, name, rest));
    }
    if word == "fn" {
        let (name, rest) = rest.split_once('(')?;
        let [arguments, ..] = split(rest, ")")[..] else { return None };
        let (key, member) =
            with(MemberKind::Method, name, rest.get(arguments.len()..)?.strip_prefix(") -> ")?);
        let arguments = split(arguments, ", ").into_iter().filter(|text| !text.is_empty());
        return Some((key, Member { arguments: arguments.map(argument).collect(), ..member }));
    }
    let (shape, facts) = split_facts(line);
    if let Some((name, ty)) = shape.split_once(": ") {
        return Some(with(MemberKind::Field, name, &[ty, facts].concat()));
    }
    let (name, ty) = match shape.strip_suffix(')') {
        Some(shape) => shape.split_once('(')?,
        None => (shape, ""),
    };
    Some(with(MemberKind::Variant, name, &[ty, facts].concat()))
}

fn argument(text: &str) -> Argument {
    let (name, rest) = text.split_once(": ").unwrap_or((text, ""));
    let (ty, facts) = split_facts(rest);
    let [name, ty, facts] = [name, ty, facts].map(str::to_owned);
    Argument { name, ty, facts, place: String::new() }
}

fn deprecation(line: &str) -> (bool, &str) {
    line.strip_prefix(DEPRECATED).map_or((false, line), |line| (true, line))
}

/// Splits a type from the facts behind it.
fn split_facts(text: &str) -> (&str, &str) {
    let start = FACTS.iter().filter_map(|word| text.find(word)).min().unwrap_or(text.len());
    text.split_at(start)
}

/// Splits a text where a separator stands outside of brackets and of quotes.
fn split<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, char) in text.char_indices() {
        if is_quoted {
            is_quoted = is_escaped || char != '"';
            is_escaped = !is_escaped && char == '\\';
        } else if depth == 0 && at >= start && text[at..].starts_with(separator) {
            parts.push(&text[start..at]);
            start = at + separator.len();
        } else {
            match char {
                '"' => is_quoted = true,
                '(' | '[' | '<' => depth += 1,
                ')' | ']' | '>' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
    parts.push(&text[start..]);
    parts
}
