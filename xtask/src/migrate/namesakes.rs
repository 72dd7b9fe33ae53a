//! New names that a program has for items of its own: an edit could lead to these, and compile.

use ::codegen::items::MemberKind;

use crate::migrate::edit::Texts;
use crate::migrate::join::{is_word, words};
use crate::migrate::plan::{Plan, Remedy};

/// The words before the name of a type or a module.
const KEYWORDS: [&str; 7] = ["as", "enum", "mod", "struct", "trait", "type", "union"];

/// Leaves the items to the user whose new names the programs declare, or import from elsewhere than a package.
pub fn leave(plan: &mut Plan, programs: &Texts, package: &str) {
    let effects = std::mem::take(&mut plan.effects).into_iter().map(|mut effect| {
        let [old, new] = &effect.names;
        if effect.remedy != Remedy::Name || old == new {
            return effect;
        }
        if programs.values().any(|text| declares(text, effect.kind, new, package)) {
            let headline = &mut plan.headlines[effect.headline];
            headline.is_mechanical = false;
            headline.instead = Some(format!(
                "write `{new}` by hand: the programs have another item of this name, so the edit could lead to that"
            ));
            effect.remedy = Remedy::Hands;
        }
        effect
    });
    plan.effects = effects.collect();
}

/// Returns whether a text has an item that a new name of a kind of items could lead to.
fn declares(text: &str, kind: MemberKind, name: &str, package: &str) -> bool {
    let library = package.replace('-', "_");
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        if before.ends_with(is_word) || after.starts_with(is_word) {
            return false;
        }
        let keyword = before.trim_end().rsplit(|char| !is_word(char)).next().unwrap_or_default();
        let import = before.rsplit(';').next().and_then(|statement| statement.rsplit_once("use "));
        let is_path = |char: char| is_word(char) || ":{}, \r\n\t".contains(char);
        let is_other =
            |path: &str| path.chars().all(is_path) && words(path).all(|it| it != library);
        match kind {
            // A method of a trait.
            MemberKind::Method => {
                let arguments = after.split(')').next().unwrap_or_default();
                keyword == "fn" && words(arguments).any(|word| word == "self")
            }
            MemberKind::Whole | MemberKind::Variant => {
                KEYWORDS.contains(&keyword) || import.is_some_and(|(_, path)| is_other(path))
            }
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_and_imports_from_elsewhere_are_found() {
        for (text, kind, expected) in [
            ("struct Keeper { wage: u32 }", MemberKind::Whole, true),
            ("struct Keeper { wage: u32 }", MemberKind::Method, false),
            ("pub fn Keeper(&self)", MemberKind::Method, true),
            ("pub fn Keeper(it: &str) { self }", MemberKind::Method, false),
            ("pub fn Keeper(&self)", MemberKind::Whole, false),
            ("use zoo::{a::Owner,\n Keeper};", MemberKind::Whole, true),
            ("use zoo::Guard as Keeper;", MemberKind::Variant, true),
            ("use the_pets::models::{Owner, Keeper};", MemberKind::Whole, false),
            ("let a: Keeper = b;", MemberKind::Whole, false),
            ("struct KeeperKind; struct MyKeeper;", MemberKind::Whole, false),
            ("use zoo::Owner; fn a() { let _ = Keeper; }", MemberKind::Whole, false),
            ("struct Keeper { Keeper: u32 }", MemberKind::Field, false),
        ] {
            assert_eq!(declares(text, kind, "Keeper", "the-pets"), expected, "{text}");
        }
    }
}
