//! Related objects of responses, and the paths to them.

use openapi_bindings_runtime::internal::{self, related};
use openapi_bindings_runtime::{Drift, DriftKind, Model, TypedObject, json};

use crate::models::User;

fn objects(json: &str) -> Vec<TypedObject> {
    serde_json::from_str(json).unwrap()
}

#[test]
fn typed_objects_are_decoded_on_demand() {
    const TEXT: &str = r#"[{"@type":"type.googleapis.com/acme.v1.User","badge":7,"name":"Ann"},{"@type":"Zebra","stripes":[1,null]},{"name":3},{"@type":5}]"#;
    let objects = objects(TEXT);
    assert_eq!(serde_json::to_string(&objects).unwrap(), TEXT, "nothing is lost");
    assert_eq!(objects[0].type_url(), Some("type.googleapis.com/acme.v1.User"));
    assert_eq!(objects[0].type_name(), Some("acme.v1.User"));
    assert_eq!(objects[1].type_name(), Some("Zebra"));
    assert_eq!((objects[2].type_url(), objects[3].type_url()), (None, None));
    let user: User = objects[0].decode().unwrap();
    assert_eq!(user.name.as_deref(), Some("Ann"));
    assert_eq!(user.unknown_properties()["badge"], 7);
    assert_eq!(
        TypedObject::from(user.unknown_properties().clone()).type_name(),
        Some("acme.v1.User")
    );
    let odd: User = objects[2].decode().unwrap();
    assert_eq!((odd.name.as_deref(), &odd.unknown_properties()["name"]), (None, &json!(3)));
    assert_eq!(objects[1].properties().unwrap()["stripes"], json!([1, null]));
    assert_eq!(objects[1].clone().into_properties().map(|properties| properties.len()), Some(2));
}

#[test]
fn elements_that_are_no_objects_are_retained_and_drift() {
    const TEXT: &str = r#"[{"n":0},"gone",null,7,[{"n":1}],{"n":5}]"#;
    let mut drift: Vec<Drift> = Vec::new();
    let expanded: Vec<TypedObject> = internal::decode(TEXT.as_bytes(), Some(&mut drift)).unwrap();
    assert_eq!(serde_json::to_string(&expanded).unwrap(), TEXT);
    let found: Vec<_> = drift.iter().map(|drift| (drift.path.as_str(), drift.kind)).collect();
    let kinds = ["a string", "null", "a number", "an array"];
    let expected = ["[1]", "[2]", "[3]", "[4]"].into_iter().zip(kinds);
    let expected =
        expected.map(|(path, found)| (path, DriftKind::WrongType { expected: "an object", found }));
    assert_eq!(found, expected.collect::<Vec<_>>());
    // A null does not move the objects after it.
    let found = related(&expanded, Some("$.expanded[5]")).next().unwrap();
    assert_eq!(found.properties().unwrap()["n"], 5);
    let gone = &expanded[1];
    assert_eq!((gone.type_url(), gone.properties(), gone.json()), (None, None, &json!("gone")));
    assert_eq!(gone.clone().into_properties(), None);
    assert!(gone.decode::<User>().is_err());
}

#[test]
fn debug_shows_no_values_of_typed_objects() {
    let objects = objects(r#"[{"@type":"x/Login","password":"hunter2"},"hunter2"]"#);
    assert_eq!(
        format!("{objects:?}"),
        r#"[TypedObject { type_url: Some("x/Login"), properties: Some(["@type", "password"]), .. }, TypedObject { type_url: None, properties: None, .. }]"#
    );
}

#[test]
fn a_path_selects_each_object_once() {
    let expanded: Vec<TypedObject> = (0..1_000).map(|_| TypedObject::default()).collect();
    for selectors in ["*,".repeat(100_000), "-1,0,".repeat(100_000) + "*,"] {
        let path = format!("$.expanded[{selectors}0]");
        assert_eq!(related(&expanded, Some(&path)).count(), expanded.len());
    }
}

#[test]
fn paths_resolve_to_objects_or_none() {
    let expanded = objects(r#"[{"n":0},{"n":1},{"n":2}]"#);
    let numbers = |path: Option<&str>| -> Vec<i64> {
        related(&expanded, path).map(|it| it.properties().unwrap()["n"].as_i64().unwrap()).collect()
    };
    assert_eq!(numbers(Some("$.expanded[2]")), [2]);
    assert_eq!(numbers(Some("$.expanded[2,0]")), [2, 0]);
    assert_eq!(numbers(Some("$.expanded[*]")), [0, 1, 2]);
    for path in [None, Some(""), Some("$.expanded[3]"), Some("$.expanded[0].n")] {
        assert!(numbers(path).is_empty(), "{path:?}");
    }
    assert!(related(&[][..], Some("$.expanded[0]")).next().is_none());
    assert_eq!(
        format!("{:?}", related(&expanded, Some("$.expanded[1]"))),
        r#"[TypedObject { type_url: None, properties: Some(["n"]), .. }]"#
    );
}
