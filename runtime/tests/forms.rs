//! Objects with unions in forms: the properties that JSON has, each once.

use std::fmt::Debug;

use openapi_bindings_runtime::internal::{self, Endpoint, Operation};
use openapi_bindings_runtime::{Map, Model, Value};
use serde_json::json;

use crate::models::{Circle, Disc, Figure, Hoop, Shifted, Sides, Sketch, Square, Stickers, Wallet};
use crate::support::api::request;
use crate::support::client;
use crate::support::server::Server;

/// What a model needs to be the body of a request.
trait Body: Model + Clone + Debug + Send + Sync + Unpin + 'static {}

impl<T: Model + Clone + Debug + Send + Sync + Unpin + 'static> Body for T {}

#[derive(Debug)]
struct Form<T>(T);

impl<T: Body> Endpoint for Form<T> {
    type Body = T;
    type Output = ();
    type Format = internal::Empty;
    const OPERATION: &'static Operation =
        &Operation { id: "sketches.send", method: "POST", path: "/sketches" };

    fn encode(call: internal::Call, body: &T) -> internal::Call {
        call.form_body(body, &[])
    }
}

#[derive(Debug)]
struct Json<T>(T);

impl<T: Body> Endpoint for Json<T> {
    type Body = T;
    type Output = ();
    type Format = internal::Empty;
    const OPERATION: &'static Operation = Form::<T>::OPERATION;

    fn encode(call: internal::Call, body: &T) -> internal::Call {
        call.json(body)
    }
}

/// Sends a model as a form, and returns its pairs.
async fn sent<T: Body>(model: T) -> Vec<(String, String)> {
    let server = Server::json("{}");
    request::<Form<T>>(&client(server.url()).build().unwrap(), model).await.unwrap();
    let body = server.only().body;
    let pairs = body.split('&').map(|pair| pair.split_once('=').unwrap());
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Asserts that the properties of an object are sent once, as JSON and as a form.
async fn assert_sent<T: Body>(json: &str, expected: &[(&str, &str)]) {
    let model = T::from_json(json.as_bytes()).unwrap();
    let form = sent(model.clone()).await;
    let pairs: Vec<_> = form.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(pairs, expected);
    let server = Server::json("{}");
    request::<Json<T>>(&client(server.url()).build().unwrap(), model).await.unwrap();
    assert_eq!(server.only().body, json);
}

/// Asserts that a sketch has these properties in JSON and as a form, and each only once.
#[track_caller]
fn assert_same(sketch: &Sketch, form: &[(String, String)], expected: &Value) {
    let text = String::from_utf8(sketch.to_json()).unwrap();
    let read: Map = serde_json::from_str(&text).unwrap();
    assert_eq!(Value::Object(read.clone()), *expected);
    for name in read.keys() {
        assert_eq!(text.matches(&format!("{name:?}:")).count(), 1, "{name} in {text}");
    }
    let mut expected: Vec<_> =
        read.into_iter().map(|(name, value)| (name, value.to_string().replace('"', ""))).collect();
    let mut found = form.to_vec();
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
}

fn square(side: f64, x: i64) -> Figure {
    Figure::Square(Square { side, x: Some(x), ..Square::default() })
}

#[tokio::test]
async fn a_property_of_two_unions_is_written_once() {
    let figure = Some(Figure::Circle(Circle { radius: 2.5, x: Some(1), ..Circle::default() }));
    let sketch =
        Sketch { id: "a".to_owned(), figure, other: Some(square(1.5, 2)), ..Sketch::default() };
    let form = sent(sketch.clone()).await;
    assert_same(&sketch, &form, &json!({"id": "a", "radius": 2.5, "x": 1, "side": 1.5}));

    let sketch = Sketch { x: Some(3), ..sketch };
    let form = sent(sketch.clone()).await;
    assert_same(&sketch, &form, &json!({"id": "a", "x": 3, "radius": 2.5, "side": 1.5}));

    let sketch = Sketch { sides: Some(Sides::One(4)), ..sketch };
    let form = sent(sketch.clone()).await;
    assert_same(&sketch, &form, &json!({"id": "a", "x": 3, "radius": 2.5, "side": 1.5}));

    let figure = Some(Figure::Shifted(Shifted { by: 1, x: Some(5), ..Shifted::default() }));
    let sketch = Sketch { x: None, figure, ..sketch };
    let form = sent(sketch.clone()).await;
    assert_same(&sketch, &form, &json!({"id": "a", "by": 1, "x": 5, "side": 1.5}));
}

#[tokio::test]
async fn an_additional_property_with_the_name_of_a_field_is_written_once() {
    let mut more = Map::new();
    more.insert("x".to_owned(), json!(6));
    more.insert("y".to_owned(), json!(7));
    let sketch = Sketch { id: "a".to_owned(), x: Some(3), more, ..Sketch::default() };
    let form = sent(sketch.clone()).await;
    assert_same(&sketch, &form, &json!({"id": "a", "x": 3, "y": 7}));
}

#[tokio::test]
async fn a_property_that_was_null_is_not_in_a_form() {
    let sketch = Sketch::from_json(br#"{"id": null, "radius": 2.5}"#).unwrap();
    let form = sent(sketch.clone()).await;
    assert_eq!(form, [("radius".to_owned(), "2.5".to_owned())]);
    assert_eq!(serde_json::to_value(&sketch).unwrap(), json!({"id": null, "radius": 2.5}));
}

#[tokio::test]
async fn a_field_that_is_set_replaces_the_value_that_was_retained_for_it() {
    let sketch = Sketch::from_json(br#"{"id": "a", "x": 1.5}"#).unwrap();
    assert_same(&sketch, &sent(sketch.clone()).await, &json!({"id": "a", "x": 1.5}));
    let sketch = Sketch { x: Some(3), ..sketch };
    assert_same(&sketch, &sent(sketch.clone()).await, &json!({"id": "a", "x": 3}));
}

#[tokio::test]
async fn numbers_in_a_form_keep_their_digits() {
    for digits in ["123456789012345678901", "-1e400"] {
        let json = format!(r#"{{"id":"a","x":{digits}}}"#);
        assert_sent::<Sketch>(&json, &[("id", "a"), ("x", digits)]).await;
    }
}

#[tokio::test]
async fn a_property_that_one_of_two_unions_only_receives_is_sent_by_the_other() {
    assert_sent::<Disc>(r#"{"radius":5}"#, &[("radius", "5")]).await;
    assert_sent::<Disc>(r#"{"radius":0}"#, &[("radius", "0")]).await;
    assert_sent::<Hoop>(r#"{"radius":5}"#, &[("radius", "5")]).await;
    assert_sent::<Hoop>(r#"{"radius":0}"#, &[("radius", "0")]).await;
}

#[tokio::test]
async fn the_tag_of_two_unions_is_sent_once() {
    let expected = [("object", "bank"), ("iban", "a"), ("radius", "1")];
    assert_sent::<Wallet>(r#"{"object":"bank","iban":"a","radius":1}"#, &expected).await;
}

#[tokio::test]
async fn any_properties_of_several_unions_are_sent_once() {
    assert_sent::<Stickers>(r#"{"x":1}"#, &[("x", "1")]).await;
}
