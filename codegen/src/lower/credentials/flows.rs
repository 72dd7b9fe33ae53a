//! The flows of OAuth 2.0, and their scopes.

use std::collections::{BTreeMap, BTreeSet};

use super::Declared;
use super::urls;
use crate::document::{Pointer, View};
use crate::ir::{Alternatives, Docs, Login, MethodName, Scope};
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
    login.variables = urls::variables(all.map(String::as_str)).unwrap_or_default();
    Some(login)
}

/// Returns the scopes of all flows, each once.
pub fn scopes(groups: &[Vec<&Declared<'_, '_>>], context: &Context<'_>) -> Vec<Scope> {
    let flows = groups.iter().flatten().flat_map(|declared| declared.view.map("flows"));
    let declared =
        flows.flat_map(|(_, flow)| flow.child("scopes").into_iter().flat_map(View::members));
    let mut all: BTreeMap<&str, (Pointer, Option<&str>)> = BTreeMap::new();
    for (scope, view) in declared {
        all.entry(scope).or_insert_with(|| (view.pointer.clone(), view.as_text()));
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
