//! The kind of a schema, from its syntax alone: known before anything is lowered, so that components are named first.

use std::collections::HashSet;

use crate::document::{AdditionalProperties, Node, Pointer, Schema, SchemaType};
use crate::ir::Type;
use crate::lower::Owner;

/// The kind of a schema, with its parts.
#[derive(Clone, Debug)]
pub struct Classified<'d> {
    /// The kind of the schema.
    pub kind: SchemaKind<'d>,
    /// Whether null is allowed.
    pub nullable: bool,
    /// Whether the value is redacted in logs (`format: password`).
    pub secret: bool,
}

/// The kind of a schema.
#[derive(Clone, Debug)]
pub enum SchemaKind<'d> {
    /// The target of a `$ref`.
    Ref(Ref<'d>),
    /// A named type.
    Named(Definition<'d>),
    /// A list of this schema, or of any values.
    List(Option<&'d Schema>),
    /// An object whose properties all have this schema, or any values.
    Map(Option<&'d Schema>),
    /// The branches of this keyword, which are no union.
    Alternatives(&'static str, &'d [Schema]),
    /// A type that needs no name.
    Simple(Type),
    /// A construct without a Rust type, and the type that takes its values unchanged.
    Untyped(&'static str, Type),
}

/// The definition of a named type.
#[derive(Clone, Debug)]
pub enum Definition<'d> {
    /// A struct.
    Struct(Object<'d>),
    /// An open enum.
    Enum(Vec<Value<'d>>),
    /// A union.
    Union(Vec<Branch<'d>>),
}

/// A `$ref` to a schema.
#[derive(Clone, Copy, Debug)]
pub struct Ref<'d> {
    /// The target, as written.
    pub target: &'d str,
    /// The schema that holds the `$ref`.
    pub pointer: &'d Pointer,
}

/// An object with fields of its own.
#[derive(Clone, Debug)]
pub struct Object<'d> {
    /// The schema with the `properties` and `allOf`.
    pub schema: &'d Schema,
    /// The union beside the properties.
    pub union: Option<Vec<Branch<'d>>>,
    /// The schemas of the same property in earlier parts of an `allOf`, which this one refines.
    pub refined: Vec<Layer<'d>>,
}

/// One of several schemas that apply to the same object.
#[derive(Clone, Debug)]
pub struct Layer<'d> {
    /// The schema.
    pub schema: &'d Schema,
    /// Names what is inline in it.
    pub owner: Owner,
    /// The number of schemas directly before it that apply to whatever this one applies to.
    pub scope: usize,
}

/// A value of an enum.
#[derive(Clone, Debug)]
pub struct Value<'d> {
    /// The text on the wire.
    pub text: &'d str,
    /// The description.
    pub description: Option<&'d str>,
    /// The JSON pointer to it.
    pub pointer: Pointer,
}

/// One of the properties of a union.
#[derive(Clone, Copy, Debug)]
pub struct Branch<'d> {
    /// The branch of `oneOf`.
    pub schema: &'d Schema,
    /// The name of the property.
    pub property: &'d str,
    /// The schema of the property.
    pub value: &'d Schema,
}

impl Branch<'_> {
    /// Returns whether the branch has no schema apart from that of its property.
    pub fn is_bare(&self) -> bool {
        std::ptr::eq(self.schema, self.value)
    }
}

/// Classifies a schema. A component of type object without properties is a struct, because it has a name; an inline one
/// is a free-form object.
pub fn classify(schema: &Schema, is_component: bool) -> Classified<'_> {
    let mut nullable = allows_null(schema);
    let mut secret = is_secret(schema);
    let kind = if let Some(inner) = sole_part(schema) {
        let inner = classify(inner, is_component);
        nullable |= inner.nullable;
        secret |= inner.secret;
        inner.kind
    } else {
        kind_of(schema, is_component)
    };
    Classified { kind, nullable, secret }
}

