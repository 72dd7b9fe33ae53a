//! Secrets that are planted wherever a secret can be.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use openapi_bindings_runtime::{
    Client, ClientBuilder, Map, Recorder, RetryPolicy, Secret, UnknownProperties, Upload, Value,
    internal, json,
};

use super::{Account, Memory, get_account, put_account};
use crate::support::FirstScheme as _;
use crate::support::api::{SERVICE, operation, request};
use crate::support::server::{Act, Server, json as reply, response, unused_port};

/// A form with a secret of each kind.
#[derive(Clone, Default)]
pub struct Form {
    user: Option<String>,
    password: Option<Secret<String>>,
    pin: Option<Secret<i64>>,
    file: Option<Upload>,
    unknown: UnknownProperties,
}

internal::object! { Form { user: "user", password: "phrase", pin: "number", file: "file" } unknown }

operation!(SendForm, "forms.send", POST, "/forms", Form => (), |call, body| call.form_body(body, &[]));
operation!(SendParts, "parts.send", POST, "/parts", Form => (), |call, body| {
    call.multipart_body(body, "multipart/form-data", &[])
});

/// The secrets, with their places. Clones share them.
#[derive(Clone, Default)]
struct Planted(Arc<Mutex<BTreeMap<String, &'static str>>>);

impl Planted {
    /// Returns a new secret, in one of the forms that secrets have.
    fn text(&self, place: &'static str) -> String {
        let mut planted = self.0.lock().unwrap();
        let number = planted.len();
        let digits = format!("{number:05}");
        let secret = match number % 6 {
            0 => format!("sk_live_{digits}hT9"),
            1 => format!("eyJhbGciOiJub25lIn0.eyJ{digits}.x"),
            2 => format!("AKIA{digits}IOSFODNN7"),
            3 => format!("deadbeef-{digits}-4000-8000-000000000000"),
            4 => format!("hunter {digits}/+ä&=%"),
            _ => format!("ghp_{digits}abcdef"),
        };
        planted.insert(secret.clone(), place);
        secret
    }

    /// Returns a new secret that is a number.
    fn number(&self, place: &'static str) -> i64 {
        let mut planted = self.0.lock().unwrap();
        let secret = 918_273_000 + i64::try_from(planted.len()).unwrap();
        planted.insert(secret.to_string(), place);
        secret
    }

    /// Returns the places whose secrets are in a text, plain or encoded.
    fn found_in(&self, text: &str) -> Vec<String> {
        let planted = self.0.lock().unwrap();
        let forms = |secret: &str| {
            let encoded =
                percent_encoding::utf8_percent_encode(secret, percent_encoding::NON_ALPHANUMERIC);
            let json = Value::from(secret).to_string();
            let quoted = json.trim_matches('"').to_owned();
            [
                secret.to_owned(),
                encoded.to_string(),
                encoded.to_string().replace("%2D", "-").replace("%5F", "_"),
                quoted,
            ]
        };
        let found =
            planted.iter().filter(|(secret, _)| forms(secret).iter().any(|it| text.contains(it)));
        found.map(|(secret, place)| format!("{place}: {secret}")).collect()
    }
}

/// Returns an account with secrets of all kinds.
fn account(planted: &Planted) -> Account {
    let inner = Account {
        key: Some(planted.text("nested secret").into()),
        code: Some(Secret::new(planted.number("nested secret number"))),
        ..Account::default()
    };
    let labels = json!({"password": planted.text("secret name"), "deep": [{"apiKey": planted.text("deep secret name")}]});
    let mut labels: Map = serde_json::from_value(labels).unwrap();
    labels.insert(planted.text("key of a map"), planted.text("value of a map").into());
    Account {
        id: Some(planted.text("text")),
        key: Some(planted.text("secret").into()),
        code: Some(Secret::new(planted.number("secret number"))),
        labels: Some(labels),
        owner: Some(Box::new(inner.clone())),
        members: Some(vec![inner]),
        ..Account::default()
    }
}

fn reply_of(planted: &Planted, target: &str, elsewhere: &str) -> Act {
    let text = |place| planted.text(place);
    let number = planted.number("number of a response");
    if target.starts_with("/token") {
        let body = json!({"access_token": text("access token"), "refresh_token": text("refresh token"), "expires_in": 3600});
        return reply(200, &body.to_string());
    }
    if target.contains("/failing") {
        let headers = [
            ("content-type", "application/json"),
            ("x-request-id", &*text("header of an error")),
            ("set-cookie", &*text("cookie of an error").replace(' ', "")),
        ]
        .map(|(name, value)| (name, value.replace('ä', "a")));
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, &**value)).collect();
        let body = json!({"message": text("error"), "details": [{"token": number, "field": text("deep error")}]});
        return response(400, &headers, &body.to_string());
    }
    if target.contains("/page") {
        return response(
            500,
            &[("content-type", "text/html")],
            &format!("<p>{}</p>", text("error page")),
        );
    }
    if target.contains("/moved") {
        let encode = |text: String| {
            percent_encoding::utf8_percent_encode(&text, percent_encoding::NON_ALPHANUMERIC)
                .to_string()
        };
        let (path, query) =
            (encode(text("path of a redirect")), encode(text("query of a redirect")));
        return response(
            302,
            &[("location", &format!("{elsewhere}/{path}?sig={query}&{query}"))],
            "",
        );
    }
    if target.contains("/away") {
        let user = text("userinfo").replace(['/', ' ', 'ä', '&', '=', '%', '+'], "");
        return response(
            307,
            &[(
                "location",
                &format!("{}/x", unused_port().replace("//", &format!("//me:{user}@"))),
            )],
            "",
        );
    }
    if !target.contains("/accounts/") {
        return reply(200, "{}");
    }
    let body = json!({
        "key": text("secret of a response"), "code": number, "kind": "KIND_USER",
        "extra": text("undescribed property"), "more": {"deep": [text("deep undescribed property")]},
        "members": [{"key": text("deep secret of a response"), "new": {"pin": planted.number("undescribed secret name")}}],
    });
    reply(200, &body.to_string())
}

