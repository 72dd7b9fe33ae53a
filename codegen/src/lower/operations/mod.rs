//! Operations, grouped into resources by the service of their `operationId`, or else by tag.

mod arguments;
mod bodies;
mod described;
mod draft;
mod failures;
mod forms;
mod items;
mod media;
mod naming;
mod page_numbers;
mod paging;
mod parameter;
mod replies;
mod request_body;
mod serialization;
mod settings;
mod successes;

use std::collections::{BTreeMap, BTreeSet};

use super::schemas::Schemas;
use super::{Context, Owner, credentials, docs};
use crate::document::{Document, Kind, View};
use crate::ir::{
    Body, Docs, Handle, MethodName, ModuleName, ModulePath, Operation, Origin, Resource, Shape,
    Type,
};
use crate::names;
use bodies::ReplyReader;
use draft::Draft;
use failures::FailureEnums;
use naming::{HandleGroup, Names};
use paging::Listing;
use replies::Replies;
pub use settings::check as check_settings;

/// A resource without its operations, and the names of these.
pub struct Named<'a, 'd> {
    resource: Resource,
    operations: Vec<(&'a Draft<'d>, Names)>,
}

/// Maximum number of operations of a crate without a cargo feature for each resource: all compile in 3 seconds.
const MAX_WITHOUT_FEATURES: usize = 100;

/// Returns the names of the services of a document, each with its package.
pub fn services(document: &Document) -> BTreeSet<String> {
    let ids = document.operations().filter_map(|operation| operation.text("operationId"));
    ids.filter_map(|id| Some(names::split(id).0?.to_string())).collect()
}

/// Groups the operations into resources, and names them.
pub fn named<'a, 'd>(drafts: &'a [Draft<'d>], context: &Context<'d>) -> Vec<Named<'a, 'd>> {
    let mut groups: BTreeMap<HandleGroup<'_>, Vec<&Draft<'_>>> = BTreeMap::new();
    for draft in drafts {
        groups.entry(HandleGroup::new(draft, context)).or_default().push(draft);
    }
    let client = groups.remove_entry(&HandleGroup::default());
    let mut named = Vec::with_capacity(groups.len() + 1);
    if let Some((group, drafts)) = client {
        let module = ModuleName::new(names::UNTAGGED.to_owned());
        let resource = Resource::new(None, module, Docs::default());
        let operations = naming::operations(&resource, &group, drafts, context);
        named.push(Named { resource, operations });
    }
    let of_client = named.first().map_or(&[][..], |named| &named.operations);
    let labels = naming::labels(&groups, context);
    let accessors = naming::accessors(&labels, &groups, of_client, context);
    for (((group, drafts), (label, module)), accessor) in
        groups.into_iter().zip(labels).zip(accessors)
    {
        let resource = with_handle(&drafts, &label, accessor, module, context.document);
        let operations = naming::operations(&resource, &group, drafts, context);
        named.push(Named { resource, operations });
    }
    named
}

/// Names the components that `FastAPI` writes for the fields of a form, `Body_…`, as inline schemas.
pub fn name_bodies(named: &[Named<'_, '_>], context: &mut Context<'_>) {
    let operations = named.iter().flat_map(|named| &named.operations);
    for (draft, names) in operations.filter(|(draft, _)| draft.is_part()) {
        context.name_as_part(&format!("Body_{}", draft.id), &names.owner, "Request");
    }
}

pub fn resources<'d>(
    drafts: &[Draft<'d>],
    named: Vec<Named<'_, 'd>>,
    schemas: &mut Schemas<'_, 'd>,
) -> Vec<Resource> {
    schemas.types.schemas_of_forms = forms::schemas_of_forms(drafts, schemas.context.document);
    let with_features = drafts.len() > MAX_WITHOUT_FEATURES;
    let mut enums = FailureEnums::default();
    let resources = named.into_iter().map(|Named { mut resource, operations }| {
        let of_handle = |handle: &Handle| names::feature(handle.accessor.bare());
        let feature = resource.handle.as_ref().map(of_handle);
        resource.feature =
            with_features.then(|| feature.unwrap_or_else(|| names::UNTAGGED.to_owned()));
        for (draft, names) in operations {
            if schemas.context.room.get() == 0 {
                break;
            }
            resource.operations.push(operation(draft, names, &mut enums, schemas));
        }
        resource
    });
    resources.collect()
}

