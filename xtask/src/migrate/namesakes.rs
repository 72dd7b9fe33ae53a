//! Items of programs that have a name that the bindings use now.

use crate::migrate::join::words;

/// The words before the name of an item.
const KEYWORDS: [&str; 11] =
    ["as", "const", "enum", "fn", "macro", "mod", "static", "struct", "trait", "type", "union"];

/// Returns whether a text declares an item of a name, or imports one from elsewhere than a package.
pub fn declares(text: &str, name: &str, package: &str) -> bool {
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    let library = package.replace('-', "_");
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        if before.ends_with(is_word) || after.starts_with(is_word) {
            return false;
        }
        let keyword = before.trim_end().rsplit(|char| !is_word(char)).next();
        let import = before.rsplit(';').next().and_then(|statement| statement.rsplit_once("use "));
        let is_path = |char: char| is_word(char) || ":{}, \r\n\t".contains(char);
        let is_other =
            |path: &str| path.chars().all(is_path) && words(path).all(|it| it != library);
        keyword.is_some_and(|keyword| KEYWORDS.contains(&keyword))
            || import.is_some_and(|(_, path)| is_other(path))
    })
}

/// Returns whether a text of a program or a manifest turns off the warnings by which rustc names the uses of items.
pub fn silences(text: &str) -> bool {
    let is_silent = |lints: &str| ["deprecated", "warnings"].iter().any(|it| lints.contains(it));
    let lists = ["allow(", "expect("].into_iter().flat_map(|word| text.split(word).skip(1));
    let mut levels = text.lines().filter(|line| line.contains("\"allow\""));
    lists.filter_map(|list| list.split(')').next()).any(is_silent) || levels.any(is_silent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_and_imports_from_elsewhere_are_found() {
        for (text, expected) in [
            ("struct Keeper { wage: u32 }", true),
            ("pub fn Keeper(&self)", true),
            ("use zoo::{a::Owner,\n Keeper};", true),
            ("use zoo::Guard as Keeper;", true),
            ("use the_pets::models::{Owner, Keeper};", false),
            ("let a: Keeper = b;", false),
            ("struct KeeperKind; struct MyKeeper;", false),
            ("use zoo::Owner; fn a() { let _ = Keeper; }", false),
        ] {
            assert_eq!(declares(text, "Keeper", "the-pets"), expected, "{text}");
        }
    }

    #[test]
    fn attributes_and_manifests_that_silence_rustc_are_found() {
        for (text, expected) in [
            ("#![allow(dead_code,\n    deprecated)]", true),
            ("#[expect(warnings)]", true),
            ("[lints.rust]\ndeprecated = { level = \"allow\" }", true),
            ("[lints.rust]\ndeprecated = \"deny\"\ndead_code = \"allow\"", false),
            ("#[deprecated]\n#[allow(dead_code)]\nfn deprecated() {}", false),
        ] {
            assert_eq!(silences(text), expected, "{text}");
        }
    }
}
