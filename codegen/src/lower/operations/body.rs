//! The body of a request and the response of a success.

use crate::diagnostics::Place;
use crate::document::{Kind, StatusKey, View};
use crate::ir::{Access, Body, BodyField, Origin, Output, Shape, Struct, StructId, Type};
use crate::lower::{Lowering, Owner};

impl<'d> Lowering<'d> {
    /// Lowers the body of a request.
    pub fn body(&mut self, operation: &View<'d>, id: &str, owner: &Owner) -> Body {
        let body = operation.child("requestBody");
        let Some(body) = body.and_then(|body| self.item(&body, Kind::RequestBody)) else {
            return Body::None;
        };
        let contents = [body.content().collect()];
        let media = self.json_of(&contents, |name| {
            let what = format!("request bodies of the type `{name}` are not supported yet");
            (what, "the request is sent without a body")
        });
        let Some(media) = media else { return Body::None };
        let ty = self.type_of_media(media, owner, "Request", Origin::RequestBody(id.to_owned()));
        match self.struct_of_type(&ty) {
            Some((_, object)) if object.is_empty() => Body::EmptyObject,
            Some((id, object)) => Body::Fields(id, body_fields(object)),
            None => Body::Whole { ty, required: body.flag("required") },
        }
    }

    /// Lowers the response of a success: the body of the first status that has one in JSON. The default response is that of
    /// a success where no other is.
    pub fn output(&mut self, operation: &View<'d>, id: &str, owner: &Owner) -> Output {
        let mut responses: Vec<_> = operation.responses().collect();
        responses.sort_by_key(|(status, _)| *status);
        let is_of = |status: StatusKey, class| match status {
            StatusKey::Code(code) => code / 100 == class,
            StatusKey::Range(first) => u16::from(first) == class,
            StatusKey::Default => false,
        };
        let has_own = responses.iter().any(|(key, _)| is_of(*key, 2) || is_of(*key, 3));
        responses.retain(|(status, _)| match status {
            StatusKey::Default => !has_own,
            status => is_of(*status, 2),
        });
        let responses = responses.into_iter();
        let contents: Vec<Vec<_>> = responses
            .filter_map(|(_, response)| self.item(&response, Kind::Response))
            .map(|response| response.content().collect())
            .collect();
        let media = self.json_of(&contents, |name| {
            let what = format!("responses of the type `{name}` are not decoded yet");
            (what, "read the bytes with `send_raw()`")
        });
        let Some(media) = media else { return Output::Nothing };
        let ty = self.type_of_media(media, owner, "Response", Origin::ResponseBody(id.to_owned()));
        match self.struct_of_type(&ty) {
            Some((_, object)) if object.is_empty() => Output::EmptyObject,
            _ => Output::Json(ty),
        }
    }

    /// Returns the first media type that is JSON; where there are only others, the first is reported.
    fn json_of<'m>(
        &mut self,
        contents: &'m [Vec<(&'d str, View<'d>)>],
        unsupported: impl Fn(&str) -> (String, &'static str),
    ) -> Option<&'m View<'d>> {
        let found = contents.iter().find_map(|content| json(content));
        if let (None, Some((name, other))) = (found, contents.iter().flatten().next()) {
            let (message, help) = unsupported(name);
            let place = Place::key(&other.pointer);
            self.diagnostics.warning("unsupported", place, message).help(help);
        }
        found
    }

    fn type_of_media(
        &mut self,
        media: &View<'d>,
        owner: &Owner,
        word: &str,
        origin: Origin,
    ) -> Type {
        let Some(schema) = media.schema() else { return Type::Value };
        let owner = self.owner_at(&media.pointer, owner, word, origin);
        let ty = self.type_of(&schema, &owner).ty;
        self.define_pending();
        ty
    }

    /// Returns the struct that a type is, if it is one.
    pub fn struct_of_type(&self, ty: &Type) -> Option<(StructId, &Struct)> {
        match (ty, self.shape(ty)?) {
            (Type::Named(id), Shape::Struct(object)) => Some((StructId::new(*id), object)),
            _ => None,
        }
    }

    /// Returns the shape of a named type.
    pub fn shape(&self, ty: &Type) -> Option<&Shape> {
        let Type::Named(id) = ty else { return None };
        Some(self.types.get(id.index())?.as_ref()?.shape())
    }
}

fn json<'m, 'd>(content: &'m [(&str, View<'d>)]) -> Option<&'m View<'d>> {
    let essence =
        |name: &str| name.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let exact = content.iter().find(|(name, _)| essence(name) == "application/json");
    let is_json =
        |essence: &str| matches!(essence, "text/json" | "*/*") || essence.ends_with("+json");
    let found = exact.or_else(|| content.iter().find(|(name, _)| is_json(&essence(name))));
    found.map(|(_, media)| media)
}

/// Returns the fields of a body that callers can set, with their names in the struct.
fn body_fields(object: &Struct) -> Vec<BodyField> {
    let fields = object.fields.iter().enumerate();
    let given = fields.filter(|(_, field)| field.access != Access::Read);
    given.map(|(index, field)| BodyField { index, name: field.name.clone() }).collect()
}
