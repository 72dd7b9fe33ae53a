//! The emitted code of two revisions, without documentation: whatever differs in it, although no item does, may change
//! what programs send.

use std::collections::{BTreeMap, BTreeSet};

use super::change::{Change, Comparison, Difference};
use super::uses::Uses;
use super::what::What;
use crate::code::{Code, File, Part};
use crate::described::Aspect;
use crate::items::{Item, MemberKind, MemberRef, Operation, Path, PublicApi, Ty};

/// The number of tokens that an excerpt has before the first difference.
const CONTEXT: usize = 4;

/// Maximum number of tokens of an excerpt.
const EXCERPT: usize = 24;

impl Comparison {
    /// Adds a change for each part of the emitted code that differs although no item does.
    pub fn add_code<'f>(&mut self, apis: [&PublicApi; 2], files: &[Vec<File<'f>>; 2]) {
        let [before, after] = files;
        let equal: BTreeSet<&File<'f>> =
            before.iter().filter(|file| after.contains(file)).collect();
        let [before, after] = [(before, apis[0]), (after, apis[1])].map(|(files, api)| {
            Code::new(files.iter().filter(|file| !equal.contains(file)), api, &self.renamed)
        });
        let moved: BTreeMap<&Path, &Path> =
            self.origins.iter().map(|(new, old)| (old, new)).collect();
        let before = before.0.into_iter().map(|(part, tokens)| {
            let owner = moved.get(&part.owner).copied().cloned().unwrap_or(part.owner);
            (Part { owner, ..part }, tokens)
        });
        let before = Code(before.collect());
        let parts: BTreeSet<&Part> = before.0.keys().chain(after.0.keys()).collect();
        let mut found = BTreeMap::new();
        for part in parts {
            let mut tokens =
                [&before, &after].map(|code| code.0.get(part).cloned().unwrap_or_default());
            if part.is_order() {
                tokens = common(tokens);
            }
            let tokens = tokens.each_ref().map(Vec::as_slice);
            // No difference between items explains another order of what both have.
            if tokens[0] == tokens[1]
                || (!part.is_order() && self.explains(part, [&before, &after], tokens, apis))
            {
                continue;
            }
            let owner = part.owner.clone();
            found.entry(owner).or_insert_with(|| difference(part, tokens, apis));
        }
        let uses = Uses::new(apis[0]);
        let change = |main: Difference| {
            let used_by = uses.methods(self.origins.get(&main.owner).unwrap_or(&main.owner));
            Change { used_by, ..Change::single(main) }
        };
        self.changes.extend(found.into_values().map(change));
        self.sort();
    }

    /// Returns whether a difference between two parts follows from one between items.
    fn explains(
        &self,
        part: &Part,
        codes: [&Code; 2],
        tokens: [&[String]; 2],
        apis: [&PublicApi; 2],
    ) -> bool {
        let Part { owner, of_trait, name } = part;
        let old_owner = self.origins.get(owner).unwrap_or(owner);
        let items = [apis[0].items.get(old_owner), apis[1].items.get(owner)];
        if items.iter().filter(|item| item.is_some()).count() == 1 {
            return true;
        }
        let is_by_status = name == "STATUSES" || of_trait == "FromReply";
        if is_by_status && self.has_other_statuses(old_owner, apis[0]) {
            return true;
        }
        // The method that begins a request sends the values that its setters replace.
        let method = apis[1].member(owner, MemberKind::Method, name).and_then(MemberRef::method);
        let request = method.and_then(|method| method.signature.output.as_item());
        let is_own = self.touched.iter().any(|(path, kind, member)| {
            // The fields of the client that list all schemes and all servers.
            match (owner.as_str(), name.as_str()) {
                (Path::BUILDER, "schemes") => {
                    let is_setting = *kind == MemberKind::Setting && !member.contains(' ');
                    return (path == owner && !is_setting) || *kind == MemberKind::Operation;
                }
                (Path::BUILDER, "servers") => return path.as_str().starts_with("servers::"),
                // The method of a reply by which the wait for it ends.
                (_, "is_finished") if *kind == MemberKind::Setting && member == "wait" => {
                    return true;
                }
                // The tag that the constructor of a variant's type sets.
                (_, "new") if *kind == MemberKind::Rule => {
                    let unions = apis.into_iter().filter_map(|api| api.whole(path));
                    let mut variants = unions.flat_map(|union| union.item.members(union.path));
                    return variants.any(|variant| variant.named_items().any(|it| it == owner));
                }
                _ => {}
            }
            let is_part = match kind {
                MemberKind::Whole => true,
                _ if !of_trait.is_empty() => is_of_trait((*kind, member.as_str()), part, items),
                _ if !name.is_empty() => {
                    let setting = member.split_once(' ').map_or(member.as_str(), |(_, of)| of);
                    setting.replace('-', "_") == *name
                }
                _ => true,
            };
            (path == owner || path == old_owner) && is_part || request == Some(path)
        });
        let has_trait = |code: &&Code| code.has_implementation(part);
        let is_one_sided = (of_trait.is_empty() || name.is_empty() || !codes.iter().all(has_trait))
            && tokens.iter().any(|tokens| tokens.is_empty());
        is_own
            || (is_one_sided
                && self.touched.iter().any(|(path, ..)| path == owner || path == old_owner))
            || (!differ_in_values(tokens) && self.touches_types(owner, apis))
    }

    /// Returns whether the successful statuses of a request differ, or of a request that returns a type.
    fn has_other_statuses(&self, owner: &Path, api: &PublicApi) -> bool {
        let is_own = |(path, item): &(&Path, &Item)| {
            *path == owner || item.output().and_then(Ty::as_item) == Some(owner)
        };
        let mut places = api.items.iter().filter(is_own).map(|(_, item)| &item.about.place);
        places.any(|place| {
            self.changes.iter().any(|Change { main, .. }| {
                matches!(main.what, What::Described { aspect: Aspect::Successes, .. })
                    && main.old_place == *place
            })
        })
    }

    /// Returns whether a type differs that an item refers to, directly or through its members.
    fn touches_types(&self, owner: &Path, apis: [&PublicApi; 2]) -> bool {
        let named = |path: &Path| -> BTreeSet<Path> {
            let items = apis.into_iter().filter_map(|api| api.whole(path));
            let members = items.flat_map(|whole| whole.item.members(whole.path));
            members.flat_map(MemberRef::named_items).cloned().collect()
        };
        let direct = named(owner);
        let indirect = direct.iter().flat_map(named);
        let all: BTreeSet<Path> = direct.iter().cloned().chain(indirect).collect();
        self.touched.iter().any(|(path, ..)| all.contains(path))
    }
}

