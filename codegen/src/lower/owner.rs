//! The context of a schema, on which its name and its documentation depend.

use super::names::{self, Priority};
use crate::ir::{ModuleName, ModulePath, Origin};

/// The name and the module of an inline type.
#[derive(Clone, Debug)]
pub struct Owner {
    /// The module of the type.
    pub module: ModulePath,
    /// The file of the module.
    pub file: ModuleName,
    /// The name in the spelling of the document, of the outermost part.
    pub outer: String,
    /// The names of the nested parts. Few have their own type, so the full name is derived only when it is needed.
    pub inner: Vec<String>,
    /// The precedence of the name.
    pub priority: Priority,
    /// The origin in the document.
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

    /// Returns the owner of a part of this one.
    pub fn child(&self, name: &str, origin: Origin) -> Self {
        let mut inner = self.inner.clone();
        inner.push(name.to_owned());
        Self {
            module: self.module.clone(),
            file: self.file.clone(),
            outer: self.outer.clone(),
            inner,
            priority: Priority::Derived,
            origin,
        }
    }

    /// Returns the name in the spelling of the document.
    pub fn name(&self) -> String {
        self.inner.iter().fold(self.outer.clone(), |outer, inner| {
            format!("{}{}", names::type_name(&outer), names::camel(inner))
        })
    }

    /// Returns the owner with its derived name.
    pub fn named(&self) -> Self {
        Self { outer: self.name(), inner: Vec::new(), ..self.clone() }
    }

    /// Returns the owner with a pinned name.
    pub fn pinned(&self, name: String) -> Self {
        Self { outer: name, inner: Vec::new(), priority: Priority::Pinned, ..self.clone() }
    }
}
