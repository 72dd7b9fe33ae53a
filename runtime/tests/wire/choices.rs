//! Unions of values, which their rules tell apart.

use openapi_bindings_runtime::internal::base;
use openapi_bindings_runtime::{DriftKind, Model};
use serde_json::json;

use crate::models::{
    Amount, Bank, Bounds, Call, Card, ChoiceLists, Choices, Common, Figure, Letter, Memo, Message,
    Messages, Moment, Nested, Nodes, Note, Page, Parcel, Picture, Radii, Revision, Shelf, Signal,
    Source, Tree,
};
use crate::{decode, drift, encode, retained, wrong};

#[test]
fn the_kind_of_json_decides() {
    assert!(matches!(retained(&json!("a")), Source::Text(text) if text == "a"));
    assert!(matches!(retained(&json!([1, 2])), Source::Ids(ids) if ids == [1, 2]));
    assert!(matches!(retained(&json!(["a"])), Source::Names(names) if names == ["a"]));
    assert!(matches!(retained(&json!([])), Source::Ids(ids) if ids.is_empty()));
    assert!(matches!(retained(&json!([[], [[]], [["a"]]])), Nested::Texts(_)));
    assert!(matches!(retained(&json!([[], [[1]]])), Nested::Numbers(_)));
    assert!(matches!(retained(&json!([[[]], []])), Nested::Numbers(_)));
    assert!(matches!(retained(&json!([[], []])), Nested::Texts(_)));
    assert!(matches!(retained(&json!([])), Nested::Numbers(_)));
    assert!(matches!(retained(&json!([{}])), ChoiceLists::Numbers(_)));
    assert!(matches!(retained(&json!([{}, {"choices": ["a"]}])), ChoiceLists::Texts(_)));
    for json in [json!(1), json!(true), json!([[]]), json!({}), json!({"object": null, "x": 1})] {
        let Source::Unknown(value) = retained(&json) else { panic!("{json}") };
        assert_eq!(*value.json(), json);
        assert_eq!(drift::<Source>(&json), [(String::new(), DriftKind::NoVariant)]);
    }
}

