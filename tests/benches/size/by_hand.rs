//! The three calls of `three_calls.rs` with reqwest and serde's derive, for `measure.sh size`: with the same TLS,
//! and with only those properties of the models that are read.

use std::error::Error as StdError;

use rustls_platform_verifier::BuilderVerifierExt;
use serde::{Deserialize, Serialize};

const BASE_URL: &str = "https://tenant.example.com";
const TOKEN: &str = "token";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CreateResourceActionRequest {
    action_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CreateResourceActionResponse {
    task_view: Option<TaskView>,
}

#[derive(Deserialize)]
struct TaskView {
    task: Option<Task>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Task {
    display_name: Option<String>,
}

#[derive(Deserialize)]
struct ListEntitlementOwnersResponse {
    list: Option<Vec<User>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct User {
    display_name: Option<String>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn StdError>> {
    let tls = rustls::ClientConfig::builder_with_provider(
        rustls::crypto::ring::default_provider().into(),
    )
    .with_safe_default_protocol_versions()?
    .with_platform_verifier()?
    .with_no_client_auth();
    let client = reqwest::Client::builder().tls_backend_preconfigured(tls).build()?;

    let body = CreateResourceActionRequest { action_id: "action-id".to_owned() };
    let request = client
        .post(format!("{BASE_URL}/api/v1/task/resource-action"))
        .header("content-type", "application/json")
        .body(serde_json::to_vec(&body)?);
    let reply: CreateResourceActionResponse = serde_json::from_slice(&answer(request).await?)?;
    let task = reply.task_view.and_then(|view| view.task);
    println!("{:?}", task.and_then(|task| task.display_name));

    let request = client.get(format!(
        "{BASE_URL}/api/v1/apps/app-id/entitlements/entitlement-id/owners?page_size=50"
    ));
    let page: ListEntitlementOwnersResponse = serde_json::from_slice(&answer(request).await?)?;
    for owner in page.list.unwrap_or_default() {
        println!("{:?}", owner.display_name);
    }

    let request = client
        .post(format!("{BASE_URL}/api/v1/apps/app-id/connectors/connector-id/pause"))
        .header("content-type", "application/json")
        .body("{}");
    answer(request).await?;
    Ok(())
}

/// Sends a request, and returns the body of a successful response.
async fn answer(request: reqwest::RequestBuilder) -> Result<Vec<u8>, reqwest::Error> {
    let response = request
        .bearer_auth(TOKEN)
        .header("accept", "application/json")
        .send()
        .await?
        .error_for_status()?;
    Ok(response.bytes().await?.to_vec())
}
