//! Writes the overlay that makes a document true.

use std::iter;

use super::check::Check;
use super::formats::TELLING;
use super::operations::{Message, Operation};
use super::seen::{Learned, is_whole};
use super::table::{Id, Part, Slot};
use super::value::{Kinds, Value, names};
use codegen::document::{Node, Pointer, SchemaType, to_yaml};
use codegen::quoted;

/// What allows null in OpenAPI 3.0. It has no effect next to alternatives, only in one of them.
const NULLABLE: (&str, Node) = ("nullable", Node::Bool(true));

/// A change of a document.
#[derive(Debug)]
pub struct Action {
    target: String,
    /// `None` removes the target.
    update: Option<Node>,
}

/// Returns the overlay with actions and their descriptions, in YAML; `None` if there are none.
pub fn overlay(title: &str, actions: Vec<(String, &Action)>) -> Option<String> {
    let is_empty = actions.is_empty();
    let actions = actions.into_iter().map(|(description, action)| {
        let update = action.update.clone().map(|update| ("update", update));
        let change = update.unwrap_or(("remove", Node::Bool(true)));
        object([("target", text(&action.target)), ("description", text(&description)), change])
    });
    let info = object([
        ("title", text(&format!("What traffic shows of {title}"))),
        ("version", text("1.0.0")),
    ]);
    let actions = Node::Array(actions.collect());
    let overlay = object([("overlay", text("1.1.0")), ("info", info), ("actions", actions)]);
    (!is_empty).then(|| to_yaml(&overlay))
}
#[derive(Clone, Copy)]
pub struct Writer<'c, 'd> {
    pub check: &'c Check<'d>,
}

impl Writer<'_, '_> {
    pub fn property(self, part: &Part<'_>, name: &str, place: Id) -> Vec<Action> {
        if part.schema.reference().is_some() || part.schema.is_false() {
            return Vec::new();
        }
        let properties = object([("properties", object([(name, self.schema(place))]))]);
        self.update(&part.schema.pointer, properties)
    }

    /// Adds a value to the values that a schema lists.
    pub fn value(self, part: &Part<'_>, key: &str) -> Vec<Action> {
        let Some(value) = written(key) else { return Vec::new() };
        let first = part.seen.values.keys().find(|key| written(key).is_some());
        self.listed(part, value, first.is_some_and(|first| **first == *key))
    }

    /// Adds a value. The first one turns a constant into a list.
    fn listed(self, part: &Part<'_>, value: Node, is_first: bool) -> Vec<Action> {
        let at = &part.schema.pointer;
        let is_list = part.schema.enumeration().is_some();
        let constant = part.schema.constant().filter(|_| !is_list && is_first);
        let removed = constant.map(|_| self.remove(at, "const")).unwrap_or_default();
        let values = constant.cloned().into_iter().chain([value]).collect();
        let mut actions = removed;
        actions.extend(self.update(at, object([("enum", Node::Array(values))])));
        actions
    }

    /// Removes a property from the required ones.
    pub fn optional(self, part: &Part<'_>, name: &str) -> Vec<Action> {
        let at = part.schema.pointer.join("required");
        let is_whole = part.schema.required().all(|name| part.seen.missing.contains_key(name));
        if is_whole {
            // An empty list is not allowed in OpenAPI 3.0.
            let first = part.seen.missing.keys().next();
            let is_first = first.is_some_and(|first| *first == name);
            let mut actions = self.remove(&part.schema.pointer, "required");
            actions.retain(|_| is_first);
            return actions;
        }
        let target = self.path(&at).map(|path| format!("{path}[?@ == {}]", quoted(name)));
        target.map(|target| Action { target, update: None }).into_iter().collect()
    }

    /// Makes a parameter, a header or the body of requests optional.
    pub fn not_required(self, at: &Pointer) -> Vec<Action> {
        let view = self.check.table.document.at(at.clone()).filter(|view| view.flag("required"));
        view.map(|_| self.update(at, object([("required", Node::Bool(false))]))).unwrap_or_default()
    }

    pub fn without_format(self, part: &Part<'_>) -> Vec<Action> {
        self.remove(&part.schema.pointer, "format")
    }

