//! The derive macros of models, by `[derive]` of `codegen.toml`.

use crate::configuration::report_unused;
use crate::diagnostics::{Code, Diagnostics};
use crate::ir::{Api, Shape, TypeDef};
use crate::items::{MemberKind, Path, PublicApi};
use crate::settings::Settings;

/// The key of the macros of all models.
const ALL: &str = "all";

/// Applies `[derive]`. Warns of types that do not exist, and leaves out the traits that types in the list implement already.
pub(crate) fn apply(
    api: &mut Api,
    list: &PublicApi,
    settings: &Settings,
    diagnostics: &mut Diagnostics,
) {
    let (code, file) = (Code::UnusedSetting, settings.file.as_ref());
    let emitted = api.emitted().map(|(_, definition)| definition.path());
    let known: Vec<String> = emitted.chain([ALL.to_owned()]).collect();
    let unknown: Vec<_> = settings.derives.keys().filter(|key| !known.contains(key)).collect();
    let what = ["not a type of the crate", "write its path, such as `models::Task`"];
    report_unused(code, file, "[derive]", &unknown, &known, what, diagnostics);
    for (key, macros) in settings.derives.iter().filter(|(key, _)| known.contains(key)) {
        let mut doubled = Vec::new();
        for path in macros {
            let types = api.types.iter_mut().filter(|it| it.is_emitted && has_key(it, key));
            let lacking = types.filter(|it| !implements(it, name(path), list));
            if lacking.map(|it| it.derives.push(path.clone())).count() == 0 {
                doubled.push(path);
            }
        }
        let what = ["implemented already by all types of this entry", "remove it"];
        let heading = if key == ALL { "[derive]" } else { &format!("{key:?}") };
        report_unused(code, file, heading, &doubled, &[""; 0], what, diagnostics);
    }
}

/// Returns whether a key names a type. Enums of replies are no models.
fn has_key(definition: &TypeDef, key: &str) -> bool {
    match key {
        ALL => !matches!(definition.shape, Shape::Reply(_)),
        path => definition.path() == path,
    }
}

/// Returns whether a type implements a trait, or derives one of this name.
fn implements(definition: &TypeDef, wanted: &str, list: &PublicApi) -> bool {
    let item = list.items.get(&Path::new(definition.path()));
    let known = (MemberKind::Trait, wanted.to_owned());
    item.is_some_and(|item| item.members.contains_key(&known))
        || definition.derives.iter().any(|path| name(path) == wanted)
}

/// Returns the name of a macro, which is that of its trait.
fn name(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}
