//! Clients that begin with the settings of another one, and builders that are cloned.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use openapi_bindings_runtime::internal::{Place, Scheme, Service};
use openapi_bindings_runtime::{
    Attempt, BoxError, BoxFuture, Client, ClientBuilder, ClientCredentials, ErrorKind, Interceptor,
    RequestBody, ReqwestTransport, RetryBudget, TokenSource, http, reqwest,
};
use tokio::task::JoinSet;

use crate::support::FirstScheme as _;
use crate::support::api::{SERVICE, create, get, get_with};
use crate::support::clock::TestClock;
use crate::support::server::{Seen, Server, json};
use crate::support::tls::{Authority, tls};
use crate::support::{Before, client, timed};

/// Begins a client with the settings of another one.
fn like(client: &Client) -> ClientBuilder<Client> {
    client.to_builder()
}

/// A server that gives tokens, and the number of its connections.
fn counting() -> (Server, Arc<AtomicUsize>) {
    let connections = Arc::<AtomicUsize>::default();
    let count = Arc::clone(&connections);
    let open = move |stream| {
        count.fetch_add(1, Ordering::Relaxed);
        stream
    };
    let script = |number, seen: &Seen| match seen.target.as_str() {
        "/token" => json(200, &format!(r#"{{"access_token":"t{number}","expires_in":3600}}"#)),
        _ => json(200, "{}"),
    };
    (Server::over(open, script), connections)
}

fn tokens(server: &Server) -> usize {
    server.seen().iter().filter(|seen| seen.target == "/token").count()
}

/// A source of tokens that a program chooses at run time.
fn source() -> Arc<dyn TokenSource> {
    Arc::new(ClientCredentials::new("/token", "me", "cl1ent-s3cr3t"))
}

#[tokio::test]
async fn clients_share_a_connection_and_the_tokens_of_one_refresh() {
    let (server, connections) = counting();
    let first = client(server.url()).token_source(source()).build().unwrap();
    let second = like(&first)
        .base_url(server.url() + "/tenant-b")
        .timeout(Duration::from_secs(5))
        .default_header("x-tenant", "b")
        .build()
        .unwrap();
    get(&first, "7").await.unwrap();
    get(&second, "7").await.unwrap();
    assert_eq!(connections.load(Ordering::Relaxed), 1);
    let seen = server.take();
    let of = |name: &str| -> Vec<_> {
        seen.iter().map(|seen| seen.headers.get(name).map(String::as_str)).collect()
    };
    let targets: Vec<_> = seen.iter().map(|seen| seen.target.as_str()).collect();
    assert_eq!(targets, ["/token", "/api/v1/pets/7", "/tenant-b/api/v1/pets/7"]);
    assert_eq!(of("authorization"), [None, Some("Bearer t0"), Some("Bearer t0")]);
    assert_eq!(of("x-tenant"), [None, None, Some("b")]);
}

#[tokio::test]
async fn however_many_callers_of_two_clients_wait_there_is_one_refresh() {
    let (server, _) = counting();
    let first = client(server.url()).token_source(source()).build().unwrap();
    let second = like(&first).build().unwrap();
    let mut calls = JoinSet::new();
    for client in std::iter::repeat_n([first, second], 50).flatten() {
        calls.spawn(async move { get(&client, "7").await.map(drop) });
    }
    calls.join_all().await.into_iter().for_each(Result::unwrap);
    assert_eq!((server.seen().len(), tokens(&server)), (101, 1));
}

/// Each has its own tokens: they may differ in the base URL and the headers.
#[tokio::test]
async fn other_clients_share_a_source() {
    let (one, other) = (counting().0, counting().0);
    let source = source();
    let builder = client(one.url()).token_source(Arc::clone(&source));
    for client in [builder.clone(), builder.base_url(other.url())] {
        get(&client.build().unwrap(), "7").await.unwrap();
    }
    assert_eq!((tokens(&one), tokens(&other)), (1, 1));
    let lines: Vec<_> = other.seen().iter().map(Seen::line).collect();
    assert_eq!(lines, ["POST /token", "GET /api/v1/pets/7"]);
}

/// Returns an interceptor that signs requests.
fn adds(name: &'static str) -> impl Interceptor {
    Before(move |request: &mut http::Request<RequestBody>| {
        request.headers_mut().insert(name, http::HeaderValue::from_static("s1gned"));
        Ok(())
    })
}

#[tokio::test]
async fn no_secret_of_a_client_is_sent_to_another_origin() {
    let (home, _) = counting();
    let elsewhere = Server::json("{}");
    let first = client(home.url())
        .token_source(source())
        .default_header("x-api-key", "hunter2")
        .interceptor(adds("x-signature"))
        .user_agent("inventory/2.1")
        .build()
        .unwrap();
    get(&first, "7").await.unwrap();
    let moved = like(&first).base_url(elsewhere.url()).build().unwrap();
    assert_eq!(moved.credentials(), None);
    let error = get_with(&moved, &[&[0]]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Auth);
    assert!(elsewhere.seen().is_empty());
    get(&moved, "7").await.unwrap();
    let own = like(&first).bearer_token("0wn-token").base_url(elsewhere.url());
    let own = own.interceptor(adds("x-own"));
    get(&own.default_header("x-api-key", "own").build().unwrap(), "7").await.unwrap();
    // It has them again at the origin of the first one.
    let back = like(&first).base_url(elsewhere.url()).base_url(home.url()).build().unwrap();
    get(&back, "7").await.unwrap();
    let headers = |seen: &Seen| {
        let names = ["authorization", "x-api-key", "x-signature", "x-own", "user-agent"];
        names.map(|name| seen.headers.get(name).cloned().unwrap_or_default())
    };
    let agent = "inventory/2.1 pets/1.2.3";
    let seen: Vec<_> = elsewhere.seen().iter().map(headers).collect();
    assert_eq!(seen, [["", "", "", "", agent], ["Bearer 0wn-token", "own", "", "s1gned", agent]]);
    let last = home.seen().iter().map(headers).next_back().unwrap();
    assert_eq!(last, ["Bearer t0", "hunter2", "s1gned", "", agent]);
    assert_eq!(tokens(&home), 1);
}

#[tokio::test]
async fn credentials_that_are_set_again_replace_the_shared_ones() {
    let (server, _) = counting();
    let first = client(server.url()).token_source(source()).build().unwrap();
    let other = like(&first).bearer_token("0wn-token").build().unwrap();
    get(&other, "7").await.unwrap();
    // Those of one call need no other client.
    get(&first, "7").with_header("authorization", "Bearer 0nce").await.unwrap();
    let seen = server.take();
    assert_eq!(seen[0].headers["authorization"], "Bearer 0wn-token");
    assert_eq!(seen[1].headers["authorization"], "Bearer 0nce");
    assert_eq!(seen.len(), 2);
}

#[tokio::test]
async fn credentials_replace_those_of_other_schemes_and_a_header_in_their_place() {
    let key = Scheme { place: Place::Header("x-api-key"), ..Scheme::BEARER };
    let schemes = Vec::leak(vec![Scheme::BEARER, key]);
    let service = Box::leak(Box::new(Service { schemes, ..SERVICE }));
    let server = Server::json("{}");
    let token = || ClientBuilder::<Client>::new(service, server.url()).bearer_token("f1rst-token");
    let tenant = token().default_header("x-tenant", "a");
    let header = tenant.clone().default_header("authorization", "Bearer f1rst-header");
    for (first, scheme, expected) in [
        (tenant, 1, ["", "0wn", "a"]),
        (header, 0, ["Bearer 0wn", "", "a"]),
        (token().credential(1, "f1rst-key"), 0, ["Bearer 0wn", "", ""]),
    ] {
        let own = like(&first.build().unwrap()).credential(scheme, "0wn").build().unwrap();
        get_with(&own, &[&[0], &[1], &[0, 1]]).await.unwrap();
        let seen = server.take().remove(0);
        let names = ["authorization", "x-api-key", "x-tenant"];
        let sent = names.map(|name| seen.headers.get(name).map_or("", String::as_str));
        assert_eq!(sent, expected);
    }
}

#[tokio::test]
async fn a_client_certificate_is_not_used_at_another_origin() {
    let authority = Authority::new();
    let known = || {
        let script = |_, _: &Seen| json(200, "{}");
        let server = Server::over(tls(authority.server_for_known_clients()), script);
        (server.url().replace("http://127.0.0.1", "https://localhost"), server)
    };
    let [(home, _one), (elsewhere, _other)] = [known(), known()];
    let identity = authority.identity();
    let first = client(home).add_root_certificate(authority.pem()).identity(identity.clone());
    let first = first.build().unwrap();
    let moved = like(&first).base_url(elsewhere);
    for (builder, is_known) in [
        (like(&first), true),
        (like(&first).no_proxy(), true),
        (moved.clone(), false),
        (moved.clone().no_proxy(), false),
        (moved.identity(identity), true),
    ] {
        assert_eq!(get(&builder.build().unwrap(), "7").await.is_ok(), is_known);
    }
}

/// Those of its parent were for another transport.
#[tokio::test]
async fn a_transport_takes_the_place_of_inherited_options_of_connections() {
    let server = Server::json("{}");
    let first = client(server.url()).no_proxy().build().unwrap();
    let own = reqwest::client_builder().unwrap().build().unwrap();
    let builder = like(&first).transport(ReqwestTransport::without_redirects(own));
    get(&builder.clone().build().unwrap(), "7").await.unwrap();
    assert!(builder.no_proxy().build().unwrap_err().to_string().contains("`no_proxy`"));
}

#[tokio::test]
async fn clients_share_the_retry_budget_unless_one_has_its_own() {
    let server = Server::new(|_, _| json(503, "{}"));
    let budget = RetryBudget::new(5, 1);
    let builder = timed(client(server.url()), &TestClock::new()).retry_budget(budget.clone());
    let first = builder.build().unwrap();
    get(&like(&first).build().unwrap(), "7").await.unwrap_err();
    assert_eq!(budget.retries_left(), 2);
    let own = like(&first).retry_budget(RetryBudget::standard()).build().unwrap();
    get(&own, "7").await.unwrap_err();
    assert_eq!(budget.retries_left(), 2);
}

#[tokio::test]
async fn options_of_connections_need_connections_of_their_own() {
    let (server, connections) = counting();
    let first = client(server.url()).build().unwrap();
    get(&first, "7").await.unwrap();
    for (builder, expected) in [
        (like(&first), 1),
        (like(&first).no_proxy(), 2),
        (like(&first).connect_timeout(Duration::from_secs(5)), 3),
        (client(server.url()), 4),
    ] {
        get(&builder.build().unwrap(), "7").await.unwrap();
        assert_eq!(connections.load(Ordering::Relaxed), expected);
    }
}

/// Records the numbers of calls.
#[derive(Clone, Default)]
struct Numbers(Arc<Mutex<BTreeSet<u64>>>);

impl Interceptor for Numbers {
    fn before<'a>(
        &'a self,
        attempt: &'a Attempt,
        _: &'a mut http::Request<RequestBody>,
    ) -> BoxFuture<'a, Result<(), BoxError>> {
        self.0.lock().unwrap().insert(attempt.call);
        Box::pin(async { Ok(()) })
    }
}

#[tokio::test]
async fn a_shared_interceptor_tells_the_calls_of_the_clients_apart() {
    let server = Server::json("{}");
    let numbers = Numbers::default();
    let first = client(server.url()).interceptor(numbers.clone()).build().unwrap();
    let second = like(&first).build().unwrap();
    for client in [&first, &second, &first] {
        create(client).await.unwrap();
    }
    assert_eq!(*numbers.0.lock().unwrap(), BTreeSet::from([1, 2, 3]));
}
