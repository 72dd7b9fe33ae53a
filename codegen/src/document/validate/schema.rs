//! Schemas, with the keywords of JSON Schema 2020-12 and of OpenAPI 3.0.

use std::collections::{HashMap, HashSet};

use serde::de::IgnoredAny;

use super::grammar::{Expected, Field, Form, Mistake, Object};
use super::validator::Validator;
use crate::diagnostics::{Code, Place, help_for_unknown};
use crate::document::Node;
use crate::document::references::mapped;
use crate::document::view::{Document, ENUM_NAMES, Schema, SchemaType, UNREAD, Version, View};
use crate::source_map::Pointer;

pub(super) static SCHEMA: Object = schema(check_whole);

/// A schema that is combined with others, which may describe its required properties.
static PART: Object = schema(check);

const fn schema(check: fn(&View<'_>, &mut Validator<'_>)) -> Object {
    Object { form: Form::Schema, check, ..Object::new("a schema", &KEYWORDS) }
}

/// The keywords. Keywords that constrain or explain values without changing their type (JSON Schema 2020-12 Validation
/// §6, §9; OpenAPI 3.0.4 §4.7.24, 3.1.1 §4.8.24), or only contain or name other schemas, are not reported.
static KEYWORDS: [Field; 22] = [
    Field::texts(&["description", "format", "title", "contentEncoding", "contentMediaType"]),
    Field::texts(&["x-rust-name"]),
    Field::new(&["type", "default", "const"], Expected::Any),
    Field::new(&["$ref"], Expected::Target),
    Field::new(&["properties"], Expected::Replaceable(&PROPERTIES)),
    Field::new(&["patternProperties"], Expected::Map(&Expected::Object(&SCHEMA))),
    Field::new(&["items"], Expected::Object(&SCHEMA)).mistake(&TUPLE),
    Field::new(
        &["required"],
        Expected::List(&Expected::Named("the name of a property", &Expected::Text)),
    )
    .mistake(&FLAG),
    Field::flags(&["nullable", "readOnly", "writeOnly", "deprecated"]),
    Field::new(&["enum"], Expected::List(&Expected::Any)),
    Field::new(
        &["allOf", "anyOf", "oneOf", "prefixItems"],
        Expected::List(&Expected::Object(&PART)),
    ),
    Field::new(
        &["additionalProperties", "unevaluatedProperties", "contentSchema"],
        Expected::Object(&SCHEMA),
    ),
    Field::new(&["discriminator"], Expected::Object(&DISCRIMINATOR)).mistake(&PLAIN_NAME),
    Field::silent(&["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"]),
    Field::silent(&["maxLength", "minLength", "pattern"]),
    Field::silent(&[
        "contains", "maxContains", "maxItems", "minContains", "minItems", "uniqueItems",
    ]),
    Field::silent(&["dependentRequired", "maxProperties", "minProperties", "propertyNames"]),
    Field::silent(&["$comment", "example", "examples", "externalDocs", "xml"]),
    Field::silent(&["$defs", "$schema", "$vocabulary", "definitions"]),
    // References to them became references to places when the document was loaded.
    Field::silent(&["$anchor", "$dynamicAnchor", "$id"]),
    Field::unread(
        &["$dynamicRef"],
        "replace it with a `$ref` to the schema that is meant: it refers to none, or to one that depends on the schemas around it",
    ),
    Field::unread(&UNREAD, "the type is decided by the other keywords of the schema"),
];

static PROPERTIES: Expected = Expected::Map(&Expected::Object(&SCHEMA));

/// The schemas of the first elements, in the form of older drafts of JSON Schema.
static TUPLE: Mistake = Mistake {
    is_made: |node| node.as_array().is_some(),
    code: Code::TupleItems,
    message: "`items` must be one schema, not a list of schemas",
    help: "list the schemas of the first elements in `prefixItems` instead, or remove an empty list",
    value: Expected::List(&Expected::Object(&PART)),
};

static FLAG: Mistake = Mistake {
    is_made: |node| node.as_bool().is_some(),
    code: Code::Unread,
    message: "`required` is a list of names in schemas; a boolean is ignored",
    help: "list the name of the property in the `required` of its object",
    value: Expected::Silent,
};

static PLAIN_NAME: Mistake = Mistake {
    is_made: |node| node.as_str().is_some(),
    code: Code::Unread,
    message: "`discriminator` must be an object, not a string",
    help: "write an object with the name as `propertyName`: a plain name is Swagger 2.0",
    value: Expected::Silent,
};

