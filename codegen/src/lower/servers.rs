//! Servers: base URLs, and the types of servers that users choose or accept.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::schemas::Schemas;
use super::{Owner, docs};
use crate::document::{Document, Pointer, View};
use crate::ir::{FieldName, ModulePath, Origin, Server, ServerVariable, Type, TypeName};
use crate::names::{self, NameRequest};

/// Returns the URL of the base, if it is absolute and has no variables.
pub fn base_url(servers: &DeclaredServers<'_>) -> Option<String> {
    let url = servers.base.as_ref()?.text("url")?;
    (url.contains("://") && !url.contains('{')).then(|| url.trim_end_matches('/').to_owned())
}

/// Returns the URL of the base if it is not absolute, so that users pass a URL that ends with it.
pub fn base_url_template(servers: &DeclaredServers<'_>) -> Option<String> {
    let url = servers.base.as_ref().and_then(|server| server.text("url")).unwrap_or("/");
    (!url.contains("://")).then(|| url.to_owned())
}

/// Returns a base URL for examples: the URL of the base, with the defaults of its variables. A path gets an example's
/// host.
pub fn example_base_url(servers: &DeclaredServers<'_>) -> String {
    const OTHER: &str = "https://api.example.com";
    let filled = servers.base.as_ref().and_then(|server| {
        let url = server.text("url")?.to_owned();
        Some(server.map("variables").fold(url, |url, (name, variable)| {
            url.replace(&format!("{{{name}}}"), variable.text("default").unwrap_or_default())
        }))
    });
    match filled {
        Some(url) if url.starts_with("https://") => url,
        Some(url) if url.starts_with("//") => format!("https:{url}"),
        Some(url) if url.starts_with(['/', '.']) => {
            format!("{OTHER}/{}", url.trim_matches(['.', '/'])).trim_end_matches('/').to_owned()
        }
        _ => OTHER.to_owned(),
    }
}

/// Lowers the servers that have a type. Those of operations are first, in the order of their indexes.
pub fn servers(schemas: &mut Schemas<'_, '_>) -> Vec<Server> {
    let context = schemas.context;
    let declared = &context.servers;
    let all: Vec<_> = declared.own.iter().chain(&declared.common).collect();
    let pointers: Vec<Pointer> = all.iter().map(|(_, view)| view.pointer.join("url")).collect();
    let spoken: Vec<_> = all.iter().map(|(url, _)| spoken(url)).collect();
    let mut counts: HashMap<(usize, TypeName), usize> = HashMap::new();
    for (level, name) in spoken.iter().flat_map(|own| own.iter().enumerate()) {
        *counts.entry((level, names::server(name))).or_default() += 1;
    }
    let requests = all.iter().zip(&pointers).zip(&spoken).map(|(((url, view), pointer), own)| {
        let given = view.text("name").map(str::to_owned);
        // A name that several servers could have is the name of none: a new server does not take it over.
        let is_only = |(level, name): &(usize, &String)| {
            let is_spoken = name.chars().any(char::is_alphanumeric);
            is_spoken && counts[&(*level, names::server(name))] == 1
        };
        let own = own.iter().enumerate().filter(is_only).map(|(_, name)| name.clone());
        let candidates = given.into_iter().chain(own).chain([plain(url)]).map(Into::into).collect();
        NameRequest { candidates, ..NameRequest::new(*url, pointer) }.pinned(context.pin(view))
    });
    let what = |name: &TypeName| format!("the type `servers::{name}`");
    let names = schemas.context.assign(requests, |_, raw| names::server(raw), what);
    let servers = all.iter().zip(names).enumerate().map(|(index, ((url, view), name))| {
        let variables = variables(url, view, &name, schemas);
        Server {
            name,
            url: (*url).to_owned(),
            variables,
            is_own: index < declared.own.len(),
            docs: docs(view.description(), None, false),
            pointer: view.pointer.to_string(),
        }
    });
    servers.collect()
}

/// Returns candidates for the name of a server, from its URL: the first word of the host, the host, all of it.
fn spoken(url: &str) -> [String; 3] {
    let after_scheme = url.split_once("://").map_or(url, |(_, after_scheme)| after_scheme);
    let host = after_scheme.split(['/', ':']).next().unwrap_or_default();
    let first = host.split('.').map(plain).find(|label| label.chars().any(char::is_alphabetic));
    [first.unwrap_or_default(), plain(host), plain(after_scheme)]
}

/// Returns a URL, or a part of one, without the marks of its variables.
fn plain(text: &str) -> String {
    text.replace(['{', '}'], " ").trim().to_owned()
}

fn variables<'d>(
    url: &str,
    server: &View<'d>,
    owner: &TypeName,
    schemas: &mut Schemas<'_, 'd>,
) -> Vec<ServerVariable> {
    let used = |name: &str| url.contains(&format!("{{{name}}}"));
    let mut variables: Vec<_> = server.map("variables").filter(|(name, _)| used(name)).collect();
    variables.sort_by_key(|(name, _)| url.find(&format!("{{{name}}}")));
    let requests = variables.iter().map(|(name, view)| NameRequest::new(*name, &view.pointer));
    let what = |name: &FieldName| format!("the setter `servers::{owner}::{name}`");
    let names = schemas.context.assign(requests, |_, raw| names::variable(raw), what);
    let lowered = variables.iter().zip(names).map(|((wire, view), name)| ServerVariable {
        name,
        wire: (*wire).to_owned(),
        ty: variable_type(wire, view, owner, schemas),
        default: view.text("default").unwrap_or_default().to_owned(),
        docs: docs(view.description(), None, false),
        pointer: view.pointer.to_string(),
    });
    lowered.collect()
}

