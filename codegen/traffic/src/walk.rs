//! The check of a value along the types of the crate.

use std::borrow::Cow;

use codegen::document::Pointer;
use codegen::ir::{EnumKind, Scalar, Type, TypeId};
use serde_json::Value as Json;
use wire_rules::{date_time, number};

use super::formats::is_formatted;
use super::secrets::repeats;
use super::seen::{MAX_NAMES, Moment};
use super::table::{Id, Object, PartId, Place, Shape, Slot, Table};
use super::unions::{Union, Within};
use super::value::{Value, is_placeholder};

/// Whether a type holds a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    Yes,
    /// It is of another kind.
    Kind,
    /// It does not have the format.
    Format,
}

/// The circumstances of a value.
#[derive(Clone, Copy)]
pub struct At<'w, 'd> {
    pub moment: Moment,
    /// The union that it is a variant of.
    pub within: Option<&'w Within<'w, 'd>>,
}

impl<'d> Table<'d> {
    pub fn walk(&mut self, id: Id, value: &Value<'_>, moment: Moment) {
        self.walk_at(id, value, At { moment, within: None });
    }

    fn walk_at(&mut self, id: Id, value: &Value<'_>, At { moment, within }: At<'_, 'd>) {
        // A recorder writes placeholders for secrets of all kinds in requests.
        let is_sent = moment.origin.status.is_none();
        if is_sent && matches!(value, Value::Text(text) if is_placeholder(text)) {
            return;
        }
        let Some(Slot::Declared(place)) = self.places.get_mut(id) else { return };
        place.count += 1;
        let is_secret = place.is_secret || repeats(&self.secrets, value);
        let moment = Moment { is_secret: moment.is_secret || is_secret, ..moment };
        if *value == Value::Null {
            if !place.is_nullable {
                let pointer = place.pointer.clone();
                self.drifts += 1;
                self.other_kind(&pointer, value, moment);
            }
            return;
        }
        let (ty, format) = (place.ty, place.format);
        if let Type::Named(named) = ty {
            return self.named(*named, id, value, At { moment, within });
        }
        let fit = fit(ty, value);
        if fit != Fit::Yes {
            self.drifts += 1;
            return self.unfit(id, value, fit, moment);
        }
        if format.is_some_and(|format| !is_formatted(value, format)) {
            return self.unfit(id, value, Fit::Format, moment);
        }
        let Some(content) = self.content(id) else { return };
        match value {
            Value::List(items) => {
                let moment = moment.inside(value);
                for item in items {
                    self.walk(content, item, moment);
                }
            }
            Value::Object(members) => {
                for (name, member) in members.iter().filter(|(_, it)| !moment.is_removal(it)) {
                    self.walk(content, member, self.of(name, moment));
                }
            }
            _ => {}
        }
    }

    fn other_kind(&mut self, pointer: &Pointer, value: &Value<'_>, moment: Moment) {
        for place in self.uses(pointer) {
            if let Some(part) = self.part(&place) {
                let kinds = &mut self.parts[part].seen.kinds;
                kinds.entry(value.kind()).or_default().add(moment, value);
            }
        }
    }

    pub fn named(&mut self, ty: TypeId, id: Id, value: &Value<'_>, at: At<'_, 'd>) {
        let shape = self.shape(ty);
        let fit = match (&*shape, value) {
            (Shape::Object(object), Value::Object(_)) => {
                return self.object(ty, object, value, at);
            }
            (Shape::Object(_), _) => Fit::Kind,
            (Shape::Union(union), value) => return self.union(ty, union, value, at),
            (Shape::Enum(EnumKind::Integer, ..), value) => fits(Scalar::Int64, value),
            (Shape::Enum(EnumKind::Text, ..), value) => fit(&Type::String, value),
        };
        match &*shape {
            Shape::Enum(_, listed, takes_any) if fit == Fit::Yes => {
                *self.counts.entry(ty).or_default() += 1;
                if let Some(text) = value.listed() {
                    match listed.get(&*text) {
                        Some(known) => _ = self.listed.entry(ty).or_default().insert(known),
                        None if *takes_any => {}
                        None => self.unlisted(ty, value, at.moment),
                    }
                }
            }
            _ => {
                self.drifts += 1;
                self.unfit(id, value, fit, at.moment);
            }
        }
    }