static DISCRIMINATOR: Object = Object::new(
    "a discriminator",
    &[
        Field::texts(&["propertyName"])
            .expected("add the name of the property that distinguishes the schemas"),
        Field::new(
            &["mapping"],
            Expected::Map(&Expected::Named("a schema of the mapping", &Expected::Target)),
        ),
        Field::new(&["defaultMapping"], Expected::Target).new_in_3_2(),
    ],
);

/// The formats that decide a type, each with the schema types that it applies to.
const DECISIVE: [(&str, &[SchemaType]); 8] = [
    ("binary", &[SchemaType::String]),
    ("date-time", &[SchemaType::String]),
    ("double", &[SchemaType::Number]),
    ("float", &[SchemaType::Number]),
    ("int32", &[SchemaType::Integer, SchemaType::Number]),
    ("int64", &[SchemaType::Integer, SchemaType::Number, SchemaType::String]),
    ("password", &[SchemaType::String]),
    ("uint64", &[SchemaType::Integer, SchemaType::Number, SchemaType::String]),
];

/// Other formats that resemble a decisive one (OpenAPI Format Registry).
const OTHERS: [&str; 5] = ["int8", "int16", "uint8", "uint16", "uint32"];

fn check_whole(view: &View<'_>, validator: &mut Validator<'_>) {
    check(view, validator);
    check_required(&Schema::from(view.clone()), &[], validator);
}

fn check(view: &View<'_>, validator: &mut Validator<'_>) {
    let schema = Schema::from(view.clone());
    for keyword in ["allOf", "anyOf", "oneOf", "prefixItems", "enum"] {
        if view.get(keyword).and_then(Node::as_array).is_some_and(<[Node]>::is_empty) {
            let what = if keyword == "enum" { "value" } else { "schema" };
            validator
                .at_value(
                    Code::NoValue,
                    &view.pointer.join(keyword),
                    format!("`{keyword}` lists no {what}"),
                )
                .help("remove the keyword: it has no effect");
        }
    }
    if let Some(xml) = view.child("xml").filter(|_| validator.is_version(Version::V3_2)) {
        for older in ["attribute", "wrapped"] {
            validator.report_exclusive(&xml, older, "nodeType");
        }
    }
    check_types(view, validator);
    check_format(&schema, validator);
    check_values(&schema, validator);
    check_discriminator(&schema, validator);
    let branches = schema.alternatives();
    if !branches.is_empty() && !schema.has_all_of() && schema.reference().is_none() {
        let own: Vec<&str> = schema.properties().map(|(name, _)| name).collect();
        for branch in branches {
            check_required(&branch, &own, validator);
        }
    }
}

fn check_types(view: &View<'_>, validator: &mut Validator<'_>) {
    match view.raw("type") {
        None => {}
        Some(Node::Array(names)) => {
            let pointer = view.pointer.join("type");
            if names.is_empty() {
                let help = "remove the keyword to allow any type";
                validator.invalid(&pointer, "`type` must name at least one type", help);
            }
            for (index, name) in names.iter().enumerate() {
                check_type(name, || pointer.join_index(index), validator);
            }
        }
        Some(name) => check_type(name, || view.pointer.join("type"), validator),
    }
}

fn check_type(node: &Node, pointer: impl Fn() -> Pointer, validator: &mut Validator<'_>) {
    let text = match node {
        Node::String(text) => text.as_str(),
        Node::Null => {
            let message = "the type `null` is not in quotes";
            validator.at_value(Code::UnquotedNull, &pointer(), message).help("write 'null'");
            return;
        }
        _ => {
            let message = format!("`type` must be the name of a type, not {}", node.kind());
            return validator.invalid(
                &pointer(),
                message,
                "write one such as `string` or `object`",
            );
        }
    };
    if SchemaType::from_name(text).is_some() {
        return;
    }
    let help = match text {
        "file" => "write `type: string` with `format: binary`",
        "any" => "remove the keyword to allow any type",
        "float" | "double" => "write `type: number` with the name as `format`",
        "int" | "int32" | "int64" | "long" => {
            "write `type: integer`, with `format: int32` or `format: int64`"
        }
        "date" | "datetime" | "date-time" | "uuid" => {
            "write `type: string` with the name as `format`"
        }
        _ => "write `string`, `number`, `integer`, `boolean`, `array`, `object` or `null`",
    };
    let message = format!("`{text}` is not a type of JSON Schema; it is ignored");
    validator.at_value(Code::Untyped, &pointer(), message).help(help);
}

