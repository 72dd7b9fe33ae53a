//! Responses with related objects.

use std::{fmt, vec};

use super::path;
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
    indices: vec::IntoIter<usize>,
}

/// Returns the objects that a path of a view leads to.
#[doc(hidden)]
pub fn related<'a>(
    reply: &'a (impl Expanded + ?Sized),
    path: Option<&'a str>,
) -> RelatedObjects<'a> {
    let expanded = reply.expanded();
    let indices = path.and_then(|path| path::selected(path, expanded.len()));
    RelatedObjects { expanded, indices: indices.unwrap_or_default().into_iter() }
}

impl<'a> Iterator for RelatedObjects<'a> {
    type Item = &'a TypedObject;

    fn next(&mut self) -> Option<&'a TypedObject> {
        self.expanded.get(self.indices.next()?)
    }
}

impl fmt::Debug for RelatedObjects<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
