//! Unions of values next to the properties of an object.

use openapi_bindings_runtime::internal::decode;
use openapi_bindings_runtime::{Drift, DriftKind, Model};
use serde_json::json;

use crate::models::{
    Bank, Card, Disc, Drawing, Figure, Group, Hoop, Payment, People, Sides, Sketch, Source,
    Stickers, Wallet,
};
use crate::{drift, encode, retained};

#[test]
fn the_object_and_its_union_take_their_properties() {
    let json = json!({"digits": 1, "id": "a", "object": "card", "owner": {"name": "b"}});
    let payment: Payment = retained(&json);
    assert_eq!(payment.id, "a");
    assert!(matches!(&payment.source, Some(Source::Card(card)) if card.digits == 1));
    assert_eq!(drift::<Payment>(&json), []);
    let json = json!({"id": "a", "note": "b", "object": "bank", "iban": "c"});
    let payment: Payment = retained(&json);
    assert_eq!(payment.note.as_deref(), Some("b"));
    assert_eq!(drift::<Payment>(&json), []);
}

#[test]
fn undescribed_properties_stay_with_the_union() {
    for json in [
        json!({"id": "a", "object": "cash", "amount": {"value": 1}}),
        json!({"id": "a", "x": [1, null]}),
        json!({"object": "cash"}),
        json!({"id": "a", "object": "card", "digits": "many"}),
        json!({"id": "a", "object": "card", "digits": 1, "x": {"y": null}}),
        json!({"id": "a", "object": "bank", "x": 1}),
    ] {
        let _: Payment = retained(&json);
        assert!(!drift::<Payment>(&json).is_empty(), "{json}");
    }
    let json = json!({"id": "a", "object": "cash", "amount": 1});
    let payment: Payment = retained(&json);
    let Some(Source::Unknown(unknown)) = &payment.source else { panic!("{payment:?}") };
    assert_eq!(*unknown.json(), json!({"object": "cash", "amount": 1}));
    assert_eq!(drift::<Payment>(&json), [(String::new(), DriftKind::NoVariant)]);
}

#[test]
fn an_object_without_properties_of_its_union_is_no_deviation() {
    let json = json!({"id": "a"});
    let payment: Payment = retained(&json);
    assert_eq!(payment.source, None);
    assert_eq!(drift::<Payment>(&json), []);
}

#[test]
fn the_tag_is_written_once_next_to_the_object() {
    let mut payment = Payment { id: "a".to_owned(), ..Payment::default() };
    payment.source = Some(Source::Bank(Bank { iban: Some("b".to_owned()), ..Bank::default() }));
    assert_eq!(encode(&payment), json!({"id": "a", "object": "bank", "iban": "b"}));
    payment.source = Some(Source::Card(Card { digits: 1, ..Card::default() }));
    assert_eq!(encode(&payment), json!({"id": "a", "object": "card", "digits": 1}));
    payment.source = Some(Source::Text("no object".to_owned()));
    assert_eq!(encode(&payment), json!({"id": "a"}));
}

