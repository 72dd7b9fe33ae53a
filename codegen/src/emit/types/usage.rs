//! The operations that use a type: for its documentation, and for the feature that compiles it.

use crate::emit::rust::docs::{Doc, Inline, text};
use crate::ir::{Api, Operation, Resource, TypeDef, TypeId, reached};
use crate::items::gates::Gates;
use crate::items::requests;

/// Maximum number of operations that the documentation of a type links; the others are counted.
const NAMED: usize = 4;

/// The operations that use each type, directly or within another.
pub struct Usage<'a> {
    api: &'a Api,
    /// The features that compile the types.
    pub gates: Gates,
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

    fn add(&mut self, used: (&'a Resource, &'a Operation)) {
        let operation = used.1;
        let successes = &operation.successes;
        let types = &self.api.types;
        let inner = |definition: &TypeDef| definition.shape.types();
        let is_sent = reached(operation.sent_types(), types, inner);
        let is_returned = reached(successes.output.named(), types, inner);
        let streams = successes.streams.iter().filter_map(|stream| stream.output.named());
        let is_streamed = reached(streams, types, inner);
        let is_failing = reached(operation.failure_types(), types, inner);
        for (index, uses) in self.of_types.iter_mut().enumerate() {
            let roles = [
                (is_sent[index], &mut uses.sent),
                (is_returned[index], &mut uses.returned),
                (is_streamed[index] && !is_returned[index], &mut uses.streamed),
                (is_failing[index], &mut uses.failing),
            ];
            for (_, operations) in roles.into_iter().filter(|(has_role, _)| *has_role) {
                operations.push(used);
            }
        }
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

fn links(operations: &Operations<'_>) -> Inline {
    let links =
        operations.iter().take(NAMED).map(|(resource, operation)| link(resource, operation));
    let links = links.reduce(|links, link| text!("{}, {}", links, link)).unwrap_or_default();
    match operations.len().saturating_sub(NAMED) {
        0 => links,
        others => text!("{} and {} more", links, others),
    }
}

pub fn link(resource: &Resource, operation: &Operation) -> Inline {
    let method = &operation.method_name;
    let call = Inline::code(&resource.call(method));
    text!("[{}](crate::{}::{})", call, requests::owner(resource), method)
}
