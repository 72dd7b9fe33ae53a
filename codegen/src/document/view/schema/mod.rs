//! Schemas: JSON Schema 2020-12 as OpenAPI 3.1 uses it, and the dialect of 3.0, in one view.

mod key;

use std::ops::Deref;

use super::schema_type::SchemaType;
use super::{Document, View};
use crate::document::keys::Keys;
use crate::document::references::{component_key, is_other_component};
use crate::document::{Node, is_extension};
use crate::source_map::Pointer;

pub use key::SchemaKey;

/// Keywords that change the type of values or the target of references, but are ignored.
pub(in crate::document) const UNREAD: [&str; 10] = [
    "$recursiveAnchor", "$recursiveRef", "additionalItems", "dependencies", "dependentSchemas",
    "else", "if", "not", "then", "unevaluatedItems",
];

/// Returns whether a schema allows any value.
pub(in crate::document) fn is_any(schema: &Node) -> bool {
    match schema {
        Node::Bool(is_any) => *is_any,
        schema => schema.as_object().is_some_and(<[_]>::is_empty),
    }
}

/// Keywords that describe values, other than `type` and `const`.
#[rustfmt::skip]
const PARTS: [&str; 13] = [
    "additionalProperties", "allOf", "anyOf", "contentEncoding", "contentMediaType", "enum", "format", "items",
    "oneOf", "patternProperties", "prefixItems", "properties", "required",
];

/// The extensions that list a name for each value of an `enum`.
pub(in crate::document) const ENUM_NAMES: [&str; 2] = ["x-enum-varnames", "x-enumNames"];

/// The extensions that describe the values of an `enum`.
const ENUM_DESCRIPTIONS: [&str; 2] = ["x-enum-descriptions", "x-enumDescriptions"];

/// The extensions of other generators that name and describe the values of an `enum`.
const ENUM_VALUES: [&str; 3] = ["x-ms-enum", "x-fern-enum", "x-speakeasy-enums"];

/// The `additionalProperties` keyword.
pub enum AdditionalProperties<'d> {
    /// `true` (or the empty schema): any other property. `false`: none.
    Any(bool),
    /// Other properties, all of this schema.
    Schema(Schema<'d>),
}

/// A schema, with the others that apply to the same values.
#[derive(Clone, Debug)]
pub struct Schema<'d> {
    view: View<'d>,
    /// The schemas of the same values at other places, which are read as parts of the `allOf`.
    others: Vec<Self>,
}

impl<'d> Deref for Schema<'d> {
    type Target = View<'d>;

    fn deref(&self) -> &View<'d> {
        &self.view
    }
}

impl<'d> From<View<'d>> for Schema<'d> {
    fn from(view: View<'d>) -> Self {
        Self { view, others: Vec::new() }
    }
}

impl<'d> Schema<'d> {
    /// Returns the schema of values to which another one applies as well.
    #[must_use]
    pub fn meet(mut self, other: Self) -> Self {
        let known = self.pointers();
        let Self { view, others } = other;
        let all = std::iter::once(view.into()).chain(others);
        self.others.extend(all.filter(|other: &Self| !known.contains(&other.pointer)));
        self
    }

    /// Returns the places of all schemas that apply, sorted.
    pub fn pointers(&self) -> Vec<Pointer> {
        let others = self.others.iter().map(|other| other.pointer.clone());
        let mut pointers: Vec<Pointer> = others.chain([self.pointer.clone()]).collect();
        pointers.sort_by_cached_key(Pointer::to_string);
        pointers
    }

