//! The replies of an operation: the successful ones, and the bodies of errors.

use super::failures::{self, FailureEnums, Replying};
use super::media::kind;
use crate::diagnostics::{Diagnostics, Place};
use crate::document::{Kind, StatusKey, View};
use crate::ir::{Failures, Media, MediaKind, Origin, Output, Type, essence};
use crate::lower::schemas::Schemas;
use crate::lower::{Owner, references};

/// The replies of an operation.
#[derive(Debug)]
pub struct Replies {
    pub output: Output,
    pub failures: Option<Failures>,
}

/// The media types of a body, by name.
type Content<'d> = Vec<(&'d str, View<'d>)>;

/// Lowers the replies of an operation. The default response is a successful one if there is no other.
pub fn replies<'d>(
    replying: Replying<'_, 'd>,
    enums: &mut FailureEnums,
    schemas: &mut Schemas<'_, 'd>,
) -> Replies {
    let document = schemas.context.document;
    let mut responses: Vec<(StatusKey, View<'d>)> = Vec::new();
    for (status, view) in replying.operation.responses() {
        let kind = Kind::Response;
        let response = references::optional_item(document, &view, kind, schemas.diagnostics);
        responses.extend(response.map(|response| (status, response)));
    }
    responses.sort_by_key(|(status, _)| *status);
    let is_of = |status: StatusKey, class| match status {
        StatusKey::Code(code) => code / 100 == class,
        StatusKey::Range(first) => u16::from(first) == class,
        StatusKey::Default => false,
    };
    let keys = replying.operation.responses().map(|(key, _)| key);
    let has_own = keys.into_iter().any(|key| is_of(key, 2) || is_of(key, 3));
    let is_success = |status| match status {
        StatusKey::Default => !has_own,
        status => is_of(status, 2),
    };
    let (successes, others): (Vec<_>, Vec<_>) =
        responses.into_iter().partition(|(status, _)| is_success(*status));
    let output = output(replying, &successes, schemas);
    let failures = failures::failures(replying, &others, enums, schemas);
    Replies { output, failures }
}

/// Lowers the successful response: the body of the first status that has one in JSON.
fn output<'d>(
    replying: Replying<'_, 'd>,
    successes: &[(StatusKey, View<'d>)],
    schemas: &mut Schemas<'_, 'd>,
) -> Output {
    let contents: Vec<Content<'d>> =
        successes.iter().map(|(_, response)| response.content().collect()).collect();
    let Some(media) = json_of(&contents) else {
        unsupported(&contents, schemas.diagnostics, |name| {
            let what = format!("responses of the type `{name}` are not decoded yet");
            (what, "read the bytes with `send_raw()`")
        });
        return Output::Nothing;
    };
    let origin = Origin::ResponseBody(replying.id.to_owned());
    Output::Json(media_type(media, replying.owner, "Response", origin, schemas))
}

/// Returns the media type of the first body in JSON: `application/json`, or else the first that is JSON.
fn json_of<'m, 'd>(contents: &'m [Content<'d>]) -> Option<&'m View<'d>> {
    contents.iter().find_map(|content| {
        let json = content.iter().filter(|(name, media)| kind(name, media) == MediaKind::Json);
        json.min_by_key(|(name, _)| essence(name) != Media::JSON).map(|(_, media)| media)
    })
}

/// Warns of the first media type of bodies without JSON; `describe` returns the message and the help text.
fn unsupported(
    contents: &[Content<'_>],
    diagnostics: &mut Diagnostics,
    describe: impl Fn(&str) -> (String, &'static str),
) {
    if let Some((name, media)) = contents.iter().flatten().next() {
        let (message, help) = describe(name);
        diagnostics.warning("unsupported", Place::key(&media.pointer), message).help(help);
    }
}

fn media_type<'d>(
    media: &View<'d>,
    owner: &Owner,
    word: &str,
    origin: Origin,
    schemas: &mut Schemas<'_, 'd>,
) -> Type {
    let Some(schema) = media.schema() else { return Type::Value };
    let owner = schemas.context.owner_at(&media.pointer, owner, word, origin);
    schemas.received_type_of(&schema, &owner)
}
