//! Related objects of a task, through all paths of its view.

use std::collections::HashSet;

use access_governance::models::{CreateResourceActionResponse, TaskExpandPath};
use access_governance::{Map, Model, TypedObject, Value};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{ProptestConfig, Strategy};
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use serde_json::json;

use crate::tenant::client;

/// Reads a path of a response.
type Read = fn(&CreateResourceActionResponse) -> Vec<&TypedObject>;

macro_rules! paths {
    ($($wire:literal $name:ident,)+) => {
        [$(($wire, (|reply| reply.$name().into_iter().collect()) as Read)),+]
    };
}

const PATHS: [(&str, Read); 15] = paths! {
    "accessReviewPath" access_review,
    "appPath" app,
    "appUserLastUsagePath" app_user_last_usage,
    "appUserPath" app_user,
    "approversPath" approvers,
    "createdByUserPath" created_by_user,
    "entitlementsPath" entitlements,
    "identityUserPath" identity_user,
    "insightsPath" insights,
    "principalResourcePath" principal_resource,
    "resourceBindingsPath" resource_bindings,
    "roleResourcePath" role_resource,
    "scopeResourcePath" scope_resource,
    "stepApproversPath" step_approvers,
    "userPath" user,
};

fn numbers(objects: Vec<&TypedObject>) -> Vec<usize> {
    let number = |object: &TypedObject| object.properties().unwrap()["n"].as_u64().unwrap();
    objects.into_iter().map(|object| usize::try_from(number(object)).unwrap()).collect()
}

/// Returns related objects, of a known type or not, which are numbered.
fn expanded() -> impl Strategy<Value = Vec<Value>> {
    let object = select(vec![json!({}), json!({"@type": "x/App", "id": "1"}), json!({"@type": 7})]);
    vec(object, 0..6).prop_map(|mut objects| {
        objects.iter_mut().enumerate().for_each(|(n, object)| object["n"] = json!(n));
        objects
    })
}

#[test]
fn every_path_selects_objects_or_nothing() {
    let paths = vec(option::of(vec(0..8_usize, 0..4)), PATHS.len());
    let mut runner = TestRunner::new(ProptestConfig {
        cases: 1_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let outcome = runner.run(&(expanded(), paths), |(expanded, paths)| {
        let mut view = Map::new();
        for ((property, _), indices) in PATHS.iter().zip(&paths) {
            let texts = indices.iter().flatten().map(usize::to_string).collect::<Vec<_>>();
            let path = indices.as_ref().map(|_| format!("$.expanded[{}]", texts.join(",")));
            view.extend(path.map(|path| ((*property).to_owned(), path.into())));
        }
        let reply = json!({ "taskView": view, "expanded": expanded }).to_string();
        let reply = CreateResourceActionResponse::from_json(reply.as_bytes()).unwrap();
        for ((property, read), indices) in PATHS.iter().zip(paths) {
            let mut seen = HashSet::new();
            let indices = indices.into_iter().flatten();
            let indices = indices.filter(|index| *index < expanded.len() && seen.insert(*index));
            let count = if property.ends_with("sPath") { usize::MAX } else { 1 };
            let expected: Vec<_> = indices.take(count).collect();
            assert_eq!(numbers(read(&reply)), expected, "{property}");
        }
        Ok(())
    });
    outcome.unwrap();
    for body in ["{}", r#"{"expanded":null,"taskView":{"appPath":"$.expanded[0]"}}"#] {
        let reply = CreateResourceActionResponse::from_json(body.as_bytes()).unwrap();
        assert!(PATHS.iter().all(|(_, read)| read(&reply).is_empty()), "{body}");
    }
}

#[tokio::test]
async fn requested_objects_are_returned() {
    let client = client();
    let create = || client.tasks().create_resource_action("create-group");
    let reply =
        create().expand([TaskExpandPath::AppId, TaskExpandPath::ApproverIds]).await.unwrap();
    assert_eq!(reply.app().and_then(TypedObject::type_name), Some("App"));
    let approvers: Vec<_> =
        reply.approvers().filter_map(|user| user.properties()?.get("id")).collect();
    assert_eq!(approvers, ["approver_ids-0", "approver_ids-1"]);
    assert!(reply.user().is_none());
    let view = reply.task_view.as_ref().unwrap();
    assert_eq!(view.app(&reply), reply.app());

    let all = create().expand([TaskExpandPath::from("*")]).await.unwrap();
    assert!(PATHS.iter().all(|(_, read)| !read(&all).is_empty()));
    let none = create().await.unwrap();
    assert!(PATHS.iter().all(|(_, read)| read(&none).is_empty()));
}
