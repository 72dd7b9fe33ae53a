//! The body of a request and the response of a success.

use crate::diagnostics::Place;
use crate::document::{self, Kind, MediaType, Operation, StatusKey};
use crate::ir::{Access, Body, BodyField, Origin, Output, Shape, Struct, StructId, Type, TypeId};
use crate::lower::{Lowering, Owner};

impl<'d> Lowering<'d> {
    /// Lowers the body of a request.
    pub fn body(&mut self, operation: &Operation<'d>, id: &str, owner: &Owner) -> Body {
        let body = operation.child("requestBody");
        let Some(body) = body.and_then(|body| self.item(&body, Kind::RequestBody)) else {
            return Body::None;
        };
        let body = document::Body(body);
        let content: Vec<_> = body.content().collect();
        let Some(media) = json(&content) else {
            if let Some(other) = content.first() {
                self.diagnostics
                    .warning(
                        "unsupported",
                        Place::key(&other.view.pointer),
                        format!(
                            "request bodies of the type `{}` are not supported yet",
                            other.name
                        ),
                    )
                    .help("the request is sent without a body");
            }
            return Body::None;
        };
        let Some(schema) = media.schema() else {
            return Body::Whole { ty: Type::Value, required: body.required() };
        };
        let origin = Origin::RequestBody(id.to_owned());
        let owner = self.owner_at(&media.view.pointer, owner, "Request", origin);
        let ty = self.type_of(&schema, &owner).ty;
        self.define_pending();
        match self.struct_of_type(&ty) {
            Some((_, object)) if object.is_empty() => Body::EmptyObject,
            Some((id, object)) => Body::Fields(id, body_fields(object)),
            None => Body::Whole { ty, required: body.required() },
        }
    }

    /// Lowers the response of a success: the body of the first status that has one in JSON. The default response is that of
    /// a success where no other is.
    pub fn output(&mut self, operation: &Operation<'d>, id: &str, owner: &Owner) -> Output {
        let mut statuses = operation.responses().map(|(status, _)| status);
        let wanted = if statuses.any(|status| is_success(status) || is_redirect(status)) {
            is_success
        } else {
            |status| status == StatusKey::Default
        };
        let mut successes: Vec<_> =
            operation.responses().filter(|(status, _)| wanted(*status)).collect();
        successes.sort_by_key(|(status, _)| *status);
        let responses = successes.into_iter();
        let contents: Vec<Vec<_>> = responses
            .filter_map(|(_, response)| self.item(&response, Kind::Response))
            .map(|response| document::Body(response).content().collect())
            .collect();
        let Some(media) = contents.iter().find_map(|content| json(content)) else {
            if let Some(other) = contents.iter().flatten().next() {
                self.diagnostics
                    .warning(
                        "unsupported",
                        Place::key(&other.view.pointer),
                        format!("responses of the type `{}` are not decoded yet", other.name),
                    )
                    .help("read the bytes with `send_raw()`");
            }
            return Output::Nothing;
        };
        let Some(schema) = media.schema() else {
            return Output::Json(Type::Value);
        };
        let origin = Origin::ResponseBody(id.to_owned());
        let owner = self.owner_at(&media.view.pointer, owner, "Response", origin);
        let ty = self.type_of(&schema, &owner).ty;
        self.define_pending();
        match self.struct_of_type(&ty) {
            Some((_, object)) if object.is_empty() => Output::EmptyObject,
            _ => Output::Json(ty),
        }
    }

    /// Returns the struct that a type is, if it is one.
    pub fn struct_of_type(&self, ty: &Type) -> Option<(StructId, &Struct)> {
        let Type::Named(id) = ty else {
            return None;
        };
        match self.types.get(id.index())?.as_ref()?.shape() {
            Shape::Struct(object) => Some((StructId::new(*id), object)),
            Shape::Enum(_) | Shape::Union(_) => None,
        }
    }

    /// Returns whether a type is an enum.
    pub fn is_enum(&self, id: TypeId) -> bool {
        let draft = self.types.get(id.index()).and_then(Option::as_ref);
        draft.is_some_and(|draft| matches!(draft.shape(), Shape::Enum(_)))
    }
}

fn json<'m, 'd>(content: &'m [MediaType<'d>]) -> Option<&'m MediaType<'d>> {
    let essence = |media: &MediaType<'d>| {
        media.name.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    };
    let exact = content.iter().find(|media| essence(media) == "application/json");
    let is_json =
        |essence: &str| matches!(essence, "text/json" | "*/*") || essence.ends_with("+json");
    exact.or_else(|| content.iter().find(|media| is_json(&essence(media))))
}

fn is_success(status: StatusKey) -> bool {
    match status {
        StatusKey::Code(code) => (200..300).contains(&code),
        StatusKey::Range(first) => first == 2,
        StatusKey::Default => false,
    }
}

fn is_redirect(status: StatusKey) -> bool {
    match status {
        StatusKey::Code(code) => (300..400).contains(&code),
        StatusKey::Range(first) => first == 3,
        StatusKey::Default => false,
    }
}

/// Returns the fields of a body that callers can set, with their names in the struct.
fn body_fields(object: &Struct) -> Vec<BodyField> {
    let fields = object.fields.iter().enumerate();
    let given = fields.filter(|(_, field)| field.access != Access::Read);
    given.map(|(index, field)| BodyField { index, name: field.name.clone() }).collect()
}
