//! The bodies of replies, and the words for statuses.

use super::media::ReplyKind;
use crate::document::{Schema, View};
use crate::ir::{
    Content, Docs, Origin, ReplyEnum, ReplyPart, ReplyVariant, Shape, Status, Type, TypeId,
};
use crate::lower::Owner;
use crate::lower::schemas::Schemas;
use crate::names;

/// The replies of an operation while they are lowered.
pub struct ReplyReader<'a, 's, 'd> {
    pub operation: &'a View<'d>,
    /// The `operationId`.
    pub id: &'a str,
    /// The owner of its inline types.
    pub owner: &'a Owner,
    /// Whether replies have no bodies, such as replies to HEAD.
    pub is_head: bool,
    /// The JSON bodies. Equal inline schemas are one type.
    pub bodies: Vec<(View<'d>, Content)>,
    pub schemas: &'a mut Schemas<'s, 'd>,
}

impl<'d> ReplyReader<'_, '_, 'd> {
    /// Lowers JSON of a media type that has a schema. Its type is named after a word if it is inline.
    pub fn json(&mut self, word: &str, media: &View<'d>, schema: &Schema<'d>) -> Content {
        if let Some((_, content)) = self.bodies.iter().find(|(other, _)| schema.is_same(other)) {
            if let Content::Json(ty) = content {
                self.schemas.sites.roots.insert(schema.pointer.clone(), ty.clone());
            }
            return content.clone();
        }
        let owner = self.owner.at(&media.pointer, word, self.origin());
        let content = Content::Json(self.schemas.received_type_of(schema, &owner));
        self.bodies.push(((**schema).clone(), content.clone()));
        content
    }

    pub fn origin(&self) -> Origin {
        Origin::ResponseBody(self.id.to_owned())
    }

    /// Defines the enum of several contents.
    pub fn define(
        &mut self,
        variants: Vec<ReplyVariant>,
        part: ReplyPart,
        owner: &Owner,
    ) -> TypeId {
        let pointer = self.operation.pointer.join("responses");
        let types = &mut self.schemas.types;
        let id = types.reserve();
        let shape = Shape::Reply(ReplyEnum { variants, part });
        types.place(id, &pointer, owner, Docs::default(), shape);
        id
    }

    pub fn body(&mut self, word: &str, kind: ReplyKind, media: &View<'d>) -> Content {
        match (kind, media.schema()) {
            (ReplyKind::Json, Some(schema)) => self.json(word, media, &schema),
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
            let reason = names::http_reason(code);
            reason.map_or_else(|| format!("Status{code}"), names::camel)
        }
        Status::Range(2) => "Success".to_owned(),
        Status::Range(3) => "Redirection".to_owned(),
        Status::Range(4) => "ClientError".to_owned(),
        Status::Range(_) => "ServerError".to_owned(),
        Status::Default => "Error".to_owned(),
    }
}
