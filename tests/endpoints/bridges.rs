//! Bridges of the tunnel.

use serde_json::json;

use crate::api::Api;
use crate::hostile::values_stay_in_their_segments;

#[tokio::test]
async fn delete_sends() {
    let api = Api::new();
    api.client.bridges().delete("bridge-1").await.unwrap();
    api.sent_json("DELETE /api/v1/iam/tunnel/bridges/bridge-1", &json!({}));
}

#[tokio::test]
async fn delete_keeps_values_in_their_segments() {
    values_stay_in_their_segments("DELETE /api/v1/iam/tunnel/bridges/{id}", |client, [id]| {
        client.bridges().delete(id)
    })
    .await;
}
