//! Old names of renamed items.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::attributes::Attributes;
use super::docs::{Doc, Inline, text};
use super::names::{ident, path};
use crate::ir::{Api, OldName, Resource};

/// Writes the old names of the types in a module.
pub fn types(module: &str, api: &Api) -> TokenStream {
    let aliases = api.aliases.types.iter().filter_map(|(old, new)| {
        let (at, old) = old.rsplit_once("::")?;
        (at == module).then(|| {
            let attributes = Doc::from(text!("The old name of {}.", Inline::code(new)))
                .attributes(0)
                .renamed(new)
                .condition(resource_of(new, api));
            let old = ident(old);
            let new = path(new);
            quote! {
                #attributes
                pub type #old = crate::#new;
            }
        })
    });
    aliases.collect()
}

/// Returns the old names of a method, setter or variant.
pub fn old_names<'a>(owner: &str, name: &str, api: &'a Api) -> &'a [OldName] {
    if api.aliases.members.is_empty() {
        return &[];
    }
    api.aliases.members.get(&format!("{owner}::{name}")).map_or(&[], Vec::as_slice)
}

/// Writes a method under its name and under its old names.
pub fn methods(
    owner: &str,
    name: &str,
    attributes: &Attributes,
    api: &Api,
    mut write: impl FnMut(&Ident, &Attributes) -> TokenStream,
) -> TokenStream {
    let mut methods = write(&ident(name), attributes);
    for old in old_names(owner, name, api) {
        let attributes = attributes.clone().renamed(name);
        methods.extend(write(&ident(old.as_str()), &attributes));
    }
    methods
}

/// Returns the resource whose module contains a path.
fn resource_of<'a>(path: &str, api: &'a Api) -> Option<&'a Resource> {
    let (module, _) = path.strip_prefix("resources::")?.split_once("::")?;
    api.resources.iter().find(|resource| resource.module.bare() == module)
}
