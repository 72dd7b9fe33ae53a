//! Requests and responses of operations.

use super::{
    Alternatives, Credentials, Docs, EncodingRule, Expansion, Failures, FieldName, Format, Mask,
    Media, MethodName, ModuleName, Parameter, ReplyHeader, Serialization, StructId, Successes,
    Type, TypeId, TypeName, WaitEnd,
};

/// A group of operations: the operations of a handle, or the operations that are methods of the client.
#[derive(Clone, Debug)]
pub struct Resource {
    /// The handle, unless the operations are methods of the client.
    pub handle: Option<Handle>,
    /// The module of the handle and the requests.
    pub module: ModuleName,
    /// The cargo feature of the resource, in a crate with many operations.
    pub feature: Option<String>,
    /// The documentation of the group.
    pub docs: Docs,
    /// The operations, sorted by method.
    pub operations: Vec<Operation>,
}

impl Resource {
    /// Returns a group without operations.
    pub fn new(handle: Option<Handle>, module: ModuleName, docs: Docs) -> Self {
        Self { handle, module, feature: None, docs, operations: Vec::new() }
    }

    /// Returns the path of its file below the crate's folder.
    pub fn file(&self) -> String {
        format!("src/resources/{}.rs", self.module.bare())
    }

    /// Returns the call of a method, without its arguments: `tasks().get`, or `ping` of the client itself.
    pub fn call(&self, method: &MethodName) -> String {
        match &self.handle {
            Some(handle) => format!("{}().{method}", handle.accessor),
            None => method.to_string(),
        }
    }
}

/// The handle of a resource.
#[derive(Clone, Debug)]
pub struct Handle {
    pub name: TypeName,
    /// The method of the client that returns it.
    pub accessor: MethodName,
    /// The tag in the document, or what the operations have in common instead.
    pub tag: String,
}

#[derive(Clone, Debug)]
pub struct Operation {
    /// The `operationId`, derived from the method and the path if the document has none.
    pub id: String,
    /// The name that the `operationId` has for the method, by which the documentation can be searched.
    pub alias: String,
    /// The method of the resource's handle.
    pub method_name: MethodName,
    /// The name of the request builder.
    pub builder: TypeName,
    /// The one-line summary.
    pub summary: Option<String>,
    /// The documentation of the operation.
    pub docs: Docs,
    pub http_method: String,
    /// The path template.
    pub path: String,
    /// The parameters: first the path parameters in the order of the template, then the others by location, in the
    /// order of the document.
    pub parameters: Vec<Parameter>,
    /// The body of the request.
    pub body: Body,
    /// The media type of the body, if it has one. An operation with several media types has a request for each; the
    /// request with the default media type has the name of the operation.
    pub media: Option<Media>,
    /// The successful replies.
    pub successes: Successes,
    /// The declared bodies of errors.
    pub failures: Option<Failures>,
    /// The declared headers of all replies.
    pub headers: Vec<ReplyHeader>,
    /// The paging of a list.
    pub paging: Option<Paging>,
    /// The update mask.
    pub mask: Option<Mask>,
    /// The mask for related objects.
    pub expansion: Option<Expansion>,
    /// The condition that ends a wait.
    pub wait: Option<WaitEnd>,
    /// The servers that it is sent to instead of the base URL, by their indexes in [`Api::servers`](super::Api::servers).
    pub servers: Vec<usize>,
    /// The credentials that a request needs, if not the default of the API.
    pub credentials: Option<Alternatives>,
    /// The JSON pointer to the operation.
    pub pointer: String,
}

impl Operation {
    /// Returns the credentials that a request needs.
    pub fn needed<'a>(&'a self, credentials: &'a Credentials) -> &'a Alternatives {
        self.credentials.as_ref().unwrap_or(&credentials.default)
    }

    /// Returns whether a request can fetch all pages of a list by itself.
    pub fn has_items(&self) -> bool {
        self.paging.as_ref().is_some_and(|paging| paging.token.is_some())
    }

    /// Returns the JSON pointer to the place of this request alone: the operation, or a media type other than the default.
    pub fn place(&self) -> &str {
        self.media.as_ref().and_then(|media| media.pointer.as_deref()).unwrap_or(&self.pointer)
    }

    /// Returns the header by which the server recognizes the attempts of a call.
    pub fn idempotency_key(&self) -> Option<&str> {
        self.parameters.iter().find(|it| it.is_idempotency_key).map(|it| it.wire.as_str())
    }

    /// Returns how parameters and properties of forms are written.
    pub fn serializations(&self) -> impl Iterator<Item = Serialization> {
        let encodings = match self.media.as_ref().map(|media| &media.format) {
            Some(Format::Form(encodings) | Format::Multipart(encodings)) => encodings.as_slice(),
            _ => &[],
        };
        let encodings = encodings.iter().filter_map(|encoding| match encoding.rule {
            EncodingRule::Style(serialization) => Some(serialization),
            EncodingRule::Type | EncodingRule::Content(_) => None,
        });
        self.parameters.iter().map(|parameter| parameter.serialization).chain(encodings)
    }

