//! Recorders, and replays of what they have written.

mod files;
mod har;
mod planted;
mod related;
mod requests;
mod secrets;
mod untyped;

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use openapi_bindings_runtime::testing::Replay;
use openapi_bindings_runtime::{
    Client, ClientBuilder, ErrorKind, Map, Recorder, RetryPolicy, Secret, Timestamp,
    UnknownProperties, UnknownValue, Value, internal, json,
};

use crate::support::FirstScheme as _;
use crate::support::api::{SERVICE, get, operation, request_of};
use crate::support::clock::TestClock;
use crate::support::server::{Act, Seen, Server, json as reply, response};
use crate::support::timed;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    User,
    Robot,
    Unknown(UnknownValue),
}

internal::open_enum! { Kind { User = "KIND_USER", Robot = "KIND_ROBOT" } }

/// A model with a field of every kind.
#[derive(Clone, Default)]
pub struct Account {
    id: Option<String>,
    kind: Option<Kind>,
    created: Option<Timestamp>,
    count: Option<i64>,
    flag: Option<bool>,
    key: Option<Secret<String>>,
    code: Option<Secret<i64>>,
    labels: Option<Map>,
    owner: Option<Box<Account>>,
    members: Option<Vec<Account>>,
    unknown: UnknownProperties,
}

internal::object! { Account {
    id: "id", kind: "kind", created: "created", count: "count", flag: "flag", key: "key", code: "code", labels: "labels",
    owner: "owner", members: "members",
} unknown }

operation!(GetAccount, "accounts.get", GET, "/api/v1/accounts/{id}", Option<Account> => Account, |call, _body| call);
operation!(PutAccount, "accounts.put", PUT, "/api/v1/accounts/{id}", Account => Account, |call, body| {
    call.json(body)
});

fn get_account(client: &Client, id: &str) -> crate::support::api::Request<GetAccount> {
    request_of(internal::call::<GetAccount>(client).path("id", id), None)
}

fn put_account(
    client: &Client,
    id: &str,
    body: Account,
) -> crate::support::api::Request<PutAccount> {
    request_of(internal::call::<PutAccount>(client).path("id", id), body)
}

/// A file in memory.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Memory {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    fn entries(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Writes the lines to a file, and returns its replay.
    fn replay(&self) -> Replay {
        replay(&self.text())
    }
}

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn replay(text: &str) -> Replay {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("traffic.ndjson");
    std::fs::write(&path, text).unwrap();
    Replay::from_file(&path).unwrap()
}

fn recorded(server: &Server, recorder: &Recorder) -> ClientBuilder<Client> {
    let builder = ClientBuilder::new(&SERVICE, format!("{}/base", server.url()));
    builder.client_credentials("/token", "me", "cl1ent-s3cr3t").record(recorder.clone())
}

/// A client of a replay, at another origin.
fn replayed(replay: &Replay) -> Client {
    let builder = ClientBuilder::new(&SERVICE, "https://other.test/prefix");
    let builder = builder.client_credentials("/token", "me", "other");
    builder.transport(replay.clone()).clock(TestClock::new()).build().unwrap()
}

