//! The root of a document: version, info, servers, tags, security and components.

use super::{Parameter, PathItem, RefOr, RequestBody, Response, Schema};

/// The minor version of OpenAPI that a document declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// 3.0.x, whose schemas are an own dialect (`nullable`, boolean `exclusiveMinimum`).
    V3_0,
    /// 3.1.x, whose schemas are JSON Schema 2020-12.
    V3_1,
    /// 3.2.x, read as 3.1.
    V3_2,
}

/// A whole document. Lists keep the order of the document.
#[derive(Clone, Debug)]
pub struct OpenApi {
    /// The `info` object.
    pub info: Info,
    /// The `servers`.
    pub servers: Vec<Server>,
    /// The declared `tags`.
    pub tags: Vec<Tag>,
    /// The `paths`, each with its template.
    pub paths: Vec<(String, RefOr<PathItem>)>,
    /// The reusable `components`.
    pub components: Components,
}

/// The `info` object.
#[derive(Clone, Debug)]
pub struct Info {
    /// The title of the API.
    pub title: String,
    /// The version of the document.
    pub version: String,
    /// A one-line summary (3.1).
    pub summary: Option<String>,
    /// A description in CommonMark.
    pub description: Option<String>,
}

/// One of `servers`.
#[derive(Clone, Debug)]
pub struct Server {
    /// The URL, perhaps with `{variables}`.
    pub url: String,
    /// The variables of the URL.
    pub variables: Vec<(String, ServerVariable)>,
}

/// A variable of a server URL.
#[derive(Clone, Debug)]
pub struct ServerVariable {
    /// The value used when none is given.
    pub default: String,
}

/// A declared tag.
#[derive(Clone, Debug)]
pub struct Tag {
    /// The name that operations refer to.
    pub name: String,
    /// A description in CommonMark.
    pub description: Option<String>,
    /// The `x-rust-name` extension.
    pub rust_name: Option<String>,
}

/// The `components` object.
#[derive(Clone, Debug, Default)]
pub struct Components {
    /// Reusable schemas.
    pub schemas: Vec<(String, Schema)>,
    /// Reusable responses.
    pub responses: Vec<(String, RefOr<Response>)>,
    /// Reusable parameters.
    pub parameters: Vec<(String, RefOr<Parameter>)>,
    /// Reusable request bodies.
    pub request_bodies: Vec<(String, RefOr<RequestBody>)>,
    /// Reusable path items (3.1).
    pub path_items: Vec<(String, RefOr<PathItem>)>,
}
