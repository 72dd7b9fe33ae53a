//! Operations, grouped into resources by the service of their `operationId`, or else by tag.

mod body;
mod draft;
mod naming;
mod operation;
mod paging;
mod parameter;

use std::collections::BTreeMap;

use super::{Lowering, docs};
use crate::document::Kind;
use crate::ir::{ModuleName, Resource};
use crate::lower::names;
use draft::Draft;
use naming::Group;

/// The tag of operations that have none.
const UNTAGGED: &str = "default";

/// The most operations of a crate without a cargo feature for each resource.
const MOST_WITHOUT_FEATURES: usize = 100;

impl<'d> Lowering<'d> {
    /// Lowers all operations.
    pub fn resources(&mut self) -> Vec<Resource> {
        let drafts = self.drafts();
        let with_features = drafts.len() > MOST_WITHOUT_FEATURES;
        let mut groups: BTreeMap<Group<'_>, Vec<&Draft<'d>>> = BTreeMap::new();
        for draft in &drafts {
            groups.entry(self.group_of(draft)).or_default().push(draft);
        }
        let labels = self.labels(&groups);
        let mut resources = Vec::with_capacity(groups.len());
        for (drafts, (label, module)) in groups.into_values().zip(labels) {
            let mut resource = self.resource(&drafts, &label, module);
            if with_features {
                resource.feature = Some(names::feature(&resource.tag));
            }
            let names = self.operation_names(&resource, &drafts);
            for (draft, names) in drafts.into_iter().zip(names) {
                let operation = self.operation(draft, names);
                resource.operations.push(operation);
            }
            resources.push(resource);
        }
        resources
    }

    fn drafts(&mut self) -> Vec<Draft<'d>> {
        let document = self.document;
        let mut drafts = Vec::new();
        for (path, item) in document.paths() {
            let Some(item) = self.item(&item, Kind::PathItem) else { continue };
            for (method, operation) in item.operations() {
                let Some(operation) = self.item(&operation, Kind::Operation) else { continue };
                let id = operation.text("operationId").map(str::to_owned);
                let id = id.unwrap_or_else(|| names::made_up(method, path));
                let tag = operation.texts("tags").next().unwrap_or(UNTAGGED);
                drafts.push(Draft { path, item: item.clone(), method, operation, id, tag });
            }
        }
        // Several paths can share an item, whose place then orders nothing.
        drafts.sort_by_key(|draft| (draft.path, draft.method));
        drafts
    }

    /// Returns the resource of some operations, still empty. If all have the same tag, it documents the resource.
    fn resource(&self, drafts: &[&Draft<'d>], label: &str, module: ModuleName) -> Resource {
        let tag = drafts.first().map_or(label, |draft| draft.tag);
        let is_sole = tag != UNTAGGED && drafts.iter().all(|draft| draft.tag == tag);
        let tag = if is_sole { tag } else { label };
        let declared = self.document.tag(tag);
        Resource {
            name: names::handle(label),
            accessor: names::accessor(label),
            module,
            feature: None,
            tag: tag.to_owned(),
            docs: docs(declared.and_then(|tag| tag.description()), None, false),
            operations: Vec::with_capacity(drafts.len()),
        }
    }
}
