//! The replies of an operation: the successful ones, and the bodies of errors.

use super::bodies::ReplyReader;
use super::failures::FailureEnums;
use super::headers;
use crate::document::{Kind, StatusKey, View};
use crate::ir::{Failures, ReplyHeader, Status, Successes};

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
pub fn replies(mut reader: ReplyReader<'_, '_, '_>, enums: &mut FailureEnums) -> Replies {
    let context = reader.schemas.context;
    let mut responses: Vec<(Status, View<'_>)> = Vec::new();
    for (key, view) in reader.operation.responses() {
        let response = context.item(&view, Kind::Response);
        responses.extend(response.map(|response| (status(key), response)));
    }
    responses.sort_by_key(|(status, _)| *status);
    let all = responses.iter().map(|(_, response)| response);
    let headers = headers::headers(all, context);
    let is_own = |status: Status| [2, 3].iter().any(|it| Status::Range(*it).contains(status));
    let has_own = reader.operation.responses().any(|(key, _)| is_own(status(key)));
    let is_success = |status| is_own(status) || status == Status::Default && !has_own;
    let is_success = |(status, _): &&(Status, View<'_>)| is_success(*status);
    let successes: Vec<_> = responses.iter().filter(is_success).cloned().collect();
    let has_links = successes
        .iter()
        .flat_map(|(_, response)| response.map("headers"))
        .any(|(name, _)| name.eq_ignore_ascii_case("link"));
    let successes = reader.successes(&successes);
    let failures = reader.failures(&responses, enums).filter(|_| !reader.is_head);
    Replies { successes, failures, headers, has_links }
}

fn status(key: StatusKey) -> Status {
    match key {
        StatusKey::Code(code) => Status::Code(code),
        StatusKey::Range(first) => Status::Range(first),
        StatusKey::Default => Status::Default,
    }
}
