//! `CHANGELOG.md`, in the format of Keep a Changelog.

use jiff::civil::Date;
use semver::Version;

use commands::host::write::has_crlf;

/// The headings of the unreleased section.
const UNRELEASED: [&str; 2] = ["## Unreleased", "## [Unreleased]"];

/// Returns a changelog in which the unreleased section becomes that of a version, with generated notes, below a new and
/// empty unreleased section. Without an unreleased section, the new one is above all others.
pub fn released(changelog: &str, version: &Version, date: Date, notes: &str) -> String {
    if has_crlf(changelog) {
        let text = released(&changelog.replace('\r', ""), version, date, notes);
        return text.replace('\n', "\r\n");
    }
    let (before, rest) = changelog.split_at(start(changelog).unwrap_or(changelog.len()));
    let unreleased = first(rest).filter(|it| UNRELEASED.contains(&it.0));
    let (head, content, rest) = match unreleased {
        Some((line, content, rest)) => ([before, line].concat(), merged(content, notes), rest),
        None => (before.trim_end().to_owned(), notes.trim().to_owned(), rest),
    };
    let heading = format!("## {version} - {date}");
    let parts = [head.as_str(), &heading, &content, rest].into_iter();
    let text = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n");
    if rest.is_empty() { text + "\n" } else { text }
}

/// Returns the first version that has a section in a changelog, but not in another one.
pub fn new_version(changelog: &str, committed: &str) -> Option<Version> {
    changelog.lines().filter_map(version).find(|it| !has_section(committed, it))
}

pub fn has_section(changelog: &str, version: &Version) -> bool {
    changelog.lines().any(|line| self::version(line).as_ref() == Some(version))
}

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
        let version = Version::new(2, 0, 0);
        let text = released(changelog, &version, jiff::civil::date(2026, 11, 22), notes);
        assert_eq!(new_version(&text, changelog), Some(version), "{text}");
        assert_eq!(new_version(&text, &text), None);
        text
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