/// Warns of a format that is probably misspelled.
fn check_format(schema: &Schema<'_>, validator: &mut Validator<'_>) {
    let Some(format) = schema.format() else { return };
    let known = DECISIVE.iter().filter(|(_, types)| schema.types().any(|ty| types.contains(&ty)));
    let known: Vec<&str> = known.map(|(name, _)| *name).collect();
    if known.contains(&format) || OTHERS.contains(&format) {
        return;
    }
    if let Some(meant) = validator.diagnostics.spelling().closest(format, known.into_iter()) {
        validator
            .at_value(
                Code::UnknownFormat,
                &schema.pointer.join("format"),
                format!("the format `{format}` has no effect"),
            )
            .help(format!("did you mean `{meant}`?"));
    }
}

/// Warns of the values of an enum, a `const` and a `default` that the types do not allow, and of names for others.
fn check_values(schema: &Schema<'_>, validator: &mut Validator<'_>) {
    let listed = schema.enumeration().unwrap_or_default();
    for extension in ENUM_NAMES {
        let Some(names) = schema.get(extension).filter(|_| !listed.is_empty()) else { continue };
        let given = names.as_array().map(<[Node]>::len);
        if given != Some(listed.len()) {
            let message = match given {
                Some(given) => {
                    format!("`{extension}` names {given} values, the `enum` has {}", listed.len())
                }
                None => format!("`{extension}` must be a list, not {}", names.kind()),
            };
            validator
                .at_key(Code::EnumNames, &schema.pointer.join(extension), message)
                .help("list a name for each value, in the same order");
        }
    }
    let types: Vec<SchemaType> = schema.types().collect();
    if types.is_empty() {
        return;
    }
    if schema.has_excluded_values() {
        validator
            .at_key(Code::EnumType, &schema.pointer.join("type"), "no listed value is of this type")
            .help("remove the `type`, or write the type of the values");
    }
    let is_text = types.contains(&SchemaType::String);
    let place = schema.pointer.join("enum");
    let listed = listed.iter().enumerate().map(|(index, value)| (place.join_index(index), value));
    let single = ["const", "default"].into_iter();
    let single = single.filter_map(|it| Some((schema.pointer.join(it), schema.raw(it)?)));
    for (place, value) in listed.chain(single) {
        if value.is_null() || types.iter().any(|ty| ty.allows(value)) {
            continue;
        }
        let unquoted = value.as_str().map(serde_json::from_str::<IgnoredAny>);
        let is_meant = types.iter().any(|ty| ty.is_meant_by(value));
        let help = match value.scalar().filter(|_| is_text) {
            Some(text) => format!("put it in quotes; it is read as '{text}'"),
            None if is_text => "put it in quotes, or correct the `type`".to_owned(),
            // Neither `010` nor `NaN` is a number without quotes.
            None if is_meant && matches!(unquoted, Some(Ok(_))) => "remove the quotes".to_owned(),
            None if schema.lists_values_of_items() && value.scalar().is_some() => {
                "move the values into `items`".to_owned()
            }
            None => "correct the value or the `type`".to_owned(),
        };
        let message = format!("{} is not a value of the schema's type", value.kind());
        validator.at_value(Code::EnumType, &place, message).help(help);
    }
}

/// Warns of required properties that neither the schema describes, nor the schema around it (`outer`), unless others may
/// describe them.
fn check_required(schema: &Schema<'_>, outer: &[&str], validator: &mut Validator<'_>) {
    let is_combined = schema.reference().is_some()
        || schema.has_all_of()
        || schema.has("anyOf")
        || schema.has("oneOf");
    if !schema.has_properties() || is_combined || schema.is_open() {
        return;
    }
    let own = schema.properties().map(|(name, _)| name);
    let described: HashSet<&str> = own.chain(outer.iter().copied()).collect();
    if schema.required().all(|name| described.contains(name)) {
        return;
    }
    let document = validator.document;
    let of_extensions = validator.extensions.get_or_init(|| described_by_extensions(document));
    let of_extensions = of_extensions.get(&schema.pointer);
    let required = schema.get("required").and_then(Node::as_array).unwrap_or_default();
    for (index, name) in required.iter().enumerate() {
        let is_missing = |name: &&str| {
            !described.contains(name) && !of_extensions.is_some_and(|names| names.contains(name))
        };
        let Some(name) = name.as_str().filter(is_missing) else { continue };
        let meant = validator.diagnostics.spelling().closest(name, described.iter().copied());
        let otherwise = format!("describe `{name}` in `properties`, or remove it from `required`");
        let help = help_for_unknown(meant, &otherwise);
        let message = format!("the required property `{name}` is not described");
        let place = Place::Value(schema.pointer.join("required").join_index(index));
        validator.diagnostics.report(Code::Required, place, message).help(help);
    }
}

