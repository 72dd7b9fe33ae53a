//! What the keys of the objects of a document are: fields, or names that the document chooses.

use std::borrow::Cow;
use std::collections::HashSet;

use super::Node;
use super::references::{mapped, reference};
use crate::source_map::Pointer;

/// The fields whose keys are names, with `additionalOperations`.
const MAPS: [&str; 22] = [
    "$defs", "callbacks", "content", "definitions", "dependentRequired", "dependentSchemas",
    "encoding", "headers", "links", "mapping", "mediaTypes", "parameters", "pathItems",
    "patternProperties", "properties", "requestBodies", "responses", "schemas", "scopes",
    "securitySchemes", "variables", "webhooks",
];

/// The fields whose values describe nothing: values of the API, and documentation.
const VALUES: [&str; 6] = ["const", "default", "enum", "example", "examples", "externalDocs"];

/// What the keys of an object are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Keys {
    /// Fields or names: the object is a whole file.
    Either,
    Fields,
    /// The fields of the components, each of which has names.
    Sections,
    /// Names and extensions.
    Patterns,
    Names,
}

impl Keys {
    /// Returns what the keys at a place are; `None` if no field reads it.
    pub(crate) fn at(pointer: &Pointer) -> Option<Self> {
        let root = if pointer.file().is_some() { Self::Either } else { Self::Fields };
        pointer.segments().into_iter().try_fold(root, Self::below)
    }

    /// Returns what the keys in the value of a key, or in an element, are; `None` if no description is in it.
    pub(super) fn below(self, key: &str) -> Option<Self> {
        let is_read = match self {
            Self::Either | Self::Names => true,
            Self::Patterns => !is_extension(key),
            Self::Fields | Self::Sections => !is_extension(key) && !VALUES.contains(&key),
        };
        is_read.then_some(match key {
            _ if self.are_names() => Self::Fields,
            "components" => Self::Sections,
            "paths" | "responses" if self == Self::Fields => Self::Patterns,
            _ if key == "additionalOperations" || MAPS.contains(&key) => Self::Names,
            _ => Self::Fields,
        })
    }

    /// Returns the descriptions in a value, each with its key or index, and what its keys are.
    pub(super) fn within(self, node: &Node) -> impl Iterator<Item = (Cow<'_, str>, &Node, Self)> {
        let items = node.as_array().unwrap_or_default().iter().enumerate();
        let items = items.map(|(index, node)| (Cow::from(index.to_string()), node));
        let members = node.members(&[]).map(|(key, node)| (key.into(), node));
        items.chain(members).filter_map(move |(key, node)| {
            let keys = self.below(&key)?;
            Some((key, node, keys))
        })
    }

    /// Returns whether the keys are chosen by the document.
    pub(crate) fn are_names(self) -> bool {
        matches!(self, Self::Names | Self::Patterns)
    }
}

/// Returns whether a field is an extension (OpenAPI 3.1.1 §4.9).
pub(crate) fn is_extension(field: &str) -> bool {
    field.starts_with("x-")
}

/// Returns the values of a document or another file, which has a place, that describe the API, each with its place, and
/// what its keys are. Values of a document that no field reads are included where references name them.
pub(crate) fn descriptions(
    place: Pointer,
    root: &Node,
) -> impl Iterator<Item = (Pointer, &Node, Keys)> {
    let mut seen = HashSet::new();
    let keys = Keys::at(&place).unwrap_or(Keys::Fields);
    let is_document = place.file().is_none();
    let mut waiting = vec![(place, root, keys)];
    std::iter::from_fn(move || {
        let (pointer, node, keys) = waiting.pop()?;
        let inner = keys.within(node);
        waiting.extend(inner.map(|(key, node, keys)| (pointer.join(&key), node, keys)));
        let mapping = node.members(&["discriminator", "mapping"]);
        let targets = mapping.filter_map(|(_, node)| mapped(node)).chain(reference(node));
        for target in targets.filter(|target| is_document && target.file().is_none()) {
            if Keys::at(&target).is_none()
                && seen.insert(target.clone())
                && let Some(node) = root.at(&target)
            {
                waiting.push((target, node, keys));
            }
        }
        Some((pointer, node, keys))
    })
}
