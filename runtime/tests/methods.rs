//! The methods of OpenAPI 3.2: `QUERY`, and those of `additionalOperations`.

use openapi_bindings_runtime::{Map, internal};
use serde_json::json;

use crate::support::api::{CreatePet, delete, list, operation, request};
use crate::support::clock::TestClock;
use crate::support::server::{Seen, Server, json};
use crate::support::{client, timed};

operation!(QueryPets, "pets.query", QUERY, "/api/v1/pets", Map => Map);
operation!(CopyPets, "pets.copy", COPY, "/api/v1/pets", Map => Map);
operation!(PutPets, "pets.put", PUT, "/api/v1/pets", Map => Map);
operation!(PatchPets, "pets.patch", PATCH, "/api/v1/pets", Map => Map);
operation!(LowerPets, "pets.lower", copy, "/api/v1/pets", Map => Map);

fn filter() -> Map {
    Map::from_iter([("name".to_owned(), json!("Rex"))])
}

#[tokio::test]
async fn any_method_is_sent_as_it_is_written() {
    let server = Server::json(r#"{"id":"7"}"#);
    let client = client(server.url()).build().unwrap();
    let pets = request::<QueryPets>(&client, Some(filter())).await.unwrap();
    assert_eq!(pets["id"], "7");
    request::<CopyPets>(&client, Some(filter())).await.unwrap();
    request::<LowerPets>(&client, None).await.unwrap();
    let seen = server.seen();
    let sent: Vec<_> = seen
        .iter()
        .map(|request| (request.method.as_str(), request.target.as_str(), request.body.as_str()))
        .collect();
    let body = r#"{"name":"Rex"}"#;
    let pets = "/api/v1/pets";
    assert_eq!(sent, [("QUERY", pets, body), ("COPY", pets, body), ("copy", pets, "")]);
}

/// Servers may require the length of a request that can have content (RFC 9110, section 15.5.12).
#[tokio::test]
async fn the_length_of_a_body_is_sent_also_if_it_is_zero() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    list(&client).await.unwrap();
    delete(&client, "7").await.unwrap();
    request::<CreatePet>(&client, None).await.unwrap();
    request::<PutPets>(&client, None).await.unwrap();
    request::<PatchPets>(&client, None).await.unwrap();
    request::<QueryPets>(&client, None).await.unwrap();
    let seen = server.take();
    let length = |seen: &Seen| seen.headers.get("content-length").cloned();
    let sent: Vec<_> = seen.iter().map(|seen| (seen.method.as_str(), length(seen))).collect();
    let zero = Some("0".to_owned());
    assert_eq!(
        sent,
        [
            ("GET", None),
            ("DELETE", None),
            ("POST", zero.clone()),
            ("PUT", zero.clone()),
            ("PATCH", zero.clone()),
            ("QUERY", zero),
        ]
    );
    request::<CreatePet>(&client, Some(filter())).await.unwrap();
    assert_eq!(length(&server.only()).as_deref(), Some("14"));
}

#[tokio::test]
async fn a_query_is_retried_and_an_unknown_method_is_not() {
    let clock = TestClock::new();
    let server = Server::new(|_, _| json(503, "{}"));
    let client = timed(client(server.url()), &clock).build().unwrap();
    let error = request::<QueryPets>(&client, Some(filter())).await.unwrap_err();
    assert_eq!(error.attempts(), 4);
    let error = request::<CopyPets>(&client, Some(filter())).await.unwrap_err();
    assert_eq!(error.attempts(), 1);
    assert_eq!(server.seen().len(), 5);
}
