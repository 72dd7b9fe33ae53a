//! Tasks that run connector actions.

use access_governance::models::{
    TaskActionType, TaskExpandMask, TaskExpandPath, TaskOrigin, TaskProcessing,
};
use serde_json::json;
use tests::Reply;

use crate::api::{Api, at, object, text, texts};
use crate::sample::Sample;

const LINE: &str = "POST /api/v1/task/resource-action";

#[tokio::test]
async fn create_resource_action_sends() {
    let api = Api::new();
    api.client.tasks().create_resource_action("action-1").await.unwrap();
    api.sent_json(LINE, &json!({ "actionId": "action-1" }));

    let form =
        json!({ "groupName": "platform", "members": [1, 2.5, null, { "id": "user-1" }], "": true });
    let create = api.client.tasks().create_resource_action("action-1");
    create
        .expand_mask(TaskExpandMask::new().paths(TaskExpandPath::KNOWN.iter().cloned()))
        .form_values(object(form.clone()))
        .await
        .unwrap();
    let paths = [
        "*",
        "access_review_id",
        "user_id",
        "created_by_user_id",
        "app_id",
        "app_user_id",
        "app_entitlement_ids",
        "step_approver_ids",
        "approver_ids",
        "identity_user_id",
        "insight_ids",
        "app_user_last_usage",
        "entitlement_scope_bindings",
        "scope_role_resources",
        "resource",
    ];
    api.sent_json(
        LINE,
        &json!({ "actionId": "action-1", "expandMask": { "paths": paths }, "formValues": form }),
    );
}

#[tokio::test]
async fn create_resource_action_sends_what_is_required_even_if_empty() {
    let api = Api::new();
    api.client.tasks().create_resource_action("").await.unwrap();
    api.sent_json(LINE, &json!({ "actionId": "" }));
}

#[tokio::test]
async fn create_resource_action_sends_values_that_came_later() {
    let api = Api::new();
    let mask = TaskExpandMask::new().paths(["user_id", "policy_ids"]);
    assert_eq!(mask.paths.as_ref().unwrap()[0], TaskExpandPath::UserId);
    assert!(matches!(mask.paths.as_ref().unwrap()[1], TaskExpandPath::Unknown(_)));
    api.client.tasks().create_resource_action("action-1").expand_mask(mask).await.unwrap();
    api.sent_json(
        LINE,
        &json!({ "actionId": "action-1", "expandMask": { "paths": ["user_id", "policy_ids"] } }),
    );
}

#[tokio::test]
async fn create_resource_action_receives() {
    let api = Api::with_sample("tasks.createResourceAction");
    let reply = api.client.tasks().create_resource_action("action-1").await.unwrap();
    assert_eq!(json!(reply), Sample::of("tasks.createResourceAction").body);

    let view = reply.task_view.unwrap();
    let permissions = view.object_permissions.unwrap();
    assert_eq!(
        (permissions.read, permissions.edit, permissions.delete),
        (Some(true), Some(false), Some(false))
    );
    assert_eq!(
        permissions.extra.unwrap().into_iter().collect::<Vec<_>>(),
        [("comment".into(), true), ("escalate".into(), false)]
    );
    assert_eq!(
        (view.access_review_path, view.user_path),
        (text("$.expanded[0]"), text("$.expanded[14]"))
    );
    assert_eq!(reply.expanded.unwrap()[1].additional_properties["displayName"], "Directory");

    let task = view.task.unwrap();
    assert_eq!(task.actions.as_deref(), Some(TaskActionType::KNOWN));
    assert_eq!(task.annotations.as_ref().unwrap()[0].r#type, text("type.example.com/Note"));
    assert_eq!(task.annotations.unwrap()[0].additional_properties["weight"], 0.5);
    assert_eq!(task.approver_ids, texts(["user-7", "user-8"]));
    assert_eq!(task.comment_count, Some(3_i32));
    assert_eq!(task.created_at, Some(at("2025-03-04T05:06:07.123456789Z")));
    assert_eq!(task.data.unwrap()["nested"]["list"][2], "three");
    assert_eq!(task.deleted_at, Some(at("2025-03-04T22:00:00Z")));
    assert_eq!(task.emergency_access, Some(true));
    assert_eq!(task.external_refs.unwrap()[0]["key"], "DESK-42");
    assert_eq!(task.form, Some(object(json!({ "fields": [{ "name": "groupName" }] }))));
    assert_eq!(task.numeric_id, Some(9_007_199_254_740_993));
    assert_eq!(task.origin, Some(TaskOrigin::Api));
    assert_eq!(task.policy.unwrap()["current"]["id"], "step-1");
    assert_eq!(task.processing, Some(TaskProcessing::Process));
}

#[tokio::test]
async fn create_resource_action_receives_every_origin_and_processing_state() {
    let sample = Sample::of("tasks.createResourceAction").body;
    let receive = async |field: &str, value: &str| {
        let mut body = sample.clone();
        body["taskView"]["task"][field] = json!(value);
        let api = Api::answering(&Reply::json(&body));
        let reply = api.client.tasks().create_resource_action("action-1").await.unwrap();
        reply.task_view.unwrap().task.unwrap()
    };
    for origin in TaskOrigin::KNOWN {
        assert_eq!(receive("origin", origin.as_str()).await.origin.as_ref(), Some(origin));
    }
    for state in TaskProcessing::KNOWN {
        assert_eq!(receive("processing", state.as_str()).await.processing.as_ref(), Some(state));
    }
}
