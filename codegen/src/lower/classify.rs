//! The kind of a schema: known before anything is lowered, so that components are named first.

use crate::document::Schema;
use crate::facts::{Branch, Containers, Known, Listing, Values, composition, is_null, is_silent};
use crate::ir::{EnumKind, JsonKind, Type};
use crate::lower::Alternative;

/// The kind of a schema, with its parts.
#[derive(Clone, Debug)]
pub struct Classified<'d> {
    pub kind: SchemaKind<'d>,
    pub nullable: bool,
    /// Whether the value is redacted in logs (`format: password`).
    pub secret: bool,
    /// The format of scalars of one kind, unless they are listed.
    pub format: Option<&'d str>,
}

#[derive(Clone, Debug)]
pub enum SchemaKind<'d> {
    /// A `$ref`, by the schema that holds it.
    Ref(Schema<'d>),
    Named(Definition<'d>),
    List(Content<'d>),
    /// An object whose properties are not described one by one.
    Map(Content<'d>),
    /// Branches of this keyword that do not form a union.
    Alternatives(&'static str, Vec<Schema<'d>>),
    /// The enum of a `$ref` next to any other value, as in `anyOf: [E, {type: string}]`.
    OpenEnum(EnumKind, Schema<'d>),
    /// A type that needs no name.
    Simple(Type),
    /// A construct without a Rust type.
    Untyped(&'static str),
}

/// The elements of a list, or the values of a map.
#[derive(Clone, Debug)]
pub struct Content<'d> {
    /// The keyword whose branches the schemas are.
    pub keyword: &'static str,
    /// Each value has one of these schemas. Empty if any value is allowed.
    pub schemas: Vec<Schema<'d>>,
}

#[derive(Clone, Debug)]
pub enum Definition<'d> {
    /// A struct, by the schema that has the `properties` and the `allOf`.
    Struct(Schema<'d>),
    Enum(EnumKind, Listing<'d>),
    /// An object with exactly one of several properties.
    Properties(Vec<Branch<'d>>),
    /// A value of one of several types.
    Union(Vec<Alternative<'d>>),
}

/// Classifies a schema. A component of type object without properties is a struct, because it has a name; an inline one
/// is a free-form object.
pub fn classify<'d>(schema: &Schema<'d>, is_component: bool, known: &Known<'d>) -> Classified<'d> {
    // The target of a reference has facts of its own.
    let own = schema.reference().map(|_| Values::of_keywords(schema));
    let values = own.unwrap_or_else(|| known.values(schema));
    Classified::of_scalars(&values).unwrap_or_else(|| Classified {
        kind: kind_of(schema, &values, is_component, known),
        nullable: values.is_nullable(),
        secret: values.is_secret,
        format: None,
    })
}

impl<'d> Classified<'d> {
    pub fn of_scalars(values: &Values<'d>) -> Option<Self> {
        let (ty, listed) = values.scalar()?;
        let kind = match listed {
            None => SchemaKind::Simple(ty),
            Some((kind, listing)) => match &listing.source {
                None => SchemaKind::Named(Definition::Enum(kind, listing.clone())),
                Some(it) if listing.is_open && !it.is_open => {
                    SchemaKind::OpenEnum(kind, it.reference.clone())
                }
                Some(it) => SchemaKind::Ref(it.reference.clone()),
            },
        };
        let format = values.format();
        Some(Self { kind, nullable: values.is_nullable(), secret: values.is_secret, format })
    }
}

/// Returns the kind of a schema of other values than scalars of one kind.
fn kind_of<'d>(
    schema: &Schema<'d>,
    values: &Values<'d>,
    is_component: bool,
    known: &Known<'d>,
) -> SchemaKind<'d> {
    if schema.reference().is_some() {
        return SchemaKind::Ref(schema.clone());
    }
    if let Some(inner) = composition::wrapped(schema) {
        return classify(&inner, is_component, known).kind;
    }
    let has_several_kinds = values.kinds().len() > 1;
    let has_parts = composition::has_parts(schema);
    let mut keywords = composition::alternatives(schema);
    match keywords.pop() {
        Some((keyword, branches)) if schema.has_properties() && has_several_kinds => {
            let branches = composition::with_properties(branches, schema, known);
            return alternatives_of(keyword, branches);
        }
        Some(last) if !schema.has_properties() && !has_parts => {
            let members = composition::member_union(schema)
                .filter(|members| members.iter().all(|it| it.retains_others(known)));
            let (keyword, branches) = keywords.into_iter().next().unwrap_or(last);
            let named = members.map(|all| SchemaKind::Named(Definition::Properties(all)));
            return named.unwrap_or_else(|| alternatives_of(keyword, branches));
        }
        _ if has_several_kinds && !has_parts && !values.is_any() => {
            let (keyword, schemas) = schema.of_each_kind();
            return alternatives_of(keyword, schemas);
        }
        _ => {}
    }
    let is_map = |objects: &Containers<'d>| {
        if has_parts {
            !is_component && objects.is_map() && !objects.values(known).is_empty()
        } else {
            !composition::is_struct(schema, is_component)
        }
    };
    match (values.only_kind(), &values.lists, &values.objects) {
        (Some(JsonKind::Array), Some(lists), _) => {
            SchemaKind::List(Content::new(lists.elements(known), known))
        }
        (Some(_), _, Some(objects)) if !has_parts && objects.is_typed(known) => {
            SchemaKind::Simple(Type::TypedObject)
        }
        (Some(_), _, Some(objects)) if is_map(objects) => {
            SchemaKind::Map(Content::new(("patternProperties", objects.values(known)), known))
        }
        (only, _, Some(_)) if has_parts || only.is_some() => {
            SchemaKind::Named(Definition::Struct(schema.clone()))
        }
        _ if has_parts => SchemaKind::Untyped("an `allOf` of different types"),
        _ => SchemaKind::Simple(Type::Value),
    }
}

/// Returns the kind of the branches of a keyword. If one of them allows anything, they all do.
fn alternatives_of<'d>(keyword: &'static str, branches: Vec<Schema<'d>>) -> SchemaKind<'d> {
    if branches.iter().any(|branch| is_silent(branch) && !branch.is_false() && !is_null(branch)) {
        return SchemaKind::Simple(Type::Value);
    }
    SchemaKind::Alternatives(keyword, branches)
}

impl<'d> Content<'d> {
    /// Returns values that have one of several schemas, the branches of a keyword.
    pub fn new((keyword, mut schemas): (&'static str, Vec<Schema<'d>>), known: &Known<'d>) -> Self {
        schemas.retain(|schema| !schema.is_false());
        if schemas.iter().any(is_silent) {
            schemas.clear();
        } else if let Some(common) = common_schema(&schemas, known) {
            schemas = vec![common];
        }
        Self { keyword, schemas }
    }

    /// Returns the contents of one or the other.
    pub fn join(&self, other: &Self, known: &Known<'d>) -> Self {
        let is_any = self.schemas.is_empty() || other.schemas.is_empty();
        let both = [self.schemas.as_slice(), &other.schemas].concat();
        Self::new(("oneOf", if is_any { Vec::new() } else { both }), known)
    }
}

/// Returns one of several schemas, if all have the same values: the first that may be null, or else the first.
fn common_schema<'d>(schemas: &[Schema<'d>], known: &Known<'d>) -> Option<Schema<'d>> {
    let (first, others) = schemas.split_first()?;
    let values = known.values(first);
    let is_same = |other: &Schema<'d>| {
        first.is_same(other) || values.is_scalar() && values.is_same(&known.values(other))
    };
    let is_nullable = |schema: &&Schema<'d>| known.values(schema).is_nullable();
    let is_common = others.iter().all(is_same);
    is_common.then(|| schemas.iter().find(is_nullable).unwrap_or(first).clone())
}