async fn run() -> (usize, Vec<String>, String) {
    let planted = Planted::default();
    let elsewhere = Server::json(r#"{"kind":"KIND_USER"}"#);
    let (plants, target) = (planted.clone(), elsewhere.url());
    let server = Server::new(move |_, seen| reply_of(&plants, &seen.target, &target));
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone());
    let header = |place| planted.text(place).replace('ä', "a");
    let builder = ClientBuilder::<Client>::new(&SERVICE, server.url())
        .client_credentials("/token", "me", planted.text("client secret"))
        .default_header("x-api-key", header("default header"))
        .follow_redirects_to_other_origins()
        .retry(RetryPolicy::never())
        .record(recorder.clone());
    let client = builder.build().unwrap();
    for _ in 0..6 {
        let call = put_account(&client, "plain", account(&planted));
        let call =
            call.with_query("token", planted.text("query")).with_header("x-note", header("header"));
        call.with_header("cookie", format!("a={}", header("cookie").replace([' ', ';'], "")))
            .await
            .unwrap();
        let call =
            get_account(&client, &planted.text("path")).with_query("q", planted.text("query"));
        call.await.unwrap();
        let _ = get_account(&client, "failing")
            .with_header("authorization", header("authorization"))
            .await;
        let _ = get_account(&client, "page").with_header("x-key", header("header")).await;
        get_account(&client, "moved").await.unwrap();
        let _ = get_account(&client, "away").await;
        let form = |file: Option<Upload>| Form {
            user: Some(planted.text("form")),
            password: Some(planted.text("secret of a form").into()),
            pin: Some(Secret::new(planted.number("secret number of a form"))),
            file,
            ..Form::default()
        };
        request::<SendForm>(&client, form(None)).await.unwrap();
        let file = Upload::from(planted.text("file").into_bytes());
        request::<SendParts>(&client, form(Some(file))).await.unwrap();
    }
    recorder.flush();
    let text = memory.text();
    let count = planted.0.lock().unwrap().len();
    (count, planted.found_in(&text), text)
}

#[tokio::test]
async fn no_planted_secret_is_in_the_file() {
    let (count, found, text) = run().await;
    assert!(count >= 200, "{count}");
    assert!(found.is_empty(), "{found:#?}");
    assert!(!text.contains("cl1ent") && text.lines().count() > 40, "{}", text.lines().count());
    assert!(text.contains("KIND_USER") && !text.contains("access_token"));
}
