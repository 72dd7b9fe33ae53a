//! The text form of the model, `api.txt`: one public item to a line, members below what they belong to, sorted by path.

use std::fmt;

use super::{Argument, FEATURES, Item, ItemKind, Member, MemberKind, PublicApi};

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

const KINDS: [(&str, ItemKind); 6] = [
    ("enum", ItemKind::Enum),
    ("feature", ItemKind::Feature),
    ("mod", ItemKind::Module),
    ("struct", ItemKind::Struct),
    ("type", ItemKind::Alias),
    ("use", ItemKind::Use),
];

impl ItemKind {
    /// Returns the keyword.
    pub fn as_str(self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self).map_or("", |(word, _)| word)
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
                let (key, member) = member(line).ok_or_else(|| error.clone())?;
                let owner =
                    current.as_ref().and_then(|path| api.items.get_mut(path)).ok_or(error)?;
                owner.members.insert(key, member);
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
            if is_block || !item.members.is_empty() {
                writeln!(f)?;
            }
            is_block = !item.members.is_empty();
            writeln!(f, "{}", item.line(path))?;
            for ((kind, name), member) in &item.members {
                writeln!(f, "{INDENT}{}", member.line(*kind, name))?;
            }
        }
        Ok(())
    }
}

impl Item {
    /// Returns the line of the item.
    pub fn line(&self, path: &str) -> String {
        let mut line = self.head(path);
        if !self.traits.is_empty() {
            line.extend([": ", &self.traits.join(" + ")]);
        }
        if !self.target.is_empty() {
            line.extend([" = ", &self.target]);
        }
        line
    }

    /// Returns what the item is: its line without traits and what it stands for.
    pub fn head(&self, path: &str) -> String {
        let mut line = if self.deprecated { DEPRECATED.to_owned() } else { String::new() };
        line.push_str(self.kind.as_str());
        line.push(' ');
        line.push_str(path.strip_prefix(FEATURES).unwrap_or(path));
        if let Some(schema) = &self.schema {
            line.extend([" from ", schema]);
        }
        line
    }
}

