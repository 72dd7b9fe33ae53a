//! The effort for the parts of an `allOf`.

use crate::diagnostics::Diagnostics;
use crate::document::{self, Source};
use crate::facts::READS;
use crate::lower::lower;
use crate::settings::Settings;

/// Returns how many schemas are read for a chain of components with these parts, each of which refers to the one before.
fn reads(links: usize, parts: &str) -> usize {
    let head = "{openapi: 3.1.0, info: {title: t, version: '1'}, components: {schemas: {A0: {}";
    let chain = (1..=links).map(|index| {
        let before = format!("$ref: '#/components/schemas/A{}'", index - 1);
        let parts = parts.replace("before", &before).replace("p0", &format!("p{index}"));
        format!(", A{index}: {{allOf: [{parts}]}}")
    });
    let text = format!("{head}{}}}}}}}", chain.collect::<String>());
    let source = Source { name: "api.yaml".to_owned(), text };
    let mut diagnostics = Diagnostics::new();
    let tree = document::load(&(&source).into(), &mut diagnostics).unwrap();
    let document = document::read(tree, &mut diagnostics).unwrap();
    READS.set(0);
    assert!(lower(&document, &Settings::default(), &mut diagnostics).0.is_some());
    READS.get()
}

#[test]
fn chains_of_parts_are_read_in_quadratic_time() {
    for parts in [
        "{before}, {properties: {p0: {}}}",
        "{before}, {properties: {a: {properties: {p0: {}}}}}",
        "{properties: {a: {items: {properties: {p0: {}}}}}}, {before}",
        "{before}, {additionalProperties: {properties: {p0: {}}}}",
    ] {
        let [short, middle, long] = [25, 50, 100].map(|links| reads(links, parts));
        assert!(
            short > 25 && middle <= 4 * short && long <= 4 * middle,
            "{short}, {middle}, {long}: {parts}"
        );
    }
}
