//! The table of fields in the documentation is the one of the grammar.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::grammar::{Expected, Field, Object};
use super::root;
use crate::document::Pointer;
use crate::document::keys::Keys;

const GUIDE: &str = "../docs/schemas.md";

const HEADING: &str = "## What is read\n";

/// Returns a table in Markdown: of each object of OpenAPI, the fields that have no effect on types and calls, and those
/// that are ignored with a warning.
fn table() -> String {
    let mut table = String::from(
        "| object | without effect on types and calls | ignored, with a warning |\n|---|---|---|\n",
    );
    for object in objects() {
        let name = object.what.trim_start_matches("an ").trim_start_matches("a ");
        let of = |is_wanted: fn(&Field) -> bool| {
            let fields = object.fields.iter().filter(|field| is_wanted(field));
            let names = fields.flat_map(|field| field.names.iter().map(|name| label(name, field)));
            names.collect::<Vec<_>>().join(", ")
        };
        let silent = of(|field| field.unread.is_none() && is_silent(field));
        let ignored = of(|field| field.unread.is_some());
        if !(silent.is_empty() && ignored.is_empty()) {
            let _ = writeln!(table, "| {name} | {silent} | {ignored} |");
        }
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

/// Returns the objects of OpenAPI.
fn objects() -> Vec<&'static Object> {
    let mut objects = Vec::new();
    collect(&root::DOCUMENT, &mut objects);
    objects
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

#[test]
fn the_guide_lists_what_is_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(GUIDE);
    let guide = fs::read_to_string(&path).unwrap();
    let (before, section) = guide.split_once(HEADING).unwrap();
    let start = section.find("| object |").unwrap();
    let end = section.find("\n## ").unwrap();
    let expected = table();
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        let updated =
            format!("{before}{HEADING}{}{expected}{}", &section[..start], &section[end..]);
        fs::write(&path, updated).unwrap();
    } else {
        assert_eq!(&section[start..end], expected, "write it with INSTA_UPDATE=always");
    }
}

#[test]
fn the_guide_says_what_each_addition_is_in_rust() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(GUIDE);
    let guide = fs::read_to_string(&path).unwrap();
    let (_, section) = guide.split_once("## OpenAPI 3.2\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let fields = objects().into_iter().flat_map(|object| object.fields);
    let additions = fields.filter(|field| field.is_new_in_3_2 && !is_silent(field));
    let names = additions.flat_map(|field| field.names);
    let missing: Vec<_> = names.filter(|name| !section.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "they are not in the table: {missing:?}");
}

#[test]
fn the_keys_of_every_field_are_known() {
    let objects = objects();
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
