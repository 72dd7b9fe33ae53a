//! Comparison with the list of a crate that another version of the generator emitted, `api.txt`. Nothing parses its
//! members: an item whose lines differ is one change, because a missing line breaks programs. An item with another name is
//! found by the operation that it sends, or by its place in the lines of another one.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::additions::added;
use super::change::{Change, Comparison, Difference};
use super::uses::Uses;
use super::what::{Replacement, What};
use crate::items::{DEPRECATED, FORMAT, INDENT, MemberRef, Path, PublicApi};

/// The lines of a list by item. The first of an item declares it.
type Lines = BTreeMap<Path, Vec<String>>;

/// Compares a list with the items that are emitted for the same spec; `None` if the list has another format. The old names
/// of items can be aliases in the crate that is emitted last.
pub fn compare_listed(listed: &str, new: &PublicApi, last: &PublicApi) -> Option<Comparison> {
    let new_lines = lines(&new.to_string())?;
    let renames = renames(&lines(listed)?, &new_lines);
    let uses = Uses::new(new);
    let mut comparison = Comparison::default();
    for (from, to) in &renames {
        let (owner, to) = (Path::new(from), to.clone());
        let texts = [from.clone(), to.to_string()];
        let is_there = last.items.contains_key(&owner);
        let what = if is_there { What::Aliased(to) } else { What::Renamed(to) };
        let main = Difference { owner, ..Difference::of(from, what, texts) };
        comparison.changes.push(Change::single(main));
    }
    let name = |word| renames.get(word).map_or(word, Path::as_str);
    let text = words(listed).flat_map(|(word, rest)| [name(word), rest]);
    let old_lines = lines(&text.collect::<String>())?;
    let paths: BTreeSet<&Path> = old_lines.keys().chain(new_lines.keys()).collect();
    for path in paths.into_iter().filter(|path| !renames.contains_key(path.as_str())) {
        let [before, after] =
            [&old_lines, &new_lines].map(|lines| lines.get(path).map_or(&[][..], Vec::as_slice));
        let [gone, came] = [only_in(before, after), only_in(after, before)];
        if gone.is_empty() {
            let members = new.items.get_key_value(path).into_iter();
            let members = members.flat_map(|(path, item)| item.members(path));
            let is_whole_new = before.is_empty();
            let is_added = |it: &MemberRef<'_>| match it.definition {
                None => is_whole_new,
                Some(_) => !is_whole_new && came.contains(&it.line()),
            };
            let additions =
                members.filter(is_added).map(|it| Difference::added(added(it, new), it));
            comparison.additions.extend(additions.map(Change::single));
            continue;
        }
        let is_deprecated = |(old, new): (&String, &String)| *new == [DEPRECATED, old].concat();
        let what = if after.is_empty() {
            What::Removed(Replacement::None)
        } else if gone.len() == came.len() && gone.iter().zip(&came).all(is_deprecated) {
            What::Deprecated
        } else {
            What::Listed
        };
        let place = new.whole(path).map_or("", MemberRef::place).to_owned();
        let main = Difference {
            owner: path.clone(),
            new_place: place,
            ..Difference::of(path.as_str(), what, [gone, came].map(|lines| lines.join("; ")))
        };
        let used_by = uses.methods(path);
        comparison.changes.push(Change { used_by, ..Change::single(main) });
    }
    comparison.sort();
    Some(comparison)
}

/// Returns the lines that only the first of two items has.
fn only_in(lines: &[String], other: &[String]) -> Vec<String> {
    let lines = lines.iter().filter(|line| !other.contains(line));
    lines.map(|line| line.trim_start().to_owned()).collect()
}

/// Returns the new names of items by the old ones.
fn renames(old: &Lines, new: &Lines) -> BTreeMap<String, Path> {
    let is_operation = |line: &&String| line.trim_start().starts_with("operation ");
    let sent = new.iter().filter_map(|(path, it)| Some((it.iter().find(is_operation)?, path)));
    let senders: HashMap<&String, &Path> = sent.collect();
    let is_lost = |path: &Path| !new.contains_key(path);
    let pairs = old.iter().filter_map(|(path, it)| match it.iter().find(is_operation) {
        Some(operation) if is_lost(path) => Some((path, *senders.get(operation)?)),
        _ => Some((path, new.get_key_value(path)?.0)),
    });
    let mut pairs: Vec<(&Path, &Path)> = pairs.collect();
    let mut renames = BTreeMap::new();
    while let Some((from, to)) = pairs.pop() {
        let is_taken = old.contains_key(to);
        if from != to && (is_taken || renames.insert(from.to_string(), to.clone()).is_some()) {
            continue;
        }
        // The traits of the first line are sorted by the names in them.
        let [before, after] = [&old[from][1..], &new[to][1..]];
        for (gone, added) in only_in(before, after).iter().zip(&only_in(after, before)) {
            let differ = words(gone).zip(words(added)).filter(|(gone, added)| gone != added);
            let paths = differ.map(|((gone, _), (added, _))| {
                let (gone, _) = old.get_key_value(&Path::new(gone))?;
                let (added, _) = new.get_key_value(&Path::new(added))?;
                is_lost(gone).then_some((gone, added))
            });
            pairs.extend(paths.collect::<Option<Vec<_>>>().into_iter().flatten());
        }
    }
    renames
}

/// Returns the words of a text that can be paths, each with what follows it.
fn words(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_word = |char: char| char.is_alphanumeric() || "_#".contains(char);
    let pieces = text.split_inclusive(move |char| !is_word(char) && char != ':');
    pieces.map(move |piece| piece.split_at(piece.trim_end_matches(|char| !is_word(char)).len()))
}

/// Returns the lines of a list; `None` if it has another format.
fn lines(list: &str) -> Option<Lines> {
    let mut found = Lines::new();
    let mut all = list.lines();
    all.next().filter(|first| first.ends_with(FORMAT))?;
    let mut path = Path::default();
    // A module has the lines of its items.
    for line in all.filter(|line| !line.is_empty() && !line.starts_with("mod ")) {
        if !line.starts_with(INDENT) {
            let declared = line.strip_prefix(DEPRECATED).unwrap_or(line);
            let (keyword, rest) = declared.split_once(' ')?;
            let name = rest.split(' ').next()?.trim_end_matches(':');
            path = if keyword == "feature" { Path::of_feature(name) } else { Path::new(name) };
        }
        found.entry(path.clone()).or_default().push(with_sorted_traits(line));
    }
    Some(found)
}

/// Returns a line with its traits in order, whatever the types in them were named when they were sorted.
fn with_sorted_traits(line: &str) -> String {
    let (declaration, features) = line.split_at(line.find(" if feature ").unwrap_or(line.len()));
    let mut traits: Vec<&str> = declaration.split(" + ").collect();
    if let [_, others @ ..] = traits.as_mut_slice() {
        others.sort_unstable();
    }
    traits.join(" + ") + features
}
