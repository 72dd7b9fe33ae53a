//! The comparison of two revisions: the changes by the spec, the generator and the configuration, and the next version.

use std::collections::BTreeMap;
use std::path::Path;

use ::codegen::compare::{Change, Class, Comparison, Difference, compare, compare_listed};
use ::codegen::conventions::Wait;
use ::codegen::items::{Item, MemberKind, Path as ItemPath, PublicApi};
use ::codegen::{Described, SourceFile};
use semver::Version;

use crate::diff::entry::{self, Entry, Origin, Places};
use crate::diff::keys;
use crate::diff::revision::{Depth, Emitted, Revision, check_accepted};
use crate::diff::version;
use crate::diff::waivers::Waivers;
use crate::host::exit::Fallible;
use crate::host::terminal::{Terminal, pluralize};
use crate::settings::SettingsFile;

/// The content of a report.
pub struct Report {
    /// The old revision.
    pub base: String,
    /// The suffixes of places in both revisions, such as ` at HEAD`.
    pub revisions: [String; 2],
    /// The new revision.
    pub head: String,
    /// The changes.
    pub entries: Vec<Entry>,
    /// The new items.
    pub additions: Vec<Entry>,
    /// The numbers of additions and of changed documentation, such as "1 new field".
    pub compatible: Vec<(Origin, String)>,
    /// The new paths of renamed items by the old ones, if these can be aliases.
    pub aliases: BTreeMap<String, String>,
    /// The versions of the crate, and the version that the changes require.
    pub version: Versions,
    /// The old and the new version of the spec, for information only.
    pub spec_version: (String, String),
    /// The fingerprints of unused waivers.
    pub unused_waivers: Vec<String>,
}

/// The versions of the crate.
pub struct Versions {
    /// The version of the base.
    pub old: Version,
    /// The version in `codegen.toml`.
    pub new: Version,
    /// The version that the changes require.
    pub suggested: Version,
    /// The origin of the most serious change, and its class.
    pub decided_by: Option<(Origin, Class)>,
}

impl Report {
    /// Compares two revisions.
    pub fn between(
        base: &Revision,
        head: &Revision,
        depth: Depth,
        waivers: Waivers,
        terminal: &Terminal,
    ) -> Fallible<Self> {
        let settings = head.settings_for(base);
        let (before, old_texts) = base.sound(&settings, depth, terminal)?;
        let (after, new_texts) = head.emitted(head.settings(), depth, terminal)?;
        check_accepted(&before.api, &after.api)?;
        let (mut parts, texts) =
            compared([base, head], &settings, [&before, &after], depth, terminal)?;
        let (before, after) = (before.api, after.api);
        let is_same = parts.iter().all(|(_, part)| part.class().is_none());
        let mut classes: Vec<_> =
            texts.iter().map(|origin| (*origin, Class::Documentation)).collect();
        if depth == Depth::Files && is_same && texts.is_empty() {
            classes.extend(by_generator(base, head)?);
        }
        let texts: Vec<_> = classes.iter().map(|(origin, _)| *origin).collect();
        let of_parts = parts.iter().filter_map(|(origin, part)| Some((*origin, part.class()?)));
        classes.splice(..0, of_parts);
        let decided_by = classes.into_iter().rev().max_by_key(|(_, class)| *class);
        let mut places = Places::new([&old_texts, &new_texts]);
        places.keys = keys::changed(base.settings(), head.settings());
        if places.has_other_choice() {
            let chosen = parts.iter_mut().filter(|(origin, _)| *origin == Origin::Configuration);
            chosen.flat_map(|(_, part)| &mut part.changes).for_each(Change::leave_out);
        }
        let mut report = Self {
            base: base.label.clone(),
            revisions: [base, head].map(|it| it.label.replacen(&it.input.source.name, "", 1)),
            head: head.label.clone(),
            entries: Vec::new(),
            additions: Vec::new(),
            compatible: Vec::new(),
            aliases: entry::aliases(parts.iter().flat_map(|(_, part)| &part.changes), &after),
            version: Versions::new(base, head, decided_by),
            spec_version: (before.spec_version, after.spec_version.clone()),
            unused_waivers: Vec::new(),
        };
        let waits = &head.settings().generator.conventions.waits;
        for (origin, part) in &parts {
            let waiver = |fingerprint: &str| waivers.get(fingerprint).cloned();
            let entry = |change| Entry::new(*origin, change, &places, waiver);
            report.entries.extend(part.changes.iter().map(entry));
            report.additions.extend(part.additions.iter().map(|change| Entry {
                instead: waiting(&change.main, waits, &after),
                ..entry(change)
            }));
            report.compatible.extend(compatible(part).map(|text| (*origin, text)));
        }
        // Items are more specific than texts.
        for origin in texts {
            if parts.iter().all(|(of, part)| *of != origin || part.class().is_none()) {
                report.compatible.push((origin, "other changes of the emitted files".to_owned()));
            }
        }
        let is_used = |fingerprint: &String| {
            report.entries.iter().any(|entry| entry.fingerprint == *fingerprint)
        };
        report.unused_waivers = waivers.into_keys().filter(|key| !is_used(key)).collect();
        Ok(report)
    }

