//! The successful response.

use crate::diagnostics::{Diagnostics, Place};
use crate::document::{Kind, StatusKey, View};
use crate::ir::{Media, MediaKind, Origin, Output, Type, essence};
use crate::lower::operations::media::kind;
use crate::lower::schemas::Schemas;
use crate::lower::{Owner, references};

/// The media types of a body, by name.
type Content<'d> = Vec<(&'d str, View<'d>)>;

/// Lowers the successful response: the body of the first status that has one in JSON. The default response counts as
/// successful if there is no other.
pub fn output<'d>(
    operation: &View<'d>,
    id: &str,
    owner: &Owner,
    schemas: &mut Schemas<'_, 'd>,
) -> Output {
    let document = schemas.context.document;
    let contents: Vec<Content<'d>> = successes(operation)
        .into_iter()
        .filter_map(|view| references::item(document, &view, Kind::Response, schemas.diagnostics))
        .map(|response| response.content().collect())
        .collect();
    let Some(media) = json_of(&contents) else {
        unsupported(&contents, schemas.diagnostics, |name| {
            let what = format!("responses of the type `{name}` are not decoded yet");
            (what, "read the bytes with `send_raw()`")
        });
        return Output::Nothing;
    };
    let origin = Origin::ResponseBody(id.to_owned());
    Output::Json(media_type(media, owner, "Response", origin, schemas))
}

/// Returns the successful responses, by status.
fn successes<'d>(operation: &View<'d>) -> Vec<View<'d>> {
    let is_of = |status: StatusKey, class| match status {
        StatusKey::Code(code) => code / 100 == class,
        StatusKey::Range(first) => u16::from(first) == class,
        StatusKey::Default => false,
    };
    let mut responses: Vec<_> = operation.responses().collect();
    responses.sort_by_key(|(status, _)| *status);
    let has_own = responses.iter().any(|(key, _)| is_of(*key, 2) || is_of(*key, 3));
    responses.retain(|(status, _)| match status {
        StatusKey::Default => !has_own,
        status => is_of(*status, 2),
    });
    responses.into_iter().map(|(_, response)| response).collect()
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
