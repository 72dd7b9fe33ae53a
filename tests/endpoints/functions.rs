//! Functions and their commits.

use serde_json::json;

use crate::api::{Api, at, object, text, texts};
use crate::hostile::values_stay_in_their_segments;
use crate::sample::Sample;

#[tokio::test]
async fn create_initial_commit_sends() {
    let api = Api::new();
    let line = "POST /api/v1/functions/function-1/commits";
    api.client.functions().create_initial_commit("function-1").await.unwrap();
    api.sent_json(line, &json!({}));
    let commit = api.client.functions().create_initial_commit("function-1");
    commit
        .commit_message("First \"light\"\n")
        .filenames(["main.ts", "lib/größe.ts"])
        .await
        .unwrap();
    api.sent_json(
        line,
        &json!({ "commitMessage": "First \"light\"\n", "filenames": ["main.ts", "lib/größe.ts"] }),
    );
}

#[tokio::test]
async fn create_initial_commit_keeps_values_in_their_segments() {
    values_stay_in_their_segments(
        "POST /api/v1/functions/{function_id}/commits",
        |client, [function_id]| client.functions().create_initial_commit(function_id),
    )
    .await;
}

#[tokio::test]
async fn create_initial_commit_receives() {
    let api = Api::with_sample("functions.createInitialCommit");
    let commit = api.client.functions().create_initial_commit("function-1").await.unwrap();
    assert_eq!(json!(commit), Sample::of("functions.createInitialCommit").body);
    assert_eq!(commit.commit_id, text("commit-1"));
    let urls = commit.upload_urls.unwrap();
    assert_eq!(urls["main.ts"], "https://upload.example.com/commit-1/main.ts");
    assert_eq!(urls["deno.json"]["headers"]["x-part"], "2");
}

#[tokio::test]
async fn get_sends() {
    let api = Api::new();
    api.client.functions().get("function-1").await.unwrap();
    api.sent("GET /api/v1/functions/function-1");
}

#[tokio::test]
async fn get_keeps_values_in_their_segments() {
    values_stay_in_their_segments("GET /api/v1/functions/{id}", |client, [id]| {
        client.functions().get(id)
    })
    .await;
}

#[tokio::test]
async fn get_receives() {
    let api = Api::with_sample("functions.get");
    let reply = api.client.functions().get("function-1").await.unwrap();
    assert_eq!(json!(reply), Sample::of("functions.get").body);

    let function = reply.function.unwrap();
    assert_eq!((&function.id, &function.head), (&text("function-1"), &text("commit-2")));
    assert_eq!(function.published_commit_id, text("commit-1"));
    assert_eq!(function.scoped_role_ids, texts(["role-1", "role-2"]));
    assert_eq!(function.outbound_network_allowlist, texts(["badges.example.com:443"]));
    assert_eq!((function.is_draft, function.use_spn), (Some(false), Some(true)));
    assert_eq!(function.provisioned_concurrency, Some(2));
    let secret = json!({ "BADGE_API_KEY": "secret-that-nobody-may-see", "versions": [{ "pin": "4711-secret" }] });
    assert_eq!(function.secret.unwrap().expose(), &object(secret));
    assert_eq!(function.updated_at, Some(at("2025-02-01T00:00:00Z")));
}
