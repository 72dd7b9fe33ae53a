//! The properties of a value by their names on the wire.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::decode::decode_into;
use super::decode::drift::DriftKind;
use super::decode::error::DecodeError;
use super::encode::encode_checked;
use super::encode::secrets::secrets;
use super::encode::send::send;
use super::encode::sink::{Mode, PropertyName, PropertySink, SentValue, Walk};
pub(crate) use super::exact::Digits;
use super::reflect::equal::equal;
use super::reflect::table::Role;
use super::reflect::wire::{Active, Target, View, Wire};
use super::value::{Map, Value};
use crate::secrets::Withheld;

/// The description of a property by a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Description {
    /// Not described.
    None,
    /// Requests can send it.
    Writable,
    /// Only responses have it.
    ReadOnly,
}

/// A property that a value has.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'a> {
    value: &'a dyn Wire,
    /// Whether the type describes it.
    pub is_described: bool,
}

impl<'a> Entry<'a> {
    /// Returns the value if it is an object with described properties.
    pub(crate) fn object(&self) -> Option<&'a dyn Wire> {
        matches!(self.value.view(), View::Object).then_some(self.value)
    }

    /// Returns whether the value is JSON: the property is undescribed, or its union holds several properties.
    pub(crate) fn is_json(&self) -> bool {
        matches!(self.value.view(), View::Value(_) | View::Exact(_))
    }
}

impl PartialEq for Entry<'_> {
    fn eq(&self, other: &Self) -> bool {
        equal(self.value, other.value)
    }
}

/// Returns the properties of a value that are written; none if it is not an object. An edit does not tell null from a
/// property that is absent.
pub(crate) fn entries(value: &dyn Wire) -> BTreeMap<String, Entry<'_>> {
    let mut entries = BTreeMap::new();
    let sent = each_property(value, Mode::Compared, |name, sent, is_described| {
        entries.insert(name.to_owned(), Entry { value: sent.wire, is_described });
    });
    // What cannot be sent is compared, too.
    sent.ok();
    entries
}

/// Returns the description of a property by the type of a value. An option that is `None` becomes `Some` of the
/// default.
pub(crate) fn describe(value: &mut dyn Wire, name: &str) -> Description {
    match value.target() {
        Target::Object => {}
        Target::Union(union) => {
            let is_known = union.position(name).is_some();
            return if is_known { Description::Writable } else { Description::None };
        }
        Target::Choice(choice) => {
            let payload = choice.active_mut().known();
            return payload.map_or(Description::None, |payload| describe(payload, name));
        }
        Target::Dictionary(_) | Target::Value(_) | Target::TypedObject(_) => {
            return Description::Writable;
        }
        _ => return Description::None,
    }
    let Some(table) = value.table() else { return Description::None };
    let mut described = Description::None;
    value.with_fields_mut(|fields, _| {
        for (property, field) in table.properties.iter().zip(fields) {
            let has_property = match property.kind {
                Role::Property => property.name == name,
                Role::Flattened => describe(*field, name) != Description::None,
                Role::Additional => described == Description::None,
            };
            if has_property {
                described =
                    if property.read_only { Description::ReadOnly } else { Description::Writable };
            }
        }
    });
    described
}

/// Returns whether the type of a value describes a property of an object, or holds any object.
pub(crate) fn recognizes(value: &mut dyn Wire, object: &Map) -> bool {
    match value.target() {
        Target::Dictionary(_) | Target::Value(_) | Target::TypedObject(_) => true,
        Target::Choice(it) if object.keys().any(|name| it.plan().read().mentions(name)) => true,
        _ => object.keys().any(|name| describe(value, name) != Description::None),
    }
}

/// Returns the names of required properties that requests can send and that are not set.
pub(crate) fn missing(value: &mut dyn Wire) -> Vec<&'static str> {
    let Target::Object = value.target() else { return Vec::new() };
    let names = value.with_fields(|table, fields, _| {
        let required = table.required.iter().filter(|(field, _)| {
            !table.properties[*field].read_only
                && fields.get(*field).is_some_and(|field| field.is_unset())
        });
        required.map(|(_, name)| *name).collect()
    });
    names.unwrap_or_default()
}

