//! The tree of a document, and the typed view of it.

mod node;
mod openapi;
mod operation;
mod schema;

pub use node::Node;
pub use openapi::{Components, Info, OpenApi, Server, ServerVariable, Tag, Version};
pub(crate) use operation::{METHODS, is_method};
pub use operation::{
    MediaType, Operation, Parameter, ParameterContent, ParameterIn, PathItem, RefOr, Reference,
    RequestBody, Response, StatusKey, Style,
};
pub use schema::{AdditionalProperties, Schema, SchemaType};
