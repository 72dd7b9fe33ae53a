//! New items.

use std::collections::BTreeMap;

use super::causes::{Causes, is_for_tests};
use super::change::{Change, Difference};
use super::renames::Renames;
use super::what::What;
use crate::items::{Item, ItemKind, MemberKind, MemberRef, PublicApi};

/// Returns the new items, once for each place.
pub(super) fn additions(
    old: &PublicApi,
    new: &PublicApi,
    renames: &Renames<'_>,
    causes: &Causes<'_>,
) -> Vec<Change> {
    let mut found: BTreeMap<String, Difference> = BTreeMap::new();
    for member in new.members() {
        let what = added(member, new);
        let is_new = is_new(member, old.member(member.path, member.kind, member.name));
        // The members of a new item are new with it.
        let is_inner = !old.items.contains_key(member.path)
            && member.kind != MemberKind::Whole
            && what != What::OPERATION;
        // Values that a new rule recognizes were `Unknown`, or of a rule that is reported.
        let is_rule = member.kind == MemberKind::Rule;
        // Other aliases are names of items that are renamed.
        let is_alias = match &member.item.kind {
            ItemKind::Alias(ty) => {
                ty.as_item().is_none_or(|target| !old.items.contains_key(target))
            }
            _ => member.alias_of().is_some(),
        };
        if is_alias || !is_new || is_rule || is_inner || renames.is_target(member) {
            continue;
        }
        let added = Difference::added(what, member);
        let cause = causes.first("", &added.new_place, &added.id);
        if found.get(&cause).is_none_or(|other| other.rank > added.rank) {
            found.insert(cause, added);
        }
    }
    let methods: BTreeMap<String, String> =
        new.operations().map(|(method, _)| (method.id(), new.call(method))).collect();
    let change = |added: Difference| {
        let method = methods.get(&added.id).filter(|_| added.what == What::OPERATION);
        let used_by = method.map(|method| vec![method.clone()]).into_iter().collect();
        Change { used_by, ..Change::single(added) }
    };
    found.into_values().map(change).collect()
}

/// Returns whether programs did not have a member before: there was none, or only tests had it.
pub(super) fn is_new(new: MemberRef<'_>, old: Option<MemberRef<'_>>) -> bool {
    old.is_none_or(|old| is_for_tests(old) && !is_for_tests(new))
}

/// Returns what is said of a new item or member.
pub(super) fn added(member: MemberRef<'_>, api: &PublicApi) -> What {
    let begins_request = || {
        let request = member.method().and_then(|method| method.signature.output.as_item());
        request.and_then(|path| api.items.get(path)).is_some_and(Item::is_request)
    };
    What::Added(match (member.kind, &member.item.kind) {
        (MemberKind::Whole, ItemKind::Struct | ItemKind::Enum) => "type",
        (MemberKind::Whole, ItemKind::Feature(_)) => "feature",
        (MemberKind::Whole, _) => "name",
        (MemberKind::Method, _) if begins_request() => return What::OPERATION,
        (MemberKind::Method | MemberKind::Failure, _) => "method",
        (MemberKind::Field, _) => "field",
        (MemberKind::Variant, _) => "variant",
        (MemberKind::Const, _) => "constant",
        (MemberKind::Setting, _) => "setting",
        (MemberKind::Trait, _) => "trait",
        _ => "property",
    })
}
