//! Reads the values of schemas: what a keyword means is decided here, once.

use std::borrow::Cow;
use std::collections::HashMap;

use super::constraints::{is_about_objects, is_null};
use super::listing::{Listing, Source};
use super::values::{Format, Null, Numbers, Range, Texts, Values};
use crate::document::{Node, Pointer, Schema, SchemaType};

/// Maximum nesting of the schemas that are read for one schema.
pub(super) const MAX_DEPTH: usize = 24;

impl<'d> Values<'d> {
    /// Reads the values that a schema allows, through references, `allOf` and alternatives.
    pub fn of(schema: &Schema<'d>) -> Self {
        Reader::default().read(schema)
    }

    /// Reads the values that several schemas allow together.
    pub fn of_all(schemas: &[Schema<'d>]) -> Self {
        schemas.iter().map(Self::of).fold(Self::ANY, |all, values| values.meet(all))
    }

    /// Reads the values that any of several schemas allows.
    pub fn of_any(schemas: &[Schema<'d>]) -> Self {
        Reader::default().any(schemas).values
    }

    /// Reads the values that the keywords of a schema itself allow.
    pub fn of_keywords(schema: &Schema<'d>) -> Self {
        own(schema)
    }
}

/// Reads schemas.
#[derive(Default)]
struct Reader<'d> {
    /// The values of the targets of references: each is read once.
    known: HashMap<Pointer, Values<'d>>,
    /// The targets of the references that are being followed: a schema that contains itself restricts nothing.
    following: Vec<Pointer>,
    depth: usize,
}

/// The values of alternatives.
struct Alternatives<'d> {
    values: Values<'d>,
    /// Whether one of them excludes objects.
    has_others: bool,
}

/// Returns whether the type of a schema excludes its alternatives, or some of those of an object: then it is a slip, and
/// they apply.
fn excludes(schema: &Schema<'_>, values: &Values<'_>, alternatives: &Alternatives<'_>) -> bool {
    let kinds = alternatives.values.kinds();
    let has_types = schema.types().next().is_some();
    let is_object = schema.has_only(SchemaType::Object) || !has_types && is_about_objects(schema);
    !kinds.is_empty()
        && (has_types && values.kinds().is_disjoint(&kinds) || is_object && alternatives.has_others)
}

