//! What the schemas that apply to one value say together.

use ::codegen::Node;

use super::description::PlaceId;
use super::groups;
use super::schema::{Choice, Part, Reader, Schema};

/// The kinds of JSON values, apart from null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

/// All kinds of JSON values. An integer is a number.
const ANY: [Kind; 5] = [Kind::Boolean, Kind::Number, Kind::String, Kind::Array, Kind::Object];

/// What a value may be.
#[derive(Debug, Default)]
pub struct Form<'d> {
    /// The branches to choose from before anything else counts.
    pub choice: Option<Choice>,
    /// The kinds of value, apart from null.
    pub kinds: Vec<Kind>,
    /// Nothing is said about the value.
    pub is_free: bool,
    /// Whether null is allowed.
    pub null: bool,
    /// The only allowed values, where they are listed; null is not among them.
    pub values: Option<Vec<PlaceId>>,
    /// The `format`.
    pub format: Option<&'d str>,
    /// The least and the greatest number.
    pub bounds: (Option<f64>, Option<f64>),
    /// The members of an object.
    pub members: Vec<Member<'d>>,
    /// For each group of members that exclude one another: whether one must be present.
    pub groups: Vec<bool>,
    /// The members whose values tell the chosen branch.
    pub tags: Vec<(&'d str, String)>,
    /// What other members an object can have.
    pub rest: Rest,
    /// The first elements of an array, one by one.
    pub first_items: Vec<Schema>,
    /// The elements of an array.
    pub items: Option<Schema>,
}

/// A described member of an object.
#[derive(Debug)]
pub struct Member<'d> {
    pub name: &'d str,
    pub schema: Schema,
    pub required: bool,
    /// The group that it belongs to.
    pub group: Option<usize>,
}

/// Members of an object that have no description of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Rest {
    /// Nothing is said about them.
    #[default]
    Unsaid,
    /// There are none.
    None,
    /// They can be anything.
    Any,
    /// They are of this schema.
    Schema(Schema),
}

impl<'d> Form<'d> {
    /// Reads what `parts` say together.
    pub fn read(reader: &Reader<'d>, parts: &[Part]) -> Self {
        let mut form = Self { choice: reader.open_choice(parts), ..Self::default() };
        if form.choice.is_some() {
            return form;
        }
        let mut types = Types::default();
        let mut required: Vec<&str> = Vec::new();
        for part in parts {
            let node = reader.description.node(part.place);
            types.nullable |= node.get("nullable").and_then(Node::as_bool) == Some(true);
            if reader.is_reference_alone(node) {
                continue;
            }
            types.add(node);
            form.add_values(reader, node);
            form.add_members(reader, part, node);
            form.add_elements(reader, node);
            form.format = form.format.or(node.get("format").and_then(Node::as_str));
            let least = [node.get("minimum"), node.get("exclusiveMinimum")];
            let greatest = [node.get("maximum"), node.get("exclusiveMaximum")];
            form.bounds.0 = form.bounds.0.or(least.into_iter().find_map(number));
            form.bounds.1 = form.bounds.1.or(greatest.into_iter().find_map(number));
            required.extend(
                node.get("required")
                    .and_then(Node::as_array)
                    .map_or_else(Vec::new, |names| names.iter().filter_map(Node::as_str).collect()),
            );
        }
        for member in &mut form.members {
            member.required = member.group.is_none() && required.contains(&member.name);
        }
        form.settle(reader, &types);
        form
    }

    /// Decides the kinds of value.
    fn settle(&mut self, reader: &Reader<'d>, types: &Types) {
        let has_null = |places: &Vec<PlaceId>| {
            let mut nodes = places.iter().map(|&place| reader.description.node(place));
            nodes.any(Node::is_null)
        };
        let listed = self.values.as_ref();
        let describes_object = !self.members.is_empty() || self.rest != Rest::Unsaid;
        let (kinds, null) = match &types.said {
            Some((kinds, null)) => (kinds.clone(), *null),
            None if listed.is_some() => (Vec::new(), true),
            None if describes_object => (vec![Kind::Object], false),
            None if self.items.is_some() || !self.first_items.is_empty() => {
                (vec![Kind::Array], false)
            }
            None => {
                self.is_free = true;
                (ANY.to_vec(), true)
            }
        };
        self.kinds = kinds;
        self.null = types.nullable || (null && listed.is_none_or(has_null));
        let values = self.values.take().map(|mut values| {
            values.retain(|&place| {
                let node = reader.description.node(place);
                let fits = |kind| types.said.is_none() || self.allows(kind);
                kind_of(node).is_some_and(fits)
            });
            values
        });
        self.values = values;
    }

    fn add_values(&mut self, reader: &Reader<'d>, node: &'d Node) {
        let listed: Vec<&Node> = match (node.get("enum"), node.get("const")) {
            (_, Some(constant)) => vec![constant],
            (Some(values), None) => values.as_array().unwrap_or_default().iter().collect(),
            (None, None) => return,
        };
        let description = reader.description;
        self.values = Some(match self.values.take() {
            Some(known) => known
                .into_iter()
                .filter(|&place| listed.contains(&description.node(place)))
                .collect(),
            None => listed.into_iter().map(|node| description.place(node)).collect(),
        });
    }

