//! Examples of calls: short programs that compile.

use crate::ir::{
    Access, Api, Body, Field, FieldName, Mask, Operation, Output, Parameter, Resource, Scalar,
    Shape, Struct, Type, TypeDef,
};
use crate::items::{Target, conventions, requests};

/// Maximum nesting of values in an example; deeper ones are defaults.
const DEPTH: usize = 2;

/// Maximum number of optional properties in an example of a request.
const SHOWN: usize = 2;

/// Maximum width of the lines of a program, in a comment of 100 columns that is indented by 4.
const WIDTH: usize = 92;

const CONTENT: &str = "b\"content\"";

/// An operation for examples.
#[derive(Clone, Copy)]
pub struct Example<'a> {
    pub resource: &'a Resource,
    pub operation: &'a Operation,
    pub api: &'a Api,
}

impl<'a> Example<'a> {
    /// Returns the operation for a first example: a list or a read with few arguments.
    pub fn simplest(api: &'a Api) -> Option<Self> {
        Self::simplest_of(Self::all(api))
    }

    fn simplest_of(examples: impl Iterator<Item = Self>) -> Option<Self> {
        examples.min_by_key(|Self { operation, api, .. }| {
            (
                operation.docs.deprecated,
                operation.http_method != "GET",
                !operation.has_items(),
                arguments(operation, api).len(),
                operation.successes.output.json().is_none(),
                &operation.id,
            )
        })
    }

    /// Returns the operation for an example of errors: one that declares their bodies, if there is one.
    pub fn with_failures(api: &'a Api) -> Option<Self> {
        let failing = Self::all(api).filter(|example| example.operation.failures.is_some());
        Self::simplest_of(failing).or_else(|| Self::simplest(api))
    }

    pub fn all(api: &'a Api) -> impl Iterator<Item = Self> {
        api.resources.iter().flat_map(move |resource| {
            resource.operations.iter().map(move |operation| Self { resource, operation, api })
        })
    }

    /// Returns the hidden line before the function of an example whose resource needs a feature.
    pub fn condition(self) -> Option<String> {
        let feature = self.resource.feature.as_ref()?;
        Some(format!("# #[cfg(feature = {feature:?})]"))
    }

    /// Returns a program that makes a call, as lines of a doctest.
    pub fn program(self, library: &str) -> Vec<String> {
        let mut statements = self.statements();
        statements.push("# Ok(())".to_owned());
        let signature =
            format!("async fn example(client: {library}::Client) -> Result<(), {library}::Error>");
        self.function(library, &signature, statements)
    }

    /// Returns a program that makes a call and handles its error.
    pub fn with_errors(self, library: &str) -> Vec<String> {
        let failure = format!("failure::<{}>()", self.request(library));
        let (cause, named) = match self.operation.failures {
            Some(_) => (&*failure, "Some(body) => eprintln!(\"rejected with {body:?}: {error}\")"),
            None => ("status()", "Some(status) => eprintln!(\"rejected with {status}: {error}\")"),
        };
        let statements = [
            &format!("match {}.await {{", self.call()),
            "    Ok(response) => println!(\"{response:?}\"),",
            "    Err(error) if error.is_timeout() => eprintln!(\"no answer in time: {error}\"),",
            &format!("    Err(error) => match error.{cause} {{"),
            &format!("        {named},"),
            "        None => eprintln!(\"{error}\"),",
            "    },",
            "}",
        ];
        let signature = format!("async fn example(client: {library}::Client)");
        self.function(library, &signature, statements.map(str::to_owned).into())
    }

    /// Returns statements with their imports, in a hidden function.
    fn function(self, library: &str, signature: &str, statements: Vec<String>) -> Vec<String> {
        let statements = wrapped(statements);
        let mut lines = Vec::new();
        let imports = imports(library, &statements);
        if !imports.is_empty() {
            lines.extend(imports);
            lines.push(String::new());
        }
        lines.extend(self.condition());
        lines.push(format!("# {signature} {{"));
        lines.extend(statements);
        lines.push("# }".to_owned());
        lines
    }

    fn request(self, library: &str) -> String {
        format!("{library}::{}", requests::request(self.resource, self.operation))
    }

    fn call(self) -> String {
        let arguments = arguments(self.operation, self.api).join(", ");
        format!("client.{}({arguments})", self.resource.call(&self.operation.method_name))
    }

