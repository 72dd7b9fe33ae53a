//! The alternatives of a schema, before they are lowered.

use crate::document::{Document, Schema};
use crate::facts::{Known, composition, is_decisive};
use crate::ir::JsonKind;
use crate::names;

/// Maximum nesting of lists in a name such as `TextListList`.
const MAX_DEPTH: usize = 4;

/// An alternative that becomes a variant of a union.
#[derive(Clone, Debug)]
pub struct Alternative<'d> {
    /// The schemas of its values, at least one.
    pub schemas: Vec<Schema<'d>>,
    /// The shape of scalars, or of the values of several schemas.
    pub shape: Option<ValueShape>,
    /// The key of the component that this is, if it extends the schema of the union.
    pub extension: Option<String>,
}

impl<'d> Alternative<'d> {
    pub fn schema(&self) -> &Schema<'d> {
        &self.schemas[0]
    }

    pub fn component_key(&self) -> Option<String> {
        let is_component = self.shape.is_none();
        let reference = || self.schema().reference().filter(|_| is_component);
        self.extension.clone().or_else(|| Document::key_of(reference()?))
    }

    /// Returns the schemas that name the alternative.
    pub fn named(&self) -> &[Schema<'d>] {
        if self.is_scalar() || self.extension.is_some() { &[] } else { &self.schemas }
    }

    /// Returns the name of the alternative by the kind of its values.
    pub fn kind_name(&self, known: &Known<'d>) -> String {
        let name = kind_name(self.schema(), 0, false, known);
        let is_common =
            || self.schemas.iter().all(|schema| kind_name(schema, 0, false, known) == name);
        match &self.shape {
            Some(shape) if !is_common() => shape.name.clone(),
            _ => name,
        }
    }

    pub fn is_scalar(&self) -> bool {
        self.shape.as_ref().is_some_and(|shape| shape.is_scalar)
    }
}

/// The shape of values. Branches of the same shape are one variant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ValueShape {
    /// A name for the values: `Text`, `TextList`, `Map`.
    pub name: String,
    pub is_scalar: bool,
}

/// Returns a name for the values of a schema: `Text`, `TextList`, `Object`; an exact one has the format: `DateTime`.
pub fn kind_name<'d>(
    schema: &Schema<'d>,
    depth: usize,
    is_exact: bool,
    known: &Known<'d>,
) -> String {
    let inner = composition::wrapped(schema);
    let named = inner.as_ref().unwrap_or(schema).reference();
    if depth > 0
        && let Some(key) = named.and_then(Document::key_of)
    {
        return names::camel(&key);
    }
    let values = known.values(schema);
    let format = schema.format().filter(|format| is_decisive(format));
    if let Some(word) = format.or(values.constants().map(|_| "enum")).filter(|_| is_exact) {
        return names::camel(word);
    }
    let name = match values.only_kind() {
        Some(JsonKind::Array) => {
            let items = values.lists.and_then(|lists| match lists.elements(known) {
                ("items", items) if depth < MAX_DEPTH => items.into_iter().next(),
                _ => None,
            });
            return items
                .map(|items| kind_name(&items, depth + 1, is_exact, known))
                .unwrap_or_default()
                + "List";
        }
        Some(JsonKind::Boolean) => "Boolean",
        Some(JsonKind::Number) if values.is_narrow() => "Integer",
        Some(JsonKind::Number) => "Number",
        Some(JsonKind::String) if values.is_binary() => "File",
        Some(JsonKind::String) => "Text",
        Some(JsonKind::Object) => match values.objects {
            Some(objects) if objects.is_map() => "Map",
            Some(objects) if !objects.is_union() => "Object",
            _ => "Value",
        },
        None => "Value",
    };
    name.to_owned()
}
