//! The API to emit, as plain owned data without OpenAPI's syntax.
//!
//! Every name is final and typed by what it names, every reference is an id into [`Api::types`], and every item has the
//! JSON pointer to its place in the document.

mod convention;
mod credentials;
mod media;
mod name;
mod open_enum;
mod operation;
mod parameter;
mod reply;
mod rules;
mod scalar;
mod server;
mod sites;
mod ty;
mod types;
mod wait;

use std::collections::BTreeMap;

pub use crate::message::{Location, Status};
pub use convention::{Expansion, Mask, MaskPlace};
pub use credentials::{
    Alternatives, ClientCredentials, CredentialScheme, Credentials, Login, Requirement, Scope,
    SentAs, UrlVariable, sets_of_schemes,
};
pub use media::{Encoding, EncodingRule, Format, Media, PartHeader};
pub use name::{FieldName, MethodName, ModuleName, ModulePath, OldName, TypeName, VariantName};
pub use open_enum::{EnumKind, EnumVariant, OpenEnum};
pub use operation::{
    Body, BodyField, Handle, Operation, PageNumber, PagePath, PageToken, PageUnit, Paging,
    Resource, Total,
};
pub use parameter::{ListKeys, Parameter, ParameterKind, Serialization, Style};
pub use reply::{Failures, Output, ReplyCase, ReplyHeader, StreamKind, StreamReply, Successes};
pub use rules::{
    Candidate, CandidateProperty, Constant, Decision, ItemsRule, JsonKind, Kinds, Rule, RuleId,
    Rules, Tag,
};
pub use scalar::Scalar;
pub use server::{Server, ServerVariable};
pub use sites::{Sites, StreamItem};
pub use ty::{OwnType, StructId, Type, TypeId};
pub use types::{
    Access, Content, Docs, Expanded, Field, FieldWire, Null, Origin, RelatedPath, ReplyEnum,
    ReplyPart, ReplyVariant, Shape, Struct, StructConventions, TypeDef, Union, UnionVariant,
    ViewParameter, reached,
};
pub use wait::WaitEnd;

/// A whole API, ready to be emitted.
#[derive(Clone, Debug)]
pub struct Api {
    /// The title of the API.
    pub title: String,
    /// The description of the API, in CommonMark.
    pub description: Option<String>,
    /// The version of the API.
    pub version: String,
    /// The base URL, if the document has one without variables.
    pub base_url: Option<String>,
    /// The form of the base URL that users pass, if the document has a base URL that is not absolute.
    pub base_url_template: Option<String>,
    /// The base URL for examples.
    pub example_base_url: String,
    /// The servers that have a type: first the servers of operations, then the servers of the document.
    pub servers: Vec<Server>,
    pub credentials: Credentials,
    /// The named types, in the order of their ids.
    pub types: Vec<TypeDef>,
    /// The types that webhooks or the settings name, whichever operations are emitted.
    pub kept: Vec<TypeId>,
    /// The places of what the types are made of.
    pub sites: Sites,
    /// The groups of operations, sorted by module.
    pub resources: Vec<Resource>,
    /// The old names of items that remain usable.
    pub aliases: Aliases,
    /// The `recursion_limit` that the types need if they nest deeper than the default allows.
    pub recursion_limit: Option<usize>,
}

/// Old names of items that remain as deprecated aliases. All paths are relative to the crate root.
#[derive(Clone, Debug, Default)]
pub struct Aliases {
    /// The new paths of types by the old ones.
    pub types: BTreeMap<String, String>,
    /// The old names of methods, setters and variants by the new paths.
    pub members: BTreeMap<String, Vec<OldName>>,
}

impl Api {
    pub fn definition(&self, id: TypeId) -> &TypeDef {
        &self.types[id.index()]
    }

    /// Returns the type with a path below the crate's root.
    pub fn type_at(&self, path: &str) -> Option<TypeId> {
        self.types.iter().position(|definition| definition.path() == path).map(TypeId::new)
    }

    pub fn as_struct(&self, ty: &Type) -> Option<(StructId, &Struct)> {
        let Type::Named(id) = ty else { return None };
        match &self.definition(*id).shape {
            Shape::Struct(object) => Some((StructId::new(*id), object)),
            Shape::Enum(_) | Shape::Union(_) | Shape::Reply(_) => None,
        }
    }

    /// Returns the fields of the pages of an operation that a path leads through.
    pub fn page_fields<'a>(&'a self, operation: &Operation, path: &PagePath) -> Vec<&'a Field> {
        let mut ty = operation.successes.output.json();
        let fields = path.fields.iter().map_while(|name| {
            let field = self.fields(ty?).into_iter().find(|field| field.name == *name)?;
            ty = Some(&field.ty);
            Some(field)
        });
        fields.collect()
    }

    /// Returns the fields of a struct, or of those that the elements of a list or the variants of a union are.
    pub fn fields(&self, ty: &Type) -> Vec<&Field> {
        let Type::Named(id) = ty.innermost() else { return Vec::new() };
        match &self.definition(*id).shape {
            Shape::Struct(object) => object.fields.iter().collect(),
            Shape::Union(union) => {
                let objects =
                    union.variants.iter().filter_map(|variant| self.as_struct(&variant.ty));
                objects.flat_map(|(_, object)| &object.fields).collect()
            }
            Shape::Enum(_) | Shape::Reply(_) => Vec::new(),
        }
    }

    /// Returns whether values are texts without a format: `String`, or an enum of strings.
    pub fn is_text(&self, ty: &Type) -> bool {
        match ty {
            Type::String | Type::AnyText(_) => true,
            Type::Named(id) => match &self.definition(*id).shape {
                Shape::Enum(values) => values.kind == EnumKind::Text,
                Shape::Struct(_) | Shape::Union(_) | Shape::Reply(_) => false,
            },
            _ => false,
        }
    }

    /// Returns the emitted types with their ids, in the order of these.
    pub fn emitted(&self) -> impl Iterator<Item = (TypeId, &TypeDef)> {
        let definitions = self.types.iter().enumerate();
        let emitted = definitions.filter(|(_, definition)| definition.is_emitted);
        emitted.map(|(index, definition)| (TypeId::new(index), definition))
    }

    /// Returns the emitted types with their ids, sorted by file; in a file, the component is first, the others by name.
    pub fn definitions(&self) -> Vec<(TypeId, &TypeDef)> {
        let mut sorted: Vec<_> = self.emitted().collect();
        sorted.sort_by_key(|(_, definition)| {
            (definition.place(), definition.component().is_none(), &definition.name)
        });
        sorted
    }

    /// Returns whether requests or replies can be files.
    pub fn has_files(&self) -> bool {
        let mut streams = self.operations().flat_map(|operation| &operation.successes.streams);
        self.has_uploads() || streams.any(|stream| stream.kind == StreamKind::Bytes)
    }

    /// Returns whether a request can have content that is sent as it is.
    pub fn has_uploads(&self) -> bool {
        let mut bodies = self.operations().map(|operation| &operation.body);
        bodies.any(|body| matches!(body, Body::Whole { ty, .. } if ty.is_upload()))
            || self.emitted().any(|(_, definition)| match &definition.shape {
                Shape::Struct(object) => object.types().any(Type::is_upload),
                Shape::Union(union) => union.variants.iter().any(|variant| variant.ty.is_upload()),
                _ => false,
            })
    }

    /// Returns the operations of all resources.
    pub fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.resources.iter().flat_map(|resource| &resource.operations)
    }
}
