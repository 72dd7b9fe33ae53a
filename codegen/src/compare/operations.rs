//! The differences between the HTTP requests of operations.

use std::collections::BTreeSet;

use super::change::Difference;
use super::described::joined;
use super::differences::{Differences, Sides};
use super::what::What;
use crate::described::Aspect;
use crate::items::{Item, Operation, RequiredCredential, Security, Ty};

impl<'a> Differences<'a> {
    /// Compares the requests of an operation.
    pub(super) fn compare_operations(
        &mut self,
        pair: Sides<'a>,
        [old, new]: [&Operation; 2],
        cause: &str,
    ) {
        let change =
            |of: fn(&Operation) -> String| Some([of(old), of(new)]).filter(|[from, to]| from != to);
        let sent = |it: &Operation| Operation { path: it.sent_path(), ..it.clone() }.route();
        if change(sent).is_some() {
            let (from, to) = (old.route(), new.route());
            let what = match self.call_of_route(old, pair) {
                Some(now) => What::Moved { from, to, now },
                None => What::Route([from, to]),
            };
            self.add(cause, what, pair);
        } else if let Some(paths) = change(|operation| operation.path.clone()) {
            self.add(cause, What::PathNames(paths), pair);
        }
        if let Some(types) = change(|operation| operation.media_type().to_owned()) {
            self.add(cause, What::MediaType(types), pair);
        }
        if let Some(ids) = change(|operation| operation.id.clone()) {
            self.add(cause, What::OperationId(ids), pair);
        }
        if let Some(types) = change(|operation| operation.reply_types().to_owned()) {
            self.add(cause, What::ReplyTypes(types), pair);
        }
        self.compare_security(pair, [old, new]);
    }

    /// Returns the call that has the route of an old operation in the new revision.
    fn call_of_route(&self, old: &Operation, pair: Sides<'a>) -> Option<String> {
        let sent = |it: &Operation| (it.verb.clone(), it.sent_path(), it.media.clone());
        let route = sent(old);
        let (method, request) = self.new.operations().find(|(_, request)| {
            let operation = self.new.items.get(*request).and_then(Item::operation);
            operation.is_some_and(|operation| sent(operation) == route)
        })?;
        if request == pair.new.path {
            return None;
        }
        Some(self.new.call(method))
    }

    /// Compares the statuses of errors, each with the type of its body.
    pub(super) fn compare_failures(
        &mut self,
        pair: Sides<'a>,
        [old, new]: [&[(String, Ty)]; 2],
        cause: &str,
    ) {
        let before = old.iter().map(|(status, ty)| (status, self.renames.translated(ty)));
        let after = new.iter().map(|(status, ty)| (status, ty.clone()));
        let text = |(status, ty): (&String, Ty)| format!("{status} as {ty}");
        let from: BTreeSet<String> = before.map(text).collect();
        let to: BTreeSet<String> = after.map(text).collect();
        if from != to {
            let lines = [&from, &to].map(joined);
            // Programs read bodies of the only type already.
            let has_one_type = new.iter().all(|(_, ty)| Some(ty) == new.first().map(|it| &it.1));
            let is_unused = has_one_type && from.is_subset(&to);
            let what = What::Described { aspect: Aspect::Errors, is_unused, from, to };
            self.add_unlisted(cause, what, pair, lines);
        }
    }

    /// Compares the credentials that operations accept, where both are known, and their order: the first alternative for
    /// which a client has credentials is sent. More alternatives are compatible.
    fn compare_security(&mut self, pair: Sides<'a>, [from, to]: [&Operation; 2]) {
        let (Some(old), Some(new)) = (&from.security, &to.security) else { return };
        let [accepted, now] = [old, new].map(Security::accepted);
        let accepts_all = accepted.iter().all(|old| now.contains(old));
        // Of a set that is accepted with other scopes.
        let places = |set: &[RequiredCredential]| {
            set.iter().map(|credential| credential.place.clone()).collect::<Vec<_>>()
        };
        let is_sent = |old: &Vec<RequiredCredential>| {
            !old.is_empty() && now.iter().any(|new| places(new) == places(old))
        };
        let are_needed = now.iter().all(|set| !set.is_empty()) || accepted.iter().any(is_sent);
        let common = |one: &Operation, other: &Operation| -> Vec<Vec<String>> {
            let both = one.credentials.iter().filter(|set| other.credentials.contains(set));
            both.cloned().collect()
        };
        let [before, after] = [old, new].map(ToString::to_string);
        let accepts = [&before, &after].map(|it| format!("accepts {it}"));
        let (what, [old_line, new_line]) = if !accepts_all {
            (What::Credentials { are_needed, from: before, to: after }, accepts)
        } else if common(from, to) != common(to, from) {
            let [from, to] = [from, to].map(|operation| sets(&operation.credentials));
            let lines = [&from, &to].map(|it| format!("prefers {it}"));
            (What::Preference([from, to]), lines)
        } else if accepted != now {
            (What::MoreCredentials(after), accepts)
        } else {
            return;
        };
        // The requirements of the document cause the changes of the operations without their own.
        let is_own = new.pointer != Security::OF_DOCUMENT;
        let cause = if is_own { &new.pointer } else { &old.pointer };
        let difference = Difference {
            old: old_line,
            new: new_line,
            old_place: old.pointer.clone(),
            new_place: new.pointer.clone(),
            ..Difference::new(what, pair.old, Some(pair.new))
        };
        self.found.push((cause.clone(), difference));
    }
}

/// Returns sets of credentials in their order.
fn sets(credentials: &[Vec<String>]) -> String {
    let set =
        |set: &Vec<String>| if set.is_empty() { "nothing".to_owned() } else { set.join(" + ") };
    credentials.iter().map(set).collect::<Vec<_>>().join(", then ")
}
