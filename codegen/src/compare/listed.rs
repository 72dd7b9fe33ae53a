//! Comparison with the list of a crate that another version of the generator emitted, `api.txt`. Nothing parses its
//! lines: a line that is missing or differs breaks programs, unless it is known that only values differ.

use std::collections::{BTreeMap, BTreeSet};

use super::change::{Change, Comparison, Difference};
use super::uses::Uses;
use super::what::{FromTo, Noun, Replacement, Retyping, What};
use crate::items::{DEPRECATED, FORMAT, INDENT, MemberKind, Path, PublicApi};

/// The lines of a list by item, kind and name of the member.
type Lines = BTreeMap<(Path, MemberKind, String), String>;

/// Compares a list with the items that are emitted for the same spec; `None` if the list has another format.
pub fn compare_listed(listed: &str, new: &PublicApi) -> Option<Comparison> {
    let text = new.to_string();
    let [old_lines, new_lines] = [lines(listed)?, lines(&text)?];
    let uses = Uses::new(new);
    let mut comparison = Comparison::default();
    let keys: BTreeSet<_> = old_lines.keys().chain(new_lines.keys()).collect();
    for key @ (path, kind, name) in keys {
        let (before, after) = (old_lines.get(key), new_lines.get(key));
        let other = if before.is_none() { &old_lines } else { &new_lines };
        let is_inner = !other.contains_key(&(path.clone(), MemberKind::Whole, String::new()));
        if before == after || (is_inner && *kind != MemberKind::Whole) {
            continue;
        }
        let [old, new_line] = [before, after].map(|line| line.cloned().unwrap_or_default());
        let main = Difference {
            id: kind.id(path.as_str(), name),
            what: what(*kind, before, after),
            old,
            new: new_line,
            owner: path.clone(),
            name: name.clone(),
            kind: *kind,
            rank: 0,
            old_place: String::new(),
            new_place: new.member(path, *kind, name).map_or("", |it| it.place()).to_owned(),
        };
        let used_by = uses.methods(path);
        let changes =
            if before.is_none() { &mut comparison.additions } else { &mut comparison.changes };
        changes.push(Change { used_by, ..Change::single(main) });
    }
    comparison.sort();
    Some(comparison)
}

/// Returns the lines of a list, with a line of its own for each trait; `None` if it has another format.
fn lines(list: &str) -> Option<Lines> {
    let mut found = Lines::new();
    let mut owner = Path::default();
    let mut all = list.lines();
    all.next().filter(|first| first.ends_with(FORMAT))?;
    for line in all.filter(|line| !line.is_empty()) {
        if let Some(member) = line.strip_prefix(INDENT) {
            let (kind, name) = member_of(member);
            found.insert((owner.clone(), kind, name.to_owned()), member.to_owned());
            continue;
        }
        // A type with traits has no target.
        let (head, traits) = line.rsplit_once(": ").unwrap_or((line, ""));
        let (traits, condition) = traits.split_at(traits.find(" if ").unwrap_or(traits.len()));
        let (keyword, rest) = undeprecated(head).split_once(' ')?;
        let name = rest.split(' ').next().unwrap_or(rest);
        owner = if keyword == "feature" { Path::of_feature(name) } else { Path::new(name) };
        let whole = [head, condition].concat();
        found.insert((owner.clone(), MemberKind::Whole, String::new()), whole);
        for name in traits.split(" + ").filter(|name| !name.is_empty()) {
            let key = (owner.clone(), MemberKind::Trait, name.to_owned());
            found.insert(key, format!("impl {name}"));
        }
    }
    Some(found)
}

/// Returns the kind and the name of the member that a line lists.
fn member_of(line: &str) -> (MemberKind, &str) {
    let line = undeprecated(line);
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let name_in = |text: &'_ str, end: &str| text.find(end).unwrap_or(text.len());
    match word {
        "operation" => (MemberKind::Operation, ""),
        "body" => (MemberKind::Body, ""),
        "output" => (MemberKind::Output, ""),
        "error" => (MemberKind::Failure, ""),
        "items" => (MemberKind::Items, ""),
        "setting" => (MemberKind::Setting, &rest[..name_in(rest, " = ")]),
        "by" => (MemberKind::Rule, &rest[..name_in(rest, " => ")]),
        "const" => (MemberKind::Const, &rest[..name_in(rest, ":")]),
        "fn" => (MemberKind::Method, &rest[..name_in(rest, "(")]),
        _ => match word.strip_suffix(':') {
            Some(field) => (MemberKind::Field, field),
            None => (MemberKind::Variant, &word[..name_in(word, "(")]),
        },
    }
}

fn undeprecated(line: &str) -> &str {
    line.strip_prefix(DEPRECATED).unwrap_or(line)
}

/// Returns the difference between two lines of a member.
fn what(kind: MemberKind, old: Option<&String>, new: Option<&String>) -> What {
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (old.as_str(), new.as_str()),
        (None, new) => return What::Added(noun(kind, new.map_or("", String::as_str))),
        (_, None) => {
            return match kind {
                MemberKind::Rule => What::Recognized,
                MemberKind::Trait => What::Trait,
                _ => What::Removed(Replacement::None),
            };
        }
    };
    if undeprecated(new) == old {
        return What::Deprecated;
    }
    let parts = |separator| old.split_once(separator).zip(new.split_once(separator));
    let equal_until = |separator| parts(separator).filter(|((old, _), (new, _))| old == new);
    match kind {
        MemberKind::Rule => What::Recognized,
        MemberKind::Operation => What::Wire,
        MemberKind::Body => What::Body,
        MemberKind::Output | MemberKind::Failure => What::Output(Retyping::Other),
        MemberKind::Field | MemberKind::Variant if equal_until(" as ").is_some() => What::Wire,
        MemberKind::Field | MemberKind::Variant | MemberKind::Items => What::OTHER_TYPE,
        MemberKind::Setting | MemberKind::Const => match equal_until(" = ") {
            Some(((_, from), (_, to))) => {
                What::Value(FromTo { from: from.to_owned(), to: to.to_owned() })
            }
            None => What::Listed,
        },
        MemberKind::Whole | MemberKind::Method | MemberKind::Trait => What::Listed,
    }
}

fn noun(kind: MemberKind, line: &str) -> Noun {
    match kind {
        MemberKind::Whole if line.starts_with("feature ") => Noun::Feature,
        MemberKind::Whole if line.starts_with("struct ") || line.starts_with("enum ") => Noun::Type,
        MemberKind::Whole => Noun::Name,
        MemberKind::Method | MemberKind::Failure => Noun::Method,
        MemberKind::Field => Noun::Field,
        MemberKind::Variant => Noun::Variant,
        MemberKind::Const => Noun::Constant,
        MemberKind::Setting => Noun::Setting,
        MemberKind::Trait => Noun::Trait,
        _ => Noun::Property,
    }
}
