//! Values with the names of secrets, planted at every way in and looked for at every way out. No type says what they are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use openapi_bindings_runtime::internal::{FailingEndpoint, Parameter, Rejection};
use openapi_bindings_runtime::{
    Client, Map, Model as _, TypedObject, UnknownProperties, UnknownUnion, UnknownVariant, Value,
    internal, json,
};

use crate::support::FirstScheme as _;
use crate::support::api::{Request, operation, request_of};
use crate::support::client;
use crate::support::server::{Server, json as reply};

/// What is planted begins with this.
const PLANTED: &str = "pl4nted";

#[derive(Clone, Default)]
pub struct Account {
    name: Option<String>,
    old_password: Option<String>,
    client_secret: Option<String>,
    pin: Option<i64>,
    api_keys: Option<Vec<String>>,
    credential: Option<Box<Account>>,
    policy: Option<String>,
    hint: Option<String>,
    token: Option<String>,
    labels: Option<BTreeMap<String, String>>,
    free: Option<Map>,
    any: Option<Value>,
    typed: Option<TypedObject>,
    variant: Option<Variant>,
    union: Option<Union>,
    unknown: UnknownProperties,
}

internal::object! {
    Account {
        name: "name", old_password: "old_password", client_secret: "clientSecret", pin: "pin",
        api_keys: "api_keys", credential: "credential", policy: "password_policy_id",
        hint: "hint" secret, token: "token" shown, labels: "labels", free: "free", any: "any",
        typed: "typed", variant: "variant", union: "union",
    }
    unknown
}

#[derive(Clone, Default)]
pub struct Viewed {
    name: Option<String>,
    unknown: UnknownProperties,
}

internal::object! { Viewed { name: "name" } unknown }

#[derive(Clone)]
pub enum Variant {
    Account(Box<Account>),
    Unknown(UnknownVariant),
}

internal::choice! { Variant { Account } object => tag "kind" { "account" => Account, }, }

#[derive(Clone)]
pub enum Union {
    ApiKey(String),
    Account(Box<Account>),
    Unknown(UnknownUnion),
}

internal::union! { Union { ApiKey = "api_key", Account = "account" } }

/// Returns the ways in, each a body with a planted value.
fn bodies() -> Vec<(&'static str, Value)> {
    let secret = |name: &str| json!({ name: format!("{PLANTED}-{name}") });
    vec![
        ("a described property", secret("old_password")),
        ("another spelling", secret("clientSecret")),
        ("a number", json!({"pin": 471_147_114_711_i64})),
        ("a list", json!({"api_keys": ["pl4nted-1", "pl4nted-2"]})),
        (
            "below a name",
            json!({"credential": {"name": "pl4nted-name", "pin": 471_147_114_711_i64}}),
        ),
        ("a mark", secret("hint")),
        ("an undescribed property", secret("access_token")),
        ("an undescribed object", json!({"secrets": {"a": ["pl4nted-a"]}})),
        ("a nested undescribed property", json!({"more": [{"private_key": "pl4nted-key"}]})),
        (
            "a value that its field cannot hold",
            json!({"labels": {"a": "b"}, "pin": 1.5, "passphrase": "pl4nted-x"}),
        ),
        ("a map", json!({"labels": {"X-Api-Key": "pl4nted-map"}})),
        ("a free-form object", json!({"free": {"session_token": "pl4nted-free"}})),
        ("any value", json!({"any": [{"mfa_code": "pl4nted-any"}]})),
        ("an object with a type", json!({"typed": {"@type": "x", "password": "pl4nted-typed"}})),
        ("a variant", json!({"variant": {"kind": "account", "old_password": "pl4nted-variant"}})),
        ("an unknown variant", json!({"variant": {"kind": "new", "password": "pl4nted-new"}})),
        ("a union", json!({"union": {"api_key": "pl4nted-union"}})),
        ("an unknown union", json!({"union": {"password": "pl4nted-unknown"}})),
    ]
}

operation!(Change, "accounts.change", POST, "/accounts/{invite_token}", Value => Account, |call, body| {
    call.json(body)
});

impl FailingEndpoint for Change {
    type Failure = Failure;

