//! Writes the overlay that makes a document true.

use super::check::Check;
use super::formats::TELLING;
use super::operations::{Message, Operation};
use super::seen::Learned;
use super::table::{Id, Part, Slot};
use super::value::{KINDS, Kinds, Value, key_json};
use codegen::document::{Node, Pointer, SchemaType, to_yaml};
use codegen::quoted;

/// A change of a document.
#[derive(Debug)]
pub struct Action {
    target: String,
    change: Change,
}

#[derive(Debug)]
enum Change {
    Remove,
    Update(Node),
}

/// Returns the overlay with actions and their descriptions, in YAML; `None` if there are none.
pub fn overlay(title: &str, actions: Vec<(String, &Action)>) -> Option<String> {
    let is_empty = actions.is_empty();
    let actions = actions.into_iter().map(|(description, action)| {
        let change = match &action.change {
            Change::Remove => ("remove", Node::Bool(true)),
            Change::Update(update) => ("update", update.clone()),
        };
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

/// Writes actions.
#[derive(Clone, Copy)]
pub struct Writer<'c, 'd> {
    pub check: &'c Check<'d>,
}

impl Writer<'_, '_> {
    /// Adds a property.
    pub fn property(self, part: &Part<'_>, name: &str, place: Id) -> Vec<Action> {
        if part.schema.reference().is_some() || part.schema.is_false() {
            return Vec::new();
        }
        let properties = object([("properties", object([(name, self.schema(place))]))]);
        self.update(&part.schema.pointer, properties)
    }

    /// Adds a value to the values that a schema lists.
    pub fn value(self, part: &Part<'_>, key: &str) -> Vec<Action> {
        let value = match Value::parse(&key_json(key)) {
            Ok(Value::Text(value)) => text(&value),
            Ok(Value::Bool(value)) => Node::Bool(value),
            Ok(Value::Integer(value)) => Node::Integer(value),
            Ok(Value::Float(value)) => Node::Float(value),
            _ => return Vec::new(),
        };
        self.listed(part, value, part.unlisted().next().is_some_and(|(first, _)| first == key))
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
        target.map(|target| Action { target, change: Change::Remove }).into_iter().collect()
    }

    /// Removes the format.
    pub fn without_format(self, part: &Part<'_>) -> Vec<Action> {
        self.remove(&part.schema.pointer, "format")
    }

    /// Allows the kinds of values that were seen. Null has a keyword of its own in OpenAPI 3.0.
    pub fn kinds(self, part: &Part<'_>) -> Vec<Action> {
        let mut kinds = part.kinds;
        for (tally, (kind, _)) in part.seen.kinds.iter().zip(KINDS) {
            if tally.count > 0 && !(kind == SchemaType::Null && self.is_3_0()) {
                kinds.add(kind);
            }
        }
        if kinds == part.kinds || part.kinds.is_empty() {
            return Vec::new();
        }
        let at = &part.schema.pointer;
        let names: Vec<&str> = kinds.names().collect();
        let written = part.schema.types().next().is_some();
        if let [name] = names.as_slice() {
            return self.update(at, object([("type", text(name))]));
        }
        if self.is_3_0() {
            let removed = if written { self.remove(at, "type") } else { Vec::new() };
            let branches = names.iter().map(|name| object([("type", text(name))])).collect();
            let union = object([("anyOf", Node::Array(branches))]);
            let union = if part.schema.has("anyOf") {
                object([("allOf", Node::Array(vec![union]))])
            } else {
                union
            };
            return removed.into_iter().chain(self.update(at, union)).collect();
        }
        self.types(part, kinds)
    }

    /// Sets the types of a schema of OpenAPI 3.1. An overlay joins lists.
    fn types(self, part: &Part<'_>, kinds: Kinds) -> Vec<Action> {
        let is_list = part.schema.at_keyword("type").is_some_and(|types| types.as_text().is_none());
        let names = kinds.names().filter(|name| !is_list || !part.kinds.has_name(name));
        let names = names.map(text).collect();
        self.update(&part.schema.pointer, object([("type", Node::Array(names))]))
    }

    /// Allows null, next to what [`kinds`](Self::kinds) does.
    pub fn null(self, part: &Part<'_>) -> Vec<Action> {
        let schema = &part.schema;
        let at = &schema.pointer;
        let node = self.check.table.document.at(at.clone()).map(|view| view.node);
        let reference = node.and_then(|node| node.get("$ref")).cloned();
        let reference = reference.map(|target| object([("$ref", target)]));
        let mut actions = Vec::new();
        if reference.is_some() {
            actions.extend(self.remove(at, "$ref"));
        }
        if self.is_3_0() {
            let all = reference.map(|reference| ("allOf", Node::Array(vec![reference])));
            let nullable = ("nullable", Node::Bool(true));
            actions.extend(self.update(at, object(all.into_iter().chain([nullable]))));
        } else {
            let null = || object([("type", text("null"))]);
            if let Some(reference) = reference {
                let branches = Node::Array(vec![reference, null()]);
                actions.extend(self.update(at, object([("anyOf", branches)])));
            }
            for keyword in ["oneOf", "anyOf"].into_iter().filter(|it| schema.has(it)) {
                actions.extend(self.update(at, object([(keyword, Node::Array(vec![null()]))])));
            }
            if part.seen.kinds[0].count == 0 && !part.kinds.is_empty() {
                let mut kinds = part.kinds;
                kinds.add(SchemaType::Null);
                actions.extend(self.types(part, kinds));
            }
            if part.values.as_ref().is_some_and(|values| !values.contains("\0null")) {
                actions.extend(self.listed(part, Node::Null, part.unlisted().next().is_none()));
            }
        }
        let is_open = part.kinds.is_empty() && part.values.is_none();
        let inner = schema.all_of().into_iter().filter(|inner| inner.pointer != *at);
        for inner in inner.filter(|_| !(self.is_3_0() && is_open)) {
            // Those with nulls of their own have an action of their own.
            let inner = self.check.table.part_at(&inner.pointer);
            let inner = inner.filter(|it| it.seen.kinds[0].count == 0 && !it.is_nullable);
            let inner = inner.filter(|it| !it.allows_null() || it.schema.reference().is_some());
            actions.extend(inner.into_iter().flat_map(|inner| self.null(inner)));
        }
        actions
    }

    /// Adds alternatives of the kinds that were seen.
    pub fn alternatives(self, part: &Part<'_>) -> Vec<Action> {
        let seen = part.seen.unfit.iter().zip(KINDS).filter(|(tally, _)| tally.count > 0);
        let kinds: Kinds = seen.map(|(_, (kind, _))| kind).collect();
        let branches: Vec<Node> =
            kinds.names().map(|name| object([("type", text(name))])).collect();
        let keyword = ["oneOf", "anyOf"].into_iter().find(|keyword| part.schema.has(keyword));
        let update = keyword.map(|keyword| object([(keyword, Node::Array(branches))]));
        update.map(|update| self.update(&part.schema.pointer, update)).unwrap_or_default()
    }

    /// Adds a response.
    pub fn response(self, operation: &Operation<'_>, status: u16, message: usize) -> Vec<Action> {
        let message = &self.check.operations.messages[message];
        let mut response = vec![(
            "description".to_owned(),
            text(&format!("The status {status}, seen in traffic.")),
        )];
        let headers = message.names.iter().map(|(name, (_, place))| {
            (name.to_string(), object([("schema", self.of_text(*place))]))
        });
        let headers: Vec<_> = headers.collect();
        if !headers.is_empty() {
            response.push(("headers".to_owned(), Node::Object(headers)));
        }
        let media = message.types.iter();
        let media = media.map(|(name, (_, place))| (name.to_string(), self.media(name, *place)));
        let media: Vec<_> = media.collect();
        if !media.is_empty() {
            response.push(("content".to_owned(), Node::Object(media)));
        }
        let responses = Node::Object(vec![(status.to_string(), Node::Object(response))]);
        self.update(&operation.pointer, object([("responses", responses)]))
    }

    /// Adds a query parameter.
    pub fn query(self, operation: &Operation<'_>, name: &str, place: Id) -> Vec<Action> {
        let parameter =
            object([("name", text(name)), ("in", text("query")), ("schema", self.schema(place))]);
        let parameters = object([("parameters", Node::Array(vec![parameter]))]);
        self.update(&operation.pointer, parameters)
    }

    /// Adds a media type to a body.
    pub fn media_type(self, message: &Message<'_>, name: &str, place: Id) -> Vec<Action> {
        let content = object([("content", object([(name, self.media(name, place))]))]);
        match message.pointer.parent() {
            Some(operation) if !message.is_declared => {
                self.update(operation, object([("requestBody", content)]))
            }
            _ => self.update(&message.pointer, content),
        }
    }

    /// Adds a header to a response.
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
        let mut kinds = learned.kinds;
        let has_null = kinds.has(SchemaType::Null);
        kinds.remove(SchemaType::Null);
        let names: Vec<&str> = kinds.names().collect();
        let of_type = |name: &str| {
            let ty = [("type", text(name))].into_iter();
            ty.chain(self.of_kind(learned, name)).collect::<Vec<_>>()
        };
        let mut members = match names.as_slice() {
            [] => return object([]),
            [name] => of_type(name),
            names if self.is_3_0() => {
                let branches = names.iter().map(|name| object(of_type(name)));
                vec![("anyOf", Node::Array(branches.collect()))]
            }
            names => {
                let types = ("type", Node::Array(names.iter().copied().map(text).collect()));
                let rest = names.iter().flat_map(|name| self.of_kind(learned, name));
                [types].into_iter().chain(rest).collect()
            }
        };
        if has_null && self.is_3_0() {
            members.push(("nullable", Node::Bool(true)));
        } else if has_null && let Some((_, types)) = members.first_mut() {
            match types {
                Node::Array(types) => types.push(text("null")),
                one => *one = Node::Array(vec![one.clone(), text("null")]),
            }
        }
        object(members)
    }

    /// Returns the keywords next to the type of values of one kind.
    fn of_kind(self, learned: &Learned, name: &str) -> Vec<(&'static str, Node)> {
        let mut rest = Vec::new();
        match name {
            "string" => {
                let formats = TELLING.iter().zip(learned.formats);
                let format = formats.filter(|(_, holds)| *holds).map(|(format, _)| format.name());
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
        target.map(|target| Action { target, change: Change::Update(update) }).into_iter().collect()
    }

    fn remove(self, at: &Pointer, keyword: &str) -> Vec<Action> {
        let target = self.path(&at.join(keyword));
        target.map(|target| Action { target, change: Change::Remove }).into_iter().collect()
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

fn text(text: &str) -> Node {
    Node::String(text.to_owned())
}

fn object<'k>(members: impl IntoIterator<Item = (&'k str, Node)>) -> Node {
    Node::Object(members.into_iter().map(|(key, node)| (key.to_owned(), node)).collect())
}
