//! Comparison with the list of a crate that another version of the generator emitted, `api.txt`. Nothing parses its
//! members: an item whose lines differ is one change, because a missing line breaks programs.

use std::collections::{BTreeMap, BTreeSet};

use super::additions::noun;
use super::change::{Change, Comparison, Difference};
use super::uses::Uses;
use super::what::{Replacement, What};
use crate::items::{DEPRECATED, FORMAT, INDENT, MemberRef, Path, PublicApi};

/// The lines of a list by item. The first of an item declares it.
type Lines<'l> = BTreeMap<Path, Vec<&'l str>>;

/// Compares a list with the items that are emitted for the same spec; `None` if the list has another format.
pub fn compare_listed(listed: &str, new: &PublicApi) -> Option<Comparison> {
    let text = new.to_string();
    let [old_lines, new_lines] = [lines(listed)?, lines(&text)?];
    let uses = Uses::new(new);
    let mut comparison = Comparison::default();
    let paths: BTreeSet<&Path> = old_lines.keys().chain(new_lines.keys()).collect();
    for path in paths {
        let [before, after] =
            [&old_lines, &new_lines].map(|lines| lines.get(path).map_or(&[][..], Vec::as_slice));
        let only_in = |lines: &[&'_ str], other: &[&str]| -> Vec<String> {
            let lines = lines.iter().filter(|line| !other.contains(line));
            lines.map(|line| line.trim_start().to_owned()).collect()
        };
        let [gone, added] = [only_in(before, after), only_in(after, before)];
        if gone.is_empty() {
            let members = new.items.get_key_value(path).into_iter();
            let members = members.flat_map(|(path, item)| item.members(path));
            let is_whole_new = before.is_empty();
            let is_added = |it: &MemberRef<'_>| match it.definition {
                None => is_whole_new,
                Some(_) => !is_whole_new && added.contains(&it.line()),
            };
            let additions = members.filter(is_added).map(|it| Difference::added(noun(it, new), it));
            comparison.additions.extend(additions.map(Change::single));
            continue;
        }
        let is_deprecated = |(old, new): (&String, &String)| *new == [DEPRECATED, old].concat();
        let what = if after.is_empty() {
            What::Removed(Replacement::None)
        } else if gone.len() == added.len() && gone.iter().zip(&added).all(is_deprecated) {
            What::Deprecated
        } else {
            What::Listed
        };
        let place = new.whole(path).map_or("", MemberRef::place).to_owned();
        let main = Difference {
            owner: path.clone(),
            new_place: place,
            ..Difference::of(path.as_str(), what, [gone, added].map(|lines| lines.join("; ")))
        };
        let used_by = uses.methods(path);
        comparison.changes.push(Change { used_by, ..Change::single(main) });
    }
    comparison.sort();
    Some(comparison)
}

/// Returns the lines of a list; `None` if it has another format.
fn lines(list: &str) -> Option<Lines<'_>> {
    let mut found = Lines::new();
    let mut all = list.lines();
    all.next().filter(|first| first.ends_with(FORMAT))?;
    let mut path = Path::default();
    for line in all.filter(|line| !line.is_empty()) {
        if !line.starts_with(INDENT) {
            let declared = line.strip_prefix(DEPRECATED).unwrap_or(line);
            let (keyword, rest) = declared.split_once(' ')?;
            let name = rest.split(' ').next()?.trim_end_matches(':');
            path = if keyword == "feature" { Path::of_feature(name) } else { Path::new(name) };
        }
        found.entry(path.clone()).or_default().push(line);
    }
    Some(found)
}
