//! An enum of the contents of replies.

use proc_macro2::TokenStream;
use quote::quote;

use super::attributes;
use super::usage::Usage;
use crate::emit::rust::docs::{Doc, text};
use crate::emit::rust::page::Page;
use crate::emit::rust::print::Part;
use crate::ir::{Api, ReplyEnum, TypeDef, TypeId};
use crate::items::Ty;

/// Writes the enum.
pub fn item(
    id: TypeId,
    definition: &TypeDef,
    reply: &ReplyEnum,
    usage: &Usage<'_>,
    api: &Api,
    page: &mut Page<'_>,
) -> Part {
    let name = &definition.name;
    let attributes = attributes::of_type(id, definition, usage);
    let mut variants = TokenStream::new();
    for variant in &reply.variants {
        let payload = variant.content.as_ref().map(|content| page.ty(&Ty::content(content, api)));
        let payload = payload.map(|payload| quote!((#payload)));
        let name = &variant.name;
        let documentation = Doc::from(if reply.is_open {
            text!("The reply `{}`.", name)
        } else {
            text!("The body `{}`.", name)
        });
        let documentation = documentation.attributes(4);
        variants.extend(quote!(#documentation #name #payload,));
    }
    if reply.is_open {
        variants.extend(quote! {
            /// A successful reply with another status.
            Other(runtime::RawReply),
        });
    }
    Part::Rust(quote! {
        #attributes
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum #name {
            #variants
        }
    })
}
