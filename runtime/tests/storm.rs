//! Many calls at once to a server that fails every fifth time, in every way it can.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use access_governance_runtime::Error;
use tokio::task::JoinSet;

use crate::support::api::{create, get};
use crate::support::clock::{TIMER, TestClock};
use crate::support::server::{Server, failure, json, refusal};
use crate::support::{client, timed};

#[tokio::test]
async fn no_post_is_executed_twice() {
    let executions = Arc::new(Mutex::new(BTreeMap::<String, usize>::new()));
    let executed = Arc::clone(&executions);
    let server = Server::new(move |number, seen| {
        if seen.target == "/token" {
            return json(200, &format!(r#"{{"access_token":"t{number}","expires_in":3600}}"#));
        }
        if let Some(refusal) = refusal(number) {
            return refusal;
        }
        *executed.lock().unwrap().entry(seen.target.clone()).or_default() += 1;
        failure(number).unwrap_or_else(|| json(200, r#"{"id":"7"}"#))
    });
    let builder = client(server.url()).client_credentials("/token", "me", "secret");
    let builder = timed(builder, &TestClock::new()).total_timeout(TIMER * 1_000);
    let client = builder.build().unwrap();

    let (mut succeeded, mut retried) = (0, 0);
    for round in 0..25 {
        let mut calls = JoinSet::<Result<u32, Error>>::new();
        for number in 0..32 {
            let (client, name) = (client.clone(), format!("{round}-{number}"));
            calls.spawn(async move {
                if number % 2 == 0 {
                    return Ok(get(&client, &name).send_raw().await?.attempts());
                }
                Ok(create(&client).with_query("name", name).send_raw().await?.attempts())
            });
        }
        for attempts in calls.join_all().await.into_iter().flatten() {
            succeeded += 1;
            retried += u32::from(attempts > 1);
        }
    }
    assert!(succeeded > 600 && retried > 50, "{succeeded} calls succeeded, {retried} with retries");
    let executions = executions.lock().unwrap();
    let posts: Vec<_> = executions.iter().filter(|(target, _)| target.contains("name=")).collect();
    assert!(posts.len() > 350, "{} POSTs were executed", posts.len());
    assert!(posts.iter().all(|(_, times)| **times == 1), "{posts:?}");
}
