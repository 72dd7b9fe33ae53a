//! The operations that use a type: for its documentation, and for the feature that compiles it.

use crate::emit::rust::docs::{Doc, Inline, text};
use crate::ir::{Api, Operation, Resource, TypeId};
use crate::items::gates::Gates;
use crate::items::requests;

/// Maximum number of operations that the documentation of a type links; the others are counted.
const NAMED: usize = 4;

/// The operations that send and return each type, directly or within another.
pub struct Usage<'a> {
    api: &'a Api,
    /// The features that compile the types.
    pub gates: Gates,
    /// For each type, the operations that send it.
    sent: Vec<Vec<(&'a Resource, &'a Operation)>>,
    /// For each type, the operations that return it.
    returned: Vec<Vec<(&'a Resource, &'a Operation)>>,
    /// For each type, the operations that fail with it.
    failing: Vec<Vec<(&'a Resource, &'a Operation)>>,
}

impl<'a> Usage<'a> {
    /// Finds the types of all operations.
    pub fn new(api: &'a Api) -> Self {
        let none = vec![Vec::new(); api.types.len()];
        let mut usage = Self {
            api,
            gates: Gates::new(api),
            sent: none.clone(),
            returned: none.clone(),
            failing: none,
        };
        for resource in &api.resources {
            for operation in &resource.operations {
                for id in usage.reachable(operation.sent_types()) {
                    usage.sent[id.index()].push((resource, operation));
                }
                for id in usage.reachable(operation.successes.output.named()) {
                    usage.returned[id.index()].push((resource, operation));
                }
                for id in usage.reachable(operation.failure_types()) {
                    usage.failing[id.index()].push((resource, operation));
                }
            }
        }
        usage
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
        let [sent, returned, failing] =
            [&self.sent, &self.returned, &self.failing].map(|uses| &*uses[id.index()]);
        let is_same = sent.iter().map(|(_, it)| &it.id).eq(returned.iter().map(|(_, it)| &it.id));
        let uses = [
            (["Sent and returned by ", ""], if is_same { sent } else { &[] }),
            (["Sent by ", ""], if is_same { &[] } else { sent }),
            (["Returned by ", "; returned by "], if is_same { &[] } else { returned }),
            (["Error of ", "; error of "], failing),
        ];
        let mut sentence: Option<Inline> = None;
        for ([first, next], operations) in uses {
            let Some(links) = links(operations) else { continue };
            sentence = Some(match sentence {
                None => text!("{}{}", first, links),
                Some(before) => text!("{}{}{}", before, next, links),
            });
        }
        match sentence {
            Some(sentence) => doc.paragraph(text!("{}.", sentence)),
            None => doc,
        }
    }
}

/// Writes links to the first operations.
fn links(operations: &[(&Resource, &Operation)]) -> Option<Inline> {
    let links =
        operations.iter().take(NAMED).map(|(resource, operation)| link(resource, operation));
    let links = links.reduce(|links, link| text!("{}, {}", links, link))?;
    Some(match operations.len().saturating_sub(NAMED) {
        0 => links,
        others => text!("{} and {} more", links, others),
    })
}

/// Writes a link to the method of an operation.
pub fn link(resource: &Resource, operation: &Operation) -> Inline {
    let method = &operation.method_name;
    let call = Inline::code(&resource.call(method));
    text!("[{}](crate::{}::{})", call, requests::owner(resource), method)
}
