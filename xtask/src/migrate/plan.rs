//! What a bump means for programs: the new names of items, and the changes that need an edit or a look.

use std::collections::{BTreeMap, BTreeSet};

use ::codegen::compare::{self, Change, Class, Comparison, Difference, What, compare};
use ::codegen::items::{Item, ItemKind, MemberKind, Path, PublicApi, Ty};
use ::codegen::{Output, SourceFile};

use commands::diff::{Entry, Origin, Places};

/// What programs can name: types, modules and the library, and members of types.
const NAMED: [MemberKind; 5] = [
    MemberKind::Whole,
    MemberKind::Field,
    MemberKind::Method,
    MemberKind::Variant,
    MemberKind::Const,
];

/// What is edited where an item is used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remedy {
    /// It has a new name.
    Name,
    /// It is compiled with one of these features.
    Features(Vec<String>),
    /// Its type or its arguments differ.
    Type,
    /// Nobody but the user can know.
    Hands,
}

/// What a change means at one item.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Effect {
    pub kind: MemberKind,
    /// The paths of the module or the type that has the item, before and after.
    pub owners: [String; 2],
    /// The names in programs, before and after; of a result, its type after.
    pub names: [String; 2],
    pub remedy: Remedy,
    pub headline: usize,
}

impl Effect {
    /// Returns the effect on an item or a member, at its old and at its new path.
    fn new(kind: MemberKind, paths: [&Path; 2], remedy: Remedy, headline: usize) -> Self {
        let [[owner, name], [new_owner, new_name]] = paths.map(split);
        Self {
            kind,
            owners: [owner, new_owner].map(str::to_owned),
            names: [name, new_name].map(|name| bare(name).to_owned()),
            remedy,
            headline,
        }
    }

    /// Returns whether it concerns a type or a module with one of these paths, and none of its members that programs name.
    pub fn is_of_type(&self, is_same: impl Fn(&str) -> bool) -> bool {
        let is_type = self.kind == MemberKind::Whole || !NAMED.contains(&self.kind);
        let mut paths = self.owners.iter().zip(&self.names);
        is_type && paths.any(|(owner, name)| is_same(&format!("{owner}::{name}")))
    }
}

/// An item of the new crate whose uses are listed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// The path of the type or the module with the item.
    pub owner: String,
    pub kind: MemberKind,
    pub name: String,
    pub headline: usize,
}

impl Mark {
    /// Returns the mark of an item, or of a member.
    fn new(kind: MemberKind, path: &Path, headline: usize) -> Self {
        let [owner, name] =
            if kind == MemberKind::Whole { [path.as_str(), ""] } else { split(path) };
        Self { owner: owner.to_owned(), kind, name: name.to_owned(), headline }
    }
}

/// What a bump means for programs.
#[derive(Default)]
pub struct Plan {
    pub headlines: Vec<Entry>,
    /// What they mean at each item.
    pub effects: BTreeSet<Effect>,
    /// The types that no longer exist.
    pub removed: BTreeSet<String>,
    /// The features that no longer exist, each with the index of its headline.
    pub features: BTreeMap<String, usize>,
    /// The items of the new crate that compile as before, but are sent or mean something else.
    pub marks: BTreeSet<Mark>,
}

impl Plan {
    /// Compares two revisions of a crate, and their code: what it sends can differ although no item does.
    pub fn new([before, after]: [&Output; 2], places: &Places<'_>) -> Self {
        let [old, new] = [&before.public_api, &after.public_api];
        let files = [before, after].map(|it| it.files.iter().map(SourceFile::entry).collect());
        let mut comparison = compare(old, new);
        comparison.add_code([old, new], &files);
        let mut plan = Self::default();
        let names = Names::of(&comparison);
        for change in &comparison.changes {
            plan.add(change, (&names, &comparison.origins), [old, new], places);
        }
        plan.add_modules();
        plan.add_aliases(new, places);
        plan
    }

