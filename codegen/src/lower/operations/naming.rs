//! The names of resources and of their operations.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::Draft;
use crate::ir::{MethodName, ModuleName, Resource, TypeName};
use crate::lower::Context;
use crate::names::{self, NameRequest, Priority, Service};

/// The key of the operations of one handle: of a service, or of a tag. Case and word separators make no difference;
/// other symbols do. The default is the key of operations with neither.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct HandleGroup<'d> {
    words: String,
    symbols: String,
    /// The service, if it has a package.
    service: Option<Service<'d>>,
    pin: Option<String>,
}

pub struct Names {
    pub method: MethodName,
    pub builder: TypeName,
    /// The prefix of the names of inline types: the words of the method and of its handle, as the document writes them
    /// where no other handle can have the same.
    pub owner: String,
}

impl<'d> HandleGroup<'d> {
    /// Returns the group of an operation: the group that it names itself, or its service, or its tag where the
    /// `operationId` has no dots. An operation without any of these is a method of the client.
    pub fn new(draft: &Draft<'d>, context: &Context<'d>) -> Self {
        let pin = draft.service.and_then(|service| context.renamed(&service.to_string()));
        let declared = draft.operation.group_name().filter(|_| pin.is_none());
        let (raw, pin) = if let Some(declared) = &declared {
            (declared.clone(), None)
        } else if let Some(service) = &draft.service {
            (service.labels().swap_remove(0).into_owned(), pin)
        } else if let Some(tag) = draft.tag {
            let declared = context.document.tag(tag);
            let pin = declared.and_then(|tag| context.pin(&tag));
            // As springdoc names tags after classes.
            let name = tag.strip_suffix("-controller").filter(|name| !name.is_empty());
            (name.unwrap_or(tag).to_owned(), pin)
        } else {
            return Self::default();
        };
        let is_symbol = |char: &char| !char.is_alphanumeric() && !" -_.".contains(*char);
        Self {
            words: names::snake(&raw),
            symbols: raw.chars().filter(is_symbol).collect(),
            service: draft.service.filter(|it| declared.is_none() && !it.package.is_empty()),
            pin,
        }
    }

    /// Returns the name of a method without the words of the group, if any are left, and without the words of path
    /// parameters if it is still long.
    fn without_repeats<'n>(&self, draft: &'n Draft<'_>) -> Option<Cow<'n, str>> {
        let pin = self.pin.as_deref().map(names::snake);
        let groups = pin.iter().chain([&self.words]).filter(|words| !words.is_empty());
        let mut shorter =
            groups.map(|group| names::without_resource(&draft.method, group, draft.gets_one()));
        let shorter = shorter.find(|short| **short != *draft.method);
        let name = names::snake(shorter.as_deref().unwrap_or(&draft.method));
        let is_long = name.len() > names::MAX_NAME;
        let brief = is_long.then(|| names::without_parameters(&name, draft.path));
        brief.filter(|brief| *brief != name).map(Cow::from).or(shorter)
    }
}

/// Returns the name of each group, and its module.
pub fn labels(
    groups: &BTreeMap<HandleGroup<'_>, Vec<&Draft<'_>>>,
    context: &Context<'_>,
) -> Vec<(String, ModuleName)> {
    let requests = groups.iter().filter_map(|(group, drafts)| {
        let first = drafts.iter().min_by_key(|draft| draft.operation.pointer.to_string())?;
        let raw = format!("{}{}", group.words, group.symbols);
        let candidates = match &group.service {
            Some(service) => service.labels(),
            None => vec![group.words.as_str().into(), raw.clone().into()],
        };
        let request = NameRequest { candidates, ..NameRequest::new(raw, &first.operation.pointer) };
        Some(request.pinned(group.pin.clone()))
    });
    let requests: Vec<NameRequest<'_>> = requests.collect();
    let what = |module: &ModuleName| format!("the module `resources::{module}`");
    let module = |_, text: &str| names::resource_module(text);
    let modules = context.assign(requests.clone(), module, what);
    let labels = modules.into_iter().zip(&requests).map(|(module, request)| {
        let mut candidates = (0..).map(|attempt| request.candidate(attempt));
        let own = candidates.find(|candidate| names::resource_module(candidate) == module);
        (own.unwrap_or_default().into_owned(), module)
    });
    labels.collect()
}

