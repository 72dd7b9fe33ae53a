//! An operation without its names.

use std::borrow::Cow;

use crate::document::View;
use crate::lower::names::{self, Service};

/// An operation that is not named yet.
pub struct Draft<'d> {
    pub(super) path: &'d str,
    pub(super) item: View<'d>,
    /// The HTTP method.
    pub(super) verb: &'static str,
    pub(super) operation: View<'d>,
    /// The `operationId`, derived from verb and path if there is none in the document.
    pub(super) id: Cow<'d, str>,
    /// The service of the `operationId`, if it has one.
    pub(super) service: Option<Service<'d>>,
    /// The rest of the `operationId`, without verb and path at its end.
    pub(super) method: Cow<'d, str>,
    /// The first tag.
    pub(super) tag: &'d str,
}

impl<'d> Draft<'d> {
    /// Reads an operation of a path.
    pub fn new(path: &'d str, item: View<'d>, verb: &'static str, operation: View<'d>) -> Self {
        let tag = operation.texts("tags").next().unwrap_or(UNTAGGED);
        let Some(id) = operation.text("operationId") else {
            let id = Cow::from(names::derived(verb, path));
            let method = id.clone();
            return Self { path, item, verb, operation, id, service: None, method, tag };
        };
        let (service, method) = names::split(id);
        let method = match service {
            Some(_) => method.into(),
            None => names::without_route(method, verb, path),
        };
        Self { path, item, verb, operation, id: id.into(), service, method, tag }
    }

    /// Returns whether the operation has a tag.
    pub fn is_tagged(&self) -> bool {
        self.tag != UNTAGGED
    }

    /// Returns the words that distinguish the operation from all others: verb and path.
    pub fn route(&self) -> String {
        format!("_{}_{}", self.verb.to_lowercase(), self.path)
    }
}

/// The tag of operations that have none.
const UNTAGGED: &str = "default";
