//! Related objects of a task, through all paths of its view.

use access_governance::models::{CreateResourceActionResponse, TaskExpandPath};
use access_governance::{Model, TypedObject};
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
    let number = |object: &TypedObject| object.properties()["n"].as_u64().unwrap();
    objects.into_iter().map(|object| usize::try_from(number(object)).unwrap()).collect()
}

#[test]
fn every_path_leads_into_any_list_or_nowhere() {
    for length in 0..6 {
        let expanded: Vec<_> = (0..length).map(|n| json!({ "@type": "x/T", "n": n })).collect();
        for (property, read) in PATHS {
            let is_plural = property.ends_with("sPath");
            for indices in [vec![], vec![0], vec![length], vec![3, 1], vec![1, 1, 9], vec![2, 0, 4]]
            {
                let texts: Vec<_> = indices.iter().map(usize::to_string).collect();
                let path = format!("$.expanded[{}]", texts.join(","));
                let reply = json!({ "taskView": { property: path }, "expanded": expanded });
                let reply = CreateResourceActionResponse::from_json(reply.to_string().as_bytes());
                let reply = reply.unwrap();
                let mut expected: Vec<_> =
                    indices.into_iter().filter(|index| *index < length).collect();
                expected.truncate(if is_plural { usize::MAX } else { 1 });
                assert_eq!(numbers(read(&reply)), expected, "{property} {path} of {length}");
                for (other, read) in PATHS.iter().filter(|(other, _)| *other != property) {
                    assert!(read(&reply).is_empty(), "{other}");
                }
            }
        }
    }
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
        reply.approvers().filter_map(|user| user.properties().get("id")).collect();
    assert_eq!(approvers, ["approver_ids-0", "approver_ids-1"]);
    assert!(reply.user().is_none());
    let view = reply.task_view.as_ref().unwrap();
    assert_eq!(view.app(&reply), reply.app());

    let all = create().expand([TaskExpandPath::from("*")]).await.unwrap();
    assert!(PATHS.iter().all(|(_, read)| !read(&all).is_empty()));
    let none = create().await.unwrap();
    assert!(PATHS.iter().all(|(_, read)| read(&none).is_empty()));
}