    /// Returns the statements that make a call with a `client`.
    pub fn statements(self) -> Vec<String> {
        let Self { resource, operation, api } = self;
        let call = self.call();
        if let (Some(paging), [path, ..]) =
            (operation.paging.as_ref(), conventions::of_rows(operation, api))
            && operation.has_items()
        {
            let rows = match api.page_fields(operation, &paging.items).first() {
                None => "&page".to_owned(),
                Some(Field { name, required: true, .. }) => format!("&page.{name}"),
                Some(Field { name, required: false, .. }) => {
                    format!("page.{name}.iter().flatten()")
                }
            };
            return vec![
                format!("let mut pages = {call}.pages();"),
                "while let Some(page) = pages.try_next().await? {".to_owned(),
                format!("    for row in {rows} {{"),
                format!("        println!(\"{{:?}}\", row.{}(&page));", path.method),
                "    }".to_owned(),
                "}".to_owned(),
            ];
        }
        if operation.has_items() {
            return vec![
                format!("let mut items = {call}.items();"),
                "while let Some(item) = items.try_next().await? {".to_owned(),
                "    println!(\"{item:?}\");".to_owned(),
                "}".to_owned(),
            ];
        }
        let has_value = operation.successes.output != Output::Nothing;
        let binding = if has_value { "let response = " } else { "" };
        let setters = setter_calls(operation, api);
        if setters.is_empty() {
            return vec![format!("{binding}{call}.await?;")];
        }
        let arguments = arguments(operation, api).join(", ");
        let mut lines = vec![format!("{binding}client")];
        lines.extend(resource.handle.as_ref().map(|handle| format!("    .{}()", handle.accessor)));
        lines.push(format!("    .{}({arguments})", operation.method_name));
        lines.extend(setters.into_iter().map(|setter| format!("    {setter}")));
        lines.push("    .await?;".to_owned());
        lines
    }
}

/// Breaks the lines of statements if some are too long. Hidden lines are at the end.
fn wrapped(statements: Vec<String>) -> Vec<String> {
    let (hidden, shown): (Vec<_>, Vec<_>) =
        statements.iter().cloned().partition(|line| line.starts_with("# "));
    if shown.iter().all(|line| line.len() <= WIDTH) {
        return statements;
    }
    let program = format!("async fn example() {{\n{}\n}}", shown.join("\n"));
    let Ok(file) = syn::parse_str(&program) else { return statements };
    let printed = prettyplease::unparse(&file);
    let body = printed.lines().filter_map(|line| line.strip_prefix("    "));
    body.map(str::to_owned).chain(hidden).collect()
}

pub fn imports(library: &str, statements: &[String]) -> Vec<String> {
    let named = [
        ("models::", "models"),
        ("Secret::", "Secret"),
        ("Typed::", "runtime::Typed"),
        ("Upload::", "runtime::Upload"),
    ];
    let used = named.iter().filter(|(name, _)| statements.iter().any(|line| line.contains(name)));
    used.map(|(_, path)| format!("use {library}::{path};")).collect()
}

fn arguments(operation: &Operation, api: &Api) -> Vec<String> {
    let range = operation.media.as_ref().filter(|media| media.is_range());
    let inputs = requests::arguments(operation, api).into_iter();
    let arguments = inputs.filter_map(|input| match (input.target, range) {
        (
            Target::Parameter(Parameter { name, ty, .. }) | Target::Field(Field { name, ty, .. }),
            _,
        ) => Some(value(ty, name.bare(), DEPTH, api)),
        (Target::Body(_), Some(media)) => Some(typed_upload(&media.name)),
        (Target::Body(ty), None) => Some(value(ty, input.name, DEPTH, api)),
        _ => None,
    });
    arguments.collect()
}

/// Returns the calls of some setters of a request's body, and of its update mask.
fn setter_calls(operation: &Operation, api: &Api) -> Vec<String> {
    let Body::Fields(id, members) = &operation.body else {
        return Vec::new();
    };
    let mask = operation.mask.as_ref();
    let mut fields: Vec<_> = requests::fields(*id, members, api).collect();
    fields.retain(|(_, field)| {
        is_shown(field, api) && mask.is_none_or(|mask| field.property() != Some(&mask.name))
    });
    let object = mask.and_then(|mask| mask.object.as_deref());
    fields.sort_by_key(|(_, field)| {
        let is_object = object.is_some() && field.property() == object;
        (!is_object, !is_short(&field.ty, api))
    });
    fields.truncate(SHOWN);
    let setters = fields.iter().map(|(name, field)| match &operation.expansion {
        Some(expansion) if expansion.field == field.name => {
            format!(".expand([{}])", value(&expansion.path, "path", DEPTH, api))
        }
        _ => format!(".{name}({})", value(&field.ty, field.name.bare(), DEPTH, api)),
    });
    let mut calls: Vec<String> = setters.collect();
    calls.extend(mask.and_then(|mask| mask_call(mask, &fields, api)));
    calls
}

