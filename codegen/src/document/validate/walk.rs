//! Validates a tree against the tables of objects.

use super::grammar::{Expected, Field, Form, Mistake, Object};
use super::validator::{DOCUMENTATION, Validator, quoted_flag};
use crate::diagnostics::{Place, Severity, help_for_unknown_field};
use crate::document::Node;
use crate::document::view::{BESIDE_REFERENCE, Version, View, is_any};
use crate::source_map::Pointer;

/// A `$ref` to anything but a schema.
static REFERENCE: Object = Object {
    form: Form::Reference,
    ..Object::new(
        "a reference",
        &[Field::texts(&["$ref"]), Field::silent(&["summary", "description"])],
    )
};

/// A `$ref` to a schema in OpenAPI 3.0.
static SCHEMA_REFERENCE: Object = Object {
    form: Form::Reference,
    ..Object::new(
        "a reference",
        &[Field::silent(&["default", "example", "examples", "externalDocs", "title", "xml"])],
    )
};

impl<'a> Validator<'a> {
    /// Validates an object.
    pub(super) fn object(&mut self, node: &'a Node, pointer: &Pointer, object: &'static Object) {
        let is_reference = node.get("$ref").is_some();
        match object.form {
            Form::Referable(kind) => {
                if !self.items.insert((kind, pointer.clone())) {
                    return;
                }
                if is_reference {
                    self.members(node, pointer, &REFERENCE);
                    return self.elsewhere(node, object);
                }
            }
            Form::Schema if matches!(node, Node::Bool(_)) => return,
            Form::Schema if quoted_flag(node).is_some() => {
                return self.flag(node, pointer, "a schema that is not an object");
            }
            Form::Schema if is_reference && self.is_version(Version::V3_0) => {
                return self.schema_reference(node, pointer, object);
            }
            Form::Schema | Form::InPlace | Form::Reference => {}
        }
        self.members(node, pointer, object);
    }

    /// Validates the target of a reference that is not a component of the document: it can have any content.
    fn elsewhere(&mut self, node: &'a Node, object: &'static Object) {
        let view = node
            .get("$ref")
            .and_then(Node::as_str)
            .and_then(Pointer::from_reference)
            .filter(|target| {
                target.file().is_some()
                    || !matches!(target.segments().first(), Some(&("components" | "paths")))
            })
            .and_then(|target| self.document.at(target));
        if let Some(view) = view {
            self.object(view.node, &view.pointer, object);
        }
    }

    /// Validates the keywords that are read next to the `$ref` of a schema in OpenAPI 3.0.
    fn schema_reference(&mut self, node: &'a Node, pointer: &Pointer, schema: &'static Object) {
        for (key, value) in node.members(&[]) {
            let is_read = BESIDE_REFERENCE.contains(&key);
            self.member(key, value, pointer, if is_read { schema } else { &SCHEMA_REFERENCE });
        }
    }

    fn members(&mut self, node: &'a Node, pointer: &Pointer, object: &'static Object) {
        let Some(members) = node.as_object() else {
            if !node.is_null() {
                return self.wrong_type(pointer, object.what, "an object", node);
            }
            self.repairs.push((pointer.clone(), Node::Object(Vec::new())));
            return self.no_value(pointer, object.what);
        };
        for (key, value) in members {
            self.member(key, value, pointer, object);
        }
        let view = View::new(self.document, node, pointer.clone());
        for field in object.fields {
            for name in field.names {
                if let Some(help) = field.required.filter(|_| view.get(name).is_none()) {
                    self.missing(pointer, object.what, name, help);
                }
            }
        }
        for (one, other) in object.exclusive {
            self.report_exclusive(&view, one, other);
        }
        (object.check)(&view, self);
    }

    fn member(&mut self, key: &str, node: &'a Node, owner: &Pointer, object: &'static Object) {
        let is_3_2 = self.is_version(Version::V3_2);
        let mut known = object.fields.iter().filter(|field| is_3_2 || !field.is_new_in_3_2);
        let Some(field) = known.find(|field| field.names.contains(&key)) else {
            return self.unknown(key, owner, object);
        };
        let is_fine = match field.value {
            Expected::Any | Expected::Silent => {
                field.unread.is_none() || key == "not" && is_any(node)
            }
            Expected::Text => node.as_str().is_some(),
            Expected::Flag => node.as_bool().is_some(),
            _ => false,
        };
        if is_fine {
            return;
        }
        let pointer = owner.join(key);
        if let Some(Mistake { code, message, help, value, .. }) =
            field.mistake.filter(|mistake| (mistake.is_made)(node))
        {
            self.diagnostics.warning(code, Place::value(&pointer), *message).help(*help);
            return self.value(value, node, &pointer, None);
        }
        if node.is_null() && !matches!(field.value, Expected::Named(..)) {
            return self.no_value(&pointer, &format!("`{key}`"));
        }
        self.value(&field.value, node, &pointer, None);
        if let Some(consequence) = field.unread {
            self.warn("unread", &pointer, format!("`{key}` is ignored")).help(consequence);
        }
    }

