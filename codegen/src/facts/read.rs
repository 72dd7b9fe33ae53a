//! Reads the values of schemas: what a keyword means is decided here, once.

use std::borrow::Cow;
use std::collections::HashMap;

use super::constraints::{
    has_alternatives, is_about_bytes, is_about_lists, is_about_objects, is_null_among,
};
use super::containers::Containers;
use super::listing::{Listing, ReferencedEnum};
use super::values::{Null, Numbers, Range, TextFormat, Texts, Values};
use crate::document::{Node, Pointer, Schema, SchemaType};
use crate::ir::{JsonKind, Scalar};

/// Maximum nesting of the schemas that are read for one schema.
const MAX_DEPTH: usize = 24;

/// What schemas say, as a lattice: with [`meet`](Read::meet) for schemas that all apply, and [`join`](Read::join) for
/// alternatives.
pub trait Read<'d>: Clone {
    /// Any value.
    const ANY: Self;

    /// No value.
    const NONE: Self;

    /// Returns what two schemas allow together, the later one first.
    #[must_use]
    fn meet(self, other: Self) -> Self;

    /// Returns what one or the other of two schemas allows.
    #[must_use]
    fn join(self, other: Self) -> Self;

    /// Reads the keywords of a schema itself.
    fn of_keywords(schema: &Schema<'d>) -> Self;

    fn values(&mut self) -> &mut Values<'d>;

    /// Reads a schema, through references, `allOf` and alternatives.
    fn of(schema: &Schema<'d>) -> Self {
        Self::of_some(schema, &|_| true)
    }

    /// Reads a schema with only those of its alternatives for which `is_meant` is true.
    fn of_some(schema: &Schema<'d>, is_meant: &dyn Fn(&Self) -> bool) -> Self {
        SchemaReader::new(is_meant, &mut Known::default()).read(schema)
    }

    /// Reads what several alternatives have in common.
    fn of_any(schemas: &[Schema<'d>]) -> Self {
        Known::default().any(schemas)
    }

    /// Reads what several schemas say together.
    fn of_all(schemas: &[Schema<'d>]) -> Self {
        schemas.iter().map(Self::of).fold(Self::ANY, |all, read| read.meet(all))
    }
}

impl<'d> Read<'d> for Values<'d> {
    const ANY: Self = Self {
        booleans: Some(Listing::ANY),
        numbers: Some(Numbers::ANY),
        texts: Some(Texts::ANY),
        lists: Some(Containers::ANY),
        objects: Some(Containers::ANY),
        null: Null::Silent,
        is_secret: false,
    };

    const NONE: Self = Self {
        booleans: None,
        numbers: None,
        texts: None,
        lists: None,
        objects: None,
        null: Null::Excluded,
        is_secret: false,
    };

    fn meet(self, other: Self) -> Self {
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

    fn join(self, other: Self) -> Self {
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

    fn of_keywords(schema: &Schema<'d>) -> Self {
        own(schema)
    }

    fn values(&mut self) -> &mut Self {
        self
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

#[cfg(test)]
thread_local! {
    /// The number of schemas that were read.
    pub static READS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// What the targets of references say: however many schemas refer to one, it is read once.
pub struct Known<T>(HashMap<Pointer, T>);

impl<T> Default for Known<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<'d, T: Read<'d>> Known<T> {
    /// Reads a schema, through references, `allOf` and alternatives.
    pub fn read(&mut self, schema: &Schema<'d>) -> T {
        SchemaReader::new(&|_| true, self).read(schema)
    }

    /// Reads what several alternatives have in common.
    pub fn any(&mut self, schemas: &[Schema<'d>]) -> T {
        SchemaReader::new(&|_| true, self).any(schemas).0
    }
}

/// Reads schemas.
struct SchemaReader<'a, T> {
    /// Whether an alternative is meant.
    is_meant: &'a dyn Fn(&T) -> bool,
    /// The targets that say the same wherever they are referred to.
    known: &'a mut Known<T>,
    /// The targets that say this only within the schemas around them, with the number of those that they extend: until the
    /// outermost target ends, they are read once, too.
    partial: HashMap<Pointer, (T, usize)>,
    /// The targets of the references that are being followed: a schema that contains itself restricts nothing.
    following: Vec<Pointer>,
    /// The schemas whose `allOf` is being read, each with the targets that are partial until it ends: a base that lists them
    /// as its alternatives lists others, too.
    extending: Vec<(Pointer, Vec<Pointer>)>,
    /// What the values that were read last depend on.
    around: Around,
    depth: usize,
}

/// The schemas around values that these depend on.
#[derive(Clone, Copy)]
struct Around {
    /// The index of the outermost target that is being followed; `usize::MAX` if there is none.
    followed: usize,
    /// The number of the schemas that are being extended, up to the innermost one that is left out.
    extended: usize,
}

impl Around {
    const NONE: Self = Self { followed: usize::MAX, extended: 0 };

    fn and(self, other: Self) -> Self {
        Self {
            followed: self.followed.min(other.followed),
            extended: self.extended.max(other.extended),
        }
    }
}

impl<'a, T> SchemaReader<'a, T> {
    fn new(is_meant: &'a dyn Fn(&T) -> bool, known: &'a mut Known<T>) -> Self {
        Self {
            is_meant,
            known,
            partial: HashMap::new(),
            following: Vec::new(),
            extending: Vec::new(),
            around: Around::NONE,
            depth: 0,
        }
    }
}

/// Returns whether the `type` of a schema contradicts its alternatives, or some alternatives of an object
/// (`has_others`). The `type` is then a mistake: only the alternatives count.
fn excludes(
    schema: &Schema<'_>,
    values: &Values<'_>,
    alternatives: &Values<'_>,
    has_others: bool,
) -> bool {
    let kinds = alternatives.kinds();
    let has_types = schema.types().next().is_some();
    let is_object = schema.has_only(SchemaType::Object) || !has_types && is_about_objects(schema);
    !kinds.is_empty() && (has_types && !values.overlaps(alternatives) || is_object && has_others)
}

impl<'d, T: Read<'d>> SchemaReader<'_, T> {
    fn read(&mut self, schema: &Schema<'d>) -> T {
        #[cfg(test)]
        READS.set(READS.get() + 1);
        let mut read = T::of_keywords(schema);
        if self.depth == MAX_DEPTH {
            self.around.followed = 0;
            return read;
        }
        self.depth += 1;
        if schema.reference().is_some() {
            read = self.target(schema).meet(read);
        }
        self.extending.push((schema.pointer.clone(), Vec::new()));
        for part in schema.all_of() {
            read = self.read(&part).meet(read);
        }
        let (_, partial) = self.extending.pop().unwrap_or_default();
        for target in partial {
            self.partial.remove(&target);
        }
        self.around.extended = self.around.extended.min(self.extending.len());
        for branches in [schema.one_of(), schema.any_of()] {
            if !branches.is_empty() && !self.extends_one_of(&branches) {
                let (mut alternatives, has_others) = self.any(&branches);
                let values = alternatives.values();
                for containers in [&mut values.lists, &mut values.objects].into_iter().flatten() {
                    containers.describe_alternatives(schema, has_alternatives(&branches, schema));
                }
                let values = values.clone();
                let is_slip = excludes(schema, read.values(), &values, has_others);
                let values = values.with_annotations_of(read.values());
                read = read.meet(alternatives);
                if is_slip {
                    *read.values() = values;
                }
            }
        }
        self.depth -= 1;
        read
    }

    fn extends_one_of(&mut self, branches: &[Schema<'d>]) -> bool {
        let mut targets = branches.iter().filter_map(Schema::target);
        let position = targets.find_map(|target| {
            self.extending.iter().rposition(|(extending, _)| *extending == target.pointer)
        });
        self.around.extended = self.around.extended.max(position.map_or(0, |index| index + 1));
        position.is_some()
    }

    /// Returns the values of the target of a reference. If it lists values, it is recorded as their source.
    fn target(&mut self, schema: &Schema<'d>) -> T {
        let Some(target) = schema.target().filter(|target| !self.is_followed(&target.pointer))
        else {
            return T::ANY;
        };
        let mut read = if let Some(known) = self.known.0.get(&target.pointer) {
            known.clone()
        } else if let Some((partial, extended)) = self.partial.get(&target.pointer) {
            self.around = self.around.and(Around { followed: 0, extended: *extended });
            partial.clone()
        } else {
            self.followed(&target)
        };
        let values = read.values();
        if values.only_kind().is_some() {
            for listing in values.listings().filter(|listing| listing.is_enum()) {
                listing.source =
                    Some(ReferencedEnum { reference: schema.clone(), is_open: listing.is_open });
            }
        }
        read
    }

    /// Returns whether the target of a reference is being followed.
    fn is_followed(&mut self, target: &Pointer) -> bool {
        let position = self.following.iter().position(|followed| followed == target);
        self.around.followed = self.around.followed.min(position.unwrap_or(usize::MAX));
        position.is_some()
    }

    /// Reads the target of a reference.
    fn followed(&mut self, target: &Schema<'d>) -> T {
        let index = self.following.len();
        let around = std::mem::replace(&mut self.around, Around::NONE);
        let depth = self.depth;
        // The first one says the same wherever it is referred to.
        self.depth = if index == 0 { 0 } else { depth };
        self.following.push(target.pointer.clone());
        let read = self.read(target);
        self.following.pop();
        self.depth = depth;
        if index == 0 {
            self.partial.clear();
        }
        let Around { followed, extended } = self.around;
        if followed >= index && extended == 0 {
            self.known.0.insert(target.pointer.clone(), read.clone());
            self.around = Around::NONE;
        } else {
            self.partial.insert(target.pointer.clone(), (read.clone(), extended));
            let innermost = extended.checked_sub(1).and_then(|index| self.extending.get_mut(index));
            if let Some((_, partial)) = innermost {
                partial.push(target.pointer.clone());
            }
        }
        self.around = self.around.and(around);
        read
    }

    /// Returns the values of alternatives, and whether one of them excludes objects. Null and the empty text allow the
    /// others to be absent.
    fn any(&mut self, branches: &[Schema<'d>]) -> (T, bool) {
        let mut others = branches.to_vec();
        // A union that is one of its own branches has only the values of the others.
        let mut is_followed =
            |branch: &Schema<'d>| branch.target().is_some_and(|it| self.is_followed(&it.pointer));
        let is_null = |branch: &Schema<'d>| is_null_among(branch, branches);
        others.retain(|branch| !branch.is_false() && !is_null(branch) && !is_followed(branch));
        let has_null = branches.iter().any(is_null);
        let has_several = others.len() > 1;
        let mut has_others = false;
        let is_meant = self.is_meant;
        let all = others.iter().map(|branch| {
            let mut read = self.read(branch);
            let values = read.values();
            if let Some(texts) =
                values.texts.as_mut().filter(|it| it.listing.is_blank() && has_several)
            {
                texts.listing = Listing::ANY;
            }
            if let Some(Numbers { listing: Listing { values, source: None, .. }, .. }) =
                &mut values.numbers
                && let [only] = values.as_mut_slice()
            {
                only.name = only.name.or(branch.title());
            }
            has_others |= !values.allows(JsonKind::Object) && !values.kinds().is_empty();
            read
        });
        let mut any = all.filter(is_meant).reduce(T::join).unwrap_or(T::NONE);
        let values = any.values();
        if has_null || values.is_nullable() {
            values.null = Null::Asked;
        }
        (any, has_others)
    }
}

/// Returns the values that the keywords of a schema itself allow.
fn own<'d>(schema: &Schema<'d>) -> Values<'d> {
    if schema.is_false() {
        return Values::NONE;
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
    let containers =
        |is_described: bool| if is_described { Containers::of(schema) } else { Containers::ANY };
    let is_nullable = schema.flag("nullable");
    let is_open = types.is_empty() && only.is_none() && !is_listed;
    let is_wrapper = || schema.inner().len() == 1 && !schema.has_properties();
    Values {
        booleans: allows(SchemaType::Boolean).then(|| {
            Listing::of(schema, |value| value.as_bool().map(|value| value.to_string().into()))
        }),
        numbers: (allows(SchemaType::Number) || allows(SchemaType::Integer))
            .then(|| numbers(schema, &types, &nodes)),
        texts: allows(SchemaType::String).then(|| texts(schema)),
        lists: allows(SchemaType::Array).then(|| containers(is_about_lists(schema))),
        objects: allows(SchemaType::Object)
            .then(|| containers(is_about_objects(schema) || schema.required().next().is_some())),
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
    if let [only] = listing.values.as_mut_slice() {
        only.description = only.description.or(schema.title());
    }
    let typed = schema.format().and_then(Scalar::of_format).map(TextFormat::Typed);
    let format = typed.or_else(|| is_about_bytes(schema).then_some(TextFormat::Binary));
    Texts { listing, formats: format.into_iter().collect() }
}