    /// Counts a value that the type of its place does not hold. The schema tells a number of another kind from one that has
    /// another format.
    fn unfit(&mut self, id: Id, value: &Value<'_>, fit: Fit, moment: Moment) {
        let Some(Slot::Declared(Place { pointer, .. })) = self.places.get(id) else { return };
        let pointer = pointer.clone();
        let formatted = self.part_with(&pointer, |schema| schema.format().is_some());
        if let Some(part) = formatted.and_then(|part| self.parts.get_mut(part))
            && (fit == Fit::Format || part.holds(value))
        {
            return part.seen.unformatted.add(moment, value);
        }
        self.other_kind(&pointer, value, moment);
    }

    /// Counts a value that an enum does not list.
    fn unlisted(&mut self, ty: TypeId, value: &Value<'_>, moment: Moment) {
        self.drifts += 1;
        let text = value.listed().unwrap_or_default();
        let json = match value {
            Value::Text(_) => self.shown(&text).map(|shown| Json::from(shown).to_string()),
            _ => Some(text.to_string()),
        };
        let Some(json) = json.filter(|_| !moment.is_secret) else { return };
        let mut lacking = self.closed(&self.pointer(ty));
        lacking.retain(|schema| {
            let mut nodes = schema.listed().map(|(_, it)| it).chain(schema.constant()).peekable();
            nodes.peek().is_some() && !nodes.any(|it| it.scalar().as_deref() == Some(&*text))
        });
        for schema in lacking {
            let Some(part) = self.part(&schema.pointer) else { continue };
            let values = &mut self.parts[part].seen.values;
            if values.len() < MAX_NAMES || values.contains_key(&*json) {
                values.entry(json.as_str().into()).or_default().add(moment, value);
            } else {
                self.beyond += 1;
            }
        }
    }

    /// Checks the properties of an object, and of the unions next to them.
    fn object(&mut self, ty: TypeId, object: &Object<'d>, value: &Value<'_>, at: At<'_, 'd>) {
        let At { moment, .. } = at;
        *self.counts.entry(ty).or_default() += 1;
        let members = value.members();
        let has =
            |name: &&&str| members.iter().any(|(it, value)| it == **name && *value != Value::Null);
        for (union, names) in &object.oneofs {
            if names.iter().filter(has).count() > 1 {
                self.variant(*union, "several of its properties", value, moment);
            }
        }
        let is_new = object.is_oneof && !object.properties.keys().any(|name| has(&name));
        let is_hidden = |name: &str| at.within.is_some_and(|within| within.hides(name));
        let own = members.iter().filter(|(name, _)| !is_hidden(name));
        for (name, value) in own.filter(|(_, value)| !moment.is_removal(value)) {
            if let Some(place) = object.properties.get(&**name).copied().or(object.additional) {
                self.walk(place, value, self.of(name, moment));
            } else if is_new {
                self.variant(ty, name, value, self.of(name, moment));
            } else if object.unions.is_empty() {
                self.unknown(ty, name, value, at);
            }
        }
        if !object.unions.is_empty() {
            self.unions_beside(object, value, at);
        }
        for name in object.required.iter().filter(|it| it.is_of(moment)).map(|it| it.name) {
            if !members.iter().any(|(it, _)| it == name || is_placeholder(it)) {
                self.missing(ty, name, moment);
            }
        }
    }

