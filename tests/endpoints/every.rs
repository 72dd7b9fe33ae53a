//! Properties of operations, as programs call them.
//!
//! The requests and samples are written by hand, independently of the spec. An operation needs none: `cargo xtask
//! roundtrip --replies` calls every operation of the spec.

use std::any::TypeId;

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
    /// The request: method, target, and the body if there is one.
    sent: &'static str,
    /// Whether the operation returns an empty object.
    returns_nothing: bool,
    /// The place in the body that `Reply::field` is read from.
    pointer: &'static str,
    pub call: BoxFuture<'static, Result<Reply, Error>>,
}

/// The result of an operation.
#[derive(Debug)]
pub struct Reply {
    /// The whole of it, in JSON.
    body: Value,
    /// One field, read by its name in Rust.
    field: Option<Value>,
}

/// Returns the operations with a request and a sample, with plain arguments.
#[expect(clippy::too_many_lines, reason = "an entry for each operation")]
pub fn operations(client: &Client) -> Vec<Operation> {
    let catalogs = client.catalogs();
    let owners = client.entitlement_owners();
    vec![
        operation(
            "automationExecutions.get",
            "GET /api/v1/automation_executions/1",
            client.automation_executions().get("1"),
            "/automationExecution/automationTemplateId",
            |reply| Some(json!(reply.automation_execution?.automation_template_id)),
        ),
        operation(
            "automations.get",
            "GET /api/v1/automations/1",
            client.automations().get("1"),
            "/automation/displayName",
            |reply| Some(json!(reply.automation?.display_name)),
        ),
        operation(
            "bridges.delete",
            "DELETE /api/v1/iam/tunnel/bridges/1 {}",
            client.bridges().delete("1"),
            "",
            |reply| Some(json!(reply)),
        ),
        operation(
            "catalogs.createRequestableEntry",
            "PUT /api/v1/catalogs/1/requestable_entries/2/3 {}",
            catalogs.create_requestable_entry("1", "2", "3"),
            "/requestableEntry/entitlementId",
            |reply| Some(json!(reply.requestable_entry?.entitlement_id)),
        ),
        operation(
            "catalogs.listRequestableEntitlementIds",
            "GET /api/v1/catalogs/1/requestable_entitlementIDs",
            catalogs.list_requestable_entitlement_ids("1"),
            "/refs/1/appId",
            |reply| Some(json!(reply.refs?.pop()?.app_id)),
        ),
        operation(
            "catalogs.removeAccessEntitlements",
            "DELETE /api/v1/catalogs/1/visibility_bindings {}",
            catalogs.remove_access_entitlements("1"),
            "",
            |reply| Some(json!(reply)),
        ),
        operation(
            "connectors.pauseSync",
            "POST /api/v1/apps/1/connectors/2/pause {}",
            client.connectors().pause_sync("1", "2"),
            "",
            |reply| Some(json!(reply)),
        ),
        operation(
            "connectors.setOwners",
            "PUT /api/v2/apps/1/connectors/2/owners {}",
            client.connectors().set_owners("1", "2"),
            "",
            |reply| Some(json!(reply)),
        ),
        operation(
            "entitlementOwners.get",
            "GET /api/v2/apps/1/owners/entitlements/2/3/4",
            owners.get("1", "2", "3", "4"),
            "/appOwnerEntitlement/appEntitlement/displayName",
            |reply| Some(json!(reply.app_owner_entitlement?.app_entitlement?.display_name)),
        ),
        operation(
            "entitlementOwners.list",
            "GET /api/v1/apps/1/entitlements/2/owners",
            owners.list("1", "2"),
            "/nextPageToken",
            |reply| Some(json!(reply.next_page_token)),
        ),
        operation(
            "functions.createInitialCommit",
            "POST /api/v1/functions/1/commits {}",
            client.functions().create_initial_commit("1"),
            "/commitId",
            |reply| Some(json!(reply.commit_id)),
        ),
        operation(
            "functions.get",
            "GET /api/v1/functions/1",
            client.functions().get("1"),
            "/function/publishedCommitId",
            |reply| Some(json!(reply.function?.published_commit_id)),
        ),
        operation(
            "gatewayKeys.mint",
            "POST /api/v1/llm-gateway/keys {}",
            client.gateway_keys().mint(),
            "/gatewayKey/keyPrefix",
            |reply| Some(json!(reply.gateway_key?.key_prefix)),
        ),
        operation(
            "hooks.list",
            "GET /api/v1/hooks",
            client.hooks().list(),
            "/nextPageToken",
            |reply| Some(json!(reply.next_page_token)),
        ),
        operation(
            "personalClients.update",
            "POST /api/v1/iam/personal_clients/1 {}",
            client.personal_clients().update("1"),
            "/client/clientId",
            |reply| Some(json!(reply.client?.client_id)),
        ),
        operation(
            "requestSchemas.findBinding",
            "PUT /api/v1/request_schema_entitlement_binding {}",
            client.request_schemas().find_binding(),
            "/requestSchemaId",
            |reply| Some(json!(reply.request_schema_id)),
        ),
        operation(
            "roleMining.listCustomAnalysisResults",
            "GET /api/v1/role-mining/custom-analysis",
            client.role_mining().list_custom_analysis_results(),
            "/list/0/createdAt",
            |reply| Some(json!(reply.list?.first()?.created_at)),
        ),
        operation(
            "ssoClients.update",
            "POST /api/v1/apps/1/sso/applications/2/clients/update {}",
            client.sso_clients().update("1", "2"),
            "/client/ssoApplicationId",
            |reply| Some(json!(reply.client?.sso_application_id)),
        ),
        operation(
            "tasks.createResourceAction",
            r#"POST /api/v1/task/resource-action {"actionId":"1"}"#,
            client.tasks().create_resource_action("1"),
            "/taskView/task/createdByUserId",
            |reply| Some(json!(reply.task_view?.task?.created_by_user_id)),
        ),
        operation(
            "webhooks.create",
            "POST /api/v1/webhooks {}",
            client.webhooks().create(),
            "/webhook/url",
            |reply| Some(json!(reply.webhook?.url)),
        ),
    ]
}

