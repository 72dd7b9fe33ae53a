//! The operations that use a type: for its documentation, and for the feature that compiles it.

use crate::emit::rust::docs::{Doc, Inline, text};
use crate::ir::{Api, Operation, Resource, TypeId};
use crate::items::gates::Gates;
use crate::items::requests;

/// Maximum number of operations that the documentation of a type links; the others are counted.
const NAMED: usize = 4;

/// The operations that use each type, directly or within another.
pub struct Usage<'a> {
    api: &'a Api,
    /// The features that compile the types.
    pub gates: Gates,
    /// The operations by the indexes of the types.
    of_types: Vec<Uses<'a>>,
}

/// The operations that use a type.
#[derive(Clone, Default)]
struct Uses<'a> {
    sent: Operations<'a>,
    returned: Operations<'a>,
    /// The operations that stream it, unless they also return it.
    streamed: Operations<'a>,
    failing: Operations<'a>,
}

type Operations<'a> = Vec<(&'a Resource, &'a Operation)>;

impl<'a> Usage<'a> {
    /// Finds the types of all operations.
    pub fn new(api: &'a Api) -> Self {
        let of_types = vec![Uses::default(); api.types.len()];
        let mut usage = Self { api, gates: Gates::new(api), of_types };
        for resource in &api.resources {
            for operation in &resource.operations {
                usage.add((resource, operation));
            }
        }
        usage
    }

    fn add(&mut self, (resource, operation): (&'a Resource, &'a Operation)) {
        let successes = &operation.successes;
        let streams = successes.streams.iter().filter_map(|stream| stream.output.named());
        let returned = self.reachable(successes.output.named());
        for id in self.reachable(operation.sent_types()) {
            self.of_types[id.index()].sent.push((resource, operation));
        }
        for id in self.reachable(streams) {
            if !returned.contains(&id) {
                self.of_types[id.index()].streamed.push((resource, operation));
            }
        }
        for id in returned {
            self.of_types[id.index()].returned.push((resource, operation));
        }
        for id in self.reachable(operation.failure_types()) {
            self.of_types[id.index()].failing.push((resource, operation));
        }
    }

    fn reachable(&self, from: impl IntoIterator<Item = TypeId>) -> Vec<TypeId> {
        let mut open: Vec<TypeId> = from.into_iter().collect();
        let mut is_reached = vec![false; self.api.types.len()];
        let mut reached = Vec::new();
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut is_reached[id.index()], true) {
                reached.push(id);
                open.extend(self.api.definition(id).shape.types());
            }
        }
        reached
    }

    /// Adds a paragraph that links the operations.
    pub fn add_to(&self, doc: Doc, id: TypeId) -> Doc {
        let Uses { sent, returned, streamed, failing } = &self.of_types[id.index()];
        let uses = [
            ("Sent", "sent", sent),
            ("Returned", "returned", returned),
            ("Streamed", "streamed", streamed),
        ];
        let mut roles: Vec<(Inline, &Operations<'_>)> = Vec::new();
        for (first, next, operations) in uses {
            let role = if roles.is_empty() { first } else { next };
            match roles.iter_mut().find(|(_, others)| equal(others, operations)) {
                Some((role, _)) => *role = text!("{} and {}", *role, next),
                None if operations.is_empty() => {}
                None => roles.push((text!("{}", role), operations)),
            }
        }
        let clauses = roles.into_iter().map(|(role, uses)| text!("{} by {}", role, links(uses)));
        let mut clauses: Vec<Inline> = clauses.collect();
        if !failing.is_empty() {
            let role = if clauses.is_empty() { "Error of" } else { "error of" };
            clauses.push(text!("{} {}", role, links(failing)));
        }
        let sentence = clauses.into_iter().reduce(|before, next| text!("{}; {}", before, next));
        doc.paragraphs(sentence.map(|sentence| text!("{}.", sentence)))
    }
}

fn equal(some: &Operations<'_>, others: &Operations<'_>) -> bool {
    some.iter().map(|(_, it)| &it.id).eq(others.iter().map(|(_, it)| &it.id))
}

/// Writes links to the first operations.
fn links(operations: &Operations<'_>) -> Inline {
    let links =
        operations.iter().take(NAMED).map(|(resource, operation)| link(resource, operation));
    let links = links.reduce(|links, link| text!("{}, {}", links, link)).unwrap_or_default();
    match operations.len().saturating_sub(NAMED) {
        0 => links,
        others => text!("{} and {} more", links, others),
    }
}

/// Writes a link to the method of an operation.
pub fn link(resource: &Resource, operation: &Operation) -> Inline {
    let method = &operation.method_name;
    let call = Inline::code(&resource.call(method));
    text!("[{}](crate::{}::{})", call, requests::owner(resource), method)
}
