//! Cases that the table of styles leaves open: empty values, nulls, nested values, hostile characters.

use openapi_bindings_runtime::{ErrorKind, Model as _};
use serde_json::json;

use super::styles::Color;
use super::*;
use crate::models::{Action, Card, Source};
use Place::{Cookie, Header, Path, Query};

#[tokio::test]
async fn values_are_encoded_before_they_are_joined() {
    let painter = Painter::new();
    let hostile = json!(["a,b", "c&d=e", "f g|h", "é%20;"]);
    let object = json!({"a&b": "c=d", "e,f": "g;h"});
    let form = |style| Query.color().style(style, false);
    for (place, parameter, value, expected) in [
        (Query, form(Style::Form), &hostile, "color=a%2Cb,c%26d%3De,f%20g%7Ch,%C3%A9%2520%3B"),
        (
            Query,
            form(Style::SpaceDelimited),
            &hostile,
            "color=a%2Cb%20c%26d%3De%20f%20g%7Ch%20%C3%A9%2520%3B",
        ),
        (Query, form(Style::PipeDelimited), &json!(["a|b", "c"]), "color=a%7Cb%7Cc"),
        (Query, Query.color(), &object, "a%26b=c%3Dd&e%2Cf=g%3Bh"),
        (
            Query,
            Query.color().style(DEEP, true),
            &object,
            "color%5Ba%26b%5D=c%3Dd&color%5Be%2Cf%5D=g%3Bh",
        ),
        (
            Path,
            Path.color().style(Style::Matrix, true),
            &json!(["a/b", "c;d"]),
            ";color=a%2Fb;color=c%3Bd",
        ),
        (Path, Path.color().style(Style::Label, true), &json!(["a.b", "c"]), ".a.b.c"),
        (Path, Path.color(), &json!(["..", "/"]), "..,%2F"),
        (Header, Header.color(), &json!(["a b", "c\"d"]), "a b,c\"d"),
        (Cookie, Cookie.color(), &json!(["a;b", "c d"]), "color=a%3Bb; color=c%20d"),
        (Cookie, Cookie.color().style(Style::Cookie, true), &json!("a b=c"), "color=a b=c"),
    ] {
        assert_eq!(
            painter.send(place, parameter, value.clone()).await.unwrap(),
            expected,
            "{value}"
        );
    }
}

#[tokio::test]
async fn reserved_characters_are_sent_where_the_spec_allows_them() {
    let painter = Painter::new();
    let url = json!("https://a.example/b?c=d#e[f] %2F%");
    let reserved = Query.color().allow_reserved();
    let sent = painter.send(Query, reserved, url).await.unwrap();
    assert_eq!(sent, "color=https://a.example/b?c=d%23e%5Bf%5D%20%2F%25");
    let reserved = Path.color().allow_reserved();
    let sent = painter.send(Path, reserved, json!("a/b:c?d@e#f")).await.unwrap();
    assert_eq!(sent, "a%2Fb:c%3Fd@e%23f");
}

#[tokio::test]
async fn lists_and_objects_nest_in_brackets() {
    let painter = Painter::new();
    let filter = json!({
        "ids": [7, 8], "name": {"eq": "a b", "not": null}, "on": true, "rows": [{"x": 0.5}, {"x": 2}], "none": [],
    });
    for (keys, expected) in [
        (
            ListKeys::Indices,
            "color[ids][0]=7&color[ids][1]=8&color[name][eq]=a%20b&color[on]=true\
             &color[rows][0][x]=0.5&color[rows][1][x]=2",
        ),
        (
            ListKeys::Brackets,
            "color[ids][]=7&color[ids][]=8&color[name][eq]=a%20b&color[on]=true\
             &color[rows][][x]=0.5&color[rows][][x]=2",
        ),
        (
            ListKeys::Repeated,
            "color[ids]=7&color[ids]=8&color[name][eq]=a%20b&color[on]=true\
             &color[rows][x]=0.5&color[rows][x]=2",
        ),
    ] {
        let parameter = Query.color().style(Style::DeepObject(keys), true);
        let sent = painter.send(Query, parameter, filter.clone()).await.unwrap();
        assert_eq!(sent.replace("%5B", "[").replace("%5D", "]"), expected);
    }
    let deep = Query.color().style(DEEP, true);
    assert_eq!(
        painter.send(Query, deep, json!(["a", "b"])).await.unwrap(),
        "color%5B0%5D=a&color%5B1%5D=b"
    );
    assert_eq!(painter.send(Query, deep, json!(5)).await.unwrap(), "color=5");
}

