//! `CHANGELOG.md`, in the format of Keep a Changelog.

use std::iter::successors;

use jiff::civil::Date;
use semver::Version;

use commands::host::write::has_crlf;

/// The headings of the unreleased section.
const UNRELEASED: [&str; 2] = ["## Unreleased", "## [Unreleased]"];

/// The starts of the list items of notes.
const NOTES: [&str; 3] = ["- `", "- new ", "- documentation"];

/// A section of a release.
pub struct Section<'a> {
    /// Its version.
    pub version: &'a Version,
    /// Its date.
    pub date: Date,
    /// Returns whether the section of a version is an earlier one of this release.
    pub is_own: &'a dyn Fn(&Version) -> bool,
}

impl Section<'_> {
    /// Returns a changelog in which the unreleased section becomes this section, with generated notes, below a new and
    /// empty unreleased section. Without an unreleased section, this section is above all others. An earlier section of
    /// this release becomes a part of it.
    pub fn added(&self, changelog: &str, notes: &str) -> String {
        if has_crlf(changelog) {
            return self.added(&changelog.replace('\r', ""), notes).replace('\n', "\r\n");
        }
        let (before, mut rest) = changelog.split_at(start(changelog).unwrap_or(changelog.len()));
        let mut head = before.trim_end().to_owned();
        let mut contents = Vec::new();
        if let Some((line, content, after)) = first(rest).filter(|it| UNRELEASED.contains(&it.0)) {
            head = [before, line].concat();
            contents.push(content);
            rest = after;
        }
        let is_own = |line: &str| version(line).is_some_and(|version| (self.is_own)(&version));
        if let Some((_, content, after)) = first(rest).filter(|it| is_own(it.0)) {
            contents.insert(0, content);
            rest = after;
        }
        let is_new = |line: &&str| {
            let mut lines = contents.iter().flat_map(|content| content.lines());
            !line.starts_with("- ") || lines.all(|other| other != *line)
        };
        let notes = notes.lines().filter(is_new).collect::<Vec<_>>().join("\n");
        contents.push(&notes);
        let heading = format!("## {} - {}", self.version, self.date);
        let content = contents.into_iter().fold(String::new(), |all, other| merged(&all, other));
        let parts = [head.as_str(), &heading, &content, rest];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        let text = parts.collect::<Vec<_>>().join("\n\n");
        if rest.is_empty() { text + "\n" } else { text }
    }

    /// Returns the list items of an earlier section of this release that look like notes, and that neither the notes nor the
    /// unreleased section of the committed changelog have. An earlier run wrote them, or somebody did by hand since the last
    /// commit.
    pub fn unconfirmed<'t>(
        &self,
        changelog: &'t str,
        committed: &str,
        notes: &str,
    ) -> Vec<&'t str> {
        let start_of_committed = start(committed).unwrap_or(committed.len());
        let unreleased = first(&committed[start_of_committed..]);
        let unreleased = unreleased.filter(|it| UNRELEASED.contains(&it.0)).map_or("", |it| it.1);
        let is_known = |line: &&str| notes.lines().chain(unreleased.lines()).any(|it| it == *line);
        let at = start(changelog).unwrap_or(changelog.len());
        let mut sections = successors(first(&changelog[at..]), |(_, _, rest)| first(rest));
        let newest = sections.find(|(line, ..)| !UNRELEASED.contains(line));
        let is_own = |line: &str| version(line).is_some_and(|version| (self.is_own)(&version));
        let content = newest.filter(|it| is_own(it.0)).map_or("", |(_, content, _)| content);
        let items =
            content.lines().filter(|line| NOTES.iter().any(|start| line.starts_with(start)));
        items.filter(|line| !is_known(line)).collect()
    }
}

/// Returns whether a changelog has the section of a version.
pub fn has_section(changelog: &str, version: &Version) -> bool {
    changelog.lines().any(|line| self::version(line).as_ref() == Some(version))
}

/// Returns the version of a heading.
fn version(line: &str) -> Option<Version> {
    let word = line.strip_prefix("## ")?.split(' ').next()?;
    word.trim_matches(['[', ']']).parse().ok()
}

/// Returns the start of the first section.
fn start(text: &str) -> Option<usize> {
    if text.starts_with("## ") { Some(0) } else { text.find("\n## ").map(|at| at + 1) }
}

/// Returns the heading and the content of the section at the start of a text, and what follows.
fn first(text: &str) -> Option<(&str, &str, &str)> {
    let line = text.lines().next()?;
    let content = &text[line.len()..];
    let (content, rest) = content.split_at(start(content).unwrap_or(content.len()));
    Some((line.trim_end(), content, rest))
}

/// Returns a section with notes: each list of the notes follows the list that has its heading.
fn merged(section: &str, notes: &str) -> String {
    let mut parts = parts(section);
    for (heading, list) in self::parts(notes).into_iter().filter(|it| !it.1.trim().is_empty()) {
        match parts.iter_mut().find(|(other, _)| *other == heading) {
            Some((_, own)) => *own = format!("{}\n{}", own.trim_end(), list.trim()),
            None => parts.push((heading, list)),
        }
    }
    let texts = parts.into_iter().filter_map(|(heading, list)| {
        let text = format!("{heading}\n\n{}", list.trim());
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    });
    texts.collect::<Vec<_>>().join("\n\n")
}

