//! Operations, gathered by tag into resources.

mod body;
mod paging;
mod parameter;

use std::collections::BTreeMap;

use super::names::{self, Scope};
use super::{Lowering, Owner, docs};
use crate::diagnostics::Place;
use crate::document::{self, Method, PathItem, Pointer, Tag};
use crate::ir::{HttpMethod, MethodName, ModuleName, ModulePath, Operation, Resource, TypeName};
use parameter::Parameters;

/// The resource of operations that have no tag.
const UNTAGGED: &str = "default";

/// How many operations a crate can have before each resource gets a cargo feature.
const MOST_WITHOUT_FEATURES: usize = 100;

/// A resource in the making.
struct Group {
    resource: Resource,
    /// Where the tag is first met.
    tags: Pointer,
    methods: Scope<MethodName>,
    requests: Scope<TypeName>,
}

impl Group {
    fn new(tag: &str, raw: &str, declared: Option<&Tag>, tags: &Pointer) -> Self {
        let resource = Resource {
            name: names::handle(raw),
            accessor: names::accessor(raw),
            module: names::resource_module(raw),
            feature: None,
            tag: tag.to_owned(),
            docs: docs(declared.and_then(|tag| tag.description.as_ref()), None, false),
            operations: Vec::new(),
        };
        Self { resource, tags: tags.clone(), methods: Scope::default(), requests: Scope::default() }
    }
}

/// The parts of an operation's names.
struct Names {
    id: String,
    method: MethodName,
    request: TypeName,
    /// What inline types of the operation are called after: the whole operationId, so that no other operation matters.
    owner: String,
}

impl<'d> Lowering<'d> {
    /// Lowers all operations.
    pub(crate) fn resources(&mut self) -> Vec<Resource> {
        let document = self.document;
        let mut groups: BTreeMap<ModuleName, Group> = BTreeMap::new();
        let mut ids: BTreeMap<&str, &Pointer> = BTreeMap::new();
        for (path, item) in &document.openapi.paths {
            let item = self.path_item_at(item);
            for (method, operation) in &item.operations {
                let first =
                    operation.operation_id.as_deref().and_then(|id| Some((id, *ids.get(id)?)));
                if let Some((id, first)) = first {
                    self.duplicate_id(id, &operation.pointer, first);
                    continue;
                }
                ids.extend(operation.operation_id.as_deref().map(|id| (id, &operation.pointer)));
                self.add_operation(&mut groups, path, item, *method, operation);
            }
        }
        let mut resources: Vec<Resource> =
            groups.into_values().map(|group| group.resource).collect();
        let operations: usize = resources.iter().map(|resource| resource.operations.len()).sum();
        if operations > MOST_WITHOUT_FEATURES {
            for resource in &mut resources {
                resource.feature = Some(names::feature(&resource.module));
            }
        }
        resources
    }

    fn duplicate_id(&mut self, id: &str, pointer: &Pointer, first: &Pointer) {
        self.diagnostics
            .error(
                "duplicate-operation-id",
                Place::value(&pointer.join("operationId")),
                format!("the operationId `{id}` is used twice"),
            )
            .related(Place::value(&first.join("operationId")), "first used here")
            .help("give every operation an operationId of its own (OpenAPI 3.1 §4.8.10.1)");
    }

    fn add_operation(
        &mut self,
        groups: &mut BTreeMap<ModuleName, Group>,
        path: &str,
        item: &'d PathItem,
        method: Method,
        operation: &'d document::Operation,
    ) {
        let tag = operation.tags.first().map_or(UNTAGGED, String::as_str);
        let declared = self.document.openapi.tags.iter().find(|declared| declared.name == tag);
        let raw = declared.and_then(|tag| tag.rust_name.as_deref()).unwrap_or(tag);
        let tags = operation.pointer.join("tags");
        let group = groups
            .entry(names::resource_module(raw))
            .or_insert_with(|| Group::new(tag, raw, declared, &tags));
        if group.resource.tag != tag {
            let message =
                format!("the tags `{tag}` and `{}` make the same module", group.resource.tag);
            self.diagnostics
                .error("name-collision", Place::value(&tags), message)
                .related(Place::value(&group.tags), "the first is met here")
                .help("spell the tag the same way everywhere, or declare it in `tags` with an `x-rust-name`");
        }
        let Some(names) = self.operation_names(&group.resource, method, path, operation) else {
            return;
        };
        let pointer = operation.pointer.join("operationId");
        let what = format!("the method `{}().{}`", group.resource.accessor, names.method);
        if !group.methods.take(names.method.clone(), &pointer, &what, self.diagnostics) {
            return;
        }
        let what = format!("the request `{}::{}`", group.resource.module, names.request);
        if !group.requests.take(names.request.clone(), &pointer, &what, self.diagnostics) {
            return;
        }
        let lowered = self.operation(path, item, method, operation, names);
        group.resource.operations.push(lowered);
    }

    fn operation_names(
        &mut self,
        resource: &Resource,
        method: Method,
        path: &str,
        operation: &document::Operation,
    ) -> Option<Names> {
        let Some(id) = &operation.operation_id else {
            self.diagnostics
                .error(
                    "missing-operation-id",
                    Place::key(&operation.pointer),
                    "the operation has no operationId, which its Rust method is named after",
                )
                .help(format!(
                    "add one, such as `operationId: {}`",
                    suggested_id(&resource.tag, method, path)
                ));
            return None;
        };
        let last = id.rsplit('.').next().unwrap_or(id);
        let method = names::method(operation.rust_name.as_deref().unwrap_or(last));
        let request = names::request(&method, &resource.name);
        Some(Names { id: id.clone(), method, request, owner: names::camel(id) })
    }

    fn operation(
        &mut self,
        path: &str,
        item: &'d PathItem,
        method: Method,
        operation: &'d document::Operation,
        names: Names,
    ) -> Operation {
        let owner = Owner {
            file: self.modules.free_file(&ModulePath::default(), &names.owner),
            module: ModulePath::default(),
            name: names.owner.clone(),
        };
        let parameters = self.parameters(path, item, operation, &owner);
        let body = self.body(operation, &parameters, &owner);
        let Parameters { path: path_parameters, query, header } = parameters;
        let output = self.output(operation, &owner);
        let paging = self.paging(&query, &body, &output);
        Operation {
            aliases: Vec::new(),
            builder_aliases: Vec::new(),
            builder: names.request,
            id: names.id,
            method_name: names.method,
            summary: operation.summary.clone().or_else(|| item.summary.clone()),
            docs: docs(
                operation.description.as_ref().or(item.description.as_ref()),
                None,
                operation.deprecated,
            ),
            http_method: http_method(method),
            path: path.to_owned(),
            path_parameters,
            query_parameters: query,
            header_parameters: header,
            body,
            output,
            paging,
            pointer: operation.pointer.to_string(),
        }
    }
}

fn suggested_id(tag: &str, method: Method, path: &str) -> String {
    let last = path
        .rsplit('/')
        .find(|segment| !segment.is_empty() && !segment.starts_with('{'))
        .unwrap_or("root");
    let verb = http_method(method).as_str().to_lowercase();
    let name = format!("{verb}{}", names::camel(last));
    if tag == UNTAGGED {
        name
    } else {
        format!("{}.{name}", heck::ToLowerCamelCase::to_lower_camel_case(tag))
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
