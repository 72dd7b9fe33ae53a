//! Operations, gathered into resources: by the service that their `operationId` names, or else by tag.

mod body;
mod draft;
mod naming;
mod operation;
mod paging;
mod parameter;

use std::collections::BTreeMap;

use super::{Lowering, docs};
use crate::document::Method;
use crate::ir::{HttpMethod, ModuleName, Resource};
use crate::lower::names;
use draft::Draft;
use naming::Group;

/// The tag of operations that have none.
const UNTAGGED: &str = "default";

/// How many operations a crate can have before each resource gets a cargo feature.
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
        for (path, item) in &document.openapi.paths {
            let item = self.path_item_at(item);
            for (method, operation) in &item.operations {
                let method = http_method(*method);
                let id = operation.operation_id.clone();
                let id = id.unwrap_or_else(|| names::made_up(method.as_str(), path));
                let tag = operation.tags.first().map_or(UNTAGGED, String::as_str);
                drafts.push(Draft { path, item, method, operation, id, tag });
            }
        }
        drafts
    }

    /// Makes the resource of some operations, without them. Their tag documents it, if it is the same for all.
    fn resource(&self, drafts: &[&Draft<'d>], label: &str, module: ModuleName) -> Resource {
        let tag = drafts.first().map_or(label, |draft| draft.tag);
        let is_sole = tag != UNTAGGED && drafts.iter().all(|draft| draft.tag == tag);
        let tag = if is_sole { tag } else { label };
        let declared = self.document.openapi.tags.iter().find(|declared| declared.name == tag);
        Resource {
            name: names::handle(label),
            accessor: names::accessor(label),
            module,
            feature: None,
            tag: tag.to_owned(),
            docs: docs(declared.and_then(|tag| tag.description.as_ref()), None, false),
            operations: Vec::with_capacity(drafts.len()),
        }
    }
}

fn http_method(method: Method) -> HttpMethod {
    match method {
        Method::Get => HttpMethod::Get,
        Method::Head => HttpMethod::Head,
        Method::Post => HttpMethod::Post,
        Method::Put => HttpMethod::Put,
        Method::Delete => HttpMethod::Delete,
        Method::Options => HttpMethod::Options,
        Method::Trace => HttpMethod::Trace,
        Method::Patch => HttpMethod::Patch,
    }
}
