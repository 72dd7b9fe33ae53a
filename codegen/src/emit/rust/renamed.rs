//! Old names of renamed items.

use proc_macro2::TokenStream;
use quote::quote;

use super::docs::{Doc, text};
use crate::ir::TypeName;

/// Writes the old name of a type.
pub fn alias(old: &TypeName, new: &TypeName) -> TokenStream {
    let documentation = Doc::from(text!("The old name of [`{}`].", new)).attributes(0);
    let note = note(new.as_str());
    quote! {
        #documentation
        #[deprecated(note = #note)]
        pub type #old = #new;
    }
}

/// Returns the note of the deprecation warning.
pub fn note(new: &str) -> String {
    format!("renamed to `{new}`")
}
