//! Responses as programs read them: the Rust values of JSON.

use access_governance::models::{
    AppEntitlementRef, AppOwnersAssignee, AutomationStepKind, AutomationTrigger,
    GrantEntitlementsStepExclusion, GrantEntitlementsStepInclusion, ManualProvisioningAssignee,
    TaskActionType, TaskOrigin, TaskProcessing, User,
};
use access_governance::{Model, Value};
use serde_json::json;

use crate::api::{Api, at, model, object, text, texts};

#[tokio::test]
async fn texts_numbers_times_and_enums_are_typed() {
    let api = Api::with_sample("tasks.createResourceAction");
    let view = api.client.tasks().create_resource_action("a").await.unwrap().task_view.unwrap();
    let extra = view.object_permissions.unwrap().extra.unwrap();
    assert_eq!(Vec::from_iter(extra), [("comment".into(), true), ("escalate".into(), false)]);

    let task = view.task.unwrap();
    assert_eq!(task.actions.as_deref(), Some(TaskActionType::KNOWN));
    assert_eq!(
        (task.origin, task.processing),
        (Some(TaskOrigin::Api), Some(TaskProcessing::Process))
    );
    let annotations = task.annotations.unwrap();
    assert_eq!(annotations[0].type_url(), Some("type.example.com/Note"));
    assert_eq!(annotations[0].properties().unwrap()["weight"], 0.5);
    assert_eq!(task.approver_ids, texts(["user-7", "user-8"]));
    assert_eq!((task.comment_count, task.emergency_access), (Some(3_i32), Some(true)));
    assert_eq!(task.numeric_id, Some(9_007_199_254_740_993));
    assert_eq!(task.created_at, Some(at("2025-03-04T05:06:07.123456789Z")));
    assert_eq!(task.deleted_at, Some(at("2025-03-04T22:00:00Z")));
    assert_eq!(task.data.unwrap()["nested"]["list"][2], "three");
    assert_eq!(task.external_refs.unwrap()[0]["key"], "DESK-42");
    assert_eq!(task.form, Some(object(json!({ "fields": [{ "name": "groupName" }] }))));
}

#[tokio::test]
async fn secrets_and_free_form_maps_are_typed() {
    let api = Api::with_sample("functions.get");
    let function = api.client.functions().get("f").await.unwrap().function.unwrap();
    assert_eq!(function.secret.unwrap().expose()["versions"][0]["pin"], "4711-secret");
    assert_eq!(function.provisioned_concurrency, Some(2));

    let api = Api::with_sample("functions.createInitialCommit");
    let commit = api.client.functions().create_initial_commit("f").await.unwrap();
    assert_eq!(commit.upload_urls.unwrap()["deno.json"]["headers"]["x-part"], "2");

    let api = Api::with_sample("automationExecutions.get");
    let execution = api.client.automation_executions().get("4711").await.unwrap();
    let expanded = execution.expanded.unwrap();
    assert_eq!(expanded[0].type_url(), Some("type.example.com/Automation"));
    assert_eq!(expanded[0].properties().unwrap()["enabled"], true);
}

#[tokio::test]
async fn lists_of_models_are_typed() {
    let api = Api::with_sample("entitlementOwners.list");
    let reply = api.client.entitlement_owners().list("a", "e").await.unwrap();
    assert_eq!(reply.next_page_token, text("owners-2"));
    let [ada, grace] = &reply.list.unwrap()[..] else { panic!() };
    assert_eq!(ada.emails, texts(["ada@example.com", "ada@example.org"]));
    assert_eq!(ada.department_sources.as_ref().unwrap()[0].value, text("Platform"));
    assert_eq!(
        *grace,
        model!(User { id: "user-2", display_name: "Grace Example", emails: Vec::new() })
    );
}

#[tokio::test]
async fn unions_are_enums() {
    let api = Api::with_sample("entitlementOwners.get");
    let reply = api.client.entitlement_owners().get("a", "r", "a", "e").await.unwrap();
    let entitlement = reply.app_owner_entitlement.unwrap().app_entitlement.unwrap();
    let connector = entitlement.provisioner_policy.unwrap().into_connector().unwrap();
    assert_eq!(connector.delete_account.unwrap().connector_id, text("connector-2"));
    let policy = entitlement.deprovisioner_policy.unwrap();
    assert!(policy.as_connector().is_none());
    let manual = policy.into_manual().unwrap();
    let owners = model!(AppOwnersAssignee {
        allow_reassignment: true,
        fallback_user_ids: ["user-2"].map(String::from)
    });
    assert_eq!(manual.assignee, Some(ManualProvisioningAssignee::AppOwners(owners)));
}

