//! Reading an object field by field, and finding what nobody asked for.

use super::reader::Reader;
use crate::diagnostics::Place;
use crate::document::{Node, Pointer, RefOr, Reference};

/// An object that is being read.
pub(super) struct Object<'n> {
    /// Where it is written.
    pub(super) pointer: Pointer,
    /// What it is, with its article: `a parameter`.
    what: &'static str,
    members: &'n [(String, Node)],
    /// The fields that were read so far.
    read: Vec<&'static str>,
    /// The fields that have no effect.
    accepted: Vec<&'static str>,
}

impl<'n> Object<'n> {
    /// Begins to read an object; reports anything else.
    pub(super) fn open(
        node: &'n Node,
        pointer: Pointer,
        what: &'static str,
        reader: &mut Reader<'_>,
    ) -> Option<Self> {
        let members = match node {
            Node::Object(members) => members.as_slice(),
            Node::Null => {
                reader.no_value(&pointer, what);
                &[]
            }
            _ => {
                reader.wrong_type(&pointer, what, "an object", node);
                return None;
            }
        };
        Some(Self { pointer, what, members, read: Vec::new(), accepted: Vec::new() })
    }

    /// Returns a field and where it is. One without a value is reported, and the same as none.
    pub(super) fn field(
        &mut self,
        name: &'static str,
        reader: &mut Reader<'_>,
    ) -> Option<(&'n Node, Pointer)> {
        self.read.push(name);
        let (_, node) = self.members.iter().find(|(key, _)| key == name)?;
        let pointer = self.pointer.join(name);
        if node.is_null() {
            reader.no_value(&pointer, &format!("`{name}`"));
            return None;
        }
        Some((node, pointer))
    }

    /// Returns whether a field is written, with a value.
    pub(super) fn has(&self, name: &str) -> bool {
        self.members.iter().any(|(key, node)| key == name && !node.is_null())
    }

    /// Returns a string.
    pub(super) fn string(&mut self, name: &'static str, reader: &mut Reader<'_>) -> Option<String> {
        let (node, pointer) = self.field(name, reader)?;
        reader.text(node, &pointer, &format!("`{name}`"))
    }

    /// Returns a string that must be there.
    pub(super) fn required_string(
        &mut self,
        name: &'static str,
        help: &str,
        reader: &mut Reader<'_>,
    ) -> Option<String> {
        if !self.has(name) {
            self.missing(name, help, reader);
        }
        self.string(name, reader)
    }

    /// Returns a boolean, false if it is not written.
    pub(super) fn flag(&mut self, name: &'static str, reader: &mut Reader<'_>) -> bool {
        self.optional_flag(name, reader).unwrap_or(false)
    }

    /// Returns a boolean.
    pub(super) fn optional_flag(
        &mut self,
        name: &'static str,
        reader: &mut Reader<'_>,
    ) -> Option<bool> {
        let (node, pointer) = self.field(name, reader)?;
        reader.flag(node, &pointer, &format!("`{name}`"))
    }

    /// Returns the elements of a list, each with its place.
    pub(super) fn list(
        &mut self,
        name: &'static str,
        reader: &mut Reader<'_>,
    ) -> Vec<(&'n Node, Pointer)> {
        let pointer = self.pointer.join(name);
        let items = self.typed(name, "an array", reader, Node::as_array).unwrap_or_default();
        items.iter().enumerate().map(|(index, node)| (node, pointer.join_index(index))).collect()
    }

    /// Returns the entries of a map, each with its place.
    pub(super) fn map(
        &mut self,
        name: &'static str,
        reader: &mut Reader<'_>,
    ) -> Vec<(&'n str, &'n Node, Pointer)> {
        let pointer = self.pointer.join(name);
        let members = self.typed(name, "an object", reader, Node::as_object).unwrap_or_default();
        members.iter().map(|(key, node)| (key.as_str(), node, pointer.join(key))).collect()
    }

