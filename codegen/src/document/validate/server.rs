//! Servers and the variables of their URLs.

use super::grammar::{Expected, Field, Object};
use super::validator::Validator;
use crate::document::Node;
use crate::document::view::View;

/// The `servers` of the document, a path item or an operation.
pub(super) const SERVERS: Field = Field::new(&["servers"], Expected::List(&A_SERVER));

static A_SERVER: Expected = Expected::Object(&SERVER);

static SERVER: Object = Object::new(
    "a server",
    &[
        Field::texts(&["x-rust-name"]),
        Field::texts(&["url"]).required("add the base URL, such as `https://api.example.com`"),
        Field::new(&["variables"], Expected::Map(&Expected::Object(&VARIABLE))),
        Field::silent(&["description"]),
        Field::texts(&["name"]).new_in_3_2(),
    ],
);

static VARIABLE: Object = Object {
    check,
    ..Object::new(
        "a server variable",
        &[
            Field::texts(&["default"]).required("add the value to use by default"),
            Field::new(&["enum"], Expected::List(&Expected::Named("a value", &Expected::Text))),
            Field::silent(&["description"]),
        ],
    )
};

fn check(view: &View<'_>, validator: &mut Validator<'_>) {
    if view.get("enum").and_then(Node::as_array).is_some_and(<[Node]>::is_empty) {
        let message = "the `enum` of a server variable must list at least one value";
        validator.invalid(&view.pointer.join("enum"), message, "remove it to allow any value");
    }
}
