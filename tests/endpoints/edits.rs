//! Edits of the emitted crate, against the fake tenant and against an independent program.

use std::env;
use std::sync::mpsc;

use access_governance::models::{
    AppEntitlement, AppEntitlementRef, PersonalClient, PersonalClientUpdate, User, UserRef,
};
use access_governance::resources::personal_clients::Update;
use access_governance::runtime::testing::{FakeTransport, Reply};
use access_governance::{Client, Edit, ErrorKind, Map, Model, Value};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof};
use proptest::test_runner::TestRunner;
use serde_json::json;

use crate::tenant::client;

async fn credential(client: &Client) -> PersonalClient {
    client.personal_clients().update("credential-1").await.unwrap().client.unwrap()
}

#[tokio::test]
async fn an_edit_changes_only_the_named_properties() {
    let client = client();
    let mut edit = Edit::new(credential(&client).await);
    edit.display_name = Some("Weekly export".into());
    edit.expires_time = None;

    // Another writer changes another property.
    let roles = PersonalClientUpdate::new().scoped_roles(["role-admin"]);
    let other = client.personal_clients().update("credential-1").client(roles);
    other.set_mask([PersonalClientUpdate::SCOPED_ROLES]).await.unwrap();

    let update = client.personal_clients().update("credential-1");
    let reply = update.send_edit(&edit).await.unwrap().unwrap().client.unwrap();
    assert_eq!(reply.display_name.as_deref(), Some("Weekly export"));
    assert_eq!((reply.expires_time, reply.scoped_roles), (None, Some(vec!["role-admin".into()])));
    assert_eq!(reply.allow_source_cidr, edit.original().allow_source_cidr);
}

#[tokio::test]
async fn an_edit_of_an_unchangeable_property_is_refused_by_name() {
    let client = client();
    let mut edit = Edit::new(credential(&client).await);
    edit.user_id = None;
    edit.display_name = None;
    let error = client.personal_clients().update("1").send_edit(&edit).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Request);
    assert!(error.to_string().contains("cannot change the property `userId`"), "{error}");
    assert!(!error.to_string().contains("displayName"), "{error}");
    let unchanged = Edit::new(credential(&client).await);
    assert!(client.personal_clients().update("1").send_edit(&unchanged).await.unwrap().is_none());
}

#[test]
fn references_are_made_of_models() {
    let mut user = User::default();
    user.id = Some("user-1".into());
    assert_eq!(UserRef::from(&user), UserRef::new().id("user-1"));
    let mut entitlement = AppEntitlement::default();
    entitlement.app_id = Some("app-1".into());
    let key = AppEntitlementRef::from(&entitlement);
    let keys = std::collections::HashSet::from([key.clone(), key.clone()]);
    assert_eq!((keys.len(), key.id.as_deref()), (1, None));
}

/// Compares random edits with a mask that is computed from two JSON texts, and merges what is sent into the first to
/// get the second. `EDITS=100000` sets how many.
#[test]
fn masks_equal_those_of_an_independent_program() {
    let fake = FakeTransport::new();
    let (sender, receiver) = mpsc::channel();
    fake.answer::<Update>(move |request| {
        sender.send(request.body.clone()).unwrap();
        Reply::json(json!({}))
    });
    let client = Client::builder("https://tenant.test")
        .bearer_token("t")
        .transport(fake.clone())
        .build()
        .unwrap();
    let cases = env::var("EDITS").ok().and_then(|count| count.parse().ok()).unwrap_or(500);
    let mut runner = TestRunner::new(ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let edits = (object(), changes());
    let outcome = runner.run(&edits, |(original, changes)| {
        let mut edited = original.clone();
        for (name, value) in changes {
            match value {
                Some(value) => drop(edited.insert(name.to_owned(), value)),
                None => drop(edited.remove(name)),
            }
        }
        let model = |object: &Map| {
            PersonalClient::from_json(Value::from(object.clone()).to_string().as_bytes()).unwrap()
        };
        let edit = Edit::between(model(&original), model(&edited));
        let names: Vec<&String> = original.keys().chain(edited.keys()).collect();
        let mut mask: Vec<&str> = names
            .into_iter()
            .filter(|name| original.get(*name) != edited.get(*name))
            .map(String::as_str)
            .collect();
        mask.sort_unstable();
        mask.dedup();
        assert_eq!(edit.changes(), mask);

        let update = client.personal_clients().update("1").send_edit_blocking(&edit).unwrap();
        assert_eq!(update.is_some(), !mask.is_empty());
        let body = receiver.try_recv();
        assert_eq!(body.is_ok(), !mask.is_empty());
        if let Ok(body) = body {
            assert_eq!(body["updateMask"], mask.join(","));
            let mut merged = original;
            for name in body["updateMask"].as_str().unwrap().split(',') {
                match body["client"].get(name) {
                    Some(value) => drop(merged.insert(name.to_owned(), value.clone())),
                    None => drop(merged.remove(name)),
                }
            }
            assert_eq!(merged, edited);
        }
        Ok(())
    });
    outcome.unwrap();
}

const WRITABLE: [&str; 5] =
    ["allowSourceCidr", "displayName", "expiresTime", "scopedRoles", "addedLater"];

/// Returns objects with any of the properties of a personal client.
fn object() -> impl Strategy<Value = Map> {
    let names = ["clientId", "id", "userId", "createdAt", "lastUsedAt"];
    let names = names.into_iter().chain(WRITABLE).collect::<Vec<_>>();
    let properties: Vec<_> =
        names.into_iter().map(|name| (Just(name), option::of(value(name)))).collect();
    properties.prop_map(|properties| {
        let present = properties.into_iter();
        present.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    })
}

/// Returns new values of properties that can be changed, and those that are cleared.
fn changes() -> impl Strategy<Value = Vec<(&'static str, Option<Value>)>> {
    let change = proptest::sample::select(&WRITABLE[..])
        .prop_flat_map(|name| (Just(name), option::of(value(name))));
    vec(change, 0..4)
}

fn value(name: &str) -> proptest::strategy::BoxedStrategy<Value> {
    let text = || "[a-c \"é]{0,3}".prop_map(Value::from);
    match name {
        "allowSourceCidr" | "scopedRoles" => vec(text(), 0..3).prop_map(Value::from).boxed(),
        "createdAt" | "expiresTime" | "lastUsedAt" => {
            (0..3u8).prop_map(|day| Value::from(format!("2026-01-0{}T00:00:00Z", day + 1))).boxed()
        }
        "addedLater" => prop_oneof![
            text(),
            any::<i8>().prop_map(Value::from),
            btree_map("[ab]", text(), 0..3).prop_map(|map| Value::from(Map::from_iter(map))),
        ]
        .boxed(),
        _ => text().boxed(),
    }
}
