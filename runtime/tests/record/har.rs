//! The fields that HAR 1.2 requires.

use openapi_bindings_runtime::{Recorder, Value};

use super::{Memory, answer, calls, recorded};
use crate::support::clock::TestClock;
use crate::support::server::Server;
use crate::support::timed;

/// The required fields by object, with the kinds of their values.
const FIELDS: &[(&str, &[(&str, &str)])] = &[
    (
        "",
        &[
            ("startedDateTime", "date-time"),
            ("time", "time"),
            ("request", "object"),
            ("response", "object"),
            ("cache", "object"),
            ("timings", "object"),
        ],
    ),
    (
        "/request",
        &[
            ("method", "string"),
            ("url", "url"),
            ("httpVersion", "string"),
            ("cookies", "pairs"),
            ("headers", "pairs"),
            ("queryString", "pairs"),
            ("headersSize", "size"),
            ("bodySize", "size"),
        ],
    ),
    (
        "/response",
        &[
            ("status", "size"),
            ("statusText", "string"),
            ("httpVersion", "string"),
            ("cookies", "pairs"),
            ("headers", "pairs"),
            ("content", "object"),
            ("redirectURL", "string"),
            ("headersSize", "size"),
            ("bodySize", "size"),
        ],
    ),
    ("/response/content", &[("size", "size"), ("mimeType", "string")]),
    ("/timings", &[("send", "time"), ("wait", "time"), ("receive", "time")]),
];

fn is_of_kind(value: &Value, kind: &str) -> bool {
    match kind {
        "date-time" => value.as_str().is_some_and(|text| text.parse::<jiff::Timestamp>().is_ok()),
        "url" => value.as_str().is_some_and(|text| text.starts_with("http")),
        "time" => value.as_f64().is_some_and(|time| time >= 0.0),
        "size" => value.as_i64().is_some_and(|size| size >= -1),
        "string" => value.is_string(),
        "object" => value.is_object(),
        _ => value.as_array().is_some_and(|pairs| {
            pairs.iter().all(|pair| pair["name"].is_string() && pair["value"].is_string())
        }),
    }
}

#[tokio::test]
async fn lines_have_the_fields_that_har_requires() {
    let server = Server::new(answer);
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone());
    let client = timed(recorded(&server, &recorder), &TestClock::new()).build().unwrap();
    calls(&client, "ada").await;
    recorder.flush();
    let entries = memory.entries();
    assert_eq!(entries.len(), 6);
    for entry in entries {
        for (place, fields) in FIELDS {
            for (name, kind) in *fields {
                let value = &entry.pointer(place).unwrap()[*name];
                assert!(is_of_kind(value, kind), "{place}/{name}: {entry}");
            }
        }
        let has_body = entry["request"]["method"] == "PUT";
        let data = &entry["request"]["postData"];
        assert_eq!(has_body, data["mimeType"].is_string() && data["text"].is_string(), "{entry}");
        // Names of applications begin with `_`.
        let known = ["startedDateTime", "time", "request", "response", "cache", "timings"];
        for name in entry.as_object().unwrap().keys() {
            assert!(name.starts_with('_') || known.contains(&name.as_str()), "{name}");
        }
    }
}
