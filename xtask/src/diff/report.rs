//! The comparison of two revisions: what the spec, the generator and the configuration have changed, and which version
//! follows.

use ::codegen::diagnostics::{Diagnostics, Locator};
use ::codegen::public_api::{Change, Class, Comparison, compare};
use semver::Version;

use crate::codegen::settings::SettingsFile;
use crate::diff::revision::Revision;
use crate::diff::version;
use crate::diff::waivers::Waivers;
use crate::exit::Failure;
use crate::terminal::Terminal;

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

/// Everything that a report shows.
pub struct Report {
    /// What is compared.
    pub base: String,
    /// What tells a place of the base from one of the head, such as ` at HEAD`.
    pub base_suffix: String,
    /// What it is compared with.
    pub head: String,
    /// What each origin has changed.
    pub parts: Vec<(Origin, Comparison)>,
    /// The versions of the crate, and which the changes demand.
    pub version: Versions,
    /// The version of the spec, before and after; it decides nothing.
    pub spec_version: (String, String),
    /// The changes that may break programs, by fingerprint, with the reasons.
    pub waivers: Waivers,
    places: [Diagnostics; 2],
}

/// The versions of the crate.
pub struct Versions {
    /// The version of the base.
    pub old: Version,
    /// The version that `codegen.toml` has now.
    pub new: Version,
    /// The version that the changes demand.
    pub suggested: Version,
    /// The origin of the most serious change, and its class.
    pub decided_by: Option<(Origin, Class)>,
}

impl Report {
    /// Compares two revisions.
    pub fn between(
        base: &Revision,
        head: &Revision,
        waivers: Waivers,
        terminal: &Terminal,
    ) -> Result<Self, Failure> {
        let (before, old_places) = base.public_api(&head.settings, terminal)?;
        let (after, new_places) = head.public_api(&head.settings, terminal)?;
        let mut parts = vec![(Origin::Spec, compare(&before, &after))];
        let mut configured = before.clone();
        if base.settings.differs_in_items(&head.settings) {
            configured = base.public_api(&base.settings, terminal)?.0;
            parts.push((Origin::Configuration, compare(&configured, &before)));
        }
        if let Some(listed) = &base.listed {
            parts.push((Origin::Generator, compare(listed, &configured).by_what_differs()));
        }
        let decided_by = parts
            .iter()
            .filter_map(|(origin, part)| Some((*origin, part.class()?)))
            .rev()
            .max_by_key(|(_, class)| *class);
        let version = |settings: &SettingsFile| {
            settings.version.clone().unwrap_or_else(|| Version::new(0, 1, 0))
        };
        let old = version(&base.settings);
        let suggested = version::next(&old, decided_by.map(|(_, class)| class));
        Ok(Self {
            base: base.label.clone(),
            base_suffix: base.label.replacen(&base.input.source.name, "", 1),
            head: head.label.clone(),
            parts,
            version: Versions { new: version(&head.settings), old, suggested, decided_by },
            spec_version: (before.spec_version, after.spec_version),
            waivers,
            places: [old_places, new_places],
        })
    }

    /// Returns all changes with their origins.
    pub fn changes(&self) -> impl Iterator<Item = (Origin, &Change)> {
        self.parts
            .iter()
            .flat_map(|(origin, part)| part.changes.iter().map(|change| (*origin, change)))
    }

    /// Returns the number of changes of a class.
    pub fn count(&self, class: Class) -> usize {
        self.changes().filter(|(_, change)| change.class == class).count()
    }

    /// Returns whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.parts.iter().all(|(_, part)| part.class().is_none())
    }

    /// Returns whether a version says enough about all changes that are not waived.
    pub fn is_enough(&self, version: &Version) -> bool {
        let waived = |change: &Change| self.waivers.contains_key(&change.fingerprint());
        let unwaived = self.changes().map(|(_, change)| change).filter(|change| !waived(change));
        let class = unwaived.map(|change| change.class).max().max(
            self.parts
                .iter()
                .any(|(_, part)| !part.additions.is_empty())
                .then_some(Class::Compatible),
        );
        version > &self.version.old && version::is_enough(&self.version.old, version, class)
    }

    /// Returns whether a version may break programs that use the old one.
    pub fn steps_over(&self, version: &Version) -> bool {
        version::is_enough(&self.version.old, version, Some(Class::Breaking))
    }

    /// Returns the changes that need a larger step of the version than was made, or a waiver.
    pub fn denied(&self) -> Vec<&Change> {
        if version::is_enough(&self.version.old, &self.version.new, Some(Class::Breaking)) {
            return Vec::new();
        }
        let breaking = self.changes().filter(|(_, change)| change.class >= Class::Wire);
        let denied =
            breaking.filter(|(_, change)| !self.waivers.contains_key(&change.fingerprint()));
        denied.map(|(_, change)| change).collect()
    }

    /// Returns the fingerprints of waivers that cover nothing.
    pub fn unused_waivers(&self) -> impl Iterator<Item = &String> {
        let is_used = |fingerprint: &String| {
            self.changes().any(|(_, change)| change.fingerprint() == *fingerprint)
        };
        self.waivers.keys().filter(move |fingerprint| !is_used(fingerprint))
    }

    /// Returns where changes and additions stand in the texts.
    pub fn locators(&self) -> Places<'_> {
        Places(self.places.each_ref().map(Locator::new))
    }
}

/// Finds the lines of the old and the new spec.
pub struct Places<'r>([Locator<'r>; 2]);

impl<'r> Places<'r> {
    /// Returns the file and the line of a place in the old spec.
    pub fn in_old(&self, pointer: &str) -> Option<(&'r str, usize)> {
        self.find(0, pointer)
    }

    /// Returns the file and the line of a place in the new spec.
    pub fn in_new(&self, pointer: &str) -> Option<(&'r str, usize)> {
        self.find(1, pointer)
    }

    fn find(&self, side: usize, pointer: &str) -> Option<(&'r str, usize)> {
        if pointer.is_empty() { None } else { self.0[side].locate(pointer) }
    }
}