/// Returns whether a part of the implementation of a trait, or of a table, consists of a member.
fn is_of_trait((kind, member): (MemberKind, &str), part: &Part, items: [Option<&Item>; 2]) -> bool {
    let differs = |of: fn(&Operation) -> &str| {
        let [old, new] = items.map(|item| item.and_then(Item::operation).map(of));
        kind == MemberKind::Operation && old != new
    };
    match (part.of_trait.as_str(), part.name.as_str()) {
        ("FailingEndpoint", _) | ("Endpoint", "FAILURE") => kind == MemberKind::Failure,
        ("Endpoint", "OPERATION") => kind == MemberKind::Operation,
        ("Endpoint", "IDEMPOTENCY_KEY") => kind == MemberKind::Setting,
        // The encodings of forms belong to setters.
        ("Endpoint", "Body" | "encode") => {
            matches!(kind, MemberKind::Body | MemberKind::Method) || differs(Operation::media_type)
        }
        ("Endpoint", _) => kind == MemberKind::Output || differs(Operation::reply_types),
        ("server", _) => true,
        ("PagedEndpoint", _) if kind == MemberKind::Method => member == "items",
        _ => !matches!(
            kind,
            MemberKind::Operation | MemberKind::Failure | MemberKind::Const | MemberKind::Method
        ),
    }
}

fn difference(part: &Part, tokens: [&[String]; 2], apis: [&PublicApi; 2]) -> Difference {
    let Part { owner, of_trait, name } = part;
    let place = |api: &PublicApi| {
        api.items.get(owner).map(|item| item.about.place.clone()).unwrap_or_default()
    };
    let mut id = owner.to_string();
    for name in [of_trait, name].into_iter().filter(|name| !name.is_empty()) {
        id.extend(["::", name]);
    }
    let [old, new] = excerpts(tokens);
    let name = if name.is_empty() { of_trait.clone() } else { name.clone() };
    Difference {
        id,
        what: What::Code,
        old,
        new,
        owner: owner.clone(),
        name,
        kind: MemberKind::Setting,
        rank: 0,
        old_place: place(apis[0]),
        new_place: place(apis[1]),
    }
}

/// Returns the tokens that both lists have.
fn common([mut old, mut new]: [Vec<String>; 2]) -> [Vec<String>; 2] {
    old.retain(|token| new.contains(token));
    new.retain(|token| old.contains(token));
    [old, new]
}

/// Returns whether tokens differ in a value, and not only in the names of items.
fn differ_in_values(tokens: [&[String]; 2]) -> bool {
    let is_value = |token: &&String| {
        ["true", "false"].contains(&token.as_str())
            || token.starts_with(|first: char| first == '"' || first.is_ascii_digit())
    };
    let [old, new] = tokens.map(|tokens| tokens.iter().filter(is_value));
    !old.eq(new)
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