#[test]
fn a_property_of_the_object_and_a_variant_is_written_once() {
    let json = json!({"x": 1, "radius": 2, "object": "bank", "iban": "a"});
    let drawing: Drawing = retained(&json);
    assert_eq!(drawing.x, Some(1));
    assert!(matches!(&drawing.figure, Some(Figure::Circle(circle)) if circle.x == Some(1)));
    assert!(matches!(drawing.source.as_deref(), Some(Source::Bank(bank)) if bank.iban.is_some()));
    assert_eq!(drift::<Drawing>(&json), []);
    let moved = Drawing { x: Some(2), ..drawing };
    let text = String::from_utf8(moved.to_json()).unwrap();
    assert_eq!(text.matches(r#""x":"#).count(), 1, "{text}");
    assert_eq!(encode(&moved)["x"], 2);
    let unset = Drawing { x: None, ..moved };
    assert_eq!(encode(&unset)["x"], 1);
}

#[test]
fn two_unions_with_the_same_properties_write_each_once() {
    let json = json!({"id": "a", "x": 1, "radius": 2.5, "side": 3, "y": null});
    let sketch: Sketch = retained(&json);
    assert!(matches!(&sketch.figure, Some(Figure::Circle(circle)) if circle.x == Some(1)));
    assert!(matches!(&sketch.other, Some(Figure::Circle(circle)) if circle.x == Some(1)));
    assert!(matches!(sketch.sides, Some(Sides::One(3))));
    let text = String::from_utf8(sketch.to_json()).unwrap();
    assert_eq!(text.matches(r#""radius":"#).count(), 1, "{text}");
}

#[test]
fn an_absent_union_hides_nothing_of_the_next() {
    let source = Source::Bank(Bank { iban: Some("a".to_owned()), ..Bank::default() });
    let drawing = Drawing { source: Some(Box::new(source)), ..Drawing::default() };
    assert_eq!(encode(&drawing), json!({"object": "bank", "iban": "a"}));
    let text = Figure::Unknown(openapi_bindings_runtime::UnknownVariant::default());
    let drawing = Drawing { figure: Some(text), ..drawing };
    assert_eq!(encode(&drawing), json!({"object": "bank", "iban": "a"}));
}

#[test]
fn the_order_of_properties_makes_no_difference() {
    let one = br#"{"id": "a", "object": "card", "digits": 1, "y": 2}"#;
    let other = br#"{"y": 2, "digits": 1, "object": "card", "id": "a"}"#;
    let [one, other] = [&one[..], &other[..]].map(|json| Payment::from_json(json).unwrap());
    assert_eq!(one, other);
    assert_eq!(one.to_json(), other.to_json());
}

#[test]
fn a_property_of_two_unions_with_the_default_is_written_once() {
    let sketch = Sketch::from_json(br#"{"id": "1", "radius": 0}"#).unwrap();
    assert_eq!(sketch.to_json(), br#"{"id":"1","radius":0}"#);
}

#[test]
fn what_several_unions_have_is_written_once() {
    #[track_caller]
    fn retains<T: Model>(json: &str) {
        let sent = T::from_json(json.as_bytes()).unwrap().to_json();
        assert_eq!(str::from_utf8(&sent), Ok(json));
    }
    retains::<Disc>(r#"{"radius":0}"#);
    retains::<Hoop>(r#"{"radius":0}"#);
    retains::<Wallet>(r#"{"object":"bank","iban":"a","radius":1}"#);
    retains::<Stickers>(r#"{"x":1}"#);
}

#[test]
fn the_last_of_equal_properties_counts() {
    let drawing = Drawing::from_json(br#"{"side": 1, "side": null, "radius": 2}"#).unwrap();
    assert_eq!(drawing.to_json(), br#"{"radius":2}"#);
    let json = br#"{"id": "1", "object": "bank", "object": "new", "object": "bank"}"#;
    let payment = Payment::from_json(json).unwrap();
    assert_eq!(payment.to_json(), br#"{"id":"1","object":"bank"}"#);
}

#[test]
fn drift_of_what_no_variant_holds_is_that_of_the_union() {
    let no_variant = [(String::new(), DriftKind::NoVariant)];
    for json in [r#"{"a": {"new": 1}, "b": 5}"#, r#"{"b": 5, "a": {"new": 1}}"#] {
        let mut drift: Vec<Drift> = Vec::new();
        decode::<People>(json.as_bytes(), Some(&mut drift)).unwrap();
        decode::<Group>(json.as_bytes(), Some(&mut drift)).unwrap();
        let found: Vec<_> = drift.into_iter().map(|drift| (drift.path, drift.kind)).collect();
        assert_eq!(found, [no_variant.clone(), no_variant.clone()].concat(), "{json}");
    }
}
