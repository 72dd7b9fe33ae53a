//! A tenant in memory: all operations, over state that lasts as long as the process.
//!
//! Reads return written values where the spec relates the two, and else the responses in `samples/`. Operations without
//! code here are answered by the spec alone. A validating proxy (`prism proxy spec/openapi.yaml URL --errors`) accepts
//! the responses.

#![expect(clippy::unnecessary_wraps, reason = "all operations have one signature")]

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value, json};

use crate::related::expand;
use crate::server::{json, response};
use crate::{Act, Seen, described, route};

macro_rules! sample {
    ($operation:literal) => {
        serde_json::from_str::<Value>(include_str!(concat!("../../samples/", $operation, ".json")))
            .unwrap_or_default()
    };
}

/// A tenant with the objects of the samples.
pub struct Tenant {
    state: Mutex<State>,
    /// The operations with code.
    operations: &'static [(&'static str, Operation)],
    /// Changes the result of an operation, by its method and path.
    pub(crate) change: fn(&str, Value) -> Outcome,
}

struct State {
    /// The objects, by kind and name.
    objects: BTreeMap<(&'static str, String), Value>,
    /// The number of objects created.
    made: u64,
}

/// A request of an operation.
struct Call<'r> {
    /// The path parameters in order, decoded.
    path: Vec<String>,
    query: Vec<(String, String)>,
    body: Value,
    request: &'r Seen,
}

/// The result of an operation, or the status and the message of its failure.
pub(crate) type Outcome = Result<Value, (u16, String)>;

