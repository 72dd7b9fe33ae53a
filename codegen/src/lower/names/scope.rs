//! Names without collisions.
//!
//! Names are assigned in an order that depends only on the contents of the claims, not on the order of the document. A
//! later claim to the same name extends it from its own content. An addition to a document renames nothing unless it is a
//! more ordinary spelling of the same words; then a note names both places.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::Hash;

use super::case;
use crate::diagnostics::{Diagnostics, Place};
use crate::document::Pointer;

/// The precedence of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// The name is chosen by `x-rust-name` or by the caller.
    Pinned,
    /// The name is in the document: a property, a component, a path parameter.
    Named,
    /// The name of a query parameter.
    Second,
    /// The name of a header.
    Third,
    /// The name of a property of the body.
    Fourth,
    /// The name is made up from the context.
    MadeUp,
}

/// A claim to a name.
#[derive(Clone, Debug)]
pub struct Claim<'a> {
    /// Its precedence.
    pub standing: Standing,
    /// The name in the spelling of the document.
    pub raw: Cow<'a, str>,
    /// The JSON pointer to it.
    pub pointer: &'a Pointer,
    /// What the name is made from: the first of these that makes one that is not taken. The last is spelled out if all are.
    pub wordings: Vec<Cow<'a, str>>,
}

impl<'a> Claim<'a> {
    /// Returns a claim to the name of something in the document.
    pub fn new(raw: impl Into<Cow<'a, str>>, pointer: &'a Pointer) -> Self {
        let raw = raw.into();
        Self { standing: Standing::Named, wordings: vec![raw.clone()], raw, pointer }
    }

    /// Returns the claim with a name that is preferred to all others, if there is one.
    #[must_use]
    pub fn pinned(mut self, pin: Option<String>) -> Self {
        if let Some(pin) = pin {
            self.standing = Standing::Pinned;
            self.wordings.insert(0, pin.into());
        }
        self
    }

    /// Returns what the name is made from at each attempt.
    pub fn wording(&self, attempt: usize) -> Cow<'_, str> {
        match (self.wordings.get(attempt), self.wordings.last()) {
            (Some(wording), _) => Cow::Borrowed(wording),
            (None, last) => {
                let last = last.unwrap_or(&self.raw);
                case::spelling(last, attempt + 1 - self.wordings.len())
            }
        }
    }
}

/// Assigns a unique name to each claim. `name` makes the name of a claim, by its index, from a wording. `what` describes a
/// name in messages: "the field `Step::kind`".
pub fn assign<'a, N: Clone + Eq + Hash>(
    claims: impl IntoIterator<Item = Claim<'a>>,
    name: impl Fn(usize, &str) -> N,
    what: impl Fn(&N) -> String,
    diagnostics: &mut Diagnostics,
) -> Vec<N> {
    let claims: Vec<Claim<'_>> = claims.into_iter().collect();
    let rank = |claim: &Claim<'a>| (claim.standing, case::unusualness(&claim.raw));
    let ranks: Vec<_> = claims.iter().map(rank).collect();
    let mut order: Vec<usize> = (0..claims.len()).collect();
    order.sort_by(|&one, &other| {
        let place = |index: usize| claims[index].pointer.to_string();
        let by_name = (ranks[one], &claims[one].raw).cmp(&(ranks[other], &claims[other].raw));
        by_name.then_with(|| place(one).cmp(&place(other)))
    });
    let mut holders: HashMap<N, usize> = HashMap::with_capacity(claims.len());
    let mut names: Vec<Option<N>> = vec![None; claims.len()];
    for index in order {
        let claim = &claims[index];
        let mut wanted = None;
        let mut attempt = 0;
        let name = loop {
            let name = name(index, &claim.wording(attempt));
            let Some(&holder) = holders.get(&name) else { break name };
            wanted.get_or_insert((name, holder));
            attempt += 1;
        };
        if let Some((first, holder)) = wanted {
            let message = format!("{} already exists; this one is {}", what(&first), what(&name));
            diagnostics
                .note("name-collision", Place::key(claim.pointer), message)
                .related(Place::key(claims[holder].pointer), "the name is used here")
                .help("choose another name with `x-rust-name`");
        }
        holders.insert(name.clone(), index);
        names[index] = Some(name);
    }
    names.into_iter().flatten().collect()
}
