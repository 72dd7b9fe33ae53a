//! Related objects of responses, and the paths to them.

use openapi_bindings_runtime::internal::related;
use openapi_bindings_runtime::{Model, TypedObject, json};

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
    assert!(objects[2].decode::<User>().is_err());
    assert_eq!(objects[1].properties()["stripes"], json!([1, null]));
    assert_eq!(objects[1].clone().into_properties().len(), 2);
}

#[test]
fn paths_resolve_to_objects_or_none() {
    let expanded = objects(r#"[{"n":0},{"n":1},{"n":2}]"#);
    let numbers = |path: Option<&str>| -> Vec<i64> {
        related(&expanded, path).map(|it| it.properties()["n"].as_i64().unwrap()).collect()
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
        r#"[TypedObject({"n": Number(1)})]"#
    );
}
