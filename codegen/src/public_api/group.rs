//! From differences to changes: one for each place in the spec that causes any, however many items differ because of it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::change::{Addition, Change, Class, Comparison, Difference, ItemId, What};
use super::compare::{Differences, Found, is_request};
use super::renames::{Renames, accessor, operations};
use super::{Item, ItemKind, Member, MemberKind, PublicApi, paths};

/// Compares two revisions of a crate.
pub fn compare(old: &PublicApi, new: &PublicApi) -> Comparison {
    let renames = Renames::between(old, new);
    let differences = Differences::between(old, new, &renames);
    let (respelled, documentation) = (differences.respelled, differences.documentation);
    let additions = additions(old, new, &renames, &differences);
    let uses = Uses::of(old);
    let mut changes: Vec<Change> = grouped(differences.found, old)
        .into_values()
        .filter_map(|found| change(found, old, &uses))
        .collect();
    find_successors(&mut changes, &renames, &additions);
    changes.sort_by(|left, right| {
        let key = |change: &Change| (change.main.owner.clone(), change.main.id.clone());
        right.class.cmp(&left.class).then_with(|| key(left).cmp(&key(right)))
    });
    let caused: BTreeSet<&String> = changes
        .iter()
        .flat_map(Change::differences)
        .flat_map(|difference| [&difference.old_place, &difference.new_place])
        .filter(|place| !place.is_empty())
        .collect();
    let additions =
        additions.into_iter().filter(|addition| !caused.contains(&addition.place)).collect();
    Comparison { changes, additions, respelled, documentation }
}

/// Groups differences by their causes.
fn grouped(found: Vec<Found>, old: &PublicApi) -> BTreeMap<String, Vec<Difference>> {
    let mut groups: BTreeMap<String, Vec<Difference>> = BTreeMap::new();
    for Found { cause, difference } in found {
        let group = groups.entry(cause).or_default();
        let is_new = !group.iter().any(|at| at.id == difference.id && at.what == difference.what);
        if is_new {
            group.push(difference);
        }
    }
    // What is written within something that has changed has changed with it.
    let inner: Vec<String> = groups
        .iter()
        .filter(|(_, group)| follows(group, old))
        .map(|(cause, _)| cause.clone())
        .collect();
    for cause in inner {
        let outer = cause
            .rmatch_indices('/')
            .map(|(at, _)| &cause[..at])
            .find(|outer| groups.contains_key(*outer))
            .map(str::to_owned);
        if let Some(outer) = outer {
            let moved = groups.remove(&cause).unwrap_or_default();
            groups.entry(outer).or_default().extend(moved);
        }
    }
    groups
}

/// Returns whether a group is the loss of something that has no name of its own in the spec.
fn follows(group: &[Difference], old: &PublicApi) -> bool {
    group.iter().any(|difference| {
        let item = old.items.get(&difference.owner);
        let is_inline = item.is_some_and(|item| item.schema.is_none() && !is_request(item));
        difference.kind.is_none()
            && difference.owner.starts_with("models::")
            && matches!(difference.what, What::Lost | What::Renamed)
            && is_inline
    }) || group.iter().all(|difference| {
        difference.what == What::Lost && difference.kind == Some(MemberKind::Method)
    })
}

fn change<'a>(mut group: Vec<Difference>, old: &'a PublicApi, uses: &Uses<'a>) -> Option<Change> {
    group.sort_by_key(|difference| {
        (std::cmp::Reverse(difference.what.class()), rank(difference, old), difference.id.clone())
    });
    let class = group.first()?.what.class();
    let mut others = group.split_off(1);
    let main = group.pop()?;
    others.retain(|other| other.id != main.id || other.what.class() == Class::Breaking);
    let used_by = uses.methods(old.items.get_key_value(&main.owner)?.0);
    Some(Change { class, main, others, perhaps: None, used_by })
}

/// Returns how far an item is from what the spec defines.
fn rank(difference: &Difference, old: &PublicApi) -> usize {
    let is_request = old.items.get(&difference.owner).is_some_and(is_request);
    let is_resource = difference.owner.starts_with("resources::");
    match difference.kind {
        _ if matches!(difference.what, What::Mentions | What::Trait) => 6,
        Some(MemberKind::Field | MemberKind::Variant | MemberKind::Body) => 0,
        Some(MemberKind::Operation | MemberKind::Output) => 1,
        Some(MemberKind::Method) if is_resource && !is_request => 0,
        Some(_) => 3,
        None if difference.old.starts_with("mod ") => 5,
        None if is_resource => 4,
        None => 0,
    }
}

/// Finds what perhaps takes the place of lost items: what is new beside one, where nothing else is lost or new there.
fn find_successors(changes: &mut [Change], renames: &Renames, additions: &[Addition]) {
    let losses: Vec<Difference> = changes
        .iter()
        .map(|change| &change.main)
        .filter(|main| main.what == What::Lost)
        .cloned()
        .collect();
    for change in changes.iter_mut().filter(|change| change.main.what == What::Lost) {
        let lost = &change.main;
        if lost.kind.is_none() {
            change.perhaps = renames.unproven(&lost.owner).map(str::to_owned);
            continue;
        }
        let is_twin = |other: &Difference| {
            other.owner == lost.owner
                && other.kind == lost.kind
                && type_of(&other.old) == type_of(&lost.old)
        };
        let owner = renames.item(&lost.owner);
        let beside: Vec<&Addition> = additions
            .iter()
            .filter(|new| {
                let is_member = new.owner == owner && new.kind == kind_name(lost.kind);
                is_member && type_of(&new.line) == type_of(&lost.old)
            })
            .collect();
        if let ([sole], 1) = (beside.as_slice(), losses.iter().filter(|loss| is_twin(loss)).count())
        {
            change.perhaps = Some(sole.id.to_string());
        }
    }
}

