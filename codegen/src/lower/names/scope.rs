//! Who has a name where several want it.
//!
//! Names are given in an order that only the contents of the claims decide, so that the order of a document changes
//! nothing, and whoever comes later by that order takes a name out of its own content. What is added to a document
//! renames nothing unless it spells the same words more plainly; then a note names both places.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use super::case;
use crate::diagnostics::{Diagnostics, Place};
use crate::document::Pointer;

/// Whose claim to a name goes before whose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// The document, or whoever runs the generator, asks for this very name.
    Pinned,
    /// The document has a word for it: a property, a component, a parameter of the path.
    Named,
    /// As [`Named`](Self::Named), but in a place that yields: a parameter of the query.
    Second,
    /// As [`Second`](Self::Second): a header.
    Third,
    /// As [`Third`](Self::Third): a property of the body.
    Fourth,
    /// The name is made up out of where something stands.
    MadeUp,
}

/// A claim to a name.
#[derive(Clone, Debug)]
pub struct Claim<'a> {
    /// How it stands beside other claims.
    pub standing: Standing,
    /// What the name is made of, as the document writes it.
    pub raw: &'a str,
    /// Where that is written.
    pub pointer: &'a Pointer,
}

/// Gives each claim a name of its own. `candidate` makes the name that a claim wants at each attempt; attempts beyond
/// every collision must exist. `what` says what collides: "the field `Step::kind`".
pub fn assign<N: Clone + Eq + Hash>(
    claims: &[Claim<'_>],
    candidate: impl Fn(usize, usize) -> N,
    what: impl Fn(&N) -> String,
    diagnostics: &mut Diagnostics,
) -> Vec<N> {
    let ranks: Vec<_> = claims
        .iter()
        .map(|claim| (claim.standing, case::unusualness(claim.raw), claim.raw))
        .collect();
    let place = |index: usize| claims[index].pointer.to_string();
    let mut order: Vec<usize> = (0..claims.len()).collect();
    order.sort_by(|&left, &right| {
        ranks[left].cmp(&ranks[right]).then_with(|| place(left).cmp(&place(right)))
    });
    let mut holders: HashMap<N, usize> = HashMap::with_capacity(claims.len());
    let mut names: Vec<Option<N>> = vec![None; claims.len()];
    for index in order {
        let mut wanted = None;
        for attempt in 0.. {
            let name = candidate(index, attempt);
            match holders.entry(name.clone()) {
                Entry::Vacant(room) => {
                    room.insert(index);
                    if let Some((first, holder)) = wanted {
                        report(
                            &claims[index],
                            &claims[holder],
                            &what(&first),
                            &what(&name),
                            diagnostics,
                        );
                    }
                    names[index] = Some(name);
                    break;
                }
                Entry::Occupied(holder) => {
                    let holder = *holder.get();
                    wanted.get_or_insert((name, holder));
                }
            }
        }
    }
    names.into_iter().flatten().collect()
}

fn report(
    claim: &Claim<'_>,
    holder: &Claim<'_>,
    wanted: &str,
    given: &str,
    diagnostics: &mut Diagnostics,
) {
    diagnostics
        .note(
            "name-collision",
            Place::key(claim.pointer),
            format!("{wanted} exists already; this is {given}"),
        )
        .related(Place::key(holder.pointer), "this has the name")
        .help("choose another name with `x-rust-name`");
}
