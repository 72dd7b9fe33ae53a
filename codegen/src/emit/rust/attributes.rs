//! The attributes that the document gives an item, most of which are documentation.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

use super::names::absolute;
use crate::ir::Docs;
use crate::items::gates::Gate;

/// The attributes that the document gives an item.
#[derive(Clone, Default)]
pub struct Attributes {
    documentation: Vec<String>,
    deprecation: Option<Deprecation>,
    alias: Option<String>,
    /// The features, one of which must be enabled, if there are any.
    features: Vec<String>,
    /// The paths of derive macros.
    derives: Vec<String>,
}

/// The attribute after a derive by the settings, as it is printed. A comment, which the compiler's messages show, replaces it.
pub const BY_SETTINGS: [&str; 2] = ["\n#[by_settings]", " // [derive] in codegen.toml"];

/// The character between the lines of documentation, which is one attribute until it is printed. Documentation contains
/// no other control characters.
pub const LINE_BREAK: char = '\u{1f}';

/// Returns documentation as a raw literal: the escapes of another would be written once and read twice.
pub fn literal(lines: &[String]) -> Literal {
    let text = lines.join(LINE_BREAK.encode_utf8(&mut [0; 1]));
    let literal = format!("r#\"{text}\"#").parse();
    literal.unwrap_or_else(|_| Literal::string(&text))
}

/// Why an item is deprecated.
#[derive(Clone)]
enum Deprecation {
    /// The document marks it as deprecated.
    Declared,
    /// It has been renamed.
    Renamed { to: String },
}

impl Attributes {
    /// Creates attributes with the lines of a documentation.
    pub fn new(documentation: Vec<String>) -> Self {
        Self { documentation, ..Self::default() }
    }

    /// Adds the condition that a cargo feature is enabled, if there is one.
    pub fn condition(self, feature: Option<&str>) -> Self {
        Self { features: feature.into_iter().map(str::to_owned).collect(), ..self }
    }

    /// Adds derive macros.
    pub fn derive(self, paths: &[String]) -> Self {
        Self { derives: paths.to_vec(), ..self }
    }

    /// Adds the condition of a model by features that users name, for the documentation and for the compiler's message about a
    /// model that is not compiled.
    pub fn gate(self, gate: Option<&Gate>) -> Self {
        Self { features: gate.map_or_else(Vec::new, |gate| gate.implied_by.clone()), ..self }
    }

    /// Adds `#[deprecated]` if the document deprecates the item.
    pub fn deprecated(self, docs: &Docs) -> Self {
        let deprecation = docs.deprecated.then_some(Deprecation::Declared);
        Self { deprecation, ..self }
    }

    /// Returns the attributes of the old name of an item that has been renamed.
    pub fn renamed(self, to: &str) -> Self {
        let deprecation = Some(Deprecation::Renamed { to: to.to_owned() });
        Self { deprecation, alias: None, ..self }
    }

    /// Adds `#[doc(alias)]` for a name in the document, if there is one, `rustdoc` accepts it and its search, which ignores
    /// case and `_`, does not find the Rust name by it.
    pub fn alias(self, wire: Option<&str>, rust: &str) -> Self {
        let searched = |name: &str| name.replace('_', "").to_lowercase();
        let is_refused =
            |char: char| char.is_whitespace() || char.is_control() || "\"'".contains(char);
        let alias = wire.filter(|wire| !wire.is_empty() && !wire.contains(is_refused));
        let alias = alias.filter(|wire| searched(wire) != searched(rust)).map(str::to_owned);
        Self { alias, ..self }
    }
}

impl ToTokens for Attributes {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let documentation = (!self.documentation.is_empty()).then(|| {
            let text = literal(&self.documentation);
            quote!(#[doc = #text])
        });
        let deprecated = self.deprecation.as_ref().map(|deprecation| match deprecation {
            Deprecation::Declared => quote!(#[deprecated]),
            Deprecation::Renamed { to } => {
                let note = format!("renamed to `{to}`");
                quote!(#[deprecated(note = #note)])
            }
        });
        let alias = self.alias.as_ref().map(|alias| quote!(#[doc(alias = #alias)]));
        let condition = match self.features.as_slice() {
            [] => None,
            [feature] => Some(quote!(#[cfg(feature = #feature)])),
            features => Some(quote!(#[cfg(any(#(feature = #features),*))])),
        };
        let derives = self.derives.iter().map(|path| {
            let path = absolute(path);
            quote!(#[derive(#path)] #[by_settings])
        });
        tokens.extend(quote! {
            #documentation
            #deprecated
            #alias
            #condition
            #(#derives)*
        });
    }
}
