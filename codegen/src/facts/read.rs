//! Reads the values of schemas: what a keyword means is decided here, once.

use std::borrow::Cow;

use super::constraints::{is_about_bytes, is_about_lists, is_about_objects};
use super::containers::Containers;
use super::listing::Listing;
use super::values::{Null, Numbers, Range, TextFormat, Texts, Values};
use crate::document::{Node, Schema, SchemaType};
use crate::ir::Scalar;

impl<'d> Values<'d> {
    pub const ANY: Self = Self {
        booleans: Some(Listing::ANY),
        numbers: Some(Numbers::ANY),
        texts: Some(Texts::ANY),
        lists: Some(Containers::ANY),
        objects: Some(Containers::ANY),
        null: Null::Silent,
        is_secret: false,
    };

    pub const NONE: Self = Self {
        booleans: None,
        numbers: None,
        texts: None,
        lists: None,
        objects: None,
        null: Null::Excluded,
        is_secret: false,
    };

    /// Returns what two schemas allow together, the later one first.
    #[must_use]
    pub fn meet(self, other: Self) -> Self {
        Self {
            booleans: meet(self.booleans, other.booleans, Listing::meet),
            numbers: meet(self.numbers, other.numbers, Numbers::meet),
            texts: meet(self.texts, other.texts, Texts::meet),
            lists: meet(self.lists, other.lists, Containers::meet),
            objects: meet(self.objects, other.objects, Containers::meet),
            null: self.null.max(other.null),
            is_secret: self.is_secret || other.is_secret,
        }
    }

    /// Returns what one or the other of two schemas allows.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self {
            booleans: join(self.booleans, other.booleans, Listing::join),
            numbers: join(self.numbers, other.numbers, Numbers::join),
            texts: join(self.texts, other.texts, Texts::join),
            lists: join(self.lists, other.lists, Containers::join),
            objects: join(self.objects, other.objects, Containers::join),
            null: self.null.join(other.null),
            is_secret: self.is_secret || other.is_secret,
        }
    }

    pub fn equals(&self, other: &Self) -> bool {
        self.null == other.null && self.is_same(other)
    }

    /// Returns the values that the keywords of a schema itself allow.
    pub fn of_keywords(schema: &Schema<'d>) -> Self {
        if schema.is_false() {
            return Self::NONE;
        }
        let mut types: Vec<SchemaType> = schema.types().collect();
        if let Some(number) = quotable_number(schema, &types) {
            types.retain(|ty| *ty == SchemaType::Null);
            types.push(number);
        }
        let nodes: Vec<&Node> = match schema.constant() {
            Some(constant) => vec![constant],
            None => schema.listed().map(|(_, value)| value).collect(),
        };
        let is_listed = !nodes.is_empty();
        // A keyword for one kind of values means this kind if there is no type.
        let only = match () {
            () if !types.is_empty() || is_listed => None,
            () if is_about_objects(schema) => Some(SchemaType::Object),
            () if is_about_lists(schema) => Some(SchemaType::Array),
            () if is_about_bytes(schema) => Some(SchemaType::String),
            () => None,
        };
        let allows = |ty: SchemaType| match only {
            Some(only) => only == ty,
            None if !types.is_empty() => {
                let is_listed = |ty| nodes.iter().any(|node| SchemaType::of_value(node) == ty);
                types.contains(&ty)
                    && (types.len() == 1 || !types.iter().copied().any(is_listed) || is_listed(ty))
            }
            None => !is_listed || nodes.iter().any(|node| SchemaType::of_value(node) == ty),
        };
        let containers = |is_described: bool| {
            if is_described { Containers::of(schema) } else { Containers::ANY }
        };
        let is_nullable = schema.flag("nullable");
        let is_open = types.is_empty() && only.is_none() && !is_listed;
        let is_wrapper = || schema.inner().len() == 1 && !schema.has_properties();
        Self {
            booleans: allows(SchemaType::Boolean).then(|| {
                Listing::of(schema, |value| value.as_bool().map(|value| value.to_string().into()))
            }),
            numbers: (allows(SchemaType::Number) || allows(SchemaType::Integer))
                .then(|| numbers(schema, &types, &nodes)),
            texts: allows(SchemaType::String).then(|| texts(schema)),
            lists: allows(SchemaType::Array).then(|| containers(is_about_lists(schema))),
            objects: allows(SchemaType::Object).then(|| {
                containers(is_about_objects(schema) || schema.required().next().is_some())
            }),
            null: match () {
                () if is_nullable && (is_open || is_wrapper()) => Null::Asked,
                () if is_nullable || types.contains(&SchemaType::Null) => Null::Allowed,
                () if nodes.iter().any(|node| node.is_null()) => Null::Allowed,
                () if types.is_empty() && !is_listed => Null::Silent,
                () => Null::Excluded,
            },
            is_secret: schema.format() == Some("password"),
        }
    }
}

