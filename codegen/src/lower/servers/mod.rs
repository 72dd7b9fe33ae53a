//! Servers: base URLs, and the types of servers that users choose or accept.

mod declared;

use std::collections::HashMap;

use super::schemas::Schemas;
use super::{Owner, docs};
use crate::document::{Pointer, View};
use crate::ir::{FieldName, ModulePath, Origin, Server, ServerVariable, Type, TypeName};
use crate::names::{self, NameRequest};

pub use declared::DeclaredServers;

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

/// Returns a base URL for examples: the URL of the base, with the defaults of its variables. A path gets a host.
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
