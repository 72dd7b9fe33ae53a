//! Names as tokens.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, TokenStreamExt, quote};
use syn::token::PathSep;
use syn::{GenericArgument, PathArguments, TypePath};

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

/// Returns the names of the crates in a type that is a path from a crate, such as `chrono::DateTime<chrono::Utc>`; `None`
/// for any other text.
pub fn crates_of(path: &str) -> Option<Vec<String>> {
    let mut ty = syn::parse_str(path).ok()?;
    let mut crates = Vec::new();
    let is_path = from_root(&mut ty, &mut crates);
    (is_path && !crates.is_empty()).then_some(crates)
}

/// Returns the tokens of a type of other crates, which no item hides.
pub fn absolute(path: &str) -> TokenStream {
    let mut ty = syn::parse_str(path).unwrap_or(syn::Type::Verbatim(TokenStream::new()));
    from_root(&mut ty, &mut Vec::new());
    ty.into_token_stream()
}

/// Begins all paths of a type at their crates, and collects these. Types without a crate can only be arguments. Returns
/// whether there are only paths.
fn from_root(ty: &mut syn::Type, crates: &mut Vec<String>) -> bool {
    let syn::Type::Path(TypePath { qself: None, path, .. }) = ty else { return false };
    let first = path.segments.first().map(|first| first.ident.to_string()).unwrap_or_default();
    if path.segments.len() > 1 {
        path.leading_colon = Some(PathSep::default());
        crates.push(first.clone());
    }
    !["crate", "self", "super", "Self"].contains(&first.as_str())
        && path.segments.iter_mut().all(|segment| match &mut segment.arguments {
            PathArguments::None => true,
            PathArguments::AngleBracketed(of) => {
                of.args.iter_mut().all(|argument| match argument {
                    GenericArgument::Type(ty) => from_root(ty, crates),
                    _ => false,
                })
            }
            PathArguments::Parenthesized(_) => false,
        })
}

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
