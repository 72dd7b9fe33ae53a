//! Changes of what a document describes although no item has it.

use std::collections::BTreeSet;

use super::causes::{counterpart, is_inside, is_unsent};
use super::change::{Change, Comparison, Difference};
use super::what::What;
use crate::described::{Aspect, Described, has_all_successes};
use crate::items::{Item, MemberKind, PublicApi, Setting, Ty};

/// The reason of changes of media types that a program may rely on.
pub(super) const UNREAD: &str =
    "existing programs still compile, but may get replies that they do not read";

impl Comparison {
    /// Adds the changes of what two documents describe beyond the items of two revisions.
    pub fn add_described(&mut self, apis: [&PublicApi; 2], [old, new]: [&Described; 2]) {
        let mut found = Vec::new();
        let all = || self.changes.iter().flat_map(Change::differences);
        let outputs = all().filter(|it| it.kind == MemberKind::Output && it.is_in_code());
        let results: BTreeSet<&str> = outputs.map(|it| it.old_place.as_str()).collect();
        let is_of_media = |what: &What| {
            matches!(what, What::ReplyTypes(_) | What::Setting { setting: Setting::MediaType, .. })
        };
        let replies = all().filter(|difference| is_of_media(&difference.what));
        let replies: BTreeSet<&str> = replies.map(|it| it.old_place.as_str()).collect();
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
            let is_inside = |place: &&str| owner.starts_with(place);
            let is_of_response = matches!(aspect, Aspect::Media | Aspect::Successes);
            let is_of_success = aspect == Aspect::Media && owner.contains("/responses/2");
            let is_listed = (is_of_response && results.iter().any(is_inside))
                || (is_of_success && replies.iter().any(is_inside));
            if is_listed {
                continue;
            }
            let is_unused = match aspect {
                Aspect::Default => is_received(&new_owner),
                Aspect::Successes => {
                    let has_all = [&before, &after].into_iter().all(has_all_successes);
                    has_all || returns_nothing(&new_owner)
                }
                Aspect::Base64 | Aspect::Media | Aspect::Errors | Aspect::Webhooks => false,
            };
            let texts = [&before, &after].map(joined);
            let what = What::Described { aspect, is_unused, from: before, to: after };
            let difference = Difference {
                name: owner.clone(),
                kind: MemberKind::Setting,
                new_place: new_owner,
                ..Difference::of(&named(apis[0], &owner), what, texts)
            };
            let difference = Difference { old_place: owner, ..difference };
            found.push(Change::single(difference));
        }
        // What an operation describes is in the code of its request, and of the type of its result.
        for Change { main, .. } in &found {
            let requests = apis[1].items.iter().filter(|(_, it)| it.about.place == main.new_place);
            self.touched.extend(requests.flat_map(|(path, item)| {
                item.output().and_then(Ty::as_item).into_iter().chain([path]).cloned()
            }));
        }
        self.changes.extend(found);
        self.sort();
    }
}

/// Returns the call or the property that a place defines, or the innermost one around it, or else the place.
fn named(api: &PublicApi, place: &str) -> String {
    let of_kind = |kind| api.members().filter(move |member| member.kind == kind);
    let setters = of_kind(MemberKind::Method).filter(|member| member.item.is_request());
    let members = setters.chain(of_kind(MemberKind::Field));
    let calls = api.operations().map(|(method, _)| (method, true));
    let around = members.map(|member| (member, false)).chain(calls).filter(|(member, _)| {
        let outer = member.place();
        !outer.is_empty() && (place == outer || is_inside(place, outer))
    });
    match around.max_by_key(|(member, _)| member.place().len()) {
        Some((method, true)) => api.call(method),
        Some((member, false)) => member.id(),
        None => place.to_owned(),
    }
}

pub(super) fn joined(values: &BTreeSet<String>) -> String {
    values.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// Returns the programs that a change of something that no item has affects, and the help text. `None` if the server does
/// nothing else for programs that do not change: the rest is only new or unused.
pub(super) fn effect(
    aspect: Aspect,
    is_unused: bool,
    from: &BTreeSet<String>,
    to: &BTreeSet<String>,
) -> Option<[&'static str; 2]> {
    const READ: &str = "check the code that reads it";
    let is_removed = !from.is_subset(to);
    let is_replaced = is_removed && !to.is_subset(from);
    let loses_statuses = !has_all_successes(to) && (has_all_successes(from) || is_removed);
    Some(match aspect {
        Aspect::Default if is_replaced && !is_unused => [
            "existing programs that do not set it get other results",
            "set the value that is needed",
        ],
        Aspect::Base64 => {
            ["existing programs still compile, but the text has another encoding", READ]
        }
        Aspect::Errors if !is_unused => {
            ["existing programs still compile, but read the bodies of other errors", READ]
        }
        Aspect::Media if is_removed => [UNREAD, READ],
        Aspect::Successes if !is_unused && loses_statuses => [
            "existing programs still compile, but replies of the old status are errors",
            "upgrade when no server replies with the old status",
        ],
        Aspect::Successes if !is_unused => [
            "existing programs still compile, but read replies of the new status like the others",
            "read the status with `send_raw()`",
        ],
        _ => return None,
    })
}

/// Returns the predicate of a sentence on something that no item has.
pub(super) fn predicate(aspect: Aspect, from: &BTreeSet<String>, to: &BTreeSet<String>) -> String {
    let noun = match aspect {
        Aspect::Default => "default",
        Aspect::Base64 if to.is_empty() => return "is no longer Base64".to_owned(),
        Aspect::Base64 => return "is now Base64".to_owned(),
        Aspect::Media => "media type",
        Aspect::Successes => "success",
        Aspect::Errors => "error",
        Aspect::Webhooks => "webhook",
    };
    let only = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
        let names: Vec<_> = one.difference(other).map(|name| format!("`{name}`")).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    match (only(to, from), only(from, to)) {
        (Some(new), Some(old)) => format!("has the {noun} {new}, no longer {old}"),
        (Some(new), None) => format!("has the new {noun} {new}"),
        (None, old) => format!("no longer has the {noun} {}", old.unwrap_or_default()),
    }
}