/// Returns the type of a variable. Its `enum` is read like the `enum` of a schema.
fn variable_type<'d>(
    wire: &str,
    variable: &View<'d>,
    server: &TypeName,
    schemas: &mut Schemas<'_, 'd>,
) -> Type {
    if !variable.has("enum") {
        return Type::String;
    }
    let outer = format!("{server}_{wire}");
    let origin = Origin::ServerVariable(wire.to_owned());
    let owner = Owner::new(ModulePath::default(), &outer, origin);
    // Its `enum` lists texts.
    schemas.sent_type_of(&variable.clone().into(), &owner)
}

/// Servers by URL: first the servers of paths and operations, then the servers of the document among which users
/// choose.
#[derive(Debug)]
pub struct DeclaredServers<'d> {
    /// The servers of paths and operations.
    pub own: Vec<(&'d str, View<'d>)>,
    /// The servers of the document, if there is a choice.
    pub common: Vec<(&'d str, View<'d>)>,
    /// The server of the document that most operations are sent to.
    pub base: Option<View<'d>>,
    base_url: Option<&'d str>,
}

impl<'d> DeclaredServers<'d> {
    pub fn new(document: &'d Document) -> Self {
        let root = servers_of(&document.root());
        let urls: Vec<&str> = root.iter().map(|(url, _)| *url).collect();
        let is_only = urls.len() == 1 && !urls.iter().any(|url| url.contains('{'));
        let base = root.get(base(document, &urls)).cloned();
        let (base_url, base) = base.unzip();
        let lists = document.server_lists().filter(|list| !has_base(list, base_url));
        let mut own = by_url(lists.flat_map(|list| servers_of(&list)));
        for (url, server) in &root {
            // Operations repeat the URL of a server, not its description.
            if let Some(own) = own.get_mut(url).filter(|own| !own.has("description")) {
                own.clone_from(server);
            }
        }
        let common = root
            .into_iter()
            .filter(|(url, _)| !is_only && url.contains("://") && !own.contains_key(url));
        let common = by_url(common).into_iter().collect();
        Self { own: own.into_iter().collect(), common, base, base_url }
    }

    /// Returns the indexes of the servers that an operation has instead of the base URL.
    pub fn indexes(&self, item: &View<'d>, operation: &View<'d>) -> Vec<usize> {
        let Some(list) = [operation, item].into_iter().find(|view| view.has("servers")) else {
            return Vec::new();
        };
        if has_base(list, self.base_url) {
            return Vec::new();
        }
        let mut indexes = Vec::new();
        for (url, _) in servers_of(list) {
            let index = self.own.iter().position(|(own, _)| *own == url);
            indexes.extend(index.filter(|index| !indexes.contains(index)));
        }
        indexes
    }
}

/// Returns the index of the server that most operations are sent to: the first of their own servers that the document
/// lists as well, or else the first of the document. Some documents begin with the server of a few operations.
fn base(document: &Document, base_urls: &[&str]) -> usize {
    let mut counts = vec![0_usize; base_urls.len()];
    let items = document.paths().filter_map(|(_, item)| item.followed());
    for (item, operation) in items.flat_map(|item| {
        let operations: Vec<_> = item.operations().collect();
        operations.into_iter().map(move |(_, operation)| (item.clone(), operation))
    }) {
        let own = [&operation, &item].into_iter().find(|view| view.has("servers"));
        let index = own.map_or(Some(0), |list| {
            let mut urls = servers_of(list).into_iter().map(|(url, _)| url);
            urls.find_map(|url| base_urls.iter().position(|base| *base == url))
        });
        if let Some(count) = index.and_then(|index| counts.get_mut(index)) {
            *count += 1;
        }
    }
    let counts = counts.into_iter().enumerate();
    counts.max_by_key(|(index, count)| (*count, Reverse(*index))).map_or(0, |(index, _)| index)
}

fn has_base(list: &View<'_>, base_url: Option<&str>) -> bool {
    servers_of(list).iter().any(|(url, _)| Some(*url) == base_url)
}

/// Returns the servers of a document, a path item or an operation by URL, without a trailing slash. An empty URL is the
/// root of the host.
fn servers_of<'d>(of: &View<'d>) -> Vec<(&'d str, View<'d>)> {
    let servers = of.list("servers").filter_map(|server| {
        let url = server.text("url")?.trim().trim_end_matches('/');
        Some((if url.is_empty() { "/" } else { url }, server))
    });
    servers.collect()
}

/// Returns the first server of each URL.
fn by_url<'d>(servers: impl Iterator<Item = (&'d str, View<'d>)>) -> BTreeMap<&'d str, View<'d>> {
    let mut by_url = BTreeMap::new();
    for (url, server) in servers {
        by_url.entry(url).or_insert(server);
    }
    by_url
}
