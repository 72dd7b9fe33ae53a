//! What a bump means for programs: the new names of items, and the changes that need an edit or a look.

use std::collections::{BTreeMap, BTreeSet};

use ::codegen::compare::{self, Change, Class, Difference, compare};
use ::codegen::items::{Item, ItemKind, MemberKind, Path, PublicApi, Ty};
use ::codegen::{Output, SourceFile, visible};

use crate::migrate::call::Call;

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
    Name(String),
    /// It is compiled with one of these features.
    Features(Vec<String>),
    /// Its type differs.
    Type,
    /// Its arguments differ; `None` if a value has no place in the new call.
    Arguments(Option<Call>),
    /// Nobody but the user can know.
    Hands,
}

/// What a change means at one item.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Effect {
    /// What programs name.
    pub kind: MemberKind,
    /// The name in programs.
    pub name: String,
    /// The paths of the module or the type that has the item, before and after.
    pub owners: [String; 2],
    /// What is edited.
    pub remedy: Remedy,
    /// The index of its headline.
    pub headline: usize,
}

impl Effect {
    /// Returns whether it concerns a type or a module, and none of its members that programs name.
    pub fn is_of_type(&self) -> bool {
        self.kind == MemberKind::Whole || !NAMED.contains(&self.kind)
    }

    /// Returns whether the type or the arguments of the item differ.
    pub fn is_retyped(&self) -> bool {
        matches!(self.remedy, Remedy::Type | Remedy::Arguments(_))
    }
}

/// An item of the new crate whose uses are listed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// The path of the type or the module with the item.
    pub owner: String,
    /// What programs name.
    pub kind: MemberKind,
    /// Its name.
    pub name: String,
    /// The index of the headline.
    pub headline: usize,
}

/// A change that is reported.
pub struct Headline {
    /// A sentence.
    pub title: String,
    /// The advice.
    pub instead: Option<String>,
    /// The names that `--accept` takes, if a new item is perhaps the removed one.
    pub accept: Option<String>,
    /// The JSON pointers into the old and into the new spec.
    pub places: [String; 2],
    /// Its class.
    pub class: Class,
    /// Whether a new name or a feature is all that differs.
    pub is_mechanical: bool,
    /// The methods that use the item.
    pub used_by: Vec<String>,
}

impl Headline {
    fn of(change: &Change) -> Self {
        let methods = change.used_by.iter().filter_map(|path| path.first());
        Self {
            title: visible(&change.title()).into_owned(),
            instead: change.instead().map(|text| visible(&text).into_owned()),
            accept: change.acceptable().map(|text| visible(&text).into_owned()),
            places: [change.main.old_place.clone(), change.main.new_place.clone()],
            class: change.class,
            is_mechanical: change.is_mechanical(),
            used_by: methods.cloned().collect(),
        }
    }
}

/// The new names of features, each with the index of its headline; of a removed one without a replacement, no name.
pub type Features = BTreeMap<String, (Option<String>, usize)>;

/// What a bump means for programs.
#[derive(Default)]
pub struct Plan {
    /// The changes.
    pub headlines: Vec<Headline>,
    /// What they mean at each item.
    pub effects: BTreeSet<Effect>,
    /// The types that no longer exist.
    pub removed: BTreeSet<String>,
    /// The features that no longer exist.
    pub features: Features,
    /// The items of the new crate that compile as before, but are sent or mean something else.
    pub marks: BTreeSet<Mark>,
}

impl Plan {
    /// Compares two revisions of a crate, and their code: what it sends can differ although no item does.
    pub fn new([before, after]: [&Output; 2]) -> Self {
        let [old, new] = [&before.public_api, &after.public_api];
        let files = [before, after].map(|it| it.files.iter().map(SourceFile::entry).collect());
        let mut comparison = compare(old, new);
        comparison.add_code([old, new], &files);
        let mut plan = Self::default();
        for change in &comparison.changes {
            plan.add(change, &comparison.origins, [old, new]);
        }
        plan.add_modules();
        plan.move_members();
        plan.add_aliases(new);
        plan
    }

