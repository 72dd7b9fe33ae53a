//! Comparison of two revisions of a crate: the items that differ, the places in the spec that cause it, and the
//! programs that break.

mod additions;
mod arguments;
mod causes;
mod change;
mod code;
mod described;
mod differences;
mod group;
mod listed;
mod operations;
mod patterns;
mod phrases;
mod renames;
mod replacements;
mod settings;
mod shapes;
#[cfg(test)]
mod tests;
mod uses;
mod verdicts;
mod what;

use std::collections::BTreeSet;

pub use change::{Change, Comparison, Difference};
pub use code::File;
pub use listed::compare_listed;
pub use phrases::pluralize;
pub use renames::unmatched;
pub use verdicts::Verdict;
pub use what::{ArgumentChange, Class, Remedy, Replacement, Retyping, What};

use crate::items::{MemberKind, MemberRef, Path, PublicApi};
use additions::additions;
use causes::Causes;
use differences::Differences;
use group::grouped;
use renames::Renames;
use uses::Uses;

/// Compares two revisions of a crate.
pub fn compare(old: &PublicApi, new: &PublicApi) -> Comparison {
    let renames = Renames::new(old, new);
    let causes = Causes::new(old, new, &renames);
    let Differences { found, documentation, .. } =
        Differences::new(&old.items, old, new, &renames, &causes);
    let code = found.iter().map(|(_, it)| it).filter(|it| it.is_in_code());
    let mut touched: BTreeSet<Path> = code.flat_map(Difference::touched).collect();
    let origins = renames.origins(old);
    let is_new = |it: &MemberRef<'_>| {
        let owner = origins.get(it.path).unwrap_or(it.path);
        additions::is_new(*it, old.member(owner, it.kind, it.name))
    };
    touched.extend(new.members().filter(is_new).map(|it| it.path.clone()));
    // The constructor of a variant's type sets the tag of the variant, and the type of a result tells the end of a wait.
    let owners = found
        .iter()
        .map(|(_, it)| it)
        .filter(|it| matches!(it.kind, MemberKind::Rule | MemberKind::Setting));
    let owners = owners.filter_map(|it| new.whole(renames.item(&it.owner)));
    let decided = owners
        .flat_map(|owner| owner.item.members(owner.path))
        .filter(|it| matches!(it.kind, MemberKind::Variant | MemberKind::Output));
    touched.extend(decided.flat_map(MemberRef::named_items).cloned());
    let uses = Uses::new(old);
    let groups = grouped(found, old, &uses);
    let mut changes: Vec<Change> =
        groups.into_iter().filter_map(|group| Change::new(group, &uses)).collect();
    let libraries = [old, new].map(|api| api.library.clone());
    if libraries[0] != libraries[1] {
        let what = What::Renamed(Path::new(&libraries[1]));
        let lines = libraries.each_ref().map(|name| format!("crate {name}"));
        changes.push(Change::single(Difference::of(&libraries[0], what, lines)));
    }
    changes.extend(other_base_url(old, new));
    let all = changes.iter().flat_map(Change::differences);
    let explained: BTreeSet<&String> = all
        .flat_map(|it| [Some(&it.old_place).filter(|_| !is_in_list(it)), Some(&it.new_place)])
        .flatten()
        .collect();
    let mut additions = additions(old, new, &renames, &causes);
    // A new operation can have the place of another one that has moved.
    additions.retain(|Change { main, .. }| {
        main.what == What::OPERATION
            || main.new_place.is_empty()
            || !explained.contains(&main.new_place)
    });
    let mut comparison = Comparison {
        changes: changes.into_iter().map(Change::at_name).collect(),
        additions,
        documentation,
        touched,
        origins,
        places: causes.moved(),
    };
    comparison.sort();
    comparison
}

/// Returns whether a removed item had its place in a list, which another item can have now.
fn is_in_list(difference: &Difference) -> bool {
    let mut place = difference.old_place.rsplit('/');
    let is_index = place.next().is_some_and(|last| last.parse::<usize>().is_ok());
    let lists = ["anyOf", "enum", "oneOf", "parameters"];
    difference.is_lost() && is_index && place.next().is_some_and(|list| lists.contains(&list))
}

/// Returns the change of the base URL that users pass.
fn other_base_url(old: &PublicApi, new: &PublicApi) -> Option<Change> {
    let template = |api: &PublicApi| api.base_url_template.clone();
    let (from, to) = template(old).zip(template(new)).filter(|(from, to)| from != to)?;
    let method = "builder";
    let counterpart = new.member(&Path::new(Path::CLIENT), MemberKind::Method, method);
    let member = old.member(&Path::new(Path::CLIENT), MemberKind::Method, method)?;
    let main = Difference {
        old: format!("server {from}"),
        new: format!("server {to}"),
        old_place: "/servers/0/url".to_owned(),
        new_place: "/servers/0/url".to_owned(),
        ..Difference::new(What::BaseUrl([from, to]), member, counterpart)
    };
    Some(Change::single(main))
}
