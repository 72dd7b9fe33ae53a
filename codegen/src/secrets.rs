//! Which properties `Debug` of models does not show: by their names, or by `[secrets]` of `codegen.toml`.

use crate::configuration::report_unused;
use crate::diagnostics::{Code, Diagnostics, Place, listed};
use crate::ir::{Api, FieldWire, Scalar, Shape, Type, TypeDef};
use crate::settings::Settings;
use crate::source_map::Pointer;

struct NamedProperty<'a> {
    name: &'a str,
    pointer: &'a str,
    ty: &'a Type,
    shown: &'a mut Option<bool>,
}

/// Applies `[secrets]`. Warns of entries that are no property, and notes which properties only their names hide.
pub(crate) fn apply(api: &mut Api, settings: &Settings, diagnostics: &mut Diagnostics) {
    let mut unused: Vec<&String> = settings.hidden.iter().chain(&settings.shown).collect();
    let mut by_name = Vec::new();
    for property in api.types.iter_mut().filter(|it| it.is_emitted).flat_map(properties) {
        let is_in = |list: &[String]| list.iter().any(|entry| entry == property.pointer);
        *property.shown = match (is_in(&settings.hidden), is_in(&settings.shown)) {
            (true, _) => Some(false),
            (false, true) => Some(true),
            (false, false) => None,
        };
        unused.retain(|entry| *entry != property.pointer);
        let is_by_name = property.shown.is_none() && secret_names::is_secret(property.name);
        if is_by_name && can_be_secret(property.ty) {
            by_name.push(property.pointer.to_owned());
        }
    }
    by_name.sort_unstable();
    by_name.dedup();
    report(&by_name, diagnostics);
    let what = [
        "not the property of a type",
        "write the JSON pointer of a property that operations use, or remove the entry",
    ];
    let (code, file) = (Code::UnusedSetting, settings.file.as_ref());
    report_unused(code, file, "[secrets]", &unused, &[""; 0], what, diagnostics);
}

/// Notes the properties that are hidden by their names.
fn report(by_name: &[String], diagnostics: &mut Diagnostics) {
    let [first, others @ ..] = by_name else { return };
    let names: Vec<&str> = by_name.iter().map(String::as_str).collect();
    let verb = if others.is_empty() { "is hidden" } else { "are hidden" };
    let message = format!(
        "{} {verb} in `Debug` and errors, because the name is that of a secret",
        listed(&names)
    );
    let pointer = Pointer::from_escaped(first);
    let help = format!(
        "to make one a `Secret`, add an action to an overlay: `{{target: \"{}\", update: {{format: password}}}}`; to show \
         one, or to accept this, list it in `codegen.toml`: `secrets.show` or `secrets.hide`",
        pointer.json_path()
    );
    diagnostics.report(Code::SecretName, Place::key(&pointer), message).help(help);
}

fn properties(definition: &mut TypeDef) -> Vec<NamedProperty<'_>> {
    match &mut definition.shape {
        Shape::Struct(object) => {
            let fields = object.fields.iter_mut().filter_map(|field| match &field.wire {
                FieldWire::Property(name) => Some(NamedProperty {
                    name,
                    pointer: &field.pointer,
                    ty: &field.ty,
                    shown: &mut field.shown,
                }),
                FieldWire::Flattened => None,
            });
            fields.collect()
        }
        Shape::Union(union) => {
            let variants = union.variants.iter_mut().filter_map(|variant| {
                Some(NamedProperty {
                    name: variant.property.as_deref()?,
                    pointer: &variant.pointer,
                    ty: &variant.ty,
                    shown: &mut variant.shown,
                })
            });
            variants.collect()
        }
        Shape::Enum(_) | Shape::Reply(_) => Vec::new(),
    }
}

/// Returns whether the format `password` would make the values secrets.
fn can_be_secret(ty: &Type) -> bool {
    use Type::{Map, Named, Secret, TypedObject, Upload};
    match ty.innermost() {
        Type::Scalar(scalar) => *scalar != Scalar::Bool && !scalar.is_of_runtime(),
        ty => !matches!(ty, Map | Named(_) | Secret(_) | TypedObject | Upload),
    }
}