    /// Returns the `$ref`, as written. Next to keywords that describe values, it is a part of the `allOf` (JSON Schema
    /// 2020-12, section 8.2.3.1).
    pub fn reference(&self) -> Option<&'d str> {
        let reference = self.view.reference()?;
        let is_part = PARTS.iter().any(|keyword| self.get(keyword).is_some())
            || self.constant().is_some()
            || self.types().any(|ty| !matches!(ty, SchemaType::Object | SchemaType::Null))
            || !self.others.is_empty();
        (!is_part).then_some(reference)
    }

    /// Returns the target of the `$ref`.
    pub fn target(&self) -> Option<Self> {
        self.document.schema_at(self.reference()?)
    }

    /// Returns the schema of which this is an alternative.
    pub fn union(&self) -> Option<Self> {
        let keyword = self.pointer.parent()?;
        let is_alternative = matches!(keyword.last()?, "oneOf" | "anyOf");
        self.document.at(keyword.parent().filter(|_| is_alternative)?.clone()).map(Self::from)
    }

    /// Returns whether nothing is valid: the schema is `false`, or `not` excludes everything.
    pub fn is_false(&self) -> bool {
        matches!(self.node, Node::Bool(false)) || self.raw("not").is_some_and(is_any)
    }

    /// Returns whether the schema has no keywords but `type`, `nullable` and annotations.
    pub fn has_only_types(&self) -> bool {
        let mut keys = self.node.as_object().unwrap_or_default().iter().map(|(key, _)| key);
        keys.all(|key| matches!(key.as_str(), "type" | "nullable") || is_annotation(key))
    }

    /// Returns a text that is equal for schemas that differ only in annotations, such as descriptions, and in formats that
    /// decide no type.
    pub fn to_constraints(&self, is_decisive: fn(&str) -> bool) -> String {
        let node = constraints(self.node, Keys::Fields, is_decisive);
        format!("{:?}{}", self.only_type, View { node: &node, ..self.view.clone() }.to_text())
    }

    /// Returns the types, each once; none if there is no `type`. 3.0's `nullable: true` does not add `null` here. A `type`
    /// that excludes all listed values is a mistake: then the types are the types of the values.
    pub fn types(&self) -> impl Iterator<Item = SchemaType> + Clone + use<'d> {
        let only = self.only_type;
        let is_mistake = self.has_excluded_values();
        let values = is_mistake.then(|| self.values_or_constant()).into_iter().flatten();
        let listed = SchemaType::ALL.into_iter().filter(move |ty| {
            *ty != SchemaType::Null
                && values.clone().any(|value| SchemaType::of_value(value) == *ty)
        });
        let declared = self.declared_types();
        let declared = declared.filter(move |ty| !is_mistake || *ty == SchemaType::Null);
        declared.chain(listed).filter(move |_| only.is_none()).chain(only)
    }

    /// Returns whether the `type` excludes all listed values, also those that are texts of such values or that lack
    /// quotes. If there are `items`, their values are listed instead.
    pub(in crate::document) fn has_excluded_values(&self) -> bool {
        let mut values = self.values_or_constant().filter(|value| !value.is_null()).peekable();
        values.peek().is_some()
            && !self.lists_values_of_items()
            && self.declared_types().any(|ty| ty != SchemaType::Null)
            && values.all(|value| self.declared_types().all(|ty| !ty.is_meant_by(value)))
    }

    /// Returns whether this is a list with `items`, so that listed scalars are values of these.
    pub(in crate::document) fn lists_values_of_items(&self) -> bool {
        self.raw("items").is_some() && self.declared_types().any(|ty| ty == SchemaType::Array)
    }

    fn values_or_constant(&self) -> impl Iterator<Item = &'d Node> + Clone + use<'d> {
        self.enumeration().into_iter().flatten().chain(self.constant())
    }

    /// Returns the types that are written; none if one is unknown. Kubernetes has a format, or an extension, for two of them.
    fn declared_types(&self) -> impl Iterator<Item = SchemaType> + Clone + use<'d> {
        let is_either =
            self.format() == Some("int-or-string") || self.flag("x-kubernetes-int-or-string");
        let either = is_either.then_some([SchemaType::Integer, SchemaType::String]);
        let names = match self.raw("type") {
            Some(Node::Array(names)) => names.as_slice(),
            Some(name) => std::slice::from_ref(name),
            None => &[],
        };
        let are_known = names.iter().all(|name| SchemaType::read(name).is_some());
        let names = if are_known { names } else { &[] };
        let declared = names.iter().enumerate().filter_map(move |(index, name)| {
            let ty = SchemaType::read(name);
            ty.filter(|_| names.iter().take(index).all(|earlier| SchemaType::read(earlier) != ty))
        });
        let declared = declared.filter(move |ty| !is_either || *ty == SchemaType::Null);
        declared.chain(either.into_iter().flatten())
    }

    /// Returns the schema once for each type of its values except null, and the keyword that lists them.
    pub fn of_each_kind(&self) -> (&'static str, Vec<Self>) {
        match self.enumeration() {
            Some(_) => ("enum", self.of_each_type_of_value()),
            None => ("type", self.of_each_type()),
        }
    }

    /// Returns the schema once for each of its types except null.
    fn of_each_type(&self) -> Vec<Self> {
        let types = self.types().enumerate().filter(|(_, ty)| *ty != SchemaType::Null);
        let schemas = types.map(|(index, ty)| {
            let pointer = self.pointer.join("type").join_index(index);
            Self::from(View { pointer, only_type: Some(ty), ..self.view.clone() })
        });
        schemas.collect()
    }

    /// Returns the schema once for each type of the values that it lists, except null.
    fn of_each_type_of_value(&self) -> Vec<Self> {
        let types = self.listed().map(|(_, value)| SchemaType::of_value(value));
        let has_fractions = types.clone().any(|ty| ty == SchemaType::Number);
        let mut schemas: Vec<Self> = Vec::new();
        for (index, ty) in types.enumerate() {
            let only_type = Some(match ty {
                SchemaType::Null => continue,
                SchemaType::Integer if has_fractions => SchemaType::Number,
                ty => ty,
            });
            if schemas.iter().all(|schema| schema.only_type != only_type) {
                let pointer = self.pointer.join("enum").join_index(index);
                schemas.push(View { pointer, only_type, ..self.view.clone() }.into());
            }
        }
        schemas
    }

    /// Returns whether this is the only type except null.
    pub fn has_only(&self, wanted: SchemaType) -> bool {
        let mut types = self.types();
        types.clone().any(|ty| ty == wanted)
            && types.all(|ty| ty == wanted || ty == SchemaType::Null)
    }

    /// Returns the `format`.
    pub fn format(&self) -> Option<&'d str> {
        self.text("format")
    }

    /// Returns the allowed values.
    pub fn enumeration(&self) -> Option<&'d [Node]> {
        self.get("enum")?.as_array()
    }

    /// Returns the allowed values of the type that is read, with their indices.
    pub fn listed(&self) -> impl Iterator<Item = (usize, &'d Node)> + Clone + use<'d> {
        let only = self.only_type;
        let values = self.enumeration().into_iter().flatten().enumerate();
        values.filter(move |(_, value)| match (only, SchemaType::of_value(value)) {
            (Some(SchemaType::Number), ty) => {
                matches!(ty, SchemaType::Integer | SchemaType::Number)
            }
            (only, ty) => only.is_none_or(|only| only == ty),
        })
    }

    /// Returns the place of the list of allowed values.
    pub fn place_of_values(&self) -> Pointer {
        let of_type = self.pointer.parent().filter(|_| self.only_type.is_some());
        of_type.cloned().unwrap_or_else(|| self.pointer.join("enum"))
    }

    /// Returns the name and the description of an allowed value, by its index, from extensions.
    pub fn enum_texts(&self, index: usize) -> [Option<&'d str>; 2] {
        let texts = [(&ENUM_NAMES, "name"), (&ENUM_DESCRIPTIONS, "description")];
        texts.map(|(extensions, property)| self.enum_text(index, extensions, property))
    }

    /// Returns a text about an allowed value from one of these extensions, or of those of other generators: from a list in
    /// the order of the values, a map by value, or the property of an object that is about the value.
    fn enum_text(&self, index: usize, extensions: &[&str], property: &str) -> Option<&'d str> {
        let value = self.enumeration()?.get(index)?.scalar()?;
        let is_value =
            |node: &&Node| node.get("value").and_then(Node::scalar).is_some_and(|it| it == value);
        let found = extensions.iter().chain(&ENUM_VALUES).filter_map(|name| self.get(name));
        let mut texts = found.filter_map(|texts| {
            let texts = texts.get("values").unwrap_or(texts);
            let about = match texts.as_array() {
                Some(list) => list.iter().find(is_value).or_else(|| list.get(index)),
                None => texts.get(&value),
            }?;
            about.as_str().or_else(|| about.get(property)?.as_str())
        });
        texts.find(|text| !text.trim().is_empty())
    }

    /// Returns the `default` value.
    pub fn default_value(&self) -> Option<&'d Node> {
        self.raw("default")
    }

    /// Returns the `const` value.
    pub fn constant(&self) -> Option<&'d Node> {
        self.raw("const")
    }

    /// Returns whether an object has properties.
    pub fn has_properties(&self) -> bool {
        self.has("properties")
    }

    /// Returns the properties of an object.
    pub fn properties(&self) -> impl Iterator<Item = (&'d str, Self)> + use<'d> {
        let properties = self.child("properties").map(View::replaced);
        properties.into_iter().flat_map(View::members).map(|(name, view)| (name, view.into()))
    }

    /// Returns the names of the required properties.
    pub fn required(&self) -> impl Iterator<Item = &'d str> + use<'d> {
        self.texts("required")
    }

    /// Returns the `additionalProperties`, or the `unevaluatedProperties`: the properties that no part of a schema
    /// describes are the same for both, because its parts are one type.
    pub fn additional_properties(&self) -> Option<AdditionalProperties<'d>> {
        let keywords = ["additionalProperties", "unevaluatedProperties"];
        let view = keywords.iter().find_map(|keyword| self.child(keyword))?;
        Some(match view.node {
            Node::Bool(any) => AdditionalProperties::Any(*any),
            Node::Object(members) if members.is_empty() => AdditionalProperties::Any(true),
            _ => AdditionalProperties::Schema(view.into()),
        })
    }

    /// Returns whether other properties are described, by name or by pattern.
    pub fn is_open(&self) -> bool {
        let others = self.additional_properties();
        let closed = matches!(others, None | Some(AdditionalProperties::Any(false)));
        !closed || self.has("patternProperties")
    }

    /// Returns whether an ignored keyword would change the type.
    pub fn has_unread(&self) -> bool {
        self.get("$dynamicRef").is_some()
            || UNREAD.iter().any(|keyword| self.get(keyword).is_some())
    }

    /// Returns the schema of the elements of an array.
    pub fn items(&self) -> Option<Self> {
        self.child("items").filter(|items| items.node.as_array().is_none()).map(Self::from)
    }

    /// Returns whether the first elements of an array are described one by one, in the current form or in the form of
    /// older drafts.
    pub fn is_tuple(&self) -> bool {
        self.has("prefixItems") || self.get("items").is_some_and(|items| items.as_array().is_some())
    }

    /// Returns the value of a keyword as a schema; of several, it is the place of the type that they have together.
    pub fn at_keyword(&self, keyword: &str) -> Option<Self> {
        self.child(keyword).map(Self::from)
    }

    /// Returns the schemas of properties by pattern.
    pub fn patterns(&self) -> Vec<Self> {
        self.map("patternProperties").map(|(_, view)| view.into()).collect()
    }

    /// Returns the schemas of the `allOf`.
    pub fn all_of(&self) -> Vec<Self> {
        let reference = self
            .view
            .reference()
            .filter(|_| self.reference().is_none())
            .map(|_| View { is_reference: true, ..self.view.clone() });
        let parts = reference.into_iter().chain(self.list("allOf")).map(Self::from);
        parts.chain(self.others.iter().cloned()).collect()
    }

    /// Returns the schemas that all apply: the target of the `$ref`, or the schemas of the `allOf`.
    pub fn parts(&self) -> impl Iterator<Item = Self> + use<'d> {
        self.target().into_iter().chain(self.all_of())
    }

    /// Returns whether there are parts or alternatives.
    pub fn is_composed(&self) -> bool {
        self.view.reference().is_some()
            || !self.others.is_empty()
            || ["allOf", "oneOf", "anyOf"].iter().any(|keyword| self.has(keyword))
    }

    /// Returns the schemas of the `anyOf`.
    pub fn any_of(&self) -> Vec<Self> {
        self.list("anyOf").map(Self::from).collect()
    }

    /// Returns the schemas of the `oneOf`.
    pub fn one_of(&self) -> Vec<Self> {
        self.list("oneOf").map(Self::from).collect()
    }

    /// Returns the schemas of the `oneOf` and of the `anyOf`.
    pub fn alternatives(&self) -> Vec<Self> {
        [self.one_of(), self.any_of()].concat()
    }

    /// Returns the parts and the alternatives.
    pub fn inner(&self) -> Vec<Self> {
        [self.all_of(), self.alternatives()].concat()
    }

    /// Returns whether there is an `allOf`.
    pub fn has_all_of(&self) -> bool {
        self.has("allOf")
            || self.view.reference().is_some() && self.reference().is_none()
            || !self.others.is_empty()
    }
}

