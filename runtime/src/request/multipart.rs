//! Bodies of the type `multipart/form-data` (RFC 7578), and of others with the same parts.

use std::fmt::Write as _;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use http::{HeaderName, HeaderValue};

use super::content::{self, Content, Encoding};
use crate::request::parameter::{Pair, Parameter};
use crate::wire::charset;
use crate::wire::upload::Upload;
use crate::wire::upload::body::RequestBody;
use crate::wire::upload::source::BodyPart;
use crate::wire::{View, Wire};

/// The headers of a part that an upload has methods for. A second one would contradict the first.
const OF_UPLOADS: [(&str, &str); 2] =
    [("content-type", "with_content_type"), ("content-disposition", "with_file_name")];

/// A form in parts, and their boundary.
pub(super) struct Multipart {
    boundary: String,
    sources: Vec<BodyPart>,
    /// The text before the next content.
    head: String,
    /// Whether the parts have names, unlike parts of `multipart/related` (RFC 2387).
    has_names: bool,
    /// The media type of the first part.
    root: Option<String>,
}

impl Multipart {
    /// Writes the parts of a form.
    pub(super) fn write(
        form: &dyn Wire,
        encodings: &[Encoding],
        media_type: &str,
    ) -> Result<Self, String> {
        let is_related = charset::essence(media_type).eq_ignore_ascii_case("multipart/related");
        let mut parts = Self {
            boundary: boundary(),
            sources: Vec::new(),
            head: String::new(),
            has_names: !is_related,
            root: None,
        };
        if matches!(form.view(), View::Array(_)) {
            content::each_part(form, encodings, &mut |encoding, content| {
                parts.part(None, encoding, content)
            })?;
        } else {
            content::each(form, encodings, Parameter::plain, &mut |name, encoding, content| {
                parts.part(Some(name), encoding, content)
            })?;
        }
        Ok(parts)
    }

    /// Adds a part; a part of a list has no name.
    fn part(
        &mut self,
        name: Option<&str>,
        encoding: Option<&Encoding>,
        content: Content<'_>,
    ) -> Result<(), String> {
        let media_type = encoding.and_then(Encoding::media_type);
        let own = match content {
            Content::Upload(upload) => upload.headers.as_slice(),
            _ => &[],
        };
        let mut headers = Vec::with_capacity(own.len());
        for (name, value) in own {
            if let Some((_, setter)) =
                OF_UPLOADS.iter().find(|(of, _)| name.eq_ignore_ascii_case(of))
            {
                return Err(format!("`{name}` of a part is set by `Upload::{setter}`"));
            }
            headers.push((name.as_str(), value.as_str()));
        }
        if let Some(encoding) = encoding {
            encoding.add_headers(&mut headers)?;
        }
        match content {
            Content::Pair(Pair { name, text }) => {
                let name = name.unwrap_or_default();
                self.add(Some(&name), None, &headers, BodyPart::Bytes(text.into()))
            }
            Content::Text(text) => {
                let text = charset::encode(text, media_type.unwrap_or_default())?;
                self.add(name, media_type, &headers, BodyPart::Bytes(text.into()))
            }
            Content::Json(text) => {
                let media_type = media_type.or(Some("application/json"));
                self.add(name, media_type, &headers, BodyPart::Bytes(text.into()))
            }
            Content::Upload(upload) => self.add_file(name, media_type, &headers, upload),
        }
    }

    fn add(
        &mut self,
        name: Option<&str>,
        media_type: Option<&str>,
        headers: &[(&str, &str)],
        content: BodyPart,
    ) -> Result<(), String> {
        self.begin();
        if let Some(name) = name.filter(|_| self.has_names) {
            self.dispose("form-data; name", name);
            self.head.push_str("\r\n");
        }
        self.end(media_type, headers, content)
    }

    /// Adds a file. If it has no file name, the name of its property takes its place: servers read a part without a
    /// file name as text.
    fn add_file(
        &mut self,
        name: Option<&str>,
        media_type: Option<&str>,
        headers: &[(&str, &str)],
        file: &Upload,
    ) -> Result<(), String> {
        self.begin();
        if let Some(name) = name.filter(|_| self.has_names) {
            self.dispose("form-data; name", name);
            self.head.push_str("; filename=\"");
            push_quoted(&mut self.head, file.file_name().unwrap_or(name));
            self.head.push_str("\"\r\n");
        } else if let Some(file_name) = file.file_name() {
            self.dispose("attachment; filename", file_name);
            self.head.push_str("\r\n");
        }
        let media_type = file.content_type().or(media_type).unwrap_or("application/octet-stream");
        self.end(Some(media_type), headers, file.source.clone())
    }

    fn begin(&mut self) {
        self.head.push_str("--");
        self.head.push_str(&self.boundary);
        self.head.push_str("\r\n");
    }

    fn dispose(&mut self, what: &str, name: &str) {
        let _ = write!(self.head, "Content-Disposition: {what}=\"");
        push_quoted(&mut self.head, name);
        self.head.push('"');
    }

    fn end(
        &mut self,
        media_type: Option<&str>,
        headers: &[(&str, &str)],
        content: BodyPart,
    ) -> Result<(), String> {
        self.root.get_or_insert_with(|| media_type.unwrap_or("text/plain").to_owned());
        let media_type = media_type.map(|media_type| ("Content-Type", media_type));
        for (name, value) in media_type.into_iter().chain(headers.iter().copied()) {
            if name.parse::<HeaderName>().is_err() || HeaderValue::from_str(value).is_err() {
                return Err(format!("`{name}: {value}` is not a valid header"));
            }
            // Writing to memory does not fail.
            let _ = write!(self.head, "{name}: {value}\r\n");
        }
        self.head.push_str("\r\n");
        let head = std::mem::replace(&mut self.head, "\r\n".to_owned());
        self.sources.push(BodyPart::Bytes(head.into()));
        self.sources.push(content);
        Ok(())
    }

    /// Returns the media type with the boundary, and the body. That of `multipart/related` has the type of the first part
    /// (RFC 2387, section 3.1).
    pub(super) fn finish(mut self, media_type: &str) -> (String, RequestBody) {
        let mut media_type = format!("{media_type}; boundary={}", self.boundary);
        let is_complete = self.has_names || media_type.contains("type=");
        if let Some(root) = self.root.filter(|_| !is_complete) {
            media_type.push_str("; type=\"");
            push_quoted(&mut media_type, &root);
            media_type.push('"');
        }
        let end = format!("{}--{}--\r\n", self.head, self.boundary);
        self.sources.push(BodyPart::Bytes(end.into()));
        (media_type, RequestBody::new(self.sources))
    }
}

/// Appends a name in quotes as browsers do (WHATWG HTML, "Multipart form data").
fn push_quoted(head: &mut String, name: &str) {
    for char in name.chars() {
        match char {
            '"' => head.push_str("%22"),
            '\r' => head.push_str("%0D"),
            '\n' => head.push_str("%0A"),
            other => head.push(other),
        }
    }
}

/// Returns 128 random bits, which no content contains.
fn boundary() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}
