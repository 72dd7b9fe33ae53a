//! What a bump means for programs: the new names of items, and the changes that need an edit or a look.

use std::collections::{BTreeMap, BTreeSet};

use ::codegen::compare::{ArgumentChange, Change, Class, Difference, Replacement, What, compare};
use ::codegen::items::{Definition, Item, ItemKind, MemberKind, MemberRef, Path, PublicApi, Ty};

/// What a program can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A type, a module, or the library.
    Path,
    /// A field.
    Field,
    /// A method or an associated function.
    Method,
    /// A variant or an associated constant.
    Variant,
}

/// What is edited where an item is used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remedy {
    /// It has a new name.
    Name(String),
    /// It is compiled with one of these features.
    Features(Vec<String>),
    /// Its type differs.
    Type,
    /// Its arguments differ: their names that are new, and those that have become setters.
    Arguments(Vec<String>),
    /// Nobody but the user can know.
    Hands,
}

/// What a change means at one item.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Effect {
    /// What programs name.
    pub kind: Kind,
    /// The name in programs.
    pub name: String,
    /// The paths of the module or the type that has the item, before and after.
    pub owners: [String; 2],
    /// What is edited.
    pub remedy: Remedy,
    /// The index of its headline.
    pub headline: usize,
}

/// A change that is reported.
pub struct Headline {
    /// A sentence.
    pub title: String,
    /// The advice.
    pub instead: Option<String>,
    /// The JSON pointers into the old and into the new spec.
    pub places: [String; 2],
    /// Its class.
    pub class: Class,
    /// The methods that use the item.
    pub used_by: Vec<String>,
}

/// What a bump means for programs.
#[derive(Default)]
pub struct Plan {
    /// The changes.
    pub headlines: Vec<Headline>,
    /// What they mean at each item.
    pub effects: BTreeSet<Effect>,
    /// The types that no longer exist.
    pub removed: BTreeSet<String>,
    /// The new names of features; of a removed one without a replacement, none.
    pub features: BTreeMap<String, (Option<String>, usize)>,
}

impl Plan {
    /// Compares two revisions of a crate.
    pub fn new(old: &PublicApi, new: &PublicApi) -> Self {
        let mut plan = Self::default();
        for change in compare(old, new).changes {
            plan.add(&change, old, new);
        }
        plan.add_modules();
        plan.add_aliases(new);
        plan
    }

    fn add(&mut self, change: &Change, old: &PublicApi, new: &PublicApi) {
        let headline = self.headlines.len();
        let methods = change.used_by.iter().filter_map(|path| path.first());
        self.headlines.push(Headline {
            title: change.title(),
            instead: change.instead(),
            places: [change.main.old_place.clone(), change.main.new_place.clone()],
            class: change.class,
            used_by: methods.cloned().collect(),
        });
        for difference in change.differences() {
            self.add_difference(difference, headline, [old, new]);
            if let (What::Renamed { to, .. }, Some(from)) =
                (&difference.what, features_of(difference, old))
            {
                let after = new.items.get(to).map(|item| &item.features);
                let names = from.iter().filter(|name| !has_feature(new, name));
                for name in names {
                    let to = after.and_then(|after| after.first()).cloned();
                    self.features.insert(name.clone(), (to, headline));
                }
            }
        }
    }

    fn add_difference(
        &mut self,
        difference: &Difference,
        headline: usize,
        [old, new]: [&PublicApi; 2],
    ) {
        if let Some(feature) = difference.owner.feature() {
            if !has_feature(new, feature) {
                self.features.entry(feature.to_owned()).or_insert((None, headline));
            }
            return;
        }
        let Some(kind) = kind(difference.kind) else { return };
        let is_whole = difference.kind == MemberKind::Whole;
        let owner = split(&difference.owner);
        let [before, name] =
            if is_whole { owner } else { [difference.owner.as_str(), difference.name.as_str()] };
        let mut effect = Effect {
            kind,
            name: name.to_owned(),
            owners: [before.to_owned(), before.to_owned()],
            remedy: Remedy::Hands,
            headline,
        };
        match &difference.what {
            What::Renamed { to, .. } | What::Aliased { to } => {
                let [owner, name] = split(to);
                owner.clone_into(&mut effect.owners[1]);
                effect.remedy = Remedy::Name(name.to_owned());
            }
            What::Removed(Replacement::Target(id)) => {
                let target = Path::new(id.trim_end_matches("()"));
                effect.remedy = Remedy::Name(target.name().to_owned());
            }
            What::Gated { features, .. } => effect.remedy = Remedy::Features(features.clone()),
            What::Retyped(_) | What::Output(_) => effect.remedy = Remedy::Type,
            What::Arguments(changes) => {
                let added = changes.iter().filter_map(|change| match change {
                    ArgumentChange::Added(name) => Some(name.clone()),
                    _ => None,
                });
                effect.remedy = Remedy::Arguments(added.collect());
            }
            what if what.class() < Class::Breaking => return,
            _ => {}
        }
        let is_gone = matches!(difference.what, What::Removed(_) | What::Service { .. });
        let is_type = old.items.get(&difference.owner).is_some_and(Item::is_type);
        if is_whole && is_type && is_gone && effect.remedy == Remedy::Hands {
            self.removed.insert(difference.owner.to_string());
        }
        self.effects.insert(effect);
    }

