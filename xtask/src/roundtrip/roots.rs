//! The types that are tried: every struct, enum and union that has a schema of its own.

use std::collections::HashMap;

use ::codegen::ir::{Api, Shape, TypeDef};

use super::description::Description;
use super::schema::Schema;

/// A type, and the schema that it was made from.
#[derive(Debug)]
pub struct Root {
    /// The path of the type below the crate.
    pub rust: String,
    /// The key of the schema under `components`, or where it is written.
    pub name: String,
    pub schema: Schema,
}

/// Returns the types of an API.
///
/// A union that stands beside the members of an object has no schema of its own: it is tried with its object.
pub fn roots(api: &Api, description: &Description<'_>) -> Vec<Root> {
    let mut bearers: HashMap<&str, usize> = HashMap::new();
    for definition in &api.types {
        *bearers.entry(&definition.pointer).or_default() += 1;
    }
    let has_own_schema = |definition: &&TypeDef| {
        !matches!(definition.shape, Shape::Union(_))
            || bearers.get(definition.pointer.as_str()) == Some(&1)
    };
    let root = |definition: &TypeDef| {
        let mut rust = "models".to_owned();
        for module in definition.module.segments() {
            rust.push_str("::");
            rust.push_str(module.as_str());
        }
        let place = description.at(&definition.pointer)?;
        Some(Root {
            rust: format!("{rust}::{}", definition.name),
            name: definition.component.clone().unwrap_or_else(|| definition.pointer.clone()),
            schema: Schema::at(place),
        })
    };
    api.types.iter().filter(has_own_schema).filter_map(root).collect()
}
