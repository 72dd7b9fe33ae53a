//! From an OpenAPI document to the source of a crate of typed bindings: text in, files or diagnostics out.
//!
//! Data flows one way through four layers:
//!
//! ```text
//! text ──document──► Document ──lower──► ir::Api ──items──► public items ──emit──► files
//!                                                                 └──compare──► differences
//! ```

mod chosen;
pub mod compare;
mod configuration;
pub mod conventions;
mod derives;
mod described;
pub mod diagnostics;
pub mod document;
mod emit;
mod facts;
mod finish;
mod graph;
#[doc(hidden)] // For the check of traffic, which walks values along their types.
pub mod ir;
pub mod items;
mod lower;
pub mod media_type;
mod message;
mod names;
pub mod parallel;
mod rounds;
mod secrets;
mod settings;
mod source_map;
mod unreached;
mod visible;

use std::collections::{BTreeMap, BTreeSet};

use configuration::{Configuration, report_unused};
pub use described::Described;
use diagnostics::{Code, Diagnostics, Place, Rest, Severity, help_for_unknown};
use document::Tree;
pub use document::{
    Input, JsonPath, Node, Pointer, ReadFile, Readable, Source, effective, may_read, parse, to_yaml,
};
pub use emit::SourceFile;
pub use emit::crates_of;
#[doc(hidden)]
pub use emit::union_rules;
use emit::{agents, emit, is_identifier};
pub use facts::is_fixed;
pub use ir::ListKeys;
use items::{Package, PublicApi};
pub use names::MAX_NAME;
pub use settings::{Kept, Settings};
pub use source_map::quoted;
pub use visible::{visible, visible_json, visible_lines};

/// The result of generating from a document.
#[derive(Debug)]
pub struct Outcome {
    /// The crate; `None` if the document has errors, unless [`Settings::keep_going`] is set and the errors are in
    /// operations or components.
    pub output: Option<Output>,
    /// The operations that are missing in `output` because of errors, such as `GET /pets`.
    pub left_out: Vec<String>,
    /// The errors and warnings about the document.
    pub diagnostics: Diagnostics,
}

/// A generated crate.
#[derive(Debug)]
pub struct Output {
    /// The files, sorted by path.
    pub files: Vec<SourceFile>,
    /// The size of the crate.
    pub summary: Summary,
    /// The public items of the crate.
    pub public_api: PublicApi,
}

/// The size of a crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The number of operations.
    pub operations: usize,
    /// The number of named types.
    pub types: usize,
}

/// Returns the tree of a document, under the empty name, and the trees of the files that it refers to, by path. All
/// references are relative to the folder of the document. Files that cannot be read are omitted.
pub fn trees<'f>(input: impl Into<Input<'f>>) -> BTreeMap<String, Node> {
    document::load(&input.into(), &mut Diagnostics::new()).map(Tree::into_files).unwrap_or_default()
}

/// Validates a document and the parts of others that it refers to, without generating.
pub fn validate<'f>(input: impl Into<Input<'f>>) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    if let Some(document) = document::open(&input.into(), &mut diagnostics) {
        document::check(&document, &mut diagnostics);
    }
    diagnostics
}

/// Reads a document, and what its crate makes of it. Reports problems of the document, which cost the parts that have them.
/// Returns `None` if it cannot be read at all.
#[doc(hidden)]
pub fn described<'f>(
    input: impl Into<Input<'f>>,
    diagnostics: &mut Diagnostics,
) -> Option<(document::Document, ir::Api)> {
    let input = input.into();
    let document = document::open(&input, diagnostics)?;
    let settings = Settings::default();
    let (api, _) = lower::lower(&document, &settings, &mut Diagnostics::new());
    let api = api.or_else(|| rounds::lower_sound_parts(&input, &settings, diagnostics).api)?;
    Some((document, api))
}