fn answer(number: usize, seen: &Seen) -> Act {
    match (number, seen.target.as_str()) {
        (_, "/base/token" | "/token") => {
            reply(200, r#"{"access_token":"acc3ss","expires_in":3600}"#)
        }
        (1, _) => response(503, &[("retry-after", "0")], r#"{"message":"try again, Ada"}"#),
        (_, target) if target.ends_with("/moved") => {
            response(302, &[("location", "/base/api/v1/accounts/ada?page=s3cond")], "")
        }
        (_, target) if target.ends_with("/gone") => reply(404, r#"{"message":"no gone","code":5}"#),
        _ => reply(
            200,
            r#"{"id":"ada","kind":"KIND_ROBOT","created":"2024-01-01T00:00:00Z","count":7,"extra":"new"}"#,
        ),
    }
}

async fn calls(client: &Client, id: &str) -> Vec<String> {
    let mut outcomes = Vec::new();
    let show =
        |account: &Account| format!("{:?} {:?} {:?}", account.kind, account.created, account.count);
    outcomes.push(show(&get_account(client, id).with_query("filter", id).await.unwrap()));
    let body = Account {
        id: Some(id.into()),
        kind: Some(Kind::User),
        count: Some(7),
        ..Account::default()
    };
    outcomes.push(show(&put_account(client, id, body).await.unwrap()));
    outcomes.push(show(&get_account(client, "moved").await.unwrap()));
    let error = get_account(client, "gone").await.unwrap_err();
    outcomes.push(format!("{:?} {}", error.kind(), error.attempts()));
    outcomes
}

#[tokio::test]
async fn a_replay_answers_as_the_server_did() {
    let server = Server::new(answer);
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone());
    let client = timed(recorded(&server, &recorder), &TestClock::new()).build().unwrap();
    let outcomes = calls(&client, "ada").await;
    recorder.flush();
    let lines = memory.entries();
    let about = lines.iter().map(|entry| {
        (entry["_operationId"].as_str().unwrap(), entry["response"]["status"].as_u64().unwrap())
    });
    assert_eq!(
        about.collect::<Vec<_>>(),
        [
            ("accounts.get", 503),
            ("accounts.get", 200),
            ("accounts.put", 200),
            ("accounts.get", 302),
            ("accounts.get", 200),
            ("accounts.get", 404),
        ],
        "{}",
        memory.text()
    );

    let replay = memory.replay();
    assert_eq!(calls(&replayed(&replay), "bob").await, outcomes);
    replay.verify();
}

#[tokio::test]
async fn texts_are_placeholders_unless_they_are_enums_or_times() {
    let server = Server::new(|_, seen| match seen.target.as_str() {
        "/base/token" | "/token" => reply(200, r#"{"access_token":"acc3ss","expires_in":3600}"#),
        _ => reply(
            200,
            r#"{"id":"ada","kind":"KIND_NEW","created":"2024-01-01T00:00:00Z","count":7,"flag":true,
            "key":"hunter2","code":1234,"labels":{"ada":"ada"},"extra":{"text":"ada","number":3},"password":77}"#,
        ),
    });
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone());
    let client = recorded(&server, &recorder).build().unwrap();
    let body = Account {
        id: Some("ada".into()),
        kind: Some(Kind::Robot),
        code: Some(Secret::new(1234)),
        ..Account::default()
    };
    put_account(&client, "ada", body).with_query("q", "ada").await.unwrap();
    recorder.flush();

    let entry = &memory.entries()[0];
    let request: Value =
        serde_json::from_str(entry["request"]["postData"]["text"].as_str().unwrap()).unwrap();
    let ada = request["id"].as_str().unwrap();
    assert!(ada.starts_with("redacted-") && ada.len() == 25, "{ada}");
    let code = request["code"].as_str().unwrap();
    assert!(code.starts_with("redacted-") && code != ada, "{code}");
    assert_eq!(request, json!({"id": ada, "kind": "KIND_ROBOT", "code": code}));
    let url = format!("{}/base/api/v1/accounts/{ada}?q={ada}", server.url());
    assert_eq!(entry["request"]["url"], url);
    let response: Value =
        serde_json::from_str(entry["response"]["content"]["text"].as_str().unwrap()).unwrap();
    let key = response["key"].as_str().unwrap();
    assert!(key.starts_with("redacted-"), "{key}");
    assert_eq!(
        response,
        json!({"id": ada, "kind": "KIND_NEW", "created": "2024-01-01T00:00:00Z", "count": 7, "flag": true,
            "key": key, "code": 0, "labels": {ada: ada}, "extra": {"text": ada, "number": 3}, "password": 0})
    );
}

#[tokio::test]
async fn placeholders_of_two_recorders_differ() {
    let server = Server::json(r#"{"id":"ada"}"#);
    let placeholder = async || {
        let memory = Memory::default();
        let recorder = Recorder::to_writer(memory.clone());
        let builder = ClientBuilder::<Client>::new(&SERVICE, server.url()).record(recorder.clone());
        get_account(&builder.allow_anonymous().build().unwrap(), "ada").await.unwrap();
        recorder.flush();
        memory.entries()[0]["request"]["url"].as_str().unwrap().to_owned()
    };
    assert_ne!(placeholder().await, placeholder().await);
}

#[tokio::test]
async fn a_request_that_was_not_recorded_fails_with_the_nearest() {
    let server = Server::new(answer);
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone());
    let client = timed(recorded(&server, &recorder), &TestClock::new()).build().unwrap();
    calls(&client, "ada").await;
    recorder.flush();

    let replay = memory.replay();
    let client = replayed(&replay);
    let body = Account { id: Some("s3cr3t".into()), count: Some(8), ..Account::default() };
    let error =
        put_account(&client, "s3cr3t", body).with_query("extra", "s3cr3t").await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Request, 1));
    let text = error.to_string();
    assert!(
        text.contains(
            "none of the 1 remaining exchanges of `accounts.put` matches the request; of the nearest, in line 3: \
             `/extra` of the query was not recorded; `/count` of the body is not `7`; `/kind` of the body is missing"
        ),
        "{text}"
    );
    assert!(!text.split("line 3").nth(1).unwrap().contains("s3cr3t"), "{text}");
    let error = get(&client, "7").await.unwrap_err();
    assert!(
        error.to_string().contains("the recording has no more exchanges of `pets.get`"),
        "{error}"
    );
}

