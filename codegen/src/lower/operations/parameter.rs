//! The parameters of an operation.

use super::described::ParameterDraft;
use super::media::is_encoded;
use super::serialization;
use crate::diagnostics::{Code, Place};
use crate::document::{ParameterView, Schema, View};
use crate::ir::{
    Docs, FieldName, JsonKind, Location, Origin, Parameter, ParameterKind, Serialization, Shape,
    Style, Type, Union,
};
use crate::lower::classify::SchemaKind;
use crate::lower::schemas::{Schemas, Types};
use crate::lower::{Annotations, Context, Owner, Reading, docs, with_paragraph};
use crate::media_type::MediaKind;

pub fn parameters<'d>(
    described: Vec<ParameterDraft<'d>>,
    names: Vec<FieldName>,
    owner: &Owner,
    schemas: &mut Schemas<'_, 'd>,
) -> Vec<Parameter> {
    let mut parameters: Vec<Parameter> = described
        .into_iter()
        .zip(names)
        .map(|(described, name)| parameter(described, name, owner, schemas))
        .collect();
    parameters.sort_by_key(|parameter| parameter.location);
    parameters
}

fn parameter<'d>(
    described: ParameterDraft<'d>,
    name: FieldName,
    owner: &Owner,
    schemas: &mut Schemas<'_, 'd>,
) -> Parameter {
    let location = described.location;
    let undescribed = Parameter {
        location,
        name,
        wire: described.name,
        ty: Type::String,
        kind: ParameterKind::Scalar,
        serialization: Serialization::of(location),
        required: true,
        constant: None,
        is_secret: false,
        is_idempotency_key: false,
        docs: Docs::default(),
        pointer: described.pointer.to_string(),
    };
    let Some(parameter) = described.parameter else { return undescribed };
    let origin = Origin::Parameter(parameter.name.to_owned());
    let owner = owner.at(&parameter.pointer, parameter.name, origin);
    let Value { ty, kind, serialization, is_secret } = value(&parameter, location, &owner, schemas);
    let schema = parameter.schema();
    let of_schema = schema.as_ref().and_then(|schema| schema.description());
    let docs = docs(parameter.description().or(of_schema), None, parameter.flag("deprecated"));
    let is_sent = parameter.required() && location != Location::Path;
    let is_scalar = kind == ParameterKind::Scalar && !is_secret;
    let of_scalar = schema.as_ref().filter(|_| is_sent && is_scalar);
    let reading = &schemas.context.reading;
    let constant = of_scalar.and_then(|schema| reading.values(schema).constant());
    let mut values = schema.as_ref().map(|it| Annotations::of(it, reading)).unwrap_or_default();
    values.limits.with_example_of(&parameter);
    let docs = if constant.is_some() {
        with_paragraph(docs, "A call sends its only value unless this is set.")
    } else {
        values.with_values(docs, parameter.name, &ty, is_secret).0
    };
    let required = parameter.required() && constant.is_none();
    let lowered =
        Parameter { ty, kind, serialization, required, constant, is_secret, docs, ..undescribed };
    if is_key(&lowered, values.limits.max_length(), schemas.context) {
        return generated(lowered);
    }
    lowered
}

/// The name of the header by which a server recognizes the attempts of a call (draft-ietf-httpapi-idempotency-key-header),
/// if the settings have none.
const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

/// The length of the generated idempotency keys, which are UUIDs.
const KEY_LENGTH: u64 = 36;

/// Returns whether a parameter is an idempotency key that calls can generate: a header with room for a UUID.
fn is_key(parameter: &Parameter, limit: Option<u64>, context: &Context<'_>) -> bool {
    let Parameter { location, wire, ty, kind, .. } = parameter;
    wire.eq_ignore_ascii_case(
        context.settings.idempotency_key.as_deref().unwrap_or(IDEMPOTENCY_KEY),
    ) && (*location, *kind) == (Location::Header, ParameterKind::Scalar)
        && ty.is_string()
        && limit.is_none_or(|limit| limit >= KEY_LENGTH)
}

