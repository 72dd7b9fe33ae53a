//! Where a schema stands, as far as its names and its documentation depend on it.

use super::names::{self, Standing};
use crate::ir::{ModuleName, ModulePath, Origin};

/// What an inline type would be called, and where it would be.
#[derive(Clone, Debug)]
pub struct Owner {
    /// The module of the type.
    pub module: ModulePath,
    /// The file of the module.
    pub file: ModuleName,
    /// What the type is named after.
    pub name: String,
    /// What the name is worth beside others.
    pub standing: Standing,
    /// What the schema is there.
    pub origin: Origin,
}

impl Owner {
    /// Returns the owner of what stands in a property.
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

    /// Returns the owner of what stands somewhere in this one.
    pub fn child(&self, name: &str, origin: Origin) -> Self {
        Self {
            name: format!("{}{}", names::type_name(&self.name), names::camel(name)),
            standing: Standing::MadeUp,
            origin,
            ..self.clone()
        }
    }

    /// Returns the owner under a name that is pinned.
    pub fn pinned(&self, name: String) -> Self {
        Self { name, standing: Standing::Pinned, ..self.clone() }
    }
}
