//! Old names of renamed items.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::docs::{Doc, Inline, text};
use crate::ir::Api;

/// Writes the old names of the types in a module.
pub fn types(module: &str, api: &Api) -> TokenStream {
    let aliases = api.aliases.types.iter().filter_map(|(old, new)| {
        let (at, old) = old.rsplit_once("::")?;
        (at == module).then(|| {
            let documentation = Doc::from(text!("The old name of {}.", Inline::code(new)));
            let documentation = documentation.attributes(0);
            let deprecated = deprecated(new);
            let [old, target] = [old, new].map(tokens);
            quote!(#documentation #deprecated pub type #old = crate::#target;)
        })
    });
    aliases.collect()
}

/// Writes a method under its name with attributes, and under its old names.
pub fn methods(
    api: &Api,
    owner: &str,
    name: &str,
    attributes: TokenStream,
    mut write: impl FnMut(TokenStream, TokenStream) -> TokenStream,
) -> TokenStream {
    let old_names = api.old_names(owner, name).iter();
    let old_names = old_names.map(|old| (old.to_token_stream(), deprecated(name)));
    let names = std::iter::once((tokens(name), attributes)).chain(old_names);
    names.map(|(name, attributes)| write(name, attributes)).collect()
}

/// Writes the attribute of an old name.
pub fn deprecated(new: &str) -> TokenStream {
    let note = format!("renamed to `{new}`");
    quote!(#[deprecated(note = #note)])
}

fn tokens(path: &str) -> TokenStream {
    path.parse().unwrap_or_default()
}