#[tokio::test]
async fn a_placeholder_stands_for_one_text() {
    let server = Server::json(r#"{"id":"ada"}"#);
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone());
    let builder = ClientBuilder::<Client>::new(&SERVICE, server.url()).record(recorder.clone());
    let client = builder.allow_anonymous().build().unwrap();
    for id in ["ada", "bob", "ada"] {
        get_account(&client, id).await.unwrap();
    }
    recorder.flush();
    let ids = async |ids: [&str; 3]| {
        let client = replayed(&memory.replay());
        let mut found = Vec::new();
        for id in ids {
            found.push(get_account(&client, id).await.is_ok());
        }
        found
    };
    assert_eq!(ids(["x", "y", "x"]).await, [true, true, true]);
    assert_eq!(
        ids(["x", "x", "y"]).await,
        [true, true, true],
        "the order of different requests is free"
    );
    assert_eq!(ids(["x", "x", "x"]).await, [true, true, false]);
    assert_eq!(ids(["x", "y", "z"]).await, [true, true, false]);

    // The texts of responses are the placeholders, which later requests repeat.
    let client = replayed(&memory.replay());
    let id = get_account(&client, "ada").await.unwrap().id.unwrap();
    assert!(id.starts_with("redacted-"), "{id}");
    get_account(&client, &id).await.unwrap();
}

#[tokio::test]
async fn failed_connections_fail_again() {
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone());
    let url = crate::support::server::unused_port();
    let builder = ClientBuilder::<Client>::new(&SERVICE, url).record(recorder.clone());
    let client = builder.allow_anonymous().retry(RetryPolicy::never()).build().unwrap();
    assert_eq!(get_account(&client, "ada").await.err().unwrap().kind(), ErrorKind::Connect);
    recorder.flush();
    let entry = &memory.entries()[0];
    assert_eq!((&entry["_error"], &entry["response"]["status"]), (&json!("connect"), &json!(0)));
    let builder = ClientBuilder::<Client>::new(&SERVICE, "https://other.test");
    let replay = memory.replay();
    let client = builder.allow_anonymous().retry(RetryPolicy::never()).transport(replay.clone());
    let error = get_account(&client.build().unwrap(), "bob").await.err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Connect);
    replay.verify();
}

#[tokio::test]
async fn a_failed_call_is_replayed_attempt_by_attempt() {
    let policy = |attempts| RetryPolicy::standard().with_max_attempts(attempts);
    for has_server in [true, false] {
        let server = Server::new(|_, _| response(503, &[], ""));
        let url = if has_server { server.url() } else { crate::support::server::unused_port() };
        let memory = Memory::default();
        let recorder = Recorder::to_writer(memory.clone());
        let builder = ClientBuilder::<Client>::new(&SERVICE, url).record(recorder.clone());
        let builder = builder.allow_anonymous().retry(policy(3));
        let client = timed(builder, &TestClock::new()).build().unwrap();
        let original = get_account(&client, "ada").await.err().unwrap();
        recorder.flush();
        let replayed = async |attempts| {
            let builder = ClientBuilder::<Client>::new(&SERVICE, "https://other.test");
            let builder = builder.allow_anonymous().retry(policy(attempts));
            let client = timed(builder.transport(memory.replay()), &TestClock::new());
            let client = client.build().unwrap();
            let first = get_account(&client, "ada").await.err().unwrap();
            // The attempts of another operation are others.
            (first, get(&client, "7").await.err().unwrap().to_string())
        };
        let (error, other) = replayed(3).await;
        assert_eq!((error.kind(), error.attempts()), (original.kind(), 3));
        assert!(!other.contains("retry policy"), "{other}");
        let error = replayed(4).await.0.to_string();
        assert!(
            error.contains(
                "no more exchanges of `accounts.get`; replay a failed call with the retry policy of its recording"
            ),
            "{error}"
        );
    }
}

#[tokio::test]
async fn nothing_is_readable_in_a_body_that_its_type_cannot_hold() {
    let server = Server::json(
        r#"[{"id":"ada","kind":"KIND_USER","created":"2024-01-01T00:00:00Z","code":1234,"flag":true}]"#,
    );
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone());
    let builder = ClientBuilder::<Client>::new(&SERVICE, server.url()).record(recorder.clone());
    let client = builder.allow_anonymous().build().unwrap();
    assert_eq!(get_account(&client, "ada").await.err().unwrap().kind(), ErrorKind::Decode);
    recorder.flush();
    let text = memory.entries()[0]["response"]["content"]["text"].as_str().unwrap().to_owned();
    let body: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&body[0]["code"], &body[0]["flag"]), (&json!(0), &json!(false)));
    assert!(!text.contains("KIND_USER") && !text.contains("2024-"), "{text}");
}
