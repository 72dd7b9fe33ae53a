//! Fields of every kind, and values of which each kind holds some.

use std::collections::BTreeMap;

use openapi_bindings_runtime::{
    Drift, DriftKind, Map, Secret, Timestamp, UnknownInteger, UnknownProperties, internal,
};
use serde_json::{Value, json};

use crate::models::{Action, Policy, User};

type Plain<T> = T;
type Elements<T> = Option<Vec<T>>;
type Entries<T> = Option<BTreeMap<String, T>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Level {
    Low,
    High,
    Unknown(UnknownInteger),
}

internal::integer_enum! { Level { Low = 1, High = 2 } }

/// Declares an object with a field of every kind. The brackets contain the marks of each field in its table.
macro_rules! kinds {
    ($name:ident: $wrap:ident [$($required:tt)?] [$($null:tt)?]) => {
        #[derive(Clone, Default)]
        #[non_exhaustive]
        pub struct $name {
            pub text: $wrap<String>,
            pub secret: $wrap<Secret<String>>,
            pub flag: $wrap<bool>,
            pub integer: $wrap<i64>,
            pub small: $wrap<u32>,
            pub quoted: $wrap<i64>,
            pub number: $wrap<f64>,
            pub time: $wrap<Timestamp>,
            pub action: $wrap<Action>,
            pub level: $wrap<Level>,
            pub list: $wrap<Vec<String>>,
            pub map: $wrap<BTreeMap<String, String>>,
            pub object: $wrap<User>,
            pub union: $wrap<Policy>,
            pub free: $wrap<Map>,
            pub(crate) unknown: UnknownProperties,
        }

        internal::object! {
            $name {
                text $($required)?: "text" $($null)?,
                secret $($required)?: "secret" $($null)?,
                flag $($required)?: "flag" $($null)?,
                integer $($required)?: "integer" $($null)?,
                small $($required)?: "small" $($null)?,
                quoted $($required)?: "quoted" as text $($null)?,
                number $($required)?: "number" $($null)?,
                time $($required)?: "time" $($null)?,
                action $($required)?: "action" $($null)?,
                level $($required)?: "level" $($null)?,
                list $($required)?: "list" $($null)?,
                map $($required)?: "map" $($null)?,
                object $($required)?: "object" $($null)?,
                union $($required)?: "union" $($null)?,
                free $($required)?: "free" $($null)?,
            }
            unknown
        }
    };
}

kinds!(Optional: Option [] []);
kinds!(Required: Plain [!] []);
kinds!(Nullable: Option [] [null]);
kinds!(Lists: Elements [] []);
kinds!(Maps: Entries [] []);

/// The fields with the types that a finding names.
const KINDS: [(&str, &str); 15] = [
    ("text", "a string"),
    ("secret", "a string"),
    ("flag", "a boolean"),
    ("integer", "a 64-bit integer"),
    ("small", "an unsigned 32-bit integer"),
    ("quoted", "a 64-bit integer"),
    ("number", "a number"),
    ("time", "a date-time (RFC 3339)"),
    ("action", "a string"),
    ("level", "a 64-bit integer"),
    ("list", "an array"),
    ("map", "an object"),
    ("object", "an object"),
    ("union", "an object"),
    ("free", "an object"),
];

/// A value in a field of some kind.
pub struct Case {
    pub field: &'static str,
    pub value: Value,
    /// The path from the value to its part that the field cannot hold, the described type, and the kind of the part.
    pub unfit: Option<(&'static str, &'static str, &'static str)>,
}

/// Returns every kind of value in every kind of field.
pub fn cases() -> Vec<Case> {
    let values = json!([
        true, 7, -1, 1.5, "x", "12", "", "2024-01-01T00:00:00Z", [], [1], ["a"], [["a"]], {}, {"a": 1}, {"a": "b"},
        {"a": {}},
    ]);
    let values = values.as_array().unwrap();
    let of_field = |(field, expected)| {
        let case = move |value: &Value| Case {
            field,
            value: value.clone(),
            unfit: unfit(field, expected, value),
        };
        values.iter().map(case)
    };
    KINDS.into_iter().flat_map(of_field).collect()
}

/// Returns null in every kind of field that does not describe it.
pub fn nulls() -> Vec<Case> {
    let null =
        |(field, expected)| Case { field, value: Value::Null, unfit: Some(("", expected, "null")) };
    KINDS.into_iter().map(null).collect()
}

/// Returns the part that a field cannot hold, by the rule and not by the decoder.
fn unfit(
    field: &str,
    expected: &'static str,
    value: &Value,
) -> Option<(&'static str, &'static str, &'static str)> {
    let fits = match field {
        "text" | "secret" | "action" => value.is_string(),
        "flag" => value.is_boolean(),
        "integer" | "level" => value.is_i64(),
        "small" => value.as_u64().is_some(),
        "quoted" => value.is_i64() || *value == "12",
        "number" => value.is_number(),
        "time" => value.as_str().is_some_and(|text| text.len() > 2),
        "list" => value.is_array(),
        _ => value.is_object(),
    };
    let part = match field {
        "list" => ("[0]", value.get(0)),
        "map" => (".a", value.get("a")),
        _ => ("", None),
    };
    match part {
        (path, Some(part)) if !part.is_string() => Some((path, "a string", kind(part))),
        _ => (!fits).then(|| ("", expected, kind(value))),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

impl Case {
    /// Returns an object with the value, and the path to it.
    pub fn object(&self) -> (Value, String) {
        (json!({self.field: self.value}), self.field.to_owned())
    }

    /// Checks that the unfit part of the value at a path was found, and nothing else of its kind.
    #[track_caller]
    pub fn check(&self, path: &str, drift: &[Drift]) {
        let found = drift.iter().filter(|it| matches!(it.kind, DriftKind::WrongType { .. }));
        let found: Vec<_> = found.map(|drift| (drift.path.clone(), drift.kind)).collect();
        let expected = self.unfit.map(|(part, expected, found)| {
            (format!("{path}{part}"), DriftKind::WrongType { expected, found })
        });
        assert_eq!(found, Vec::from_iter(expected), "{} = {}", self.field, self.value);
    }

    /// Returns the value as it is sent back: an integer in a string is one.
    pub fn sent(&self) -> Value {
        let is_integer = self.field == "quoted" && self.value.is_i64();
        if is_integer { self.value.to_string().into() } else { self.value.clone() }
    }
}
