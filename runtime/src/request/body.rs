//! Bodies of calls, by media type.

use http::HeaderValue;

use super::call::{Call, Payload};
use super::content::{self, Encoding};
use super::form;
use super::merge_patch;
use super::multipart::Multipart;
use crate::wire::charset;
use crate::wire::upload::Upload;
use crate::wire::upload::body::RequestBody;
use crate::wire::{self, Mode, Plain, Wire};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const FORM: HeaderValue = HeaderValue::from_static("application/x-www-form-urlencoded");

impl Call {
    /// Sets the body to a JSON value, without its read-only properties.
    #[must_use]
    pub fn json(self, body: &dyn Wire) -> Self {
        let json = wire::encode_checked(body, Mode::Request);
        self.redacted(body).encoded(json, |call, json| call.payload(JSON, json))
    }

    /// Sets the body to a JSON value, if there is one.
    #[must_use]
    pub fn optional_json(self, body: Option<&impl Wire>) -> Self {
        match body {
            Some(body) => self.json(body),
            None => self,
        }
    }

    /// Sets the body to `{}`.
    #[must_use]
    pub fn empty_object(self) -> Self {
        self.payload(JSON, &b"{}"[..])
    }

    /// Sets the body to a JSON value of another media type.
    #[must_use]
    pub fn json_as(self, body: &dyn Wire, media_type: &str) -> Self {
        let json = wire::encode_checked(body, Mode::Request);
        self.redacted(body).encoded(json, |call, json| call.typed(media_type, json))
    }

    /// Adds the path of a property that the body removes, a merge patch.
    pub fn add_null(&mut self, path: Vec<String>) {
        self.0.nulls.push(path);
    }

    /// Sets the body to a JSON merge patch with the nulls of the call, if there is a body or a null.
    #[must_use]
    pub fn merge_patch(mut self, body: Option<&impl Wire>, media_type: &str) -> Self {
        let nulls = std::mem::take(&mut self.0.nulls);
        let body = match body {
            Some(body) if nulls.is_empty() => return self.json_as(body, media_type),
            None if nulls.is_empty() => return self,
            Some(body) => {
                self = self.redacted(body);
                Plain::new(body)
            }
            None => Ok(Plain::Object(Vec::new())),
        };
        let patch = body.and_then(|body| merge_patch::with_nulls(body, &nulls));
        self.encoded(patch, |call, patch| call.typed(media_type, patch.to_json()))
    }

    /// Redacts the secrets of a body in errors: servers may repeat it.
    fn redacted(mut self, body: &dyn Wire) -> Self {
        self.0.secrets.extend(wire::secrets(body));
        #[cfg(feature = "record")]
        self.add_texts(body);
        self
    }

    fn encoded<T>(self, body: Result<T, String>, add: impl FnOnce(Self, T) -> Self) -> Self {
        self.added(body.map_err(|why| format!("its body cannot be sent: {why}")), add)
    }

    /// Adds a body, or fails the call when it is sent.
    fn added<T>(mut self, body: Result<T, String>, add: impl FnOnce(Self, T) -> Self) -> Self {
        match body {
            Ok(body) => return add(self, body),
            Err(why) => self.fail(why),
        }
        self
    }

    /// Sets the body to a form.
    #[must_use]
    pub fn form_body(self, form: &dyn Wire, encodings: &[Encoding]) -> Self {
        let text = form::write(form, encodings);
        self.redacted(form).added(text, |call, text| call.payload(FORM, text))
    }

    /// Sets the body to the JSON of each element of a list: in lines, or as a JSON text sequence (RFC 7464).
    #[must_use]
    pub fn lines_body(self, list: &dyn Wire, media_type: &str) -> Self {
        let is_sequence = media_type.to_ascii_lowercase().contains("json-seq");
        let mut text = Vec::new();
        let written = content::each_element(list, &mut |_, element| {
            if is_sequence {
                text.push(0x1e);
            }
            text.extend_from_slice(&wire::encode_checked(element, Mode::Request)?);
            text.push(b'\n');
            Ok(())
        });
        self.redacted(list).encoded(written, |call, ()| call.typed(media_type, text))
    }

    /// Sets the body to a form in parts, or a list of parts.
    #[must_use]
    pub fn multipart_body(self, form: &dyn Wire, media_type: &str, encodings: &[Encoding]) -> Self {
        let parts = Multipart::write(form, encodings, media_type);
        let add = |call: Self, (media_type, body): (String, _)| call.typed(&media_type, body);
        self.redacted(form).added(parts.map(|parts| parts.finish(media_type)), add)
    }

    /// Sets the body to a text, in the charset of the media type.
    #[must_use]
    pub fn text_body(self, text: &str, media_type: &str) -> Self {
        let text = charset::encode(text.to_owned(), media_type);
        self.encoded(text, |call, text| call.typed(media_type, text))
    }

    /// Sets the body to a content of this media type, unless the content has its own. It must have one if the media
    /// type is a range.
    #[must_use]
    pub fn upload_body(mut self, content: &Upload, media_type: &str) -> Self {
        let media_type = content.content_type().unwrap_or(media_type);
        if media_type.contains('*') {
            self.fail(format!(
                "its body can be any `{media_type}`: set the media type with `Upload::with_content_type`"
            ));
            return self;
        }
        self.typed(media_type, RequestBody::new(vec![content.source.clone()]))
    }

    /// Adds a body if there is one.
    #[must_use]
    #[inline]
    pub fn if_some<T>(self, body: Option<&T>, add: impl FnOnce(Self, &T) -> Self) -> Self {
        match body {
            Some(body) => add(self, body),
            None => self,
        }
    }

    /// Sets the body, with a media type that is text.
    fn typed(self, media_type: &str, body: impl Into<RequestBody>) -> Self {
        let parsed = HeaderValue::from_str(media_type)
            .map_err(|_| format!("`{}` is not a media type", media_type.escape_debug()));
        self.added(parsed, |call, media_type| call.payload(media_type, body))
    }

    fn payload(mut self, media_type: HeaderValue, body: impl Into<RequestBody>) -> Self {
        self.0.body = Some(Payload { media_type, body: body.into() });
        self
    }
}