/// Returns the public items of the crate that is generated from an OpenAPI document, without writing the crate.
pub fn public_api<'f>(
    input: impl Into<Input<'f>>,
    settings: &Settings,
) -> (Option<PublicApi>, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let (ir, _) = sound_api(&input.into(), settings, &mut diagnostics);
    (ir.map(|ir| PublicApi::new(&ir, package(settings))), diagnostics)
}

/// Generates a crate from an OpenAPI document.
pub fn generate<'f>(input: impl Into<Input<'f>>, settings: &Settings) -> Outcome {
    let mut diagnostics = Diagnostics::new();
    let (ir, left_out) = sound_api(&input.into(), settings, &mut diagnostics);
    allow(settings, &mut diagnostics);
    let output = ir.map(|ir| {
        let (mut files, (public_api, list)) = parallel::join(
            || emit(&ir, settings),
            || {
                diagnostics.find_places(&diagnostics);
                let public_api = PublicApi::new(&ir, package(settings));
                let list = public_api.to_string();
                (public_api, list)
            },
        );
        files.push(SourceFile { path: "api.txt".to_owned(), text: list });
        if !settings.without_agents {
            files.push(agents(&ir, &public_api, settings));
        }
        files.sort_by(|left, right| left.path.cmp(&right.path));
        let summary = Summary { operations: ir.operations().count(), types: ir.emitted().count() };
        Output { files, summary, public_api }
    });
    Outcome { output, left_out, diagnostics }
}

/// Returns the properties of the package that are items.
fn package(settings: &Settings) -> Package<'_> {
    Package {
        library: settings.library(),
        env_prefix: settings.env_prefix(),
        request_id: settings.request_id.as_deref(),
    }
}

/// Returns the IR of the parts without errors, and the omitted operations. The first is `None` if there are errors and
/// [`Settings::keep_going`] is not set.
fn sound_api(
    input: &Input<'_>,
    settings: &Settings,
    diagnostics: &mut Diagnostics,
) -> (Option<ir::Api>, Vec<String>) {
    let rounds::Lowered { api, left_out, removals, unmatched } =
        rounds::lower_sound_parts(input, settings, diagnostics);
    if let Some(api) = api.as_ref().filter(|_| diagnostics.has_errors()) {
        let operations = api.operations().count();
        let removals = removals.into_iter().flatten().collect();
        diagnostics.rest = Some(Rest { operations, all: operations + left_out.len(), removals });
    }
    if let Some(file) = settings.file.as_ref() {
        report_unmatched(unmatched, file, diagnostics);
    }
    let is_wanted = settings.keep_going || !diagnostics.has_errors();
    let Some(mut api) = api.filter(|_| is_wanted) else { return (None, left_out) };
    lower::check_settings(&api, settings, diagnostics);
    secrets::apply(&mut api, settings, diagnostics);
    if left_out.is_empty() {
        unreached::report(&api, settings, diagnostics);
    }
    if !apply_conventions(&mut api, settings, diagnostics) {
        return (None, left_out);
    }
    if !settings.derives.is_empty() {
        let list = PublicApi::new(&api, package(settings));
        derives::apply(&mut api, &list, settings, diagnostics);
    }
    let is_possible = resolve_aliases(&mut api, settings, diagnostics);
    (is_possible.then_some(api), left_out)
}

/// Reports the renames of elements that the document does not have, or that have no name in Rust, and the places in `[types]`
/// that have no values; warns of the formats there.
fn report_unmatched(
    unmatched: lower::Unused,
    file: &(String, String),
    diagnostics: &mut Diagnostics,
) {
    let (places, formats) = unmatched.types.into_iter().partition(|key| key.contains('#'));
    let of_renames = [
        "not an element with a name in Rust",
        "write the JSON pointer of a schema with a type of its own, of a property, operation or server, or of a parameter, \
         tag or security scheme that operations use, or the service of an `operationId`, or remove the line",
    ];
    let of_formats = ["the format of no value", "remove the line"];
    let of_places = [
        "not the place of a schema that describes values",
        "write `#` and the JSON pointer of a schema, such as `#/components/schemas/Money`, or remove the line",
    ];
    let tables: [(_, _, Vec<String>, _); 3] = [
        (Code::Rename, "[renames]", unmatched.renames, of_renames),
        (Code::UnusedSetting, "[types]", formats, of_formats),
        (Code::OwnType, "[types]", places, of_places),
    ];
    for (code, table, keys, what) in tables {
        report_unused(code, Some(file), table, &keys, &[""; 0], what, diagnostics);
    }
}

