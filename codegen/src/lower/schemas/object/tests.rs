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

/// They were read, and expanded, again wherever they refer to each other: ten took more than a minute.
#[test]
fn unions_that_refer_to_each_other_are_read_in_quadratic_time() {
    let reads = |count: usize| {
        let branches = (0..count).map(|index| {
            format!(", {{anyOf: [{{type: integer}}, {{$ref: '#/components/schemas/A{index}'}}]}}")
        });
        let union = format!("{{oneOf: [{{type: string}}{}]}}", branches.collect::<String>());
        let unions = (0..count).map(|index| format!("A{index}: {union},"));
        reads_of(&unions.collect::<String>())
    };
    // Twice as many are a document of four times the size.
    let [few, some, many] = [3, 6, 12].map(reads);
    assert!(few > 9 && some <= 4 * 4 * few && many <= 4 * 4 * some, "{few}, {some}, {many}");
}

/// Of 41 nested unions, the innermost of which refers to the outermost, each was a type with all others in it.
#[test]
fn nested_unions_that_contain_themselves_are_read_in_quadratic_time() {
    let reads = |depth: usize| {
        let (open, close) = ("{oneOf: [".repeat(depth), ", {type: string}]}".repeat(depth));
        reads_of(&format!("A: {open}{{$ref: '#/components/schemas/A'}}{close}"))
    };
    let [shallow, deep] = [30, 60].map(reads);
    assert!(shallow > 30 && deep <= 4 * shallow, "{shallow}, {deep}");
}

/// Parts that lead to a base that lists what extends it were read again at each reference: nine links of three took
/// half a minute.
#[test]
fn bases_that_list_what_extends_them_are_read_in_linear_time() {
    let reads = |links: usize| {
        let chain = (1..links).map(|index| {
            let part = format!("{{$ref: '#/components/schemas/B{}'}}, ", index + 1);
            format!("B{index}: {{allOf: [{}{{properties: {{b{index}: {{}}}}}}]}}, ", part.repeat(3))
        });
        let object = "{allOf: [{$ref: '#/components/schemas/B1'}, {properties: {x: {}}}]}";
        let base = "{oneOf: [{$ref: '#/components/schemas/X'}, {properties: {q: {}}}]}";
        reads_of(&format!("{}X: {object}, B{links}: {base}", chain.collect::<String>()))
    };
    let [short, middle, long] = [3, 6, 12].map(reads);
    let counts = format!("{short}, {middle}, {long}");
    assert!(short > 3 && middle <= 5 * short && long <= 5 * middle, "{counts}");
}
