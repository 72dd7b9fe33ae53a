//! Typed views of the tree. They skip invalid content, which was reported when the document was validated.

mod operation;
mod schema;
mod schema_type;

use std::collections::HashSet;

use super::keys::descriptions;
use super::references::is_only_reference;
use super::{Node, Tree};
use crate::source_map::Pointer;

pub use crate::message::{Location, Status};
pub use operation::ParameterView;
pub(super) use operation::{has_field, is_shared, methods};
pub use schema::{AdditionalProperties, Schema, SchemaKey};
pub(super) use schema::{ENUM_NAMES, UNREAD, is_any};
pub use schema_type::SchemaType;

/// Maximum length of a chain of references; a longer one is a cycle.
pub(crate) const MAX_CHAIN: usize = 64;

/// The keywords that are read next to the `$ref` of a schema in OpenAPI 3.0: the standard ignores all, but real
/// documents use these.
pub(super) const BESIDE_REFERENCE: [&str; 8] = [
    "$ref",
    "description",
    "nullable",
    "readOnly",
    "writeOnly",
    "deprecated",
    "x-rust-name",
    "x-speakeasy-name-override",
];

/// The extensions that name an element. The first is this generator's, the others are Speakeasy's and Fern's.
const NAMES: [&str; 3] = ["x-rust-name", "x-speakeasy-name-override", "x-fern-sdk-method-name"];

/// The minor version of OpenAPI that a document declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// 3.0.x, whose schemas have their own dialect (`nullable`, boolean `exclusiveMinimum`).
    V3_0,
    /// 3.1.x, whose schemas are JSON Schema 2020-12.
    V3_1,
    /// 3.2.x, with the schemas of 3.1.
    V3_2,
}

/// The kinds of objects, other than schemas, that can be a `$ref`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A Path Item Object.
    PathItem,
    /// An Operation Object.
    Operation,
    /// A Parameter Object.
    Parameter,
    /// A Request Body Object.
    RequestBody,
    /// A Response Object.
    Response,
    /// A Header Object.
    Header,
    /// A Security Scheme Object.
    SecurityScheme,
}

/// A document that was validated.
#[derive(Clone, Debug)]
pub struct Document {
    pub(crate) tree: Tree,
    pub(super) version: Version,
    /// The places of all possible targets of a `$ref`, other than schemas.
    pub(super) items: HashSet<(Kind, Pointer)>,
    /// The schemas in other files that are targets of a `$ref`.
    pub(super) foreign_schemas: Vec<Pointer>,
}

impl Document {
    /// Returns the whole document.
    pub fn root(&self) -> View<'_> {
        View::new(self, &self.tree.root, Pointer::root())
    }

    /// Returns the components of a section, by key.
    pub fn components(&self, section: &str) -> impl Iterator<Item = (&str, View<'_>)> {
        self.root().child("components").into_iter().flat_map(move |all| all.map(section))
    }

    /// Returns the values that describe the API.
    pub(super) fn descriptions(&self) -> impl Iterator<Item = View<'_>> {
        let all = descriptions(Pointer::root(), &self.tree.root);
        all.map(|(pointer, node, _)| View::new(self, node, pointer))
    }

    /// Returns the value at a pointer.
    pub fn at(&self, pointer: Pointer) -> Option<View<'_>> {
        Some(View::new(self, self.tree.at(&pointer)?, pointer))
    }

    /// Returns the help for a reference to nothing.
    pub fn correction(reference: &str) -> String {
        match reference.split_once('#') {
            Some((_, name)) if !name.is_empty() && !name.starts_with('/') => format!(
                "add `$anchor: {name}` to a single schema, or refer to the place of the schema"
            ),
            _ => "correct the reference, or add the missing component".to_owned(),
        }
    }

    /// Returns the item at a pointer, if it is of a kind.
    pub fn item(&self, kind: Kind, pointer: Pointer) -> Option<View<'_>> {
        let key = (kind, pointer);
        if self.items.contains(&key) { self.at(key.1) } else { None }
    }
}

/// A value with its place.
#[derive(Clone, Debug)]
pub struct View<'d> {
    document: &'d Document,
    /// The value.
    pub node: &'d Node,
    /// The place.
    pub pointer: Pointer,
    /// Whether only the `$ref` is read.
    pub(super) is_reference: bool,
    /// Whether a schema is read without its alternatives.
    pub is_base: bool,
    /// The only type of a schema that is read, of the types that it lists.
    pub(super) only_type: Option<SchemaType>,
}

impl<'d> View<'d> {
    pub(super) fn new(document: &'d Document, node: &'d Node, pointer: Pointer) -> Self {
        Self { document, node, pointer, is_reference: false, is_base: false, only_type: None }
    }

