//! Operations with servers of their own are sent there only if the user accepts it.

use openapi_bindings_runtime::internal::{
    OwnServer, Place, Scheme, ServerUrl, Service, call, filled, server,
};
use openapi_bindings_runtime::{Client, ClientBuilder, ClientCredentials, ErrorKind, RetryPolicy};

use crate::support::api::{OrderPet, get_at, request_of};
use crate::support::clock::TestClock;
use crate::support::server::{Server, json, response};
use crate::support::timed;

static SERVICE: Service = Service {
    package: "pets",
    version: "1.2.3",
    env_prefix: "PETS",
    request_id: None,
    schemes: &[Scheme {
        method: "api_key",
        variable: "API_KEY",
        place: Place::Header("x-api-key"),
        client_credentials: None,
        scope: "",
    }],
    security: &[&[0]],
    servers: &[
        OwnServer { name: "Photos", variable: "SERVER_PHOTOS", url: "https://photos.pets.example" },
        OwnServer { name: "Files", variable: "SERVER_FILES", url: "/files/" },
    ],
};

const PHOTOS: &[usize] = &[0];
const FILES: &[usize] = &[1];
const EITHER: &[usize] = &[0, 1];

#[derive(Clone, Debug)]
struct Photos {
    url: ServerUrl,
}

server!(Photos = "https://{region}.photos.pets.example" { "region" = "eu" });

impl openapi_bindings_runtime::Server for Photos {
    const INDEX: usize = 0;
}

fn builder(url: &str) -> ClientBuilder<Client> {
    ClientBuilder::new(&SERVICE, url).credential(0, "k3y").retry(RetryPolicy::never())
}

#[tokio::test]
async fn an_accepted_server_gets_the_call_and_its_credentials() {
    let api = Server::json("{}");
    let photos = Server::json("{}");
    let base_url = format!("{}/api", api.url());
    let client = builder(&base_url).server(Photos::at(photos.url() + "/v2/")).build().unwrap();
    get_at(&client, PHOTOS).await.unwrap();
    get_at(&client, FILES).await.unwrap();
    get_at(&client, EITHER).await.unwrap();
    let seen = photos.seen();
    assert_eq!(seen[0].target, "/v2/api/v1/pets/7");
    assert_eq!(seen[0].headers["x-api-key"], "k3y");
    assert_eq!(seen.len(), 2);
    assert_eq!(api.only().target, "/files/api/v1/pets/7");
}

/// The credentials of a tenant are not sent to the servers of another one.
#[tokio::test]
async fn a_client_like_another_one_has_its_servers_at_its_origin_alone() {
    let [api, other, photos] = [(); 3].map(|()| Server::json("{}"));
    let first = builder(&api.url()).server(Photos::at(photos.url())).build().unwrap();
    let like = || -> ClientBuilder<Client> { first.to_builder() };
    let within = like().base_url(api.url() + "/v2").build().unwrap();
    get_at(&within, PHOTOS).await.unwrap();
    get_at(&within, FILES).await.unwrap();
    assert_eq!(photos.take()[0].headers["x-api-key"], "k3y");
    assert_eq!(api.only().target, "/files/api/v1/pets/7");
    let moved = like().base_url(other.url()).credential(0, "0ther");
    let error = get_at(&moved.clone().build().unwrap(), PHOTOS).await.unwrap_err();
    assert!(error.to_string().contains("accept the server"), "{error}");
    let accepting = moved.server(Photos::at(photos.url())).build().unwrap();
    get_at(&accepting, PHOTOS).await.unwrap();
    assert_eq!(photos.only().headers["x-api-key"], "0ther");
}

#[tokio::test]
async fn a_default_idempotency_key_counts_where_it_is_sent() {
    let answer = || Server::new(|number, _| json(if number == 0 { 500 } else { 200 }, "{}"));
    let (api, photos) = (answer(), answer());
    let client = ClientBuilder::<Client>::new(&SERVICE, api.url())
        .credential(0, "k3y")
        .server(Photos::at(photos.url()))
        .default_header("idempotency-key", "job-1");
    let client = timed(client, &TestClock::new()).build().unwrap();
    for (servers, server, is_default) in [(&[][..], &api, true), (PHOTOS, &photos, false)] {
        let order = call::<OrderPet>(&client).servers(servers);
        request_of::<OrderPet>(order, None).await.unwrap();
        let keys: Vec<_> =
            server.seen().iter().map(|seen| seen.headers["idempotency-key"].clone()).collect();
        let [first, second] = &keys[..] else { panic!("{keys:?}") };
        assert_eq!(first, second);
        assert_eq!(first == "job-1", is_default, "{first}");
    }
}

