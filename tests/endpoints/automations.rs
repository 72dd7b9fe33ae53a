//! Automations: all kinds of steps and triggers.

use access_governance::Model;
use access_governance::models::{
    AppEntitlementRef, Automation, AutomationStepKind, AutomationTrigger, ConnectorRef,
    CreateRevokeTasksV2StepExclusion, CreateRevokeTasksV2StepInclusion,
    GrantEntitlementsStepExclusion, GrantEntitlementsStepInclusion, UserRef,
    WebhookTriggerVerification,
};
use serde_json::json;

use crate::api::{Api, at, model, object, text, texts};
use crate::hostile::values_stay_in_their_segments;
use crate::sample::Sample;

#[tokio::test]
async fn get_sends() {
    let api = Api::new();
    api.client.automations().get("automation-1").await.unwrap();
    api.sent("GET /api/v1/automations/automation-1");
}

#[tokio::test]
async fn get_keeps_values_in_their_segments() {
    values_stay_in_their_segments("GET /api/v1/automations/{id}", |client, [id]| {
        client.automations().get(id)
    })
    .await;
}

#[tokio::test]
async fn get_receives() {
    let automation = received().await;
    assert_eq!(json!({ "automation": automation }), Sample::of("automations.get").body);

    assert_eq!(automation.id, text("automation-1"));
    assert_eq!(automation.current_version, text("7"));
    assert_eq!((automation.enabled, automation.is_draft), (Some(true), Some(false)));
    assert_eq!(
        automation.annotations,
        Some(object(json!({ "team": "people", "reviews": [2024, 2025] })))
    );
    assert_eq!(
        automation.context.unwrap().context,
        Some(object(json!({ "reason": "left", "days": 30 })))
    );
    let breaker = automation.circuit_breaker.unwrap();
    assert_eq!((breaker.observed_count, breaker.threshold), (Some(4), Some(50)));
    assert_eq!(breaker.tripped_at, Some(at("2025-03-04T05:06:07Z")));
    assert_eq!(automation.circuit_breaker_max, Some(100));
    assert_eq!(automation.last_executed_at, Some(at("2025-03-04T13:06:07Z")));
}

