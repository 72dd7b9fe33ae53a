//! A change as all formats show it: the difference, its place, the meaning for programs, and the advice.

use std::collections::{BTreeMap, BTreeSet};

use ::codegen::compare::{Change, Class, Difference, Verdict, What};
use ::codegen::diagnostics::{Diagnostics, Locator};
use ::codegen::items::{MemberKind, PublicApi};
use ::codegen::{refused_aliases, visible};

use crate::diff::keys::ChangedKey;

/// The cause of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The spec.
    Spec,
    /// `codegen.toml`.
    Configuration,
    /// The generator, which emits other code for the same spec.
    Generator,
}

impl Origin {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Spec => "spec",
            Self::Configuration => "configuration",
            Self::Generator => "generator",
        }
    }
}

/// A file and a line.
#[derive(Debug)]
pub struct SpecLine(pub String, pub usize);

impl std::fmt::Display for SpecLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", visible(&self.0), self.1)
    }
}

impl SpecLine {
    /// Finds a JSON pointer, or else the innermost value that contains it; empty pointers have no place.
    pub fn find(pointer: &str, texts: &Locator<'_>) -> Option<Self> {
        let found = if pointer.is_empty() { None } else { texts.locate(pointer) };
        found.map(|(file, line)| Self(file.to_owned(), line))
    }
}

/// Where changes have their places.
pub struct Places<'t> {
    /// The texts of the old and of the new spec.
    texts: [Locator<'t>; 2],
    /// The keys of `codegen.toml` that differ.
    pub(super) keys: Vec<ChangedKey>,
}

/// The keywords that say something of the properties within their values' object.
const AROUND: [&str; 2] = ["required", "encoding"];

/// The tables of `codegen.toml` that choose what is emitted.
const CHOICES: [&str; 2] = ["components", "operations"];

impl<'t> Places<'t> {
    /// Returns the places in the texts of two specs.
    pub fn new(texts: [&'t Diagnostics; 2]) -> Self {
        Self { texts: texts.map(Locator::new), keys: Vec::new() }
    }

    /// Returns the JSON pointers of a change: if both documents have the same there, of the first other item that differs.
    fn causes(&self, change: &Change) -> [String; 2] {
        let places = |it: &Difference| [it.old_place.clone(), it.new_place.clone()];
        let main = places(&change.main);
        let others = change.others.iter().map(places);
        let others = others.filter(|own| own.iter().all(|place| !place.is_empty()));
        let found = [main.clone()].into_iter().chain(others).find_map(|own| self.differing(own));
        found.unwrap_or(main)
    }

    /// Returns JSON pointers to what differs, or to the keyword around it that does.
    fn differing(&self, own: [String; 2]) -> Option<[String; 2]> {
        let [before, after] = &self.texts;
        let differ = |[old, new]: [&str; 2]| before.words(old) != after.words(new);
        let texts = own.each_ref().map(String::as_str);
        let [name, new_name] = texts.map(|place| place.rsplit('/').next());
        if texts.contains(&"") || name != new_name || differ(texts) {
            return Some(own);
        }
        let [old, new] = texts.map(|place| place.rmatch_indices('/').map(|(end, _)| &place[..end]));
        let mut around = old.zip(new).flat_map(|(old, new)| {
            AROUND.map(|keyword| [old, new].map(|outer| format!("{outer}/{keyword}")))
        });
        around.find(|around| differ(around.each_ref().map(String::as_str)))
    }

    /// Returns the old and the new place of a change.
    fn of(&self, origin: Origin, main: &Difference) -> [Option<SpecLine>; 2] {
        let [old, new] = &self.texts;
        let old_place = SpecLine::find(&main.old_place, old);
        if origin == Origin::Spec {
            return [old_place, SpecLine::find(&main.new_place, new)];
        }
        let key = self.key_of(main).filter(|_| origin == Origin::Configuration);
        if let Some(key) = key {
            let place = |line| Some(SpecLine(key.file.clone(), line?));
            return [place(key.old_line), place(key.new_line)];
        }
        // Both sides are of the old spec, or the other one is of the new spec if that changes the same items. A list that
        // is checked in has no places.
        let place = old_place.or_else(|| SpecLine::find(&main.new_place, old));
        let otherwise = place.is_none().then(|| SpecLine::find(&main.new_place, new)).flatten();
        [place, otherwise]
    }

    /// Returns the JSON pointers of both places, if their lines are equal or too long.
    fn pointers(&self, origin: Origin, main: &Difference) -> [Option<String>; 2] {
        let [old, new] = &self.texts;
        let is_of_spec = origin == Origin::Spec;
        let pointer =
            |pointer: &String| (is_of_spec && !pointer.is_empty()).then(|| pointer.clone());
        let pointers = [pointer(&main.old_place), pointer(&main.new_place)];
        let lines = [(old, &pointers[0]), (new, &pointers[1])];
        let lines = lines.map(|(text, pointer)| pointer.as_ref().map(|it| text.line(it)));
        match lines {
            [Some(Some(old)), Some(Some(new))] if old != new => [None, None],
            [Some(Some(_)), None] | [None, Some(Some(_))] => [None, None],
            _ => pointers,
        }
    }

    /// Returns whether the configuration chooses other items.
    pub fn has_other_choice(&self) -> bool {
        self.keys.iter().any(|key| CHOICES.contains(&key.table.as_str()))
    }

    /// Returns the key that causes a difference: the first one of its setting, or of the only table that differs.
    fn key_of(&self, main: &Difference) -> Option<&ChangedKey> {
        let table = match &main.what {
            What::Setting { setting, .. } => setting.key(),
            _ => None,
        };
        let mut keys = self.keys.iter().filter(|key| table.is_none_or(|table| key.table == table));
        let first = keys.next()?;
        keys.all(|other| other.table == first.table).then_some(first)
    }
}

/// A change.
pub struct Entry {
    /// What caused it.
    pub origin: Origin,
    /// The effect on programs.
    pub class: Class,
    /// The difference at the item that causes it.
    pub main: Difference,
    /// The row of its kind.
    pub row: Verdict,
    /// A sentence on it.
    pub title: String,
    /// The places in the old and in the new spec.
    pub old_place: Option<SpecLine>,
    /// The new one.
    pub new_place: Option<SpecLine>,
    /// The JSON pointers of both places, if their lines do not show what differs.
    pub pointers: [Option<String>; 2],
    /// The line of an annotation in the new spec: for a removed item, the line of its former owner.
    pub annotated: Option<SpecLine>,
    /// The advice.
    pub instead: Option<String>,
    /// The names that `--accept` takes, if a new item is perhaps this one.
    pub accept: Option<String>,
    /// Whether `migrate` edits all uses: a new name or a feature is all that differs.
    pub is_mechanical: bool,
    /// The other items that differ because of it.
    pub also: Vec<String>,
    /// The methods that use the item, each with the members that lead from it to the item.
    pub used_by: Vec<Vec<String>>,
    /// The identifier for waivers.
    pub fingerprint: String,
    /// The reason of its waiver.
    pub waiver: Option<String>,
}

impl Entry {
    /// Describes a change; `waiver` returns the reason for which a fingerprint is accepted.
    pub fn new(
        origin: Origin,
        change: &Change,
        places: &Places<'_>,
        waiver: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let mut main = change.main.clone();
        if origin == Origin::Spec {
            [main.old_place, main.new_place] = places.causes(change);
        }
        let shown = |text: String| visible(&text).into_owned();
        let mut row = main.verdict();
        row.pattern = row.pattern.map(shown);
        let fingerprint = change.fingerprint();
        let [old_place, new_place] = places.of(origin, &main);
        let annotated = match origin {
            Origin::Spec if new_place.is_none() => {
                SpecLine::find(&main.old_place, &places.texts[1])
            }
            _ => None,
        };
        Self {
            annotated,
            origin,
            class: change.class,
            title: shown(change.title()),
            old_place,
            new_place,
            pointers: places.pointers(origin, &main),
            main,
            instead: (!row.instead.is_empty()).then(|| shown(row.instead.to_string())),
            accept: change.acceptable().map(shown),
            is_mechanical: change.is_mechanical(),
            also: change.consequences().map(|other| other.id.clone()).collect(),
            used_by: change.used_by.clone(),
            waiver: waiver(&fingerprint),
            fingerprint,
            row,
        }
    }

