//! The values that a schema allows, by their kind.

use std::collections::{BTreeSet, HashSet};

use super::containers::Containers;
use super::listing::Listing;
use crate::document::Schema;
use crate::ir::{Constant, EnumKind, JsonKind, Scalar, Type};

/// The values that a schema allows: of each kind, those that it does.
#[derive(Clone, Debug)]
pub struct Values<'d> {
    pub booleans: Option<Listing<'d>>,
    pub numbers: Option<Numbers<'d>>,
    pub texts: Option<Texts<'d>>,
    pub lists: Option<Containers<'d>>,
    pub objects: Option<Containers<'d>>,
    pub null: Null,
    /// Whether values are redacted in logs (`format: password`).
    pub is_secret: bool,
}

/// Whether null is allowed. Of schemas that all apply, the later one in this order decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Null {
    /// No schema mentions it.
    Silent,
    /// A schema allows it next to its type.
    Allowed,
    /// A schema has only other types or values.
    Excluded,
    /// A schema without a type allows it, which applies to the others.
    Asked,
}

impl Null {
    pub(super) fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Excluded, null) | (null, Self::Excluded) => null,
            (one, other) => one.max(other),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Numbers<'d> {
    pub listing: Listing<'d>,
    pub is_integer: bool,
    pub range: Range,
    /// The format of all of them.
    pub format: Option<&'d str>,
}

/// The range of integers by their formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub min: i128,
    pub max: i128,
    /// Whether no format limits it.
    pub is_default: bool,
}

#[derive(Clone, Debug)]
pub struct Texts<'d> {
    pub listing: Listing<'d>,
    /// The formats that all of them have.
    pub formats: BTreeSet<TextFormat>,
    /// The format of all of them, also one without a type of its own.
    pub format: Option<&'d str>,
}

/// A format of strings with a type of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextFormat {
    Typed(Scalar),
    Binary,
}

/// Returns the values of a property.
pub type ValuesOf<'a, 'd> = dyn Fn(&Schema<'d>) -> Values<'d> + 'a;

impl Range {
    /// The range of integers without a format.
    pub const DEFAULT: Self =
        Self { is_default: true, ..Self::new(i64::MIN as i128, i64::MAX as i128) };

    pub(super) const fn new(min: i128, max: i128) -> Self {
        Self { min, max, is_default: false }
    }

    pub fn of_format(format: Option<&str>) -> Self {
        match format {
            Some("int32") => Self::new(i32::MIN.into(), i32::MAX.into()),
            Some("int64") => Self::new(i64::MIN.into(), i64::MAX.into()),
            Some("uint32") => Self::new(0, u32::MAX.into()),
            Some("uint64") => Self::new(0, u64::MAX.into()),
            _ => Self::DEFAULT,
        }
    }

    fn meet(self, other: Self) -> Self {
        match (self.is_default, other.is_default) {
            (true, false) => other,
            (false, true) => self,
            (is_default, _) => {
                Self { min: self.min.max(other.min), max: self.max.min(other.max), is_default }
            }
        }
    }

    fn join(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            is_default: self.is_default || other.is_default,
        }
    }

    fn is_within(self, min: impl Into<i128>, max: impl Into<i128>) -> bool {
        min.into() <= self.min && self.max <= max.into()
    }
}

impl Numbers<'_> {
    pub const ANY: Self =
        Self { listing: Listing::ANY, is_integer: false, range: Range::DEFAULT, format: None };

    pub(super) fn meet(self, other: Self) -> Self {
        Self {
            listing: self.listing.meet(other.listing),
            is_integer: self.is_integer || other.is_integer,
            range: self.range.meet(other.range),
            format: self.format.or(other.format),
        }
    }

    pub(super) fn join(self, other: Self) -> Self {
        Self {
            listing: self.listing.join(other.listing),
            is_integer: self.is_integer && other.is_integer,
            range: self.range.join(other.range),
            format: self.format.filter(|_| self.format == other.format),
        }
    }

    fn ty(&self) -> Type {
        Type::Scalar(match self.range {
            _ if !self.is_integer => Scalar::Float64,
            range if range.is_within(i32::MIN, i32::MAX) => Scalar::Int32,
            range if range.is_within(0, u32::MAX) => Scalar::UInt32,
            range if range.is_within(i64::MIN, i64::MAX) => Scalar::Int64,
            range if range.is_within(0, u64::MAX) => Scalar::UInt64,
            _ => Scalar::Int128,
        })
    }
}