    /// Returns the properties of the object itself, each with its place.
    pub(super) fn members(&self) -> impl Iterator<Item = (&'n str, &'n Node, Pointer)> {
        self.members.iter().map(|(key, node)| (key.as_str(), node, self.pointer.join(key)))
    }

    /// Returns the strings of a list.
    pub(super) fn strings(&mut self, name: &'static str, reader: &mut Reader<'_>) -> Vec<String> {
        let items = self.list(name, reader);
        items
            .into_iter()
            .filter_map(|(node, pointer)| reader.text(node, &pointer, "an element of the list"))
            .collect()
    }

    fn typed<T>(
        &mut self,
        name: &'static str,
        expected: &str,
        reader: &mut Reader<'_>,
        convert: impl FnOnce(&'n Node) -> Option<T>,
    ) -> Option<T> {
        let (node, pointer) = self.field(name, reader)?;
        let value = convert(node);
        if value.is_none() {
            reader.wrong_type(&pointer, &format!("`{name}`"), expected, node);
        }
        value
    }

    /// Notes fields that are read from [`Object::members`].
    pub(super) fn expect(&mut self, names: impl IntoIterator<Item = &'static str>) {
        self.read.extend(names);
    }

    /// Accepts fields that have no effect on types and calls.
    pub(super) fn accept(&mut self, names: &[&'static str]) {
        self.accepted.extend(names);
    }

    /// Warns of a field that OpenAPI knows, but that has no effect here.
    pub(super) fn unread(
        &mut self,
        name: &'static str,
        consequence: &str,
        reader: &mut Reader<'_>,
    ) {
        if let Some((_, pointer)) = self.field(name, reader) {
            reader
                .diagnostics
                .warning("unread", Place::Key(pointer), format!("`{name}` is not read"))
                .help(consequence);
        }
    }

    /// Reports a field that must be there and is not.
    pub(super) fn missing(&self, name: &str, help: &str, reader: &mut Reader<'_>) {
        let message = format!("{} needs the field `{name}`", self.what);
        reader.diagnostics.error("missing-field", Place::key(&self.pointer), message).help(help);
    }

    /// Reports two fields that exclude one another.
    pub(super) fn exclusive(&self, one: &str, other: &str, reader: &mut Reader<'_>) {
        if self.has(one) && self.has(other) {
            reader
                .diagnostics
                .error(
                    "conflicting-fields",
                    Place::Key(self.pointer.join(other)),
                    format!("`{one}` and `{other}` exclude one another"),
                )
                .related(Place::Key(self.pointer.join(one)), format!("`{one}` is written here"))
                .help("keep one of the two");
        }
    }

    /// Reports every field that is not known.
    pub(super) fn close(&self, reader: &mut Reader<'_>) {
        for (key, pointer) in self.unknown() {
            reader.unknown_field(&pointer, key, self.what, &self.read, &self.accepted);
        }
    }

    /// Warns of fields beside a `$ref`, which the standard ignores.
    pub(super) fn close_reference(&self, reader: &mut Reader<'_>) {
        for (key, pointer) in self.unknown() {
            reader.ref_sibling(pointer, key);
        }
    }

    fn unknown(&self) -> impl Iterator<Item = (&'n str, Pointer)> {
        let fields = self.members.iter().map(|(key, _)| key.as_str());
        let known = |key| self.read.contains(&key) || self.accepted.contains(&key);
        let unknown = fields.filter(move |key| !key.starts_with("x-") && !known(key));
        unknown.map(|key| (key, self.pointer.join(key)))
    }
}

impl Reader<'_> {
    /// Warns of a key without a value.
    pub(super) fn no_value(&mut self, pointer: &Pointer, what: &str) {
        self.diagnostics
            .warning("no-value", Place::key(pointer), format!("{what} has no value"))
            .help("write a value, or remove the key: it is read as empty");
    }

    /// Returns the text of a scalar; warns of one that YAML does not read as a string, and reports anything else.
    pub(super) fn text(&mut self, node: &Node, pointer: &Pointer, name: &str) -> Option<String> {
        let text = match node {
            Node::String(text) => return Some(text.clone()),
            Node::Integer(value) => value.to_string(),
            Node::Float(value) => format!("{value:?}"),
            Node::Bool(value) => value.to_string(),
            Node::Null | Node::Array(_) | Node::Object(_) => {
                self.wrong_type(pointer, name, "a string", node);
                return None;
            }
        };
        let message = format!("{name} must be a string, not {}", node.kind());
        self.diagnostics
            .warning("unquoted", Place::value(pointer), message)
            .help(format!("put it in quotes; it is read as '{text}'"));
        Some(text)
    }

    /// Returns a boolean; warns of one that YAML reads as a string, and reports anything else.
    pub(super) fn flag(&mut self, node: &Node, pointer: &Pointer, name: &str) -> Option<bool> {
        if let Node::Bool(flag) = node {
            return Some(*flag);
        }
        let text = node.as_str().map(str::to_ascii_lowercase);
        let flag = match text.as_deref() {
            Some("true" | "yes") => true,
            Some("false" | "no") => false,
            _ => {
                self.wrong_type(pointer, name, "true or false", node);
                return None;
            }
        };
        let message = format!("{name} must be true or false, not a string");
        self.diagnostics
            .warning("quoted", Place::value(pointer), message)
            .help(format!("write `{flag}`, without quotes"));
        Some(flag)
    }

    /// Reports a field that OpenAPI does not know: an error if it is probably one that has an effect, misspelled.
    pub(super) fn unknown_field(
        &mut self,
        pointer: &Pointer,
        key: &str,
        what: &str,
        read: &[&'static str],
        accepted: &[&'static str],
    ) {
        let (code, place) = ("unknown-field", Place::key(pointer));
        let message = format!("`{key}` is not a field of {what}");
        let known = read.iter().chain(accepted).copied();
        let meant = self.diagnostics.spelling().closest(key, known);
        let diagnostic = if meant.is_some_and(|meant| read.contains(&meant)) {
            self.diagnostics.error(code, place, message)
        } else {
            self.diagnostics.warning(code, place, message)
        };
        diagnostic.help(match meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "remove it, or let its name begin with `x-`".to_owned(),
        });
    }

    /// Warns of a field beside a `$ref`, which the standard ignores.
    pub(super) fn ref_sibling(&mut self, pointer: Pointer, key: &str) {
        self.diagnostics
            .warning(
                "ref-sibling",
                Place::Key(pointer),
                format!("`{key}` beside a `$ref` is not read"),
            )
            .help(
                "move it to the target of the `$ref`; in a schema, put the `$ref` into an `allOf`",
            );
    }

    /// Reads something that can also be a `$ref` to it.
    pub(super) fn ref_or<T>(
        &mut self,
        node: &Node,
        pointer: Pointer,
        read: impl FnOnce(&Node, Pointer, &mut Self) -> Option<T>,
    ) -> Option<RefOr<T>> {
        if node.get("$ref").is_none() {
            return read(node, pointer, self).map(RefOr::Item);
        }
        let mut object = Object::open(node, pointer, "a reference", self)?;
        let target = object.string("$ref", self);
        object.accept(&["summary", "description"]);
        object.close_reference(self);
        let target = target?;
        // What is neither a component of the document nor in a path is read where it is used: there may be anything.
        let is_elsewhere = Pointer::from_reference(&target).is_some_and(|pointer| {
            pointer.file().is_some()
                || !matches!(pointer.segments().first(), Some(&("components" | "paths")))
        });
        if is_elsewhere && let Some((node, pointer)) = self.follow(&target) {
            return read(node, pointer, self).map(RefOr::Item);
        }
        Some(RefOr::Ref(Reference { pointer: object.pointer, target }))
    }
}
