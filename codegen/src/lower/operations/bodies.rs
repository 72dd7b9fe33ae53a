//! The JSON bodies of replies, and the words for statuses.

use http::StatusCode;

use super::media::ReplyKind;
use crate::document::{Schema, View};
use crate::ir::{Content, Origin, Status, Type};
use crate::lower::Owner;
use crate::lower::schemas::Schemas;
use crate::names;

/// An operation whose replies are lowered.
#[derive(Clone, Copy)]
pub struct Replying<'a, 'd> {
    /// The Operation Object.
    pub operation: &'a View<'d>,
    /// The `operationId`.
    pub id: &'a str,
    /// The owner of its inline types.
    pub owner: &'a Owner,
    /// Whether replies have no bodies, such as replies to HEAD.
    pub is_head: bool,
}

/// The JSON bodies of the replies of an operation. Equal inline schemas are one type.
#[derive(Debug, Default)]
pub struct Bodies<'d>(Vec<(View<'d>, Content)>);

impl<'d> Bodies<'d> {
    /// Lowers JSON of a media type that has a schema. Its type is named after a word if it is inline.
    pub fn of_schema(
        &mut self,
        replying: Replying<'_, 'd>,
        word: &str,
        (media, schema): (&View<'d>, &Schema<'d>),
        schemas: &mut Schemas<'_, 'd>,
    ) -> Content {
        if let Some((_, content)) = self.0.iter().find(|(other, _)| schema.is_same(other)) {
            return content.clone();
        }
        let origin = Origin::ResponseBody(replying.id.to_owned());
        let owner = replying.owner.at(&media.pointer, word, origin);
        let content = Content::Json(schemas.received_type_of(schema, &owner));
        self.0.push(((**schema).clone(), content.clone()));
        content
    }

    /// Lowers a body of any form.
    pub fn of_kind(
        &mut self,
        replying: Replying<'_, 'd>,
        word: &str,
        (kind, media): (ReplyKind, &View<'d>),
        schemas: &mut Schemas<'_, 'd>,
    ) -> Content {
        match (kind, media.schema()) {
            (ReplyKind::Json, Some(schema)) => {
                self.of_schema(replying, word, (media, &schema), schemas)
            }
            (ReplyKind::Json, None) => Content::Json(Type::Value),
            (ReplyKind::Text | ReplyKind::Events | ReplyKind::Lines, _) => Content::Text,
            (ReplyKind::Bytes, _) => Content::Bytes,
        }
    }
}

/// Returns the word for a status in the names of types and variants.
pub fn word(status: Status) -> String {
    match status {
        Status::Code(code) => {
            let reason = http_reason(code);
            reason.map_or_else(|| format!("Status{code}"), names::camel)
        }
        Status::Range(2) => "Success".to_owned(),
        Status::Range(4) => "ClientError".to_owned(),
        Status::Range(_) => "ServerError".to_owned(),
        Status::Default => "Error".to_owned(),
    }
}

/// Returns the reason phrase of a status, by the words of RFC 9110, section 15, where the library has older ones.
fn http_reason(code: u16) -> Option<&'static str> {
    let phrase = StatusCode::from_u16(code).ok()?.canonical_reason()?;
    Some(match code {
        413 => "Content Too Large",
        422 => "Unprocessable Content",
        _ => phrase,
    })
}
