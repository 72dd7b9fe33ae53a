//! The schemas that no operation reaches: they are not emitted, unless `[components]` of `codegen.toml` keeps them.

use crate::configuration::report_unused;
use crate::diagnostics::{Code, Diagnostics, Place, listed};
use crate::ir::Api;
use crate::settings::{Kept, Settings};
use crate::source_map::Pointer;

/// Notes the schemas that are not emitted, and warns of kept ones that do not exist.
pub(crate) fn report(api: &Api, settings: &Settings, diagnostics: &mut Diagnostics) {
    let left = api.types.iter().filter(|definition| !definition.is_emitted);
    let components = left.filter_map(|it| Some((it.component()?, &it.pointer)));
    let (keys, pointers): (Vec<&str>, Vec<&String>) = components.unzip();
    if let Some(first) = pointers.first() {
        let (noun, are) =
            if keys.len() == 1 { ("schema", "it is") } else { ("schemas", "they are") };
        let message =
            format!("no operation reaches the {noun} {}: {are} not emitted", listed(&keys));
        let place = Place::key(&Pointer::from_escaped(first));
        diagnostics
            .report(Code::UnusedComponent, place, message)
            .help("to emit all, write `[components] keep = \"all\"` in `codegen.toml`, or a list of schemas");
    }
    let Kept::Named(names) = &settings.kept else { return };
    let known: Vec<&str> = api.types.iter().filter_map(|it| it.component()).collect();
    let unused: Vec<_> = names.iter().filter(|name| !known.contains(&name.as_str())).collect();
    let what = ["not a schema with a type of its own under `components`", "remove it from `keep`"];
    let (code, file) = (Code::UnusedSetting, settings.file.as_ref());
    report_unused(code, file, "[components]", &unused, &known, what, diagnostics);
}