    /// Checks the properties of the unions next to the properties of an object. The whole object decides the variants; the
    /// first union has the properties that nothing describes.
    fn unions_beside(&mut self, object: &Object<'d>, value: &Value<'_>, at: At<'_, 'd>) {
        let shapes: Vec<_> = object.unions.iter().map(|ty| (*ty, self.shape(*ty))).collect();
        let unions = shapes.iter().filter_map(|(ty, shape)| match &**shape {
            Shape::Union(union) => Some((*ty, union, union.plan.rules.variant(value))),
            _ => None,
        });
        let unions: Vec<_> = unions.collect();
        let is_hidden = |name: &str| at.within.is_some_and(|within| within.hides(name));
        let names = value.members().iter().map(|(name, _)| &**name);
        let names: Vec<&str> = names.filter(|name| !is_hidden(name)).collect();
        let mut is_first = true;
        for (ty, union, variant) in &unions {
            let mut hidden = Vec::new();
            for name in names.iter().copied() {
                let is_own = object.properties.contains_key(name);
                let mut is_taken = is_own;
                for (_, other, variant) in &unions {
                    is_taken |= self.has(other, *variant, name, is_own);
                }
                if !self.has(union, *variant, name, is_own) && (is_taken || !is_first) {
                    hidden.push(name);
                }
            }
            is_first = false;
            let place = variant.and_then(|variant| Some((variant, *union.variants.get(variant)?)));
            if let Some((variant, place)) = place {
                let within = Within { union, variant, outer: at.within, hidden: &hidden };
                self.walk_at(place, value, At { within: Some(&within), ..at });
            } else if hidden.len() < names.len() && !at.moment.is_patch {
                self.variant(*ty, value.kind().name(), value, at.moment);
            }
        }
    }

    /// Returns whether a variant of a union next to an object has a property, or only the variant can have it.
    fn has(&mut self, union: &Union<'d>, variant: Option<usize>, name: &str, is_own: bool) -> bool {
        let Some(variant) = variant else { return false };
        let place = union.variants.get(variant).and_then(|place| self.places.get(*place));
        let Some(Slot::Declared(Place { ty: Type::Named(ty), .. })) = place else { return !is_own };
        let is_open = match &*self.shape(*ty) {
            Shape::Object(it) if it.properties.contains_key(name) && !it.is_oneof => return true,
            Shape::Object(it) if !it.is_oneof => {
                !it.unions.is_empty() || !it.oneofs.is_empty() || it.additional.is_some()
            }
            _ => true,
        };
        !is_own && (is_open || union.is_tagged_by(variant, name))
    }

    fn missing(&mut self, ty: TypeId, name: &'d str, moment: Moment) {
        self.drifts += 1;
        let schema = self.pointer(ty);
        if let Some(part) = self.part_with(&schema, |it| it.required().any(|it| it == name)) {
            let missing = self.parts[part].seen.missing.entry(name).or_default();
            missing.add(moment, &Value::Null);
        }
    }

    /// Adds a property that a type does not describe.
    fn unknown(&mut self, ty: TypeId, name: &str, value: &Value<'_>, at: At<'_, 'd>) {
        let is_allowed = at.within.is_some_and(|within| within.allows(name, value));
        if is_allowed || is_placeholder(name) {
            return;
        }
        self.drifts += 1;
        if at.moment.is_secret {
            return;
        }
        if let Some(owner) = self.owner(&self.pointer(ty)) {
            let mut names = std::mem::take(&mut self.parts[owner].seen.names);
            self.add_name(&mut names, name, Some(value), at.moment);
            self.parts[owner].seen.names = names;
        }
    }

    fn union(&mut self, ty: TypeId, union: &Union<'d>, value: &Value<'_>, at: At<'_, 'd>) {
        let At { moment, within: outer } = at;
        if let Some(variant) = union.plan.rules.variant(value)
            && let Some(place) = union.variants.get(variant)
        {
            let within = Within { union, variant, outer, hidden: &[] };
            return self.walk_at(*place, value, At { moment, within: Some(&within) });
        }
        // What a patch leaves out could name the variant.
        if moment.is_patch {
            return;
        }
        let tag = union.tag().filter(|tag| !self.of(tag, moment).is_secret);
        let name = tag.and_then(|tag| value.text(&[tag])).filter(|text| !is_placeholder(text));
        self.variant(ty, name.unwrap_or(value.kind().name()), value, moment);
    }

