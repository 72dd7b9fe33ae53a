//! Paths, operations, parameters, bodies and responses.

use std::ops::Deref;

use super::{Document, Location, Node, Schema, Status, Version, View};

/// The fields of a path item that contain an operation, with the HTTP methods (RFC 9110 §9.3, RFC 5789; `query` in
/// OpenAPI 3.2).
const METHODS: [(&str, &str); 9] = [
    ("get", "GET"),
    ("put", "PUT"),
    ("post", "POST"),
    ("delete", "DELETE"),
    ("options", "OPTIONS"),
    ("head", "HEAD"),
    ("patch", "PATCH"),
    ("trace", "TRACE"),
    ("query", "QUERY"),
];

/// The field of a path item with the operations of other HTTP methods (OpenAPI 3.2).
const ADDITIONAL: &str = "additionalOperations";

/// Returns whether an HTTP method has a field of its own in a path item.
pub(in crate::document) fn has_field(method: &str) -> bool {
    METHODS.iter().any(|(_, name)| *name == method)
}

/// Returns whether a field of a path item is not an operation, but applies to all of them.
pub(in crate::document) fn is_shared(field: &str) -> bool {
    field != ADDITIONAL && METHODS.iter().all(|(name, _)| *name != field)
}

/// Returns the HTTP methods of a path item with their operations, each with its path from the item.
pub(in crate::document) fn methods(
    item: &Node,
    version: Version,
) -> impl Iterator<Item = (&str, [Option<&str>; 2], &Node)> {
    let is_3_2 = version == Version::V3_2;
    let own = item.members(&[]).filter_map(move |(field, operation)| {
        let (_, method) = METHODS.iter().find(|(name, _)| *name == field)?;
        let is_read = field != "query" || is_3_2;
        is_read.then_some((*method, [Some(field), None], operation))
    });
    let additional = item.members(if is_3_2 { &[ADDITIONAL] } else { &[""] });
    own.chain(
        additional.map(|(method, operation)| (method, [Some(ADDITIONAL), Some(method)], operation)),
    )
}

/// A parameter whose name and location are valid.
#[derive(Clone, Debug)]
pub struct ParameterView<'d> {
    /// The name on the wire.
    pub name: &'d str,
    /// The location.
    pub location: Location,
    view: View<'d>,
}

impl<'d> Deref for ParameterView<'d> {
    type Target = View<'d>;

    fn deref(&self) -> &View<'d> {
        &self.view
    }
}

impl Document {
    /// Returns the templates of the paths, each with its path item, which can be a `$ref`. Documents use fragments to
    /// describe one path several times.
    pub fn paths(&self) -> impl Iterator<Item = (&str, View<'_>)> {
        let paths = self.root().map("paths").filter(|(path, _)| path.starts_with('/'));
        paths.map(|(path, item)| (path.split('#').next().unwrap_or(path), item))
    }

    /// Returns the operations of all paths, except those with an error in a `$ref`.
    pub(crate) fn operations(&self) -> impl Iterator<Item = View<'_>> {
        let items = self.paths().filter_map(|(_, item)| item.followed());
        items.flat_map(|item| item.operations()).filter_map(|(_, operation)| operation.followed())
    }

    /// Returns the path items and operations that have servers of their own.
    pub fn server_lists(&self) -> impl Iterator<Item = View<'_>> {
        let items = self.paths().filter_map(|(_, item)| item.followed());
        items.chain(self.operations()).filter(|view| view.has("servers"))
    }

    /// Returns a declared tag.
    pub fn tag(&self, name: &str) -> Option<View<'_>> {
        self.root().list("tags").find(|tag| tag.text("name") == Some(name))
    }
}

impl<'d> View<'d> {
    /// Returns the operations of a path item, each with its HTTP method. In several files, they can be `$ref`s.
    pub fn operations(&self) -> impl Iterator<Item = (&'d str, Self)> + use<'d> {
        let Self { document, node, pointer, .. } = self.clone();
        let methods = methods(node, document.version);
        methods.filter(|(_, _, operation)| operation.as_object().is_some()).map(
            move |(method, path, operation)| {
                let steps = path.into_iter().flatten();
                let pointer = steps.fold(pointer.clone(), |pointer, step| pointer.join(step));
                (method, Self::new(document, operation, pointer))
            },
        )
    }

    /// Returns the group of an operation that an extension of Speakeasy (`pets`, or `admin.pets`) or of Fern (which can
    /// be a list) names.
    pub fn group_name(&self) -> Option<String> {
        let list: Vec<&str> = self.texts("x-fern-sdk-group-name").collect();
        let one = ["x-speakeasy-group", "x-fern-sdk-group-name"]
            .iter()
            .find_map(|extension| self.text(extension))
            .map(str::to_owned);
        one.or_else(|| Some(list.join(" "))).filter(|name| !name.trim().is_empty())
    }

    /// Returns the responses of an operation by status; each can be a `$ref`.
    pub fn responses(&self) -> impl Iterator<Item = (Status, Self)> + use<'d> {
        let responses = self.map("responses");
        responses.filter_map(|(key, view)| Some((Status::parse(key)?, view)))
    }

    /// Returns the media types of a request body or a response by name, such as `application/json`, as written.
    pub fn content(&self) -> impl Iterator<Item = (&'d str, Self)> + use<'d> {
        let content = self.child("content").map(View::replaced);
        let members = content.into_iter().flat_map(View::members);
        members.map(|(name, view)| (name, view.replaced()))
    }

    /// Returns the schema of a media type, or of a parameter without a media type.
    pub fn schema(&self) -> Option<Schema<'d>> {
        self.child("schema").map(Schema::from)
    }

    /// Returns the schema of each item of a stream.
    pub fn item_schema(&self) -> Option<Schema<'d>> {
        self.child("itemSchema").map(Schema::from)
    }
}

impl<'d> ParameterView<'d> {
    /// Reads a parameter. Returns `None` if its name or its location is invalid.
    pub fn new(view: View<'d>) -> Option<Self> {
        let location = Location::from_name(view.text("in")?)?;
        Some(Self { name: view.text("name")?, location, view })
    }

    /// Returns whether another parameter has the same name and location.
    pub fn has_same_key(&self, other: &Self) -> bool {
        let is_same = match self.location {
            Location::Header => self.name.eq_ignore_ascii_case(other.name),
            _ => self.name == other.name,
        };
        is_same && self.location == other.location
    }

    /// Returns whether the parameter is required. Path parameters always are.
    pub fn required(&self) -> bool {
        self.flag("required") || self.location == Location::Path
    }
}