    /// Validates a value. Messages use its key if it has no other name.
    fn value(
        &mut self,
        value: &'static Expected,
        node: &'a Node,
        pointer: &Pointer,
        name: Option<&str>,
    ) {
        const ELEMENT: Option<&str> = Some("an element of the list");
        let key = || format!("`{}`", pointer.last().unwrap_or_default());
        let shown = || name.map_or_else(key, str::to_owned);
        match value {
            Expected::Any | Expected::Silent => {}
            Expected::List(_) if node.is_null() => self.no_value(pointer, &shown()),
            Expected::Text => {
                let view = View::new(self.document, node, pointer.clone()).replaced();
                if !self.is_unread(&view) {
                    self.text(view.node, &view.pointer, &shown());
                }
            }
            Expected::Flag => self.flag(node, pointer, &shown()),
            Expected::Target => {
                self.text(node, pointer, &shown());
                self.targets.extend(node.as_str().and_then(Pointer::from_reference));
            }
            Expected::Object(object) => self.object(node, pointer, object),
            Expected::List(element) => match node.as_array() {
                Some(items) => {
                    for (index, item) in items.iter().enumerate() {
                        self.value(element, item, &pointer.join_index(index), ELEMENT);
                    }
                }
                None => self.wrong_type(pointer, &shown(), "an array", node),
            },
            Expected::Map(entry) | Expected::Keyed(_, entry) => match node.as_object() {
                Some(members) => {
                    for (key, node) in members {
                        let pointer = pointer.join(key);
                        let is_entry = match value {
                            Expected::Keyed(check, _) => check(self, key, &pointer),
                            _ => true,
                        };
                        if is_entry {
                            self.value(entry, node, &pointer, None);
                        }
                    }
                }
                None => self.wrong_type(pointer, &shown(), "an object", node),
            },
            Expected::Replaceable(value) => {
                let view = View::new(self.document, node, pointer.clone()).replaced();
                self.value(value, view.node, &view.pointer, name);
            }
            Expected::Named(name, value) => self.value(value, node, pointer, Some(name)),
        }
    }

    /// Reports a field that OpenAPI does not define: an error if it is probably a misspelled field with an effect on types
    /// or calls.
    fn unknown(&mut self, key: &str, owner: &Pointer, object: &Object) {
        let pointer = owner.join(key);
        if key == "x-rust-name" && !matches!(object.form, Form::Reference) {
            let message = format!("`{key}` is not read in {}", object.what);
            self.warn("unread", &pointer, message)
                .help("write it where the name is from: in a schema, property, parameter, operation, tag, server or security scheme");
        }
        if key.starts_with("x-") {
            return;
        }
        if let Form::Reference = object.form {
            self.warn("ref-sibling", &pointer, format!("`{key}` next to a `$ref` is ignored"))
                .help("move it to the target of the `$ref`; in a schema, put the `$ref` into an `allOf`");
            return;
        }
        let is_3_2 = self.is_version(Version::V3_2);
        let known = object.fields.iter().filter(|field| is_3_2 || !field.is_new_in_3_2);
        let names = known.clone().flat_map(|field| field.names).copied();
        let meant = self.diagnostics.spelling().closest(key, names);
        let mut read = known
            .filter(|field| field.unread.is_none() && !matches!(field.value, Expected::Silent));
        let has_effect = meant.is_some_and(|meant| {
            !DOCUMENTATION.contains(&meant) && read.any(|field| field.names.contains(&meant))
        });
        let message = format!("`{key}` is not a field of {}", object.what);
        let place = Place::key(&pointer);
        let severity = if has_effect { Severity::Error } else { Severity::Warning };
        let help = help_for_unknown_field(meant);
        self.diagnostics.report(severity, "unknown-field", place, message).help(help);
    }
}
