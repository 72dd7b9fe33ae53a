//! Blocking calls: outside of a runtime, inside of one, and where they must fail.

use openapi_bindings_runtime::{Attempt, ErrorKind, Interceptor, http};

use crate::paging::three_pages;
use crate::support::api::{create, get, list};
use crate::support::client;
use crate::support::server::{Server, json};

#[test]
fn a_blocking_call_outside_of_a_tokio_runtime_succeeds() {
    let server = Server::json(r#"{"id":"7"}"#);
    let client = client(server.url()).build().unwrap();
    assert_eq!(get(&client, "7").send_blocking().unwrap()["id"], "7");
    assert_eq!(create(&client).send_raw_blocking().unwrap().status(), 200);
    let threads: Vec<_> = (0..8)
        .map(|_| {
            let client = client.clone();
            std::thread::spawn(move || get(&client, "7").send_blocking().map(drop))
        })
        .collect();
    for thread in threads {
        thread.join().unwrap().unwrap();
    }
    assert_eq!(server.seen().len(), 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_blocking_call_in_a_multi_threaded_runtime_succeeds() {
    let server = Server::new(|number, _| json(if number == 1 { 503 } else { 200 }, "{}"));
    let client = client(server.url()).build().unwrap();
    // The connection of this call belongs to the runtime whose only worker the next one blocks.
    get(&client, "7").await.unwrap();
    get(&client, "7").send_blocking().unwrap();
    let in_the_pool = client.clone();
    tokio::task::spawn_blocking(move || get(&in_the_pool, "7").send_blocking())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(server.seen().len(), 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_blocking_call_in_a_task_or_local_set_succeeds() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    let in_a_task = client.clone();
    tokio::spawn(async move { get(&in_a_task, "7").send_blocking() }).await.unwrap().unwrap();
    let set = tokio::task::LocalSet::new();
    let in_a_local_task = client.clone();
    let task = set.spawn_local(async move { get(&in_a_local_task, "7").send_blocking() });
    set.run_until(async {
        task.await.unwrap().unwrap();
        get(&client, "7").send_blocking().unwrap();
        create(&client).send_raw_blocking().unwrap();
    })
    .await;
    assert_eq!(server.seen().len(), 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_panic_during_a_blocking_call_is_an_error() {
    struct Panicking;
    impl Interceptor for Panicking {
        fn after(&self, _: &Attempt, _: http::StatusCode, _: &http::HeaderMap) {
            panic!("on purpose");
        }
    }
    let server = Server::json("{}");
    let builder = client(server.url()).interceptor(Panicking);
    let error = get(&builder.build().unwrap(), "7").send_blocking().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Interrupted);
    assert!(error.to_string().contains("the call panicked"), "{error}");
}

#[tokio::test]
async fn a_blocking_call_next_to_a_single_threaded_runtime_succeeds() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    // The connection of this call belongs to the runtime that keeps running.
    get(&client, "7").await.unwrap();
    let calling = client.clone();
    let call = move || get(&calling, "7").send_blocking();
    tokio::task::spawn_blocking(call).await.unwrap().unwrap();
    assert_eq!(server.seen().len(), 2);
}

#[test]
fn a_blocking_call_with_an_idle_runtime_succeeds() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let _entered = runtime.enter();
    get(&client, "7").send_blocking().unwrap();
}

#[tokio::test]
async fn a_blocking_call_on_a_single_threaded_runtime_is_an_error() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    let error = get(&client, "7").send_blocking().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Blocking);
    assert!(error.to_string().contains("`.await` it instead"), "{error}");
    let set = tokio::task::LocalSet::new();
    let error = set.run_until(async { get(&client, "7").send_blocking() }).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Blocking);
    assert!(server.seen().is_empty());
}

/// A loop over all elements ends on a thread that must not wait for them.
#[test]
fn refused_blocking_lists_continue_on_another_thread() {
    let (_, client) = three_pages();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut items = list(&client).items_blocking();
    let mut pages = list(&client).pages_blocking();
    for _ in 0..2 {
        let refused = runtime.block_on(async {
            [
                items.by_ref().map(|it| it.map(drop)).collect::<Vec<_>>(),
                pages.by_ref().map(|it| it.map(drop)).collect(),
            ]
        });
        for refused in refused {
            let [Err(error)] = refused.as_slice() else { panic!("{refused:?}") };
            assert_eq!(error.kind(), ErrorKind::Blocking);
        }
        assert_eq!(items.next().unwrap().unwrap(), 1);
        assert!(pages.next().unwrap().is_ok());
        items = list(&client).items_blocking();
    }
}
