//! The servers that have a type in the emitted crate.

use super::{Docs, FieldName, Type, TypeName};

/// A server of operations or of the document.
#[derive(Clone, Debug)]
pub struct Server {
    pub name: TypeName,
    /// The URL, a template. It can be relative to the base URL.
    pub url: String,
    /// The variables of the URL, in its order.
    pub variables: Vec<ServerVariable>,
    /// Whether operations are sent there instead of to the base URL.
    pub is_own: bool,
    /// The documentation.
    pub docs: Docs,
    /// The JSON pointer to the server.
    pub pointer: String,
}

/// A variable in the URL of a server.
#[derive(Clone, Debug)]
pub struct ServerVariable {
    /// The name of its setter.
    pub name: FieldName,
    /// Its name in the URL.
    pub wire: String,
    /// Its type: a text, or an enum.
    pub ty: Type,
    /// The value by default.
    pub default: String,
    /// The documentation.
    pub docs: Docs,
    /// The JSON pointer to the variable.
    pub pointer: String,
}

impl Server {
    /// Returns the URL with the defaults of its variables.
    pub fn default_url(&self) -> String {
        let url = self.url.clone();
        self.variables.iter().fold(url, |url, variable| {
            url.replace(&format!("{{{}}}", variable.wire), &variable.default)
        })
    }

    /// Returns the environment variable with the URL, after the prefix of the API.
    pub fn variable(&self) -> String {
        let mut variable = String::from("SERVER");
        for char in self.name.as_str().chars() {
            if char.is_uppercase() {
                variable.push('_');
            }
            variable.extend(char.to_uppercase());
        }
        variable
    }
}
