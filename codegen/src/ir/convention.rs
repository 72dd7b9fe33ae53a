//! Conventions of an API: properties of operations that schemas do not describe.

use super::{FieldName, StructId, Type};

/// The update mask of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    /// The property of the body with the object; `None` if the body is the object.
    pub object: Option<String>,
    pub object_type: StructId,
    /// Where requests have the mask.
    pub place: MaskPlace,
    /// The name of the property or the parameter.
    pub name: String,
    /// The separator of the names in a text.
    pub separator: String,
    /// Whether paths with dots name the changes within objects.
    pub nested: bool,
}

/// Where requests have an update mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaskPlace {
    /// In a property of the body, as one text.
    BodyText,
    /// In a property of the body, as a list of texts.
    BodyList,
    /// In a property of the body, as an object with a list called `paths`.
    BodyPaths,
    /// In a query parameter, as one text.
    Query,
    /// In a query parameter, once for each name.
    QueryList,
}

/// The mask of a request for related objects: an object with a list of paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The field of the body.
    pub field: FieldName,
    /// Whether that field is not an `Option`.
    pub required: bool,
    /// The type of the field.
    pub mask: StructId,
    /// The field of the mask with the paths.
    pub paths: FieldName,
    /// Whether that field is not an `Option`.
    pub paths_required: bool,
    pub path: Type,
    /// The JSON pointer to the property of the body.
    pub pointer: String,
}