/// Splits a section into its headings and the text below each.
fn parts(section: &str) -> Vec<(&str, String)> {
    let mut parts = vec![("", String::new())];
    for line in section.lines() {
        if line.starts_with("### ") {
            parts.push((line.trim_end(), String::new()));
        } else if let Some((_, text)) = parts.last_mut() {
            text.extend([line, "\n"]);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(changelog: &str, notes: &str) -> String {
        let date = jiff::civil::date(2026, 11, 22);
        let version = Version::new(2, 0, 0);
        let is_own = |found: &Version| *found > Version::new(1, 0, 0);
        let section = Section { version: &version, date, is_own: &is_own };
        let changelog = section.added(changelog, notes);
        assert_eq!(section.added(&changelog, notes), changelog, "a second run changes nothing");
        assert!(has_section(&changelog, &version), "{changelog}");
        changelog
    }

    #[test]
    fn the_unreleased_section_becomes_that_of_the_version() {
        let changelog = "# Changelog\n\n## Unreleased\n\nBy hand.\n\n### Added\n\n- a\n\n### Fixed\n\n- b\n\n## 1.0.0\n\n- c\n";
        assert_eq!(
            with(changelog, "### Breaking\n\n- d\n\n### Added\n\n- e\n"),
            "# Changelog\n\n## Unreleased\n\n## 2.0.0 - 2026-11-22\n\nBy hand.\n\n### Added\n\n- a\n- e\n\n### Fixed\n\n- b\n\n\
             ### Breaking\n\n- d\n\n## 1.0.0\n\n- c\n"
        );
        assert_eq!(
            with("# Changelog\n\n## Unreleased\n\n## 1.0.0\n\n- c\n", "### Added\n\n- d\n"),
            "# Changelog\n\n## Unreleased\n\n## 2.0.0 - 2026-11-22\n\n### Added\n\n- d\n\n## 1.0.0\n\n- c\n"
        );
    }

    #[test]
    fn without_unreleased_changes_the_section_is_the_first() {
        assert_eq!(
            with("# Changelog\n\n## 1.0.0\n\n- b\n", "- c\n"),
            "# Changelog\n\n## 2.0.0 - 2026-11-22\n\n- c\n\n## 1.0.0\n\n- b\n"
        );
        assert_eq!(with("# Changelog\n", "- c\n"), "# Changelog\n\n## 2.0.0 - 2026-11-22\n\n- c\n");
        assert_eq!(
            with("## [Unreleased]\n", "- c\n"),
            "## [Unreleased]\n\n## 2.0.0 - 2026-11-22\n\n- c\n"
        );
    }

    #[test]
    fn an_earlier_section_of_the_release_becomes_a_part_of_it() {
        let changelog = "## Unreleased\n\n### Fixed\n\n- later\n\n## [1.0.1] - 2026-11-21\n\n### Fixed\n\n- b\n\n\
                         ### Added\n\n- a\n\n## 1.0.0\n\n- c\n";
        assert_eq!(
            with(changelog, "### Breaking\n\n- d\n\n### Added\n\n- a\n"),
            "## Unreleased\n\n## 2.0.0 - 2026-11-22\n\n### Fixed\n\n- b\n- later\n\n### Added\n\n- a\n\n\
             ### Breaking\n\n- d\n\n## 1.0.0\n\n- c\n"
        );
    }

    #[test]
    fn items_of_an_earlier_section_that_are_no_longer_true_are_found() {
        let section = |version: &str| {
            format!(
                "## Unreleased\r\n\r\n- `a`\r\n\r\n## {version}\r\n\r\n- By hand.\r\n- `b`\r\n- new `c`\r\n"
            )
        };
        let version = Version::new(2, 0, 0);
        let is_own = |found: &Version| *found > Version::new(1, 0, 0);
        let own =
            Section { version: &version, date: jiff::civil::date(2026, 11, 22), is_own: &is_own };
        let committed = |heading: &str| format!("# Changelog\r\n\r\n{heading}\r\n\r\n- `b`\r\n");
        let [unreleased, released] = ["## [Unreleased]", "## 1.0.0"].map(committed);
        assert_eq!(own.unconfirmed(&section("1.0.1"), &released, "- `d`\n- new `c`\n"), ["- `b`"]);
        assert_eq!(own.unconfirmed(&section("1.0.1"), &unreleased, "- `d`\n"), ["- new `c`"]);
        assert!(own.unconfirmed(&section("1.0.0"), "", "- `d`\n").is_empty());
        assert!(own.unconfirmed("# Changelog\n", "", "- `d`\n").is_empty());
    }

    #[test]
    fn line_ends_stay() {
        assert_eq!(
            with("# Changelog\r\n\r\n## Unreleased\r\n\r\n- a\r\n", "### Added\n\n- b\n"),
            "# Changelog\r\n\r\n## Unreleased\r\n\r\n## 2.0.0 - 2026-11-22\r\n\r\n- a\r\n\r\n### Added\r\n\r\n- b\r\n"
        );
    }

    #[test]
    fn sections_are_found_by_their_version() {
        let has = |heading: &str| has_section(heading, &Version::new(2, 0, 0));
        assert!(has("## 2.0.0\n") && has("# Changelog\n## [2.0.0] - 2026-01-01\n"));
        assert!(!has("## 2.0.0-alpha\n") && !has("### 2.0.0\n") && !has("## 12.0.0\n"));
    }
}
