//! Bodies that are written to be expensive: what decoding them takes is bounded by their size.

use openapi_bindings_runtime::Model;
use serde_json::Value;

use crate::encode;
use crate::models::Task;

/// Returns the most bytes that were allocated at once while a body was decoded: as a task, and as any value.
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
fn whole_numbers_with_a_fraction_take_no_more_than_others() {
    let (whole, _) = memory(&format!(r#"{{"grid": [[{}1.0]]}}"#, "1.0,".repeat(10_000)));
    let (other, _) = memory(&format!(r#"{{"grid": [[{}1.5]]}}"#, "1.5,".repeat(10_000)));
    assert!(whole < other + 4_000, "{whole} bytes, {other} bytes");
}

#[test]
fn original_spellings_that_are_alike_take_no_more_than_the_values() {
    for element in ["1.0,1.5", "1.0,1"] {
        let (task, value) =
            memory(&format!(r#"{{"grid":[[{element}{}]]}}"#, format!(",{element}").repeat(10_000)));
        assert!(task < value, "{element}: {task} bytes, {value} bytes");
    }
    for (field, element) in [
        ("reminders", r#""2024-01-01T00:00:00.0Z""#),
        ("counts", "7"),
        ("counts", r#"null,"1""#),
        ("names", "null"),
    ] {
        let (task, value) = memory(&format!(
            r#"{{"{field}": [{element}{}]}}"#,
            format!(",{element}").repeat(10_000)
        ));
        assert!(task < value, "{element}: {task} bytes, {value} bytes");
    }
}

#[test]
fn original_spellings_take_no_more_than_twice_the_values() {
    let times: Vec<_> =
        (0..10_000).map(|number| format!(r#""2024-01-01T00:00:00.{number:06}0Z""#)).collect();
    let (task, value) = memory(&format!(r#"{{"reminders": [{}]}}"#, times.join(",")));
    assert!(task < 2 * value, "{task} bytes, {value} bytes");
}

#[test]
fn of_repeated_properties_only_the_last_is_retained() {
    for property in [
        r#""createdAt":"2024-01-01T00:00:00.0Z","#,
        r#""totals":{"a":1,"b":null},"#,
        r#""wait":{"users":[{"seenAt":""}]},"#,
        r#""limits":{"a":1,"a":null},"#,
        r#""x":[null],"#,
        r#""until":"","times":7,"#,
    ] {
        let (once, _) = memory(&format!(r#"{{{property}"id":""}}"#));
        let (often, _) = memory(&format!(r#"{{{}"id":""}}"#, property.repeat(1_000)));
        assert!(often < once + 1_000, "{property} {often} bytes, {once} bytes");
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
fn nested_unions_with_several_alternatives_are_not_copied_without_end() {
    for body in [conflicts(50, 1_000), conflicts(3, 1_000_000)] {
        let task = Task::from_json(body.as_bytes()).unwrap();
        assert!(encode(&task) == serde_json::from_str::<Value>(&body).unwrap());
    }
    let error = Task::from_json(conflicts(50, 1_000_000).as_bytes()).unwrap_err();
    assert_eq!(error.message(), "too many nested unions with several properties");
}
