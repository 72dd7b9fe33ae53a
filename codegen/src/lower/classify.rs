//! The kind of a schema: known before anything is lowered, so that components are named first.

use std::collections::HashSet;

use crate::document::{AdditionalProperties, Schema, SchemaType};
use crate::ir::{EnumKind, JsonKind, Type};
use crate::lower::Alternative;
use crate::lower::facts::{
    Listing, Read, Scalar, Values, describes_more_than_type, has_alternatives, is_null, is_silent,
};

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
    /// A `$ref`, by the schema that holds it.
    Ref(Schema<'d>),
    /// A named type.
    Named(Definition<'d>),
    /// A list.
    List(Content<'d>),
    /// An object whose properties are not described one by one.
    Map(Content<'d>),
    /// Branches of this keyword that do not form a union.
    Alternatives(&'static str, Vec<Schema<'d>>),
    /// The enum that a `$ref` names, at a place that allows any other value.
    OpenEnum(EnumKind, Schema<'d>),
    /// A type that needs no name.
    Simple(Type),
    /// A construct without a Rust type, and the type that takes its values unchanged.
    Untyped(&'static str, Type),
}

/// The elements of a list, or the values of a map.
#[derive(Clone, Debug)]
pub enum Content<'d> {
    /// Any values.
    Any,
    /// Values of this schema.
    Of(Schema<'d>),
    /// Values of one of these schemas, the branches of this keyword.
    Mixed(&'static str, Vec<Schema<'d>>),
}

/// The definition of a named type.
#[derive(Clone, Debug)]
pub enum Definition<'d> {
    /// A struct, by the schema that has the `properties` and the `allOf`.
    Struct(Schema<'d>),
    /// An open enum.
    Enum(EnumKind, Listing<'d>),
    /// An object with exactly one of several properties.
    Properties(Vec<Branch<'d>>),
    /// A value of one of several types.
    Union(Vec<Alternative<'d>>),
}

/// One of the properties of a union.
#[derive(Clone, Debug)]
pub struct Branch<'d> {
    /// The branch of `oneOf`.
    pub schema: Schema<'d>,
    /// The name of the property.
    pub property: &'d str,
    /// The schema of the property.
    pub value: Schema<'d>,
}

impl Branch<'_> {
    /// Returns whether the branch has no schema apart from that of its property.
    pub fn is_bare(&self) -> bool {
        self.schema.pointer == self.value.pointer
    }

    /// Returns whether no property next to it is lost: its value has a place for others, or there are none.
    fn retains_others(&self) -> bool {
        let closed = self.schema.additional_properties();
        matches!(closed, Some(AdditionalProperties::Any(false)))
            || Values::of(&self.value).kinds().iter().eq(&[JsonKind::Object])
    }
}

/// Classifies a schema. A component of type object without properties is a struct, because it has a name; an inline one
/// is a free-form object.
pub fn classify<'d>(schema: &Schema<'d>, is_component: bool) -> Classified<'d> {
    // The target of a reference has facts of its own.
    let is_reference = schema.reference().is_some();
    let own = is_reference.then(|| Values::of_keywords(schema)).filter(|own| !own.is_secret);
    let values = own.unwrap_or_else(|| Values::of(schema));
    let kind = match values.scalar() {
        Some(scalar) => scalar.into(),
        None if is_reference => SchemaKind::Ref(schema.clone()),
        None => match sole_part(schema) {
            Some(inner) => classify(&inner, is_component).kind,
            None => kind_of(schema, &values, is_component),
        },
    };
    Classified { kind, nullable: values.is_nullable(), secret: values.is_secret }
}

impl<'d> Classified<'d> {
    /// Classifies alternatives that are scalars of one kind.
    pub fn of_scalars(branches: &[Schema<'d>]) -> Option<Self> {
        let values = Values::of_any(branches);
        let kind = values.scalar()?.into();
        Some(Self { kind, nullable: values.is_nullable(), secret: values.is_secret })
    }
}

impl<'d> From<Scalar<'d>> for SchemaKind<'d> {
    fn from(scalar: Scalar<'d>) -> Self {
        match scalar {
            Scalar::Simple(ty) => Self::Simple(ty),
            Scalar::Enum(kind, listing) => Self::Named(Definition::Enum(kind, listing)),
            Scalar::Named(_, reference, false) => Self::Ref(reference),
            Scalar::Named(kind, reference, true) => Self::OpenEnum(kind, reference),
        }
    }
}

/// Returns the kind of a schema of other values than scalars of one kind.
fn kind_of<'d>(schema: &Schema<'d>, values: &Values<'d>, is_component: bool) -> SchemaKind<'d> {
    let has_parts = !schema.all_of().iter().all(is_silent);
    let one_of = schema.one_of();
    if has_alternatives(&one_of, schema) && !schema.has_properties() && !has_parts {
        let branches = member_union(schema);
        return match branches.filter(|branches| branches.iter().all(Branch::retains_others)) {
            Some(branches) => SchemaKind::Named(Definition::Properties(branches)),
            None => alternatives("oneOf", one_of),
        };
    }
    if let Some((keyword, branches)) = alternatives_of_kinds(schema, values) {
        return alternatives(keyword, branches);
    }
    if has_parts {
        return kind_of_parts(schema, values, is_component);
    }
    let any_of = schema.any_of();
    if has_alternatives(&any_of, schema) && !schema.has_properties() {
        return alternatives("anyOf", any_of);
    }
    if is_typed_object(schema) {
        return SchemaKind::Simple(Type::TypedObject);
    }
    let is_closed = || !(schema.is_open() || schema.has("oneOf") || schema.has_unread());
    if is_object(schema) && (schema.has_properties() || is_component && is_closed()) {
        return SchemaKind::Named(Definition::Struct(schema.clone()));
    }
    kind_by_type(schema, values)
}

/// Returns the alternatives of a schema with properties, if not all of them are objects: those that are have the properties.
fn alternatives_of_kinds<'d>(
    schema: &Schema<'d>,
    values: &Values<'d>,
) -> Option<(&'static str, Vec<Schema<'d>>)> {
    if !schema.has_properties() || values.kinds().len() == 1 {
        return None;
    }
    let (keyword, mut branches) = own_alternatives(schema).pop()?;
    for branch in &mut branches {
        if Values::of(branch).allows(JsonKind::Object) {
            *branch = branch.clone().meet(schema.base());
        }
    }
    Some((keyword, branches))
}

/// Returns the kind of a schema with an `allOf`. A component is a struct, because it has a name.
fn kind_of_parts<'d>(
    schema: &Schema<'d>,
    values: &Values<'d>,
    is_component: bool,
) -> SchemaKind<'d> {
    let is_sole = values.kinds().len() == 1;
    match (&values.lists, &values.objects) {
        (Some(lists), _) if is_sole && !lists.is_tuple() => SchemaKind::List(lists.items().into()),
        (_, Some(objects)) => match objects.values().filter(|_| is_sole && objects.is_map()) {
            Some(values) if !is_component => SchemaKind::Map(Content::Of(values)),
            _ => SchemaKind::Named(Definition::Struct(schema.clone())),
        },
        _ => SchemaKind::Untyped("an `allOf` of different types", Type::Value),
    }
}

/// Returns the keywords of a schema whose branches are more than constraints, each with its branches.
pub fn own_alternatives<'d>(schema: &Schema<'d>) -> Vec<(&'static str, Vec<Schema<'d>>)> {
    let mut keywords = vec![("oneOf", schema.one_of()), ("anyOf", schema.any_of())];
    keywords.retain(|(_, branches)| has_alternatives(branches, schema));
    keywords
}

