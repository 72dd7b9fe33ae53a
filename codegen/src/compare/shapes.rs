//! The shapes of types: which new type has all that a removed one has, under its new names.

use std::collections::{BTreeMap, BTreeSet};

use crate::items::{Item, MemberKind, MemberRef, Path, PublicApi, Ty};

/// New paths by old ones.
pub(super) type Names<'a> = BTreeMap<&'a Path, &'a Path>;

/// The types of two revisions, with the renames that are known. Types that contain themselves are assumed to be the same
/// while their members are compared.
pub(super) struct Shapes<'a, 'k> {
    pub(super) old: &'a PublicApi,
    pub(super) new: &'a PublicApi,
    pub(super) known: &'k Names<'a>,
}

/// Minimum number of fields and variants of a type that is recognized by them alone.
const MIN_MEMBERS: usize = 2;

impl<'a> Shapes<'a, '_> {
    /// Returns the removed types with the only new type that has the same properties or values.
    pub(super) fn sole_counterparts(&self) -> Vec<(&'a Path, &'a Path)> {
        let targets: BTreeSet<&Path> = self.known.values().copied().collect();
        let is_lost =
            |path: &Path| !self.new.items.contains_key(path) && !self.known.contains_key(path);
        let is_new = |path: &Path| !self.old.items.contains_key(path) && !targets.contains(path);
        let new = by_members(self.new, is_new);
        let pairs = by_members(self.old, is_lost).into_iter().filter_map(|(members, lost)| {
            let ([from], [to]) = (lost.as_slice(), new.get(&members)?.as_slice()) else {
                return None;
            };
            Some((*from, *to))
        });
        pairs.collect()
    }

    /// Returns the renames by which a new type has the shape of a removed one: its own, and those of the removed types in it.
    /// `None` if it has another shape.
    pub(super) fn prove(&self, from: &'a Path, to: &'a Path) -> Option<Names<'a>> {
        let mut assumed = Names::from([(from, to)]);
        let mut waiting = vec![(from, to)];
        while let Some((from, to)) = waiting.pop() {
            let [before, after] = [self.old.items.get(from)?, self.new.items.get(to)?];
            (before.kind == after.kind).then_some(())?;
            for old in before.members(from).skip(1).filter(|it| it.kind != MemberKind::Trait) {
                let new = after.members(to).find(|new| are_counterparts(old, *new))?;
                for (from, to) in old.named_items().zip(new.named_items()) {
                    let known = assumed.get(from).or_else(|| self.known.get(from));
                    let is_renamed =
                        !self.new.items.contains_key(from) && !self.old.items.contains_key(to);
                    if known.is_none() && is_renamed {
                        assumed.insert(from, to);
                        waiting.push((from, to));
                    } else if known.map_or(from, |renamed| *renamed) != to {
                        return None;
                    }
                }
            }
        }
        Some(assumed)
    }
}

/// Returns whether two members differ only in the items of their types.
fn are_counterparts<'a>(old: MemberRef<'a>, new: MemberRef<'a>) -> bool {
    // The names of variants can come from that of their enum.
    let is_value = old.kind == MemberKind::Variant && old.wire_name().is_some();
    let arguments = |member: MemberRef<'a>| {
        let method = member.method().map(|method| &method.signature.arguments);
        method.into_iter().flatten().map(|argument| &argument.wire)
    };
    let types = |member: MemberRef<'a>| member.types().into_iter().map(blank);
    new.kind == old.kind
        && (new.name == old.name || is_value)
        && old.wire() == new.wire()
        && arguments(old).eq(arguments(new))
        && types(old).eq(types(new))
}

/// Returns the types with enough members, by these.
fn by_members(
    api: &PublicApi,
    is_included: impl Fn(&Path) -> bool,
) -> BTreeMap<BTreeSet<(MemberKind, &str)>, Vec<&Path>> {
    let mut found: BTreeMap<_, Vec<&Path>> = BTreeMap::new();
    let types = api.items.iter().filter(|(path, item)| item.is_type() && path.is_model());
    for (path, item) in types.filter(|(path, _)| is_included(path)) {
        let members = on_wire(path, item);
        if members.len() >= MIN_MEMBERS {
            found.entry(members).or_default().push(path);
        }
    }
    found
}

/// Returns the fields and variants with a name on the wire.
fn on_wire<'a>(path: &'a Path, item: &'a Item) -> BTreeSet<(MemberKind, &'a str)> {
    let members = item.members(path);
    let members = members.filter(|it| matches!(it.kind, MemberKind::Field | MemberKind::Variant));
    members.filter_map(|member| Some((member.kind, member.wire_name()?))).collect()
}

/// Returns whether two items have most of their properties or values in common.
pub(super) fn are_alike([old, new]: [MemberRef<'_>; 2]) -> bool {
    let [old, new] = [old, new].map(|whole| on_wire(whole.path, whole.item));
    old.intersection(&new).count() * 2 > old.len().max(new.len())
}

/// Returns the item that a type names, if the type equals another one except for the item.
pub(super) fn sole_item<'t>(ty: &'t Ty, other: &Ty) -> Option<&'t Path> {
    let [item] = ty.items()[..] else { return None };
    (blank(ty) == blank(other)).then_some(item)
}

fn blank(ty: &Ty) -> Ty {
    ty.with_items(&|_| Path::default())
}