    fn add(
        &mut self,
        change: &Change,
        (names, origins): (&Names<'_>, &BTreeMap<Path, Path>),
        [old, new]: [&PublicApi; 2],
        places: &Places<'_>,
    ) {
        let headline = self.headlines.len();
        self.headlines.push(entry(change, places));
        let mut headlines = BTreeMap::from([(change.class, headline)]);
        for difference in change.differences() {
            // What a change also does to programs that still compile is a headline of its own.
            let verdict = difference.verdict();
            let is_own = verdict.is_silent && verdict.class < Class::Breaking;
            let class = if is_own { verdict.class } else { change.class };
            let marked = *headlines.entry(class).or_insert_with(|| {
                let used_by = change.used_by.clone();
                let own = Change { class, used_by, ..Change::single(difference.clone()) };
                self.headlines.push(entry(&own, places));
                self.headlines.len() - 1
            });
            self.add_marks((change, difference, marked), (names, origins), [old, new]);
            self.add_difference(difference, headline, names, [old, new]);
        }
    }

    /// Marks the items that a silent difference concerns: the member itself, or the methods that use it.
    fn add_marks(
        &mut self,
        (change, difference, headline): (&Change, &Difference, usize),
        (names, origins): (&Names<'_>, &BTreeMap<Path, Path>),
        [old, new]: [&PublicApi; 2],
    ) {
        let verdict = difference.verdict();
        if !verdict.is_silent {
            return;
        }
        // That the type is deprecated, or another one.
        let is_type = verdict.class != Class::Wire;
        let kind = difference.kind;
        let is_own = NAMED.contains(&kind) && (kind != MemberKind::Whole || is_type);
        if is_own || kind == MemberKind::Rule {
            let whole = || (MemberKind::Whole, difference.owner.clone());
            let (kind, from) = if is_own { (kind, difference.path()) } else { whole() };
            self.marks.insert(Mark::new(kind, &names.of_member(kind, &from), headline));
        }
        if is_own {
            return;
        }
        let used_by: BTreeSet<&String> =
            change.used_by.iter().filter_map(|path| path.first()).collect();
        let users = old.operations().filter(|(method, _)| used_by.contains(&old.call(*method)));
        let users: BTreeSet<&Path> =
            users.map(|(_, request)| request).chain([&difference.owner]).collect();
        for (method, request) in new.operations() {
            if users.contains(origins.get(request).unwrap_or(request)) {
                let mark = Mark::new(MemberKind::Method, &method.full_path(), headline);
                self.marks.insert(mark);
            }
        }
    }

    fn add_difference(
        &mut self,
        difference: &Difference,
        headline: usize,
        names: &Names<'_>,
        [old, new]: [&PublicApi; 2],
    ) {
        if let Some(feature) = difference.owner.feature() {
            if !new.items.contains_key(&Path::of_feature(feature)) {
                self.features.entry(feature.to_owned()).or_insert(headline);
            }
            return;
        }
        let kind = difference.kind;
        let is_part = !NAMED.contains(&kind);
        let target = if is_part { MemberKind::Whole } else { kind };
        let from = if is_part { difference.owner.clone() } else { difference.path() };
        let mut to = names.of_member(target, &from);
        if kind == MemberKind::Output {
            self.add_results(&difference.owner, headline, names, old);
            let output = new.items.get(&to).and_then(|request| request.output()?.as_item());
            to = output.cloned().unwrap_or(to);
        }
        let verdict = difference.verdict();
        let remedy = match verdict.remedy {
            _ if is_part && verdict.class < Class::Breaking => return,
            _ if is_part => Remedy::Hands,
            compare::Remedy::Name(new_path) => {
                let is_of_other_handle = difference.is_of_other_handle(&new_path);
                // The target of a removed alias.
                if difference.is_lost() {
                    to = names.of_member(kind, &new_path);
                }
                if is_of_other_handle { Remedy::Hands } else { Remedy::Name }
            }
            compare::Remedy::Features(features) => Remedy::Features(features),
            compare::Remedy::Type => Remedy::Type,
            _ if verdict.class < Class::Breaking => return,
            compare::Remedy::Follows | compare::Remedy::Hands => Remedy::Hands,
        };
        if difference.owner == Path::new(Path::CLIENT) && matches!(remedy, Remedy::Features(_)) {
            // The module of a handle is compiled with its method.
            let member = old.member(&difference.owner, kind, split(&from)[1]);
            let handle = member.and_then(|it| it.method()?.signature.output.as_item());
            let module = handle.and_then(|handle| handle.modules().last());
            let effect = |it| Effect::new(MemberKind::Whole, [&it; 2], remedy.clone(), headline);
            self.effects.extend(module.map(effect));
        }
        let is_type = old.items.get(&difference.owner).is_some_and(Item::is_type);
        let is_gone = is_type && difference.is_lost();
        if kind == MemberKind::Whole && is_gone && remedy == Remedy::Hands {
            self.removed.insert(difference.owner.to_string());
        }
        if kind == MemberKind::Whole && remedy == Remedy::Name {
            let features = new.items.get(&to).map(|item| item.features.clone());
            let gated = features.filter(|features| !features.is_empty()).map(Remedy::Features);
            let effect = |remedy| Effect::new(kind, [&from, &to], remedy, headline);
            self.effects.extend(gated.map(effect));
        }
        self.effects.insert(Effect::new(kind, [&from, &to], remedy, headline));
    }

    /// Returns the marks of the items that are deprecated now.
    pub fn deprecated(&self) -> BTreeSet<Mark> {
        let is_deprecated = |mark: &&Mark| self.headlines[mark.headline].class == Class::Compatible;
        self.marks.iter().filter(is_deprecated).cloned().collect()
    }

    /// Returns the items of the new crate whose types or arguments differ.
    pub fn retyped(&self) -> BTreeSet<Mark> {
        let retyped = self.effects.iter().filter(|effect| effect.remedy == Remedy::Type);
        let mark =
            |Effect { kind, names: [_, name], owners: [_, owner], headline, .. }: &Effect| Mark {
                owner: owner.clone(),
                kind: *kind,
                name: name.clone(),
                headline: *headline,
            };
        retyped.map(mark).collect()
    }

    /// Returns the variants that have another name now, or none, with the new paths of their types.
    pub fn lost_variants(&self) -> impl Iterator<Item = (&str, &str)> {
        let variants = self.effects.iter().filter(|effect| {
            effect.kind == MemberKind::Variant
                && matches!(effect.remedy, Remedy::Name | Remedy::Hands)
        });
        variants.map(|effect| (effect.owners[1].as_str(), effect.names[0].as_str()))
    }

    /// Adds the methods whose result a request returns.
    fn add_results(&mut self, request: &Path, headline: usize, names: &Names<'_>, old: &PublicApi) {
        let methods = old.operations().filter(|(_, path)| *path == request);
        self.effects.extend(methods.map(|(method, _)| {
            let from = method.full_path();
            let to = names.of_member(MemberKind::Method, &from);
            Effect::new(MemberKind::Method, [&from, &to], Remedy::Type, headline)
        }));
    }

    /// Adds the new names of modules, which follow from the types in them.
    fn add_modules(&mut self) {
        let mut moved: BTreeMap<String, BTreeSet<(String, usize)>> = BTreeMap::new();
        for effect in self.effects.iter().filter(|effect| effect.kind == MemberKind::Whole) {
            let [from, to] = &effect.owners;
            let is_module = from.contains("::") && effect.remedy == Remedy::Name;
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
                    let is_same = effect.names[0] == *name && effect.owners[0] == owners[0];
                    !(is_same && effect.kind == MemberKind::Whole && effect.remedy == Remedy::Hands)
                });
                if name != new {
                    self.effects.insert(Effect {
                        kind: MemberKind::Whole,
                        owners,
                        names: [*name, *new].map(str::to_owned),
                        remedy: Remedy::Name,
                        headline,
                    });
                }
            }
        }
    }

    /// Adds the old names that the new crate still has.
    fn add_aliases(&mut self, new: &PublicApi, places: &Places<'_>) {
        for member in new.members() {
            let to = match (&member.item.kind, member.definition) {
                (ItemKind::Alias(Ty::Item(target)), None) if member.about.deprecated => {
                    target.clone()
                }
                _ => match member.alias_of() {
                    Some(name) => member.path.join(name),
                    None => continue,
                },
            };
            let path = member.full_path();
            let headline = self.headlines.len();
            self.effects.insert(Effect::new(member.kind, [&path, &to], Remedy::Name, headline));
            self.headlines.push(entry(&Change::of_alias(member, to), places));
        }
    }
}