    /// Returns whether the sentence is incomplete without the lines of `api.txt`: it has no values.
    pub fn needs_lines(&self) -> bool {
        let Difference { old, new, what, .. } = &self.main;
        let has_lines = !old.is_empty() && !new.is_empty() && *what != What::Deprecated;
        has_lines && !self.row.predicate.contains('`')
    }

    /// Returns the change in one line of Markdown.
    pub fn sentence(&self) -> String {
        let lines = if self.needs_lines() {
            format!(": `{}` → `{}`", self.main.old, self.main.new)
        } else {
            String::new()
        };
        let advice = self.instead.as_ref().map(|text| format!(" {}.", capitalized(text)));
        format!("{}{lines}.{}", self.title, advice.unwrap_or_default())
    }
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// Returns the old and the new paths of renamed items that the new crate can have as aliases. The request of an operation
/// that another handle has now gets none, because calls have none.
pub fn aliases<'c>(
    changes: impl Iterator<Item = &'c Change>,
    api: &PublicApi,
) -> BTreeMap<String, String> {
    let differences =
        changes.enumerate().flat_map(|(at, it)| it.differences().map(move |it| (at, it)));
    let renamed: Vec<_> =
        differences.filter(|(_, it)| matches!(it.what, What::Renamed(_))).collect();
    let targets = renamed.iter().filter_map(|(_, it)| match &it.what {
        What::Renamed(to) => Some((it.path().to_string(), to.to_string())),
        _ => None,
    });
    let mut aliases: BTreeMap<_, _> = targets.collect();
    let mut without = BTreeSet::new();
    loop {
        let refused = refused_aliases(&aliases, api);
        let is_refused = |it: &Difference| refused.contains(it.path().as_str());
        let of_calls = renamed.iter().filter(|(_, it)| !it.owner.is_model());
        let moved =
            of_calls.clone().filter(|(_, it)| it.kind == MemberKind::Method && is_refused(it));
        without.extend(moved.map(|(at, _)| *at));
        let of_moved = of_calls.filter(|(at, _)| without.contains(at));
        let of_moved: BTreeSet<String> = of_moved.map(|(_, it)| it.path().to_string()).collect();
        let before = aliases.len();
        aliases.retain(|old, _| !refused.contains(old) && !of_moved.contains(old));
        if aliases.len() == before {
            return aliases;
        }
    }
}
