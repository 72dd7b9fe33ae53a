//! The version that a change requires, by Cargo's rules (The Cargo Book, chapter 3.15.1).

use ::codegen::compare::Class;
use semver::{BuildMetadata, Prerelease, Version};

/// Returns the next version after a change; the same one if there is none.
pub fn next(version: &Version, class: Option<Class>) -> Version {
    let Some(class) = class else { return version.clone() };
    let mut next = version.clone();
    next.build = BuildMetadata::EMPTY;
    if !version.pre.is_empty() {
        next.pre = next_prerelease(version.pre.as_str());
        return next;
    }
    // The leftmost number that is not zero marks compatibility; the numbers after it count releases.
    match (class >= Class::Wire, class == Class::Documentation) {
        (true, _) if version.major > 0 => {
            (next.major, next.minor, next.patch) = (version.major + 1, 0, 0);
        }
        (true, _) if version.minor > 0 => (next.minor, next.patch) = (version.minor + 1, 0),
        (false, false) if version.major > 0 => (next.minor, next.patch) = (version.minor + 1, 0),
        _ => next.patch += 1,
    }
    next
}

/// Returns whether a version is a sufficient step from another for a change.
pub fn is_enough(old: &Version, new: &Version, class: Option<Class>) -> bool {
    new.cmp_precedence(&next(old, class)).is_ge()
}

/// Increments the last number of a pre-release, or appends `.1`.
fn next_prerelease(pre: &str) -> Prerelease {
    let (before, last) = pre.rsplit_once('.').unwrap_or(("", pre));
    let text = match last.parse::<u64>() {
        Ok(number) if before.is_empty() => (number + 1).to_string(),
        Ok(number) => format!("{before}.{}", number + 1),
        Err(_) => format!("{pre}.1"),
    };
    Prerelease::new(&text).unwrap_or(Prerelease::EMPTY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        text.parse().unwrap()
    }

    #[test]
    fn versions_step_by_cargo_s_rules() {
        use Class::{Breaking, Compatible, Documentation, Wire};
        for (old, class, new) in [
            ("1.2.3", Breaking, "2.0.0"),
            ("1.2.3", Wire, "2.0.0"),
            ("1.2.3", Compatible, "1.3.0"),
            ("1.2.3", Documentation, "1.2.4"),
            ("0.2.3", Breaking, "0.3.0"),
            ("0.2.3", Compatible, "0.2.4"),
            ("0.2.3", Documentation, "0.2.4"),
            ("0.0.3", Breaking, "0.0.4"),
            ("0.0.3", Compatible, "0.0.4"),
            ("0.1.0-alpha", Breaking, "0.1.0-alpha.1"),
            ("1.0.0-rc.9", Compatible, "1.0.0-rc.10"),
            ("1.0.0-1", Compatible, "1.0.0-2"),
            ("1.2.3+build", Compatible, "1.3.0"),
        ] {
            assert_eq!(next(&version(old), Some(class)), version(new), "{old} {class:?}");
            assert!(is_enough(&version(old), &version(new), Some(class)));
            assert!(!is_enough(&version(old), &version(old), Some(class)), "{old} {class:?}");
        }
        assert_eq!(next(&version("1.2.3"), None), version("1.2.3"));
    }

    #[test]
    fn a_larger_step_is_enough() {
        for (old, new, enough) in [
            ("1.2.3", "3.0.0", true),
            ("1.2.3", "2.0.0-alpha", false),
            ("1.2.3", "1.9.0", false),
            ("0.1.0-alpha", "0.1.0", true),
            ("0.2.0", "1.0.0", true),
        ] {
            let class = Some(Class::Breaking);
            assert_eq!(is_enough(&version(old), &version(new), class), enough, "{old} {new}");
        }
    }
}