fn kind_of(schema: &Schema, is_component: bool) -> SchemaKind<'_> {
    if let Some(target) = &schema.reference {
        return SchemaKind::Ref(Ref { target, pointer: &schema.pointer });
    }
    if let Some(values) = string_values(schema) {
        return SchemaKind::Named(Definition::Enum(values));
    }
    let union = member_union(&schema.one_of);
    if has_alternatives(&schema.one_of, schema)
        && schema.properties.is_empty()
        && schema.all_of.is_empty()
    {
        return union.map_or(SchemaKind::Alternatives("oneOf", &schema.one_of), |branches| {
            SchemaKind::Named(Definition::Union(branches))
        });
    }
    let object =
        || SchemaKind::Named(Definition::Struct(Object { schema, union, refined: Vec::new() }));
    if !schema.all_of.is_empty() {
        return if schema.all_of.iter().all(|part| is_object_part(part) || is_silent(part)) {
            object()
        } else {
            SchemaKind::Untyped("this use of `allOf`", Type::Value)
        };
    }
    if has_alternatives(&schema.any_of, schema) {
        return SchemaKind::Alternatives("anyOf", &schema.any_of);
    }
    if is_object(schema) && (!schema.properties.is_empty() || is_component && is_closed(schema)) {
        return object();
    }
    combines_nothing(schema)
}

/// Returns the kind of a schema without properties, `allOf`, `oneOf` and `anyOf`.
fn combines_nothing(schema: &Schema) -> SchemaKind<'_> {
    let mut types = schema.types.iter().copied().filter(|&ty| ty != SchemaType::Null);
    let sole = match (types.next(), types.next()) {
        (Some(sole), None) => sole,
        (Some(_), Some(_)) => {
            return SchemaKind::Untyped("a choice between several primitive types", Type::Value);
        }
        (None, _) if schema.items.is_some() => SchemaType::Array,
        (None, _) if schema.additional_properties.is_some() => SchemaType::Object,
        (None, _) => type_of_values(schema),
    };
    let format = schema.format.as_deref();
    let simple = match sole {
        SchemaType::Boolean => Type::Bool,
        SchemaType::Integer => match format {
            Some("int32") => Type::Int32,
            Some("uint32") => Type::UInt32,
            Some("uint64") => Type::UInt64,
            _ => Type::Int64,
        },
        SchemaType::Number if format == Some("float") => Type::Float32,
        SchemaType::Number => Type::Float64,
        SchemaType::String => match format {
            Some("date-time") => Type::Timestamp,
            Some("int64") => Type::Int64Text,
            Some("uint64") => Type::UInt64Text,
            Some("binary") => return SchemaKind::Untyped("`format: binary`", Type::String),
            _ => Type::String,
        },
        SchemaType::Array if !schema.prefix_items.is_empty() => {
            return SchemaKind::Untyped("a tuple", Type::List(Box::new(Type::Value)));
        }
        SchemaType::Array => return SchemaKind::List(schema.items.as_deref()),
        SchemaType::Object if !schema.pattern_properties.is_empty() => {
            return sole_pattern(schema)
                .map_or(SchemaKind::Untyped("`patternProperties`", Type::Map), |values| {
                    SchemaKind::Map(Some(values))
                });
        }
        SchemaType::Object => {
            return SchemaKind::Map(match &schema.additional_properties {
                Some(AdditionalProperties::Schema(values)) => Some(values),
                _ => None,
            });
        }
        SchemaType::Null => Type::Value,
    };
    SchemaKind::Simple(simple)
}

/// Returns the type of the values that a schema without a `type` lists, or null if they have none in common.
fn type_of_values(schema: &Schema) -> SchemaType {
    let types =
        schema.enumeration.iter().flatten().chain(&schema.constant).map(|value| match value {
            Node::Bool(_) => SchemaType::Boolean,
            Node::Integer(_) => SchemaType::Integer,
            Node::Float(_) => SchemaType::Number,
            Node::Null | Node::String(_) | Node::Array(_) | Node::Object(_) => SchemaType::Null,
        });
    types
        .reduce(|one, other| if one == other { one } else { SchemaType::Null })
        .unwrap_or(SchemaType::Null)
}