    fn failure(reply: &Rejection<'_>) -> Option<Failure> {
        match reply.status() {
            422 => reply.json().map(Failure::Account),
            409 => reply.json().map(Failure::Accounts),
            _ => reply.text().map(Failure::Text),
        }
    }
}

#[derive(Debug)]
pub enum Failure {
    Account(Box<Account>),
    Accounts(Vec<Account>),
    Text(String),
}

operation!(Put, "accounts.put", PUT, "/accounts", Account => Account, |call, body| call.json(body));
operation!(PutAny, "accounts.any", PUT, "/accounts", Map => Account, |call, body| call.json(body));
operation!(Parts, "accounts.parts", PUT, "/accounts", Account => Account, |call, body| {
    call.multipart_body(body, "multipart/form-data", &[])
});
operation!(Form, "accounts.form", PUT, "/accounts", Account => Account, |call, body| {
    call.form_body(body, &[])
});

#[track_caller]
fn assert_withheld(way: &str, text: &str) {
    assert!(!text.contains(PLANTED) && !text.contains("471147114711"), "{way}: {text}");
}

#[tokio::test]
async fn no_way_out_shows_a_value_with_the_name_of_a_secret() {
    let server = Server::new(|_, seen| {
        let sent = seen.body.replace(['"', '\\'], "'");
        reply(
            422,
            &json!({"name": format!("refused: {sent}"), "old_password": "pl4nted-own"}).to_string(),
        )
    });
    let client = client(server.url()).build().unwrap();
    for (way, body) in bodies() {
        let account = Account::from_json(body.to_string().as_bytes()).unwrap();
        assert_withheld(way, &format!("{account:?} {account:#?}"));
        assert!(format!("{account:?}").contains("[redacted]"), "{way}: {account:?}");
        let request = request_of::<Put>(internal::call::<Put>(&client), account.clone());
        assert_withheld(way, &format!("{request:?}"));
        let error = request.await.unwrap_err();
        assert_withheld(way, &format!("{error} {error:?}"));
        let form = request_of::<Form>(internal::call::<Form>(&client), account.clone());
        let parts = request_of::<Parts>(internal::call::<Parts>(&client), account);
        for error in [form.await, parts.await].into_iter().filter_map(Result::err) {
            assert_withheld(way, &format!("{error} {error:?}"));
        }
        let map = body.as_object().cloned().unwrap();
        let request = request_of::<PutAny>(internal::call::<PutAny>(&client), map);
        // Names of the type's marks are not those of the body.
        if way != "a mark" {
            assert_withheld(way, &format!("{request:?}"));
            let error = request.await.unwrap_err();
            assert_withheld(way, &format!("{error} {error:?}"));
        }
    }
}

