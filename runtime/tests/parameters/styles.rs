//! The table of styles of the standard, row by row.

use openapi_bindings_runtime::{ErrorKind, UnknownProperties};
use serde_json::json;

use super::*;

/// The object of the standard, whose properties are not in the order of their names.
#[derive(Clone, Default)]
pub(super) struct Color {
    pub(super) r: i64,
    pub(super) g: i64,
    pub(super) b: i64,
    pub(crate) unknown: UnknownProperties,
}

internal::object! { Color { r!: "R", g!: "G", b!: "B" } unknown }

#[tokio::test]
async fn the_examples_of_the_standard_are_sent() {
    let painter = Painter::new();
    let color = Color { r: 100, g: 200, b: 150, ..Color::default() };
    let others = [json!(""), json!("blue"), json!(["blue", "black", "brown"])];
    let rows = include_str!("styles.txt").lines().filter(|line| !line.starts_with('#'));
    for row in rows {
        let cells: Vec<&str> = row.split_whitespace().collect();
        let [place, style, explode, expected @ ..] = &cells[..] else { panic!("{row}") };
        let place = match *place {
            "path" => Place::Path,
            "query" => Place::Query,
            "header" => Place::Header,
            "cookie" => Place::Cookie,
            other => panic!("{other}"),
        };
        let style = match *style {
            "matrix" => Style::Matrix,
            "label" => Style::Label,
            "simple" => Style::Simple,
            "form" => Style::Form,
            "spaceDelimited" => Style::SpaceDelimited,
            "pipeDelimited" => Style::PipeDelimited,
            "deepObject" => DEEP,
            "cookie" => Style::Cookie,
            other => panic!("{other}"),
        };
        assert_eq!(expected.len(), 4, "{row}");
        let parameter = place.color().style(style, explode.parse().unwrap());
        for (index, expected) in expected.iter().enumerate().filter(|(_, cell)| **cell != "-") {
            let sent = match others.get(index) {
                Some(value) => painter.send(place, parameter, value.clone()).await,
                None => painter.send(place, parameter, color.clone()).await,
            };
            match *expected {
                "!" => {
                    let error = sent.unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::Request, "{row}");
                    assert!(error.to_string().contains("`color` is empty"), "{error}");
                }
                expected => assert_eq!(sent.unwrap(), expected.replace('_', " "), "{row}"),
            }
        }
    }
}
