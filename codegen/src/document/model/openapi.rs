//! The root of a description: version, info, servers, tags, security and components.

use super::{Header, Node, Parameter, PathItem, RefOr, RequestBody, Response, Schema};
use crate::source_map::Pointer;

/// The minor version of OpenAPI that a document says it follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// 3.0.x, whose schemas are an own dialect (`nullable`, boolean `exclusiveMinimum`).
    V3_0,
    /// 3.1.x, whose schemas are JSON Schema 2020-12.
    V3_1,
    /// 3.2.x, read as 3.1.
    V3_2,
}

/// A whole description. Lists keep the order of the document.
#[derive(Clone, Debug)]
pub struct OpenApi {
    /// The `openapi` field.
    pub version: Version,
    /// The `info` object.
    pub info: Info,
    /// The `servers`.
    pub servers: Vec<Server>,
    /// The declared `tags`.
    pub tags: Vec<Tag>,
    /// The default `security` requirements: alternatives, each a list of (scheme name, scopes).
    pub security: Vec<SecurityRequirement>,
    /// The `paths`, each with its template.
    pub paths: Vec<(String, PathItem)>,
    /// The reusable `components`.
    pub components: Components,
}

/// One of the alternatives of `security`: the names of schemes that apply together, each with its scopes.
pub type SecurityRequirement = Vec<(String, Vec<String>)>;

/// The `info` object.
#[derive(Clone, Debug)]
pub struct Info {
    /// The title of the API.
    pub title: String,
    /// The version of the description.
    pub version: String,
    /// A one-line summary (3.1).
    pub summary: Option<String>,
    /// A description in CommonMark.
    pub description: Option<String>,
}

/// One of `servers`.
#[derive(Clone, Debug)]
pub struct Server {
    /// Where the server is written.
    pub pointer: Pointer,
    /// The URL, perhaps with `{variables}`.
    pub url: String,
    /// A description in CommonMark.
    pub description: Option<String>,
    /// The variables of the URL.
    pub variables: Vec<(String, ServerVariable)>,
}

/// A variable of a server URL.
#[derive(Clone, Debug)]
pub struct ServerVariable {
    /// The value used when none is given.
    pub default: String,
    /// The allowed values; empty when any is.
    pub enumeration: Vec<String>,
    /// A description in CommonMark.
    pub description: Option<String>,
}

/// A declared tag.
#[derive(Clone, Debug)]
pub struct Tag {
    /// Where the tag is written.
    pub pointer: Pointer,
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
    /// Reusable headers.
    pub headers: Vec<(String, RefOr<Header>)>,
    /// Security schemes.
    pub security_schemes: Vec<(String, RefOr<SecurityScheme>)>,
    /// Reusable path items (3.1).
    pub path_items: Vec<(String, PathItem)>,
}

/// A security scheme.
#[derive(Clone, Debug)]
pub struct SecurityScheme {
    /// Where the scheme is written.
    pub pointer: Pointer,
    /// A description in CommonMark.
    pub description: Option<String>,
    /// What kind of scheme it is.
    pub kind: SecuritySchemeKind,
}

/// The kinds of security schemes.
#[derive(Clone, Debug)]
pub enum SecuritySchemeKind {
    /// `http`, with the scheme of the `Authorization` header in lower case (`bearer`, `basic`).
    Http {
        /// The scheme, in lower case.
        scheme: String,
    },
    /// `apiKey`.
    ApiKey {
        /// `query`, `header` or `cookie`.
        location: String,
        /// The name of the parameter.
        name: String,
    },
    /// `oauth2`, with its flows.
    OAuth2 {
        /// The flows, each with its key (`clientCredentials`, …).
        flows: Vec<(String, SecurityFlow)>,
    },
    /// `openIdConnect`.
    OpenIdConnect {
        /// The discovery URL.
        url: String,
    },
    /// `mutualTLS`.
    MutualTls,
    /// Anything else, as written.
    Other(Node),
}

/// One OAuth 2.0 flow.
#[derive(Clone, Debug)]
pub struct SecurityFlow {
    /// The authorization endpoint.
    pub authorization_url: Option<String>,
    /// The token endpoint.
    pub token_url: Option<String>,
    /// The scopes with their descriptions.
    pub scopes: Vec<(String, String)>,
}
