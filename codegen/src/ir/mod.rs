//! What will be emitted, decided: plain owned data without a trace of OpenAPI's syntax.
//!
//! Every name is final and typed by what it names, every reference is an id into [`Api::types`], and every item carries
//! the JSON pointer of the place in the description that it came from.

mod name;
mod operation;
mod types;

pub use name::{FieldName, MethodName, ModuleName, ModulePath, TypeName, VariantName};
pub use operation::{
    Body, BodyMember, HttpMethod, Operation, Output, PageToken, Paging, Parameter, Resource,
};
pub use types::{
    Access, Docs, EnumVariant, Field, FieldWire, OpenEnum, Rest, Shape, Struct, Type, TypeDef,
    TypeId, Union, UnionVariant,
};

/// A whole API, ready to be emitted.
#[derive(Clone, Debug)]
pub struct Api {
    /// The title of the API.
    pub title: String,
    /// What the API is, in CommonMark.
    pub description: Option<String>,
    /// The version of the description.
    pub version: String,
    /// The base URL, where the description names one without variables.
    pub base_url: Option<String>,
    /// A base URL to show in examples.
    pub example_base_url: String,
    /// The named types, sorted by module and name.
    pub types: Vec<TypeDef>,
    /// The groups of operations, sorted by module.
    pub resources: Vec<Resource>,
}

impl Api {
    /// Returns the definition behind an id.
    pub fn definition(&self, id: TypeId) -> &TypeDef {
        &self.types[id.index()]
    }

    /// Returns the named types with their ids.
    pub fn definitions(&self) -> impl Iterator<Item = (TypeId, &TypeDef)> {
        self.types.iter().enumerate().map(|(index, definition)| (TypeId::new(index), definition))
    }

    /// Returns the operations of all resources.
    pub fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.resources.iter().flat_map(|resource| &resource.operations)
    }
}