    /// Returns the number of changes of a class.
    pub fn count(&self, class: Class) -> usize {
        self.entries.iter().filter(|entry| entry.class == class).count()
    }

    /// Returns whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.version.decided_by.is_none()
    }

    /// Returns whether a version is a sufficient step for all changes that are not waived.
    pub fn is_enough(&self, version: &Version) -> bool {
        let unwaived = self.entries.iter().filter(|entry| entry.waiver.is_none());
        let added = (!self.additions.is_empty()).then_some(Class::Compatible);
        let class = unwaived.map(|entry| entry.class).max().max(added);
        version > &self.version.old && version::is_enough(&self.version.old, version, class)
    }

    /// Returns whether a version may break programs that use the old one.
    pub fn may_break(&self, version: &Version) -> bool {
        version::is_enough(&self.version.old, version, Some(Class::Breaking))
    }

    /// Returns the changes that need a larger version step, or a waiver.
    pub fn denied(&self) -> Vec<&Entry> {
        let is_denied = |entry: &&Entry| entry.class >= Class::Wire && entry.waiver.is_none();
        if self.may_break(&self.version.new) {
            return Vec::new();
        }
        self.entries.iter().filter(is_denied).collect()
    }
}

/// Returns the advice on a new enum value that can end waits.
fn waiting(added: &Difference, waits: &[Wait], api: &PublicApi) -> Option<String> {
    let value = api.member(&added.owner, MemberKind::Variant, &added.name)?.wire_name()?;
    let is_ended = |wait: &&Wait| {
        let listed = &wait.values;
        !listed.is_empty()
            && !listed.iter().any(|it| it == value)
            && ends_by(wait, api) == Some(&added.owner)
    };
    let operations: Vec<_> =
        waits.iter().filter(is_ended).map(|wait| format!("`{}`", wait.operation)).collect();
    (!operations.is_empty()).then(|| {
        format!("if it ends the wait of {}, add {value:?} to the `values` of `[[wait]]` in codegen.toml", operations.join(", "))
    })
}

/// Returns the type of the property that ends a wait.
fn ends_by<'a>(wait: &Wait, api: &'a PublicApi) -> Option<&'a ItemPath> {
    let mut requests = api.items.values();
    let is_of =
        |item: &&Item| item.operation().is_some_and(|operation| operation.id == wait.operation);
    let reply = requests.find(is_of)?.output()?;
    wait.property.split('.').try_fold(*reply.items().first()?, |path, name| {
        let mut members = api.items.get(path)?.members(path);
        let field =
            members.find(|it| it.kind == MemberKind::Field && it.wire_name() == Some(name))?;
        field.types().first()?.items().first().copied()
    })
}