    /// Adds a value that is none of the variants of a union.
    fn variant(&mut self, ty: TypeId, name: &str, value: &Value<'_>, moment: Moment) {
        self.drifts += 1;
        let part = self.part_with(&self.pointer(ty), |schema| !schema.alternatives().is_empty());
        if let (Some(part), Shape::Union(union)) = (part, &*self.shape(ty)) {
            self.parts[part].seen.tag = union.tag();
        }
        self.add_variant(part, name, value, moment);
    }

    /// Adds a value that is none of the variants that a part describes.
    pub fn add_variant(&mut self, of: Option<PartId>, name: &str, value: &Value<'_>, at: Moment) {
        let Some(part) = of else { return };
        let mut variants = std::mem::take(&mut self.parts[part].seen.variants);
        self.add_name(&mut variants, name, Some(value), at);
        self.parts[part].seen.variants = variants;
    }
}

impl Value<'_> {
    /// Returns the value as an enum lists it.
    fn listed(&self) -> Option<Cow<'_, str>> {
        match self {
            Value::Text(text) => (!is_placeholder(text)).then(|| Cow::Borrowed(&**text)),
            other => Some(number::integer(&other.number()?)?.to_string().into()),
        }
    }
}

/// Returns whether a type that is not a named one holds a value other than null.
fn fit(ty: &Type, value: &Value<'_>) -> Fit {
    match (ty, value) {
        (Type::Scalar(scalar), value) => fits(*scalar, value),
        (Type::Own(_) | Type::Value | Type::Nullable(_) | Type::Named(_), _)
        | (Type::String | Type::Binary | Type::Upload | Type::AnyText(_), Value::Text(_))
        | (Type::List(_), Value::List(_))
        | (Type::Map | Type::TypedObject | Type::Dictionary(_), Value::Object(_)) => Fit::Yes,
        (Type::Secret(inner), value) => fit(inner, value),
        _ => Fit::Kind,
    }
}

/// Returns whether a scalar holds a value other than null.
fn fits(scalar: Scalar, value: &Value<'_>) -> Fit {
    let (min, max): (i128, i128) = match scalar {
        Scalar::Int32 => (i32::MIN.into(), i32::MAX.into()),
        Scalar::Int64 | Scalar::Int64Text => (i64::MIN.into(), i64::MAX.into()),
        Scalar::UInt32 => (0, u32::MAX.into()),
        Scalar::UInt64 | Scalar::UInt64Text => (0, u64::MAX.into()),
        _ => (i128::MIN, i128::MAX),
    };
    let is_within = |number: &i128| (min..=max).contains(number);
    let formatted = |has_format: bool| if has_format { Fit::Yes } else { Fit::Format };
    match (scalar, value) {
        (Scalar::Bool, Value::Bool(_)) | (Scalar::Float64, Value::Float(_)) => Fit::Yes,
        (Scalar::Timestamp, Value::Text(text)) => {
            formatted(is_placeholder(text) || date_time::is_exact(text))
        }
        (Scalar::Int64Text | Scalar::UInt64Text, Value::Text(text)) => {
            let number = text.parse().ok().filter(is_within);
            let is_canonical = number.is_some_and(|number| number.to_string() == **text);
            formatted(is_placeholder(text) || is_canonical)
        }
        #[expect(
            clippy::cast_precision_loss,
            reason = "whether it loses something is the question"
        )]
        (Scalar::Float64, Value::Integer(number)) => {
            formatted(!number::is_rounded(&number.to_string(), *number as f64))
        }
        (
            Scalar::Int32 | Scalar::Int64 | Scalar::UInt32 | Scalar::UInt64 | Scalar::Int128,
            value,
        ) => match (value.number().and_then(|number| number::integer(&number)), value) {
            (Some(number), _) => formatted(is_within(&number)),
            (None, Value::Float(number)) if number.fract() == 0.0 => Fit::Format,
            (None, _) => Fit::Kind,
        },
        _ => Fit::Kind,
    }
}