fn meet<T>(one: Option<T>, other: Option<T>, of_both: fn(T, T) -> T) -> Option<T> {
    one.zip(other).map(|(one, other)| of_both(one, other))
}

fn join<T>(one: Option<T>, other: Option<T>, of_both: fn(T, T) -> T) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(of_both(one, other)),
        (one, other) => one.or(other),
    }
}

/// Returns the type of numbers that a server also reads from strings. ASP.NET describes all numbers in this way, in OpenAPI
/// 3.0 without a type, and writes them as numbers.
fn quotable_number(schema: &Schema<'_>, types: &[SchemaType]) -> Option<SchemaType> {
    let rest = schema.text("pattern")?.strip_prefix(r"^-?(?:0|[1-9]\d*)")?;
    let is_number = |ty: &SchemaType| matches!(ty, SchemaType::Integer | SchemaType::Number);
    if types.is_empty() && schema.format().is_some() {
        return Some(if rest == "$" { SchemaType::Integer } else { SchemaType::Number });
    }
    types.iter().copied().find(is_number).filter(|_| types.contains(&SchemaType::String))
}

/// Returns the numbers that a schema allows. They are listed if all of them are integers.
fn numbers<'d>(schema: &Schema<'d>, types: &[SchemaType], nodes: &[&Node]) -> Numbers<'d> {
    let is_number = |node: &&&Node| matches!(node, Node::Integer(_) | Node::Float(_));
    let integer = |value: &'d Node| match value {
        Node::Integer(value) => {
            i64::try_from(*value).ok().map(|value| Cow::from(value.to_string()))
        }
        _ => None,
    };
    let listing = Listing::of(schema, integer);
    let is_complete = nodes.iter().filter(is_number).count() == listing.values.len();
    let listing = if is_complete { listing } else { Listing::ANY };
    let mut range = Range::of_format(schema.format());
    let is_whole = |node: &&Node| !matches!(node, Node::Float(value) if value.fract() != 0.0);
    // The base type of these formats is `number` (OpenAPI Format Registry).
    let is_integer = if types.contains(&SchemaType::Number) {
        !range.is_default && nodes.iter().all(is_whole)
    } else {
        types.contains(&SchemaType::Integer)
    };
    let integers = nodes.iter().filter_map(|node| match node {
        Node::Integer(value) => Some(*value),
        _ => None,
    });
    // The format does not exclude a value that is listed.
    if let Some((min, max)) = integers.clone().min().zip(integers.max())
        && (min < range.min || max > range.max)
    {
        range = Range::new(min, max);
    }
    let format = schema.format();
    Numbers { is_integer: is_integer || listing.is_enum(), listing, range, format }
}

/// Returns the strings that a schema allows. Next to `type: string`, values can be written without quotes.
fn texts<'d>(schema: &Schema<'d>) -> Texts<'d> {
    let is_only = schema.has_only(SchemaType::String);
    let text = |value: &'d Node| match value {
        Node::String(text) => Some(Cow::from(text.as_str())),
        value => value.scalar().filter(|_| is_only).map(Cow::from),
    };
    let mut listing = Listing::of(schema, text);
    if let [only] = listing.values.as_mut_slice() {
        only.description = only.description.or(schema.title());
    }
    let typed = schema.format().and_then(Scalar::of_format).map(TextFormat::Typed);
    let format = typed.or_else(|| is_about_bytes(schema).then_some(TextFormat::Binary));
    Texts { listing, formats: format.into_iter().collect(), format: schema.format() }
}