    /// Allows the kinds of values that were seen. What the schema refers to stays as it is, for all other uses: it becomes one
    /// of several alternatives.
    pub fn kinds(self, part: &Part<'_>) -> Vec<Action> {
        let Part { schema, seen, .. } = part;
        let at = &schema.pointer;
        let mut added: Kinds = seen.kinds.keys().copied().collect();
        let has_null = added.remove(&SchemaType::Null);
        let mut actions = Vec::new();
        if has_null && self.is_3_0() {
            // Nothing applies next to a `$ref`.
            if let Some(reference) = schema.get("$ref").filter(|_| added.is_empty()) {
                let reference = Node::Array(vec![object([("$ref", reference.clone())])]);
                actions.extend(self.remove(at, "$ref"));
                actions.extend(self.update(at, object([("allOf", reference)])));
            }
            actions.extend(self.update(at, object([NULLABLE])));
        } else if has_null {
            added.insert(SchemaType::Null);
            if !part.lists_null {
                actions.extend(self.listed(
                    part,
                    Node::Null,
                    !seen.values.keys().any(|it| written(it).is_some()),
                ));
            }
        }
        if added.is_empty() {
            return actions;
        }
        let is_nullable = self.is_3_0() && (has_null || schema.flag("nullable"));
        let branches = alternatives(typed(&added), is_nullable);
        let moved = ["$ref", "allOf"].into_iter();
        let moved = moved.filter_map(|key| Some((key, schema.get(key)?.clone())));
        let moved: Vec<_> = moved.collect();
        if let Some(keyword) = ["oneOf", "anyOf"].into_iter().find(|it| schema.has(it)) {
            actions.extend(self.update(at, object([(keyword, Node::Array(branches))])));
        } else if !moved.is_empty() {
            let is_typed = schema.types().next().map(|_| "type");
            let removed = moved.iter().map(|(key, _)| *key).chain(is_typed);
            actions.extend(removed.flat_map(|key| self.remove(at, key)));
            let branches = [vec![object(moved)], branches].concat();
            actions.extend(self.update(at, object([("anyOf", Node::Array(branches))])));
        } else if !part.kinds.is_empty() {
            actions.extend(self.types(part, &added, is_nullable));
        }
        actions
    }

    /// Adds to the types of a schema. In OpenAPI 3.0 it has one, which can be a keyword of alternatives instead.
    fn types(self, part: &Part<'_>, added: &Kinds, is_nullable: bool) -> Vec<Action> {
        let at = &part.schema.pointer;
        let kinds = part.kinds.union(added).copied().collect();
        let names: Vec<&str> = names(&kinds).collect();
        if let [name] = names.as_slice() {
            return self.update(at, object([("type", text(name))]));
        }
        if self.is_3_0() {
            let written = part.schema.types().next().map(|_| self.remove(at, "type"));
            let branches = Node::Array(alternatives(typed(&kinds), is_nullable));
            let union = self.update(at, object([("anyOf", branches)]));
            return written.into_iter().flatten().chain(union).collect();
        }
        // An overlay joins lists.
        let is_list =
            part.schema.at_keyword("type").is_some_and(|types| types.node.as_str().is_none());
        let written =
            if is_list { part.kinds.iter().map(|kind| kind.name()).collect() } else { Vec::new() };
        let names = names.into_iter().filter(|name| !written.contains(name));
        self.update(at, object([("type", Node::Array(names.map(text).collect()))]))
    }

    /// Adds a variant to a union whose variants a property names. A `discriminator` would need a component, and a name of it.
    pub fn variant(self, part: &Part<'_>, name: &str, place: Id) -> Vec<Action> {
        let keyword = ["oneOf", "anyOf"].into_iter().find(|keyword| part.schema.has(keyword));
        let keyword = keyword.filter(|_| !part.schema.has("discriminator"));
        let (Some(keyword), Some(tag)) = (keyword, part.seen.tag) else { return Vec::new() };
        let mut branch = self.schema(place);
        let only = object([("type", text("string")), ("enum", Node::Array(vec![text(name)]))]);
        if let Node::Object(members) = &mut branch
            && let Some((_, Node::Object(properties))) =
                members.iter_mut().find(|(key, _)| key == "properties")
            && let Some((_, property)) = properties.iter_mut().find(|(key, _)| key == tag)
        {
            *property = only;
        }
        self.update(&part.schema.pointer, object([(keyword, Node::Array(vec![branch]))]))
    }