fn operation<R, T: Serialize + 'static>(
    id: &'static str,
    sent: &'static str,
    request: R,
    pointer: &'static str,
    field: impl FnOnce(T) -> Option<Value> + Send + 'static,
) -> Operation
where
    R: IntoFuture<Output = Result<T, Error>, IntoFuture: Send + 'static>,
{
    let sending = request.into_future();
    Operation {
        id,
        sent,
        returns_nothing: TypeId::of::<T>() == TypeId::of::<()>(),
        pointer,
        call: Box::pin(async {
            let result = sending.await?;
            Ok(Reply { body: json!(result), field: field(result) })
        }),
    }
}

#[tokio::test]
async fn every_request_is_sent_as_expected() {
    let api = Api::new();
    for operation in operations(&api.client) {
        operation.call.await.unwrap();
        api.sent(operation.sent);
    }
}

/// The samples are written from the API reference, not from the spec: unknown content in a sample is missing in the
/// spec.
#[tokio::test]
async fn samples_have_no_unknown_content_and_round_trip() {
    let ids =
        operations(&Api::new().client).into_iter().filter(|operation| !operation.returns_nothing);
    for id in ids.map(|operation| operation.id) {
        for body in Sample::new(id).bodies() {
            let sent = body.to_string();
            let server = Server::new(move |_, _| json_reply(200, &sent));
            let client = Client::builder(server.url()).bearer_token("t").strict().build().unwrap();
            let mut operations = operations(&client).into_iter();
            let operation = operations.find(|operation| operation.id == id).unwrap();
            let pointer = operation.pointer;
            let reply = operation.call.await.unwrap();
            assert_eq!(reply.field.as_ref(), body.pointer(pointer), "{id}: {pointer}");
            assert_eq!(reply.body, body, "{id}");
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
        assert_eq!(
            (error.operation().map(|it| it.id), error.request_id()),
            (Some(operation.id), Some("r-1"))
        );
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
async fn every_operation_reports_a_body_that_is_not_an_object() {
    for body in ["[1]", "{\"a\":", "<html>Please log in</html>"] {
        let api = Api::answering(body);
        for operation in operations(&api.client) {
            let error = operation.call.await.unwrap_err();
            assert!(error.is_decode() && !error.is_retryable(), "{error}");
            assert_eq!(
                (error.operation().map(|it| it.id), error.status()),
                (Some(operation.id), Some(200))
            );
            assert_eq!(error.body(), body.as_bytes());
        }
    }
}
