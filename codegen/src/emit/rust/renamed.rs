//! Old names of renamed items.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::ToTokens;

use super::attributes::Attributes;
use super::docs::{Doc, Inline, text};
use super::page::Page;
use crate::ir::{Api, Resource};

/// Writes the old names of the types in a module.
pub fn types(module: &str, api: &Api) -> String {
    let mut aliases = String::new();
    for (old, new) in &api.aliases.types {
        if let Some((at, old)) = old.rsplit_once("::")
            && at == module
        {
            let documentation = Doc::from(text!("The old name of {}.", Inline::code(new)));
            let attributes = documentation.attributes(0).renamed(new);
            attributes.condition(resource_of(new, api)).push_to("", &mut aliases);
            let _ = writeln!(aliases, "pub type {old} = crate::{new};");
        }
    }
    aliases
}

/// Writes a method with documentation: under its name with attributes, and under its old names.
pub fn methods(
    owner: &str,
    name: &str,
    documentation: &Attributes,
    attributes: Attributes,
    page: &mut Page<'_>,
    write: impl Fn(TokenStream, Attributes, &mut Page<'_>) -> TokenStream,
) -> TokenStream {
    let mut methods = write(tokens(name), attributes, page);
    for old in page.api.old_names(owner, name) {
        let attributes = documentation.clone().renamed(name);
        methods.extend(write(old.to_token_stream(), attributes, page));
    }
    methods
}

/// Returns the resource whose module a path lies in.
fn resource_of<'a>(path: &str, api: &'a Api) -> Option<&'a Resource> {
    let (module, _) = path.strip_prefix("resources::")?.split_once("::")?;
    api.resources.iter().find(|resource| resource.module.bare() == module)
}

fn tokens(path: &str) -> TokenStream {
    path.parse().unwrap_or_default()
}
