//! Every operation, for what holds for all of them.

use std::any::TypeId;
use std::collections::BTreeSet;

use access_governance::runtime::BoxFuture;
use access_governance::{Client, Error, Value};
use serde::Serialize;
use serde_json::json;
use tests::Server;
use tests::server::{json as json_reply, response};

use crate::api::Api;
use crate::sample::Sample;

/// An operation that is called when its future is awaited, for its result in JSON.
pub struct Operation {
    pub id: &'static str,
    /// What is sent: method, target, and the body if there is one.
    sent: &'static str,
    /// Whether the operation returns an empty object.
    returns_nothing: bool,
    pub call: BoxFuture<'static, Result<Value, Error>>,
}

/// Returns every operation, with plain arguments.
pub fn operations(client: &Client) -> Vec<Operation> {
    let catalogs = client.catalogs();
    let owners = client.entitlement_owners();
    vec![
        operation(
            "automationExecutions.get",
            "GET /api/v1/automation_executions/1",
            client.automation_executions().get("1"),
        ),
        operation("automations.get", "GET /api/v1/automations/1", client.automations().get("1")),
        operation(
            "bridges.delete",
            "DELETE /api/v1/iam/tunnel/bridges/1 {}",
            client.bridges().delete("1"),
        ),
        operation(
            "catalogs.createRequestableEntry",
            "PUT /api/v1/catalogs/1/requestable_entries/2/3 {}",
            catalogs.create_requestable_entry("1", "2", "3"),
        ),
        operation(
            "catalogs.listRequestableEntitlementIds",
            "GET /api/v1/catalogs/1/requestable_entitlementIDs",
            catalogs.list_requestable_entitlement_ids("1"),
        ),
        operation(
            "catalogs.removeAccessEntitlements",
            "DELETE /api/v1/catalogs/1/visibility_bindings {}",
            catalogs.remove_access_entitlements("1"),
        ),
        operation(
            "connectors.pauseSync",
            "POST /api/v1/apps/1/connectors/2/pause {}",
            client.connectors().pause_sync("1", "2"),
        ),
        operation(
            "connectors.setOwners",
            "PUT /api/v2/apps/1/connectors/2/owners {}",
            client.connectors().set_owners("1", "2"),
        ),
        operation(
            "entitlementOwners.get",
            "GET /api/v2/apps/1/owners/entitlements/2/3/4",
            owners.get("1", "2", "3", "4"),
        ),
        operation(
            "entitlementOwners.list",
            "GET /api/v1/apps/1/entitlements/2/owners",
            owners.list("1", "2"),
        ),
        operation(
            "functions.createInitialCommit",
            "POST /api/v1/functions/1/commits {}",
            client.functions().create_initial_commit("1"),
        ),
        operation("functions.get", "GET /api/v1/functions/1", client.functions().get("1")),
        operation(
            "gatewayKeys.mint",
            "POST /api/v1/llm-gateway/keys {}",
            client.gateway_keys().mint(),
        ),
        operation("hooks.list", "GET /api/v1/hooks", client.hooks().list()),
        operation(
            "personalClients.update",
            "POST /api/v1/iam/personal_clients/1 {}",
            client.personal_clients().update("1"),
        ),
        operation(
            "requestSchemas.findBinding",
            "PUT /api/v1/request_schema_entitlement_binding {}",
            client.request_schemas().find_binding(),
        ),
        operation(
            "roleMining.listCustomAnalysisResults",
            "GET /api/v1/role-mining/custom-analysis",
            client.role_mining().list_custom_analysis_results(),
        ),
        operation(
            "ssoClients.update",
            "POST /api/v1/apps/1/sso/applications/2/clients/update {}",
            client.sso_clients().update("1", "2"),
        ),
        operation(
            "tasks.createResourceAction",
            r#"POST /api/v1/task/resource-action {"actionId":"1"}"#,
            client.tasks().create_resource_action("1"),
        ),
        operation("webhooks.create", "POST /api/v1/webhooks {}", client.webhooks().create()),
    ]
}