    /// Adds the new names of modules: those of the types in them.
    fn add_modules(&mut self) {
        let mut moved: BTreeMap<String, BTreeSet<(String, usize)>> = BTreeMap::new();
        for effect in self.effects.iter().filter(|effect| effect.kind == Kind::Path) {
            let [from, to] = &effect.owners;
            let is_module = from.contains("::") && matches!(effect.remedy, Remedy::Name(_));
            if is_module && from != to {
                moved.entry(from.clone()).or_default().insert((to.clone(), effect.headline));
            }
        }
        for (from, targets) in moved {
            let Some((to, headline)) = targets.first().cloned() else { continue };
            let [before, after] = [&from, &to].map(|path| path.split("::").collect::<Vec<_>>());
            if targets.iter().any(|(other, _)| *other != to) || before.len() != after.len() {
                continue;
            }
            for (depth, (name, new)) in before.iter().zip(&after).enumerate() {
                let owners = [before[..depth].join("::"), after[..depth].join("::")];
                // Modules are removed under their old names.
                self.effects.retain(|effect| {
                    let is_same = effect.name == *name && effect.owners[0] == owners[0];
                    !(is_same && effect.kind == Kind::Path && effect.remedy == Remedy::Hands)
                });
                if name != new {
                    self.effects.insert(Effect {
                        kind: Kind::Path,
                        name: (*name).to_owned(),
                        owners,
                        remedy: Remedy::Name((*new).to_owned()),
                        headline,
                    });
                }
            }
        }
    }

    /// Adds the old names that the new crate still has.
    fn add_aliases(&mut self, new: &PublicApi) {
        let mut found = Vec::new();
        for member in new.members() {
            let to = match (&member.item.kind, member.definition) {
                (ItemKind::Alias(Ty::Item(target)), None) if member.about.deprecated => {
                    Some(target.clone())
                }
                (_, Some(Definition::Method(_) | Definition::Constant { .. })) => {
                    member.alias_of().map(|name| member.path.join(name))
                }
                _ => None,
            };
            found.extend(to.map(|to| (member, to)));
        }
        for (member, to) in found {
            self.add_alias(member, &to);
        }
    }

    fn add_alias(&mut self, member: MemberRef<'_>, to: &Path) {
        let Some(kind) = kind(member.kind) else { return };
        let path = if member.name.is_empty() {
            member.path.clone()
        } else {
            member.path.join(member.name)
        };
        let [[owner, name], [new_owner, new_name]] = [split(&path), split(to)];
        let is_known = self.effects.iter().any(|effect| {
            effect.kind == kind && effect.name == name && effect.owners.iter().any(|it| it == owner)
        });
        if is_known {
            return;
        }
        self.effects.insert(Effect {
            kind,
            name: name.to_owned(),
            owners: [owner.to_owned(), new_owner.to_owned()],
            remedy: Remedy::Name(new_name.to_owned()),
            headline: self.headlines.len(),
        });
        self.headlines.push(Headline {
            title: format!("`{}` is a deprecated alias of `{to}`", member.id()),
            instead: None,
            places: Default::default(),
            class: Class::Compatible,
            used_by: Vec::new(),
        });
    }
}

/// Returns the features of the type that a difference renames.
fn features_of<'a>(difference: &Difference, old: &'a PublicApi) -> Option<&'a Vec<String>> {
    let is_handle = difference.kind == MemberKind::Whole && difference.owner.is_resource();
    let item = old.items.get(&difference.owner).filter(|_| is_handle)?;
    Some(&item.features)
}

fn has_feature(api: &PublicApi, name: &str) -> bool {
    api.items.contains_key(&Path::of_feature(name))
}

fn split(path: &Path) -> [&str; 2] {
    path.split().map_or(["", path.as_str()], |(owner, name)| [owner, name])
}

/// Returns what programs name of a member; `None` if they cannot name it.
fn kind(kind: MemberKind) -> Option<Kind> {
    match kind {
        MemberKind::Whole => Some(Kind::Path),
        MemberKind::Field => Some(Kind::Field),
        MemberKind::Method => Some(Kind::Method),
        MemberKind::Variant | MemberKind::Const => Some(Kind::Variant),
        _ => None,
    }
}
