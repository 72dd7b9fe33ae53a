//! Responses with related objects.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use super::path::{self, Selectors};
use super::typed_object::TypedObject;

/// A response with related objects in its property `expanded`, which the paths of its views lead to.
pub trait Expanded {
    /// Returns the related objects, none if the response has none.
    fn expanded(&self) -> &[TypedObject];
}

impl Expanded for [TypedObject] {
    fn expanded(&self) -> &[TypedObject] {
        self
    }
}

impl Expanded for Vec<TypedObject> {
    fn expanded(&self) -> &[TypedObject] {
        self
    }
}

/// The related objects that a path leads to, each once, in the order of the path.
///
/// A path is a JSONPath (RFC 9535) of the form `$.expanded[3]`, with one index or several, negative ones from the end,
/// or `*`. Any other path, and an index without an object, selects nothing.
#[derive(Clone)]
pub struct RelatedObjects<'a> {
    expanded: &'a [TypedObject],
    selectors: Selectors<'a>,
    /// The indices that the current selector still selects.
    current: Range<usize>,
    /// The indices of the objects that were returned.
    seen: BTreeSet<usize>,
}

/// Returns the objects that a path of a view leads to.
#[doc(hidden)]
pub fn related<'a>(
    reply: &'a (impl Expanded + ?Sized),
    path: Option<&'a str>,
) -> RelatedObjects<'a> {
    let selectors = path::parse(path.unwrap_or_default());
    let expanded = reply.expanded();
    RelatedObjects { expanded, selectors, current: 0..0, seen: BTreeSet::new() }
}

impl<'a> Iterator for RelatedObjects<'a> {
    type Item = &'a TypedObject;

    fn next(&mut self) -> Option<&'a TypedObject> {
        // A path can select all objects again and again.
        while self.seen.len() < self.expanded.len() {
            match self.current.next() {
                None => self.current = self.selectors.next()?.select(self.expanded.len()),
                Some(index) if self.seen.insert(index) => return self.expanded.get(index),
                Some(_) => {}
            }
        }
        None
    }
}

impl fmt::Debug for RelatedObjects<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
