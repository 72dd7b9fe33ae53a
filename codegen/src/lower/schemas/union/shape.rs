//! The shapes of values that no rule of a union distinguishes.

use crate::document::Schema;
use crate::facts::{Facts, Values, is_null_among};
use crate::lower::ValueShape;
use crate::lower::classify::{Content, SchemaKind};
use crate::lower::references::classify_target;

/// Maximum number of lists around values.
const MAX_DEPTH: usize = 4;

/// Returns the shape of the values of a schema; `None` if it is another one.
pub fn shape_of(schema: &Schema<'_>) -> Option<ValueShape> {
    within(schema, 0)
}

fn within(schema: &Schema<'_>, depth: usize) -> Option<ValueShape> {
    let values = Values::of(schema);
    let kind = values.only_kind()?;
    if values.is_scalar() {
        return Some(ValueShape::Scalar(kind));
    }
    match classify_target(schema)?.kind {
        SchemaKind::Map(_) if Facts::of(schema).required.is_empty() => Some(ValueShape::Map),
        SchemaKind::List(Content::Any) => Some(ValueShape::List(Box::new(ValueShape::Any))),
        SchemaKind::List(Content::Of(items)) if depth < MAX_DEPTH => {
            Some(ValueShape::List(Box::new(within(&items, depth + 1)?)))
        }
        SchemaKind::Alternatives(_, branches) if depth < MAX_DEPTH => {
            let branches = branches.iter().filter(|branch| !is_null_among(branch, &branches));
            let mut shapes = branches.map(|branch| within(branch, depth + 1));
            let first = shapes.next()??;
            shapes.all(|shape| shape.as_ref() == Some(&first)).then_some(first)
        }
        _ => None,
    }
}