fn constraints(node: &Node, keys: Keys, is_decisive: fn(&str) -> bool) -> Node {
    let part = |key: &str, value: &Node| match keys.below(key) {
        Some(keys) => constraints(value, keys, is_decisive),
        None => value.clone(),
    };
    let is_read = |(key, value): &&(String, Node)| {
        let is_format = || key == "format" && value.as_str().is_some_and(|it| !is_decisive(it));
        keys.are_names() || !is_annotation(key) && !is_format()
    };
    let member = |(key, value): &(String, Node)| (key.clone(), part(key, value));
    match node {
        Node::Object(all) => Node::Object(all.iter().filter(is_read).map(member).collect()),
        Node::Array(items) => Node::Array(items.iter().map(|item| part("", item)).collect()),
        scalar => scalar.clone(),
    }
}

/// Returns whether a keyword only describes (JSON Schema 2020-12, "Meta-Data Annotations").
fn is_annotation(key: &str) -> bool {
    let is_known = [
        "title", "description", "default", "deprecated", "example", "examples", "externalDocs",
        "$comment",
    ];
    is_known.contains(&key) || is_extension(key)
}

impl Document {
    /// Returns the schemas under `components` and of other files, each by its key.
    pub fn schemas(&self) -> impl Iterator<Item = (String, Schema<'_>)> {
        let root = Pointer::root().join("components").join("schemas");
        let own = self.tree.root.members(&["components", "schemas"]);
        let own =
            own.map(move |(key, node)| (View::new(self, node, root.join(key)), key.to_owned()));
        let foreign = self.foreign_schemas.iter();
        let foreign =
            foreign.filter_map(|pointer| Some((self.at(pointer.clone())?, pointer.to_string())));
        own.chain(foreign).map(|(view, key)| (key, view.into()))
    }

    /// Returns the target of a `$ref` to a schema anywhere in the document.
    ///
    /// Returns `None` if the target is outside of the document, does not exist, or is not a schema.
    pub fn schema_at(&self, target: &str) -> Option<Schema<'_>> {
        let view = self.at(Pointer::from_reference(target)?)?;
        let is_schema = matches!(view.node, Node::Object(_) | Node::Bool(_));
        (is_schema && !is_other_component(&view.pointer)).then_some(view.into())
    }

    /// Returns the key among [`Document::schemas`] of the schema that a `$ref` names.
    pub fn key_of(target: &str) -> Option<String> {
        component_key(&Pointer::from_reference(target)?)
    }
}
