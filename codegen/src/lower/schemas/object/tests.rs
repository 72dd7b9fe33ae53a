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
        let [short, middle, long] = [25, 50, 100].map(|links| reads(links, parts));
        assert!(
            short > 25 && middle <= 4 * short && long <= 4 * middle,
            "{short}, {middle}, {long}: {parts}"
        );
    }
}

/// They were read, and expanded, again wherever they refer to each other: ten took more than a minute.
#[test]
fn unions_that_refer_to_each_other_are_read_in_linear_time_each() {
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
    assert!(few > 9 && some <= 2 * 4 * few && many <= 2 * 4 * some, "{few}, {some}, {many}");
}

/// Of 41 nested unions, the innermost of which refers to the outermost, each was a type with all others in it.
#[test]
fn nested_unions_that_contain_themselves_are_read_in_quadratic_time() {
    let reads = |depth: usize| {
        let (open, close) = ("{oneOf: [".repeat(depth), ", {type: string}]}".repeat(depth));
        reads_of(&format!("A: {open}{{$ref: '#/components/schemas/A'}}{close}"))
    };
    let [shallow, middle, deep] = [10, 20, 40].map(reads);
    let counts = format!("{shallow}, {middle}, {deep}");
    assert!(shallow > 10 && middle <= 4 * shallow && deep <= 4 * middle, "{counts}");
}
