//! One operation: its request and its response.

use super::Draft;
use super::bodies::ReplyReader;
use super::failures::FailureEnums;
use super::naming::Names;
use super::paging::Listing;
use super::replies::{self, Replies};
use super::{arguments, described, parameter, request_body, successes};
use crate::ir::{ModulePath, Operation, Origin};
use crate::lower::schemas::Schemas;
use crate::lower::{Owner, credentials, docs};

/// Lowers an operation.
pub fn operation<'d>(
    draft: &Draft<'d>,
    names: Names,
    enums: &mut FailureEnums,
    schemas: &mut Schemas<'_, 'd>,
) -> Operation {
    let context = schemas.context;
    let Draft { path, item, verb, operation, .. } = draft;
    let origin = Origin::Operation(draft.id.to_string());
    let owner = Owner::new(ModulePath::default(), &names.owner, origin);
    let described = described::parameters(draft, context);
    let (mut body, media) = request_body::request_body(draft, &owner, schemas);
    let arguments = arguments::names(&described, &mut body, operation, context);
    let parameters = parameter::parameters(described, arguments, &owner, schemas);
    let is_head = *verb == "HEAD";
    let (id, owner, bodies) = (&*draft.id, &owner, Vec::new());
    let reader = ReplyReader { operation, id, owner, is_head, bodies, schemas };
    let mut replies = replies::replies(reader, enums);
    successes::connect(&mut replies.successes, &mut body, &parameters, &schemas.types);
    let listing = Listing {
        draft,
        parameters: &parameters,
        body: &body,
        replies: &replies,
        types: &schemas.types,
        context,
    };
    let paging = listing.paging();
    let Replies { successes, failures, headers, .. } = replies;
    let description = operation.description().or(item.description());
    let summary = operation.text("summary").or(item.text("summary"));
    Operation {
        id: draft.id.to_string(),
        alias: draft.method.to_string(),
        method_name: names.method,
        builder: names.builder,
        summary: summary.map(str::to_owned),
        docs: docs(description, None, operation.deprecated()),
        http_method: (*verb).to_owned(),
        path: (*path).to_owned(),
        parameters,
        body,
        media,
        successes,
        failures,
        headers,
        paging,
        mask: None,
        expansion: None,
        wait: None,
        servers: context.servers.indexes(item, operation),
        credentials: credentials::requirement(operation, &context.security_keys),
        pointer: operation.pointer.to_string(),
    }
}
