//! The schemas of a property in the earlier parts of an `allOf`, which an inline object refines.

use crate::diagnostics::Diagnostics;
use crate::document::Schema;
use crate::lower::classify::{Layer, is_object};
use crate::lower::{Context, Owner, references};

/// Maximum number of schemas that are searched for the schemas that a property refines.
const MAX_REFINED: usize = 64;

/// Returns the schemas of a property in `earlier` schemas that describe objects.
pub fn refined<'d>(
    name: &str,
    earlier: &[Layer<'d>],
    context: &Context<'d>,
    diagnostics: &mut Diagnostics,
) -> Vec<Layer<'d>> {
    let mut search = Search { name, context, diagnostics, budget: MAX_REFINED, found: Vec::new() };
    let mut starts = Vec::with_capacity(earlier.len());
    for (index, layer) in earlier.iter().enumerate() {
        starts.push(search.found.len());
        let start = starts[index - layer.scope];
        search.collect(&layer.schema, &layer.owner, start);
    }
    search.found
}

/// A search for the schemas of a property.
struct Search<'a, 'd> {
    name: &'a str,
    context: &'a Context<'d>,
    diagnostics: &'a mut Diagnostics,
    /// The number of schemas that may still be searched.
    budget: usize,
    found: Vec<Layer<'d>>,
}

impl<'d> Search<'_, 'd> {
    /// Adds the schemas of the property in a schema and in its `allOf`; those since `start` apply to the same object.
    fn collect(&mut self, schema: &Schema<'d>, owner: &Owner, start: usize) {
        let Some(rest) = self.budget.checked_sub(1) else { return };
        self.budget = rest;
        let target = references::target(self.context, schema, self.diagnostics);
        let Some((schema, component)) = target else { return };
        let (owner, start) = match component {
            Some(component) => (component, self.found.len()),
            None => (owner, start),
        };
        for part in schema.all_of() {
            self.collect(&part, owner, start);
        }
        let property = schema.properties().find(|(other, _)| *other == self.name);
        if let Some((_, schema)) = property
            && let Some((target, _)) = references::target(self.context, &schema, self.diagnostics)
            && is_object(&target)
        {
            let owner = owner.property(self.name);
            let scope = self.found.len() - start;
            self.found.push(Layer { schema, owner, scope });
        }
    }
}
