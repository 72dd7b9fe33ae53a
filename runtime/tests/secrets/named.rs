//! Secrets of servers in their texts, where only a name tells what they are.

use openapi_bindings_runtime::RetryPolicy;

use crate::support::FirstScheme as _;
use crate::support::api::get;
use crate::support::client;
use crate::support::server::{Act, Server, bytes, json, response};

/// Texts with a secret that no request had.
const TEXTS: [&str; 10] = [
    "client_secret=pl4nted&x=1",
    "see https://h.example/?x=1&access_token=pl4nted#top",
    "https://me:pl4nted@h.example/",
    "{\"x\":1,\"client_secret\":\"pl4nted\"} and more",
    "{\"client_secret\":{\"x\":[\"pl4nted\"",
    "[{'api_key': 'pl4nted'}]",
    "{\"detail\":\"{\\\"api_key\\\":\\\"pl4nted\\\"}\"",
    "redirect=https%3A%2F%2Fh.example%2F%3Fapi_key%3Dpl4nted",
    "<login><client_secret>pl4nted</client_secret></login>",
    "<login password=\"pl4nted\"/>",
];

#[tokio::test]
async fn names_tell_the_secrets_in_the_texts_of_servers() {
    for text in TEXTS {
        let quoted = openapi_bindings_runtime::json!(text);
        for (status, body) in [
            (422, text.to_owned()),
            (422, format!("\u{feff}{text}")),
            (422, format!(r#"{{"message":{quoted}}}"#)),
            (422, format!(r#"{{"links":[{quoted}]}}"#)),
            (422, format!(r#"{{"error":"invalid","error_description":{quoted}}}"#)),
            (200, format!("{{\"x\":{quoted}")),
        ] {
            let server = Server::new(move |_, _| json(status, &body));
            for has_token in [true, false] {
                let builder = client(server.url()).retry(RetryPolicy::never());
                let builder = if has_token {
                    builder.bearer_token("t")
                } else {
                    builder.client_credentials("/token", "me", "cl1ent-s3cr3t")
                };
                let error = get(&builder.build().unwrap(), "7").await.unwrap_err();
                let shown = format!("{error} {error:?} {error:#?}");
                assert!(!shown.contains("pl4nted"), "{shown}");
            }
        }
    }
}

#[tokio::test]
async fn the_target_of_a_redirect_is_shown_without_its_user() {
    for target in ["//me:pl4nted@h.example/x?y", "http://pl4nted@h.example/x#y"] {
        let server = Server::new(move |_, _| response(302, &[("location", target)], ""));
        let error = get(&client(server.url()).build().unwrap(), "7").await.unwrap_err();
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains("pl4nted") && shown.contains("h.example/x"), "{shown}");
    }
}

/// The end of an incomplete body can be a part of a secret.
#[tokio::test]
async fn an_incomplete_body_is_not_shown() {
    let body = "no such token: t0ken-0123456789";
    for length in 0..body.len() {
        let server = Server::new(move |number, _| {
            let whole = bytes(422, &[], body);
            match number {
                0 => Act::Close(whole[..whole.len() - body.len() + length].to_vec()),
                _ => Act::Send(whole),
            }
        });
        let client = client(server.url()).bearer_token("t0ken-0123456789").build().unwrap();
        let cut = get(&client, "7").await.unwrap_err();
        let limited = get(&client, "7").with_max_response_bytes(length).await.unwrap_err();
        for error in [cut, limited] {
            assert_eq!(error.body(), &body.as_bytes()[..length]);
            let shown = format!("{error} {error:?}");
            assert!(!shown.contains("t0k") && shown.contains("422"), "{shown}");
        }
    }
}