fn operation<'d>(
    draft: &Draft<'d>,
    names: Names,
    enums: &mut FailureEnums,
    schemas: &mut Schemas<'_, 'd>,
) -> Operation {
    let context = schemas.context;
    let Draft { path, item, verb, operation, .. } = draft;
    let origin = Origin::Operation(draft.id.to_string());
    let owner = Owner::new(ModulePath::default(), &names.owner, origin);
    let described = described::parameters(draft, context);
    let (mut body, media) = request_body::request_body(draft, &owner, schemas);
    let arguments = arguments::names(&described, &mut body, operation, context);
    let parameters = parameter::parameters(described, arguments, &owner, schemas);
    let is_head = *verb == "HEAD";
    let (id, owner, bodies) = (&*draft.id, &owner, Vec::new());
    let reader = ReplyReader { operation, id, owner, is_head, bodies, schemas };
    let mut replies = replies::replies(reader, enums);
    successes::connect(&mut replies.successes, &mut body, &parameters, &schemas.types);
    let listing = Listing {
        draft,
        parameters: &parameters,
        body: &body,
        replies: &replies,
        types: &schemas.types,
        context,
    };
    let paging = listing.paging();
    let id = if let Body::Fields(id, _) = &body { Some(Type::Named(id.type_id())) } else { None };
    let fields = id.and_then(|id| schemas.types.shape(&id)).map(Shape::texts).unwrap_or_default();
    let texts = fields.into_iter().chain(parameters.iter().map(|it| it.docs.text.as_ref()));
    let texts = texts.chain(replies.headers.iter().map(|it| it.docs.text.as_ref()));
    let description = operation.description().or(item.description());
    let docs = docs(description, None, operation.flag("deprecated"));
    let summary = operation.text("summary").or(item.text("summary")).map(str::to_owned);
    context.take(texts.chain([docs.text.as_ref(), summary.as_ref()]), &operation.pointer);
    let Replies { successes, failures, headers, .. } = replies;
    Operation {
        id: draft.id.to_string(),
        alias: draft.method.to_string(),
        method_name: names.method,
        builder: names.builder,
        summary,
        docs,
        http_method: (*verb).to_owned(),
        path: (*path).to_owned(),
        parameters,
        body,
        media,
        successes,
        failures,
        headers,
        paging,
        mask: None,
        expansion: None,
        wait: None,
        servers: context.servers.indexes(item, operation),
        credentials: credentials::requirement(operation, &context.security_keys),
        pointer: operation.pointer.to_string(),
    }
}

pub fn drafts<'d>(context: &Context<'d>) -> Vec<Draft<'d>> {
    let document = context.document;
    let mut drafts = Vec::new();
    let segments = document.paths().map(|(path, _)| path.split('/').skip(1).collect());
    let prefix = names::prevailing_prefix(&segments.collect::<Vec<_>>().iter().cloned());
    for (path, item) in document.paths() {
        let Some(item) = context.item(&item, Kind::PathItem) else { continue };
        for (verb, operation) in item.operations() {
            let Some(operation) = context.item(&operation, Kind::Operation) else { continue };
            let known = &context.reading;
            let draft = Draft::new(path, &prefix, item.clone(), verb, operation, known);
            drafts.extend(draft.requests(context));
        }
    }
    // Several paths can share an item, so that its place does not order them.
    drafts.sort_by_key(|draft| (draft.path, draft.verb));
    drafts
}

/// Returns an empty resource for a group of operations. If all have the same tag, the tag documents the resource.
fn with_handle(
    drafts: &[&Draft<'_>],
    label: &str,
    accessor: MethodName,
    module: ModuleName,
    document: &Document,
) -> Resource {
    let tag = drafts.first().and_then(|draft| draft.tag);
    let tag = tag.filter(|_| drafts.iter().all(|draft| draft.tag == tag)).unwrap_or(label);
    let declared = document.tag(tag);
    let handle = Handle { name: names::handle(label), accessor, tag: tag.to_owned() };
    let docs = docs(declared.and_then(|tag| about(&tag)).as_deref(), None, false);
    Resource::new(Some(handle), module, docs)
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