#[test]
fn a_value_that_is_set_in_place_of_a_described_one_is_withheld() {
    let mut account = Account::default();
    account.set_unknown("hint", "pl4nted");
    account.set_unknown("new_password", "pl4nted");
    account.set_unknown("note", "shown");
    let shown = format!("{account:?}");
    assert_withheld("set_unknown", &shown);
    assert!(shown.contains(r#""note": "shown""#), "{shown}");
}

#[test]
fn what_names_no_secret_or_is_marked_as_shown_is_shown() {
    let body = json!({"password_policy_id": "policy-7", "token": "next-page", "name": "ann", "token_count": 7, "secret": true});
    let account = Account::from_json(body.to_string().as_bytes()).unwrap();
    assert_eq!(
        format!("{account:?}"),
        "Account { name: \"ann\", policy: \"policy-7\", token: \"next-page\", \
         unknown: {\"secret\": true, \"token_count\": 7} }"
    );
}

#[tokio::test]
async fn a_failure_withholds_what_its_error_withholds() {
    let server = Server::new(|_, seen| {
        let sent = format!("refused: {}", seen.headers["authorization"]);
        let account =
            json!({"name": sent, "more": {"sent": sent}, "union": {"account": {"name": sent}}});
        match &*seen.headers["x-status"] {
            "422" => reply(422, &account.to_string()),
            "409" => reply(409, &json!([account]).to_string()),
            _ => crate::support::server::response(500, &[("content-type", "text/plain")], &sent),
        }
    });
    let client = client(server.url()).bearer_token("pl4nted-bearer").build().unwrap();
    for status in ["422", "409", "500"] {
        let call = internal::call::<Change>(&client).path("invite_token", "pl4nted-path");
        let request = request_of::<Change>(call, Value::Null).with_header("x-status", status);
        let error = request.await.unwrap_err();
        let failure = error.failure::<Request<Change>>().unwrap();
        assert_withheld(status, &format!("{error} {error:?} {failure:?} {failure:#?}"));
        assert!(format!("{failure:?}").contains("refused: Bearer [redacted]"), "{failure:?}");
        // The values are what was received, but for a text as a whole.
        let (name, expected) = match &failure {
            Failure::Account(account) => {
                (account.name.as_deref(), "refused: Bearer pl4nted-bearer")
            }
            Failure::Accounts(list) => (list[0].name.as_deref(), "refused: Bearer pl4nted-bearer"),
            Failure::Text(text) => (Some(text.as_str()), "refused: Bearer [redacted]"),
        };
        assert_eq!(name, Some(expected));
        if let Failure::Account(account) = &failure {
            let viewed: Viewed = account.view().unwrap();
            assert_withheld("view", &format!("{viewed:?}"));
        }
    }
}

#[test]
fn another_type_shows_no_secret_of_the_type_that_describes_it() {
    let body = json!({"hint": "pl4nted-hint", "name": "is it pl4nted-hint?"});
    let account = Account::from_json(body.to_string().as_bytes()).unwrap();
    let viewed: Viewed = account.view().unwrap();
    assert_withheld("view", &format!("{viewed:?}"));
    assert_eq!(viewed.to_json(), account.to_json());
}

#[tokio::test]
async fn parameters_with_the_names_of_secrets_are_withheld() {
    let server = Server::new(|_, seen| {
        let sent = format!("{} {:?}", seen.target, seen.headers).replace(['"', '\\'], "'");
        reply(400, &json!({"message": sent}).to_string())
    });
    let client = client(server.url()).build().unwrap();
    let call = internal::call::<Change>(&client)
        .path("invite_token", "pl4nted-path")
        .text(Parameter::query("otp"), "pl4nted-query")
        .text(Parameter::header("X-Api-Key"), "pl4nted-header")
        .text(Parameter::cookie("session"), "pl4nted-cookie");
    let request =
        request_of::<Change>(call, Value::Null).with_query("user[password]", "pl4nted-deep");
    assert_withheld("request", &format!("{request:?}"));
    let error = request.await.unwrap_err();
    assert_withheld("error", &format!("{error} {error:?}"));
    let styled =
        internal::call::<Change>(&client).text(Parameter::path("invite_token"), "pl4nted-path");
    let error = request_of::<Change>(styled, Value::Null).await.unwrap_err();
    assert_withheld("a style", &format!("{error} {error:?}"));
}

#[tokio::test]
async fn errors_do_not_show_secrets_that_only_a_server_knows() {
    let server =
        Server::new(|_, _| reply(500, r#"{"state":"broken","debug":[{"db_password":"pl4nted"}]}"#));
    let client = client(server.url()).build().unwrap();
    let error =
        request_of::<Put>(internal::call::<Put>(&client), Account::default()).await.unwrap_err();
    assert_withheld("error", &format!("{error} {error:?}"));
    assert!(error.to_string().contains(r#""state":"broken""#), "{error}");
}

#[tokio::test]
async fn reports_of_drift_do_not_show_secrets() {
    let server =
        Server::new(|_, _| reply(200, r#"{"any":{"token":123456789012345678901234567890}}"#));
    let reports = Arc::new(Mutex::new(String::new()));
    let seen = Arc::clone(&reports);
    let client: Client = client(server.url())
        .on_drift(move |report| *seen.lock().unwrap() = format!("{report} {report:?}"))
        .build()
        .unwrap();
    request_of::<Put>(internal::call::<Put>(&client), Account::default()).await.unwrap();
    let reports = reports.lock().unwrap();
    assert!(reports.contains("any"), "{reports}");
    assert!(!reports.contains("1234567"), "{reports}");
}