/// Makes a parameter optional, because each call has a key by itself.
fn generated(parameter: Parameter) -> Parameter {
    let sentence = "A call sends a new UUID, the same in all its attempts, unless this is set.";
    let docs = with_paragraph(parameter.docs, sentence);
    Parameter { required: false, is_idempotency_key: true, docs, ..parameter }
}

struct Value {
    pub ty: Type,
    /// Its kind for the style.
    pub kind: ParameterKind,
    pub serialization: Serialization,
    pub is_secret: bool,
}

impl Value {
    /// Returns a value without the wrapper of secrets, because values of parameters are never shown, and without nulls,
    /// for which styles have no syntax.
    fn new(ty: Type, kind: ParameterKind, serialization: Serialization) -> Self {
        let is_secret = matches!(ty.innermost(), Type::Secret(_));
        Self { ty: exposed(ty), kind, serialization, is_secret }
    }

    fn text(serialization: Serialization) -> Self {
        Self::new(Type::String, ParameterKind::Scalar, serialization)
    }
}

fn value<'d>(
    parameter: &ParameterView<'d>,
    location: Location,
    owner: &Owner,
    schemas: &mut Schemas<'_, 'd>,
) -> Value {
    match parameter.content().next() {
        Some((name, media)) if parameter.schema().is_none() => {
            of_media_type(name, &media, location, owner, schemas)
        }
        _ => of_schema(parameter, location, owner, schemas),
    }
}

fn of_schema<'d>(
    parameter: &ParameterView<'d>,
    location: Location,
    owner: &Owner,
    schemas: &mut Schemas<'_, 'd>,
) -> Value {
    let list_keys = schemas.context.settings.list_keys;
    let style = Serialization::of(location).style;
    let mut serialization = serialization::of(parameter, style, list_keys);
    let is_encoded = location != Location::Header && serialization.style != Style::Cookie;
    serialization.allow_reserved &= is_encoded;
    let Some(schema) = parameter.schema() else {
        return Value::text(Serialization { explode: false, ..serialization });
    };
    let values = schemas.context.reading.values(&schema);
    if values.is_scalar() && values.scalar().is_none() {
        // Documents that write `deepObject` for every choice mean nothing by it here.
        let serialization = Serialization { explode: false, ..serialization };
        return Value { is_secret: values.is_secret, ..Value::text(serialization) };
    }
    // An element of `deepObject` has a name of its own.
    let is_deep = matches!(serialization.style, Style::DeepObject(_));
    if let Some(list) = list_of_one_or_many(&schema, &schemas.context.reading).filter(|_| !is_deep)
    {
        let ty = schemas.sent_type_of(&list, owner);
        return Value::new(ty, ParameterKind::List, serialization);
    }
    let value =
        Value::new(schemas.sent_type_of(&schema, owner), ParameterKind::Value, serialization);
    let kind = kind(&value.ty, &schemas.types);
    if kind == ParameterKind::Scalar {
        if let Style::DeepObject(_) = serialization.style {
            let message = "the style `deepObject` has no syntax for a single value; it is sent as `name=value`";
            let place = Place::Value(parameter.pointer.join("style"));
            let help = "remove the style, or describe the value as an object";
            schemas.context.report(Code::UndefinedStyle, place, message).help(help);
        }
        // It makes no difference whether a scalar is exploded.
        return Value {
            kind,
            serialization: Serialization { explode: false, ..serialization },
            ..value
        };
    }
    warn_of_nesting(&value.ty, serialization, parameter, schemas);
    Value { kind, ..value }
}

/// Warns of lists and objects within a value, for which most styles have no syntax.
fn warn_of_nesting(
    ty: &Type,
    serialization: Serialization,
    parameter: &ParameterView<'_>,
    schemas: &mut Schemas<'_, '_>,
) {
    let Serialization { style, explode, .. } = serialization;
    let repeats = explode && style == Style::Form;
    if matches!(style, Style::DeepObject(_)) || !nests(ty, repeats, &schemas.types) {
        return;
    }
    let place = Place::value(&parameter.pointer);
    let message = format!(
        "the style `{}` has no syntax for lists and objects within a value; they are sent as JSON",
        style.name()
    );
    let help = "write `style: deepObject`, or describe the parameter with `content`";
    schemas.context.report(Code::UndefinedStyle, place, message).help(help);
}