/// Returns the type in the line of a field or of a variant; empty for variants without one.
fn type_of(line: &str) -> &str {
    let line = line.split(" as ").next().unwrap_or_default();
    line.split_once(": ").or_else(|| line.split_once('(')).map_or("", |(_, ty)| ty)
}

fn kind_name(kind: Option<MemberKind>) -> &'static str {
    match kind {
        Some(MemberKind::Field) => "field",
        Some(MemberKind::Variant) => "variant",
        Some(MemberKind::Const) => "constant",
        Some(MemberKind::Method) => "method",
        _ => "fact",
    }
}

/// Returns what is new, once for each place.
fn additions(
    old: &PublicApi,
    new: &PublicApi,
    renames: &Renames,
    differences: &Differences<'_>,
) -> Vec<Addition> {
    let requests: BTreeSet<&str> = operations(new).map(|operation| operation.method).collect();
    let mut found: BTreeMap<String, (usize, Addition)> = BTreeMap::new();
    let mut add = |rank, kind, owner: &str, id: ItemId, line, place: &str| {
        let cause = differences.causes.first("", place, &id.to_string());
        let (owner, place) = (owner.to_owned(), place.to_owned());
        let addition = Addition { kind, owner, id, line, place };
        match found.get(&cause) {
            Some((other, _)) if *other <= rank => {}
            _ => drop(found.insert(cause, (rank, addition))),
        }
    };
    for (path, item) in new.items.iter().filter(|(path, _)| !renames.is_target(path)) {
        let Some(before) = old.items.get(path) else {
            let (rank, kind) = match item.kind {
                ItemKind::Struct | ItemKind::Enum if path.starts_with("models::") => (0, "type"),
                ItemKind::Struct | ItemKind::Enum => (4, "type"),
                ItemKind::Feature => (5, "feature"),
                _ => (5, "name"),
            };
            add(rank, kind, path, ItemId::of(path), item.head(path), &item.place);
            add_operations(path, item, new, &mut add);
            continue;
        };
        for ((kind, name), member) in &item.members {
            let is_known = before.members.contains_key(&(*kind, name.clone()));
            if is_known || renames.is_member_target(path, *kind, name) {
                continue;
            }
            let id = ItemId::member(path, *kind, name);
            let line = member.line(*kind, name);
            let (rank, label) = match kind {
                MemberKind::Method if is_operation(member, new) => (0, "operation"),
                MemberKind::Method if requests.contains(name.as_str()) => (3, "method"),
                MemberKind::Field | MemberKind::Variant => (0, kind_name(Some(*kind))),
                kind => (3, kind_name(Some(*kind))),
            };
            add(rank, label, path, id, line, &member.place);
        }
    }
    found.into_values().map(|(_, addition)| addition).collect()
}

fn add_operations(
    path: &str,
    item: &Item,
    new: &PublicApi,
    add: &mut impl FnMut(usize, &'static str, &str, ItemId, String, &str),
) {
    for ((kind, name), member) in &item.members {
        if is_operation(member, new) {
            let id = ItemId::member(path, *kind, name);
            add(0, "operation", path, id, member.line(*kind, name), &member.place);
        }
    }
}

fn is_operation(member: &Member, api: &PublicApi) -> bool {
    api.items.get(&member.ty).is_some_and(is_request)
}

/// Which methods use which items.
struct Uses<'a> {
    /// For each item, the members that name it, with the items that have them.
    users: BTreeMap<&'a str, Vec<(&'a str, ItemId)>>,
    /// The operations by the paths of their requests.
    operations: BTreeMap<&'a str, String>,
}

impl<'a> Uses<'a> {
    fn of(api: &'a PublicApi) -> Self {
        let mut users: BTreeMap<&str, Vec<(&str, ItemId)>> = BTreeMap::new();
        for (path, item) in &api.items {
            for ((kind, name), member) in &item.members {
                let arguments = member.arguments.iter().map(|argument| argument.ty.as_str());
                let types = arguments.chain([member.ty.as_str()]).flat_map(paths);
                for named in types.filter(|named| named != path) {
                    let id = ItemId::member(path, *kind, name);
                    users.entry(named).or_default().push((path, id));
                }
            }
        }
        let operations = operations(api).map(|operation| {
            let handle = accessor(api, operation.handle).unwrap_or_default();
            (operation.request, format!("{handle}().{}", operation.method))
        });
        Self { users, operations: operations.collect() }
    }

    /// Returns the methods whose requests or results have an item, each with the members on the way to it.
    fn methods(&self, path: &'a str) -> Vec<Vec<String>> {
        let mut ways: BTreeMap<&str, Vec<String>> = BTreeMap::from([(path, Vec::new())]);
        let mut waiting = VecDeque::from([path]);
        while let Some(path) = waiting.pop_front() {
            // A request belongs to one method; what names the request is the resource's handle.
            if self.operations.contains_key(path) {
                continue;
            }
            let way = ways.get(path).cloned().unwrap_or_default();
            for (user, member) in self.users.get(path).into_iter().flatten() {
                if !ways.contains_key(user) {
                    ways.insert(user, [vec![member.to_string()], way.clone()].concat());
                    waiting.push_back(user);
                }
            }
        }
        let methods = ways.into_iter().filter_map(|(path, mut way)| {
            way.splice(..usize::from(!way.is_empty()), [self.operations.get(path)?.clone()]);
            Some(way)
        });
        methods.collect()
    }
}
