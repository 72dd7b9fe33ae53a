//! Errors of bodies that cannot be decoded.

use openapi_bindings_runtime::{DecodeError, Model, Timestamp};

use crate::decode_with;
use crate::models::{Feed, Policy, Task, Tree};

fn error(json: &str) -> DecodeError {
    Task::from_json(json.as_bytes()).unwrap_err()
}

/// Returns the error of a strict client.
fn strict(json: &str) -> DecodeError {
    let mut drift = Vec::new();
    decode_with::<Task>(json.as_bytes(), Some(&mut drift)).unwrap();
    DecodeError::from(&drift[0])
}

#[test]
fn a_value_of_the_wrong_type_is_named_by_its_path() {
    for (json, path, message) in [
        (r#"{"id": 1}"#, "id", "expected a string, found a number"),
        (r#"{"owner": []}"#, "owner", "expected an object, found an array"),
        (r#"{"actions": {}}"#, "actions", "expected an array, found an object"),
        (r#"{"actions": [1]}"#, "actions[0]", "expected a string, found a number"),
        (r#"{"urgent": "true"}"#, "urgent", "expected a boolean, found a string"),
        (r#"{"score": "many"}"#, "score", "expected a number, found a string"),
        (r#"{"level": "1.5"}"#, "level", "expected a 32-bit integer, found a string"),
        (r#"{"token": true}"#, "token", "expected a string, found a boolean"),
    ] {
        let error = strict(json);
        assert_eq!((error.path(), error.message()), (path, message), "{json}");
    }
}

#[test]
fn a_body_that_its_type_cannot_hold_is_an_error() {
    for json in ["1.5", "18446744073709551616", "1e400"] {
        let error = i64::from_json(json.as_bytes()).unwrap_err();
        assert_eq!(error.message(), "expected a 64-bit integer, found a number", "{json}");
        let list = Vec::<i64>::from_json(format!("[1, {json}]").as_bytes());
        assert_eq!(list.unwrap(), [1], "{json}");
    }
    let error = Timestamp::from_json(br#""today""#).unwrap_err();
    assert_eq!(error.message(), "expected a date-time (RFC 3339), found a string");
}

#[test]
fn paths_of_errors_cover_every_kind_of_value() {
    for (json, path) in [
        (
            r#"{"parent": {"children": [{"id": "", "owner": {}}, {"counts": ["1", true]}]}}"#,
            "parent.children[1].counts[1]",
        ),
        (r#"{"wait": {"users": [{"name": 1}]}}"#, "wait.users[0].name"),
        (r#"{"policies": [{}, {"manual": {"duration": 1}}]}"#, "policies[1].manual.duration"),
        (r#"{"deadlines": {"odd key": 1}}"#, r#"deadlines["odd key"]"#),
        (r#"{"limits": {"a": true}}"#, "limits.a"),
        (r#"{"labels": {"@type": 1}}"#, "labels.@type"),
        (r#"{"grid": [[1, 2], [1, "x"]]}"#, "grid[1][1]"),
        (r#"{"owner": {"name": 1}, "x": 1e400}"#, "owner.name"),
    ] {
        assert_eq!(strict(json).path(), path, "{json}");
    }
    assert_eq!(error(r#"{"x": [1,]}"#).path(), "x");
}

#[test]
fn lines_and_columns_count_from_one() {
    let error = error("{\n  \"owner\": {\n    \"name\": x\n  }\n}");
    assert_eq!((error.line(), error.column()), (Some(3), Some(13)));
    assert_eq!(error.to_string(), "owner.name: expected value (line 3, column 13)");
}

#[test]
fn errors_do_not_repeat_values() {
    for json in [r#"{"token": ["hunter2"]}"#, r#"{"level": "hunter2"}"#, r#"{"policy": "hunter2"}"#]
    {
        assert!(!format!("{0} {0:?}", strict(json)).contains("hunter2"), "{json}");
    }
}

#[test]
fn a_body_that_is_not_json_is_an_error() {
    assert_eq!(error("").to_string(), "expected JSON, found an empty body");
    assert_eq!(error("{} {}").to_string(), "trailing characters (line 1, column 4)");
    assert_eq!(error("<html>").to_string(), "expected value (line 1, column 1)");
    assert_eq!(error(r#"{"owner": {"name": "#).path(), "owner.name");
    assert_eq!(error("[]").to_string(), "expected an object, found an array");
    let bytes = Task::from_json(b"{\n \"id\": \"\xff\"}").unwrap_err();
    assert_eq!(
        bytes.to_string(),
        "expected JSON, found bytes that are not UTF-8 (line 2, column 9)"
    );
}

#[test]
fn a_byte_order_mark_is_ignored() {
    assert_eq!(Task::from_json("\u{feff}{\"id\": \"1\"}".as_bytes()).unwrap().id, "1");
}

#[test]
fn a_null_body_is_an_error() {
    for error in [Task::from_json(b"null").unwrap_err(), Policy::from_json(b" null").unwrap_err()] {
        assert_eq!(error.to_string(), "expected an object, found null");
    }
    let error = serde_json::from_str::<Task>("null").unwrap_err();
    assert_eq!(error.to_string(), "expected an object, found null");
}

#[test]
fn unbounded_nesting_is_an_error() {
    let depth = 100_000;
    for (open, close) in [
        (r#"{"parent":"#, "}"),
        (r#"{"run":"#, "}"),
        ("{\"x\":", "}"),
        (r#"{"anything":["#, "]}"),
        (r#"{"policy":{"manual":"#, "}}"),
    ] {
        let error = error(&format!("{}null{}", open.repeat(depth), close.repeat(depth)));
        assert_eq!(error.message(), "recursion limit exceeded", "{open}");
    }
}

/// What is read ahead of a tag is read again, with all levels around it.
#[test]
fn unbounded_nesting_ahead_of_tags_is_an_error() {
    let feed = |depth: usize| {
        let body = r#"{"inner":"#.repeat(depth) + "null" + &r#","type":"rows"}"#.repeat(depth);
        Feed::from_json(body.as_bytes()).map(|feed| feed.to_json().len() == body.len())
    };
    let tree = |depth: usize| {
        let body = r#"{"nodes":["#.repeat(depth) + "1" + &"]}".repeat(depth);
        Tree::from_json(body.as_bytes()).map(|tree| tree.to_json().len() == body.len())
    };
    assert_eq!((feed(127), tree(63)), (Ok(true), Ok(true)));
    for depth in [128, 2_000] {
        for error in [feed(depth).unwrap_err(), tree(depth).unwrap_err()] {
            assert_eq!(error.message(), "recursion limit exceeded", "{depth}");
        }
    }
}

#[test]
fn damaged_bodies_are_refused_without_a_panic() {
    let body = br#"{"id":"1","owner":{"seenAt":"2024-01-01T00:00:00.0Z"},"counts":["7",7,null],
        "score":-1.5e3,"times":"1","policy":{"manual":{},"x":1},"data":{"a":[null,"\"\u00e9"]},"urgent":true}"#;
    Task::from_json(body).unwrap();
    for place in 0..body.len() {
        assert!(Task::from_json(&body[..place]).is_err());
        for byte in [b'"', b'\\', b'{', b'}', b'[', b',', b':', b'0', b'-', b'e', b'\n', 0xff] {
            let mut damaged = body.to_vec();
            damaged[place] = byte;
            if let Ok(task) = Task::from_json(&damaged) {
                Task::from_json(&task.to_json()).unwrap();
            }
        }
    }
}