/// The new paths of items, and of their members by their kinds, by the old paths.
struct Names<'c>(BTreeMap<(MemberKind, Path), &'c Path>);

impl<'c> Names<'c> {
    fn of(comparison: &'c Comparison) -> Self {
        let differences = comparison.changes.iter().flat_map(Change::differences);
        let renamed = differences.filter_map(|difference| match &difference.what {
            What::Renamed(to) | What::Aliased(to) => {
                Some(((difference.kind, difference.path()), to))
            }
            _ => None,
        });
        let origins = comparison.origins.iter();
        let origins = origins.map(|(to, from)| ((MemberKind::Whole, from.clone()), to));
        Self(origins.chain(renamed).collect())
    }

    fn of_member(&self, kind: MemberKind, path: &Path) -> Path {
        let renamed = self.0.get(&(kind, path.clone())).map(|to| (*to).clone());
        renamed.unwrap_or_else(|| match path.split() {
            Some((owner, name)) if kind != MemberKind::Whole => {
                self.of_member(MemberKind::Whole, &Path::new(owner)).join(name)
            }
            _ => path.clone(),
        })
    }
}

fn entry(change: &Change, places: &Places<'_>) -> Entry {
    Entry::new(Origin::Spec, change, places, |_| None)
}

/// Returns a name without the mark of a raw identifier.
pub fn bare(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

fn split(path: &Path) -> [&str; 2] {
    path.split().map_or(["", path.as_str()], |(owner, name)| [owner, name])
}