    fn add_members(&mut self, reader: &Reader<'d>, part: &Part, node: &'d Node) {
        let described = node.get("properties").and_then(Node::as_object).unwrap_or_default();
        for (name, member) in described {
            self.add_member(reader, name, member, None);
        }
        let standard = part.one_of.is_none().then(|| groups::standard(node)).flatten();
        for group in standard.into_iter().chain(groups::told(node)) {
            self.groups.push(group.demanded);
            for (name, member) in group.members {
                self.add_member(reader, name, member, Some(self.groups.len() - 1));
            }
        }
        self.tags.extend(tag(reader, part, node));
        let rest = match node.get("additionalProperties") {
            None => return,
            Some(Node::Bool(false)) => Rest::None,
            Some(Node::Bool(true)) => Rest::Any,
            Some(schema) if schema.as_object().is_some_and(<[_]>::is_empty) => Rest::Any,
            Some(schema) => Rest::Schema(Schema::at(reader.description.place(schema))),
        };
        match (&mut self.rest, rest) {
            (Rest::Schema(known), Rest::Schema(schema)) => known.and(&schema),
            (Rest::Schema(_), _) => {}
            (known, rest) => *known = rest,
        }
    }

    fn add_member(
        &mut self,
        reader: &Reader<'d>,
        name: &'d str,
        node: &'d Node,
        group: Option<usize>,
    ) {
        let schema = Schema::at(reader.description.place(node));
        if let Some(known) = self.members.iter_mut().find(|member| member.name == name) {
            known.schema.and(&schema);
            known.group = known.group.or(group);
        } else {
            self.members.push(Member { name, schema, required: false, group });
        }
    }

    fn add_elements(&mut self, reader: &Reader<'d>, node: &'d Node) {
        let at = |node: &Node| Schema::at(reader.description.place(node));
        if let Some(items) = node.get("items").filter(|items| items.as_object().is_some()) {
            match &mut self.items {
                Some(known) => known.and(&at(items)),
                None => self.items = Some(at(items)),
            }
        }
        if let Some(first) = node.get("prefixItems").and_then(Node::as_array) {
            self.first_items = first.iter().map(at).collect();
        }
    }

    /// Returns the described member of this name.
    pub fn member(&self, name: &str) -> Option<&Member<'d>> {
        self.members.iter().find(|member| member.name == name)
    }

    /// Returns what the members are like that have no description of their own, where the object is made to have such.
    pub fn entries(&self) -> Option<&Rest> {
        match &self.rest {
            Rest::Unsaid if self.members.is_empty() => Some(&Rest::Any),
            Rest::Unsaid | Rest::None => None,
            said => Some(said),
        }
    }

    /// Tells whether values of a kind are allowed.
    pub fn allows(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind) || (kind == Kind::Integer && self.kinds.contains(&Kind::Number))
    }
}

/// What the `type`s of several schemas say together.
#[derive(Default)]
struct Types {
    /// The kinds, and whether null is among them.
    said: Option<(Vec<Kind>, bool)>,
    /// `nullable` says so.
    nullable: bool,
}

impl Types {
    fn add(&mut self, node: &Node) {
        let names: Vec<&str> = match node.get("type") {
            Some(Node::String(name)) => vec![name],
            Some(Node::Array(names)) => names.iter().filter_map(Node::as_str).collect(),
            _ => return,
        };
        let kinds: Vec<Kind> = names.iter().filter_map(|name| kind(name)).collect();
        let null = names.contains(&"null");
        self.said = Some(match self.said.take() {
            None => (kinds, null),
            Some((known, known_null)) => {
                let both = |&one: &Kind| {
                    let number = |kind| matches!(kind, Kind::Integer | Kind::Number);
                    if kinds.contains(&one) {
                        Some(one)
                    } else {
                        (number(one) && kinds.iter().copied().any(number)).then_some(Kind::Integer)
                    }
                };
                (known.iter().filter_map(both).collect(), known_null && null)
            }
        });
    }
}

fn kind_of(node: &Node) -> Option<Kind> {
    Some(match node {
        Node::Null => return None,
        Node::Bool(_) => Kind::Boolean,
        Node::Integer(_) => Kind::Integer,
        Node::Float(_) => Kind::Number,
        Node::String(_) => Kind::String,
        Node::Array(_) => Kind::Array,
        Node::Object(_) => Kind::Object,
    })
}

fn kind(name: &str) -> Option<Kind> {
    Some(match name {
        "boolean" => Kind::Boolean,
        "integer" => Kind::Integer,
        "number" => Kind::Number,
        "string" => Kind::String,
        "array" => Kind::Array,
        "object" => Kind::Object,
        _ => return None,
    })
}

#[expect(clippy::cast_precision_loss, reason = "a bound only decides which samples are tried")]
fn number(node: Option<&Node>) -> Option<f64> {
    match node? {
        Node::Integer(value) => Some(*value as f64),
        Node::Float(value) => Some(*value),
        _ => None,
    }
}

/// Returns the member, and its value, that tells which branch of a `oneOf` or `anyOf` was chosen.
fn tag<'d>(reader: &Reader<'d>, part: &Part, node: &'d Node) -> Option<(&'d str, String)> {
    let discriminator = node.get("discriminator")?;
    let name = discriminator.get("propertyName")?.as_str()?;
    let (keyword, chosen) = match (part.one_of, part.any_of) {
        (Some(chosen), _) => ("oneOf", chosen),
        (None, Some(chosen)) => ("anyOf", chosen),
        (None, None) => return None,
    };
    let branch = node.get(keyword)?.as_array()?.get(chosen)?;
    let reference = branch.get("$ref")?.as_str()?;
    let own = reference.rsplit('/').next()?;
    let mapping = discriminator.get("mapping").and_then(Node::as_object);
    let mapped = mapping.unwrap_or_default().iter().find(|(_, target)| {
        let target = target.as_str().unwrap_or_default();
        let same = || {
            let place = reader.description.follow(target)?;
            Some(Some(place) == reader.description.follow(reference))
        };
        target == own || same() == Some(true)
    });
    let value = mapped.map_or(own, |(value, _)| value);
    Some((name, value.to_owned()))
}
