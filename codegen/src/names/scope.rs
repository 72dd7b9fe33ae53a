//! Names without collisions.
//!
//! Names are assigned in an order that depends only on the contents of the requests, not on the order of the document.
//! A later request for the same name extends it from its own content. An addition to a document renames nothing unless
//! it is a more ordinary spelling of the same words, or a value with the same words; then a note names both places.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::Hash;

use super::case;
use crate::diagnostics::{Code, Diagnostics, Place};
use crate::source_map::Pointer;

/// The precedence of a request for a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// A name pinned by `x-rust-name` or the caller.
    Pinned,
    /// A name in the document: of a property, a component, a path parameter.
    Declared,
    /// The name of a query parameter.
    Query,
    Header,
    /// The name of a property of the body, as an argument.
    BodyField,
    /// A name derived from the context.
    Derived,
    /// A value of an enum. If several values want the same name, none gets it: a program that uses it would compile,
    /// but send another value, when the document changes its owner.
    Value,
}

#[derive(Clone, Debug)]
pub struct NameRequest<'a> {
    /// Its precedence.
    pub priority: Priority,
    /// The name in the spelling of the document.
    pub raw: Cow<'a, str>,
    pub pointer: &'a Pointer,
    /// The candidates for the name. The first free one is used; if none is, the symbols of the last are spelled out.
    pub candidates: Vec<Cow<'a, str>>,
    /// Whether the last candidate has a checksum.
    pub is_hashed: bool,
}

impl<'a> NameRequest<'a> {
    /// Returns a request for the name of an element of the document.
    pub fn new(raw: impl Into<Cow<'a, str>>, pointer: &'a Pointer) -> Self {
        let raw = raw.into();
        let candidates = vec![raw.clone()];
        Self { priority: Priority::Declared, candidates, raw, pointer, is_hashed: false }
    }

    /// Returns the request with a pinned name, if there is one.
    #[must_use]
    pub fn pinned(mut self, pin: Option<String>) -> Self {
        if let Some(pin) = pin {
            self.priority = Priority::Pinned;
            self.candidates.insert(0, pin.into());
        }
        self
    }

    pub fn candidate(&self, attempt: usize) -> Cow<'_, str> {
        match (self.candidates.get(attempt), self.candidates.last()) {
            (Some(candidate), _) => Cow::Borrowed(candidate),
            (None, last) => {
                let last = last.unwrap_or(&self.raw);
                case::spelling(last, attempt + 1 - self.candidates.len())
            }
        }
    }
}

/// Assigns a unique name to each request. `name` turns a candidate into a name for the request with an index. `what`
/// describes a name in messages: "the field `Step::kind`". Compiled once for each kind of names, and not for each function
/// that makes them.
pub fn assign<N: Clone + Eq + Hash>(
    requests: &[NameRequest<'_>],
    name: &dyn Fn(usize, &str) -> N,
    what: &dyn Fn(&N) -> String,
    diagnostics: &mut Diagnostics,
) -> Vec<N> {
    let order = order(requests);
    let mut holders = shared(requests, &order, name);
    let mut names: Vec<Option<N>> = vec![None; requests.len()];
    for index in order {
        let request = &requests[index];
        let mut wanted = None;
        let mut attempt = 0;
        let name = loop {
            let name = name(index, &request.candidate(attempt));
            let Some(&holder) = holders.get(&name) else { break name };
            wanted.get_or_insert((name, holder));
            attempt += 1;
        };
        let is_in_body = |at: usize| requests[at].priority == Priority::BodyField;
        // A parameter and a property of the body often have the same name, as two in one place never should.
        let is_noted = |holder: usize| {
            let is_common = is_in_body(index) && !is_in_body(holder);
            holder != index && !(is_common && request.raw == requests[holder].raw)
        };
        if request.is_hashed && attempt + 1 >= request.candidates.len() {
            hashed(&what(&name), request.pointer, diagnostics);
        } else if let Some((first, holder)) = wanted.filter(|(_, holder)| is_noted(*holder)) {
            let (taken, other) = match request.priority {
                Priority::Value => ("would be two values", "the other one is here"),
                _ => ("already exists", "the name is used here"),
            };
            let message = format!("{} {taken}; this one is {}", what(&first), what(&name));
            let place = if is_in_body(index) { " in the parameter or the property" } else { "" };
            diagnostics
                .report(Code::NameCollision, Place::key(request.pointer), message)
                .related(Place::key(requests[holder].pointer), other)
                .help(format!("choose another name with `x-rust-name`{place}"));
        }
        holders.insert(name.clone(), index);
        names[index] = Some(name);
    }
    names.into_iter().flatten().collect()
}

/// Returns the indices of requests in the order in which they get names.
fn order(requests: &[NameRequest<'_>]) -> Vec<usize> {
    let ranks = requests.iter().map(|it| (it.priority, case::unusualness(&it.raw)));
    let ranks: Vec<_> = ranks.collect();
    let mut order: Vec<usize> = (0..requests.len()).collect();
    order.sort_by(|&one, &other| {
        let place = |index: usize| requests[index].pointer.to_string();
        let by_name = (ranks[one], &requests[one].raw).cmp(&(ranks[other], &requests[other].raw));
        by_name.then_with(|| place(one).cmp(&place(other)))
    });
    order
}

/// Warns of a name with a checksum, which that of a place replaces.
pub fn hashed(name: &str, pointer: &Pointer, diagnostics: &mut Diagnostics) {
    let message = format!("{name} is named by a checksum, which other content changes");
    let help = format!("choose a name: add `\"{pointer}\" = \"…\"` to `[renames]` in codegen.toml");
    diagnostics.report(Code::HashedName, Place::key(pointer), message).help(help);
}

/// Returns the names that several values want, each with the first of these values.
fn shared<N: Clone + Eq + Hash>(
    requests: &[NameRequest<'_>],
    order: &[usize],
    name: &dyn Fn(usize, &str) -> N,
) -> HashMap<N, usize> {
    let mut shared: HashMap<N, usize> = HashMap::with_capacity(requests.len());
    let mut values = order.to_vec();
    values.retain(|index| requests[*index].priority == Priority::Value);
    loop {
        let mut wanted: HashMap<N, Vec<usize>> = HashMap::new();
        for &index in &values {
            let mut names = (0..).map(|attempt| name(index, &requests[index].candidate(attempt)));
            if let Some(free) = names.find(|name| !shared.contains_key(name)) {
                wanted.entry(free).or_default().push(index);
            }
        }
        let known = shared.len();
        let several = wanted.into_iter().filter(|(_, values)| values.len() > 1);
        shared.extend(several.map(|(name, values)| (name, values[0])));
        if shared.len() == known {
            return shared;
        }
    }
}
