//! Values that their places cannot hold: they are retained, are drift, and are sent back as they came, wherever they are.

use std::collections::BTreeMap;

use openapi_bindings_runtime as runtime;
use openapi_bindings_runtime::internal;
use runtime::{Drift, Model, UnknownProperties, UnknownVariant};
use serde_json::{Value, json};

use crate::kinds::{Case, Lists, Maps, Nullable, Optional, Required, cases, nulls};
use crate::models::Task;
use crate::{decode_with, encode};

/// Declares a union with an object of every kind as its variant, and an object with the union next to its properties.
macro_rules! places {
    ($variant:ident, $beside:ident: $object:ident) => {
        #[derive(Clone)]
        #[non_exhaustive]
        pub enum $variant {
            One(Box<$object>),
            Unknown(UnknownVariant),
        }

        internal::choice! {
            $variant { One writes { "tag" = "one" } }
            object => tag "tag" { "one" => One, },
        }

        #[derive(Clone, Default)]
        #[non_exhaustive]
        pub struct $beside {
            id: String,
            one: Option<$variant>,
            unknown: UnknownProperties,
        }

        internal::object! { $beside { id!: "id", one: .. } unknown }
    };
}

places!(OptionalVariant, BesideOptional: Optional);
places!(RequiredVariant, BesideRequired: Required);
places!(NullableVariant, BesideNullable: Nullable);

/// Decodes a body, encodes it again, and checks its drift.
#[track_caller]
fn check<T: Model>(case: &Case, body: &Value, path: &str, sent: &Value) -> T {
    let mut drift: Vec<Drift> = Vec::new();
    let value: T = decode_with(body.to_string().as_bytes(), Some(&mut drift))
        .unwrap_or_else(|error| panic!("{error}: {body}"));
    assert_eq!(encode(&value), *sent);
    case.check(path, &drift);
    value
}

/// Checks a value in an object at every place.
fn check_places<T: Model, V: Model, B: Model>(case: &Case) {
    let (object, path) = case.object();
    let sent = json!({case.field: case.sent()});
    check::<T>(case, &object, &path, &sent);
    check::<Vec<T>>(case, &json!([{}, object]), &format!("[1].{path}"), &json!([{}, sent]));
    let map = |object: &Value| json!({"a": {}, "k": object});
    check::<BTreeMap<String, T>>(case, &map(&object), &format!("k.{path}"), &map(&sent));
    let tagged = |value: &Value| json!({"tag": "one", case.field: value});
    check::<V>(case, &tagged(&case.value), &path, &tagged(&case.sent()));
    let beside = |value: &Value| json!({"id": "1", "tag": "one", case.field: value});
    check::<B>(case, &beside(&case.value), &path, &beside(&case.sent()));
}

#[test]
fn a_value_that_its_place_cannot_hold_is_retained_wherever_it_is() {
    let cases = cases();
    assert!(cases.iter().filter(|case| case.unfit.is_some()).count() > 100);
    for case in &cases {
        check_places::<Optional, OptionalVariant, BesideOptional>(case);
        check_places::<Required, RequiredVariant, BesideRequired>(case);
        check_places::<Nullable, NullableVariant, BesideNullable>(case);
        let (field, value) = (case.field, &case.value);
        let list = |value: &Value| json!({field: [value, value]});
        let mut drift: Vec<Drift> = Vec::new();
        let lists: Lists =
            decode_with(list(value).to_string().as_bytes(), Some(&mut drift)).unwrap();
        assert_eq!(encode(&lists), list(&case.sent()));
        for index in 0..2 {
            let path = format!("{field}[{index}]");
            let own: Vec<Drift> =
                drift.iter().filter(|it| it.path.starts_with(&path)).cloned().collect();
            case.check(&path, &own);
        }
        let map = |value: &Value| json!({field: {"k": value}});
        check::<Maps>(case, &map(value), &format!("{field}.k"), &map(&case.sent()));
    }
}

/// A required property that is null is missing.
#[test]
fn a_null_is_retained_wherever_it_is_and_drift_where_it_is_not_described() {
    for case in nulls() {
        check_places::<Optional, OptionalVariant, BesideOptional>(&case);
        let described = Case { unfit: None, ..case };
        check_places::<Required, RequiredVariant, BesideRequired>(&described);
        check_places::<Nullable, NullableVariant, BesideNullable>(&described);
    }
}

#[test]
fn a_field_without_its_value_has_the_default_of_its_type() {
    let mut number = 0;
    for case in cases() {
        let is_read = case.field != "list" && case.field != "map" && case.value != "12";
        if case.unfit.is_none() || !is_read {
            continue;
        }
        number += 1;
        let (object, _) = case.object();
        let text = object.to_string();
        let (optional, default) = (Optional::from_json(text.as_bytes()), Optional::default());
        let optional = Optional { unknown: UnknownProperties::default(), ..optional.unwrap() };
        assert_eq!(optional, default, "{object}");
        let (required, default) = (Required::from_json(text.as_bytes()), Required::default());
        let required = Required { unknown: UnknownProperties::default(), ..required.unwrap() };
        assert_eq!(required, default, "{object}");
    }
    assert!(number > 100);
}

#[test]
fn a_list_without_an_element_is_sent_as_it_came_until_it_is_changed() {
    let body = br#"{"list":["a",1,"b",null,{"x":2}],"map":{"a":[],"b":"c"}}"#;
    let mut value = Optional::from_json(body).unwrap();
    assert_eq!(value.list, Some(vec!["a".to_owned(), "b".to_owned()]));
    assert_eq!(value.map.as_ref().map(BTreeMap::len), Some(1));
    assert_eq!(value.to_json(), body);
    value.list.as_mut().unwrap().push("c".to_owned());
    assert_eq!(encode(&value), json!({"list": ["a", "b", "c"], "map": {"a": [], "b": "c"}}));
}

/// Both the list and the date-time in it are retained as they came.
#[test]
fn a_change_within_a_list_that_is_retained_is_sent() {
    let child = r#"{"id":"","owner":{},"createdAt":"2024-01-01T00:00:00"}"#;
    let body = format!(r#"{{"id":"","owner":{{}},"children":[null,{child}]}}"#);
    let mut task = Task::from_json(body.as_bytes()).unwrap();
    assert_eq!(encode(&task), serde_json::from_str::<Value>(&body).unwrap());
    task.children.as_mut().unwrap()[0].created_at = "2025-01-01T00:00:00Z".parse().ok();
    assert_eq!(encode(&task)["children"][0]["createdAt"], "2025-01-01T00:00:00Z");
}
