//! A change as all formats show it: what it is, where, what it means for programs, and what to do.

use std::collections::BTreeMap;

use ::codegen::diagnostics::Locator;
use ::codegen::public_api::{Change, Class, Difference, MemberKind, What};

/// Who has changed something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The spec.
    Spec,
    /// `codegen.toml`.
    Configuration,
    /// The generator: it emits something else for the same spec.
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
pub struct Place(pub String, pub usize);

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.0, self.1)
    }
}

impl Place {
    /// Finds a JSON pointer; empty pointers have no place.
    pub fn find(pointer: &str, texts: &Locator<'_>) -> Option<Self> {
        let found = if pointer.is_empty() { None } else { texts.locate(pointer) };
        found.map(|(file, line)| Self(file.to_owned(), line))
    }
}

/// A change.
pub struct Entry {
    pub origin: Origin,
    pub class: Class,
    /// The item in the words of a program.
    pub item: String,
    /// What has become of it.
    pub title: String,
    /// The line of the item in the old and in the new `api.txt`; empty if it is not there.
    pub old: String,
    pub new: String,
    pub old_place: Option<Place>,
    pub new_place: Option<Place>,
    /// Why programs break, and which.
    pub reason: &'static str,
    /// What to do instead.
    pub instead: Option<String>,
    /// The items that change with it.
    pub also: Vec<String>,
    /// The methods that use the item, each with the way from it to the item.
    pub used_by: Vec<Vec<String>>,
    pub fingerprint: String,
    /// Why it is accepted all the same.
    pub waiver: Option<String>,
}

impl Entry {
    /// Describes a change; `waiver` returns the reason for which a fingerprint is accepted.
    pub fn of(
        origin: Origin,
        change: &Change,
        [old, new]: &[Locator<'_>; 2],
        waiver: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let main = &change.main;
        let fingerprint = change.fingerprint();
        let (title, reason, instead) = words(change);
        let old_place = Place::find(&main.old_place, old);
        let (old_place, new_place) = match origin {
            Origin::Spec => (old_place, Place::find(&main.new_place, new)),
            // Both sides come from the old spec; a list that is checked in has no places.
            _ => (old_place.or_else(|| Place::find(&main.new_place, old)), None),
        };
        Self {
            origin,
            class: change.class,
            item: main.id.clone(),
            title,
            old: main.old.clone(),
            new: main.new.clone(),
            old_place,
            new_place,
            reason,
            instead,
            also: change.consequences().map(|other| other.id.clone()).collect(),
            used_by: change.used_by.clone(),
            waiver: waiver(&fingerprint),
            fingerprint,
        }
    }
}

/// Returns the old and the new paths of what is renamed and can have an alias: types, and members that stay with their type.
pub fn aliases<'c>(changes: impl Iterator<Item = &'c Change>) -> BTreeMap<String, String> {
    let mut aliases = BTreeMap::new();
    let renamed = changes.flat_map(Change::differences);
    let mut renamed: Vec<_> = renamed.filter(|found| found.what == What::Renamed).collect();
    renamed.sort_by_key(|difference| difference.kind);
    for Difference { id, kind, old, detail, owner, .. } in renamed {
        let new_owner = detail.rsplit_once("::").map_or("", |(owner, _)| owner);
        let stays = aliases.get(owner).is_some_and(|to| to == new_owner) || owner == new_owner;
        let is_possible = match kind {
            MemberKind::Whole => old.starts_with("struct ") || old.starts_with("enum "),
            MemberKind::Method => stays && (owner.starts_with("resources::") || owner == "Client"),
            MemberKind::Variant => stays && !old.contains('('),
            _ => false,
        };
        if is_possible {
            aliases.insert(id.trim_end_matches("()").to_owned(), detail.clone());
        }
    }
    aliases
}

/// Returns what has changed, why programs break and which, and what to do instead.
fn words(change: &Change) -> (String, &'static str, Option<String>) {
    let main = &change.main;
    let Difference { what, kind, old, detail, .. } = main;
    // The facts of a request are those of its method.
    let method = change.used_by.first().and_then(|way| way.first());
    let item = match kind {
        MemberKind::Operation | MemberKind::Body | MemberKind::Output => method.unwrap_or(&main.id),
        _ if *what == What::Unsent => &main.owner,
        _ => &main.id,
    };
    let [title, reason, instead] = phrases(main);
    let title = match what {
        What::Added => format!("new {detail} `{item}`"),
        _ => format!("`{item}` {}", title.replace("{}", detail)),
    };
    let instead = match kind {
        _ if *what != What::Lost => instead.to_owned(),
        _ if old.starts_with("deprecated type ") || old.contains(" as alias of ") => {
            format!("use `{detail}`")
        }
        _ if !detail.is_empty() => format!("perhaps `{detail}`, which is new"),
        MemberKind::Variant if !old.contains('(') => {
            let value = old.split_once(" as ").map_or(old.as_str(), |(_, value)| value);
            format!(
                "match `Unknown(value)` with `value.as_str() == {value}` where servers still send it"
            )
        }
        _ => instead.to_owned(),
    };
    (title, reason, Some(instead).filter(|instead| !instead.is_empty()))
}

