//! The places of what types are made of, where the types do not have them.

use std::collections::HashMap;

use super::Type;
use crate::source_map::Pointer;

/// Schemas by their places.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    /// The types of bodies and parameters.
    pub roots: HashMap<Pointer, Type>,
    /// The schemas that apply to a property, by the one that describes it.
    pub parts: HashMap<Pointer, Vec<Pointer>>,
    /// The items of streams, by their media types.
    pub items: HashMap<Pointer, Vec<StreamItem>>,
    /// Of lists and maps, and what refers to them: the schemas of their elements and values.
    pub contents: HashMap<Pointer, Pointer>,
}

/// An item of a stream: of lines, or of the events with a name.
#[derive(Clone, Debug)]
pub struct StreamItem {
    /// The name. Empty if it does not decide the content.
    pub event: String,
    /// The schema of its JSON; `None` for a text.
    pub schema: Option<Pointer>,
}

impl Sites {
    /// Records that a schema is read as another one.
    pub(crate) fn refer(&mut self, schema: &Pointer, target: &Pointer) {
        if let Some(content) = self.contents.get(target) {
            self.contents.insert(schema.clone(), content.clone());
        }
    }
}
