//! The emitted files of two revisions: one whose tokens differ, although none of its items does, may change what
//! programs send.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::change::{Change, Comparison, Difference};
use super::uses::Uses;
use super::what::What;
use crate::items::{MemberKind, MemberRef, Path, PublicApi};

/// A file: its path and its text.
pub type File<'a> = (&'a str, &'a str);

/// The number of tokens that an excerpt has before the first difference.
const CONTEXT: usize = 4;

/// Maximum number of tokens of an excerpt.
const EXCERPT: usize = 24;

/// The constants with indexes of schemes and servers. Items list them by name.
const INDEXES: [&str; 3] = ["INDEX", "SECURITY", "SERVERS"];

impl Comparison {
    /// Adds a change for each emitted file that differs although none of its items does. A file of only one revision has
    /// items of only one.
    pub fn add_code(&mut self, apis: [&PublicApi; 2], files: &[Vec<File<'_>>; 2]) {
        let uses = Uses::new(apis[0]);
        let after: BTreeMap<&str, &str> = files[1].iter().copied().collect();
        let both =
            files[0].iter().filter_map(|(path, old)| Some((*path, [*old, *after.get(path)?])));
        let is_rust = |path| std::path::Path::new(path).extension().is_some_and(|it| it == "rs");
        let differ = both.filter(|(path, [old, new])| old != new && is_rust(*path));
        let found: Vec<Change> = differ
            .filter_map(|(path, texts)| {
                let items = apis.map(|api| declared(path, api));
                let tokens = self.unexplained(texts, &items, apis)?;
                let methods = items[0].iter().flat_map(|item| uses.methods(item.path)).collect();
                let main = difference(path, tokens.each_ref().map(Vec::as_slice), &items);
                Some(Change { used_by: methods, ..Change::single(main) })
            })
            .collect();
        self.changes.extend(found);
        self.sort();
    }

    /// Returns the tokens of a file that differ although none of its items does. Another item that these name explains
    /// other names, but no other value.
    fn unexplained(
        &self,
        texts: [&str; 2],
        items: &[Vec<MemberRef<'_>>; 2],
        apis: [&PublicApi; 2],
    ) -> Option<[Vec<String>; 2]> {
        if items.iter().flatten().any(|item| self.touched.contains(item.path)) {
            return None;
        }
        let tokens = texts.map(tokens);
        // Their order in a file follows that of the document, and means nothing.
        let sorted = tokens.each_ref().map(|tokens| {
            let mut sorted: Vec<&String> = tokens.iter().collect();
            sorted.sort();
            sorted
        });
        let [before, after] = &sorted;
        let is_value = |token: &&&String| {
            ["true", "false"].contains(&token.as_str())
                || token.starts_with(|first: char| first == '"' || first.is_ascii_digit())
        };
        let has_same_values = before.iter().filter(is_value).eq(after.iter().filter(is_value));
        // Directly or through its members.
        let direct: BTreeSet<&Path> = items.iter().flatten().flat_map(|it| named(*it)).collect();
        let wholes = direct.iter().flat_map(|path| apis.map(|api| api.whole(path)));
        let mut all = wholes.flatten().flat_map(named).chain(direct.iter().copied());
        let is_explained =
            before == after || (has_same_values && all.any(|path| self.touched.contains(path)));
        (!is_explained).then_some(tokens)
    }
}

/// Returns the items that an item names.
fn named(whole: MemberRef<'_>) -> impl Iterator<Item = &Path> {
    whole.item.members(whole.path).flat_map(MemberRef::named_items)
}

/// Returns the items that a file declares; of a file that only joins others, their items.
fn declared<'a>(file: &str, api: &'a PublicApi) -> Vec<MemberRef<'a>> {
    let name = file.trim_start_matches("src/");
    let module = match name.strip_suffix("/mod.rs") {
        Some(module) => Some(module.replace('/', "::") + "::"),
        None => (!name.contains('/')).then(String::new),
    };
    let is_declared = |item: &MemberRef<'_>| match &module {
        Some(module) => item.path.as_str().starts_with(module),
        None => item.item.file.as_ref().is_some_and(|it| it == file),
    };
    let wholes = api.items.iter().map(|(path, item)| MemberRef::whole(path, item));
    wholes.filter(is_declared).collect()
}

fn difference(path: &str, tokens: [&[String]; 2], items: &[Vec<MemberRef<'_>>; 2]) -> Difference {
    let [old_place, new_place] = items
        .each_ref()
        .map(|items| items.first().map(|item| item.place().to_owned()).unwrap_or_default());
    Difference {
        owner: items[0].first().map(|item| item.path.clone()).unwrap_or_default(),
        name: path.to_owned(),
        kind: MemberKind::Setting,
        old_place,
        new_place,
        ..Difference::of(path, What::Code, excerpts(tokens))
    }
}

/// Returns the code around the first difference.
fn excerpts(tokens: [&[String]; 2]) -> [String; 2] {
    let [old, new] = tokens;
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let [old_rest, new_rest] = tokens.map(|tokens| tokens[start..].iter().rev());
    let end = old_rest.zip(new_rest).take_while(|(old, new)| old == new).count();
    tokens.map(|tokens| {
        let range = start.saturating_sub(CONTEXT)..tokens.len() - end;
        let shown = range.start..range.end.min(range.start + EXCERPT);
        tokens[shown].join(" ")
    })
}

/// Returns the tokens of a file without attributes and documentation, which programs do not send. Emitted text is valid;
/// the compiler reports a defect of an emitter.
fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    flatten(text.parse().unwrap_or_default(), &mut found);
    found
}

fn flatten(tokens: TokenStream, found: &mut Vec<String>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_mark = |token: &TokenTree, mark| matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark);
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                tokens.next_if(|next| is_mark(next, '!'));
                tokens.next();
            }
            TokenTree::Ident(name) if INDEXES.iter().any(|index| name == index) => {
                while tokens.next_if(|next| !is_mark(next, ';')).is_some() {}
            }
            // They only concern what is printed.
            TokenTree::Ident(name)
                if (name == "secret" || name == "shown")
                    && tokens.peek().is_some_and(|next| is_mark(next, ',')) => {}
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                found.push(open.to_owned());
                flatten(group.stream(), found);
                found.push(close.to_owned());
            }
            other => found.push(other.to_string()),
        }
    }
}