/// Returns the call that sets an update mask to the properties that the example changes. Required ones may identify it.
fn mask_call(mask: &Mask, setters: &[(&FieldName, &Field)], api: &Api) -> Option<String> {
    let id = mask.object_type.type_id();
    let (_, object) = api.as_struct(&Type::Named(id))?;
    let mut changed: Vec<&Field> = match mask.object {
        None => setters.iter().map(|(_, field)| *field).collect(),
        Some(_) => shown(object, api).collect(),
    };
    if changed.is_empty() {
        changed.extend(object.arguments());
    }
    let mut constants = conventions::constants(object, api);
    constants
        .retain(|constant| changed.iter().any(|field| field.property() == Some(constant.wire)));
    let path = api.definition(id).path();
    let names: Vec<String> = constants.iter().map(|it| format!("{path}::{}", it.name)).collect();
    (!names.is_empty()).then(|| format!(".set_mask([{}])", names.join(", ")))
}

/// Returns the properties that an example of a model sets: all of a reference; one of others, if no argument is required or
/// the property is the change.
fn shown<'a>(object: &'a Struct, api: &'a Api) -> impl Iterator<Item = &'a Field> {
    let is_one = object.conventions.is_edited || object.arguments().next().is_none();
    let count = if object.conventions.is_key { object.fields.len() } else { usize::from(is_one) };
    object.fields.iter().filter(|it| is_shown(it, api) && is_short(&it.ty, api)).take(count)
}

/// Returns whether a value of this type contains no model.
fn is_short(ty: &Type, api: &Api) -> bool {
    ty.named().is_none_or(|id| matches!(api.definition(id).shape, Shape::Enum(_)))
}

/// Returns whether an example shows the setter of a field.
fn is_shown(field: &Field, api: &Api) -> bool {
    let is_simple = match &field.ty {
        Type::Scalar(Scalar::Bool | Scalar::Int32 | Scalar::Int64 | Scalar::Int64Text)
        | Type::String
        | Type::Secret(_)
        | Type::Upload
        | Type::List(_) => true,
        Type::Named(id) | Type::AnyText(id) => {
            !matches!(api.definition(*id).shape, Shape::Union(_))
        }
        _ => false,
    };
    is_simple && !field.required && field.access != Access::Read && !field.docs.deprecated
}

fn value(ty: &Type, name: &str, depth: usize, api: &Api) -> String {
    match ty {
        Type::Scalar(scalar) if !scalar.is_of_runtime() => scalar.row().sample.to_owned(),
        Type::Upload => CONTENT.to_owned(),
        Type::String | Type::Binary | Type::Value => format!("{:?}", name.replace('_', "-")),
        // The type of a bare default would not be known, because several types convert into a secret.
        Type::Secret(inner) => match value(inner, name, depth, api).as_str() {
            "Default::default()" => "Secret::default()".to_owned(),
            value => value.to_owned(),
        },
        Type::List(item) => format!("[{}]", value(item, name, depth, api)),
        Type::Nullable(inner) => format!("Some({})", value(inner, name, depth, api)),
        Type::Dictionary(_) => "std::collections::BTreeMap::new()".to_owned(),
        Type::Own(own) => format!("Typed::<{}>::default()", own.path),
        Type::Scalar(_) | Type::Map | Type::TypedObject => "Default::default()".to_owned(),
        Type::Named(id) | Type::AnyText(id) => named(api.definition(*id), depth, api),
    }
}

/// Returns an expression for content of a media type in a range.
fn typed_upload(range: &str) -> String {
    let media_type = match range {
        "image/*" => "image/png".to_owned(),
        // Each type has this one, for documentation (RFC 4735).
        range => range.replace('*', "example"),
    };
    format!("Upload::from({CONTENT}).with_content_type({media_type:?})")
}

fn named(definition: &TypeDef, depth: usize, api: &Api) -> String {
    let path = definition.path();
    match &definition.shape {
        Shape::Struct(object) if depth == 0 && !object.conventions.is_key => {
            format!("{path}::default()")
        }
        Shape::Struct(object) => {
            let value =
                |field: &Field| value(&field.ty, field.name.bare(), depth.saturating_sub(1), api);
            let arguments: Vec<String> = object.arguments().map(value).collect();
            let setters = shown(object, api).map(|it| format!(".{}({})", it.name, value(it)));
            format!("{path}::new({}){}", arguments.join(", "), setters.collect::<String>())
        }
        Shape::Enum(values) => {
            let variant =
                values.variants.iter().find(|variant| variant.name.as_str() != "Unspecified");
            match variant {
                Some(variant) => format!("{path}::{}", variant.name),
                None => "\"value\"".to_owned(),
            }
        }
        // No request sends one.
        Shape::Reply(_) => "Default::default()".to_owned(),
        Shape::Union(union) => match union.variants.first() {
            Some(variant) => format!("{path}::{}(Default::default())", variant.name),
            None => "Default::default()".to_owned(),
        },
    }
}
