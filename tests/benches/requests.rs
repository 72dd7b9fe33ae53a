//! The cost of building a request and encoding its body: all work before the first byte is sent.
//!
//! `cargo bench -p benches --bench requests`
//!
//! `send()` encodes, and returns a future that is dropped here before it does anything.

#![allow(clippy::expect_used, reason = "a benchmark without a client measures nothing")]
#![allow(deprecated, reason = "a document may deprecate what this calls")]

use access_governance::models::{
    PersonalClientUpdate, PrivateKeyJwtAuthentication, SsoClientAuthentication, SsoClientUpdate,
    TaskExpandMask, TaskExpandPath,
};
use access_governance::{Client, Map, Timestamp};
use divan::{AllocProfiler, Bencher, black_box};

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

fn client() -> Client {
    Client::builder("https://tenant.example.com").bearer_token("token").build().expect("a client")
}

/// A path of one parameter, and no body.
#[divan::bench]
fn get(bencher: Bencher<'_, '_>) {
    let automations = client().automations();
    bencher.bench_local(|| automations.get(black_box("automation-1")).send());
}

/// A path of two parameters, and a query.
#[divan::bench]
fn list(bencher: Bencher<'_, '_>) {
    let owners = client().entitlement_owners();
    bencher.bench_local(|| {
        let list = owners.list(black_box("app-1"), black_box("entitlement-1"));
        list.page_size(50).page_token("b2Zmc2V0PTEwMA").send()
    });
}

/// A path of two parameters, and an empty object as body.
#[divan::bench]
fn post_nothing(bencher: Bencher<'_, '_>) {
    let connectors = client().connectors();
    bencher
        .bench_local(|| connectors.pause_sync(black_box("app-1"), black_box("connector-1")).send());
}

/// A body with a free-form object and a list of enums.
#[divan::bench]
fn post_form(bencher: Bencher<'_, '_>) {
    let tasks = client().tasks();
    bencher.bench_local(|| {
        let form = Map::from_iter([("groupName".to_owned(), black_box("platform").into())]);
        tasks
            .create_resource_action(black_box("create-group"))
            .form_values(form)
            .expand_mask(
                TaskExpandMask::new().paths([TaskExpandPath::AppId, TaskExpandPath::UserId]),
            )
            .send()
    });
}

/// A body with an object that has a union.
#[divan::bench]
fn post_union(bencher: Bencher<'_, '_>) {
    let clients = client().sso_clients();
    bencher.bench_local(|| {
        let keys = PrivateKeyJwtAuthentication::new().public_jwks(black_box(r#"{"keys":[]}"#));
        let configuration = SsoClientUpdate::new()
            .display_name("Time sheets")
            .authentication(SsoClientAuthentication::PrivateKeyJwt(keys));
        clients
            .update(black_box("app-1"), black_box("sso-1"))
            .client_id("client-1")
            .client(configuration)
            .send()
    });
}

/// A body with a time and a list.
#[divan::bench]
fn post_time(bencher: Bencher<'_, '_>) {
    let clients = client().personal_clients();
    let end: Timestamp = "2025-12-31T23:59:59Z".parse().expect("a time");
    bencher.bench_local(|| {
        let changes =
            PersonalClientUpdate::new().expires_time(black_box(end)).scoped_roles(["role-reader"]);
        clients
            .update(black_box("credential-1"))
            .client(changes)
            .update_mask("expiresTime,scopedRoles")
            .send()
    });
}
