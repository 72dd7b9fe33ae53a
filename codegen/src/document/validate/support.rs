//! A table of the fields of a document that are read, from the grammar that validates it.

use std::fmt::Write as _;

use super::grammar::{Expected, Field, Object};
use super::root;

/// Returns a table in Markdown: of each object of OpenAPI, the fields that are read, that have no effect on types and
/// calls, and that are ignored with a warning.
pub fn table() -> String {
    let mut objects = Vec::new();
    collect(&root::DOCUMENT, &mut objects);
    let mut table = String::from(
        "| object | read | without effect on types and calls | ignored, with a warning |\n|---|---|---|---|\n",
    );
    for object in objects {
        let name = object.what.trim_start_matches("an ").trim_start_matches("a ");
        let of = |is_wanted: fn(&Field) -> bool| {
            let fields = object.fields.iter().filter(|field| is_wanted(field));
            let names = fields.flat_map(|field| field.names.iter().map(|name| label(name, field)));
            names.collect::<Vec<_>>().join(", ")
        };
        let read = of(|field| field.unread.is_none() && !is_silent(field));
        let silent = of(|field| field.unread.is_none() && is_silent(field));
        let ignored = of(|field| field.unread.is_some());
        let _ = writeln!(table, "| {name} | {read} | {silent} | {ignored} |");
    }
    table
}

fn is_silent(field: &Field) -> bool {
    matches!(field.value, Expected::Silent)
}

fn label(name: &str, field: &Field) -> String {
    let version = if field.is_new_in_3_2 { " (3.2)" } else { "" };
    format!("`{name}`{version}")
}

/// Adds an object and those within it, each once, in the order in which a document has them.
fn collect(object: &'static Object, found: &mut Vec<&'static Object>) {
    if found.iter().any(|other| other.what == object.what) {
        return;
    }
    found.push(object);
    for field in object.fields {
        if let Some(inner) = object_of(&field.value) {
            collect(inner, found);
        }
    }
}

/// Returns the object that a value consists of.
fn object_of(value: &Expected) -> Option<&'static Object> {
    match value {
        Expected::Object(object) => Some(object),
        Expected::List(inner)
        | Expected::Map(inner)
        | Expected::Keyed(_, inner)
        | Expected::Replaceable(inner)
        | Expected::Named(_, inner) => object_of(inner),
        Expected::Any | Expected::Silent | Expected::Text | Expected::Flag | Expected::Target => {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{collect, is_silent, object_of, root};
    use crate::document::Pointer;
    use crate::document::keys::Keys;

    #[test]
    fn the_keys_of_every_field_are_known() {
        let mut objects = Vec::new();
        collect(&root::DOCUMENT, &mut objects);
        let fields = objects.iter().flat_map(|object| object.fields);
        for field in fields.filter(|field| !is_silent(field)) {
            // A list of parameters has the name of a map.
            for name in field.names.iter().filter(|name| **name != "parameters") {
                let keys = Keys::at(&Pointer::root().join(name));
                assert_eq!(field.value.is_map(), keys.is_some_and(Keys::are_names), "{name}");
                assert!(keys.is_some() || object_of(&field.value).is_none(), "{name}");
            }
        }
    }
}