impl Member {
    /// Returns the line of the member.
    pub fn line(&self, kind: MemberKind, name: &str) -> String {
        let Self { ty, facts, .. } = self;
        let deprecated = if self.deprecated { DEPRECATED } else { "" };
        let shape = match kind {
            MemberKind::Operation => "operation".to_owned(),
            MemberKind::Body => format!("body {ty}"),
            MemberKind::Output => format!("output {ty}"),
            MemberKind::Items => format!("items {ty}"),
            MemberKind::Field => format!("{name}: {ty}"),
            MemberKind::Variant if ty.is_empty() => name.to_owned(),
            MemberKind::Variant => format!("{name}({ty})"),
            MemberKind::Const => format!("const {name}: {ty}"),
            MemberKind::Method => {
                let arguments: Vec<String> =
                    self.arguments.iter().map(ToString::to_string).collect();
                format!("fn {name}({}) -> {ty}", arguments.join(", "))
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

/// Reads the line of an item.
pub(super) fn item(line: &str) -> Option<(String, Item)> {
    let (deprecated, line) = deprecation(line);
    let (word, rest) = line.split_once(' ')?;
    let kind = KINDS.iter().find(|(name, _)| *name == word)?.1;
    let (rest, target) = rest.split_once(" = ").unwrap_or((rest, ""));
    let (path, schema, rest) = match rest.split_once(" from ") {
        Some((path, rest)) => {
            let end = quoted_end(rest)?;
            (path, Some(rest[..end].to_owned()), &rest[end..])
        }
        None => match rest.split_once(": ") {
            Some((path, _)) => (path, None, &rest[path.len()..]),
            None => (rest, None, ""),
        },
    };
    let traits = rest.strip_prefix(": ").unwrap_or(rest);
    let path = if kind == ItemKind::Feature { [FEATURES, path].concat() } else { path.to_owned() };
    let item = Item {
        kind,
        schema,
        deprecated,
        traits: traits.split(" + ").filter(|name| !name.is_empty()).map(str::to_owned).collect(),
        target: target.to_owned(),
        ..Item::new(kind)
    };
    Some((path, item))
}

/// Reads the line of a member, without its indentation.
pub(super) fn member(line: &str) -> Option<((MemberKind, String), Member)> {
    let (deprecated, line) = deprecation(line);
    let simple = |kind, name: &str, rest: &str| {
        let (ty, facts) = split_facts(rest);
        let member =
            Member { ty: ty.to_owned(), facts: facts.to_owned(), deprecated, ..Member::default() };
        ((kind, name.to_owned()), member)
    };
    if let Some(facts) = line.strip_prefix("operation ") {
        let member = Member { facts: [" ", facts].concat(), ..Member::default() };
        return Some(((MemberKind::Operation, String::new()), member));
    }
    for (word, kind) in [
        ("body ", MemberKind::Body),
        ("output ", MemberKind::Output),
        ("items ", MemberKind::Items),
    ] {
        if let Some(rest) = line.strip_prefix(word) {
            return Some(simple(kind, "", rest));
        }
    }
    if let Some(rest) = line.strip_prefix("const ") {
        let (name, rest) = rest.split_once(": ")?;
        return Some(simple(MemberKind::Const, name, rest));
    }
    if let Some(rest) = line.strip_prefix("fn ") {
        let (name, rest) = rest.split_once('(')?;
        let end = closing(rest)?;
        let (key, member) = simple(MemberKind::Method, name, rest[end + 1..].strip_prefix(" -> ")?);
        let arguments = split_list(&rest[..end]).into_iter().map(argument).collect();
        return Some((key, Member { arguments, ..member }));
    }
    let (shape, facts) = split_facts(line);
    if let Some((name, ty)) = shape.split_once(": ") {
        return Some(simple(MemberKind::Field, name, &[ty, facts].concat()));
    }
    match shape.strip_suffix(')').and_then(|shape| shape.split_once('(')) {
        Some((name, ty)) => Some(simple(MemberKind::Variant, name, &[ty, facts].concat())),
        None => Some(simple(MemberKind::Variant, shape, facts)),
    }
}

fn argument(text: &str) -> Argument {
    let (name, rest) = text.split_once(": ").unwrap_or((text, ""));
    let (ty, facts) = split_facts(rest);
    Argument {
        name: name.to_owned(),
        ty: ty.to_owned(),
        facts: facts.to_owned(),
        place: String::new(),
    }
}

fn deprecation(line: &str) -> (bool, &str) {
    match line.strip_prefix(DEPRECATED) {
        Some(line) => (true, line),
        None => (false, line),
    }
}

/// Splits a type from the facts behind it.
fn split_facts(text: &str) -> (&str, &str) {
    let start = FACTS.iter().filter_map(|word| text.find(word)).min().unwrap_or(text.len());
    text.split_at(start)
}

/// Returns where a text in quotes ends that begins here.
fn quoted_end(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (at, char) in text.char_indices().skip(1) {
        match char {
            '"' if !is_escaped => return Some(at + 1),
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    None
}

/// Returns where the parenthesis is closed that was opened before this text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(char) = text[at..].chars().next() {
        match char {
            '"' => {
                at += quoted_end(&text[at..])?;
                continue;
            }
            '(' | '[' | '<' => depth += 1,
            ')' | ']' if depth == 0 => return Some(at),
            ')' | ']' | '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += char.len_utf8();
    }
    None
}

/// Splits a list at its outermost commas.
fn split_list(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut at) = (0_usize, 0, 0);
    while let Some(char) = text[at..].chars().next() {
        match char {
            '"' => {
                at += quoted_end(&text[at..]).unwrap_or(1);
                continue;
            }
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        at += char.len_utf8();
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}