/// Returns whether a schema itself allows null, as 3.0 or 3.1 writes it.
pub fn allows_null(schema: &Schema) -> bool {
    let null_value = schema.enumeration.iter().flatten().any(Node::is_null);
    let null_branch = schema.one_of.iter().chain(&schema.any_of).any(allows_null);
    let null_part = schema.all_of.iter().any(|part| part.nullable && is_silent(part));
    schema.nullable
        || schema.types.contains(&SchemaType::Null)
        || schema.constant == Some(Node::Null)
        || null_value
        || null_branch
        || null_part
}

/// Returns whether a schema only describes objects (or null).
pub fn is_object(schema: &Schema) -> bool {
    match schema.types.as_slice() {
        [] => !schema.properties.is_empty() || schema.additional_properties.is_some(),
        types => has_only(types, SchemaType::Object),
    }
}

/// Returns the properties of a union: the branches of a `oneOf` are objects with one required property each, and no two
/// have the same.
pub fn member_union(branches: &[Schema]) -> Option<Vec<Branch<'_>>> {
    let mut met = HashSet::new();
    let members = branches.iter().map(|branch| {
        let member = member_branch(branch)?;
        met.insert(member.property).then_some(member)
    });
    members.collect::<Option<Vec<_>>>().filter(|members| !members.is_empty())
}

fn member_branch(schema: &Schema) -> Option<Branch<'_>> {
    let ([required], [(property, value)]) =
        (schema.required.as_slice(), schema.properties.as_slice())
    else {
        return None;
    };
    let is_member = required == property
        && schema.reference.is_none()
        && schema.all_of.is_empty()
        && schema.one_of.is_empty();
    is_member.then_some(Branch { schema, property, value })
}

/// Returns the schema that another one only wraps: the only part of `allOf` that is more than a remark, or the only branch
/// of `oneOf` or `anyOf` besides null.
fn sole_part(schema: &Schema) -> Option<&Schema> {
    if schema.reference.is_some() || !schema.properties.is_empty() || is_enum(schema) {
        return None;
    }
    match (schema.all_of.as_slice(), schema.one_of.as_slice(), schema.any_of.as_slice()) {
        ([part], [], []) => Some(part),
        (parts @ [_, ..], [], []) => {
            let mut others = parts.iter().filter(|part| !is_silent(part));
            let sole = others.next()?;
            others.next().is_none().then_some(sole)
        }
        ([], alternatives, []) | ([], [], alternatives) => {
            let mut others = alternatives.iter().filter(|schema| !is_null(schema));
            let sole = others.next()?;
            (others.next().is_none() && member_branch(sole).is_none()).then_some(sole)
        }
        _ => None,
    }
}

/// Returns the values of an enum of strings, or of a constant; and those of alternatives that are enums, constants, or any
/// string.
fn string_values(schema: &Schema) -> Option<Vec<Value<'_>>> {
    if is_enum(schema) {
        return Some(own_values(schema));
    }
    let is_plain = schema.properties.is_empty() && schema.all_of.is_empty();
    let branches = match (schema.one_of.as_slice(), schema.any_of.as_slice()) {
        (branches, []) | ([], branches) if is_plain => branches,
        _ => return None,
    };
    let is_text = |branch: &&Schema| is_enum(branch) || is_any_text(branch) || is_null(branch);
    if !branches.iter().all(|branch| is_text(&branch)) {
        return None;
    }
    let values: Vec<_> =
        branches.iter().filter(|branch| is_enum(branch)).flat_map(own_values).collect();
    (!values.is_empty()).then_some(values)
}

fn own_values(schema: &Schema) -> Vec<Value<'_>> {
    let place = schema.pointer.join("enum");
    let values = schema.enumeration.iter().flatten().enumerate();
    let mut values: Vec<_> = values
        .filter_map(|(index, value)| {
            let (text, pointer) = (value.as_str()?, place.join_index(index));
            Some(Value { text, description: None, pointer })
        })
        .collect();
    if values.is_empty() {
        let constant = schema.constant.as_ref().and_then(Node::as_str);
        let pointer = schema.pointer.join("const");
        values.extend(constant.map(|text| Value { text, description: None, pointer }));
    }
    if let [sole] = values.as_mut_slice() {
        sole.description = schema.description.as_deref().or(schema.title.as_deref());
    }
    values
}