    pub fn response(self, operation: &Operation<'_>, status: u16, message: usize) -> Vec<Action> {
        let message = &self.check.operations.messages[message];
        let mut response = vec![(
            "description".to_owned(),
            text(&format!("The status {status}, seen in traffic.")),
        )];
        let headers = message.names.iter().filter(|(name, _)| is_whole(name));
        let headers = headers.map(|(name, (_, place))| {
            (name.to_string(), object([("schema", self.of_text(*place))]))
        });
        let headers: Vec<_> = headers.collect();
        if !headers.is_empty() {
            response.push(("headers".to_owned(), Node::Object(headers)));
        }
        let media = message.types.iter().filter(|(name, _)| is_whole(name));
        let media = media.map(|(name, (_, place))| (name.to_string(), self.media(name, *place)));
        let media: Vec<_> = media.collect();
        if !media.is_empty() {
            response.push(("content".to_owned(), Node::Object(media)));
        }
        let responses = Node::Object(vec![(status.to_string(), Node::Object(response))]);
        self.update(&operation.pointer, object([("responses", responses)]))
    }

    pub fn query(self, operation: &Operation<'_>, name: &str, place: Id) -> Vec<Action> {
        let parameter =
            object([("name", text(name)), ("in", text("query")), ("schema", self.schema(place))]);
        let parameters = object([("parameters", Node::Array(vec![parameter]))]);
        self.update(&operation.pointer, parameters)
    }

    pub fn media_type(self, message: &Message<'_>, name: &str, place: Id) -> Vec<Action> {
        let content = object([("content", object([(name, self.media(name, place))]))]);
        match message.pointer.parent() {
            Some(operation) if !message.is_declared => {
                self.update(operation, object([("requestBody", content)]))
            }
            _ => self.update(&message.pointer, content),
        }
    }

    pub fn header(self, message: &Message<'_>, name: &str, place: Id) -> Vec<Action> {
        let header = object([("schema", self.of_text(place))]);
        self.update(&message.pointer, object([("headers", object([(name, header)]))]))
    }

    /// Returns the schema of values in a URL or in headers.
    fn of_text(self, place: Id) -> Node {
        let schema = self.schema(place);
        if schema.get("type").is_some() { schema } else { object([("type", text("string"))]) }
    }

    fn media(self, name: &str, place: Id) -> Node {
        match self.check.table.places.get(place) {
            Some(Slot::Learned(learned)) if learned.count == 0 => {
                let is_text = name.starts_with("text/");
                let schema = is_text.then(|| ("schema", object([("type", text("string"))])));
                object(schema)
            }
            _ => object([("schema", self.schema(place))]),
        }
    }

    /// Returns the narrowest schema of all values of a place.
    fn schema(self, place: Id) -> Node {
        let Some(Slot::Learned(learned)) = self.check.table.places.get(place) else {
            return object([]);
        };
        let mut kinds = learned.kinds.clone();
        let has_null = kinds.remove(&SchemaType::Null);
        let names: Vec<&str> = names(&kinds).collect();
        let mut members = match names.as_slice() {
            [] => return object([]),
            [name] => self.of_type(learned, name),
            names if self.is_3_0() => {
                let branches = names.iter().map(|name| self.of_type(learned, name));
                vec![("anyOf", Node::Array(alternatives(branches, has_null)))]
            }
            names => {
                let types = ("type", Node::Array(names.iter().copied().map(text).collect()));
                let rest = names.iter().flat_map(|name| self.of_kind(learned, name));
                [types].into_iter().chain(rest).collect()
            }
        };
        if has_null && self.is_3_0() {
            members.push(NULLABLE);
        } else if has_null && let Some((_, types)) = members.first_mut() {
            match types {
                Node::Array(types) => types.push(text("null")),
                one => *one = Node::Array(vec![one.clone(), text("null")]),
            }
        }
        object(members)
    }

