//! What the schemas that apply to one value say together.

use serde_json::Value;

use crate::document::{Document, PlaceId};
use crate::oneof;
use crate::schema::{Choice, Part, Schema};

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

/// All kinds and their names; an integer is a number.
const KINDS: [(&str, Kind); 6] = [
    ("boolean", Kind::Boolean),
    ("number", Kind::Number),
    ("string", Kind::String),
    ("array", Kind::Array),
    ("object", Kind::Object),
    ("integer", Kind::Integer),
];

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
    /// The only allowed values, where they are listed, without null.
    pub values: Option<Vec<PlaceId>>,
    pub format: Option<&'d str>,
    /// The least and the greatest number.
    pub bounds: (Option<f64>, Option<f64>),
    pub properties: Vec<Property<'d>>,
    /// For each oneof: whether one of its properties must be present.
    pub oneofs: Vec<bool>,
    /// The properties whose values name the chosen branch.
    pub tags: Vec<(&'d str, String)>,
    /// What other properties an object can have.
    pub rest: Rest,
    /// The first elements of an array, one by one.
    pub first_items: Vec<Schema>,
    /// The elements of an array.
    pub items: Option<Schema>,
}

/// A described property of an object.
#[derive(Debug)]
pub struct Property<'d> {
    pub name: &'d str,
    pub schema: Schema,
    pub required: bool,
    /// The oneof that it belongs to.
    pub oneof: Option<usize>,
}

/// Properties of an object that are not described one by one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Rest {
    /// Nothing is said about them.
    #[default]
    Unsaid,
    None,
    Any,
    Schema(Schema),
}

impl<'d> Form<'d> {
    /// Reads what `parts` say together.
    pub fn read(document: &Document<'d>, parts: &[Part]) -> Self {
        let mut form = Self { choice: Choice::open(document, parts), ..Self::default() };
        if form.choice.is_some() {
            return form;
        }
        let (mut types, mut nullable) = (None, false);
        let mut required: Vec<&str> = Vec::new();
        for part in parts {
            let value = document.value(part.place);
            nullable |= value.get("nullable").and_then(Value::as_bool) == Some(true);
            if document.is_reference_alone(value) {
                continue;
            }
            add_types(&mut types, value);
            form.add_values(document, value);
            form.add_properties(document, part, value);
            form.add_elements(document, value);
            let number = |keyword| value.get(keyword).and_then(Value::as_f64);
            form.format = form.format.or(value.get("format").and_then(Value::as_str));
            form.bounds.0 = form.bounds.0.or(number("minimum")).or(number("exclusiveMinimum"));
            form.bounds.1 = form.bounds.1.or(number("maximum")).or(number("exclusiveMaximum"));
            let names = value.get("required").and_then(Value::as_array).into_iter().flatten();
            required.extend(names.filter_map(Value::as_str));
        }
        for property in &mut form.properties {
            property.required = property.oneof.is_none() && required.contains(&property.name);
        }
        form.settle(document, types.as_ref(), nullable);
        form
    }

    /// Decides the kinds of value from the `type`s and, without any, from the other keywords.
    fn settle(
        &mut self,
        document: &Document<'d>,
        types: Option<&(Vec<Kind>, bool)>,
        nullable: bool,
    ) {
        let describes_object = !self.properties.is_empty() || self.rest != Rest::Unsaid;
        let (kinds, null) = match types {
            Some((kinds, null)) => (kinds.clone(), *null),
            None if self.values.is_some() => (Vec::new(), true),
            None if describes_object => (vec![Kind::Object], false),
            None if self.items.is_some() || !self.first_items.is_empty() => {
                (vec![Kind::Array], false)
            }
            None => {
                self.is_free = true;
                (KINDS[..5].iter().map(|(_, kind)| *kind).collect(), true)
            }
        };
        let value = |place: &PlaceId| document.value(*place);
        let lists_null = |values: &Vec<PlaceId>| values.iter().any(|place| value(place).is_null());
        self.null = nullable || (null && self.values.as_ref().is_none_or(lists_null));
        self.kinds = kinds;
        let mut values = self.values.take();
        if let Some(values) = &mut values {
            let fits = |kind| types.is_none() || self.allows(kind);
            values.retain(|place| kind_of(value(place)).is_some_and(fits));
        }
        self.values = values;
    }

    fn add_values(&mut self, document: &Document<'d>, value: &'d Value) {
        let listed: Vec<&Value> = match (value.get("enum"), value.get("const")) {
            (_, Some(constant)) => vec![constant],
            (Some(values), None) => values.as_array().into_iter().flatten().collect(),
            (None, None) => return,
        };
        self.values = Some(match self.values.take() {
            Some(mut known) => {
                known.retain(|&place| listed.contains(&document.value(place)));
                known
            }
            None => listed.into_iter().map(|value| document.place(value)).collect(),
        });
    }