    fn add(
        &mut self,
        change: &Change,
        origins: &BTreeMap<Path, Path>,
        [old, new]: [&PublicApi; 2],
    ) {
        let headline = self.headlines.len();
        self.headlines.push(Headline::of(change));
        let mut headlines = BTreeMap::from([(change.class, headline)]);
        for difference in change.differences() {
            // What a change also does to programs that still compile is a headline of its own.
            let verdict = difference.verdict();
            let is_own = verdict.is_silent && verdict.class < Class::Breaking;
            let class = if is_own { verdict.class } else { change.class };
            let marked = *headlines.entry(class).or_insert_with(|| {
                let used_by = change.used_by.clone();
                let own = Change { class, used_by, ..Change::single(difference.clone()) };
                self.headlines.push(Headline::of(&own));
                self.headlines.len() - 1
            });
            self.add_marks((change, difference, marked), origins, [old, new]);
            self.add_difference(difference, headline, [old, new]);
        }
    }

    /// Marks the items that a silent difference concerns: the member itself, or the methods that use it.
    fn add_marks(
        &mut self,
        (change, difference, headline): (&Change, &Difference, usize),
        origins: &BTreeMap<Path, Path>,
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
            let kind = if is_own { kind } else { MemberKind::Whole };
            let name = if is_own { difference.name.clone() } else { String::new() };
            self.marks.insert(Mark { owner: difference.owner.to_string(), kind, name, headline });
        }
        if is_own {
            return;
        }
        let used_by: BTreeSet<&String> =
            change.used_by.iter().filter_map(|path| path.first()).collect();
        let users = old.operations().filter(|(method, _)| used_by.contains(&old.call(*method)));
        let users: BTreeSet<&Path> = users.map(|(_, request)| request).collect();
        for (method, request) in new.operations() {
            let is_user = users.contains(origins.get(request).unwrap_or(request));
            if is_user || *request == difference.owner {
                let [owner, name] = [method.path.to_string(), method.name.to_owned()];
                self.marks.insert(Mark { owner, kind: MemberKind::Method, name, headline });
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
        let kind = difference.kind;
        let is_part = !NAMED.contains(&kind);
        let is_whole = is_part || kind == MemberKind::Whole;
        let owner = split(&difference.owner);
        let [before, name] =
            if is_whole { owner } else { [difference.owner.as_str(), difference.name.as_str()] };
        if difference.kind == MemberKind::Output {
            self.add_results(&difference.owner, headline, old);
        }
        let mut effect = Effect {
            kind,
            name: bare(name).to_owned(),
            owners: [before.to_owned(), before.to_owned()],
            remedy: Remedy::Hands,
            headline,
        };
        let verdict = difference.verdict();
        match verdict.remedy {
            _ if is_part && verdict.class < Class::Breaking => return,
            _ if is_part => {}
            compare::Remedy::Name(to) => {
                let [owner, name] = split(&to);
                if !difference.is_lost() {
                    owner.clone_into(&mut effect.owners[1]);
                }
                if !difference.is_of_other_handle(&to) {
                    effect.remedy = Remedy::Name(name.to_owned());
                }
            }
            compare::Remedy::Features(features) => effect.remedy = Remedy::Features(features),
            compare::Remedy::Type => effect.remedy = Remedy::Type,
            compare::Remedy::Arguments => {
                effect.remedy = Remedy::Arguments(Call::of(difference, [old, new]));
            }
            _ if verdict.class < Class::Breaking => return,
            compare::Remedy::Follows | compare::Remedy::Hands => {}
        }
        let is_type = old.items.get(&difference.owner).is_some_and(Item::is_type);
        let is_gone = is_type && difference.is_lost();
        if kind == MemberKind::Whole && is_gone && effect.remedy == Remedy::Hands {
            self.removed.insert(difference.owner.to_string());
        }
        self.effects.insert(effect);
    }

    /// Returns the marks of the items that are deprecated now.
    pub fn deprecated(&self) -> BTreeSet<Mark> {
        let is_deprecated = |mark: &&Mark| self.headlines[mark.headline].class == Class::Compatible;
        self.marks.iter().filter(is_deprecated).cloned().collect()
    }

    /// Returns the items of the new crate whose types or arguments differ.
    pub fn retyped(&self) -> BTreeSet<Mark> {
        let retyped = self.effects.iter().filter(|effect| effect.is_retyped());
        let mark = |Effect { kind, name, owners: [_, owner], headline, .. }: &Effect| Mark {
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
                && matches!(effect.remedy, Remedy::Name(_) | Remedy::Hands)
        });
        variants.map(|effect| (effect.owners[1].as_str(), effect.name.as_str()))
    }