    fn of_type(self, learned: &Learned, name: &str) -> Vec<(&'static str, Node)> {
        [("type", text(name))].into_iter().chain(self.of_kind(learned, name)).collect()
    }

    /// Returns the keywords next to the type of values of one kind.
    fn of_kind(self, learned: &Learned, name: &str) -> Vec<(&'static str, Node)> {
        let mut rest = Vec::new();
        match name {
            "string" => {
                let formats = TELLING.iter().zip(learned.excluded);
                let format = formats.filter(|(_, is_not)| !is_not).map(|(format, _)| *format);
                rest.extend(format.take(1).map(|format| ("format", text(format))));
            }
            "array" => {
                let items = learned.items.map_or_else(|| object([]), |items| self.schema(items));
                rest.push(("items", items));
            }
            "object" if learned.is_map => rest.push(("additionalProperties", Node::Bool(true))),
            "object" => {
                let required = learned.properties.iter();
                let required = required.filter(|(_, (count, _))| *count == learned.objects);
                let required: Vec<Node> = required.map(|(name, _)| text(name)).collect();
                if !required.is_empty() {
                    rest.push(("required", Node::Array(required)));
                }
                let properties = learned.properties.iter();
                let properties =
                    properties.map(|(name, (_, place))| (name.to_string(), self.schema(*place)));
                let properties: Vec<_> = properties.collect();
                if !properties.is_empty() {
                    rest.push(("properties", Node::Object(properties)));
                }
            }
            _ => {}
        }
        rest
    }

    fn update(self, at: &Pointer, update: Node) -> Vec<Action> {
        let target = self.path(at);
        target.map(|target| Action { target, update: Some(update) }).into_iter().collect()
    }

    fn remove(self, at: &Pointer, keyword: &str) -> Vec<Action> {
        let target = self.path(&at.join(keyword));
        target.map(|target| Action { target, update: None }).into_iter().collect()
    }

    /// Returns the JSONPath of a place in the document itself.
    fn path(self, at: &Pointer) -> Option<String> {
        if at.file().is_some() {
            return None;
        }
        let mut node = Some(self.check.table.document.root().node);
        let mut path = "$".to_owned();
        for segment in at.segments() {
            let is_index = node.is_some_and(|node| node.as_array().is_some());
            let step = if is_index { segment.to_owned() } else { quoted(segment) };
            path.extend(["[", &step, "]"]);
            node = node.and_then(|node| node.at(&Pointer::root().join(segment)));
        }
        Some(path)
    }

    fn is_3_0(self) -> bool {
        let root = self.check.table.document.root();
        root.text("openapi").is_some_and(|version| version.starts_with("3.0"))
    }
}

/// Returns alternatives, the first of which can also be null if `is_nullable`.
fn alternatives<'k>(
    branches: impl Iterator<Item = Vec<(&'k str, Node)>>,
    is_nullable: bool,
) -> Vec<Node> {
    let nulls = [is_nullable.then_some(NULLABLE)].into_iter().chain(iter::repeat(None));
    branches.zip(nulls).map(|(branch, null)| object(branch.into_iter().chain(null))).collect()
}

/// Returns the keywords of schemas with one type each.
fn typed(kinds: &Kinds) -> impl Iterator<Item = Vec<(&'static str, Node)>> {
    names(kinds).map(|name| vec![("type", text(name))])
}

/// Returns a value in JSON as an overlay has it; `None` if it is not shown as it was received.
fn written(json: &str) -> Option<Node> {
    match serde_json::from_str(json) {
        Ok(Value::Text(value)) => Some(text(&value)).filter(|_| is_whole(&value)),
        Ok(Value::Bool(value)) => Some(Node::Bool(value)),
        Ok(Value::Integer(value)) => Some(Node::Integer(value)),
        Ok(Value::Float(value)) => Some(Node::Float(value)),
        _ => None,
    }
}

fn text(text: &str) -> Node {
    Node::String(text.to_owned())
}

fn object<'k>(members: impl IntoIterator<Item = (&'k str, Node)>) -> Node {
    Node::Object(members.into_iter().map(|(key, node)| (key.to_owned(), node)).collect())
}