fn operation<R, T: Serialize + 'static>(
    id: &'static str,
    sent: &'static str,
    request: R,
) -> Operation
where
    R: IntoFuture<Output = Result<T, Error>, IntoFuture: Send + 'static>,
{
    let sending = request.into_future();
    Operation {
        id,
        sent,
        returns_nothing: TypeId::of::<T>() == TypeId::of::<()>(),
        call: Box::pin(async { sending.await.map(|value| json!(value)) }),
    }
}

#[test]
fn every_operation_is_here() {
    let spec: Value = serde_yaml::from_str(include_str!("../../spec/openapi.yaml")).unwrap();
    let paths = spec["paths"].as_object().unwrap().values().filter_map(Value::as_object);
    let described = paths.flat_map(|path| path.values());
    let described: BTreeSet<_> =
        described.filter_map(|operation| operation["operationId"].as_str()).collect();
    let client = Client::builder("http://localhost").build().unwrap();
    let here: BTreeSet<_> = operations(&client).iter().map(|operation| operation.id).collect();
    let missing: Vec<_> = described.difference(&here).collect();
    assert!(
        missing.is_empty(),
        "add a line to `operations` in tests/endpoints/every.rs for each of {missing:?}, such as\n        \
         operation(\"tags.create\", \"POST /api/v1/tags/1 {{}}\", client.tags().create(\"1\")),"
    );
    let extra: Vec<_> = here.difference(&described).collect();
    assert!(extra.is_empty(), "remove the lines of {extra:?} from tests/endpoints/every.rs");
}

#[tokio::test]
async fn requests_go_out_to_the_letter() {
    let api = Api::new();
    for operation in operations(&api.client) {
        operation.call.await.unwrap();
        api.sent(operation.sent);
    }
}

/// The samples are written from the reference, not from the spec: what is unknown in one is missing in the spec.
#[tokio::test]
async fn samples_are_known_and_come_back_as_they_came() {
    let ids =
        operations(&Api::new().client).into_iter().filter(|operation| !operation.returns_nothing);
    for id in ids.map(|operation| operation.id) {
        for body in Sample::of(id).bodies() {
            let sent = body.to_string();
            let server = Server::new(move |_, _| json_reply(200, &sent));
            let client = Client::builder(server.url()).bearer_token("t").strict().build().unwrap();
            let mut operations = operations(&client).into_iter();
            let operation = operations.find(|operation| operation.id == id).unwrap();
            assert_eq!(operation.call.await.unwrap(), body, "{id}");
        }
    }
}

#[tokio::test]
async fn every_operation_reports_a_status() {
    let body = r#"{"code":3,"message":"the action is disabled"}"#;
    let api = Api::serving(move |_| response(400, &[("x-request-id", "r-1")], body));
    for operation in operations(&api.client) {
        let error = operation.call.await.unwrap_err();
        let request = api.request();
        assert_eq!((error.status(), error.body()), (Some(400), body.as_bytes()));
        assert_eq!((error.operation(), error.request_id()), (Some(operation.id), Some("r-1")));
        assert_eq!(
            error.to_string(),
            format!(
                "{}: {} failed: HTTP 400 Bad Request (request id r-1): the action is disabled",
                operation.id,
                request.line()
            )
        );
    }
}

#[tokio::test]
async fn every_operation_reports_a_body_that_is_no_object() {
    for body in ["[1]", "{\"a\":", "<html>Please log in</html>"] {
        let api = Api::answering(body);
        for operation in operations(&api.client) {
            let error = operation.call.await.unwrap_err();
            assert!(error.is_decode() && !error.is_retryable(), "{error}");
            assert_eq!((error.operation(), error.status()), (Some(operation.id), Some(200)));
            assert_eq!(error.body(), body.as_bytes());
        }
    }
}