#[tokio::test]
async fn default_headers_stay_at_the_origin_of_the_base_url() {
    let api = Server::json("{}");
    let photos = Server::json("{}");
    let builder = builder(&api.url())
        .server(Photos::at(photos.url()))
        .default_header("authorization", "Bearer s3cr3t")
        .default_header("x-team", "blue")
        .user_agent("inventory/2.1");
    let client = builder.build().unwrap();
    get_at(&client, FILES).await.unwrap();
    let names = ["authorization", "x-team", "accept", "user-agent"];
    let seen = api.only().headers;
    let values = names.map(|name| seen.get(name).map(String::as_str));
    let agent = Some("inventory/2.1 pets/1.2.3");
    let json = Some("application/json");
    assert_eq!(values, [Some("Bearer s3cr3t"), Some("blue"), json, agent]);
    get_at(&client, PHOTOS).with_header("x-team", "green").await.unwrap();
    let seen = photos.only().headers;
    let values = names.map(|name| seen.get(name).map(String::as_str));
    assert_eq!(values, [None, Some("green"), json, agent]);
}

#[tokio::test]
async fn servers_that_are_not_accepted_get_no_request() {
    let api = Server::json("{}");
    let client = builder(&api.url()).build().unwrap();
    let error = get_at(&client, PHOTOS).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Request);
    let text = error.to_string();
    assert!(text.contains("`servers::Photos` (`https://photos.pets.example`)"), "{text}");
    get_at(&client, EITHER).await.unwrap();
    assert_eq!(api.only().target, "/files/api/v1/pets/7");
}

#[tokio::test]
async fn redirects_and_interceptors_stay_on_the_accepted_server() {
    let api = Server::json("{}");
    let target = api.url();
    let photos = Server::new(move |number, _| match number {
        0 => response(302, &[("location", "/moved")], ""),
        _ => response(302, &[("location", &target)], ""),
    });
    let client = builder(&api.url()).server(Photos::at(photos.url())).build().unwrap();
    let error = get_at(&client, PHOTOS).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Redirect);
    assert_eq!(photos.seen()[1].target, "/moved");
    assert!(api.seen().is_empty());
}

#[test]
fn urls_of_servers_are_checked() {
    for (server, why) in [
        (Photos::at("http://photos.example"), "the URL of the server `Photos` is http"),
        (Photos::at("https://me:hunter2@photos.example"), "contains credentials"),
        (Photos::at("https://{region}.photos.example"), "for its variable `region`"),
        (
            Photos::new().region("evil.test/"),
            "the URL of the server `Photos` has no valid value for its variable `region`",
        ),
        (Photos::new().region("evil.test#"), "it must be a label of a host"),
        (Photos::new().region("e u"), "for its variable `region`"),
    ] {
        let error = builder("https://pets.example").server(server).build().unwrap_err();
        let text = error.to_string();
        assert!(text.contains(why) && !text.contains("hunter2"), "{text}");
    }
    builder("https://pets.example").server(Photos::new().region("us")).build().unwrap();
}

#[test]
fn variables_of_other_urls_cannot_move_them() {
    let hostile = [("tenant", "evil.test/".to_owned())];
    let base_url = builder(&filled("https://{tenant}.pets.example", &hostile));
    let error = base_url.build().unwrap_err().to_string();
    assert!(error.contains("the base URL has no valid value for its variable `tenant`"), "{error}");
    for template in ["https://{tenant}.login.example/token", "/{tenant}/token"] {
        let source = |values| ClientCredentials::new(filled(template, values), "id", "s3cr3t");
        let client = builder("https://pets.example").credential_source(0, source(&hostile));
        let error = client.build().unwrap_err().to_string();
        assert!(
            error.contains("the token URL has no valid value for its variable `tenant`"),
            "{error}"
        );
        let acme = [("tenant", "acme".to_owned())];
        builder("https://pets.example").credential_source(0, source(&acme)).build().unwrap();
    }
}

impl Photos {
    fn region(mut self, region: &str) -> Self {
        self.url.set("region", region, false);
        self
    }
}
