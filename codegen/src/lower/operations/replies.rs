//! The replies of an operation: the successful ones, and the bodies of errors.

use super::bodies::{Bodies, Replying};
use super::failures::{self, FailureEnums};
use super::headers;
use super::successes;
use crate::diagnostics::Cost;
use crate::document::{Kind, StatusKey, View};
use crate::ir::{Failures, ReplyHeader, Status, Successes};
use crate::lower::references;
use crate::lower::schemas::Schemas;

/// The replies of an operation.
#[derive(Debug)]
pub struct Replies {
    pub successes: Successes,
    pub failures: Option<Failures>,
    pub headers: Vec<ReplyHeader>,
    /// Whether successful replies have the header `Link`.
    pub has_links: bool,
}

/// Lowers the replies of an operation. Declared redirects are successful. The default response is that of errors, and a
/// successful one if there is no other.
pub fn replies<'d>(
    replying: Replying<'_, 'd>,
    enums: &mut FailureEnums,
    schemas: &mut Schemas<'_, 'd>,
) -> Replies {
    let document = schemas.context.document;
    let mut responses: Vec<(Status, View<'d>)> = Vec::new();
    for (key, view) in replying.operation.responses() {
        let kind = Kind::Response;
        let cost = Cost::Reply;
        let response = references::followed(document, &view, kind, cost, schemas.diagnostics);
        responses.extend(response.map(|response| (status(key), response)));
    }
    responses.sort_by_key(|(status, _)| *status);
    let all = responses.iter().map(|(_, response)| response);
    let headers = headers::headers(all, schemas.context, schemas.diagnostics);
    let is_own = |status: Status| [2, 3].iter().any(|it| Status::Range(*it).contains(status));
    let has_own = replying.operation.responses().any(|(key, _)| is_own(status(key)));
    let is_success = |status| is_own(status) || status == Status::Default && !has_own;
    let is_success = |(status, _): &&(Status, View<'d>)| is_success(*status);
    let successes: Vec<_> = responses.iter().filter(is_success).cloned().collect();
    let has_links = successes
        .iter()
        .flat_map(|(_, response)| response.map("headers"))
        .any(|(name, _)| name.eq_ignore_ascii_case("link"));
    let mut bodies = Bodies::default();
    let successes = successes::successes(replying, &successes, &mut bodies, schemas);
    let failures = failures::failures(replying, &responses, &mut bodies, enums, schemas);
    let failures = failures.filter(|_| !replying.is_head);
    Replies { successes, failures, headers, has_links }
}

fn status(key: StatusKey) -> Status {
    match key {
        StatusKey::Code(code) => Status::Code(code),
        StatusKey::Range(first) => Status::Range(first),
        StatusKey::Default => Status::Default,
    }
}
