//! Hostile bodies: the memory for decoding is bounded by their size.

use openapi_bindings_runtime::Model;
use serde_json::Value;

use crate::encode;
use crate::models::Task;

/// Returns the peak of allocated bytes while a body was decoded: as a task, and as any value.
fn memory(body: &str) -> (u64, u64) {
    let task = allocation_counter::measure(|| {
        Task::from_json(body.as_bytes()).unwrap();
    });
    let value = allocation_counter::measure(|| {
        serde_json::from_str::<Value>(body).unwrap();
    });
    (task.bytes_max, value.bytes_max)
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
        let (twice, _) = memory(&format!(r#"{{{}"id":""}}"#, property.repeat(2)));
        let (often, _) = memory(&format!(r#"{{{}"id":""}}"#, property.repeat(1_000)));
        assert!(often < twice + 1_000, "{property} {often} bytes, {twice} bytes");
    }
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