/// Passes the field of a described property for writing, and returns the result. An option that is `None` becomes
/// `Some` of the default, and a union chooses the property.
pub(crate) fn with_property<R>(
    value: &mut dyn Wire,
    name: &str,
    write: &mut dyn FnMut(&mut dyn Wire) -> R,
) -> Option<R> {
    match value.target() {
        Target::Object => {}
        Target::Union(union) => {
            let index = union.position(name)?;
            union.choose(Some(index));
            return union.active_mut().known().map(write);
        }
        Target::Choice(choice) => {
            return with_property(choice.active_mut().known()?, name, write);
        }
        _ => return None,
    }
    let table = value.table()?;
    value.with_fields_mut(|fields, _| {
        if let Some(field) = table.position(name, 0).and_then(|index| fields.get_mut(index)) {
            return Some(write(&mut **field));
        }
        let mut unions = table.properties.iter().zip(fields);
        unions.find_map(|(property, field)| {
            let is_union = property.kind == Role::Flattened;
            if is_union { with_property(&mut **field, name, write) } else { None }
        })
    })?
}

/// Returns the value at a path of described properties, if it exists.
pub(crate) fn at<'a>(value: &'a dyn Wire, path: &[&str]) -> Option<&'a dyn Wire> {
    let Some((name, path)) = path.split_first() else {
        return (!value.view().is_absent()).then_some(value);
    };
    let field = value.with_fields(|table, fields, _| fields.get(table.position(name, 0)?).copied());
    at(field??, path)
}

/// Returns the properties of a value as JSON, with placeholders for numbers that `serde_json` would change. An absent
/// value has none.
///
/// # Errors
///
/// Fails if the value cannot be sent, is not an object, or nests too deeply to be read back.
pub(crate) fn to_map(value: &dyn Wire, digits: &mut Digits) -> Result<Map, String> {
    let properties: Result<Option<Map>, _> = digits.parse(&encode_checked(value, Mode::Whole)?);
    Ok(properties.map_err(|error| error.to_string())?.unwrap_or_default())
}

/// Replaces a value by one decoded from JSON with placeholders.
///
/// # Errors
///
/// Fails if the type cannot hold the JSON, or, if `is_strict`, a part of it.
pub(crate) fn replace(
    value: &mut dyn Wire,
    json: &Value,
    digits: &Digits,
    is_strict: bool,
) -> Result<(), DecodeError> {
    value.clear();
    let json = digits.restore(json, |_| {}).unwrap_or_else(|| json.to_string());
    let findings = decode_into(value, json.as_bytes(), is_strict, None)?;
    let unfit = findings.iter().find(|it| matches!(it.kind, DriftKind::WrongType { .. }));
    unfit.map_or(Ok(()), |unfit| Err(unfit.into()))
}

/// Returns the properties of a union that a type describes, which its variants have in common. For emitted code only.
pub fn base<T: Wire + Default>(union: &dyn Wire) -> T {
    let (mut base, mut digits) = (T::default(), Digits::default());
    let wire: &mut dyn Wire = &mut base;
    let mut properties = to_map(union, &mut digits).unwrap_or_default();
    let table = wire.table();
    // What only a variant describes can be a secret by its type.
    properties.retain(|name, _| table.is_some_and(|it| it.position(name, 0).is_some()));
    replace(wire, &properties.into(), &digits, false).ok();
    let withheld = withheld(union);
    wire.with_fields_mut(|_, unknown| unknown.retained_mut().withheld = Some(withheld));
    base
}

/// Returns what another type that has the content of a value does not show: what the value was decoded without, and its
/// secrets, which need not be described there.
pub(super) fn withheld(value: &dyn Wire) -> Arc<Withheld> {
    let mut inner = value;
    while let View::Choice(choice) = inner.view()
        && let Active::Known(_, payload) = choice.active()
    {
        inner = payload;
    }
    let inherited = inner.unknown().retained().and_then(|it| it.withheld.as_deref());
    let mut withheld = inherited.map_or_else(|| Withheld::new(&[], ""), Withheld::clone);
    withheld.secrets.extend(secrets(value));
    withheld.into()
}

/// Calls `visit` with the name and the value of each property, and whether a type describes it. Returns whether the value
/// is an object.
///
/// # Errors
///
/// Fails if the object cannot be sent.
pub(crate) fn each_property<'a>(
    value: &'a dyn Wire,
    mode: Mode,
    visit: impl FnMut(&'a str, &SentValue<'_, 'a>, bool),
) -> Result<bool, String> {
    let mut properties = EachProperty { walk: Walk::new(mode), visit };
    let is_object = send(&SentValue::of(value, &value.view()), &mut properties);
    properties.walk.finish(is_object)
}

struct EachProperty<F> {
    walk: Walk,
    visit: F,
}

impl<'a, F: FnMut(&'a str, &SentValue<'_, 'a>, bool)> PropertySink<'a> for EachProperty<F> {
    fn walk(&mut self) -> &mut Walk {
        &mut self.walk
    }

    fn property(&mut self, name: PropertyName<'a>, value: &SentValue<'_, 'a>) {
        (self.visit)(name.text(), value, !matches!(name, PropertyName::Other(_)));
    }
}
