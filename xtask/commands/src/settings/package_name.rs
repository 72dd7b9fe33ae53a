//! The name of an emitted crate.

use std::str::FromStr;

/// A name that cargo accepts for a package and rustc for a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageName(String);

impl PackageName {
    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns a name as text, or the name of a crate that has none.
    pub fn or_default(name: Option<&Self>) -> &str {
        name.map_or("bindings", Self::as_str)
    }
}

impl FromStr for PackageName {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let refuse = |why: &str| Err(format!("`{name}` cannot name a crate: {why}"));
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return refuse("it must begin with a letter a–z");
        }
        if !name.chars().all(|char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_')) {
            return refuse("it may contain only letters, digits, `-` and `_`");
        }
        if name.len() > MAX_LENGTH {
            return refuse("it is longer than 64 characters");
        }
        let library = name.to_ascii_lowercase().replace('-', "_");
        if RESERVED.split(' ').any(|reserved| reserved == library) {
            return refuse("the name is reserved by Rust, cargo or Windows");
        }
        Ok(Self(name.to_owned()))
    }
}

/// The limit of crates.io.
const MAX_LENGTH: usize = 64;

/// Keywords, the crates of every program, the name of the runtime in emitted code, and device names of Windows.
const RESERVED: &str = "\
    abstract alloc as async aux await become box break con const continue core crate do dyn else enum extern false \
    final fn for gen if impl in let loop macro match mod move mut nul override priv prn proc_macro pub ref return \
    runtime self static std struct super test trait true try type typeof unsafe unsized use virtual where while yield \
    openapi_bindings_runtime";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_cargo_accepts_are_accepted() {
        for name in ["access-governance", "a", "Petstore_3", &"a".repeat(64)] {
            assert_eq!(name.parse(), Ok(PackageName(name.to_owned())));
        }
    }

    #[test]
    fn other_names_are_refused_with_the_reason() {
        let long = "a".repeat(65);
        for (name, why) in [
            ("", "begin with a letter"),
            ("3scale", "begin with a letter"),
            ("-x", "begin with a letter"),
            ("a b", "contain only letters"),
            ("a/../b", "contain only letters"),
            ("a\"\nb", "contain only letters"),
            ("größe", "contain only letters"),
            (long.as_str(), "longer than 64"),
            ("async", "is reserved"),
            ("Std", "is reserved"),
            ("proc-macro", "is reserved"),
            ("NUL", "is reserved"),
        ] {
            let message = name.parse::<PackageName>().expect_err(name);
            assert!(message.contains(why), "{name:?}: {message}");
        }
    }
}