#[test]
fn a_tag_decides_wherever_it_is() {
    let others = r#""owner": {"name": "a\n\u00e9", "nick": ["b", {"c": 1.5}]}, "new\"": [1e+300, null, true, ""]"#;
    let first = format!(r#"{{"object": "card", "digits": 1, {others}}}"#);
    let last = format!(r#"{{"digits": 1, {others}, "object": "card"}}"#);
    let escaped = format!(r#"{{"digits": 1, {others}, "\u006fbject": "c\u0061rd"}}"#);
    let [first, last, escaped] =
        [first, last, escaped].map(|json| Source::from_json(json.as_bytes()).unwrap());
    assert!(matches!(&first, Source::Card(card) if card.digits == 1 && card.owner.is_some()));
    assert_eq!(first, last);
    assert_eq!(first.to_json(), last.to_json());
    assert_eq!(first.to_json(), escaped.to_json());
    assert!(
        String::from_utf8(first.to_json()).unwrap().ends_with(r#""new\"":[1e+300,null,true,""]}"#)
    );
}

#[test]
fn a_tag_that_is_a_number_is_compared_by_value() {
    for revision in ["2", "2.0", "2e0", "0.2e1"] {
        let json = format!(r#"{{"revision": {revision}, "call": "c"}}"#);
        let decoded = Revision::from_json(json.as_bytes()).unwrap();
        assert!(matches!(decoded, Revision::Second(_)), "{revision}: {decoded:?}");
    }
    let other = Revision::from_json(br#"{"revision": 2.5}"#).unwrap();
    assert!(matches!(other, Revision::Unknown(_)));
}

#[test]
fn an_unknown_tag_does_not_fail_the_page() {
    let json = json!({
        "sources": [{"object": "card", "digits": 1}, {"object": "cash", "digits": [{}]}, 7],
        "next": "2",
    });
    let page: Page = retained(&json);
    assert!(matches!(page.sources[..], [Source::Card(_), Source::Unknown(_), Source::Unknown(_)]));
    let paths = [
        ("sources[1]".to_owned(), DriftKind::NoVariant),
        ("sources[2]".to_owned(), DriftKind::NoVariant),
    ];
    assert_eq!(drift::<Page>(&json), paths);
}

#[test]
fn a_known_tag_decides_even_if_the_rest_is_wrong() {
    for json in [
        json!({"object": "card", "digits": "many", "x": 1}),
        json!({"object": "card", "digits": [1, {"a": null}]}),
        json!({"object": "card", "digits": {"a": [1]}}),
        json!({"object": "card", "digits": 1.5}),
        json!({"object": "card", "digits": true}),
        json!({"object": "card", "digits": 99_999_999_999_999_999_999_f64}),
        json!({"object": "card"}),
        json!({"object": "card", "digits": 1, "owner": 3}),
        json!({"object": "card", "digits": 1, "backup": {"object": "cash"}}),
        json!({"object": "card", "digits": 1, "backup": {"object": "card", "digits": "x"}}),
    ] {
        assert!(matches!(retained(&json), Source::Card(_)), "{json}");
        assert!(!drift::<Source>(&json).is_empty(), "{json}");
    }
    let json = json!({"object": "card", "digits": 1, "backup": {"object": "card", "digits": "x"}});
    let expected = wrong("a 64-bit integer", "a string");
    assert_eq!(drift::<Source>(&json), [("backup.digits".to_owned(), expected)]);
}

#[test]
fn a_tag_that_the_variant_does_not_describe_is_written_unless_it_was_missing() {
    for json in [
        json!({"type": "call", "call": "a"}),
        json!({"call": "a", "type": "call"}),
        json!({"type": "note", "x": 1}),
        json!({"call": "a"}),
        json!({"text": "b"}),
        json!({}),
    ] {
        let is_known = drift::<Signal>(&json).is_empty();
        assert_eq!(is_known, json.get("x").is_none(), "{json}");
        assert!(!matches!(retained(&json), Signal::Unknown(_)), "{json}");
    }
    assert_eq!(encode(&Signal::Call(Call::default())), json!({"type": "call"}));
    let signal: Signal = decode(&json!({"type": null, "call": "a"}));
    assert_eq!(encode(&signal), json!({"call": "a"}));
    // Another union writes its own tag.
    let Signal::Note(note) = decode(&json!({"text": "b"})) else { panic!("a note") };
    assert_eq!(encode(&Memo::Note(note)), json!({"kind": "note", "text": "b"}));
}

#[test]
fn a_list_with_an_item_of_the_wrong_type_is_unknown() {
    for json in [json!([1, "a", [2]]), json!(["a", 1, null]), json!([1, null, 1.5])] {
        assert!(matches!(retained(&json), Source::Unknown(_)), "{json}");
    }
}

#[test]
fn a_repeated_property_counts_once() {
    let text = br#"{"object": "card", "digits": "x", "digits": 2}"#;
    let source = Source::from_json(text).unwrap();
    assert_eq!(encode(&source), json!({"object": "card", "digits": 2}));
}

#[test]
fn the_last_of_equal_properties_of_an_item_decides() {
    let json = br#"{"list": [{"type": "call", "type": "note"}]}"#;
    assert!(matches!(Messages::from_json(json).unwrap(), Messages::Notes(_)));
}

#[test]
fn a_property_that_is_replaced_by_null_does_not_come_back() {
    let figure = Figure::from_json(br#"{"x": 2, "by": 1, "by": null}"#).unwrap();
    assert_eq!(figure.to_json(), br#"{"x":2}"#);
}

#[test]
fn the_tag_is_written_once() {
    let card = Source::Card(Card { digits: 1, ..Card::default() });
    assert_eq!(card.to_json(), br#"{"object":"card","digits":1}"#);
    let card = Source::Card(Card { kind: "other".to_owned(), ..Card::default() });
    assert_eq!(card.to_json(), br#"{"object":"other","digits":0}"#);
    let bank = Source::Bank(Bank { iban: Some("x".to_owned()), ..Bank::default() });
    assert_eq!(bank.to_json(), br#"{"object":"bank","iban":"x"}"#);
    let bank: Source = decode(&json!({"iban": "x", "object": "bank"}));
    assert_eq!(bank.to_json(), br#"{"object":"bank","iban":"x"}"#);
    assert_eq!(drift::<Source>(&json!({"iban": "x", "object": "bank"})), []);
}

#[test]
fn properties_that_one_variant_requires_decide() {
    assert!(matches!(retained(&json!({"x": 1, "radius": 2})), Figure::Circle(_)));
    let figure: Figure = decode(&json!({"side": 2, "radius": null}));
    assert!(matches!(figure, Figure::Square(_)));
    let figure: Figure = decode(&json!({"x": 1, "radius": null}));
    assert!(matches!(figure, Figure::Circle(_)));
}

#[test]
fn the_best_fit_decides() {
    assert!(matches!(retained(&json!({"x": 1})), Figure::Point(_)));
    assert!(matches!(retained(&json!({"x": 1, "by": 1})), Figure::Shifted(_)));
    assert!(matches!(retained(&json!({})), Figure::Point(_)));
    assert!(matches!(retained(&json!({"from": 1})), Bounds::Numbers(_)));
    assert!(matches!(retained(&json!({"from": "a"})), Bounds::Texts(_)));
    assert!(matches!(retained(&json!({"at": "2026-01-01T00:00:00Z"})), Moment::Time(_)));
    assert!(matches!(retained(&json!({"at": "soon"})), Moment::Words(_)));
    assert!(matches!(retained(&json!({"at": ""})), Moment::Words(_)));
}

#[test]
fn the_kind_of_a_property_decides() {
    assert!(matches!(retained(&json!({"value": 1})), Amount::Exact(_)));
    assert!(matches!(retained(&json!({"a": {}, "value": [1, 2]})), Amount::Range(_)));
    assert!(matches!(retained(&json!({"value": "x"})), Amount::Unknown(_)));
}

#[test]
fn the_items_of_a_property_decide() {
    assert!(matches!(retained(&json!({"choices": [1]})), Choices::Numbers(_)));
    assert!(matches!(retained(&json!({"x": 1, "choices": ["a"]})), Choices::Texts(_)));
    assert!(matches!(retained(&json!({"choices": 1})), Choices::Unknown(_)));
    assert!(matches!(retained(&json!({})), Choices::Numbers(_)));
}

#[test]
fn items_that_decide_nothing_leave_the_decision_to_the_object() {
    for choices in [json!([]), json!([null, []]), json!([{}]), json!([true])] {
        assert!(matches!(decode(&json!({"choices": choices})), Choices::Numbers(_)), "{choices}");
        let json = json!({"choices": choices, "note": "a"});
        assert!(matches!(decode(&json), Choices::Texts(_)), "{json}");
    }
}

#[test]
fn alternatives_with_the_same_answer_are_one_arm() {
    for role in ["developer", "user"] {
        let message: Message = retained(&json!({"type": "message", "role": role}));
        assert!(matches!(message, Message::Note(_)), "{role}");
    }
    let message: Message = retained(&json!({"type": "message", "role": "assistant"}));
    assert!(matches!(message, Message::Call(_)));
}

#[test]
fn the_value_of_a_variant_is_returned_by_its_methods() {
    let source = Source::Card(Card { digits: 1, ..Card::default() });
    assert_eq!(source.as_card().unwrap().digits, 1);
    assert_eq!(source.into_card().unwrap().digits, 1);
    let text = Source::Text("a".to_owned());
    assert!(text.as_card().is_none());
    assert_eq!(text.clone().into_card().unwrap_err(), text);
    let nested = Tree::Node(Box::new(Nodes { nodes: vec![Tree::Leaf(1)], ..Nodes::default() }));
    assert!(matches!(nested.as_node().unwrap().nodes[..], [Tree::Leaf(1)]));
    assert!(matches!(nested.into_node().unwrap().nodes[..], [Tree::Leaf(1)]));
}

#[test]
fn another_variant_reads_the_same_json() {
    let source: Source = decode(&json!({"object": "card", "digits": 1, "iban": "x"}));
    let bank: Bank = source.view().unwrap();
    assert_eq!(bank.iban.as_deref(), Some("x"));
}

#[test]
fn only_invalid_json_is_an_error() {
    for text in ["", "{", r#"{"object": "card", "digits": }"#, "[1, ", r#"{"object": "card"} 1"#] {
        assert!(Source::from_json(text.as_bytes()).is_err(), "{text}");
    }
    assert!(Source::from_json(b"null").is_err());
}

#[test]
fn other_formats_are_decoded_equally() {
    let json = json!({"digits": 1, "object": "card", "backup": "text"});
    let source: Source = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(serde_json::to_value(&source).unwrap(), json);
    assert_eq!(format!("{:?}", Source::Text("a".to_owned())), r#"Text("a")"#);
}

#[test]
fn a_tag_that_some_values_of_a_variant_lack_is_not_added() {
    let message: Message = retained(&json!({"text": "a"}));
    assert!(matches!(message, Message::Note(_)));
    let message: Message = retained(&json!({"type": "message", "role": "user", "text": "a"}));
    assert!(matches!(message, Message::Note(_)));
    assert_eq!(encode(&Message::Note(Note::default())), json!({}));
}

#[test]
fn tags_of_unions_in_unions_are_written_once() {
    let signal = |signal| Parcel::Signal(Box::new(signal));
    let call = signal(Signal::Call(Call { call: Some("a".to_owned()), ..Call::default() }));
    assert_eq!(encode(&call), json!({"kind": "signal", "type": "call", "call": "a"}));
    // Both unions have this tag, and the inner one writes it.
    assert_eq!(encode(&Parcel::Memo(Memo::Note(Note::default()))), json!({"kind": "note"}));
    for json in [
        json!({"kind": "signal", "type": "call", "call": "a"}),
        json!({"kind": "memo", "text": "a"}),
        json!({"type": "note", "text": "a"}),
        json!({"call": "a"}),
        json!({"kind": "signal", "type": "other"}),
    ] {
        let _: Parcel = retained(&json);
    }
    assert_eq!(drift::<Parcel>(&json!({"kind": "signal", "type": "call", "call": "a"})), []);
}

#[test]
fn tags_of_objects_with_unions_are_written_once() {
    let json = json!({"kind": "frame", "width": 1, "by": 2});
    let picture: Picture = retained(&json);
    assert_eq!(drift::<Picture>(&json), []);
    let Picture::Frame(mut frame) = picture else { panic!("{picture:?}") };
    frame.width = None;
    assert_eq!(encode(&frame), json!({"by": 2}));
    assert_eq!(encode(&Picture::Frame(frame)), json!({"kind": "frame", "by": 2}));
}

#[test]
fn a_tag_of_both_unions_decides_in_both() {
    for json in [json!({"type": "call", "width": 1}), json!({"type": "note", "width": 1})] {
        let Shelf::Level(level) = retained(&json) else { panic!("{json}") };
        assert_eq!(matches!(level.signal, Some(Signal::Call(_))), json["type"] == "call");
        assert_eq!(drift::<Shelf>(&json), []);
    }
}

#[test]
fn the_tag_of_items_is_not_added_to_their_object() {
    let messages: Messages = retained(&json!({"list": [{"type": "call"}]}));
    assert!(matches!(messages, Messages::Calls(_)));
    let messages: Messages = retained(&json!({"list": [{"type": "note"}, {"x": 1}]}));
    assert!(matches!(messages, Messages::Notes(_)));
}

#[test]
fn a_null_property_of_another_variant_is_the_same_as_none() {
    let json = json!({"x": 1, "by": null, "side": null});
    let [figure, without] =
        [&json, &json!({"x": 1, "side": null})].map(|json| decode::<Figure>(json));
    assert_eq!(figure, without);
    assert_eq!(drift::<Figure>(&json!({"x": 1, "by": null})), []);
    let unknown = [(String::new(), DriftKind::UnknownProperty)];
    assert_eq!(drift::<Figure>(&json!({"x": 1, "z": null})), unknown);
}

#[test]
fn a_null_that_only_one_variant_allows_decides_between_equal_fits() {
    assert!(matches!(retained(&json!({"note": null})), Choices::Texts(_)));
    assert!(matches!(retained(&json!({"choices": [], "note": null})), Choices::Texts(_)));
    assert!(matches!(decode(&json!({"choices": [1], "note": null})), Choices::Numbers(_)));
    assert!(matches!(decode(&json!({"x": 1, "by": null})), Figure::Point(_)));
}

#[test]
fn a_null_property_of_another_variant_is_the_same_in_any_order() {
    for [one, other] in [
        [
            r#"{"type": "note", "x": null, "text": "a"}"#,
            r#"{"x": null, "text": "a", "type": "note"}"#,
        ],
        [r#"{"x": null, "call": "a"}"#, r#"{"call": "a", "x": null}"#],
    ] {
        let [one, other] = [one, other].map(|json| Letter::from_json(json.as_bytes()).unwrap());
        assert_eq!(one, other);
        assert_eq!(one.to_json(), other.to_json());
    }
}

#[test]
fn values_that_are_not_maps_are_retained_in_any_order() {
    for null_or_empty in ["null", "\"\""] {
        let [one, other] = [
            format!(r#"{{"a": {null_or_empty}, "b": "text"}}"#),
            format!(r#"{{"b": "text", "a": {null_or_empty}}}"#),
        ]
        .map(|json| Radii::from_json(json.as_bytes()).unwrap());
        assert!(matches!(one, Radii::Unknown(_)));
        assert_eq!(one.to_json(), other.to_json());
    }
}

#[test]
fn the_first_of_several_values_that_decide_counts() {
    for (body, expected) in [
        (r#"{"object":"card","object":"bank","digits":1}"#, json!({"object": "card", "digits": 1})),
        (
            r#"{"digits":1,"object":"card","x":2,"object":"bank"}"#,
            json!({"object": "card", "digits": 1, "x": 2}),
        ),
        (r#"{"object":null,"object":"bank","object":"card"}"#, json!({"object": "bank"})),
        (r#"{"object":"cash","object":"card"}"#, json!({"object": "cash"})),
    ] {
        let source = Source::from_json(body.as_bytes()).unwrap();
        assert_eq!(encode(&source), expected, "{body}");
        let again: Source = decode(&expected);
        assert_eq!(source, again, "{body}");
    }
    // Several properties decide, one after the other, and the first of them is read when there are others of the second.
    for body in [
        r#"{"role":"developer","role":"tool","type":"message","type":"call"}"#,
        r#"{"type":"message","role":"developer","role":"tool","text":"a"}"#,
    ] {
        let message = Message::from_json(body.as_bytes()).unwrap();
        assert!(matches!(&message, Message::Note(_)), "{body}");
        let again: Message = decode(&encode(&message));
        assert_eq!(message, again, "{body}");
    }
    for body in [r#"{"value":1,"value":[2]}"#, r#"{"value":[2],"value":1}"#] {
        let amount = Amount::from_json(body.as_bytes()).unwrap();
        let again: Amount = decode(&encode(&amount));
        assert_eq!(amount, again, "{body}");
    }
}

#[test]
fn a_base_has_the_common_properties_of_any_variant_and_nothing_else() {
    let base = |json| base::<Common>(&decode::<Source>(&json));
    let card = base(json!({"object": "card", "digits": 4321, "owner": {"name": "Lovelace"}}));
    assert_eq!(encode(&card), json!({"object": "card", "owner": {"name": "Lovelace"}}));
    assert!(format!("{card:?}").contains("card"));
    let unknown = base(json!({"object": "cash", "digits": 4321, "owner": {"name": "Lovelace"}}));
    assert_eq!((&*unknown.kind, unknown.owner.is_some()), ("cash", true));
    assert_eq!(encode(&unknown), json!({"object": "cash", "owner": {"name": "Lovelace"}}));
    // What a server says of what nothing describes can repeat a secret of the request.
    let shown = format!("{unknown:?}");
    assert!(
        shown.starts_with("Common { kind: \"[redacted]\"") && !shown.contains("Lovelace"),
        "{shown}"
    );
    // A value that the field cannot hold is retained, and a text has no properties.
    let unfit = base(json!({"object": 1}));
    assert_eq!((&*unfit.kind, encode(&unfit)), ("", json!({"object": 1})));
    assert_eq!(encode(&base(json!("text"))), json!({}));
}
