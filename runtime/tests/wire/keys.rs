//! Models that are keys of maps and sets.

use std::collections::{BTreeSet, HashSet};

use openapi_bindings_runtime as runtime;
use runtime::Model;

/// A reference to a user in an app.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct UserRef {
    pub app_id: Option<String>,
    pub id: Option<String>,
    pub(crate) unknown: runtime::UnknownProperties,
}

runtime::internal::object! {
    UserRef { app_id: "appId", id: "id" }
    unknown
}

runtime::internal::key!(UserRef);

fn key(json: &str) -> UserRef {
    UserRef::from_json(json.as_bytes()).unwrap()
}

#[test]
fn keys_are_equal_hashed_and_ordered_by_all_their_properties() {
    let texts = [
        r#"{"id":"1"}"#,
        r#"{"id":"2"}"#,
        r#"{"appId":"a"}"#,
        r#"{"appId":"a","id":"1"}"#,
        r#"{"appId":"a","id":"1","later":1}"#,
        r#"{"appId":"a","id":"1","later":2}"#,
        r#"{"appId":"b"}"#,
    ];
    let keys: HashSet<UserRef> = texts.iter().chain(&texts).map(|text| key(text)).collect();
    assert_eq!(keys.len(), texts.len());
    let sorted: BTreeSet<UserRef> =
        texts.iter().rev().chain(&texts).map(|text| key(text)).collect();
    let sorted: Vec<_> =
        sorted.iter().map(|key| String::from_utf8(key.to_json()).unwrap()).collect();
    assert_eq!(sorted, texts);
    for one in texts {
        for other in texts {
            assert_eq!(key(one).cmp(&key(other)).is_eq(), key(one) == key(other));
        }
    }
}