fn is_enum(schema: &Schema) -> bool {
    let is_typed = schema.types.is_empty() || has_only(&schema.types, SchemaType::String);
    let mut values = schema.enumeration.iter().flatten();
    let is_text = values.clone().all(|value| value.as_str().is_some() || value.is_null());
    let has_text = values.any(|value| value.as_str().is_some())
        || schema.constant.as_ref().is_some_and(|value| value.as_str().is_some());
    schema.reference.is_none() && is_typed && is_text && has_text
}

fn is_any_text(schema: &Schema) -> bool {
    schema.types == [SchemaType::String]
        && schema.format.is_none()
        && schema.enumeration.is_none()
        && schema.constant.is_none()
}

/// Returns the schema of all properties, if one pattern describes them.
fn sole_pattern(schema: &Schema) -> Option<&Schema> {
    let [(pattern, values)] = schema.pattern_properties.as_slice() else {
        return None;
    };
    let is_closed = matches!(schema.additional_properties, Some(AdditionalProperties::Any(false)));
    let is_any = matches!(pattern.as_str(), "" | ".*" | "^.*$" | ".+" | "^.+$");
    (is_closed || is_any).then_some(values)
}

/// Returns whether there are alternatives that are more than constraints.
pub fn has_alternatives(branches: &[Schema], schema: &Schema) -> bool {
    !branches.iter().all(|branch| only_constrains(branch, &schema.types))
}

/// Returns whether a schema constrains values of these types, and has nothing that describes them.
fn only_constrains(schema: &Schema, types: &[SchemaType]) -> bool {
    let parts = schema.all_of.iter().chain(&schema.any_of).chain(&schema.one_of);
    schema.reference.is_none()
        && (schema.types.is_empty() || schema.types == types)
        && schema.properties.is_empty()
        && schema.pattern_properties.is_empty()
        && schema.additional_properties.is_none()
        && schema.items.is_none()
        && schema.prefix_items.is_empty()
        && schema.enumeration.is_none()
        && schema.constant.is_none()
        && parts.into_iter().all(|part| only_constrains(part, types))
}

/// Returns the schemas with remarks on a property: its own, and the silent parts of its `allOf`.
pub fn remarks(schema: &Schema) -> impl Iterator<Item = &Schema> {
    std::iter::once(schema).chain(schema.all_of.iter().filter(|part| is_silent(part)))
}

/// Returns whether a part of `allOf` is only a remark or a constraint, such as a description.
pub fn is_silent(part: &Schema) -> bool {
    part.required.is_empty() && only_constrains(part, &[])
}

fn is_secret(schema: &Schema) -> bool {
    schema.format.as_deref() == Some("password")
}

fn has_only(types: &[SchemaType], wanted: SchemaType) -> bool {
    types.contains(&wanted) && types.iter().all(|&ty| ty == wanted || ty == SchemaType::Null)
}

/// Returns whether a schema allows null and nothing else.
pub fn is_null(schema: &Schema) -> bool {
    schema.types == [SchemaType::Null]
        || schema.constant == Some(Node::Null)
        || schema.enumeration.as_ref().is_some_and(|values| values.iter().all(Node::is_null))
}

/// Returns whether a schema allows no additional properties.
fn is_closed(schema: &Schema) -> bool {
    let is_open = matches!(
        schema.additional_properties,
        Some(AdditionalProperties::Any(true) | AdditionalProperties::Schema(_))
    );
    !is_open
        && schema.one_of.is_empty()
        && schema.pattern_properties.is_empty()
        && schema.unread.is_empty()
}

fn is_object_part(part: &Schema) -> bool {
    let requires_properties = part.types.is_empty() && !part.required.is_empty();
    part.reference.is_some()
        || is_object(part)
        || !part.all_of.is_empty()
        || member_union(&part.one_of).is_some()
        || requires_properties
}