/// Returns the names of the client's methods that return the handles. Methods that are operations have theirs first, so
/// that a new tag renames none of them.
pub fn accessors(
    labels: &[(String, ModuleName)],
    groups: &BTreeMap<HandleGroup<'_>, Vec<&Draft<'_>>>,
    of_client: &[(&Draft<'_>, Names)],
    context: &Context<'_>,
) -> Vec<MethodName> {
    let operations = of_client.iter().map(|(draft, names)| NameRequest {
        priority: Priority::Pinned,
        ..NameRequest::new(names.method.bare(), &draft.operation.pointer)
    });
    let handles = groups.values().zip(labels).filter_map(|(drafts, (label, _))| {
        let first = drafts.first()?;
        let candidates = vec![label.into(), format!("{label}_operations").into()];
        Some(NameRequest { candidates, ..NameRequest::new(label, &first.operation.pointer) })
    });
    let name = |index: usize, text: &str| match of_client.get(index) {
        Some((_, names)) => names.method.clone(),
        None => names::of_client(text),
    };
    let what = |name: &MethodName| format!("the method `{name}` of the client");
    let requests = operations.chain(handles);
    context.assign(requests, name, what).split_off(of_client.len())
}

/// Names the operations of a resource: after the last part of the `operationId` without the words of the group, after
/// all of that part where another operation has that name, and then after the words of verb and path as well: the words
/// that it lacks, or all.
pub fn operations<'a, 'd>(
    resource: &Resource,
    group: &HandleGroup<'_>,
    drafts: Vec<&'a Draft<'d>>,
    context: &Context<'_>,
) -> Vec<(&'a Draft<'d>, Names)> {
    let requests = drafts.iter().map(|draft| {
        let raw = &*draft.method;
        let route = draft.route();
        let longer = Cow::from(format!("{raw}_{}", names::missing_words(raw, &route)));
        let longest = Cow::from(format!("{raw}{route}"));
        let pin = context.pin(&draft.operation);
        let (mut priority, mut candidates) = match (pin, group.without_repeats(draft)) {
            (Some(pin), _) => (Priority::Pinned, vec![pin.into(), longer, longest]),
            (None, Some(short)) => (draft.priority, vec![short, raw.into(), longer, longest]),
            (None, None) => (Priority::Declared, vec![raw.into(), longer, longest]),
        };
        if let Some(labels) = &draft.labels {
            let labeled = labels.iter().flat_map(|label| {
                candidates.iter().map(move |name| Cow::from(format!("{name}_{label}")))
            });
            candidates = labeled.collect();
            priority = Priority::Derived;
        }
        NameRequest { priority, candidates, ..NameRequest::new(raw, &draft.operation.pointer) }
    });
    let requests: Vec<NameRequest<'_>> = requests.collect();
    let what = |name: &MethodName| format!("the method `{}`", resource.call(name));
    let method = |_, text: &str| match resource.handle {
        Some(_) => names::method(text),
        None => names::of_client(text),
    };
    let methods = context.assign(requests.clone(), method, what);
    let builders = methods.iter().zip(&requests).map(|(method, request)| NameRequest {
        priority: request.priority,
        ..NameRequest::new(method.bare(), request.pointer)
    });
    let what = |name: &TypeName| format!("the request `{}::{name}`", resource.module);
    let handle = resource.handle.as_ref().map(|handle| &handle.name);
    let builder = |_, text: &str| names::request(text, handle);
    let builders = context.assign(builders, builder, what);
    let names = methods.into_iter().zip(builders).zip(drafts.iter().zip(&requests));
    let names = names.map(|((method, builder), (draft, request))| {
        let Draft { method: words, labels, .. } = draft;
        let is_first_choice = method == names::method(&request.candidate(0));
        let is_same = |it: &&&Draft<'_>| {
            it.labels.is_none() && names::snake(&it.method) == names::snake(words)
        };
        let is_only = || drafts.iter().filter(is_same).count() == 1;
        let owner = if draft.is_part() || !is_first_choice && !is_only() {
            format!("{}_{}", handle.map_or("", TypeName::as_str), method.bare())
        } else {
            format!("{words}_{}", labels.as_ref().map_or("", |[short, _]| short))
        };
        Names { method, builder, owner: names::camel(&owner) }
    });
    let names: Vec<Names> = names.collect();
    drafts.into_iter().zip(names).collect()
}