    fn add_properties(&mut self, document: &Document<'d>, part: &Part, value: &'d Value) {
        for (name, property) in
            value.get("properties").and_then(Value::as_object).into_iter().flatten()
        {
            self.add_property(document, name, property, None);
        }
        let standard = part.one_of.is_none().then(|| oneof::standard(value)).flatten();
        for oneof in standard.into_iter().chain(oneof::in_comment(value)) {
            self.oneofs.push(oneof.required);
            for (name, property) in oneof.properties {
                self.add_property(document, name, property, Some(self.oneofs.len() - 1));
            }
        }
        self.tags.extend(tag(document, part, value));
        let rest = match value.get("additionalProperties") {
            None => return,
            Some(Value::Bool(false)) => Rest::None,
            Some(Value::Bool(true)) => Rest::Any,
            Some(schema) if schema.as_object().is_some_and(serde_json::Map::is_empty) => Rest::Any,
            Some(schema) => Rest::Schema(Schema::at(document.place(schema))),
        };
        match (&mut self.rest, rest) {
            (Rest::Schema(known), Rest::Schema(schema)) => known.and(&schema),
            (Rest::Schema(_), _) => {}
            (known, rest) => *known = rest,
        }
    }

    fn add_property(
        &mut self,
        document: &Document<'d>,
        name: &'d str,
        value: &'d Value,
        oneof: Option<usize>,
    ) {
        let schema = Schema::at(document.place(value));
        if let Some(known) = self.properties.iter_mut().find(|property| property.name == name) {
            known.schema.and(&schema);
            known.oneof = known.oneof.or(oneof);
        } else {
            self.properties.push(Property { name, schema, required: false, oneof });
        }
    }

    fn add_elements(&mut self, document: &Document<'d>, value: &'d Value) {
        let at = |value: &Value| Schema::at(document.place(value));
        if let Some(items) = value.get("items").filter(|items| items.is_object()) {
            match &mut self.items {
                Some(known) => known.and(&at(items)),
                None => self.items = Some(at(items)),
            }
        }
        if let Some(first) = value.get("prefixItems").and_then(Value::as_array) {
            self.first_items = first.iter().map(at).collect();
        }
    }

    /// Returns the described property of this name.
    pub fn property(&self, name: &str) -> Option<&Property<'d>> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// Returns the properties of a oneof.
    pub fn members(&self, oneof: usize) -> impl Iterator<Item = &Property<'d>> {
        self.properties.iter().filter(move |property| property.oneof == Some(oneof))
    }

    /// Returns what properties that are not described one by one are like, where instances have such.
    pub fn entries(&self) -> Option<&Rest> {
        match &self.rest {
            Rest::Unsaid if self.properties.is_empty() => Some(&Rest::Any),
            Rest::Unsaid | Rest::None => None,
            said => Some(said),
        }
    }

    /// Returns whether values of a kind are allowed.
    pub fn allows(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind) || (kind == Kind::Integer && self.kinds.contains(&Kind::Number))
    }
}

/// Narrows the kinds, and whether null is among them, to what the `type` of one more schema allows.
fn add_types(known: &mut Option<(Vec<Kind>, bool)>, value: &Value) {
    let names: Vec<&str> = match value.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => return,
    };
    let kind = |name: &&str| KINDS.iter().find(|(other, _)| other == name).map(|(_, kind)| *kind);
    let kinds: Vec<Kind> = names.iter().filter_map(kind).collect();
    let null = names.contains(&"null");
    let is_number = |kind| matches!(kind, Kind::Integer | Kind::Number);
    let both = |&kind: &Kind| match kind {
        kind if kinds.contains(&kind) => Some(kind),
        kind if is_number(kind) && kinds.iter().copied().any(is_number) => Some(Kind::Integer),
        _ => None,
    };
    *known = Some(match known.take() {
        None => (kinds, null),
        Some((known, known_null)) => (known.iter().filter_map(both).collect(), known_null && null),
    });
}

fn kind_of(value: &Value) -> Option<Kind> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(_) => Kind::Boolean,
        Value::Number(number) if number.is_f64() => Kind::Number,
        Value::Number(_) => Kind::Integer,
        Value::String(_) => Kind::String,
        Value::Array(_) => Kind::Array,
        Value::Object(_) => Kind::Object,
    })
}

/// Returns the property, and its value, that names the chosen branch of a `oneOf` or `anyOf`.
fn tag<'d>(document: &Document<'d>, part: &Part, value: &'d Value) -> Option<(&'d str, String)> {
    let discriminator = value.get("discriminator")?;
    let name = discriminator.get("propertyName")?.as_str()?;
    let branch = match (part.one_of, part.any_of) {
        (Some(chosen), _) => value.get("oneOf")?.get(chosen)?,
        (None, chosen) => value.get("anyOf")?.get(chosen?)?,
    };
    let reference = branch.get("$ref")?.as_str()?;
    let own = reference.rsplit('/').next()?;
    let target = document.follow(reference);
    let mapping = discriminator.get("mapping").and_then(Value::as_object).into_iter().flatten();
    let mut mapped = mapping.filter_map(|(value, to)| Some((value, to.as_str()?)));
    let is_branch = |to: &str| to == own || (target.is_some() && document.follow(to) == target);
    let value = mapped.find(|(_, to)| is_branch(to)).map_or(own, |(value, _)| value);
    Some((name, value.to_owned()))
}
