//! Aliases for the search of `rustdoc`.

use proc_macro2::TokenStream;
use quote::quote;

/// Writes a `#[doc(alias)]` of a name in the spec, if it differs from the Rust name and `rustdoc` accepts it.
pub fn alias(wire: &str, rust: &str) -> Option<TokenStream> {
    let is_accepted =
        |char: char| !char.is_whitespace() && !char.is_control() && !"\"'".contains(char);
    let allowed = !wire.is_empty() && wire.chars().all(is_accepted);
    (allowed && wire != rust).then(|| quote!(#[doc(alias = #wire)]))
}
