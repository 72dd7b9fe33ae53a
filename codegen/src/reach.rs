//! The operations that diagnostics are about: the operations that need the places.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::diagnostics::{Code, Diagnostics};
use crate::document::{self, Input, Parts, Pointer};

/// Returns the operations, such as `GET /pets`, that need the place of a diagnostic with this code, by its message.
pub fn reach<'f>(
    input: impl Into<Input<'f>>,
    diagnostics: &Diagnostics,
    code: Code,
) -> BTreeMap<String, BTreeSet<String>> {
    let Some(tree) = document::load(&input.into(), &mut Diagnostics::new()) else {
        return BTreeMap::new();
    };
    let parts = Parts::new(&tree);
    let mut by_part: HashMap<Pointer, BTreeSet<String>> = HashMap::new();
    let mut by_message: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.code == code) {
        let Some(part) = parts.at(diagnostic.place.pointer()) else { continue };
        let operations = by_part
            .entry(part)
            .or_insert_with_key(|part| parts.operations_needing(part).map(str::to_owned).collect());
        let reached = by_message.entry(diagnostic.message.clone()).or_default();
        reached.extend(operations.iter().cloned());
    }
    by_message
}

#[cfg(test)]
mod tests {
    use super::{Code, reach};
    use crate::{Settings, Source, generate};

    #[test]
    fn operations_reach_the_warnings_of_the_components_that_they_need() {
        let text = "
openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a: { get: { operationId: a, responses: { '200': { $ref: '#/components/responses/A' } } } }
  /b: { get: { operationId: b, responses: { '204': { description: None. } } } }
components:
  responses:
    A:
      description: A.
      content: { application/json: { schema: { $ref: '#/components/schemas/Outer' } } }
  schemas:
    Outer: { type: object, properties: { inner: { $ref: '#/components/schemas/Inner' } } }
    Inner: { type: object, properties: { id: { allOf: [{ type: string }, { type: integer }] } } }
";
        let source = Source { name: "spec.yaml".to_owned(), text: text.to_owned() };
        let outcome = generate(&source, &Settings::default());
        let reached = reach(&source, &outcome.diagnostics, Code::Untyped);
        let reached: Vec<_> = reached.into_values().flatten().collect();
        assert_eq!(reached, ["GET /a"]);
    }
}