#[expect(clippy::too_many_lines, reason = "there are 21 kinds")]
#[tokio::test]
async fn get_receives_steps_of_every_kind() {
    let automation = received().await;
    let steps = automation.automation_steps.unwrap();
    assert_eq!(steps[0].step_display_name, text("Disable the account"));
    assert_eq!(steps[0].skip_if_true_cel, text("ctx.trigger.user.status == 'active'"));

    let mut kinds = Vec::new();
    for step in &steps {
        assert!(step.unknown_members().is_empty(), "{step:?}");
        kinds.push(match step.kind.as_ref().unwrap() {
            AutomationStepKind::AccountLifecycleAction(step) => {
                assert!(step.account_in_context.is_some());
                assert_eq!(
                    step.account_ref.as_ref().unwrap().account_id_cel,
                    text("ctx.trigger.account.id")
                );
                assert_eq!(
                    step.connector_ref,
                    Some(model!(ConnectorRef { app_id: "app-1", id: "connector-1" }))
                );
                "accountLifecycleAction"
            }
            AutomationStepKind::CallFunction(step) => {
                assert_eq!(step.args, Some(object(json!({ "dryRun": true, "limit": 3 }))));
                "callFunction"
            }
            AutomationStepKind::ConnectorAction(step) => {
                assert_eq!(step.args_template, Some(object(json!({ "user": "{{ ctx.user }}" }))));
                "connectorAction"
            }
            AutomationStepKind::ConnectorCreateAccount(step) => {
                assert_eq!(
                    step.user_properties.as_ref().unwrap().profile_attribute_cel,
                    text("ctx.user.profile")
                );
                "connectorCreateAccount"
            }
            AutomationStepKind::CreateAccessReview(step) => {
                assert_eq!(
                    step.user_refs,
                    Some(vec![UserRef::new().id("user-1"), UserRef::new().id("user-2")])
                );
                "createAccessReview"
            }
            AutomationStepKind::CreateRevokeTasks(step) => {
                let excluded = AppEntitlementRef::new().app_id("app-1").id("entitlement-2");
                assert_eq!(step.excluded_app_entitlement_refs, Some(vec![excluded]));
                assert_eq!((step.revoke_all, step.use_subject_user), (Some(false), Some(true)));
                "createRevokeTasks"
            }
            AutomationStepKind::CreateRevokeTasksV2(_) => "createRevokeTasksV2",
            AutomationStepKind::EvaluateExpressions(step) => {
                let secret: Vec<_> = step
                    .expressions
                    .iter()
                    .flatten()
                    .map(|expression| expression.is_secret)
                    .collect();
                assert_eq!(secret, [Some(false), Some(true)]);
                "evaluateExpressions"
            }
            AutomationStepKind::GeneratePassword(step) => {
                let policy = step.policy.as_ref().unwrap();
                assert_eq!(
                    (policy.min_character_count, policy.max_character_count),
                    (Some(16), Some(64))
                );
                assert_eq!(
                    (policy.require_numbers, policy.require_special_characters),
                    (Some(true), Some(false))
                );
                "generatePassword"
            }
            AutomationStepKind::GrantEntitlements(_) => "grantEntitlements",
            AutomationStepKind::RemoveFromDelegation(step) => {
                assert_eq!(step.replacement_user_ref, Some(UserRef::new().id("user-2")));
                "removeFromDelegation"
            }
            AutomationStepKind::RunAutomation(step) => {
                assert_eq!(
                    step.context.as_ref().unwrap().context,
                    Some(object(json!({ "from": "automation-1" })))
                );
                "runAutomation"
            }
            AutomationStepKind::SendEmail(step) => {
                assert_eq!(step.subject, text("A leaver"));
                "sendEmail"
            }
            AutomationStepKind::SendChatMessage(step) => {
                assert_eq!((step.channel_is_id, &step.user_refs), (Some(true), &Some(Vec::new())));
                "sendChatMessage"
            }
            AutomationStepKind::SetCredential(step) => {
                assert_eq!(step.password_cel, text("ctx.password.value"));
                "setCredential"
            }
            AutomationStepKind::StoreCredential(step) => {
                assert_eq!(
                    (step.max_views, &step.expiry),
                    (Some(1), &text("2025-12-31T00:00:00Z"))
                );
                "storeCredential"
            }
            AutomationStepKind::TaskAction(step) => {
                assert_eq!(
                    step.reassign.as_ref().unwrap().assignee_user_ref,
                    Some(UserRef::new().id("user-2"))
                );
                assert_eq!(step.close.as_ref().unwrap().use_subject_user, Some(true));
                assert_eq!(
                    step.task_types,
                    Some(vec![json!("grant"), json!({ "kind": "revoke" }), json!(3)])
                );
                "taskAction"
            }
            AutomationStepKind::UnenrollFromAllAccessProfiles(step) => {
                assert_eq!(step.catalog_ids, texts(["catalog-1", "catalog-2"]));
                "unenrollFromAllAccessProfiles"
            }
            AutomationStepKind::UpdateUser(step) => {
                assert_eq!(step.user_status_cel, text("'disabled'"));
                "updateUser"
            }
            AutomationStepKind::WaitForDuration(step) => {
                assert_eq!(step.duration, text("86400s"));
                "waitForDuration"
            }
            AutomationStepKind::Webhook(step) => {
                assert_eq!(
                    step.payload,
                    Some(object(json!({ "event": "left", "user": { "id": "user-1" } })))
                );
                "webhook"
            }
            other => panic!("{other:?}"),
        });
    }
    kinds.dedup();
    assert_eq!(kinds.len(), 21, "{kinds:?}");

    let draft = automation.draft_automation_steps.unwrap();
    assert!(matches!(draft[0].kind, Some(AutomationStepKind::WaitForDuration(_))));
    assert_eq!(draft[1].kind, None);
}

#[tokio::test]
async fn get_receives_both_groups_of_a_step() {
    let steps = received().await.automation_steps.unwrap();
    let revocations = steps.iter().filter_map(|step| match &step.kind {
        Some(AutomationStepKind::CreateRevokeTasksV2(step)) => Some(step),
        _ => None,
    });
    let revocations: Vec<_> =
        revocations.map(|step| (step.exclusion.as_ref(), step.inclusion.as_ref())).collect();
    let [
        (
            Some(CreateRevokeTasksV2StepExclusion::Criteria(excluded)),
            Some(CreateRevokeTasksV2StepInclusion::Criteria(included)),
        ),
        (
            Some(CreateRevokeTasksV2StepExclusion::List(_)),
            Some(CreateRevokeTasksV2StepInclusion::List(_)),
        ),
        (
            Some(CreateRevokeTasksV2StepExclusion::ListCel(_)),
            Some(CreateRevokeTasksV2StepInclusion::ListCel(_)),
        ),
        (
            Some(CreateRevokeTasksV2StepExclusion::None(_)),
            Some(CreateRevokeTasksV2StepInclusion::All(_)),
        ),
        (None, Some(CreateRevokeTasksV2StepInclusion::AccessOnly(_))),
    ] = revocations[..]
    else {
        panic!("{revocations:#?}")
    };
    assert_eq!(excluded.excluded_resource_type_ids, texts(["role"]));
    assert_eq!(included.resource_type_ids, texts(["group"]));

    let grants = steps.iter().filter_map(|step| match &step.kind {
        Some(AutomationStepKind::GrantEntitlements(step)) => Some(step),
        _ => None,
    });
    let grants: Vec<_> =
        grants.map(|step| (step.exclusion.as_ref(), step.inclusion.as_ref())).collect();
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
        (Some(GrantEntitlementsStepExclusion::None(_)), None),
    ] = grants[..]
    else {
        panic!("{grants:#?}")
    };
    assert_eq!(included.risk_level_ids, texts(["low"]));
    let reference = AppEntitlementRef::new().app_id("app-1").id("entitlement-3");
    assert_eq!(excluded.excluded_app_entitlement_refs, Some(vec![reference]));
}

