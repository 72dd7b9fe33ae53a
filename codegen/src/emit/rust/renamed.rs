//! Old names of renamed items.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::attributes::Attributes;
use super::docs::{Doc, Inline, text};
use super::names::{ident, path};
use crate::ir::{Api, OldName, TypeId};
use crate::items::gates::Gates;

/// Writes the old names of the types in a module.
pub fn types(module: &str, api: &Api, gates: &Gates) -> TokenStream {
    let aliases = api.aliases.types.iter().filter_map(|(old, new)| {
        let (at, old) = old.rsplit_once("::")?;
        (at == module).then(|| {
            let attributes = Doc::from(text!("The old name of {}.", Inline::code(new)))
                .attributes(0)
                .renamed(new);
            let attributes = conditional(attributes, new, api, gates);
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

/// Adds the condition on which the item of a path is compiled.
fn conditional(attributes: Attributes, path: &str, api: &Api, gates: &Gates) -> Attributes {
    let Some(inner) = path.strip_prefix("resources::") else {
        let model = api.types.iter().position(|definition| definition.path() == path);
        return attributes.gate(model.and_then(|model| gates.gate(TypeId::new(model))));
    };
    let module = inner.split("::").next();
    let resource = api.resources.iter().find(|resource| Some(resource.module.bare()) == module);
    attributes.condition(resource.and_then(|resource| resource.feature.as_deref()))
}