    /// Returns whether the operation only reads, because its method is safe (RFC 9110, section 9.2.1).
    pub fn is_safe(&self) -> bool {
        matches!(self.http_method.as_str(), "GET" | "HEAD" | "OPTIONS" | "QUERY" | "TRACE")
    }

    /// Returns whether this is a request of the same operation with another media type.
    pub fn is_variant_of(&self, other: &Self) -> bool {
        self.pointer == other.pointer && self.method_name != other.method_name
    }

    /// Returns the named types that a request sends.
    pub fn sent_types(&self) -> impl Iterator<Item = TypeId> {
        let body = self.body.named();
        self.parameters.iter().filter_map(|parameter| parameter.ty.named()).chain(body)
    }

    /// Returns the named types that a request sends or receives.
    pub fn types(&self) -> impl Iterator<Item = TypeId> {
        let headers = self.headers.iter().filter_map(|header| header.ty.named());
        self.sent_types().chain(self.successes.types()).chain(self.failure_types()).chain(headers)
    }

    /// Returns the named types of the bodies of errors.
    pub fn failure_types(&self) -> impl Iterator<Item = TypeId> {
        let cases = self.failures.iter().flat_map(|failures| &failures.cases);
        let union = self.failures.iter().filter_map(|failures| failures.union);
        cases.filter_map(|case| case.content.as_ref()?.named()).chain(union)
    }
}

/// The body of a request.
#[derive(Clone, Debug)]
pub enum Body {
    /// No body.
    None,
    /// An object without properties, always sent as `{}`.
    EmptyObject,
    /// A struct: its required fields are arguments, its other fields have setters on the request builder.
    Fields(StructId, Vec<BodyField>),
    /// Another value, or a struct with required fields in a body that can be omitted: one argument, or one setter if
    /// the body is optional.
    Whole {
        /// The type of the body.
        ty: Type,
        required: bool,
    },
}

impl Body {
    /// Returns the type of the body, if it has a name.
    pub fn named(&self) -> Option<TypeId> {
        match self {
            Self::Fields(id, _) => Some(id.type_id()),
            Self::Whole { ty, .. } => ty.named(),
            Self::None | Self::EmptyObject => None,
        }
    }
}

/// A field of the body that callers can set: any that is not read-only.
#[derive(Clone, Debug)]
pub struct BodyField {
    /// The index of the field in the struct.
    pub index: usize,
    /// The name of the argument or the setter: the name of the field, unless a parameter has it.
    pub name: FieldName,
}

/// The paging of a list.
#[derive(Clone, Debug)]
pub struct Paging {
    /// How the next page is requested, if the spec describes it.
    pub token: Option<PageToken>,
    /// The token to send for the first page, if it must be requested with one.
    pub first_token: Option<String>,
    /// The token or the URL of the next page; no path if the header `Link` has it.
    pub next_token: PagePath,
    /// The items; no path if the response is the list.
    pub items: PagePath,
    pub item: Type,
    /// The parameter with a number by which the server may return pages if no token is sent.
    pub other: Option<String>,
}

impl Paging {
    /// Returns whether the response has the token of the next page.
    pub fn has_token(&self) -> bool {
        !matches!(self.token, Some(PageToken::Link | PageToken::Number(_)))
    }
}

/// How a request names a page.
#[derive(Clone, Debug)]
pub enum PageToken {
    /// In the query parameter of this name.
    Query(String),
    Body(FieldName),
    /// It is a URL: in the response before, or in its header `Link`.
    Link,
    /// By a number in a query parameter.
    Number(PageNumber),
}

/// A query parameter with a number.
#[derive(Clone, Debug)]
pub struct PageNumber {
    /// Its name.
    pub parameter: String,
    /// What has the number.
    pub unit: PageUnit,
    /// The number of the first page, or of its first item.
    pub first: u64,
    /// The number of items in all pages, if replies have it.
    pub total: Option<Total>,
}

/// Where a reply has the number of items in all pages.
#[derive(Clone, Debug)]
pub enum Total {
    Property(PagePath),
    /// A header of the reply, by its name in lower case.
    Header(String),
}

/// The path to a value in a page.
#[derive(Clone, Debug, Default)]
pub struct PagePath {
    /// The fields that lead to it.
    pub fields: Vec<FieldName>,
    /// The link in the list among them that has the value: by its field with this text.
    pub relation: Option<(FieldName, String)>,
    /// The properties, as the settings name them: `meta.next`, or `links[rel=next].href`.
    pub wire: String,
}

/// What the numbers of pages count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PageUnit {
    /// The first item of a page.
    Item,
    Page,
}
