//! The body of a request and the response of a success.

use crate::diagnostics::Place;
use crate::document::{self, MediaType, StatusKey};
use crate::ir::{Access, Body, BodyField, Origin, Output, Shape, Struct, StructId, Type, TypeId};
use crate::lower::{Lowering, Owner};

impl<'d> Lowering<'d> {
    /// Lowers the body of a request.
    pub fn body(&mut self, operation: &'d document::Operation, id: &str, owner: &Owner) -> Body {
        let Some(body) = operation.request_body.as_ref().and_then(|body| self.body_at(body)) else {
            return Body::None;
        };
        let Some(media) = json(&body.content) else {
            if let Some(other) = body.content.first() {
                self.diagnostics
                    .warning(
                        "unsupported",
                        Place::key(&other.pointer),
                        format!(
                            "request bodies of the type `{}` are not supported yet",
                            other.name
                        ),
                    )
                    .help("the request is sent without a body");
            }
            return Body::None;
        };
        let Some(schema) = &media.schema else {
            return Body::Whole { ty: Type::Value, required: body.required };
        };
        let origin = Origin::RequestBody(id.to_owned());
        let owner = self.owner_at(&media.pointer, owner, "Request", origin);
        let ty = self.type_of(schema, &owner).ty;
        self.define_pending();
        match self.struct_of_type(&ty) {
            Some((_, object)) if object.is_empty() => Body::EmptyObject,
            Some((id, object)) => Body::Fields(id, body_fields(object)),
            None => Body::Whole { ty, required: body.required },
        }
    }

    /// Lowers the response of a success: the body of the first status that has one in JSON. The default response is that of
    /// a success where no other is.
    pub fn output(
        &mut self,
        operation: &'d document::Operation,
        id: &str,
        owner: &Owner,
    ) -> Output {
        let statuses = || operation.responses.iter().map(|(status, _)| *status);
        let wanted = if statuses().any(|status| is_success(status) || is_redirect(status)) {
            is_success
        } else {
            |status| status == StatusKey::Default
        };
        let mut successes: Vec<_> =
            operation.responses.iter().filter(|(status, _)| wanted(*status)).collect();
        successes.sort_by_key(|(status, _)| *status);
        let responses: Vec<_> =
            successes.into_iter().filter_map(|(_, response)| self.response_at(response)).collect();
        let Some(media) = responses.iter().find_map(|response| json(&response.content)) else {
            if let Some(other) = responses.iter().find_map(|response| response.content.first()) {
                self.diagnostics
                    .warning(
                        "unsupported",
                        Place::key(&other.pointer),
                        format!("responses of the type `{}` are not decoded yet", other.name),
                    )
                    .help("read the bytes with `send_raw()`");
            }
            return Output::Nothing;
        };
        let Some(schema) = &media.schema else {
            return Output::Json(Type::Value);
        };
        let origin = Origin::ResponseBody(id.to_owned());
        let owner = self.owner_at(&media.pointer, owner, "Response", origin);
        let ty = self.type_of(schema, &owner).ty;
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

fn json(content: &[MediaType]) -> Option<&MediaType> {
    let essence = |media: &MediaType| {
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
