//! The flows of OAuth 2.0, their scopes, and the URLs of providers with their variables.

use std::collections::{BTreeMap, BTreeSet};

use super::declared::Declared;
use crate::document::{Pointer, View};
use crate::ir::{Alternatives, Docs, Login, MethodName, Scope, UrlVariable};
use crate::lower::Context;
use crate::names::{self, NameRequest};

/// Returns a flow, with the place of the first scheme that has it.
pub fn flow<'g, 'd>(group: &[&'g Declared<'_, 'd>], name: &str) -> Option<(&'g Pointer, View<'d>)> {
    group.iter().find_map(|it| Some((&it.pointer, it.view.child("flows")?.child(name)?)))
}

/// Returns the provider where users log in, if a scheme has one.
pub fn login(group: &[&Declared<'_, '_>], method: MethodName) -> Option<Login> {
    let code = flow(group, "authorizationCode");
    let device = flow(group, "deviceAuthorization");
    let url = |flow: &Option<(_, View<'_>)>, key| Some(flow.as_ref()?.1.text(key)?.to_owned());
    let discovery = group.iter().find_map(|Declared { pointer, view, .. }| {
        let url = view.text("oauth2MetadataUrl").filter(|url| url.contains("/.well-known/"));
        Some((pointer, view.text("openIdConnectUrl").or(url)?.to_owned()))
    });
    let flows = [&code, &device].into_iter().flatten().map(|(pointer, _)| *pointer);
    let pointer = flows.chain(discovery.iter().map(|(pointer, _)| *pointer)).next()?;
    let mut login = Login {
        method,
        authorization_url: url(&code, "authorizationUrl"),
        token_url: url(&code, "tokenUrl").or_else(|| url(&device, "tokenUrl")),
        device_url: url(&device, "deviceAuthorizationUrl"),
        pointer: pointer.to_string(),
        discovery_url: discovery.map(|(_, url)| url),
        variables: Vec::new(),
    };
    let Login { authorization_url, token_url, device_url, discovery_url, .. } = &login;
    let all = [authorization_url, token_url, device_url, discovery_url].into_iter().flatten();
    login.variables = variables(all.map(String::as_str)).unwrap_or_default();
    Some(login)
}

/// Returns the scopes of all flows, each once.
pub fn scopes(groups: &[Vec<&Declared<'_, '_>>], context: &Context<'_>) -> Vec<Scope> {
    let flows = groups.iter().flatten().flat_map(|declared| declared.view.map("flows"));
    let declared =
        flows.flat_map(|(_, flow)| flow.child("scopes").into_iter().flat_map(View::members));
    let mut all: BTreeMap<&str, (Pointer, Option<&str>)> = BTreeMap::new();
    for (scope, view) in declared {
        all.entry(scope).or_insert_with(|| (view.pointer.clone(), view.node.as_str()));
    }
    let requests = all.iter().map(|(scope, (pointer, _))| NameRequest::new(*scope, pointer));
    let what = |name: &String| format!("the constant `Scopes::{name}`");
    let named = context.assign(requests, |_, raw| names::constant(raw), what);
    let scopes = all.iter().zip(named).map(|((value, (pointer, text)), name)| Scope {
        name,
        value: (*value).to_owned(),
        docs: Docs { text: text.map(str::to_owned), ..Docs::default() },
        pointer: pointer.to_string(),
    });
    scopes.collect()
}

/// Returns the scopes that are needed by every operation that a scheme can authorize.
pub fn needed_by_all(scheme: usize, operations: &[&Alternatives]) -> Vec<String> {
    let requirements = operations.iter().flat_map(|alternatives| alternatives.iter().flatten());
    let of_scheme = requirements.filter(|requirement| requirement.scheme == scheme);
    let scopes = of_scheme.map(|requirement| requirement.scopes.iter().collect::<BTreeSet<_>>());
    let all = scopes.reduce(|all, scopes| all.intersection(&scopes).copied().collect());
    all.into_iter().flatten().cloned().collect()
}

/// Names of the other arguments of the methods that take variables.
const OTHERS: [&str; 2] = ["client_id", "secret"];

/// Returns whether a URL is the real one, not a placeholder in a domain that never exists (RFC 6761, section 6.4).
pub fn is_usable(url: &str) -> bool {
    let after_scheme = url.split_once("://").map_or("", |(_, after_scheme)| after_scheme);
    let host = after_scheme.split(['/', '?', '#', ':']).next().unwrap_or_default();
    !url.is_empty() && !host.ends_with(".invalid")
}

/// Returns the variables of URLs, such as `{tenant}`, each once. `None` if they cannot be arguments, because a brace is
/// not closed, or because two have the same name in Rust.
pub fn variables<'u>(urls: impl IntoIterator<Item = &'u str>) -> Option<Vec<UrlVariable>> {
    let mut variables: Vec<UrlVariable> = Vec::new();
    for url in urls {
        let mut rest = url;
        while let Some((_, after)) = rest.split_once('{') {
            let (wire, after) = after.split_once('}')?;
            rest = after;
            if variables.iter().any(|variable| variable.wire == wire) {
                continue;
            }
            let name = names::variable(wire);
            if OTHERS.contains(&name.as_str()) || variables.iter().any(|other| other.name == name) {
                return None;
            }
            variables.push(UrlVariable { name, wire: wire.to_owned() });
        }
    }
    Some(variables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_become_arguments() {
        for (urls, expected) in [
            (&["https://login.example/token"][..], Some(&[][..])),
            (&["https://{tenant}.example/{tenant}", "/{Realm}/token"], Some(&["tenant", "realm"])),
            (&["https://{type}.example"], Some(&["r#type"])),
            (&["https://{a}.example/{A}"], None),
            (&["https://{client-id}.example"], None),
            (&["https://{tenant.example"], None),
        ] {
            let found = variables(urls.iter().copied());
            let found: Option<Vec<_>> = found
                .as_ref()
                .map(|variables| variables.iter().map(|variable| variable.name.as_str()).collect());
            assert_eq!(found.as_deref(), expected, "{urls:?}");
        }
    }

    #[test]
    fn placeholders_are_left_to_the_user() {
        for (url, expected) in [
            ("https://login.example/token", true),
            ("/token", true),
            ("https://{tenant}.example/token", true),
            ("", false),
            ("https://tenant.invalid/token", false),
            ("https://tenant.invalid:8443/token", false),
        ] {
            assert_eq!(is_usable(url), expected, "{url}");
        }
    }
}
