//! Identifiers.

/// Returns whether a text is an identifier.
pub fn is_identifier(text: &str) -> bool {
    syn::parse_str::<syn::Ident>(text).is_ok()
}
