//! The effort for the parts of an `allOf`, and for unions that contain one another.

use crate::diagnostics::Diagnostics;
use crate::document::{self, Source};
use crate::facts::READS;
use crate::lower::lower;
use crate::settings::Settings;

/// Returns how many schemas are read for a chain of components with these parts, each of which refers to the one before.
fn reads(links: usize, parts: &str) -> usize {
    let chain = (1..=links).map(|index| {
        let before = format!("$ref: '#/components/schemas/A{}'", index - 1);
        let parts = parts.replace("before", &before).replace("p0", &format!("p{index}"));
        format!(", A{index}: {{allOf: [{parts}]}}")
    });
    reads_of(&format!("A0: {{}}{}", chain.collect::<String>()))
}

/// Returns how many schemas are read for some components.
fn reads_of(schemas: &str) -> usize {
    let head = "{openapi: 3.1.0, info: {title: t, version: '1'}, components: {schemas: {";
    let text = format!("{head}{schemas}}}}}}}");
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
        let [short, middle, long] = [8, 16, 32].map(|links| reads(links, parts));
        assert!(
            short > 8 && middle <= 4 * short && long <= 4 * middle,
            "{short}, {middle}, {long}: {parts}"
        );
    }
}

/// Maximum number of schemas that are read for a kilobyte of a document.
const MAX_PER_KILOBYTE: usize = 600;

/// Returns components with these schemas: `PARTS` are one for each component, whose number is `N`, `OWN` is the
/// number of the component, and `NEXT` is that of the next one.
fn components(count: usize, schema: &str, part: &str) -> String {
    let part = part.replace("REF", "{$ref: '#/components/schemas/AN'}");
    let parts: String = (0..count).map(|index| part.replace('N', &index.to_string())).collect();
    let schema = |index: usize| {
        let next = format!("{{$ref: '#/components/schemas/A{}'}}", (index + 1) % count);
        schema.replace("PARTS", &parts).replace("NEXT", &next).replace("OWN", &index.to_string())
    };
    let components = (0..count).map(|index| format!("A{index}: {}", schema(index)));
    components.collect::<Vec<_>>().join(", ")
}

/// Schemas were read, and expanded, wherever another one refers to them: ten unions took more than a minute.
#[test]
fn schemas_that_refer_to_each_other_are_read_in_linear_time() {
    let shapes = [
        ("{oneOf: [{type: integer}, {type: string}, PARTS]}", "{anyOf: [{type: integer}, REF]},"),
        ("{oneOf: [{type: object, required: [pOWN], properties: {pOWN: {}}}, PARTS]}", "REF,"),
        ("{oneOf: [{type: integer}, {type: string}, NEXT]}", ""),
        ("{oneOf: [{type: integer}, PARTS]}", "{allOf: [REF, {type: string}]},"),
        ("{oneOf: [{type: integer}, PARTS]}", "{type: array, items: REF},"),
        ("{oneOf: [{type: integer}, PARTS]}", "{required: [pN], properties: {pN: REF}},"),
        ("{properties: {PARTS}}", "pN: REF,"),
        ("{allOf: [PARTS]}", "{type: array, items: REF},"),
        ("{allOf: [PARTS]}", "{type: object, additionalProperties: REF},"),
        ("{type: object, additionalProperties: NEXT, if: NEXT, then: {anyOf: [PARTS]}}", "REF,"),
    ];
    let nested = |count: usize| {
        let (open, close) = ("{oneOf: [".repeat(2 * count), ", {type: string}]}".repeat(2 * count));
        format!("A: {open}{{$ref: '#/components/schemas/A'}}{close}")
    };
    let nested_objects = |count: usize| {
        let open = "{properties: {a: {type: string}}, oneOf: [".repeat(count);
        format!("A: {open}{{properties: {{c: {{}}}}}}{}", ", {properties: {b: {}}}]}".repeat(count))
    };
    let base = |count: usize| {
        let own = "{allOf: [{$ref: '#/components/schemas/B'}, {properties: {pOWN: {}}}]}";
        let listed = (0..count).map(|index| format!("{{$ref: '#/components/schemas/A{index}'}}"));
        let base = listed.collect::<Vec<_>>().join(", ");
        let own = components(count, own, "");
        format!("{own}, B: {{oneOf: [{base}], properties: {{k: {{}}}}}}")
    };
    let chain_to_base = |count: usize| {
        let chain = (1..count).map(|index| {
            let part = format!("{{$ref: '#/components/schemas/B{}'}}, ", index + 1);
            format!("B{index}: {{allOf: [{}{{properties: {{b{index}: {{}}}}}}]}}, ", part.repeat(3))
        });
        let object = "{allOf: [{$ref: '#/components/schemas/B1'}, {properties: {x: {}}}]}";
        let base = "{oneOf: [{$ref: '#/components/schemas/X'}, {properties: {q: {}}}]}";
        format!("{}X: {object}, B{count}: {base}", chain.collect::<String>())
    };
    let sizes = [3, 6, 12];
    let shapes = shapes.map(|(schema, part)| sizes.map(|count| components(count, schema, part)));
    let others =
        [sizes.map(nested), sizes.map(nested_objects), sizes.map(base), sizes.map(chain_to_base)];
    for documents in shapes.into_iter().chain(others) {
        let rates = documents.each_ref().map(|schemas| 1_000 * reads_of(schemas) / schemas.len());
        let is_linear = |rate: usize| rate <= MAX_PER_KILOBYTE && 4 * rate <= 5 * rates[0];
        assert!(rates.into_iter().all(is_linear), "{rates:?}: {}", documents[0]);
    }
}
