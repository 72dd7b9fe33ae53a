//! The way from a document to a call.

use super::svg::{Anchor, Picture, Theme};

/// A row: what happens, and its steps from left to right, each with a title and an explanation.
type Row = (&'static str, [(&'static str, &'static str); 4]);

const ROWS: [Row; 2] = [
    (
        "When the document changes",
        [
            ("openapi.yaml", "OpenAPI 3.0 or 3.1"),
            ("codegen", "all problems at once, with lines"),
            ("your crate", "models, requests, client"),
            ("diff", "what breaks, the next version"),
        ],
    ),
    (
        "When a program makes a call",
        [
            ("your program", "client.hooks().list().await"),
            ("your crate", "describes the call"),
            ("runtime", "tokens, retries, pages, drift"),
            ("the API", "over HTTPS"),
        ],
    ),
];

const BOX: (f64, f64) = (196.0, 56.0);
const GAP: f64 = 32.0;
const ROW: f64 = 100.0;

/// Draws the picture.
pub fn picture(theme: &Theme) -> String {
    let mut picture = Picture::new(theme);
    let mut top = 0.0;
    for (label, steps) in ROWS {
        picture.text((0.0, top + 16.0), Anchor::Start, (13, theme.muted), label);
        let mut left = 0.0;
        for (index, (title, explanation)) in steps.into_iter().enumerate() {
            if index > 0 {
                picture.arrow((left - GAP + 4.0, top + 28.0 + BOX.1 / 2.0), GAP - 8.0);
            }
            picture.rectangle((left, top + 28.0), BOX, theme.fill);
            let middle = left + BOX.0 / 2.0;
            let color = if title == "your crate" { theme.accent } else { theme.text };
            picture.text((middle, top + 52.0), Anchor::Middle, (15, color), title);
            picture.text((middle, top + 72.0), Anchor::Middle, (12, theme.muted), explanation);
            left += BOX.0 + GAP;
        }
        top += ROW;
    }
    picture.finish((880, 190), "From an OpenAPI document to a crate, and from a program to the API")
}
