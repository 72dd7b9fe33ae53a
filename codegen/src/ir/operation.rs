//! Operations: what a request is made of, and what comes back.

use super::{Docs, FieldName, MethodName, ModuleName, StructId, Type, TypeId, TypeName};

/// A group of operations, offered by the client as one handle.
#[derive(Clone, Debug)]
pub struct Resource {
    /// The name of the handle.
    pub name: TypeName,
    /// The method of the client that returns the handle.
    pub accessor: MethodName,
    /// The module that holds the handle and its requests.
    pub module: ModuleName,
    /// The cargo feature that offers the resource, in a crate of many operations.
    pub feature: Option<String>,
    /// The tag in the description.
    pub tag: String,
    /// What the group tells about itself.
    pub docs: Docs,
    /// The operations, in the order of the description.
    pub operations: Vec<Operation>,
}

/// One operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The `operationId`, or the method and path where the description gives none.
    pub id: String,
    /// The method of the resource's handle.
    pub method_name: MethodName,
    /// The name of the request builder.
    pub builder: TypeName,
    /// The old names of the method, deprecated.
    pub aliases: Vec<MethodName>,
    /// The old names of the request builder, deprecated.
    pub builder_aliases: Vec<TypeName>,
    /// The one-line summary.
    pub summary: Option<String>,
    /// What the operation tells about itself.
    pub docs: Docs,
    /// The HTTP method.
    pub http_method: HttpMethod,
    /// The path template.
    pub path: String,
    /// The parameters of the path, in the order of the template.
    pub path_parameters: Vec<Parameter>,
    /// The parameters of the query, in the order of the description.
    pub query_parameters: Vec<Parameter>,
    /// The parameters sent as headers, in the order of the description.
    pub header_parameters: Vec<Parameter>,
    /// The body of the request.
    pub body: Body,
    /// What a success returns.
    pub output: Output,
    /// How the pages of a list follow one another.
    pub paging: Option<Paging>,
    /// Where the operation is written.
    pub pointer: String,
}

impl Operation {
    /// Returns the parameters: of the path, of the query, of the headers.
    pub fn parameters(&self) -> impl Iterator<Item = &Parameter> {
        self.path_parameters.iter().chain(&self.query_parameters).chain(&self.header_parameters)
    }

    /// Returns the named types that a request sends.
    pub fn sent_types(&self) -> impl Iterator<Item = TypeId> {
        let body = match &self.body {
            Body::Fields(id, _) => Some(id.type_id()),
            Body::Whole { ty, .. } => ty.named(),
            Body::None | Body::EmptyObject => None,
        };
        self.parameters().filter_map(|parameter| parameter.ty.named()).chain(body)
    }

    /// Returns the named types that a request sends or receives.
    pub fn types(&self) -> impl Iterator<Item = TypeId> {
        let received = match &self.output {
            Output::Json(ty) => ty.named(),
            Output::Nothing | Output::EmptyObject => None,
        };
        self.sent_types().chain(received)
    }
}

/// The HTTP methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HttpMethod {
    /// GET.
    Get,
    /// HEAD.
    Head,
    /// POST.
    Post,
    /// PUT.
    Put,
    /// DELETE.
    Delete,
    /// OPTIONS.
    Options,
    /// TRACE.
    Trace,
    /// PATCH.
    Patch,
}

impl HttpMethod {
    /// Returns the method as it is sent.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
            Self::Options => "OPTIONS",
            Self::Trace => "TRACE",
            Self::Patch => "PATCH",
        }
    }
}

/// A parameter of an operation.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The name of the argument or the setter.
    pub name: FieldName,
    /// The name on the wire.
    pub wire: String,
    /// The type of its value.
    pub ty: Type,
    /// Whether it must be given.
    pub required: bool,
    /// What the parameter tells about itself.
    pub docs: Docs,
    /// Where the parameter is written.
    pub pointer: String,
}

/// The body of a request.
#[derive(Clone, Debug)]
pub enum Body {
    /// There is none.
    None,
    /// An object without described members, always sent as `{}`.
    EmptyObject,
    /// A struct in JSON: its required fields are arguments, its other fields are setters of the request builder.
    Fields(StructId, Vec<BodyMember>),
    /// Any other value in JSON: one argument, or one setter where the body is optional.
    Whole {
        /// The type of the body.
        ty: Type,
        /// Whether it must be given.
        required: bool,
    },
}

/// A field of the body that a caller gives: every one but those that only responses have.
#[derive(Clone, Debug)]
pub struct BodyMember {
    /// The index of the field in the struct.
    pub field: usize,
    /// The name of the argument or the setter: the field's, unless a parameter has it.
    pub name: FieldName,
}

/// What a success returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// No content is described, or none in JSON: `()`, whatever the body is.
    Nothing,
    /// An object without properties: `()`.
    EmptyObject,
    /// A JSON value of this type.
    Json(Type),
}

/// How the pages of a list follow one another.
#[derive(Clone, Debug)]
pub struct Paging {
    /// Where the request takes the token of a page.
    pub token: PageToken,
    /// The field of the response that holds the token of the next page.
    pub next_token: FieldName,
    /// Whether that field is not an `Option`.
    pub next_token_required: bool,
    /// The field of the response that holds the items of the page.
    pub items: FieldName,
    /// Whether that field is not an `Option`.
    pub items_required: bool,
    /// The type of an item.
    pub item: Type,
}

/// Where a request takes the token of a page.
#[derive(Clone, Debug)]
pub enum PageToken {
    /// In the query parameter of this name.
    Query(String),
    /// In this field of the body.
    Body(FieldName),
}
