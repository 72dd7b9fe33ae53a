//! Names as tokens.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, TokenStreamExt, quote};

use crate::ir::{FieldName, MethodName, ModuleName, OldName, TypeName, VariantName};

/// Returns whether a text is an identifier, and nothing else: no comment and no white space.
pub fn is_identifier(text: &str) -> bool {
    syn::parse_str::<Ident>(text).is_ok_and(|name| name == text)
}

/// Returns the identifier of a name, which can be raw.
pub fn ident(name: &str) -> Ident {
    match name.strip_prefix("r#") {
        Some(bare) => Ident::new_raw(bare, Span::call_site()),
        None => Ident::new(name, Span::call_site()),
    }
}

/// Returns the tokens of a path.
pub fn path(path: &str) -> TokenStream {
    let segments = path.split("::").map(ident);
    quote!(#(#segments)::*)
}

macro_rules! to_tokens {
    ($($name:ident),*) => {$(
        impl ToTokens for $name {
            fn to_tokens(&self, tokens: &mut TokenStream) {
                tokens.append(ident(self.as_str()));
            }
        }
    )*};
}

to_tokens!(FieldName, MethodName, ModuleName, OldName, TypeName, VariantName);