#[tokio::test]
async fn unions_next_to_other_properties_are_fields() {
    let api = Api::with_sample("automations.get");
    let automation = api.client.automations().get("a").await.unwrap().automation.unwrap();
    let steps = automation.automation_steps.unwrap();
    assert_eq!(steps[0].step_display_name, text("Disable the account"));
    assert!(matches!(steps[0].kind, Some(AutomationStepKind::AccountLifecycleAction(_))));

    let grants = steps.iter().filter_map(|step| match &step.kind {
        Some(AutomationStepKind::GrantEntitlements(step)) => {
            Some((step.exclusion.as_ref(), step.inclusion.as_ref()))
        }
        _ => None,
    });
    let grants: Vec<_> = grants.collect();
    let [
        (
            Some(GrantEntitlementsStepExclusion::Criteria(_)),
            Some(GrantEntitlementsStepInclusion::Criteria(included)),
        ),
        (
            Some(GrantEntitlementsStepExclusion::List(excluded)),
            Some(GrantEntitlementsStepInclusion::List(_)),
        ),
        (
            Some(GrantEntitlementsStepExclusion::ListCel(_)),
            Some(GrantEntitlementsStepInclusion::ListCel(_)),
        ),
        (
            Some(GrantEntitlementsStepExclusion::None(_)),
            Some(GrantEntitlementsStepInclusion::ListCel(_)),
        ),
    ] = grants[..]
    else {
        panic!("{grants:#?}")
    };
    assert_eq!(included.risk_level_ids, texts(["low"]));
    let reference = AppEntitlementRef::new().app_id("app-1").id("entitlement-3");
    assert_eq!(excluded.excluded_app_entitlement_refs, Some(vec![reference]));

    let triggers = automation.triggers.unwrap();
    let schedules = triggers.iter().filter_map(|trigger| match trigger {
        AutomationTrigger::Schedule(schedule) => schedule.start,
        _ => None,
    });
    assert_eq!(schedules.collect::<Vec<_>>(), [at("2025-01-01T05:00:00Z")]);
}

#[tokio::test]
async fn unknown_kinds_are_readable() {
    let body = json!({ "automation": {
        "automationSteps": [
            { "stepName": "new", "sendFax": { "number": 7 } },
            { "stepName": "two", "callFunction": { "functionId": "1" }, "waitForDuration": { "duration": "1s" } },
            { "stepName": "one, with more", "waitForDuration": { "duration": "1s", "jitter": "2s" }, "retries": 3 },
            { "stepName": "null beside one", "callFunction": null, "waitForDuration": { "duration": "1s" } },
            { "stepName": "none" },
        ],
        "triggers": [{ "faxReceived": {} }, {}, { "userCreated": {}, "since": "2025" }],
    } });
    let reply = Api::answering(&body).client.automations().get("1").await.unwrap();
    let mut written = json!(reply);
    written["automation"]["automationSteps"][3]["callFunction"] = Value::Null;
    assert_eq!(written, body, "but for null members, which go out as absent ones");
    let automation = reply.automation.unwrap();
    let [new, two, more, beside_null, none] = &automation.automation_steps.unwrap()[..] else {
        panic!()
    };
    let Some(AutomationStepKind::Unknown(kind)) = &new.kind else { panic!("{new:?}") };
    assert_eq!(kind.properties()["sendFax"]["number"], 7);
    let Some(AutomationStepKind::Unknown(kinds)) = &two.kind else { panic!("{two:?}") };
    assert_eq!(kinds.properties().keys().collect::<Vec<_>>(), ["callFunction", "waitForDuration"]);
    let Some(AutomationStepKind::WaitForDuration(step)) = &more.kind else { panic!("{more:?}") };
    assert_eq!(
        (&step.unknown_properties()["jitter"], &more.unknown_properties()["retries"]),
        (&json!("2s"), &json!(3))
    );
    assert!(
        matches!(beside_null.kind, Some(AutomationStepKind::WaitForDuration(_))),
        "{beside_null:?}"
    );
    assert_eq!(none.kind, None);

    let [AutomationTrigger::Unknown(new), AutomationTrigger::Unknown(none), more] =
        &automation.triggers.unwrap()[..]
    else {
        panic!()
    };
    assert!(new.properties().contains_key("faxReceived") && none.properties().is_empty());
    assert!(matches!(more, AutomationTrigger::UserCreated(_)));
    assert_eq!(more.unknown_properties()["since"], "2025");
}