impl<'d> Reader<'d> {
    fn read(&mut self, schema: &Schema<'d>) -> Values<'d> {
        let mut values = own(schema);
        if self.depth == MAX_DEPTH {
            return values;
        }
        self.depth += 1;
        if schema.reference().is_some() {
            values = self.target(schema).meet(values);
        }
        for part in schema.all_of() {
            values = self.read(&part).meet(values);
        }
        for branches in [schema.one_of(), schema.any_of()] {
            if !branches.is_empty() {
                let alternatives = self.any(&branches);
                values = if excludes(schema, &values, &alternatives) {
                    alternatives.values.with_annotations_of(&values)
                } else {
                    values.meet(alternatives.values)
                };
            }
        }
        self.depth -= 1;
        values
    }

    /// Returns the values of the target of a reference, which is their source if they are listed.
    fn target(&mut self, schema: &Schema<'d>) -> Values<'d> {
        let Some(target) = schema.target().filter(|it| !self.following.contains(&it.pointer))
        else {
            return Values::ANY;
        };
        let mut values = if let Some(values) = self.known.get(&target.pointer) {
            values.clone()
        } else {
            self.following.push(target.pointer.clone());
            let values = self.read(&target);
            self.following.pop();
            self.known.insert(target.pointer.clone(), values.clone());
            values
        };
        if values.kinds().len() == 1 {
            let numbers = values.numbers.as_mut().map(|numbers| &mut numbers.listing);
            let texts = values.texts.as_mut().map(|texts| &mut texts.listing);
            for listing in numbers.into_iter().chain(texts).filter(|listing| listing.is_enum()) {
                listing.source =
                    Some(Source { reference: schema.clone(), is_open: listing.is_open });
            }
        }
        values
    }

    /// Returns the values of alternatives. Null allows the others to be absent, and so does the empty text.
    fn any(&mut self, branches: &[Schema<'d>]) -> Alternatives<'d> {
        let mut others = branches.to_vec();
        // A union that is one of its own branches has no other values than those of the others.
        let is_followed = |branch: &Schema<'d>| {
            branch.target().is_some_and(|it| self.following.contains(&it.pointer))
        };
        others.retain(|branch| !branch.is_false() && !is_null(branch) && !is_followed(branch));
        let has_null = branches.iter().any(is_null);
        let has_several = others.len() > 1;
        let mut has_others = false;
        let values = others.iter().map(|branch| {
            let mut values = self.read(branch);
            if let Some(texts) =
                values.texts.as_mut().filter(|it| it.listing.is_blank() && has_several)
            {
                texts.listing = Listing::ANY;
            }
            if let Some(Numbers { listing: Listing { values, source: None, .. }, .. }) =
                &mut values.numbers
                && let [sole] = values.as_mut_slice()
            {
                sole.name = sole.name.or(branch.title());
            }
            has_others |= !values.has_objects && !values.kinds().is_empty();
            values
        });
        let mut values = values.reduce(Values::join).unwrap_or(Values::NONE);
        values.null.is_asked |= has_null || values.is_nullable();
        Alternatives { values, has_others }
    }
}

/// Returns the values that the keywords of a schema itself allow.
fn own<'d>(schema: &Schema<'d>) -> Values<'d> {
    if schema.is_false() {
        return Values::NONE;
    }
    let types: Vec<SchemaType> = schema.types().collect();
    let nodes: Vec<&Node> =
        schema.listed().map(|(_, value)| value).chain(schema.constant()).collect();
    let is_listed = !nodes.is_empty();
    // A keyword for one kind of values means this kind if there is no type.
    let sole = match () {
        () if !types.is_empty() || is_listed => None,
        () if is_about_objects(schema) => Some(SchemaType::Object),
        () if schema.items().is_some() || schema.is_tuple() => Some(SchemaType::Array),
        () => None,
    };
    let allows = |ty: SchemaType| match sole {
        Some(sole) => sole == ty,
        None if !types.is_empty() => types.contains(&ty),
        None => !is_listed || nodes.iter().any(|node| SchemaType::of_value(node) == ty),
    };
    let is_nullable = schema.flag("nullable");
    let is_open = types.is_empty() && sole.is_none() && !is_listed;
    Values {
        booleans: allows(SchemaType::Boolean).then(|| {
            Listing::of(schema, |value| value.as_bool().map(|value| value.to_string().into()))
        }),
        numbers: (allows(SchemaType::Number) || allows(SchemaType::Integer))
            .then(|| numbers(schema, &types, &nodes)),
        texts: allows(SchemaType::String).then(|| texts(schema)),
        has_lists: allows(SchemaType::Array),
        has_objects: allows(SchemaType::Object),
        null: Null {
            is_allowed: is_nullable
                || is_open
                || types.contains(&SchemaType::Null)
                || nodes.iter().any(|node| node.is_null()),
            is_asked: is_nullable && is_open,
        },
        is_secret: schema.format() == Some("password"),
    }
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
    let is_integer = types.contains(&SchemaType::Integer) && !types.contains(&SchemaType::Number);
    let range = Range::of_format(schema.format());
    Numbers { is_integer: is_integer || listing.is_enum(), listing, range }
}

/// Returns the strings that a schema allows. Next to `type: string`, values can be written without quotes.
fn texts<'d>(schema: &Schema<'d>) -> Texts<'d> {
    let is_only = schema.has_only(SchemaType::String);
    let text = |value: &'d Node| match value {
        Node::String(text) => Some(Cow::from(text.as_str())),
        value => value.scalar().filter(|_| is_only).map(Cow::from),
    };
    let mut listing = Listing::of(schema, text);
    if let [sole] = listing.values.as_mut_slice() {
        sole.description = sole.description.or(schema.title());
    }
    let format = match schema.format() {
        Some("date-time") => Some(Format::DateTime),
        Some("int64") => Some(Format::Int64),
        Some("uint64") => Some(Format::UInt64),
        Some("binary") => Some(Format::Binary),
        _ => schema.is_binary_content().then_some(Format::Binary),
    };
    Texts { listing, formats: format.into_iter().collect() }
}