/// Returns the kind of the branches of a keyword. If one of them allows anything, they all do.
fn alternatives<'d>(keyword: &'static str, branches: Vec<Schema<'d>>) -> SchemaKind<'d> {
    if branches.iter().any(|branch| is_silent(branch) && !branch.is_false() && !is_null(branch)) {
        return SchemaKind::Simple(Type::Value);
    }
    SchemaKind::Alternatives(keyword, branches)
}

/// Returns the kind of a schema without properties, `allOf`, `oneOf` and `anyOf`.
fn kind_by_type<'d>(schema: &Schema<'d>, values: &Values<'d>) -> SchemaKind<'d> {
    let mut types = schema.types().filter(|&ty| ty != SchemaType::Null);
    let sole = match (types.next(), types.next()) {
        (Some(sole), None) => sole,
        (Some(_), Some(_)) => {
            let is_any = values.kinds().len() == JsonKind::ALL.len() && !values.is_narrow();
            return if is_any {
                SchemaKind::Simple(Type::Value)
            } else if schema.enumeration().is_some() {
                kind_of_values(schema)
            } else {
                SchemaKind::Alternatives("type", schema.of_each_type())
            };
        }
        (None, _) if schema.items().is_some() => SchemaType::Array,
        (None, _) if schema.additional_properties().is_some() => SchemaType::Object,
        (None, _) => return kind_of_values(schema),
    };
    match sole {
        SchemaType::Array if schema.is_tuple() => {
            let elements = schema.first_items().into_iter().chain(schema.items());
            SchemaKind::List(Content::new(schema.first_items_keyword(), elements.collect()))
        }
        SchemaType::Array => SchemaKind::List(schema.items().into()),
        SchemaType::Object => SchemaKind::Map(values_of_map(schema)),
        _ => SchemaKind::Simple(Type::Value),
    }
}