/// Returns what has become of an item, with `{}` for details; why programs break, and which; what to do instead.
fn phrases(Difference { what, kind, old, new, .. }: &Difference) -> [&'static str; 3] {
    match what {
        What::Schema => [
            "is another schema now: same path, other meaning",
            "code that still compiles handles data of another meaning",
            READ,
        ],
        What::Kind if old.starts_with("enum ") => {
            ["is a struct now, no longer an enum", KIND, READ]
        }
        What::Kind => ["is an enum now, no longer a struct", KIND, READ],
        What::Lost => ["is removed", users(*kind, old), "nothing replaces it: remove the uses"],
        What::Renamed => ["is renamed to `{}`", users(*kind, old), "use the new name"],
        What::Unsent => [
            "has no setters any more: no request carries it",
            "programs that build a value with them no longer compile",
            "set the public fields of a `default()`",
        ],
        What::Retyped => {
            let reason = match kind {
                MemberKind::Variant => {
                    "programs that use the value in the variant no longer compile"
                }
                MemberKind::Items => "programs that use the items of the pages no longer compile",
                _ => "programs that read or set it with its old type no longer compile",
            };
            ["has another type", reason, conversion(old, new)]
        }
        What::Arguments => [
            "takes other arguments: {}",
            "programs that call it no longer compile",
            "pass what the new signature requires; what is no longer an argument may be a setter",
        ],
        What::Output => [
            "returns something else",
            "programs that use the result with its old type no longer compile",
            conversion(old, new),
        ],
        What::Trait => {
            ["is no longer implemented", "programs that rely on the trait no longer compile", ""]
        }
        What::Mentions => {
            ["names a type that is renamed", "programs that name the type no longer compile", ""]
        }
        What::Route => [
            "is sent to another route",
            "programs compile as before and call the new route: servers without it refuse them",
            "upgrade when the servers have the new route",
        ],
        What::Body => [
            "sends another body",
            "programs that build the body no longer compile, and servers expect another",
            FORM,
        ],
        What::Wire => [
            "is sent or received in another form",
            "programs compile as before, but servers and stored JSON of the old form disagree",
            FORM,
        ],
        What::Required => [
            "is required or no longer required",
            "programs compile as before; what is sent without it may be refused",
            "set it wherever a request has it",
        ],
        What::Reordered => [
            "takes the same arguments in another order",
            "calls compile as before with their values in the wrong places",
            "check the arguments of each call",
        ],
        What::Aliased => {
            ["is renamed to `{}`; its old name is an alias", DEPRECATION, "use the new name"]
        }
        What::Deprecated => ["is deprecated", DEPRECATION, ""],
        What::Added => [""; 3],
    }
}

const READ: &str = "read the new definition before fixing the compile errors";
const KIND: &str = "programs that read, build or match a value no longer compile";
const FORM: &str = "upgrade when the servers have the new form";
const DEPRECATION: &str = "programs that use it get a deprecation warning";

/// Returns which programs break when an item has another name or none.
fn users(kind: MemberKind, line: &str) -> &'static str {
    match kind {
        MemberKind::Field => "programs that read or set the field no longer compile",
        MemberKind::Variant => "programs that match or build the variant no longer compile",
        MemberKind::Method => "programs that call it no longer compile",
        _ if line.starts_with("feature ") => "programs that enable the feature no longer build",
        _ => "programs that name it no longer compile",
    }
}

/// Returns what to do with another type.
fn conversion(old: &str, new: &str) -> &'static str {
    match [old, new].map(optional) {
        [Some(inner), None] if new.contains(inner) => {
            "it is always there: use the value without `Option`"
        }
        [None, Some(inner)] if old.contains(inner) => "it may be missing: handle `None`",
        _ => "convert from or to the new type",
    }
}

/// Returns what is in an `Option` that a line names as its type.
fn optional(line: &str) -> Option<&str> {
    let (_, ty) = line.split_once(": Option<")?;
    ty.split(" as ").next()?.strip_suffix('>')
}