#[tokio::test]
async fn get_receives_triggers_of_every_kind() {
    let automation = received().await;
    let mut kinds = Vec::new();
    for trigger in automation.triggers.as_ref().unwrap() {
        assert!(trigger.unknown_members().is_empty(), "{trigger:?}");
        kinds.push(match trigger {
            AutomationTrigger::AccessConflict(trigger) => {
                let monitors = trigger
                    .conflict_monitor_refs
                    .as_ref()
                    .unwrap()
                    .conflict_monitor_refs
                    .as_ref()
                    .unwrap();
                assert_eq!(monitors[0].id, text("monitor-1"));
                "accessConflict"
            }
            AutomationTrigger::AppUserCreated(trigger) => {
                assert_eq!(trigger.app_id, text("app-1"));
                "appUserCreated"
            }
            AutomationTrigger::AppUserUpdated(trigger) => {
                assert_eq!(trigger.app_id, text("app-2"));
                "appUserUpdated"
            }
            AutomationTrigger::GrantDeleted(trigger) => {
                let filter = trigger.grant_trigger_filter.as_ref().unwrap();
                assert!(
                    filter.account_filter.is_some()
                        && filter.grant_filter.is_some()
                        && filter.inclusion_all.is_some()
                );
                assert_eq!(
                    filter.inclusion_criteria.as_ref().unwrap().resource_type_ids,
                    texts(["group"])
                );
                let cel = filter.inclusion_list_cel.as_ref().unwrap();
                assert_eq!(cel.app_entitlement_refs_cel, text("ctx.entitlements"));
                "grantDeleted"
            }
            AutomationTrigger::GrantFound(trigger) => {
                assert!(trigger.grant_trigger_filter.as_ref().unwrap().grant_filter.is_none());
                "grantFound"
            }
            AutomationTrigger::Schedule(trigger) => {
                assert_eq!(trigger.start, Some(at("2025-01-01T05:00:00Z")));
                assert_eq!(trigger.skip_if_true_cel, text("false"));
                "schedule"
            }
            AutomationTrigger::ScheduleAppUser(trigger) => {
                assert_eq!(trigger.cron_spec, text("0 7 * * 1"));
                "scheduleAppUser"
            }
            AutomationTrigger::ScheduleNoUser(trigger) => {
                assert_eq!(trigger.advanced, Some(false));
                "scheduleNoUser"
            }
            AutomationTrigger::UsageBasedRevocation(trigger) => {
                assert_eq!(trigger.run_delayed.as_ref().unwrap().cold_start_delay_days, Some(14));
                assert_eq!(trigger.unused_for_days, Some(90));
                assert_eq!(trigger.excluded_group_refs.as_ref().unwrap()[0].id, text("group-1"));
                "usageBasedRevocation"
            }
            AutomationTrigger::UserCreated(trigger) => {
                assert_eq!(trigger.condition, text("user.department == 'Sales'"));
                "userCreated"
            }
            AutomationTrigger::UserProfileChange(trigger) => {
                assert_eq!(trigger.condition, text("changed('managerIds')"));
                "userProfileChange"
            }
            AutomationTrigger::Webhook(trigger) => match trigger.verification.as_ref().unwrap() {
                WebhookTriggerVerification::CapabilityUrl(_) => "webhook by capability URL",
                WebhookTriggerVerification::Hmac(_) => "webhook by HMAC",
                WebhookTriggerVerification::Jwt(jwt) => {
                    assert_eq!(jwt.jwks_url, text("https://keys.example.com/jwks.json"));
                    "webhook by JWT"
                }
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        });
    }
    kinds.dedup();
    assert_eq!(kinds.len(), 11 + 3, "{kinds:?}");
    assert_eq!(automation.draft_triggers.unwrap().len(), 1);
}

async fn received() -> Automation {
    let reply =
        Api::with_sample("automations.get").client.automations().get("automation-1").await.unwrap();
    reply.automation.unwrap()
}
