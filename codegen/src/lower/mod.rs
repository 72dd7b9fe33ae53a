//! From the description to the IR: resolves every reference, decides every type, makes every name.
//!
//! The phases, in order:
//!
//! 1. [`schemas::components`]: every schema under `components` gets its module and its name, or is found to be transparent (an
//!    alias of a type that needs no name).
//! 2. [`schemas`]: the shapes; inline schemas get names from where they stand.
//! 3. [`operations`]: resources and their operations.
//! 4. [`finish`]: which fields must be boxed, the final order of items, and which types requests carry.

mod classify;
mod finish;
mod names;
mod operations;
mod ref_index;
mod references;
mod schemas;
mod servers;

use std::collections::HashMap;

use crate::diagnostics::Diagnostics;
use crate::document::{Document, Pointer};
use crate::ir::{Api, Docs, ModuleName, ModulePath, Type, TypeDef, TypeId, TypeName};

pub use finish::aliases::apply as apply_aliases;
use names::{ModulePaths, Scope};
use ref_index::RefIndex;
use schemas::{Component, protobuf_oneof};

/// Decides everything that is to be emitted, or reports why it can't be: then there is no result.
pub fn lower(document: &Document, diagnostics: &mut Diagnostics) -> Option<Api> {
    let mut lowering = Lowering {
        document,
        diagnostics,
        ref_index: RefIndex::of(document),
        modules: ModulePaths::of(
            document.openapi.components.schemas.iter().map(|(key, _)| key.as_str()),
        ),
        components: HashMap::new(),
        inline: HashMap::new(),
        types: Vec::new(),
        type_names: Scope::default(),
        following: Vec::new(),
        depth: 0,
    };
    lowering.name_components();
    lowering.lower_components();
    let resources = lowering.resources();
    if lowering.diagnostics.has_errors() {
        return None;
    }
    let openapi = &document.openapi;
    let mut api = Api {
        title: openapi.info.title.clone(),
        description: openapi.info.description.clone().or_else(|| openapi.info.summary.clone()),
        version: openapi.info.version.clone(),
        base_url: servers::base_url(&openapi.servers),
        example_base_url: servers::example_base_url(&openapi.servers),
        types: lowering.types.into_iter().flatten().collect(),
        resources,
    };
    finish::finish(&mut api);
    Some(api)
}

/// The state of a run.
struct Lowering<'d> {
    document: &'d Document,
    diagnostics: &'d mut Diagnostics,
    /// What else than schemas a `$ref` can lead to.
    ref_index: RefIndex<'d>,
    /// The modules that the keys of `components` make.
    modules: ModulePaths<'d>,
    /// The schemas under `components`, by key.
    components: HashMap<&'d str, Component<'d>>,
    /// The named types of inline schemas, by place, so that a schema met twice is one type.
    inline: HashMap<Pointer, TypeId>,
    /// The named types; `None` while one is being made.
    types: Vec<Option<TypeDef>>,
    type_names: Scope<(ModulePath, TypeName)>,
    /// The places that references outside `components` are being followed to, to notice one that leads back.
    following: Vec<Pointer>,
    /// How deep the schema is nested whose type is being found.
    depth: usize,
}

/// Where a schema stands, as far as its names depend on it.
#[derive(Clone, Debug)]
struct Owner {
    module: ModulePath,
    file: ModuleName,
    /// What an inline type would be called.
    name: String,
}

impl Owner {
    /// Returns the owner of what stands in a member, a parameter or an element.
    fn child(&self, name: &str) -> Self {
        Self { name: format!("{}{}", self.name, names::camel(name)), ..self.clone() }
    }
}

/// The type of a schema, and whether null is allowed for it.
#[derive(Clone, Debug)]
struct Typed {
    ty: Type,
    nullable: bool,
}

impl Typed {
    fn new(ty: Type) -> Self {
        Self { ty, nullable: false }
    }
}

fn docs(text: Option<&String>, title: Option<&String>, deprecated: bool) -> Docs {
    let said =
        text.map(|text| protobuf_oneof::read(text).rest).filter(|text| !text.trim().is_empty());
    let text =
        said.as_ref().or(title).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    Docs { text, deprecated }
}