    /// Adds the methods whose result a request returns.
    fn add_results(&mut self, request: &Path, headline: usize, old: &PublicApi) {
        let methods = old.operations().filter(|(_, path)| *path == request);
        self.effects.extend(methods.map(|(method, _)| Effect {
            kind: MemberKind::Method,
            name: bare(method.name).to_owned(),
            owners: [method.path.to_string(), method.path.to_string()],
            remedy: Remedy::Type,
            headline,
        }));
    }

    /// Adds the new names of modules, which follow from the types in them.
    fn add_modules(&mut self) {
        let mut moved: BTreeMap<String, BTreeSet<(String, usize)>> = BTreeMap::new();
        for effect in self.effects.iter().filter(|effect| effect.kind == MemberKind::Whole) {
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
                    !(is_same && effect.kind == MemberKind::Whole && effect.remedy == Remedy::Hands)
                });
                if name != new {
                    self.effects.insert(Effect {
                        kind: MemberKind::Whole,
                        name: (*name).to_owned(),
                        owners,
                        remedy: Remedy::Name((*new).to_owned()),
                        headline,
                    });
                }
            }
        }
    }

    /// Sets the new paths of the types whose members change: rustc names them as soon as the types are renamed.
    fn move_members(&mut self) {
        let moved = |effect: &Effect| match (&effect.remedy, effect.kind) {
            (Remedy::Name(new), MemberKind::Whole) => {
                let [old, owner] = &effect.owners;
                Some((join_path(old, &effect.name), join_path(owner, new)))
            }
            _ => None,
        };
        let moved: BTreeMap<String, String> = self.effects.iter().filter_map(moved).collect();
        let effects = std::mem::take(&mut self.effects).into_iter().map(|mut effect| {
            let new = moved.get(&effect.owners[0]).filter(|_| effect.kind != MemberKind::Whole);
            effect.owners[1] = new.cloned().unwrap_or(effect.owners[1].clone());
            effect
        });
        self.effects = effects.collect();
    }

    /// Adds the old names that the new crate still has.
    fn add_aliases(&mut self, new: &PublicApi) {
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
            let [[owner, name], [new_owner, new_name]] = [split(&path), split(&to)];
            let is_known = self.effects.iter().any(|effect| {
                let is_owner = effect.owners.iter().any(|it| it == owner);
                effect.kind == member.kind && effect.name == name && is_owner
            });
            if is_known {
                continue;
            }
            self.effects.insert(Effect {
                kind: member.kind,
                name: bare(name).to_owned(),
                owners: [owner.to_owned(), new_owner.to_owned()],
                remedy: Remedy::Name(new_name.to_owned()),
                headline: self.headlines.len(),
            });
            self.headlines.push(Headline {
                title: format!("`{}` is a deprecated alias of `{to}`", member.id()),
                instead: None,
                accept: None,
                places: Default::default(),
                is_mechanical: true,
                class: Class::Compatible,
                used_by: Vec::new(),
            });
        }
    }
}

fn has_feature(api: &PublicApi, name: &str) -> bool {
    api.items.contains_key(&Path::of_feature(name))
}

/// Returns a name without the mark of a raw identifier.
pub fn bare(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// Returns the path of an item of a module or a type.
pub fn join_path(owner: &str, name: &str) -> String {
    if owner.is_empty() { name.to_owned() } else { format!("{owner}::{name}") }
}

fn split(path: &Path) -> [&str; 2] {
    path.split().map_or(["", path.as_str()], |(owner, name)| [owner, name])
}