/// Returns the kind of the values that a schema lists, which can have several types.
fn kind_of_values<'d>(schema: &Schema<'d>) -> SchemaKind<'d> {
    let of_each_type = schema.of_each_type_of_value();
    match of_each_type.as_slice() {
        [] => SchemaKind::Simple(Type::Value),
        [sole] => classify(sole, false).kind,
        _ => SchemaKind::Alternatives("enum", of_each_type),
    }
}

/// Returns whether a schema only describes objects (or null).
pub fn is_object(schema: &Schema<'_>) -> bool {
    if schema.types().next().is_some() {
        return schema.has_only(SchemaType::Object);
    }
    schema.has_properties() || schema.additional_properties().is_some()
}

/// Returns whether a schema describes an object that names its type in `@type`, and nothing else of it.
fn is_typed_object(schema: &Schema<'_>) -> bool {
    let mut properties = schema.properties();
    let is_type = |(name, ty): (&str, Schema<'_>)| {
        name == "@type" && ty.has_only(SchemaType::String) && !ty.lists_values()
    };
    is_object(schema)
        && properties.next().is_some_and(is_type)
        && properties.next().is_none()
        && matches!(schema.additional_properties(), Some(AdditionalProperties::Any(true)))
        && !schema.has("oneOf")
}

/// Returns the properties of a union: the branches of a `oneOf` are objects with one required property each, and no two
/// have the same.
pub fn member_union<'d>(schema: &Schema<'d>) -> Option<Vec<Branch<'d>>> {
    let mut seen = HashSet::new();
    let members = schema.one_of().into_iter().map(|branch| {
        let member = member_branch(branch)?;
        seen.insert(member.property).then_some(member)
    });
    members.collect::<Option<Vec<_>>>().filter(|members| !members.is_empty())
}

fn member_branch(schema: Schema<'_>) -> Option<Branch<'_>> {
    let mut required = schema.required();
    let mut properties = schema.properties();
    let (property, value) = properties.next()?;
    let is_member = required.next() == Some(property)
        && required.next().is_none()
        && properties.next().is_none()
        && schema.reference().is_none()
        && !schema.has_all_of()
        && !schema.has("oneOf");
    is_member.then_some(Branch { schema, property, value })
}

/// Returns the schema that another one only wraps: the only part of `allOf` that is more than a remark, or the only
/// branch of `oneOf` or `anyOf` besides null.
pub fn sole_part<'d>(schema: &Schema<'d>) -> Option<Schema<'d>> {
    if describes_more_than_type(schema) {
        return None;
    }
    let mut all = schema.all_of();
    let mut one = schema.one_of();
    let any = schema.any_of();
    if one.is_empty() && any.is_empty() && !all.is_empty() {
        all.retain(|part| !is_silent(part));
        return all.pop().filter(|_| all.is_empty());
    }
    if !all.is_empty() || !(one.is_empty() || any.is_empty()) {
        return None;
    }
    one.extend(any);
    one.retain(|schema| !is_null(schema));
    one.pop().filter(|sole| one.is_empty() && member_branch(sole.clone()).is_none())
}

/// Returns the values of an object whose properties are described by patterns, or all alike. Without
/// `additionalProperties`, the patterns are taken for all properties.
fn values_of_map<'d>(schema: &Schema<'d>) -> Content<'d> {
    let mut values = schema.patterns();
    match schema.additional_properties() {
        Some(AdditionalProperties::Any(true)) => return Content::Any,
        Some(AdditionalProperties::Schema(others)) => values.push(others),
        Some(AdditionalProperties::Any(false)) | None => {}
    }
    Content::new("patternProperties", values)
}

impl<'d> Content<'d> {
    /// Returns values that have one of several schemas, the branches of a keyword.
    fn new(keyword: &'static str, mut schemas: Vec<Schema<'d>>) -> Self {
        schemas.retain(|schema| !schema.is_false());
        match sole_schema(&schemas) {
            _ if schemas.is_empty() || schemas.iter().any(is_silent) => Self::Any,
            Some(sole) => Self::Of(sole),
            None => Self::Mixed(keyword, schemas),
        }
    }
}

impl<'d> From<Option<Schema<'d>>> for Content<'d> {
    fn from(schema: Option<Schema<'d>>) -> Self {
        schema.map_or(Self::Any, Self::Of)
    }
}

/// Returns the first of several schemas, if all have the same type.
fn sole_schema<'d>(schemas: &[Schema<'d>]) -> Option<Schema<'d>> {
    let (first, others) = schemas.split_first()?;
    let kind = classify(first, false).kind;
    let is_same = |other: &Schema<'d>| match (&kind, classify(other, false).kind) {
        (SchemaKind::Simple(one), SchemaKind::Simple(other)) => *one == other,
        (SchemaKind::Ref(one), SchemaKind::Ref(other)) => one.reference() == other.reference(),
        _ => first.is_same(other),
    };
    others.iter().all(is_same).then(|| first.clone())
}
