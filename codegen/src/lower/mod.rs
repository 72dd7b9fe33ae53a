//! From the document to the IR: resolves every reference, decides every type, makes every name.
//!
//! The phases, in order:
//!
//! 1. [`schemas`]: every schema under `components` becomes a named type or an alias, decided by [`classify`]; inline
//!    schemas are named after their context.
//! 2. [`operations`]: resources and their operations.
//! 3. The types get their final names ([`names`]).
//! 4. [`finish`]: which fields are boxed, the order of operations, and which types requests carry.

mod classify;
mod finish;
mod graph;
mod names;
mod operations;
mod owner;
mod references;
mod schemas;
mod servers;
mod typed;

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::diagnostics::Diagnostics;
use crate::document::{Document, Pointer, View};
use crate::ir::{Aliases, Api, Docs, TypeId};

use names::{ModulePaths, component_name};
use owner::Owner;
use schemas::{Component, Draft, Pending, Resolving, protobuf_oneof};
use typed::Typed;

/// Lowers a document. Returns `None` if errors are reported.
pub fn lower(
    document: &Document,
    renames: &BTreeMap<String, String>,
    diagnostics: &mut Diagnostics,
) -> Option<Api> {
    let schemas: Vec<_> = document.schemas().collect();
    let keys = schemas.iter().map(|(_, schema)| component_name(&schema.pointer));
    let mut lowering = Lowering {
        document,
        renames,
        diagnostics,
        modules: ModulePaths::of(keys),
        components: HashMap::new(),
        alias_cycles: HashMap::new(),
        resolving: Resolving::default(),
        inline: HashMap::new(),
        pending: Vec::new(),
        types: Vec::new(),
        any_text: HashSet::new(),
        following: Vec::new(),
        depth: 0,
    };
    lowering.lower_components(&schemas);
    let resources = lowering.resources();
    let types = lowering.name_types();
    if lowering.diagnostics.has_errors() {
        return None;
    }
    let info = document.root().child("info");
    let text = |key| info.as_ref().and_then(|info| info.text(key)).map(str::to_owned);
    let mut api = Api {
        title: text("title").unwrap_or_default(),
        description: text("description").or_else(|| text("summary")),
        version: text("version").unwrap_or_default(),
        base_url: servers::base_url(document),
        example_base_url: servers::example_base_url(document),
        types,
        resources,
        aliases: Aliases::default(),
        recursion_limit: None,
    };
    finish::finish(&mut api);
    Some(api)
}

/// The state of a run.
struct Lowering<'d> {
    document: &'d Document,
    /// Names that the caller pins, by place or by component.
    renames: &'d BTreeMap<String, String>,
    diagnostics: &'d mut Diagnostics,
    /// The modules of the components.
    modules: ModulePaths,
    /// The schemas under `components`, by key.
    components: HashMap<String, Component<'d>>,
    /// The lists and maps under `components` that contain themselves: the number of the cycle, by key.
    alias_cycles: HashMap<String, usize>,
    resolving: Resolving,
    /// The named types of inline schemas, by place, so that each schema becomes one type.
    inline: HashMap<Pointer, TypeId>,
    /// The schemas of named types that are not lowered yet.
    pending: Vec<Pending<'d>>,
    /// The named types; `None` for those not lowered yet.
    types: Vec<Option<Draft>>,
    /// The enums that are somewhere an alternative to other texts: these are no drift.
    any_text: HashSet<TypeId>,
    /// The targets of the references outside `components` that are being followed, to detect cycles.
    following: Vec<Pointer>,
    /// The nesting depth of the current schema.
    depth: usize,
}

impl Lowering<'_> {
    /// Returns the pinned name of something in the document: from the caller, or from `x-rust-name`.
    fn pin(&self, view: &View<'_>) -> Option<String> {
        let is_renamed = !self.renames.is_empty();
        let renamed = is_renamed.then(|| self.renames.get(&view.pointer.to_string())).flatten();
        renamed.map(String::as_str).or(view.rust_name()).map(str::to_owned)
    }
}

fn docs(text: Option<&str>, title: Option<&str>, deprecated: bool) -> Docs {
    let own = text.map(|text| protobuf_oneof::parse(text).rest);
    let own = own.filter(|text| !text.trim().is_empty());
    let text = own.as_deref().or(title).map(|text| text.trim().to_owned());
    Docs { text: text.filter(|text| !text.is_empty()), deprecated }
}
