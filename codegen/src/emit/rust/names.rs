//! Names as tokens.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident};

use crate::ir::{FieldName, MethodName, ModuleName, OldName, TypeName, VariantName};

/// Returns whether a text is an identifier.
pub fn is_identifier(text: &str) -> bool {
    syn::parse_str::<syn::Ident>(text).is_ok()
}

macro_rules! to_tokens {
    ($($name:ident),*) => {$(
        impl ToTokens for $name {
            fn to_tokens(&self, tokens: &mut TokenStream) {
                match self.as_str().strip_prefix("r#") {
                    Some(bare) => format_ident!("r#{}", bare),
                    None => format_ident!("{}", self.as_str()),
                }
                .to_tokens(tokens);
            }
        }
    )*};
}

to_tokens!(FieldName, MethodName, ModuleName, OldName, TypeName, VariantName);
