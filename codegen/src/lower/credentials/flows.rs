//! The flows of OAuth 2.0, and their scopes.

use std::collections::{BTreeMap, BTreeSet};

use super::declared::Declared;
use super::urls;
use crate::diagnostics::Diagnostics;
use crate::document::{Pointer, View};
use crate::ir::{Alternatives, Docs, Login, MethodName, Scope};
use crate::names::{self, NameRequest};

/// Returns the provider where users log in, if a scheme has one.
pub fn login(group: &[&Declared<'_, '_>], method: MethodName) -> Option<Login> {
    let flow = |name: &str| {
        let mut flows = group.iter().filter_map(|declared| declared.view.child("flows"));
        flows.find_map(|flows| flows.child(name))
    };
    let url = |view: &Option<View<'_>>, key: &str| {
        view.as_ref().and_then(|view| view.text(key)).map(str::to_owned)
    };
    let code = flow("authorizationCode");
    let device = flow("deviceAuthorization");
    let metadata = |view: &View<'_>| {
        let url = view.text("oauth2MetadataUrl").filter(|url| url.contains("/.well-known/"));
        view.text("openIdConnectUrl").or(url).map(str::to_owned)
    };
    let discovery_url = group.iter().find_map(|declared| metadata(&declared.view));
    if code.is_none() && device.is_none() && discovery_url.is_none() {
        return None;
    }
    let authorization_url = url(&code, "authorizationUrl");
    let token_url = url(&code, "tokenUrl").or_else(|| url(&device, "tokenUrl"));
    let device_url = url(&device, "deviceAuthorizationUrl");
    let all = [&authorization_url, &token_url, &device_url, &discovery_url];
    let variables =
        urls::variables(all.into_iter().filter_map(|url| url.as_deref())).unwrap_or_default();
    Some(Login { method, authorization_url, token_url, device_url, discovery_url, variables })
}

/// Returns the scopes of all flows, each once.
pub fn scopes(groups: &[Vec<&Declared<'_, '_>>], diagnostics: &mut Diagnostics) -> Vec<Scope> {
    let flows = groups.iter().flatten().flat_map(|declared| declared.view.map("flows"));
    let declared =
        flows.flat_map(|(_, flow)| flow.child("scopes").into_iter().flat_map(View::members));
    let mut all: BTreeMap<&str, (Pointer, Option<&str>)> = BTreeMap::new();
    for (scope, view) in declared {
        all.entry(scope).or_insert_with(|| (view.pointer.clone(), view.as_text()));
    }
    let requests = all.iter().map(|(scope, (pointer, _))| NameRequest::new(*scope, pointer));
    let what = |name: &String| format!("the constant `Scopes::{name}`");
    let named = names::assign(requests, |_, raw| names::constant(raw), what, diagnostics);
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
