//! Deprecated aliases of types and methods: their old names.

use std::collections::BTreeMap;

use crate::ir::{Api, MethodName, TypeName};

/// Adds the old names to types and operations. An alias of an item that does not exist has no effect.
pub fn apply(api: &mut Api, aliases: &BTreeMap<String, String>) {
    let beside = aliases.iter().filter_map(|(old, new)| {
        let ((from, old), (to, _)) = (old.rsplit_once("::")?, new.rsplit_once("::")?);
        (from == to).then_some((new, old))
    });
    let mut old_names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (new, old) in beside {
        old_names.entry(new).or_default().push(old);
    }
    let of = |path: &str| old_names.get(path).into_iter().flatten().map(|name| (*name).to_owned());
    for definition in &mut api.types {
        let modules = definition.module.segments().iter().map(|module| format!("{module}::"));
        let path = format!("models::{}{}", modules.collect::<String>(), definition.name);
        definition.aliases = of(&path).map(TypeName::new).collect();
    }
    for resource in &mut api.resources {
        for operation in &mut resource.operations {
            let module = format!("resources::{}", resource.module);
            let method = format!("{module}::{}::{}", resource.name, operation.method_name);
            operation.aliases = of(&method).map(MethodName::new).collect();
            let builder = format!("{module}::{}", operation.builder);
            operation.builder_aliases = of(&builder).map(TypeName::new).collect();
        }
    }
}
