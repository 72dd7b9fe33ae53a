//! Validates a tree against the tables of objects.

use std::ops::Range;

use super::grammar::{Expected, Field, Form, Mistake, Object};
use super::validator::{Fields, Validator, quoted_flag};
use crate::diagnostics::{Code, help_for_unknown};
use crate::document::references::is_only_reference;
use crate::document::view::{BESIDE_REFERENCE, Version, View, is_any};
use crate::document::{Node, is_extension};
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

/// The extensions whose misspellings are reported.
const EXTENSIONS: [&str; 5] =
    ["x-rust-name", "x-enum-varnames", "x-enumNames", "x-enum-descriptions", "x-enumDescriptions"];

/// The type of another crate, which typify uses instead.
const TYPIFY: &str = "x-rust-type";

impl<'a> Validator<'a> {
    pub(super) fn object(&mut self, node: &'a Node, pointer: &Pointer, object: &'static Object) {
        self.around.push(object);
        self.form(node, pointer, object);
        self.around.pop();
    }

    fn form(&mut self, node: &'a Node, pointer: &Pointer, object: &'static Object) {
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
        let outdented = self.outdented(members, pointer, object);
        for (index, (key, value)) in members.iter().enumerate() {
            if !outdented.contains(&index) {
                self.member(key, value, pointer, object);
            }
        }
        let view = View::new(self.document, node, pointer.clone());
        for field in object.fields {
            for name in field.names {
                if let Some((code, help)) = field.required {
                    self.require(code, &view, object.what, name, help);
                }
            }
        }
        let is_read = |name: &str| object.field(name).is_none_or(|field| field.unread.is_none());
        for (one, other) in object.exclusive.iter().filter(|(_, other)| is_read(other)) {
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
                field.unread.is_none()
                    || key == "not" && is_any(node)
                    || node.as_object().is_some_and(<[_]>::is_empty)
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
            self.at_value(*code, &pointer, *message).help(*help);
            return self.value(value, node, &pointer, None);
        }
        if node.is_null() && !matches!(field.value, Expected::Named(..)) {
            return self.no_value(&pointer, &format!("`{key}`"));
        }
        self.value(&field.value, node, &pointer, None);
        if let Some(consequence) = field.unread {
            self.at_key(Code::Unread, &pointer, format!("`{key}` is ignored")).help(consequence);
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
        let shown = || match name {
            None => format!("`{}`", pointer.last().unwrap_or_default()),
            Some(name) => name.to_owned(),
        };
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
            Expected::List(_) | Expected::Map(_) | Expected::Keyed(..)
                if is_only_reference(node) =>
            {
                self.no_reference(pointer, &shown());
            }
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
                if let Expected::Object(object) = value
                    && view.pointer != *pointer
                    && let Some((field, inner)) = object.inner_of(view.node)
                {
                    let message = format!("this refers to {}, not to {}", inner.what, object.what);
                    let help = format!("write the `$ref` into `{}`", field.names[0]);
                    self.at_value(Code::WrongRef, &pointer.join("$ref"), message).help(help);
                    return;
                }
                self.value(value, view.node, &view.pointer, name);
            }
            Expected::Named(name, value) => self.value(value, node, pointer, Some(name)),
        }
    }

    /// Reports a field without a value before unknown fields with the form of its entries, in the wrong column. Returns the
    /// indexes of all of them.
    fn outdented(
        &mut self,
        members: &[(String, Node)],
        owner: &Pointer,
        object: &Object,
    ) -> Range<usize> {
        let at = members.iter().position(|(key, value)| {
            value.is_null() && object.field(key).is_some_and(|field| field.value.is_map())
        });
        let Some(at) = at.filter(|_| self.diagnostics.is_yaml(owner.file())) else { return 0..0 };
        let entry = object.field(&members[at].0).and_then(|field| field.value.object());
        let is_own = |key: &str| key == "$ref" || entry.is_some_and(|entry| entry.has(key));
        let entries = members[at + 1..].iter().take_while(|(key, value)| {
            !object.has(key) && !is_extension(key) && value.members(&[]).any(|(key, _)| is_own(key))
        });
        let end = at + 1 + entries.count();
        let [(key, _), .., (last, _)] = &members[at..end] else { return 0..0 };
        let message = format!("`{key}` has no value: the fields after it are in its own column");
        let help = format!("indent the lines below it, up to those of `{last}`");
        self.at_key(Code::Indentation, &owner.join(key), message).help(help);
        at..end
    }

    /// Reports a `$ref` in place of a value that cannot be one.
    fn no_reference(&mut self, pointer: &Pointer, what: &str) {
        let message = format!("{what} cannot be a `$ref`");
        self.at_value(Code::WrongType, &pointer.join("$ref"), message)
            .help("bundle the files of the document first, or write the content of the file here");
    }

    /// Warns of a field that OpenAPI does not define.
    fn unknown(&mut self, key: &str, owner: &Pointer, object: &'static Object) {
        let pointer = owner.join(key);
        let is_reference = matches!(object.form, Form::Reference);
        if key == "x-rust-name" && !is_reference {
            let message = format!("`{key}` is not read in {}", object.what);
            self.at_key(Code::Unread, &pointer, message)
                .help("write it where the name is from: in a schema, property, parameter, operation, tag, server or security scheme");
        }
        if is_extension(key) {
            return self.extension(key, &pointer);
        }
        if is_reference {
            let object = self.document.at(owner.clone());
            let value = |view: View<'_>| self.document.tree.at(&view.pointer.join(key));
            let own = object.clone().and_then(value);
            let help = if own == object.and_then(View::followed).and_then(value) {
                "remove it: the target of the `$ref` has the same"
            } else {
                "move it to the target of the `$ref`; in a schema, put the `$ref` into an `allOf`"
            };
            let message = format!("`{key}` next to a `$ref` is ignored");
            self.at_key(Code::RefSibling, &pointer, message).help(help);
            return;
        }
        let is_3_2 = self.is_version(Version::V3_2);
        let known = object.fields.iter().filter(|field| is_3_2 || !field.is_new_in_3_2);
        let names = known.clone().flat_map(|field| field.names).copied();
        let meant = self.diagnostics.spelling().closest(key, names);
        let message = format!("`{key}` is not a field of {}", object.what);
        let (message, help) = if self.document.tree.at(owner).is_some_and(is_only_reference) {
            return self.no_reference(owner, object.what);
        } else if meant.is_some() {
            (message, help_for_unknown(meant, ""))
        } else if let Some((keys, help)) = self.misplaced(key, owner, object) {
            let (first, others) = keys.split_first().unwrap_or((&key, &[]));
            if *first != key {
                return;
            }
            let are = if others.is_empty() { "is not a field" } else { "are not fields" };
            let names = keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
            (format!("{names} {are} of {}", object.what), help)
        } else if matches!(object.form, Form::Schema) && !self.is_version(Version::V3_0) {
            // An annotation (JSON Schema 2020-12 Core, section 6.5).
            return;
        } else {
            (message, "remove it, or prefix its name with `x-`".to_owned())
        };
        self.at_key(Code::UnknownField, &pointer, message).help(help);
    }

    /// Reports an extension that is probably a misspelled name of a supported one.
    fn extension(&mut self, key: &str, pointer: &Pointer) {
        let is_ours = key.starts_with("x-rust") && key != TYPIFY || key.starts_with("x-enum");
        if !is_ours || EXTENSIONS.contains(&key) {
            return;
        }
        if let Some(meant) = self.diagnostics.spelling().closest(key, EXTENSIONS.into_iter()) {
            self.at_key(Code::UnknownField, pointer, format!("the extension `{key}` is not read"))
                .help(help_for_unknown(Some(meant), ""));
        }
    }

    /// Returns the fields of this object that belong into the object below or around it that a key names, and the help.
    fn misplaced(
        &self,
        key: &str,
        owner: &Pointer,
        object: &'static Object,
    ) -> Option<(Vec<&'a str>, String)> {
        let node = self.document.tree.at(owner)?;
        let names = node.members(&[]).map(|(key, _)| key);
        let (place, what): (&dyn Fields, _) = if let Some((field, inner)) = object.inner_with(key) {
            let what = match field.names {
                [name] if field.value.is_map() => format!("{} of `{name}`", inner.what),
                [name] => format!("`{name}`"),
                _ => inner.what.to_owned(),
            };
            (inner, what)
        } else {
            let outer = *self.around.iter().rev().nth(1).filter(|outer| outer.has(key))?;
            (outer, outer.what().to_owned())
        };
        let holder = |key: &str| object.inner_with(key).map(|(field, _)| field.names);
        let own = holder(key);
        let keys = names.filter(|key| !object.has(key) && place.has(key) && holder(key) == own);
        let keys: Vec<&str> = keys.collect();
        let them = if keys.len() > 1 { "them" } else { "it" };
        (!keys.is_empty()).then(|| (keys, format!("move {them} into {what}")))
    }
}