    /// Returns whether the document is written in OpenAPI 3.0, in which a schema without keywords is any JSON everywhere.
    pub fn is_3_0(&self) -> bool {
        self.document.version == Version::V3_0
    }

    /// Returns a property that has a value.
    pub fn get(&self, key: &str) -> Option<&'d Node> {
        self.raw(key).filter(|node| !node.is_null())
    }

    /// Returns a property.
    pub(super) fn raw(&self, key: &str) -> Option<&'d Node> {
        let is_ignored = self.is_reference && key != "$ref"
            || self.is_base && ["oneOf", "anyOf", "discriminator"].contains(&key)
            || self.is_3_0() && !BESIDE_REFERENCE.contains(&key) && self.node.get("$ref").is_some();
        if is_ignored { None } else { self.node.get(key) }
    }

    /// Returns whether another value is equal, at any place.
    pub fn is_same(&self, other: &Self) -> bool {
        self.node == other.node
    }

    /// Returns a property with its place.
    pub fn child(&self, key: &str) -> Option<Self> {
        Some(Self::new(self.document, self.get(key)?, self.pointer.join(key)))
    }

    /// Returns whether a property is a list or an object that is not empty.
    pub fn has(&self, key: &str) -> bool {
        match self.get(key) {
            Some(Node::Array(items)) => !items.is_empty(),
            Some(Node::Object(members)) => !members.is_empty(),
            _ => false,
        }
    }

    /// Returns a string, which can be a `$ref` in documents of several files.
    pub fn text(&self, key: &str) -> Option<&'d str> {
        let written = self.get(key)?.as_str();
        written.or_else(|| self.child(key)?.replaced().node.as_str())
    }

    /// Returns a text of the value that depends neither on its place nor on the order of its keys.
    pub fn to_text(&self) -> String {
        self.node.to_text()
    }

    /// Returns a boolean, if it is written.
    pub fn flag_if_written(&self, key: &str) -> Option<bool> {
        self.get(key).and_then(Node::as_bool)
    }

    /// Returns a boolean; the default is false.
    pub fn flag(&self, key: &str) -> bool {
        self.get(key).and_then(Node::as_bool).unwrap_or(false)
    }

    /// Returns the elements of a list.
    pub fn list(&self, key: &str) -> impl Iterator<Item = Self> + use<'d> {
        let list = self.child(key);
        let items = list.as_ref().and_then(|list| list.node.as_array()).unwrap_or_default();
        items.iter().enumerate().filter_map(move |(index, node)| {
            let list = list.as_ref()?;
            Some(Self::new(list.document, node, list.pointer.join_index(index)))
        })
    }

    /// Returns the strings of a list.
    pub fn texts(&self, key: &str) -> impl Iterator<Item = &'d str> + use<'d> {
        let items = self.get(key).and_then(Node::as_array).unwrap_or_default();
        items.iter().filter_map(Node::as_str)
    }

    /// Returns the entries of a map.
    pub fn map(&self, key: &str) -> impl Iterator<Item = (&'d str, Self)> + use<'d> {
        self.child(key).into_iter().flat_map(Self::members)
    }

    /// Returns the properties.
    pub fn members(self) -> impl Iterator<Item = (&'d str, Self)> + use<'d> {
        let members = self.node.as_object().unwrap_or_default();
        members.iter().map(move |(key, node)| {
            (key.as_str(), Self::new(self.document, node, self.pointer.join(key)))
        })
    }

    /// Returns the `$ref`, as written.
    pub fn reference(&self) -> Option<&'d str> {
        self.get("$ref").and_then(Node::as_str)
    }

    /// Returns the target of a chain of references; `None` if it does not exist or is a cycle.
    pub fn followed(self) -> Option<Self> {
        let mut view = self;
        for _ in 0..MAX_CHAIN {
            let Some(target) = view.reference() else { return Some(view) };
            view = view.document.at(Pointer::from_reference(target)?)?;
        }
        None
    }

    /// Returns the target of an object that is only a `$ref`, which real documents have despite the standard.
    pub(super) fn replaced(self) -> Self {
        let target = if is_only_reference(self.node) { self.clone().followed() } else { None };
        target.unwrap_or(self)
    }

    /// Returns the `title`. As a description, it belongs to all types of a schema.
    pub fn title(&self) -> Option<&'d str> {
        self.text("title").filter(|_| self.only_type.is_none())
    }

    /// Returns the `description`, in CommonMark. It belongs to all types of a schema, not to a single one.
    pub fn description(&self) -> Option<&'d str> {
        self.text("description").filter(|_| self.only_type.is_none())
    }

    /// Returns the name that an extension gives: `x-rust-name`, or the name for another generator.
    pub fn rust_name(&self) -> Option<&'d str> {
        let mut names = NAMES.iter().filter_map(|extension| self.text(extension));
        names.find(|name| !name.trim().is_empty())
    }
}
