//! The context of a schema, on which its name and its documentation depend.

use super::names::{self, Standing};
use crate::ir::{ModuleName, ModulePath, Origin};

/// The name and the module of an inline type.
#[derive(Clone, Debug)]
pub struct Owner {
    /// The module of the type.
    pub module: ModulePath,
    /// The file of the module.
    pub file: ModuleName,
    /// The name in the spelling of the document.
    pub name: String,
    /// The precedence of the name.
    pub standing: Standing,
    /// What the schema is in the document.
    pub origin: Origin,
}

impl Owner {
    /// Returns the owner of the value of a property.
    pub fn property(&self, name: &str) -> Self {
        self.child(name, Origin::Property(name.to_owned()))
    }

    /// Returns the owner of the elements of a list.
    pub fn element(&self) -> Self {
        self.child("Item", Origin::Element(Box::new(self.origin.clone())))
    }

    /// Returns the owner of the values of a map.
    pub fn value(&self) -> Self {
        self.child("Value", Origin::Value(Box::new(self.origin.clone())))
    }

    /// Returns the owner of something within this one.
    pub fn child(&self, name: &str, origin: Origin) -> Self {
        Self {
            name: format!("{}{}", names::type_name(&self.name), names::camel(name)),
            standing: Standing::MadeUp,
            origin,
            ..self.clone()
        }
    }

    /// Returns the owner with a pinned name.
    pub fn pinned(&self, name: String) -> Self {
        Self { name, standing: Standing::Pinned, ..self.clone() }
    }
}
