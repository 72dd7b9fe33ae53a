//! Names of emitted items, one Rust type for each kind of item that can be named.

use std::fmt;

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Wraps a name in its final form: a valid identifier, raw (`r#…`) where Rust requires it.
            pub(crate) fn new(name: String) -> Self {
                Self(name)
            }

            /// Returns the name as Rust code.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Returns the name without the `r#` of a raw identifier.
            pub fn bare(&self) -> &str {
                self.0.strip_prefix("r#").unwrap_or(&self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

names! {
    /// The name of a struct or an enum, in `UpperCamelCase`.
    TypeName,
    /// The name of a variant, in `UpperCamelCase`.
    VariantName,
    /// The name of a field, and of the setter named as the field, in `snake_case`.
    FieldName,
    /// The name of a method of a resource or of the client, in `snake_case`.
    MethodName,
    /// An old name of an item that remains as a deprecated alias.
    OldName,
    /// The name of a module and of its file, in `snake_case`.
    ModuleName,
}

/// A path of modules below `models`; empty for `models` itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModulePath(pub Vec<ModuleName>);

impl ModulePath {
    /// Returns the path below the crate's root.
    pub fn path(&self) -> String {
        self.0.iter().fold("models".to_owned(), |path, module| path + "::" + module.as_str())
    }

    /// Returns the path of a file of the module below the crate's folder.
    pub fn file(&self, name: &str) -> String {
        let modules = self.0.iter().map(|module| [module.bare(), "/"].concat());
        format!("src/models/{}{name}.rs", modules.collect::<String>())
    }

    /// Returns the modules from the outermost to the innermost.
    pub fn segments(&self) -> &[ModuleName] {
        &self.0
    }
}
