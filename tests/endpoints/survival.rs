//! Responses that have more, less or other things in them than described are read, and given back as they came.
//!
//! Each test takes the full samples of an operation and changes them in one place after the other (see `mutation`).

use std::fmt::Debug;

use access_governance::models::{
    CreateRequestableEntryResponse, CreateResourceActionResponse, CreateWebhookResponse,
    FunctionCommit, GetAutomationExecutionResponse, GetAutomationResponse,
    GetEntitlementOwnerResponse, GetFunctionResponse, ListCustomAnalysisResultsResponse,
    ListEntitlementOwnersResponse, ListHooksResponse, ListRequestableEntitlementIdsResponse,
    MintGatewayKeyResponse, RequestSchemaBinding, UpdatePersonalClientResponse,
    UpdateSsoClientResponse,
};
use access_governance::runtime::DecodeError;
use access_governance::{Model, Value};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::mutation::{self, Mutation};
use crate::sample::Sample;

#[test]
fn automation_executions_get() {
    survives::<GetAutomationExecutionResponse>("automationExecutions.get");
}

#[test]
fn automations_get() {
    survives::<GetAutomationResponse>("automations.get");
}

#[test]
fn catalogs_create_requestable_entry() {
    survives::<CreateRequestableEntryResponse>("catalogs.createRequestableEntry");
}

#[test]
fn catalogs_list_requestable_entitlement_ids() {
    survives::<ListRequestableEntitlementIdsResponse>("catalogs.listRequestableEntitlementIds");
}

#[test]
fn entitlement_owners_get() {
    survives::<GetEntitlementOwnerResponse>("entitlementOwners.get");
}

#[test]
fn entitlement_owners_list() {
    survives::<ListEntitlementOwnersResponse>("entitlementOwners.list");
}

#[test]
fn functions_create_initial_commit() {
    survives::<FunctionCommit>("functions.createInitialCommit");
}

#[test]
fn functions_get() {
    survives::<GetFunctionResponse>("functions.get");
}

#[test]
fn gateway_keys_mint() {
    survives::<MintGatewayKeyResponse>("gatewayKeys.mint");
}

#[test]
fn hooks_list() {
    survives::<ListHooksResponse>("hooks.list");
}

#[test]
fn personal_clients_update() {
    survives::<UpdatePersonalClientResponse>("personalClients.update");
}

#[test]
fn request_schemas_find_binding() {
    survives::<RequestSchemaBinding>("requestSchemas.findBinding");
}

#[test]
fn role_mining_list_custom_analysis_results() {
    survives::<ListCustomAnalysisResultsResponse>("roleMining.listCustomAnalysisResults");
}

#[test]
fn sso_clients_update() {
    survives::<UpdateSsoClientResponse>("ssoClients.update");
}

#[test]
fn tasks_create_resource_action() {
    survives::<CreateResourceActionResponse>("tasks.createResourceAction");
}

#[test]
fn webhooks_create() {
    survives::<CreateWebhookResponse>("webhooks.create");
}

/// Checks that the samples of an operation are read as a `T` and written again as they came, whatever is changed in them;
/// and that a value of another type than described is given back too, or is an error that names its place.
fn survives<T: Body>(operation: &str) {
    let sample = Sample::of(operation);
    let mut failures = Vec::new();
    for (pointer, body) in sample.variants() {
        assert_eq!(round_trip::<T>(&body), Ok(body.clone()), "{operation}");
        mutation::each(&body, pointer, |mutation| {
            failures.extend(loss::<T>(&mutation));
        });
        mutation::each_of_another_type(&body, pointer, |mutation| {
            failures.extend(misplaced_error::<T>(&mutation));
        });
    }
    for (pointer, values) in &sample.alternatives {
        for value in values.as_array().into_iter().flatten() {
            let mut body = sample.body.clone();
            mutation::unite(body.pointer_mut(pointer).unwrap(), value);
            assert_eq!(
                round_trip::<T>(&body),
                Ok(body.clone()),
                "{operation} with two of the alternatives at {pointer}"
            );
        }
    }
    let shown = failures.iter().take(20).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{operation}: {} failures, such as\n{shown}", failures.len());
}

/// What every type of a response's body is.
trait Body: Model + Default + PartialEq + Debug + Serialize + DeserializeOwned {}

impl<T: Model + Default + PartialEq + Debug + Serialize + DeserializeOwned> Body for T {}

/// Reads a body and writes it again, in both of the ways that there are: the one that calls use, and with serde.
fn round_trip<T: Body>(body: &Value) -> Result<Value, DecodeError> {
    let value = T::from_json(&serde_json::to_vec(body).unwrap())?;
    let written = serde_json::from_slice(&value.to_json()).unwrap();
    assert_eq!(T::deserialize(body).unwrap(), value);
    assert_eq!(serde_json::to_value(&value).unwrap(), written);
    Ok(written)
}

/// Returns what is lost of a changed body.
fn loss<T: Body>(Mutation { what, place, body, without_nulls }: &Mutation) -> Option<String> {
    match round_trip::<T>(body) {
        Ok(written) if written == *body || Some(&written) == without_nulls.as_ref() => None,
        Ok(written) => {
            let [came, went] = [body, &written].map(|body| body.pointer(&place.pointer));
            Some(format!("{} {what}: {came:?} is written as {went:?}", place.pointer))
        }
        Err(error) => Some(format!("{} {what}: {error}", place.pointer)),
    }
}

/// Returns what is wrong with the error about a value of another type, unless there is none and nothing is lost.
fn misplaced_error<T: Body>(mutation: &Mutation) -> Option<String> {
    let Mutation { what, place, body, .. } = mutation;
    match T::from_json(&serde_json::to_vec(body).unwrap()) {
        Ok(_) => loss::<T>(mutation),
        Err(error) if error.path() == place.path && !error.to_string().contains("surprise") => None,
        Err(error) => Some(format!("{} {what}: {error}", place.pointer)),
    }
}