/// Returns the class of the differences that another generator makes to the same crate. What its code sends is tested
/// where the generator is developed, so it is compatible.
fn by_generator(base: &Revision, head: &Revision) -> Fallible<Option<(Origin, Class)>> {
    let (Some(commit), Some(out), Some(_)) = (&base.commit, &head.out, &base.listed) else {
        return Ok(None);
    };
    let changed = commit.changed_in(out)?;
    let is_code =
        changed.iter().any(|path| Path::new(path).extension().is_some_and(|it| it == "rs"));
    let class = if is_code { Class::Compatible } else { Class::Documentation };
    Ok((!changed.is_empty()).then_some((Origin::Generator, class)))
}

type Part = (Origin, Comparison);

/// Compares two revisions by the spec, the configuration and the generator, with `settings` for the spec of the base.
/// Returns the differences, and the origins of those between the emitted files, such as the title of the API.
fn compared(
    [base, head]: [&Revision; 2],
    settings: &SettingsFile,
    [middle, last]: [&Emitted; 2],
    depth: Depth,
    terminal: &Terminal,
) -> Fallible<(Vec<Part>, Vec<Origin>)> {
    let [old, new] = [base, head].map(|revision| Described::new(&revision.input));
    let difference = |before: &Emitted, after: &Emitted, spec| {
        let apis = [&before.api, &after.api];
        let mut found = compare(apis[0], apis[1]);
        if spec {
            found.add_described(apis, [&old, &new]);
        }
        let files = [&before.files, &after.files];
        found.add_code(apis, &files.map(|files| files.iter().map(SourceFile::entry).collect()));
        found
    };
    let mut by_spec = difference(middle, last, true);
    let mut texts = vec![(Origin::Spec, middle.files != last.files)];
    let mut configured = None;
    let mut by_configuration = None;
    if base.is_emitted_otherwise(settings) {
        let own = base.settings().without_text();
        let first = &*configured.insert(base.sound(&own, depth, terminal)?.0);
        let mut found = difference(first, middle, false);
        texts.push((Origin::Configuration, first.files != middle.files));
        if by_spec.class().is_some() && found.class().is_some() {
            // What only the middle has or lacks, such as the paging of a renamed parameter, does not differ.
            let ends = difference(first, last, true);
            ends.divide([&mut found, &mut by_spec], [&first.api, &last.api]);
            texts = vec![
                (Origin::Spec, first.files != last.files),
                (Origin::Configuration, found.class().is_some()),
            ];
        }
        by_configuration = Some((Origin::Configuration, found));
    }
    let mut parts = vec![(Origin::Spec, by_spec)];
    parts.extend(by_configuration);
    if let Some(listed) = &base.listed {
        let first = &configured.as_ref().unwrap_or(middle).api;
        match compare_listed(listed, first, &middle.api) {
            Some(part) => parts.push((Origin::Generator, part)),
            None => terminal.note(&format!(
                "api.txt of {} has another format: changes by the generator are not compared",
                base.label
            )),
        }
    }
    texts.retain(|(_, differ)| *differ);
    Ok((parts, texts.into_iter().map(|(origin, _)| origin).collect()))
}

impl Versions {
    fn new(base: &Revision, head: &Revision, decided_by: Option<(Origin, Class)>) -> Self {
        let version = |settings: &SettingsFile| {
            settings.package.version.clone().unwrap_or_else(|| Version::new(0, 1, 0))
        };
        let old = version(base.settings());
        let suggested = version::next(&old, decided_by.map(|(_, class)| class));
        Self { new: version(head.settings()), old, suggested, decided_by }
    }
}

/// Returns the numbers of additions and of changed documentation.
fn compatible(part: &Comparison) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for added in &part.additions {
        *counts.entry(added.main.verdict().label).or_default() += 1;
    }
    let new = counts.iter().map(|(noun, count)| pluralize(*count, &format!("new {noun}")));
    let documented = pluralize(part.documentation, "item") + " with other documentation";
    let others = (part.documentation > 0).then_some(documented);
    let texts: Vec<String> = new.chain(others).collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}
