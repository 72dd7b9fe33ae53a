//! `CHANGELOG.md`, in the format of Keep a Changelog.

use jiff::civil::Date;
use semver::Version;

/// The headings of the unreleased section.
const UNRELEASED: [&str; 2] = ["## Unreleased", "## [Unreleased]"];

/// Returns whether a changelog has the section of a version.
pub fn has_section(changelog: &str, version: &Version) -> bool {
    let name = version.to_string();
    let words = changelog.lines().filter_map(|line| line.strip_prefix("## ")?.split(' ').next());
    words.map(|word| word.trim_matches(['[', ']'])).any(|word| word == name)
}

/// Returns a changelog in which the unreleased section becomes the section of a version, with generated notes, below a
/// new and empty unreleased section. Without an unreleased section, the new section is above all others.
pub fn with_section(changelog: &str, version: &Version, date: Date, notes: &str) -> String {
    let heading = format!("## {version} - {date}");
    let start = |from: usize| {
        let at = changelog[from..].find("\n## ").map(|at| from + at + 1);
        if from == 0 && changelog.starts_with("## ") { Some(0) } else { at }
    };
    let Some(first) = start(0) else {
        return format!("{}\n\n{heading}\n\n{}\n", changelog.trim_end(), notes.trim_end());
    };
    let unreleased =
        changelog[first..].lines().next().filter(|line| UNRELEASED.contains(&line.trim_end()));
    let Some(line) = unreleased else {
        let (before, after) = changelog.split_at(first);
        return format!("{before}{heading}\n\n{}\n\n{after}", notes.trim_end());
    };
    let content = first + line.len();
    let end = start(content).unwrap_or(changelog.len());
    let merged = merged(&changelog[content..end], notes);
    let before = &changelog[..first];
    let after = &changelog[end..];
    let separator = if after.is_empty() { "\n" } else { "\n\n" };
    format!("{before}{line}\n\n{heading}\n\n{}{separator}{after}", merged.trim())
}

/// Returns a section with notes: each list of the notes follows the list that has its heading.
fn merged(section: &str, notes: &str) -> String {
    let mut parts = parts(section);
    for (heading, list) in self::parts(notes) {
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
        let changelog = with_section(changelog, &version, date, notes);
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
    fn sections_are_found_by_their_version() {
        let has = |heading: &str| has_section(heading, &Version::new(2, 0, 0));
        assert!(has("## 2.0.0\n") && has("# Changelog\n## [2.0.0] - 2026-01-01\n"));
        assert!(!has("## 2.0.0-alpha\n") && !has("### 2.0.0\n") && !has("## 12.0.0\n"));
    }
}
