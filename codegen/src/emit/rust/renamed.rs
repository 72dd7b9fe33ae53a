//! Old names of renamed items.

use super::attributes::Attributes;
use super::docs::{Doc, Inline, text};
use super::print;
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
            let attributes = attributes.condition(resource_of(new, api));
            aliases.push_str(&print::item(&attributes, &format!("pub type {old} = crate::{new};")));
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
    api: &Api,
    write: impl Fn(&str, Attributes) -> String,
) -> Vec<String> {
    let old_names = api.old_names(owner, name).iter();
    let old = old_names.map(|old| write(old.as_str(), documentation.clone().renamed(name)));
    [write(name, attributes)].into_iter().chain(old).collect()
}

/// Returns the resource whose module a path lies in.
fn resource_of<'a>(path: &str, api: &'a Api) -> Option<&'a Resource> {
    let (module, _) = path.strip_prefix("resources::")?.split_once("::")?;
    api.resources.iter().find(|resource| resource.module.bare() == module)
}
