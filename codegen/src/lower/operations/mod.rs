//! Operations, grouped into resources by the service of their `operationId`, or else by tag.

mod arguments;
mod bodies;
mod described;
mod draft;
mod failures;
mod forms;
mod headers;
mod items;
mod media;
mod naming;
mod operation;
mod paging;
mod parameter;
mod replies;
mod request_body;
mod successes;

use std::collections::{BTreeMap, BTreeSet};

use super::schemas::Schemas;
use super::{docs, references};
use crate::diagnostics::Diagnostics;
use crate::document::{Document, Kind, View};
use crate::ir::{ModuleName, Resource};
use crate::lower::names;
use draft::Draft;
use failures::FailureEnums;
use naming::Group;

/// Maximum number of operations of a crate without a cargo feature for each resource.
const MAX_WITHOUT_FEATURES: usize = 100;

/// Returns the names of the services of a document, each with its package.
pub fn services(document: &Document) -> BTreeSet<String> {
    let ids = document.operations().filter_map(|operation| operation.text("operationId"));
    ids.filter_map(|id| Some(names::split(id).0?.to_string())).collect()
}

/// Lowers all operations.
pub fn resources(schemas: &mut Schemas<'_, '_>) -> Vec<Resource> {
    let context = schemas.context;
    let drafts = drafts(context.document, schemas.diagnostics);
    let with_features = drafts.len() > MAX_WITHOUT_FEATURES;
    let mut groups: BTreeMap<Group<'_>, Vec<&Draft<'_>>> = BTreeMap::new();
    for draft in &drafts {
        groups.entry(Group::new(draft, context)).or_default().push(draft);
    }
    let labels = naming::labels(&groups, schemas.diagnostics);
    let mut resources = Vec::with_capacity(groups.len());
    let mut enums = FailureEnums::default();
    for ((group, drafts), (label, module)) in groups.into_iter().zip(labels) {
        let mut resource = resource(&drafts, &label, module, context.document);
        if with_features {
            resource.feature = Some(names::feature(resource.accessor.bare()));
        }
        let names =
            naming::operation_names(&resource, &group, &drafts, context, schemas.diagnostics);
        for (draft, names) in drafts.into_iter().zip(names) {
            let operation = operation::operation(draft, names, &mut enums, schemas);
            resource.operations.push(operation);
        }
        resources.push(resource);
    }
    resources
}

/// Reads the operations of all paths.
fn drafts<'d>(document: &'d Document, diagnostics: &mut Diagnostics) -> Vec<Draft<'d>> {
    let mut drafts = Vec::new();
    for (path, item) in document.paths() {
        let item = references::item(document, &item, Kind::PathItem, diagnostics);
        let Some(item) = item else { continue };
        for (verb, operation) in item.operations() {
            let kind = Kind::Operation;
            let operation = references::item(document, &operation, kind, diagnostics);
            let Some(operation) = operation else { continue };
            let draft = Draft::new(path, item.clone(), verb, operation);
            drafts.extend(draft.requests(document, diagnostics));
        }
    }
    // Several paths can share an item, so that its place does not order them.
    drafts.sort_by_key(|draft| (draft.path, draft.verb));
    drafts
}

/// Returns an empty resource for a group of operations. If all have the same tag, the tag documents the resource.
fn resource(
    drafts: &[&Draft<'_>],
    label: &str,
    module: ModuleName,
    document: &Document,
) -> Resource {
    let tag = drafts.first().map_or(label, |draft| draft.tag);
    let is_sole = drafts.iter().all(|draft| draft.is_tagged() && draft.tag == tag);
    let tag = if is_sole { tag } else { label };
    let declared = document.tag(tag);
    Resource {
        name: names::handle(label),
        accessor: names::accessor(label),
        module,
        feature: None,
        tag: tag.to_owned(),
        docs: docs(declared.and_then(|tag| about(&tag)).as_deref(), None, false),
        operations: Vec::with_capacity(drafts.len()),
    }
}

/// Returns the documentation of a tag: its summary, its description, and the tag that it is part of.
fn about(tag: &View<'_>) -> Option<String> {
    let part = match (tag.text("kind"), tag.text("parent")) {
        (Some(kind), Some(parent)) => Some(format!("A tag of the kind `{kind}` in `{parent}`.")),
        (Some(kind), None) => Some(format!("A tag of the kind `{kind}`.")),
        (None, parent) => parent.map(|parent| format!("Part of `{parent}`.")),
    };
    let texts =
        [tag.text("summary").map(str::to_owned), tag.description().map(str::to_owned), part];
    let texts: Vec<String> = texts.into_iter().flatten().collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}