/// Removes the warnings that the settings allow, and warns of entries that match no warning.
fn allow(settings: &Settings, diagnostics: &mut Diagnostics) {
    let mut unused: Vec<&String> = settings.allowed.iter().collect();
    let found = std::mem::take(diagnostics);
    diagnostics.rest.clone_from(&found.rest);
    diagnostics.absorb(found, |diagnostic| {
        let is_allowed = diagnostic.severity == Severity::Warning
            && settings.allowed.iter().any(|code| code == diagnostic.code.name());
        unused.retain(|code| *code != diagnostic.code.name());
        (!is_allowed).then_some(diagnostic)
    });
    let file = settings.file.as_ref().filter(|_| !unused.is_empty());
    let Some(file) = Configuration::new(file, diagnostics) else { return };
    for code in unused {
        let message = format!("the document has no warning `{code}`");
        let place = file.place("[warnings]", code);
        let known = Code::ALL.iter().map(|code| code.name());
        let meant = diagnostics.spelling().closest(code, known).filter(|meant| meant != code);
        let help = help_for_unknown(meant, "remove it from `allow`");
        diagnostics.report(Code::UnusedAllow, place, message).help(help);
    }
}

/// Finds the conventions of an API. Reports the settings that do not fit it, and returns whether there are none.
fn apply_conventions(
    api: &mut ir::Api,
    settings: &Settings,
    diagnostics: &mut Diagnostics,
) -> bool {
    let invalid = conventions::apply(api, &settings.conventions, is_identifier);
    for (operation, names) in conventions::unclear(api, &settings.conventions) {
        let place = Place::key(&Pointer::from_escaped(&operation.pointer));
        let message =
            format!("the update mask can be about several objects: `{}`", names.join("`, `"));
        let key = format!("masks.{:?}", operation.id);
        diagnostics
            .report(Code::UnclearMask, place, message)
            .help(format!("for `send_edit()`, name the object in `codegen.toml`: `{key}`"));
    }
    let file = settings.file.as_ref().filter(|_| !invalid.is_empty());
    let Some(file) = Configuration::new(file, diagnostics) else { return true };
    for conventions::Invalid { text, message, help } in invalid {
        diagnostics.report(Code::Convention, file.place("", &text), message).help(help);
    }
    false
}

/// Adds the old names of items. Reports the invalid ones, and returns whether there are none.
fn resolve_aliases(api: &mut ir::Api, settings: &Settings, diagnostics: &mut Diagnostics) -> bool {
    if settings.aliases.is_empty() {
        return true;
    }
    let list = PublicApi::new(api, package(settings));
    let (aliases, invalid) = items::resolve(&settings.aliases, &list, &ALIAS_NAMES);
    api.aliases = aliases;
    let file = settings.file.as_ref().filter(|_| !invalid.is_empty());
    let Some(file) = Configuration::new(file, diagnostics) else { return true };
    for items::InvalidAlias { old, message, help } in &invalid {
        diagnostics.report(Code::Alias, file.place("[aliases]", old), message).help(*help);
    }
    invalid.is_empty()
}

/// Returns the old paths, given the new ones, that cannot be aliases in a crate.
pub fn refused_aliases(aliases: &BTreeMap<String, String>, list: &PublicApi) -> BTreeSet<String> {
    let (_, invalid) = items::resolve(aliases, list, &ALIAS_NAMES);
    invalid.into_iter().map(|it| it.old).collect()
}

const ALIAS_NAMES: items::AliasNames = items::AliasNames {
    identifier: is_identifier,
    ty: names::is_free_type,
    module: names::is_free_module,
};