/// Reports a discriminator whose property no schema describes, and a mapping to schemas that are no alternatives, or that
/// leaves one out and has another twice: values would be decoded as other alternatives than they are.
fn check_discriminator(schema: &Schema<'_>, validator: &mut Validator<'_>) {
    let Some(discriminator) = schema.child("discriminator") else { return };
    let document = validator.document;
    let branches = schema.alternatives();
    let mut reached = HashSet::from([schema.pointer.clone()]);
    let mut own = described(vec![schema.base()], &mut HashSet::new(), document);
    let of_extensions = validator.extensions.get_or_init(|| described_by_extensions(document));
    own.extend(of_extensions.get(&schema.pointer).into_iter().flatten());
    let mut all = branches.iter().map(|branch| {
        let mut seen = HashSet::from([schema.pointer.clone()]);
        let names = described(vec![branch.clone()], &mut seen, document);
        reached.extend(seen);
        names
    });
    let all: Vec<HashSet<&str>> =
        if branches.is_empty() { vec![own.clone()] } else { all.by_ref().collect() };
    if let Some(name) = discriminator.text("propertyName")
        && !own.contains(name)
        && all.iter().all(|names| !names.is_empty() && !names.contains(name))
    {
        let shared = own.iter().chain(&all[0]).copied();
        let shared: Vec<&str> = shared
            .filter(|name| own.contains(name) || all.iter().all(|names| names.contains(name)))
            .collect();
        let meant = validator.diagnostics.spelling().closest(name, shared.into_iter());
        let otherwise = format!("describe `{name}` in each schema, and list it in `required`");
        let help = help_for_unknown(meant, &otherwise);
        let message = format!("no schema describes the property `{name}` of the discriminator");
        validator
            .at_value(Code::Discriminator, &discriminator.pointer.join("propertyName"), message)
            .help(help);
    }
    let targets = discriminator.map("mapping").filter_map(|(_, value)| mapped(value.node));
    let targets: HashSet<Pointer> = targets.collect();
    let left_out = branches.iter().find(|branch| {
        let target = branch.reference().and_then(Pointer::from_reference);
        target.is_some_and(|target| !targets.contains(&target))
    });
    let mut mapping = HashMap::new();
    for (tag, value) in discriminator.map("mapping").filter(|_| !branches.is_empty()) {
        let Some(target) = mapped(value.node) else { continue };
        if document.tree.at(&target).is_some() && !reached.contains(&target) {
            let message = format!("the schema of `{tag}` is not an alternative of this schema");
            validator
                .at_value(Code::Discriminator, &value.pointer, message)
                .help("add it to the `oneOf`, or correct the mapping");
        }
        if let Some(first) = mapping.insert(target, tag)
            && let Some(left_out) = left_out
        {
            let message = format!(
                "`{first}` and `{tag}` have the same schema, and another one is not mapped"
            );
            validator
                .at_value(Code::Discriminator, &value.pointer, message)
                .related(Place::value(&left_out.pointer), "this schema is not in the mapping")
                .help("map a value to each schema of the union");
        }
    }
}

/// Returns the properties that schemas describe, also through references, `allOf` and alternatives.
fn described<'d>(
    mut waiting: Vec<Schema<'d>>,
    seen: &mut HashSet<Pointer>,
    document: &'d Document,
) -> HashSet<&'d str> {
    let mut names = HashSet::new();
    while let Some(schema) = waiting.pop() {
        if !seen.insert(schema.pointer.clone()) {
            continue;
        }
        names.extend(schema.properties().map(|(name, _)| name));
        waiting.extend(View::reference(&schema).and_then(|target| document.schema_at(target)));
        let parts = schema.list("allOf").chain(schema.list("oneOf")).chain(schema.list("anyOf"));
        waiting.extend(parts.map(Schema::from));
    }
    names
}

/// Returns the properties that components describe which extend others by `allOf`, by the places of the latter.
fn described_by_extensions(document: &Document) -> HashMap<Pointer, HashSet<&str>> {
    let mut described: HashMap<Pointer, HashSet<&str>> = HashMap::new();
    for (_, component) in document.schemas() {
        let parts = component.all_of();
        let all = parts.iter().chain([&component]);
        let names: Vec<&str> = all.flat_map(Schema::properties).map(|(name, _)| name).collect();
        for base in parts.iter().filter_map(|part| Pointer::from_reference(part.reference()?)) {
            described.entry(base).or_default().extend(&names);
        }
    }
    described
}