#[tokio::test]
async fn other_styles_send_nested_values_as_json_except_lists_of_exploded_objects() {
    let painter = Painter::new();
    let nested = json!({"a": [1, "b"], "c": {"d": null}});
    let sent = painter.send(Query, Query.color(), nested.clone()).await.unwrap();
    assert_eq!(sent, "a=1&a=b&c=%7B%22d%22%3Anull%7D");
    let joined = Query.color().style(Style::Form, false);
    let sent = painter.send(Query, joined, nested).await.unwrap();
    assert_eq!(sent, "color=a,%5B1%2C%22b%22%5D,c,%7B%22d%22%3Anull%7D");
    let null = painter.send(Query, Query.color(), json!({"a": [null]})).await.unwrap_err();
    assert!(null.to_string().contains("element 0 of its list is null"), "{null}");
    let content = |place: Place| place.color().style(Style::Json, false);
    let color = Color { r: 1, ..Color::default() };
    for (place, expected) in [
        (Path, "%7B%22R%22%3A1%2C%22G%22%3A0%2C%22B%22%3A0%7D"),
        (Query, "color=%7B%22R%22%3A1%2C%22G%22%3A0%2C%22B%22%3A0%7D"),
        (Header, r#"{"R":1,"G":0,"B":0}"#),
        (Cookie, "color=%7B%22R%22%3A1%2C%22G%22%3A0%2C%22B%22%3A0%7D"),
    ] {
        assert_eq!(painter.send(place, content(place), color.clone()).await.unwrap(), expected);
    }
    let whole = Parameter::query_string("color");
    assert_eq!(painter.send(Query, whole, color.clone()).await.unwrap(), "R=1&G=0&B=0");
    let whole = whole.style(Style::Json, false);
    assert_eq!(painter.send(Query, whole, json!([1])).await.unwrap(), "%5B1%5D");
}

#[tokio::test]
async fn numbers_keep_their_digits() {
    let painter = Painter::new();
    for digits in ["123456789012345678901", "-1e400"] {
        let json = format!(r#"{{"object":"card","digits":{digits}}}"#);
        let card = Card::from_json(json.as_bytes()).unwrap();
        for (parameter, expected) in [
            (Query.color(), format!("object=card&digits={digits}")),
            (Query.color().style(DEEP, true), format!("color[object]=card&color[digits]={digits}")),
            (Query.color().style(Style::Json, false), format!("color={json}")),
        ] {
            let sent = painter.send(Query, parameter, card.clone()).await.unwrap();
            let sent = percent_encoding::percent_decode_str(&sent).decode_utf8().unwrap();
            assert_eq!(sent, expected);
        }
    }
}

#[tokio::test]
async fn unions_are_sent_as_the_values_that_they_hold() {
    let painter = Painter::new();
    let card = Card { kind: "card".to_owned(), digits: 42, ..Card::default() };
    let unknown = Source::from_json(b"true").unwrap();
    assert!(matches!(unknown, Source::Unknown(_)));
    for (value, flat, deep) in [
        (Source::Text("a b".to_owned()), "color=a%20b", "color=a%20b"),
        (Source::Ids(vec![7, 8]), "color=7&color=8", "color%5B0%5D=7&color%5B1%5D=8"),
        (
            Source::Card(card),
            "object=card&digits=42",
            "color%5Bobject%5D=card&color%5Bdigits%5D=42",
        ),
        (unknown, "color=true", "color=true"),
    ] {
        assert_eq!(painter.send(Query, Query.color(), value.clone()).await.unwrap(), flat);
        let parameter = Query.color().style(DEEP, true);
        assert_eq!(painter.send(Query, parameter, value).await.unwrap(), deep);
    }
}

#[tokio::test]
async fn open_enums_are_sent_as_their_texts() {
    let painter = Painter::new();
    let call = call::<PaintAll>(&painter.client)
        .text(Query.color(), &Action::Deny)
        .list(Parameter::query("others"), [Action::Close, Action::from("ACTION_FLY")]);
    Request::<PaintAll> { call, body: None }.await.unwrap();
    let seen = painter.server.only();
    assert_eq!(seen.target, "/paint?color=ACTION_DENY&others=ACTION_CLOSE&others=ACTION_FLY");
}

#[tokio::test]
async fn nothing_is_sent_for_empty_lists_and_objects() {
    let painter = Painter::new();
    for style in [Style::Form, Style::SpaceDelimited, Style::PipeDelimited, DEEP] {
        for explode in [false, true] {
            for empty in [json!([]), json!({}), json!({"a": null})] {
                let parameter = Query.color().style(style, explode);
                assert_eq!(
                    painter.send(Query, parameter, empty.clone()).await.unwrap(),
                    "",
                    "{style:?}"
                );
            }
        }
    }
    for call in [
        call::<PaintAll>(&painter.client)
            .list(Header.color(), [""; 0])
            .list(Cookie.color(), [""; 0]),
        call::<PaintAll>(&painter.client).list(Header.color(), ["a"]).list(Header.color(), [""; 0]),
    ] {
        Request::<PaintAll> { call, body: None }.await.unwrap();
        let seen = painter.server.take().pop().unwrap();
        assert!(!seen.headers.contains_key("color") && !seen.headers.contains_key("cookie"));
    }
}

#[tokio::test]
async fn values_without_a_textual_form_are_refused_before_sending() {
    let painter = Painter::new();
    let label = Path.color().style(Style::Label, true);
    for (place, parameter, value, why) in [
        (
            Query,
            Query.color(),
            json!(["a", null]),
            "`color` cannot be sent: element 1 of its list is null",
        ),
        (
            Query,
            Query.color().style(DEEP, true),
            json!({"a": [null]}),
            "element 0 of its list is null",
        ),
        (Query, Query.color(), json!(null), "it is null"),
        (Path, Path.color(), json!([]), "`color` is empty"),
        (Path, Path.color(), json!([""]), "`color` is empty"),
        (Path, Path.color(), json!(null), "`color` is empty"),
        (Path, Path.color(), json!({"a": null}), "`color` is empty"),
        (Path, Path.color(), json!([".."]), "is `.` or `..`"),
        (Path, Path.color().allow_reserved(), json!("%2e%2E"), "is `.` or `..`"),
        (Path, label, json!([""]), "is `.` or `..`"),
        (Path, label.allow_reserved(), json!("%2e"), "is `.` or `..`"),
        (Path, label, json!(["."]), "is `.` or `..`"),
        (Header, Header.color(), json!(["a\nb"]), "`color` contains invalid characters"),
        (
            Cookie,
            Cookie.color().style(Style::Cookie, true),
            json!("a;b"),
            "a cookie cannot contain",
        ),
        (
            Cookie,
            Cookie.color().style(Style::Cookie, true),
            json!({"a;b": 1}),
            "a cookie cannot contain",
        ),
    ] {
        let error = painter.send(place, parameter, value.clone()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Request);
        assert!(error.to_string().contains(why), "{value}: {error}");
    }
    assert!(painter.server.seen().is_empty());
}

#[tokio::test]
async fn a_parameter_replaces_its_own_values_and_no_others() {
    let painter = Painter::new();
    let deep = Query.color().style(DEEP, true);
    let call = call::<PaintAll>(&painter.client)
        .value(deep, json!({"a": 1, "b": 2}))
        .query("size", &5)
        .text(Cookie.color(), "red")
        .text(Parameter::cookie("other"), "1")
        .value(deep, json!({"c": 3}))
        .text(Cookie.color(), "blue");
    let request = Request::<PaintAll> { call, body: None };
    request.with_header("cookie", "mine=1").with_query("color", "x").await.unwrap();
    let seen = painter.server.take().pop().unwrap();
    assert_eq!(seen.target, "/paint?size=5&color%5Bc%5D=3&color=x");
    assert_eq!(seen.headers["cookie"], "mine=1; other=1; color=blue");
}
