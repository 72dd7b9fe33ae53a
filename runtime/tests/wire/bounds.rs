//! Hostile bodies: the memory for decoding is bounded by their size.

use std::collections::BTreeMap;

use openapi_bindings_runtime::Model;
use serde_json::Value;

use crate::models::{Feed, Series, Task};
use crate::{decode_with, encode};

/// Returns the peak of allocated bytes while a body was decoded.
fn memory<T: Model>(body: &str) -> u64 {
    allocation_counter::measure(|| drop(T::from_json(body.as_bytes()).unwrap())).bytes_max
}

#[test]
fn only_the_last_of_repeated_properties_is_retained() {
    for property in [
        r#""createdAt":"2024-01-01T00:00:00.0Z","#,
        r#""totals":{"a":1,"b":null},"#,
        r#""wait":{"users":[{"seenAt":""}]},"#,
        r#""limits":{"a":1,"a":null},"#,
        r#""x":[null],"#,
        r#""until":"","times":7,"#,
    ] {
        let twice = memory::<Task>(&format!(r#"{{{}"id":""}}"#, property.repeat(2)));
        let often = memory::<Task>(&format!(r#"{{{}"id":""}}"#, property.repeat(1_000)));
        assert!(often < twice + 1_000, "{property} {often} bytes, {twice} bytes");
    }
}

#[test]
fn the_memory_for_lists_with_nulls_is_bounded() {
    // Each level retains those within it again, until there is no memory for more.
    let levels = 30;
    let numbers = "1,".repeat(50_000);
    let start = r#"{"id":"","owner":{},"children":[null,"#.repeat(levels);
    let innermost = format!(r#"{{"id":"","owner":{{}},"grid":[[{numbers}null]]}}"#);
    let body = format!("{start}{innermost}{}", "]}".repeat(levels));
    let once = memory::<Task>(&innermost);
    let nested = memory::<Task>(&body);
    assert!(nested < 5 * once, "{nested} bytes, {once} bytes without nesting");
}

/// Two alternatives of a union in each of many levels, around a value of `size`.
fn conflicts(levels: usize, size: usize) -> String {
    let value = format!(r#"{{"id":"","owner":{{}},"token":"{}"}}"#, "x".repeat(size));
    let (start, end) =
        (r#"{"id":"","owner":{},"run":"#.repeat(levels), r#","wait":{}}"#.repeat(levels));
    format!("{start}{value}{end}")
}

#[test]
fn the_memory_for_nested_unions_is_bounded() {
    for body in [conflicts(50, 1_000), conflicts(3, 1_000_000)] {
        let task = Task::from_json(body.as_bytes()).unwrap();
        assert!(encode(&task) == serde_json::from_str::<Value>(&body).unwrap());
    }
    let error = Task::from_json(conflicts(50, 1_000_000).as_bytes()).unwrap_err();
    assert_eq!(error.message(), "too many nested unions with several properties");
}

/// A name is part of the path of each finding below it. The first finding is always reported: it is an error of strict
/// clients.
#[test]
fn the_memory_for_the_paths_of_findings_is_bounded() {
    let names: Vec<String> = (0..1_000).map(|number| format!(r#""x{number}":1,"#)).collect();
    let names = names.concat();
    let key = "k".repeat(1 << 20);
    let task = format!(r#"{{{names}"id":"","owner":{{}}}}"#);
    let body = format!(r#"{{"{key}":{{"inner":{task}}},"last":{{"inner":{task}}}}}"#);
    let mut drift = Vec::new();
    let peak = allocation_counter::measure(|| {
        decode_with::<BTreeMap<String, BTreeMap<String, Task>>>(body.as_bytes(), Some(&mut drift))
            .unwrap();
    });
    assert!(peak.bytes_max < 8 * body.len() as u64, "{} bytes", peak.bytes_max);
    assert_eq!((drift[0].path.len(), &*drift[0].name), (key.len() + ".inner".len(), "x0"));
    assert_eq!(drift.last().unwrap().path, "last.inner");
}

/// Returns objects of a union with many items of a list: with their tag first, last, and within another union.
fn feeds(property: &str, item: &str) -> [String; 3] {
    let items = vec![item; 40_000 / (item.len() + 1)].join(",");
    let rest = format!(r#""{property}":[{items}]"#);
    let last = format!(r#"{{{rest},"type":"rows"}}"#);
    let nested = format!(r#"{{"inner":{last},"type":"rows"}}"#);
    [format!(r#"{{"type":"rows",{rest}}}"#), last, nested]
}

#[test]
fn what_is_read_before_a_tag_takes_little_memory() {
    let row = r#"{"id":"20b2","title":"Quarterly review","count":12,"ratio":0.25,"isOpen":true}"#;
    for (property, item) in [
        ("rows", row),
        ("rows", r#"{"id":""}"#),
        ("texts", r#""""#),
        ("numbers", "0"),
        ("numbers", "-1"),
        ("numbers", "1.5"),
        ("new", "null"),
        ("new", "[]"),
        ("new", "{}"),
        ("new", "[[[0]]]"),
        ("new", r#"{"":""}"#),
    ] {
        if item != row && item.contains(|it: char| it.is_ascii_digit()) && numbers_are_objects() {
            continue;
        }
        let [first, last, nested] = feeds(property, item);
        let length = last.len() as u64;
        let baseline = memory::<Feed>(&first);
        for body in [&last, &nested] {
            let most = memory::<Feed>(body);
            let excess = most.saturating_sub(baseline);
            assert!(excess < 8 * length, "{item}: {excess} bytes more for {length}");
            assert!(item != row || most < 8 * length, "{item}: {most} bytes for {length}");
            assert!(encode(&Feed::from_json(body.as_bytes()).unwrap()) == value(body), "{item}");
        }
    }
    // A list whose items tell its variant.
    let list = format!("[{}1.5]", "1.5,".repeat(20_000));
    let peak = memory::<Series>(&list);
    let is_little = peak < 12 * list.len() as u64;
    assert!(is_little || numbers_are_objects(), "{peak} bytes for {}", list.len());
}

/// Returns whether `serde_json` passes all numbers as objects with their digits: a crate of the program enables
/// `arbitrary_precision`, as `ci --all` does.
fn numbers_are_objects() -> bool {
    serde_json::from_str::<Value>("1e400").is_ok()
}

fn value(body: &str) -> Value {
    serde_json::from_str(body).unwrap()
}
