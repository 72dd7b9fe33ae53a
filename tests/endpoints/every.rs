//! Every operation, for what holds for all of them.

use std::collections::BTreeSet;
use std::fmt;

use access_governance::runtime::BoxFuture;
use access_governance::{Client, Error, Value};

/// An operation that is called when its future is awaited, for the `Debug` form of its result.
pub struct Operation {
    pub id: &'static str,
    /// Whether the operation returns an empty object.
    pub returns_nothing: bool,
    pub call: BoxFuture<'static, Result<String, Error>>,
}

/// Returns every operation, with plain arguments.
pub fn operation(client: &Client) -> Vec<Operation> {
    vec![
        returns("automationExecutions.get", client.automation_executions().get("1")),
        returns("automations.get", client.automations().get("1")),
        returns_nothing("bridges.delete", client.bridges().delete("1")),
        returns(
            "catalogs.createRequestableEntry",
            client.catalogs().create_requestable_entry("1", "2", "3"),
        ),
        returns(
            "catalogs.listRequestableEntitlementIds",
            client.catalogs().list_requestable_entitlement_ids("1"),
        ),
        returns_nothing(
            "catalogs.removeAccessEntitlements",
            client.catalogs().remove_access_entitlements("1"),
        ),
        returns_nothing("connectors.pauseSync", client.connectors().pause_sync("1", "2")),
        returns_nothing("connectors.setOwners", client.connectors().set_owners("1", "2")),
        returns("entitlementOwners.get", client.entitlement_owners().get("1", "2", "3", "4")),
        returns("entitlementOwners.list", client.entitlement_owners().list("1", "2")),
        returns("functions.createInitialCommit", client.functions().create_initial_commit("1")),
        returns("functions.get", client.functions().get("1")),
        returns("gatewayKeys.mint", client.gateway_keys().mint()),
        returns("hooks.list", client.hooks().list()),
        returns("personalClients.update", client.personal_clients().update("1")),
        returns("requestSchemas.findBinding", client.request_schemas().find_binding()),
        returns(
            "roleMining.listCustomAnalysisResults",
            client.role_mining().list_custom_analysis_results(),
        ),
        returns("ssoClients.update", client.sso_clients().update("1", "2")),
        returns("tasks.createResourceAction", client.tasks().create_resource_action("1")),
        returns("webhooks.create", client.webhooks().create()),
    ]
}

fn returns<R, T: fmt::Debug>(id: &'static str, request: R) -> Operation
where
    R: IntoFuture<Output = Result<T, Error>, IntoFuture: Send + 'static>,
{
    let sending = request.into_future();
    Operation {
        id,
        returns_nothing: false,
        call: Box::pin(async { sending.await.map(|value| format!("{value:?}")) }),
    }
}

fn returns_nothing<R>(id: &'static str, request: R) -> Operation
where
    R: IntoFuture<Output = Result<(), Error>, IntoFuture: Send + 'static>,
{
    Operation { returns_nothing: true, ..returns(id, request) }
}

#[test]
fn every_operation_is_here() {
    let spec: Value = serde_yaml::from_str(include_str!("../../spec/openapi.yaml")).unwrap();
    let paths = spec["paths"].as_object().unwrap().values().filter_map(Value::as_object);
    let operations = paths.flat_map(|path| path.values());
    let described: BTreeSet<_> =
        operations.filter_map(|operation| operation["operationId"].as_str()).collect();
    let client = Client::builder("http://localhost").build().unwrap();
    let here: BTreeSet<_> = operation(&client).iter().map(|operation| operation.id).collect();
    let missing: Vec<_> = described.difference(&here).collect();
    assert!(
        missing.is_empty(),
        "add a line to `operation` in tests/endpoints/every.rs for each of {missing:?}, such as\n        \
         returns(\"tags.create\", client.tags().create(\"1\")),"
    );
    let extra: Vec<_> = here.difference(&described).collect();
    assert!(extra.is_empty(), "remove the lines of {extra:?} from tests/endpoints/every.rs");
}