impl Texts<'_> {
    pub const ANY: Self = Self { listing: Listing::ANY, formats: BTreeSet::new(), format: None };

    pub(super) fn meet(self, other: Self) -> Self {
        let formats = &self.formats | &other.formats;
        let format = self.format.or(other.format);
        Self { listing: self.listing.meet(other.listing), formats, format }
    }

    pub(super) fn join(self, other: Self) -> Self {
        let formats = &self.formats & &other.formats;
        let format = self.format.filter(|_| self.format == other.format);
        Self { listing: self.listing.join(other.listing), formats, format }
    }

    fn ty(&self) -> Type {
        let mut formats = self.formats.iter();
        match (formats.next(), formats.next()) {
            (Some(TextFormat::Typed(scalar)), None) => Type::Scalar(*scalar),
            (Some(TextFormat::Binary), None) => Type::Binary,
            _ => Type::String,
        }
    }
}

impl<'d> Values<'d> {
    /// Adds that null is allowed, and values are redacted, if a schema whose type does not apply declares it.
    pub(super) fn with_annotations_of(mut self, other: &Self) -> Self {
        if other.is_nullable() {
            self.null = Null::Asked;
        }
        self.is_secret |= other.is_secret;
        self
    }

    /// Returns whether none of the values is the only one of its kind.
    pub(super) fn is_open(&self) -> bool {
        let numbers = self.numbers.as_ref().map(|numbers| &numbers.listing);
        let texts = self.texts.as_ref().map(|texts| &texts.listing);
        [self.booleans.as_ref(), numbers, texts].into_iter().flatten().all(|it| it.is_open)
    }

    /// Returns values of the same kinds of which none is the only one.
    pub(super) fn opened(mut self) -> Self {
        self.booleans.iter_mut().for_each(|booleans| booleans.is_open = true);
        self.listings().for_each(|listing| listing.is_open = true);
        self
    }

