//! What a request sends and what a success returns.

use super::parameter::{self, Parameters};
use crate::diagnostics::Place;
use crate::document::{self, MediaType, StatusKey};
use crate::ir::{Access, Body, BodyMember, FieldName, Output, Shape, Struct, Type, TypeId};
use crate::lower::{Lowering, Owner};

impl<'d> Lowering<'d> {
    /// Lowers the body of a request.
    pub(crate) fn body(
        &mut self,
        operation: &'d document::Operation,
        parameters: &Parameters,
        owner: &Owner,
    ) -> Body {
        let Some(body) = operation.request_body.as_ref().and_then(|body| self.body_at(body)) else {
            return Body::None;
        };
        let Some(media) = json(&body.content) else {
            if let Some(other) = body.content.first() {
                self.diagnostics
                    .warning(
                        "unsupported",
                        Place::key(&other.pointer),
                        format!("bodies of the type `{}` have no setter yet", other.name),
                    )
                    .help("the request is sent without a body");
            }
            return Body::None;
        };
        let Some(schema) = &media.schema else {
            return Body::Whole { ty: Type::Value, required: body.required };
        };
        match self.type_of(schema, &owner.child("Request")).ty {
            Type::Named(id) => match self.struct_at(id) {
                Some(object) if object.is_empty() => Body::EmptyObject,
                Some(object) => Body::Fields(id, members(object, parameters)),
                None => Body::Whole { ty: Type::Named(id), required: body.required },
            },
            ty => Body::Whole { ty, required: body.required },
        }
    }

    /// Lowers what a success returns: the body of the first of its statuses that has one in JSON.
    pub(crate) fn output(&mut self, operation: &'d document::Operation, owner: &Owner) -> Output {
        let mut successes: Vec<_> =
            operation.responses.iter().filter(|(status, _)| is_success(*status)).collect();
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
        match self.type_of(schema, &owner.child("Response")).ty {
            Type::Named(id) if self.struct_at(id).is_some_and(Struct::is_empty) => {
                Output::EmptyObject
            }
            ty => Output::Json(ty),
        }
    }

    /// Returns the struct behind an id, if it is one.
    pub(crate) fn struct_at(&self, id: TypeId) -> Option<&Struct> {
        match &self.types.get(id.index())?.as_ref()?.shape {
            Shape::Struct(object) => Some(object),
            _ => None,
        }
    }

    /// Tells whether a type is an enum.
    pub(crate) fn is_enum(&self, id: TypeId) -> bool {
        let definition = self.types.get(id.index()).and_then(Option::as_ref);
        definition.is_some_and(|definition| matches!(definition.shape, Shape::Enum(_)))
    }
}

fn json(content: &[MediaType]) -> Option<&MediaType> {
    let essence = |media: &MediaType| {
        media.name.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    };
    let exact = content.iter().find(|media| essence(media) == "application/json");
    exact.or_else(|| {
        content.iter().find(|media| essence(media).ends_with("+json") || essence(media) == "*/*")
    })
}

fn is_success(status: StatusKey) -> bool {
    match status {
        StatusKey::Code(code) => (200..300).contains(&code),
        StatusKey::Range(first) => first == 2,
        StatusKey::Default => false,
    }
}

/// Returns the fields of a body that a caller can give. One that is called like something else there gets a prefix.
fn members(object: &Struct, parameters: &Parameters) -> Vec<BodyMember> {
    let taken: Vec<&FieldName> = parameters.all().map(|parameter| &parameter.name).collect();
    let mut members = Vec::new();
    for (index, field) in
        object.fields.iter().enumerate().filter(|(_, field)| field.access != Access::Read)
    {
        let is_taken = taken.contains(&&field.name)
            || (field.required && field.name.as_str() == parameter::CALL);
        let name = if is_taken {
            FieldName::new(format!("body_{}", field.name.bare()))
        } else {
            field.name.clone()
        };
        members.push(BodyMember { field: index, name });
    }
    members
}
