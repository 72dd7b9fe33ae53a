//! Servers and the variables of their URLs.

use super::grammar::{Expected, Field, Object};
use super::validator::Validator;
use crate::diagnostics::Code;
use crate::document::Node;
use crate::document::view::View;

/// The `servers` of the document, a path item or an operation.
pub(super) const SERVERS: Field = Field::new(&["servers"], Expected::List(&A_SERVER));

static A_SERVER: Expected = Expected::Object(&SERVER);

static SERVER: Object = Object {
    check: check_url,
    ..Object::new(
        "a server",
        &[
            Field::texts(&["x-rust-name"]),
            Field::texts(&["url"]).expected("add the base URL, such as `https://api.example.com`"),
            Field::new(&["variables"], Expected::Map(&Expected::Object(&VARIABLE))),
            Field::silent(&["description"]),
            Field::texts(&["name"]).new_in_3_2(),
        ],
    )
};

/// Warns of variables in a URL that are not declared, and of a URL without a scheme that is no path: it would be relative to
/// the place of the document.
fn check_url(view: &View<'_>, validator: &mut Validator<'_>) {
    let url = view.text("url").unwrap_or_default();
    let pointer = view.pointer.join("url");
    let variables = url.split('{').skip(1).filter_map(|part| part.split_once('}'));
    for (variable, _) in variables {
        if !view.map("variables").any(|(declared, _)| declared == variable) {
            let message = format!("the variable `{variable}` of the server is not declared");
            let help =
                format!("add `{variable}` with a `default` to the `variables` of the server");
            validator.at_value(Code::ServerVariable, &pointer, message).help(help);
        }
    }
    let url = view.map("variables").fold(url.to_owned(), |url, (name, variable)| {
        url.replace(&format!("{{{name}}}"), variable.text("default").unwrap_or_default())
    });
    if !url.is_empty() && !url.contains("://") && !url.starts_with(['/', '.', '{', '?', '#']) {
        let message = format!("the server `{url}` has no scheme, and is not a base URL");
        let help = format!("write `https://{url}`, or `/{url}` if it is a path");
        validator.at_value(Code::ServerUrl, &pointer, message).help(help);
    }
}

static VARIABLE: Object = Object {
    check,
    ..Object::new(
        "a server variable",
        &[
            Field::texts(&["default"]).expected("add the value to use by default"),
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
