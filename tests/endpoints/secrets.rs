//! No secret in `Debug` output or errors: neither the access token nor the secrets of responses.

use std::fmt::Debug;

use serde_json::json;

use crate::api::{Api, TOKEN};
use crate::sample::Sample;

/// Parts of all secrets of the samples.
const SECRETS: [&str; 4] = [TOKEN, "that-nobody-may-see", "plaintext-", "4711-secret"];

#[track_caller]
fn check(shown: impl AsRef<str>) {
    let shown = shown.as_ref();
    assert!(SECRETS.iter().all(|secret| !shown.contains(secret)), "{shown}");
}

fn forms(value: &impl Debug) -> [String; 2] {
    [format!("{value:?}"), format!("{value:#?}")]
}

#[test]
fn requests_show_no_token() {
    let api = Api::new();
    forms(&api.client.functions()).iter().for_each(check);
    let request =
        api.client.functions().get(TOKEN).with_header("x-api-key", TOKEN).with_query("key", TOKEN);
    forms(&request).iter().for_each(check);
    forms(&request.send()).iter().for_each(check);
}

#[tokio::test]
async fn responses_show_no_secret() {
    let api = Api::with_sample("gatewayKeys.mint");
    let reply = api.client.gateway_keys().mint().send_raw().await.unwrap();
    let key = reply.decode().unwrap();
    assert!(key.plaintext_key.as_ref().unwrap().expose().contains(SECRETS[1]));
    forms(&reply).iter().for_each(check);
    forms(&key).iter().for_each(check);
    assert!(format!("{key:?}").contains("plaintext_key: [redacted]"), "{key:?}");

    let api = Api::with_sample("functions.get");
    let reply = api.client.functions().get("function-1").send_raw().await.unwrap();
    forms(&reply).iter().for_each(check);
    forms(&reply.decode().unwrap()).iter().for_each(check);
}

#[tokio::test]
async fn values_of_another_kind_show_no_secrets() {
    for (pointer, value) in [
        ("/plaintextKey", json!([TOKEN])),
        ("/plaintextKey", json!({ TOKEN: TOKEN })),
        ("/gatewayKey", json!(TOKEN)),
    ] {
        let mut body = Sample::new("gatewayKeys.mint").body;
        *body.pointer_mut(pointer).unwrap() = value;
        let api = Api::answering(&body);
        let key = api.client.gateway_keys().mint().await.unwrap();
        forms(&key).iter().for_each(check);
        assert_eq!(serde_json::to_value(&key).unwrap(), body);
        let strict = api.client.to_builder().strict().build().unwrap();
        let error = strict.gateway_keys().mint().await.unwrap_err();
        assert!(error.is_decode(), "{error}");
        forms(&error).iter().for_each(check);
        check(error.to_string());
        check(error.cause().unwrap().to_string());
    }
}

#[tokio::test]
async fn values_that_are_no_free_form_object_are_retained_as_secrets() {
    for value in [json!(TOKEN), json!([TOKEN])] {
        let mut body = Sample::new("functions.get").body;
        body["function"]["secret"] = value.clone();
        let api = Api::answering(&body);
        let reply = api.client.functions().get("function-1").send_raw().await.unwrap();
        forms(&reply).iter().for_each(check);
        let function = reply.decode().unwrap().function.unwrap();
        forms(&function).iter().for_each(check);
        assert_eq!(serde_json::to_value(&function).unwrap()["secret"], value);
    }
}