/// Lowers a parameter that is described by `content`.
fn of_media_type<'d>(
    name: &str,
    media: &View<'d>,
    location: Location,
    owner: &Owner,
    schemas: &mut Schemas<'_, 'd>,
) -> Value {
    let default = Serialization::of(location);
    let kind = MediaKind::of(name);
    let is_json = kind == MediaKind::Json;
    let is_form = kind == MediaKind::Form && location == Location::QueryString;
    if is_json || is_form {
        let schema = media.schema();
        let ty = schema.map(|schema| schemas.sent_type_of(&schema, owner));
        let style = if is_json { Style::Json } else { default.style };
        let serialization = Serialization { style, explode: is_form, ..default };
        return Value::new(ty.unwrap_or(Type::Value), ParameterKind::Value, serialization);
    }
    if is_encoded(media, &schemas.context.reading) {
        let message = format!("parameters of the type `{name}` are not encoded yet");
        let help = "pass the text to send, without percent-encoding";
        schemas.context.report(Code::Untyped, Place::key(&media.pointer), message).help(help);
    }
    let reading = &schemas.context.reading;
    let is_secret = media.schema().is_some_and(|schema| reading.values(&schema).is_secret);
    Value { is_secret, ..Value::text(default) }
}

/// Returns a type without secrets and nulls.
fn exposed(ty: Type) -> Type {
    match ty {
        Type::Secret(inner) | Type::Nullable(inner) => exposed(*inner),
        Type::List(item) => Type::List(Box::new(exposed(*item))),
        Type::Dictionary(value) => Type::Dictionary(Box::new(exposed(*value))),
        ty => ty,
    }
}

fn kind(ty: &Type, types: &Types) -> ParameterKind {
    match ty {
        Type::List(item) if is_textual(item, types) => ParameterKind::List,
        ty if is_textual(ty, types) => ParameterKind::Scalar,
        _ => ParameterKind::Value,
    }
}

/// Returns whether a list or an object is known to contain objects, or lists other than those whose elements are repeated
/// (`repeats`).
fn nests(ty: &Type, repeats: bool, types: &Types) -> bool {
    let is_property_nested = |ty: &Type| match ty {
        Type::List(item) if repeats => is_nested(item, types),
        ty => is_nested(ty, types),
    };
    match ty {
        Type::List(item) => is_nested(item, types),
        Type::Dictionary(item) => is_property_nested(item),
        ty => types.as_struct(ty).is_some_and(|(_, object)| object.types().any(is_property_nested)),
    }
}

/// Returns whether the values of a list or an object are known to be lists or objects themselves.
fn is_nested(ty: &Type, types: &Types) -> bool {
    match types.shape(ty) {
        Some(Shape::Union(Union { variants, .. })) => {
            variants.iter().any(|it| it.property.is_some() || !is_textual(&it.ty, types))
        }
        _ => *ty != Type::Value && !is_textual(ty, types),
    }
}

/// Returns whether a type has a single textual form.
fn is_textual(ty: &Type, types: &Types) -> bool {
    let is_scalar = !matches!(ty, Type::Value | Type::Nullable(_) | Type::Secret(_));
    is_scalar && !types.is_container(ty)
}

/// Returns the list among the branches of a schema, if all others are its elements: all are written like the list.
fn list_of_one_or_many<'d>(schema: &Schema<'d>, reading: &Reading<'d>) -> Option<Schema<'d>> {
    let target = reading.target(schema)?;
    let SchemaKind::Alternatives(_, branches) = target.1.kind.clone() else { return None };
    let is_list = |branch: &Schema<'d>| reading.values(branch).allows(JsonKind::Array);
    let (lists, scalars): (Vec<_>, Vec<_>) = branches.into_iter().partition(is_list);
    let [list] = lists.as_slice() else { return None };
    let elements = reading.values(list).lists?.elements(reading).1;
    let (elements, scalars) = (reading.values_of_any(&elements), reading.values_of_any(&scalars));
    (elements.is_scalar() && elements.is_same(&scalars)).then(|| list.clone())
}
