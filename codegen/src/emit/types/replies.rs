//! An enum of the contents of replies.

use proc_macro2::TokenStream;
use quote::quote;

use super::attributes::Model;
use crate::emit::operations::replies::by_event;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::page::Page;
use crate::emit::rust::print::Part;
use crate::ir::{ReplyEnum, ReplyPart};
use crate::items::Ty;

/// Writes the enum.
pub fn items(model: Model<'_>, reply: &ReplyEnum, page: &mut Page<'_>) -> Vec<Part> {
    let name = &model.definition.name;
    let attributes = model.attributes();
    let mut variants = TokenStream::new();
    for variant in &reply.variants {
        let payload = variant.content.as_ref().map(|content| {
            let payload = page.ty(&Ty::content(content, page.api));
            quote!((#payload))
        });
        let name = &variant.name;
        let documentation = Doc::from(match (reply.part, &variant.event) {
            (_, Some(event)) => text!("The data of the event {}.", Inline::code(event)),
            (ReplyPart::Failure, _) => text!("The body `{}`.", name),
            _ => text!("The reply `{}`.", name),
        });
        let documentation = documentation.attributes(4);
        variants.extend(quote!(#documentation #name #payload,));
    }
    let other = match reply.part {
        ReplyPart::Failure => None,
        ReplyPart::Success => Some((
            text!("A successful reply with another status."),
            quote!(
                #[cfg(feature = "client")]
                Other(runtime::RawReply)
            ),
        )),
        ReplyPart::Event => {
            Some((text!("The data of an event with another name."), quote!(Unknown(String))))
        }
    };
    variants.extend(other.map(|(docs, variant)| {
        let docs = Doc::from(docs).attributes(4);
        quote!(#docs #variant,)
    }));
    let item = Part::Rust(quote! {
        #attributes
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum #name {
            #variants
        }
    });
    let decoding = (reply.part == ReplyPart::Event).then(|| {
        let decoding = by_event(name, &reply.variants);
        quote!(#[cfg(feature = "client")] #decoding)
    });
    [item].into_iter().chain(decoding.map(Part::Rust)).collect()
}
