//! An operation without its names.

use std::borrow::Cow;

use super::media::{MediaType, media_types};
use crate::document::{Kind, Status, View};
use crate::facts::Known;
use crate::ir::JsonKind;
use crate::lower::Context;
use crate::names::{self, Priority, Service};

/// An operation that is not named yet.
#[derive(Clone)]
pub struct Draft<'d> {
    pub(super) path: &'d str,
    pub(super) item: View<'d>,
    pub(super) verb: &'d str,
    pub(super) operation: View<'d>,
    /// The `operationId`, derived from verb and path if there is none in the document.
    pub(super) id: Cow<'d, str>,
    /// The service of the `operationId`, if it has one.
    pub(super) service: Option<Service<'d>>,
    /// The rest of the `operationId`, without verb and path at its end.
    pub(super) method: Cow<'d, str>,
    /// The precedence of the name of the method without the words of the tag.
    pub(super) priority: Priority,
    /// Whether the operation is a GET of a list.
    returns_list: bool,
    pub(super) tag: Option<&'d str>,
    /// The request body, and the media type of this request.
    pub(super) body: Option<(View<'d>, MediaType<'d>)>,
    /// The words for the media type, if it is not the default of the operation.
    pub(super) labels: Option<[String; 2]>,
}

impl<'d> Draft<'d> {
    /// Reads an operation of a path. `prefix` has the segments at the beginning of most paths.
    pub fn new(
        path: &'d str,
        prefix: &[&str],
        item: View<'d>,
        verb: &'d str,
        operation: View<'d>,
        known: &Known<'d>,
    ) -> Self {
        let tag = operation.texts("tags").next().filter(|tag| !tag.is_empty());
        let returns_list = verb == "GET" && returns_list(&operation, known);
        let declared = operation.text("operationId");
        let is_post = declared.is_some_and(|id| id.to_ascii_lowercase().starts_with("post"));
        let derived = |path: &str| Cow::from(names::derived(verb, path, returns_list, is_post));
        // Where the words of the tag follow the prefix, the name begins with them.
        let resource = tag.map(names::snake);
        let begins = |method: &Cow<'_, str>| {
            let resource = resource.as_deref();
            resource.is_some_and(|it| names::without_resource(method, it, false) != *method)
        };
        let whole = derived(path);
        let own = names::after_prefixes(path, prefix).map(derived).find(begins);
        let own = own.unwrap_or_else(|| whole.clone());
        let (id, service, method) = if let Some(id) = declared {
            match names::split(id) {
                _ if names::is_route(id, verb, path) => (id.into(), None, own.clone()),
                (None, _) => (id.into(), None, names::without_route(id, verb, path)),
                (service, method) => (id.into(), service, method),
            }
        } else {
            (whole.clone(), None, own.clone())
        };
        // A path outside of the prefix does not take over the name.
        let is_own = service.is_none() && method != whole && method == own;
        let priority = if is_own { Priority::Declared } else { Priority::Derived };
        Self {
            path,
            item,
            verb,
            operation,
            id,
            service,
            method,
            priority,
            returns_list,
            tag,
            body: None,
            labels: None,
        }
    }

    /// Returns a request for each media type of the body.
    pub fn requests(self, context: &Context<'d>) -> Vec<Self> {
        let body = self.operation.child("requestBody");
        let body = body.and_then(|body| context.item(&body, Kind::RequestBody));
        let Some(body) = body else { return vec![self] };
        let requests =
            media_types(&body, &context.reading).into_iter().enumerate().map(|(index, media)| {
                let labels = (index > 0).then(|| MediaType::labels(&media.name));
                Self { body: Some((body.clone(), media)), labels, ..self.clone() }
            });
        let requests: Vec<_> = requests.collect();
        if requests.is_empty() { vec![self] } else { requests }
    }

    /// Returns whether the operation reads one resource: its path ends with a parameter, and it does not return a list.
    pub fn gets_one(&self) -> bool {
        let ends_with_parameter = self.path.trim_end_matches('/').ends_with('}');
        self.verb == "GET" && ends_with_parameter && !self.returns_list
    }

    /// Returns whether another handle can have the same method: the `operationId` has a service or a path as well.
    pub fn is_part(&self) -> bool {
        self.service.is_some() || names::without_route(&self.id, self.verb, self.path) != self.id
    }

    /// Returns the words that distinguish the operation from all others: verb and path.
    pub fn route(&self) -> String {
        format!("_{}_{}", self.verb.to_lowercase(), self.path)
    }
}

fn returns_list<'d>(operation: &View<'d>, known: &Known<'d>) -> bool {
    let successes = operation.responses().filter(|(key, _)| matches!(key, Status::Code(200..=299)));
    let replies = successes.filter_map(|(_, reply)| reply.followed());
    let media = replies.flat_map(|reply| reply.content());
    let mut schemas = media.filter_map(|(_, media)| media.schema());
    schemas.any(|schema| known.values(&schema).only_kind() == Some(JsonKind::Array))
}