    /// Returns the listings of numbers and strings.
    pub(super) fn listings(&mut self) -> impl Iterator<Item = &mut Listing<'d>> {
        let numbers = self.numbers.iter_mut().map(|numbers| &mut numbers.listing);
        numbers.chain(self.texts.iter_mut().map(|texts| &mut texts.listing))
    }

    pub fn items(&self) -> Option<&Schema<'d>> {
        self.lists.as_ref()?.items.as_ref()
    }

    pub fn is_nullable(&self) -> bool {
        self.null == Null::Asked || self.null == Null::Allowed && !self.is_any()
    }

    /// Returns whether other values than null are the same.
    pub fn is_same(&self, other: &Self) -> bool {
        let parts = |values: &Self| {
            let containers = [&values.lists, &values.objects];
            containers.map(|it| it.as_ref().map(|it| it.parts.len()))
        };
        parts(self) == parts(other) && form(self) == form(other)
    }

    /// Returns whether there is no value: the schemas list different ones.
    pub fn is_empty(&self) -> bool {
        self.constants().is_some_and(|constants| constants.is_empty())
    }

    /// Returns the kinds of the values other than null.
    pub fn kinds(&self) -> BTreeSet<JsonKind> {
        JsonKind::ALL.into_iter().filter(|kind| self.allows(*kind)).collect()
    }

    /// Returns the kind of the values other than null, if all have the same.
    pub fn only_kind(&self) -> Option<JsonKind> {
        let mut kinds = JsonKind::ALL.into_iter().filter(|kind| self.allows(*kind));
        kinds.next().filter(|_| kinds.next().is_none())
    }

    /// Returns whether any value is allowed, apart from lists of known ones.
    pub fn is_any(&self) -> bool {
        JsonKind::ALL.into_iter().all(|kind| self.allows(kind)) && !self.is_narrow()
    }

    /// Returns whether values of a kind are allowed.
    pub fn allows(&self, kind: JsonKind) -> bool {
        match kind {
            JsonKind::Boolean => self.booleans.is_some(),
            JsonKind::Number => self.numbers.is_some(),
            JsonKind::String => self.texts.is_some(),
            JsonKind::Array => self.lists.is_some(),
            JsonKind::Object => self.objects.is_some(),
        }
    }

    /// Returns whether another schema allows values of a kind that this one allows.
    pub fn overlaps(&self, other: &Self) -> bool {
        JsonKind::ALL.into_iter().any(|kind| self.allows(kind) && other.allows(kind))
    }

    /// Returns whether numbers are only integers, or strings only have a format with a type of its own.
    pub fn is_narrow(&self) -> bool {
        let is_integer = self.numbers.as_ref().is_some_and(|numbers| numbers.is_integer);
        is_integer || self.texts.as_ref().is_some_and(|texts| !texts.formats.is_empty())
    }

    /// Returns the format of scalars of one kind that are not listed.
    pub fn format(&self) -> Option<&'d str> {
        self.simple()?;
        let texts = self.texts.as_ref().and_then(|texts| texts.format);
        texts.or_else(|| self.numbers.as_ref()?.format)
    }

    pub fn is_binary(&self) -> bool {
        self.simple() == Some(Type::Binary)
    }

    pub fn is_time(&self) -> bool {
        self.texts.as_ref().is_some_and(|texts| texts.ty() == Type::Scalar(Scalar::Timestamp))
    }

    /// Returns whether all values are scalars, and there are any.
    pub fn is_scalar(&self) -> bool {
        self.lists.is_none() && self.objects.is_none() && !self.kinds().is_empty()
    }

    /// Returns the only values, if all of them are listed.
    pub fn constants(&self) -> Option<BTreeSet<Constant>> {
        let texts = self.texts.as_ref().map(|texts| &texts.listing);
        let numbers = self.numbers.as_ref().map(|numbers| &numbers.listing);
        let others = [self.booleans.as_ref(), numbers];
        let mut listings = others.into_iter().chain([texts]).flatten().peekable();
        let is_listed = listings.peek().is_some()
            && listings.all(|listing| !listing.is_open)
            && self.is_scalar();
        is_listed.then(|| {
            let of = |listing: Option<&Listing<'d>>, new: fn(String) -> Constant| {
                let values = listing.map_or(&[][..], |listing| &listing.values);
                values.iter().map(|value| new(value.text.to_string())).collect::<Vec<_>>()
            };
            let others = others.into_iter().flat_map(|listing| of(listing, Constant::Json));
            others.chain(of(texts, Constant::Text)).collect()
        })
    }

    /// Returns the text of the only value, if there is only one.
    pub fn constant(&self) -> Option<String> {
        let constants = self.constants()?;
        let only = constants.first().filter(|_| constants.len() == 1);
        only.map(|only| only.text().to_owned())
    }

    /// Returns the type of scalars of one kind that are not listed.
    pub fn simple(&self) -> Option<Type> {
        self.scalar().filter(|(_, listed)| listed.is_none()).map(|(ty, _)| ty)
    }

    /// Returns the type of the values, if all of them are of one kind of scalars, and the listed ones. The values of a secret
    /// are not listed.
    pub fn scalar(&self) -> Option<(Type, Option<(EnumKind, &Listing<'d>)>)> {
        if self.lists.is_some() || self.objects.is_some() {
            return None;
        }
        let (kind, listing, ty) = match (&self.booleans, &self.numbers, &self.texts) {
            (Some(_), None, None) => return Some((Type::BOOL, None)),
            (None, Some(numbers), None) => (EnumKind::Integer, &numbers.listing, numbers.ty()),
            (None, None, Some(texts)) => (EnumKind::Text, &texts.listing, texts.ty()),
            _ => return None,
        };
        let can_be_enum = kind == EnumKind::Text
            || matches!(ty, Type::Scalar(Scalar::Int32 | Scalar::UInt32 | Scalar::Int64));
        let is_enum = listing.is_enum() && !self.is_secret && can_be_enum;
        Some((ty, is_enum.then_some((kind, listing))))
    }
}

/// Returns what distinguishes values other than null.
fn form<'v>(values: &'v Values<'_>) -> impl PartialEq + use<'v> {
    fn listed<'l>(listing: &'l Listing<'_>) -> (HashSet<&'l str>, bool) {
        (listing.texts(), listing.is_open)
    }
    let numbers = values.numbers.as_ref();
    let texts = values.texts.as_ref();
    (
        values.booleans.as_ref().map(listed),
        numbers.map(|it| (listed(&it.listing), it.is_integer, it.range)),
        texts.map(|it| (listed(&it.listing), &it.formats)),
        values.lists.as_ref().map(Containers::form),
        values.objects.as_ref().map(Containers::form),
        values.is_secret,
    )
}