type Operation = fn(&mut State, &Call<'_>) -> Outcome;

/// The answer to an operation.
enum Served {
    Code(Operation),
    Described(&'static described::Operation),
}

/// The operations with code, by method and path; `*` is a parameter.
const OPERATIONS: &[(&str, Operation)] = &[
    ("POST /oauth/token", token),
    ("POST /api/v1/task/resource-action", create_task),
    ("POST /api/v1/apps/*/sso/applications/*/clients/update", update_sso_client),
    ("POST /api/v1/llm-gateway/keys", mint_key),
    ("POST /api/v1/iam/personal_clients/*", update_personal_client),
    ("PUT /api/v2/apps/*/connectors/*/owners", nothing),
    ("PUT /api/v1/request_schema_entitlement_binding", find_binding),
    ("DELETE /api/v1/catalogs/*/visibility_bindings", remove_entitlements),
    ("POST /api/v1/functions/*/commits", create_commit),
    ("PUT /api/v1/catalogs/*/requestable_entries/*/*", create_requestable_entry),
    ("POST /api/v1/apps/*/connectors/*/pause", nothing),
    ("DELETE /api/v1/iam/tunnel/bridges/*", delete_bridge),
    ("GET /api/v2/apps/*/owners/entitlements/*/*/*", get_entitlement_owner),
    ("GET /api/v1/apps/*/entitlements/*/owners", |_, call| {
        page(call, &sample!("entitlementOwners.list"))
    }),
    ("GET /api/v1/automation_executions/*", get_execution),
    ("GET /api/v1/functions/*", |_, call| get(call, sample!("functions.get"), "/function/id")),
    ("GET /api/v1/automations/*", |_, call| {
        get(call, sample!("automations.get"), "/automation/id")
    }),
    ("GET /api/v1/hooks", |_, call| page(call, &sample!("hooks.list"))),
    ("GET /api/v1/role-mining/custom-analysis", |_, call| {
        page(call, &sample!("roleMining.listCustomAnalysisResults"))
    }),
    ("GET /api/v1/catalogs/*/requestable_entitlementIDs", list_requestable_ids),
    ("POST /api/v1/webhooks", create_webhook),
];

/// Returns the methods and paths of the operations with code.
#[cfg(test)]
pub(crate) fn lines() -> impl Iterator<Item = &'static str> {
    OPERATIONS.iter().map(|(line, _)| *line)
}

impl Default for Tenant {
    fn default() -> Self {
        let references = sample!("catalogs.listRequestableEntitlementIds")["refs"].take();
        let objects = [(("bridge", "bridge-1"), json!({})), (("catalog", "catalog-1"), references)]
            .map(|((kind, name), object)| ((kind, name.to_owned()), object));
        let state = Mutex::new(State { objects: objects.into(), made: 0 });
        Self { state, operations: OPERATIONS, change: |_, value| Ok(value) }
    }
}

impl Tenant {
    /// Returns a tenant that answers every operation by the spec alone, without state.
    #[must_use]
    pub fn described() -> Self {
        Self { operations: &[], ..Self::default() }
    }

    /// Responds to a request. An operation of the spec without code is answered with a sample of its schema.
    ///
    /// `?fault=…` or the header `x-fault` asks for a fault instead: a status from 300 to 599, `html` (a login page),
    /// `garbage` (half of an object) or `hangup` (the connection is closed).
    pub fn answer(&self, request: &Seen) -> Act {
        let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
        let query: Vec<_> = query
            .split('&')
            .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
            .map(|(name, value)| (route::decoded(name), route::decoded(value)))
            .collect();
        let asked = query.iter().find(|(name, _)| name == "fault").map(|(_, value)| value.clone());
        if let Some(fault) = asked.or_else(|| request.headers.get("x-fault").cloned()) {
            return fault_reply(&fault);
        }
        let line = format!("{} {path}", request.method);
        let with_code =
            self.operations.iter().map(|(line, operation)| (*line, Served::Code(*operation)));
        let described =
            described::OPERATIONS.iter().map(|it| (it.line.as_str(), Served::Described(it)));
        let Some((served, path)) = route::find(with_code.chain(described), &line) else {
            return failure(501, "not served: spec/openapi.yaml has no such operation");
        };
        let is_token = line == "POST /oauth/token";
        let has_own_security =
            matches!(served, Served::Described(operation) if operation.has_own_security());
        let token = request.headers.get("authorization");
        let has_token = token.is_some_and(|value| value.starts_with("Bearer "));
        if !is_token && !has_own_security && !has_token {
            return failure(401, "no access token");
        }
        let operation = match served {
            Served::Described(operation) => return operation.answer(),
            Served::Code(operation) => operation,
        };
        // The token endpoint takes a form.
        let body = match request.body.parse() {
            Ok(body) => body,
            Err(_) if is_token || request.body.is_empty() => Value::Null,
            Err(error) => return failure(400, &format!("the body is not JSON: {error}")),
        };
        let call = Call { path, query, body, request };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match operation(&mut state, &call).and_then(|value| (self.change)(&line, value)) {
            Ok(value) => json(200, &value.to_string()),
            Err((status, message)) => failure(status, &message),
        }
    }
}

fn failure(status: u16, message: &str) -> Act {
    let headers = [("content-type", "application/json"), ("x-request-id", "request-7")];
    response(status, &headers, &json!({ "message": message }).to_string())
}

fn fault_reply(fault: &str) -> Act {
    match fault {
        "html" => {
            response(200, &[("content-type", "text/html")], "<html><title>Log in</title></html>")
        }
        "garbage" => json(200, "{"),
        "hangup" => Act::Close(Vec::new()),
        status => match status.parse() {
            Ok(status @ 300..=599) => failure(status, "the fault that was asked for"),
            _ => failure(400, "a fault is a status from 300 to 599, html, garbage or hangup"),
        },
    }
}

fn token(state: &mut State, call: &Call<'_>) -> Outcome {
    if !call.request.body.contains("grant_type=") {
        return Err((400, "no grant type".to_owned()));
    }
    let token = format!("access-token-{}", state.number());
    Ok(json!({ "access_token": token, "token_type": "bearer", "expires_in": 3600 }))
}

fn nothing(_: &mut State, _: &Call<'_>) -> Outcome {
    Ok(json!({}))
}

impl State {
    fn number(&mut self) -> u64 {
        self.made += 1;
        self.made
    }

    /// Returns the object of a kind with a name, created from `new` if it does not exist.
    fn object(
        &mut self,
        kind: &'static str,
        name: &str,
        new: impl FnOnce() -> Value,
    ) -> &mut Value {
        self.objects.entry((kind, name.to_owned())).or_insert_with(new)
    }
}

/// Copies the properties of a body.
fn merge(object: &mut Value, changes: &Value, is_wanted: impl Fn(&str) -> bool) {
    for (name, value) in changes.as_object().into_iter().flatten() {
        if is_wanted(name) {
            object[name.as_str()] = value.clone();
        }
    }
}

fn create_task(state: &mut State, call: &Call<'_>) -> Outcome {
    if !call.body["actionId"].is_string() {
        return Err((400, "actionId is required".to_owned()));
    }
    let number = 41 + state.number();
    let mut reply = sample!("tasks.createResourceAction");
    expand(&mut reply, &call.body["expandMask"]["paths"]);
    reply["taskView"]["task"]["id"] = json!(format!("task-{number}"));
    reply["taskView"]["task"]["numericId"] = json!(number.to_string());
    Ok(reply)
}

/// The method of authentication is immutable.
fn update_sso_client(state: &mut State, call: &Call<'_>) -> Outcome {
    let name = format!("{} {} {}", call.path[0], call.path[1], call.body["clientId"]);
    let client =
        state.object("sso client", &name, || sample!("ssoClients.update")["client"].clone());
    let method =
        |value: &Value| value.as_object().and_then(|members| members.keys().next().cloned());
    let (old, new) =
        (method(&client["authentication"]), method(&call.body["client"]["authentication"]));
    if new.is_some() && old != new {
        return Err((400, "the method of authentication is immutable".to_owned()));
    }
    merge(client, &call.body["client"], |_| true);
    client["appId"] = json!(call.path[0]);
    client["ssoApplicationId"] = json!(call.path[1]);
    merge(client, &json!({ "clientId": call.body["clientId"] }), |_| {
        call.body["clientId"].is_string()
    });
    Ok(json!({ "client": client }))
}

fn mint_key(state: &mut State, call: &Call<'_>) -> Outcome {
    let mut reply = sample!("gatewayKeys.mint");
    reply["gatewayKey"]["id"] = json!(format!("key-{}", state.number()));
    merge(&mut reply["gatewayKey"], &call.body, |_| true);
    Ok(reply)
}

/// The execution `4711` has completed. Others with a number complete with the third request for them, and numbers from
/// 5000 do not exist before the second.
fn get_execution(state: &mut State, call: &Call<'_>) -> Outcome {
    let id = &call.path[0];
    let Ok(number) = id.parse::<u32>() else {
        return Err((404, format!("nothing has the id `{id}`")));
    };
    let seen = state.object("execution", id, || json!(0));
    let count = seen.as_u64().unwrap_or_default() + 1;
    *seen = json!(count);
    if number >= 5000 && count == 1 {
        return Err((404, format!("nothing has the id `{id}`")));
    }
    let mut reply = sample!("automationExecutions.get");
    for execution in ["/automationExecution", "/view/automationExecution"] {
        if let Some(Value::Object(execution)) = reply.pointer_mut(execution) {
            execution.insert("id".to_owned(), json!(id));
            if number != 4711 && count < 3 {
                execution.remove("completedAt");
                execution.remove("duration");
            }
        }
    }
    Ok(reply)
}

/// The update mask names the properties to change: the new value is in the body, or the property is removed. Without a
/// mask, the properties of the body are changed.
fn update_personal_client(state: &mut State, call: &Call<'_>) -> Outcome {
    let new = || sample!("personalClients.update")["client"].clone();
    let client = state.object("personal client", &call.path[0], new);
    client["id"] = json!(call.path[0]);
    let changes = &call.body["client"];
    let Some(mask) = call.body["updateMask"].as_str() else {
        merge(client, changes, |_| true);
        return Ok(json!({ "client": client }));
    };
    let names: Vec<&str> = mask.split(',').collect();
    if let Some(name) = names.iter().find(|name| !UPDATABLE.contains(name)) {
        return Err((403, format!("the update mask names `{name}`, which cannot be changed")));
    }
    if let Value::Object(client) = client {
        client.retain(|name, _| !names.contains(&name.as_str()));
    }
    merge(client, changes, |name| names.contains(&name));
    Ok(json!({ "client": client }))
}

/// The properties of a personal client that an update can change.
const UPDATABLE: [&str; 4] = ["allowSourceCidr", "displayName", "expiresTime", "scopedRoles"];

/// Refuses a reference to an entitlement that lacks one of its identifiers.
fn check_reference(reference: &Value) -> Result<(), (u16, String)> {
    let missing = ["appId", "id"].into_iter().find(|name| !reference[name].is_string());
    missing.map_or(Ok(()), |name| Err((400, format!("a reference has no `{name}`: {reference}"))))
}

fn remove_entitlements(_: &mut State, call: &Call<'_>) -> Outcome {
    let references = call.body["accessEntitlements"].as_array().into_iter().flatten();
    references.into_iter().try_for_each(check_reference)?;
    Ok(json!({}))
}

fn find_binding(_: &mut State, call: &Call<'_>) -> Outcome {
    call.body.get("entitlementRef").map_or(Ok(()), check_reference)?;
    let mut binding = sample!("requestSchemas.findBinding");
    merge(&mut binding, &call.body, |_| true);
    Ok(binding)
}

fn create_commit(state: &mut State, call: &Call<'_>) -> Outcome {
    get(call, sample!("functions.get"), "/function/id")?;
    let id = format!("commit-{}", state.number());
    let names = call.body["filenames"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let url = |name: &str| json!(format!("https://upload.example.com/{id}/{name}"));
    let urls: Map<_, _> = names.map(|name| (name.to_owned(), url(name))).collect();
    Ok(json!({ "commitId": id, "uploadUrls": urls }))
}

/// Created entries are listed by `list_requestable_ids`.
fn create_requestable_entry(state: &mut State, call: &Call<'_>) -> Outcome {
    let [catalog, app, entitlement] = &call.path[..] else { return Err((404, String::new())) };
    let reference = json!({ "appId": app, "id": entitlement });
    let references = state.object("catalog", catalog, || json!([]));
    if let Some(references) = references.as_array_mut().filter(|all| !all.contains(&reference)) {
        references.push(reference);
    }
    let entry = json!({ "appId": app, "catalogId": catalog, "entitlementId": entitlement });
    Ok(json!({ "requestableEntry": entry }))
}

fn list_requestable_ids(state: &mut State, call: &Call<'_>) -> Outcome {
    Ok(json!({ "refs": state.object("catalog", &call.path[0], || json!([])) }))
}

/// A bridge can be deleted once.
fn delete_bridge(state: &mut State, call: &Call<'_>) -> Outcome {
    let removed = state.objects.remove(&("bridge", call.path[0].clone()));
    removed.map(|_| json!({})).ok_or_else(|| (404, format!("no bridge `{}`", call.path[0])))
}

fn get_entitlement_owner(_: &mut State, call: &Call<'_>) -> Outcome {
    let [app, role, entitlement_app, entitlement] = &call.path[..] else {
        return Err((404, String::new()));
    };
    let mut reply = sample!("entitlementOwners.get");
    let owner = &mut reply["appOwnerEntitlement"];
    merge(owner, &json!({ "appId": app, "roleSlug": role }), |_| true);
    merge(
        &mut owner["appEntitlement"],
        &json!({ "appId": entitlement_app, "id": entitlement }),
        |_| true,
    );
    Ok(reply)
}

fn create_webhook(state: &mut State, call: &Call<'_>) -> Outcome {
    let mut reply = sample!("webhooks.create");
    reply["webhook"]["id"] = json!(format!("webhook-{}", state.number()));
    merge(&mut reply["webhook"], &call.body, |_| true);
    Ok(reply)
}

/// Returns the sample if it has the id of the path.
fn get(call: &Call<'_>, reply: Value, id: &str) -> Outcome {
    match reply.pointer(id).and_then(Value::as_str) {
        Some(id) if id == call.path[0] => Ok(reply),
        _ => Err((404, format!("nothing has the id `{}`", call.path[0]))),
    }
}

/// Returns a page of the sample's list. A token is the number of elements before the page.
fn page(call: &Call<'_>, sample: &Value) -> Outcome {
    let number = |name: &str| {
        let value = call.query.iter().find(|(other, _)| other == name).map(|(_, value)| value);
        value
            .map(|value| value.parse::<usize>().map_err(|_| (400, format!("invalid {name}"))))
            .transpose()
    };
    let (size, start) =
        (number("page_size")?.unwrap_or(100).max(1), number("page_token")?.unwrap_or(0));
    let all = sample["list"].as_array().cloned().unwrap_or_default();
    let list: Vec<_> = all.iter().skip(start).take(size).cloned().collect();
    let next = start + list.len();
    let mut reply = json!({ "list": list });
    if next < all.len() {
        reply["nextPageToken"] = json!(next.to_string());
    }
    Ok(reply)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the status of the response.
    fn status(tenant: &Tenant, line: &str, body: &str, fault: Option<&str>) -> String {
        let (method, target) = line.split_once(' ').unwrap_or_default();
        let fault = fault.map(|fault| ("x-fault".to_owned(), fault.to_owned()));
        let token = ("authorization".to_owned(), "Bearer any".to_owned());
        let request = Seen {
            method: method.to_owned(),
            target: target.to_owned(),
            headers: fault.into_iter().chain([token]).collect(),
            body: body.to_owned(),
        };
        match tenant.answer(&request) {
            Act::Send(response) => String::from_utf8_lossy(&response[9..12]).into_owned(),
            _ => "none".to_owned(),
        }
    }

    #[test]
    fn objects_of_a_kind_have_their_own_names() {
        let tenant = Tenant::default();
        let delete = "DELETE /api/v1/iam/tunnel/bridges/";
        assert_eq!(status(&tenant, &format!("{delete}catalog-1"), "", None), "404");
        assert_eq!(status(&tenant, &format!("{delete}bridge-1"), "", None), "200");
        assert_eq!(status(&tenant, &format!("{delete}bridge-1"), "", None), "404");
    }

    #[test]
    fn bodies_that_are_not_json_are_rejected() {
        let tenant = Tenant::default();
        for (body, expected) in [("{}", "200"), ("", "200"), ("{", "400"), ("a=b", "400")] {
            assert_eq!(status(&tenant, "POST /api/v1/webhooks", body, None), expected, "{body}");
        }
        assert_eq!(status(&tenant, "POST /oauth/token", "grant_type=x", None), "200");
    }

    #[test]
    fn faults_are_statuses_of_failures() {
        let tenant = Tenant::default();
        for (fault, expected) in [
            ("503", "503"),
            ("hangup", "none"),
            ("garbage", "200"),
            ("200", "400"),
            ("99", "400"),
            ("1000", "400"),
            ("-1", "400"),
            ("", "400"),
            ("teapot", "400"),
        ] {
            assert_eq!(status(&tenant, "GET /api/v1/hooks", "", Some(fault)), expected, "{fault}");
        }
    }
}
