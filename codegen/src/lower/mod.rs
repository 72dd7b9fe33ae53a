//! From the document to the IR: resolves every reference, decides every type, and assigns every name.
//!
//! The phases, in order:
//!
//! 1. [`operations`]: the names of resources and of their operations, after which types are named.
//! 2. [`schemas`]: every schema under `components` becomes a named type or an alias, decided by [`classify`]; inline
//!    schemas are named after their context.
//! 3. [`operations`]: resources and their operations.
//! 4. The types get their final names ([`crate::names`]).
//! 5. [`crate::finish`]: boxes, the order of operations, and the types that requests can carry.
//!
//! A step takes the tables that it needs: all read the [`Context`] and report to its diagnostics, and only steps that
//! define types change those.

mod alternative;
mod annotations;
mod classify;
mod context;
mod credentials;
mod operations;
mod owner;
mod reading;
mod references;
mod schemas;
mod servers;

use std::collections::HashSet;

use crate::diagnostics::Diagnostics;
use crate::document::{Document, Pointer, targets};
use crate::finish::finish;
use crate::ir::{Aliases, Api};
use crate::settings::{Kept, Settings};

use alternative::Alternative;
use annotations::{Annotations, docs, with_paragraph};
pub use context::Unused;
use context::{Component, Context};
pub use operations::{check_settings, services};
use owner::Owner;
use reading::Reading;
use schemas::Schemas;

/// Lowers a document. Returns `None` if errors are reported, and the keys of settings that it does not have.
pub fn lower(
    document: &Document,
    settings: &Settings,
    diagnostics: &mut Diagnostics,
) -> (Option<Api>, Unused) {
    let components: Vec<_> = document.schemas().collect();
    let mut context = Context::new(document, settings, &components, diagnostics);
    let drafts = operations::drafts(&context);
    let named = operations::named(&drafts, &context);
    operations::name_bodies(&named, &mut context);
    let mut schemas = Schemas::new(&context);
    schemas.lower_components(&components);
    let mut resources = operations::resources(&drafts, named, &mut schemas);
    let credentials = credentials::credentials(&context, &mut resources);
    let servers = servers::servers(&mut schemas);
    let Schemas { types, sites, .. } = schemas;
    let types = types.named(&context);
    let unused = context.unused();
    if context.diagnostics().has_errors() {
        return (None, unused);
    }
    let info = document.root().child("info");
    let text = |key| info.as_ref().and_then(|info| info.text(key)).map(str::to_owned);
    let mut api = Api {
        title: text("title").unwrap_or_default(),
        description: text("description").or_else(|| text("summary")),
        version: text("version").unwrap_or_default(),
        base_url: servers::base_url(&context.servers),
        base_url_template: servers::base_url_template(&context.servers),
        example_base_url: servers::example_base_url(&context.servers),
        servers,
        credentials,
        types,
        kept: Vec::new(),
        sites,
        resources,
        aliases: Aliases::default(),
        recursion_limit: None,
    };
    finish(&mut api, kept(document, settings).as_ref());
    (Some(api), unused)
}

/// Returns the places of the schemas that are emitted although no operation reaches them; `None` for all.
fn kept(document: &Document, settings: &Settings) -> Option<HashSet<String>> {
    let Kept::Named(named) = &settings.kept else { return None };
    if settings.include.is_empty() && settings.exclude.is_empty() {
        document.operations().next()?;
    }
    let schemas = Pointer::root().join("components").join("schemas");
    let named = named.iter().map(|name| schemas.join(name));
    let webhooks = document.tree.root.get("webhooks").map(targets).unwrap_or_default();
    Some(named.chain(webhooks).map(|place| place.to_string()).collect())
}
