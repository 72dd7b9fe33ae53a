//! What the emitters of structs, unions and requests share: documentation and setters of one member.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use crate::emit::rust::docs;
use crate::ir::{Access, Field, FieldWire};

/// Writes the documentation of a field.
pub fn documented(field: &Field, indent: usize) -> TokenStream {
    let fallback = fallback(field);
    let docs = docs::of(&field.docs, &fallback, indent);
    let alias = match &field.wire {
        FieldWire::Member(member) => docs::alias(member, field.name.bare()),
        FieldWire::Group => None,
    };
    let access = match field.access {
        Access::Read => Some("Read-only: only responses have it."),
        Access::Write => Some("Write-only: only requests have it."),
        Access::Both => None,
    };
    let access = access.map(|access| {
        let line = format!(" {access}");
        quote!(#[doc = ""] #[doc = #line])
    });
    quote!(#docs #access #alias)
}

/// Returns what a field is said to be where the description says nothing.
pub fn fallback(field: &Field) -> String {
    match &field.wire {
        FieldWire::Member(member) => format!("The member `{member}`."),
        FieldWire::Group => "Which one of the members of its type is present.".to_owned(),
    }
}

/// Writes a setter that takes what it is called on and gives it back.
pub fn setter(
    docs: &TokenStream,
    name: &Ident,
    ty: &TokenStream,
    target: &TokenStream,
    value: &TokenStream,
) -> TokenStream {
    quote! {
        #docs
        #[must_use]
        pub fn #name(mut self, value: #ty) -> Self {
            self.#target = #value;
            self
        }
    }
}
