//! Changes of what a document describes although no item has it.

use std::collections::BTreeSet;

use super::causes::{counterpart, is_unsent};
use super::change::{Change, Comparison, Difference};
use super::what::What;
use crate::described::{Aspect, Described, has_all_successes};
use crate::items::{Item, MemberKind, Path, PublicApi, Ty};

impl Comparison {
    /// Adds the changes of what two documents describe beyond the items of two revisions.
    pub fn add_described(&mut self, apis: [&PublicApi; 2], [old, new]: [&Described; 2]) {
        let mut found = Vec::new();
        let results: BTreeSet<&str> = self.places_of(MemberKind::Output, apis[0]).collect();
        let replies = self.with_other_replies();
        let is_received = |owner: &str| {
            let fields = apis[1].members().filter(|member| member.kind == MemberKind::Field);
            fields.filter(|field| field.place() == owner).any(|field| is_unsent(field.item))
        };
        let returns_nothing = |owner: &str| {
            let requests = apis[1].items.values().filter(|item| item.about.place == owner);
            requests.filter_map(Item::output).any(|output| *output == Ty::Unit)
        };
        let pointers = self.places.each_ref().map(|of| |place: &str| counterpart(of, place));
        let differences = old.differences(new, pointers);
        for (aspect, [owner, new_owner], [before, after]) in differences {
            // Another result, or other media types of the operation, say more.
            let is_inside = |place: &str| owner.starts_with(place);
            let is_of_response = matches!(aspect, Aspect::Media | Aspect::Successes);
            let is_of_success = aspect == Aspect::Media && owner.contains("/responses/2");
            let is_listed = (is_of_response && results.iter().any(|place| is_inside(place)))
                || (is_of_success && replies.iter().any(|place| is_inside(place)));
            if is_listed {
                continue;
            }
            let is_unused = match aspect {
                Aspect::Default => is_received(&new_owner),
                Aspect::Successes => {
                    let has_all = [&before, &after].into_iter().all(has_all_successes);
                    has_all || returns_nothing(&new_owner)
                }
                Aspect::Base64 | Aspect::Media | Aspect::Webhooks => false,
            };
            let [old, new] = [&before, &after].map(joined);
            let what = What::Described { aspect, is_unused, from: before, to: after };
            let difference = Difference {
                id: owner.clone(),
                what,
                old,
                new,
                owner: Path::default(),
                name: owner.clone(),
                kind: MemberKind::Setting,
                rank: 0,
                old_place: owner,
                new_place: new_owner,
            };
            found.push(Change::single(difference));
        }
        self.changes.extend(found);
        self.sort();
    }

    /// Returns the places of the operations whose replies have other media types.
    fn with_other_replies(&self) -> BTreeSet<String> {
        let all = self.changes.iter().flat_map(Change::differences);
        let found = all.filter(|difference| matches!(difference.what, What::ReplyTypes { .. }));
        found.map(|difference| difference.old_place.clone()).collect()
    }

    /// Returns the places of the members of a kind that differ.
    fn places_of<'a>(
        &'a self,
        kind: MemberKind,
        api: &'a PublicApi,
    ) -> impl Iterator<Item = &'a str> {
        let touched = self.touched.iter().filter(move |(_, of, _)| *of == kind);
        touched.filter_map(move |(path, kind, name)| Some(api.member(path, *kind, name)?.place()))
    }
}

fn joined(values: &BTreeSet<String>) -> String {
    values.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}
