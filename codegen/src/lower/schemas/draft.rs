//! A named type before its schema is lowered, and before its name is decided.

use crate::document::{Pointer, Schema};
use crate::ir::{Origin, Shape, TypeDef, TypeId};
use crate::lower::Owner;
use crate::lower::classify::Definition;
use crate::lower::names::{self, Standing};

/// A type whose name is not decided yet.
#[derive(Debug)]
pub struct Draft {
    /// The type, with the name that it wants.
    pub(super) definition: TypeDef,
    /// What the name is made of.
    pub(super) raw: String,
    pub(super) standing: Standing,
    /// Where the schema is written.
    pub(super) pointer: Pointer,
}

impl Draft {
    /// Returns what the type is.
    pub fn shape(&self) -> &Shape {
        &self.definition.shape
    }

    /// Returns what the name is made of where the wanted one is another's. A component adds words for its spelling; a
    /// made-up name adds what the type is.
    pub(super) fn raw(&self, attempt: usize) -> String {
        let is_made_up = !matches!(self.definition.origin, Origin::Component(_));
        if attempt == 0 || !is_made_up {
            return names::spelling(&self.raw, attempt).into_owned();
        }
        let what = match (&self.definition.shape, &self.definition.origin) {
            (_, Origin::RequestBody(_) | Origin::ResponseBody(_)) => "Body",
            (Shape::Enum(_) | Shape::Union(_), _) => "Kind",
            (Shape::Struct(_), Origin::Element(_)) => "Item",
            (Shape::Struct(_), _) => "Value",
        };
        match attempt {
            1 => format!("{}{what}", self.raw),
            _ => format!(
                "{}{what}_{:08x}",
                self.raw,
                names::checksum(&format!("{attempt}{}", self.pointer))
            ),
        }
    }
}

/// A schema that becomes a type of its own, as soon as nothing else is in progress.
#[derive(Debug)]
pub struct Pending<'d> {
    /// The room that was made for the type.
    pub id: TypeId,
    /// The schema, with the documentation of the type.
    pub schema: &'d Schema,
    /// What the type is.
    pub definition: Definition<'d>,
    /// What the type is named after.
    pub owner: Owner,
}
