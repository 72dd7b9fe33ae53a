//! Recordings of all operations: what `drift` finds in them, and what a replay answers.

use std::fs;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use access_governance::models::TaskExpandPath;
use access_governance::runtime::Recorder;
use access_governance::runtime::testing::Replay;
use access_governance::{Client, ErrorKind};
use codegen::Source;
use codegen::diagnostics::Diagnostics;
use tests::{Server, Tenant};
use traffic::Description;

use crate::every;

/// A file in memory.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Calls every operation, and returns the identifiers with the outcomes.
async fn outcomes(client: &Client) -> Vec<(&'static str, Result<(), (ErrorKind, Option<u16>)>)> {
    let mut outcomes = Vec::new();
    for operation in every::operations(client) {
        let outcome = operation.call.await.map(drop);
        outcomes.push((operation.id, outcome.map_err(|error| (error.kind(), error.status()))));
    }
    outcomes
}

/// Returns the recording of a tenant, and the outcomes of the calls.
async fn record(
    tenant: Tenant,
) -> (String, Vec<(&'static str, Result<(), (ErrorKind, Option<u16>)>)>) {
    let server = Server::new(move |_, request| tenant.answer(request));
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone());
    let client = Client::builder(server.url()).client_credentials("/oauth/token", "id", "secret");
    let outcomes = outcomes(&client.record(recorder.clone()).build().unwrap()).await;
    recorder.flush();
    let text = String::from_utf8(memory.0.lock().unwrap().clone()).unwrap();
    (text, outcomes)
}

/// Returns the replay of a recording.
fn replay(traffic: &[u8]) -> Replay {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("recording-{}-{number}", std::process::id()));
    fs::write(&path, traffic).unwrap();
    let replay = Replay::from_file(&path).unwrap();
    fs::remove_file(path).unwrap();
    replay
}

/// Returns what the spec does not describe, with the number of exchanges.
fn findings(traffic: &str) -> (u64, Vec<(&'static str, String)>) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/openapi.yaml");
    let text = fs::read_to_string(path).unwrap();
    let mut diagnostics = Diagnostics::new();
    let source = Source { name: "openapi.yaml".to_owned(), text };
    let description = Description::read(&source, &mut diagnostics).unwrap();
    let mut check = description.check(&[]);
    for line in traffic.lines() {
        check.entry(line).unwrap();
    }
    let findings = check.findings(1);
    let mut all: Vec<_> = findings.all.into_iter().map(|it| (it.code, it.message)).collect();
    // The arguments refer to objects that do not exist, and the spec describes no errors.
    all.retain(|(_, message)| !message.contains("status 404"));
    all.sort();
    (findings.counts.exchanges, all)
}

#[tokio::test]
async fn a_replay_has_related_objects() {
    let approvers = async |client: Client| {
        let request = client.tasks().create_resource_action("create-group");
        let reply = request.expand([TaskExpandPath::ApproverIds]).await.unwrap();
        reply.approvers().map(|it| it.type_url().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let tenant = Tenant::default();
    let server = Server::new(move |_, request| tenant.answer(request));
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone());
    let client = Client::builder(server.url()).bearer_token("long-s3cr3t");
    let original = approvers(client.record(recorder.clone()).build().unwrap()).await;
    recorder.flush();
    let replay = replay(&memory.0.lock().unwrap());
    let client = Client::builder("https://tenant.test").bearer_token("any").transport(replay);
    assert_eq!(original.len(), 2);
    assert_eq!(approvers(client.build().unwrap()).await, original);
}

#[tokio::test]
async fn placeholders_are_no_drift() {
    let (traffic, outcomes) = record(Tenant::default()).await;
    let (exchanges, findings) = findings(&traffic);
    assert_eq!((usize::try_from(exchanges).unwrap(), findings), (outcomes.len(), vec![]));
}

#[tokio::test]
async fn drift_is_found_in_recordings() {
    let (traffic, _) = record(Tenant::drifting()).await;
    let (_, findings) = findings(&traffic);
    let shown: Vec<_> = findings.iter().map(|(code, text)| format!("{code}: {text}")).collect();
    assert_eq!(
        shown,
        [
            "other-kind: `Webhook.callbackTimeout` is of the type `integer`",
            "unknown-property: `riskScore` is not a property of `Task`",
            "unknown-status: `POST /api/v1/apps/{app_id}/connectors/{connector_id}/pause` does not declare the status 409",
            "unknown-value: \"TASK_ORIGIN_AGENT\" is not a value of `TaskOrigin`",
        ]
    );
}

#[tokio::test]
async fn a_replay_of_all_operations_has_the_same_outcomes() {
    let (traffic, recorded) = record(Tenant::default()).await;
    let replay = replay(traffic.as_bytes());
    let client = Client::builder("https://tenant.test").bearer_token("any").strict();
    assert_eq!(outcomes(&client.transport(replay.clone()).build().unwrap()).await, recorded);
    replay.verify();
}
