//! Ownership sources of entitlements, and the owners themselves.

use access_governance::models::{
    AppOwnersAssignee, ManualProvisioningAssignee, ProvisioningPolicy, SaveToVault, User,
    UserSource,
};
use access_governance::runtime::ErrorKind;
use serde_json::json;
use tests::Reply;

use crate::api::{Api, at, model, object, text, texts};
use crate::hostile::values_stay_in_their_segments;
use crate::sample::Sample;

#[tokio::test]
async fn get_sends() {
    let api = Api::new();
    api.client
        .entitlement_owners()
        .get("app-1", "app_owner", "app-2", "entitlement-1")
        .await
        .unwrap();
    api.sent("GET /api/v2/apps/app-1/owners/entitlements/app_owner/app-2/entitlement-1");
}

#[tokio::test]
async fn get_keeps_values_in_their_segments() {
    values_stay_in_their_segments(
        "GET /api/v2/apps/{app_id}/owners/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}",
        |client, [app_id, role_slug, ref_app_id, ref_id]| {
            client.entitlement_owners().get(app_id, role_slug, ref_app_id, ref_id)
        },
    )
    .await;
}

#[tokio::test]
async fn get_receives() {
    let api = Api::with_sample("entitlementOwners.get");
    let reply = api.client.entitlement_owners().get("1", "2", "3", "4").await.unwrap();
    assert_eq!(json!(reply), Sample::of("entitlementOwners.get").body);

    let owner = reply.app_owner_entitlement.unwrap();
    assert_eq!((&owner.app_id, &owner.role_slug), (&text("app-1"), &text("app_owner")));
    assert_eq!(owner.created_at, Some(at("2025-01-01T00:00:00Z")));

    let entitlement = owner.app_entitlement.unwrap();
    assert_eq!(entitlement.alias, text("platform-admins"));
    assert_eq!(entitlement.grant_count, text("12"));
    assert_eq!(
        entitlement.annotations,
        Some(object(json!({ "reviewed": true, "by": ["user-1"] })))
    );
    assert_eq!(entitlement.compliance_framework_value_ids, texts(["soc2"]));
    assert_eq!(
        (entitlement.default_values_applied, entitlement.emergency_grant_enabled),
        (Some(true), Some(false))
    );
    assert!(entitlement.duration_unset.is_some());
    assert_eq!(entitlement.deleted_at, Some(at("2025-03-01T00:00:00Z")));

    let Some(ProvisioningPolicy::Connector(connector)) = entitlement.provisioner_policy else {
        panic!()
    };
    let account = connector.account.unwrap();
    assert_eq!(account.config, Some(object(json!({ "shell": "/bin/sh", "quota": 5 }))));
    assert_eq!(
        account.save_to_vault,
        Some(model!(SaveToVault { vault_ids: ["vault-1", "vault-2"].map(String::from) }))
    );
    assert!(account.do_not_save.is_some());
    assert_eq!(connector.delete_account.unwrap().connector_id, text("connector-2"));

    let Some(ProvisioningPolicy::Manual(manual)) = entitlement.deprovisioner_policy else {
        panic!()
    };
    assert_eq!(manual.user_ids, texts(["user-1"]));
    let owners = model!(AppOwnersAssignee {
        allow_reassignment: true,
        fallback_user_ids: ["user-2"].map(String::from)
    });
    assert_eq!(manual.assignee, Some(ManualProvisioningAssignee::AppOwners(owners)));
}

#[tokio::test]
async fn get_receives_provisioning_of_every_kind() {
    let (mut policies, mut assignees) = (Vec::new(), Vec::new());
    for body in Sample::of("entitlementOwners.get").bodies() {
        let api = Api::answering(&Reply::json(&body));
        let reply = api.client.entitlement_owners().get("1", "2", "3", "4").await.unwrap();
        assert_eq!(json!(reply), body);
        let entitlement = reply.app_owner_entitlement.unwrap().app_entitlement.unwrap();
        policies.push(match entitlement.provisioner_policy.unwrap() {
            ProvisioningPolicy::Action(action) => {
                assert_eq!(action.display_name, text("Grant by action"));
                "action"
            }
            ProvisioningPolicy::Connector(_) => "connector",
            ProvisioningPolicy::Delegated(delegated) => {
                assert_eq!(delegated.implicit, Some(true));
                "delegated"
            }
            ProvisioningPolicy::DevicePlacement(placement) => {
                assert_eq!(placement.vault_boundary_id, text("boundary-1"));
                "devicePlacement"
            }
            ProvisioningPolicy::ExternalTicket(ticket) => {
                assert_eq!(ticket.external_ticket_provisioner_config_id, text("config-1"));
                "externalTicket"
            }
            ProvisioningPolicy::MultiStep(steps) => {
                assert_eq!(
                    steps.provision_steps,
                    Some(vec![json!({ "manual": {} }), json!("second"), json!(3)])
                );
                "multiStep"
            }
            ProvisioningPolicy::Unconfigured(_) => "unconfigured",
            ProvisioningPolicy::Webhook(webhook) => {
                assert_eq!(webhook.webhook_id, text("webhook-1"));
                "webhook"
            }
            other => panic!("{other:?}"),
        });
        let Some(ProvisioningPolicy::Manual(manual)) = entitlement.deprovisioner_policy else {
            panic!()
        };
        assignees.push(match manual.assignee.unwrap() {
            ManualProvisioningAssignee::AppOwners(_) => "appOwners",
            ManualProvisioningAssignee::EntitlementOwners(owners) => {
                assert_eq!(
                    (owners.allow_reassignment, owners.fallback_user_ids),
                    (Some(false), Some(Vec::new()))
                );
                "entitlementOwners"
            }
            ManualProvisioningAssignee::Manager(manager) => {
                assert_eq!(manager.fallback_user_ids, texts(["user-3"]));
                "manager"
            }
            ManualProvisioningAssignee::Expression(expression) => {
                assert_eq!(expression.expressions, texts(["subject.manager"]));
                "expression"
            }
            ManualProvisioningAssignee::Group(group) => {
                assert_eq!(group.app_group_id, text("group-1"));
                "group"
            }
            ManualProvisioningAssignee::Users(users) => {
                assert_eq!(users.user_ids, texts(["user-6", "user-7"]));
                "users"
            }
            other => panic!("{other:?}"),
        });
    }
    for (mut kinds, all) in [(policies, 8), (assignees, 6)] {
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds.len(), all, "{kinds:?}");
    }
}

#[tokio::test]
async fn list_sends() {
    let api = Api::new();
    let line = "GET /api/v1/apps/app-1/entitlements/entitlement-1/owners";
    let list = || api.client.entitlement_owners().list("app-1", "entitlement-1");
    list().await.unwrap();
    api.sent(line);
    list().page_size(50).page_token("a+b/c=&d ü").await.unwrap();
    api.sent(&format!("{line}?page_size=50&page_token=a%2Bb%2Fc%3D%26d%20%C3%BC"));
    list().page_size(1).page_size(2).with_query("trace", "on").await.unwrap();
    api.sent(&format!("{line}?page_size=2&trace=on"));
}

#[tokio::test]
async fn list_keeps_values_in_their_segments() {
    values_stay_in_their_segments(
        "GET /api/v1/apps/{app_id}/entitlements/{entitlement_id}/owners",
        |client, [app_id, entitlement_id]| client.entitlement_owners().list(app_id, entitlement_id),
    )
    .await;
}

#[tokio::test]
async fn list_receives() {
    let api = Api::with_sample("entitlementOwners.list");
    let reply = api.client.entitlement_owners().list("app-1", "entitlement-1").await.unwrap();
    assert_eq!(json!(reply), Sample::of("entitlementOwners.list").body);
    assert_eq!(reply.next_page_token, text("owners-2"));

    let [ada, grace] = &reply.list.unwrap()[..] else { panic!() };
    assert_eq!(ada.username, text("ada"));
    assert_eq!(ada.created_at, Some(at("2020-02-29T12:00:00Z")));
    assert_eq!(ada.emails, texts(["ada@example.com", "ada@example.org"]));
    assert_eq!(
        ada.profile,
        Some(object(
            json!({ "costCentre": 17, "badges": ["red", null], "office": { "floor": 3 } })
        ))
    );
    let source = model!(UserSource {
        app_id: "app-1",
        app_user_id: "app-user-1",
        app_user_profile_attribute_key: "dept",
        user_attribute_mapping_id: "mapping-1",
        value: "Platform",
        priority: 1
    });
    assert_eq!(ada.department_sources, Some(vec![source]));
    let sources = [
        &ada.department_sources,
        &ada.directory_status_sources,
        &ada.email_sources,
        &ada.employee_id_sources,
        &ada.employment_status_sources,
        &ada.employment_type_sources,
        &ada.job_title_sources,
        &ada.manager_sources,
        &ada.username_sources,
    ];
    let priorities = sources.map(|sources| sources.as_ref().unwrap()[0].priority.unwrap());
    assert_eq!(priorities, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(
        *grace,
        model!(User { id: "user-2", display_name: "Grace Example", emails: Vec::new() })
    );
}

#[tokio::test]
async fn list_turns_pages() {
    let api = Api::serving(|request| {
        Reply::json(&match request.target.split_once('?').unwrap().1 {
            "page_size=2" => {
                json!({ "list": [{ "id": "user-1" }, { "id": "user-2" }], "nextPageToken": "after 2" })
            }
            "page_size=2&page_token=after%202" => json!({ "list": [], "nextPageToken": "after-2" }),
            "page_size=2&page_token=after-2" => {
                json!({ "list": [{ "id": "user-3" }], "nextPageToken": "" })
            }
            other => panic!("{other}"),
        })
    });
    let mut users =
        api.client.entitlement_owners().list("app-1", "entitlement-1").page_size(2).items();
    assert_eq!(users.try_next().await.unwrap().unwrap().id, text("user-1"));
    assert_eq!(api.requests().len(), 1, "nothing is fetched before it is asked for");
    assert_eq!(users.try_next().await.unwrap().unwrap().id, text("user-2"));
    assert_eq!(api.requests().len(), 0);
    assert_eq!(users.try_next().await.unwrap().unwrap().id, text("user-3"));
    assert!(users.try_next().await.unwrap().is_none());
    assert_eq!(api.requests().len(), 2);
}

#[tokio::test]
async fn list_ends_where_a_token_comes_again() {
    let api = Api::answering(&Reply::json(
        r#"{ "list": [{ "id": "user-1" }], "nextPageToken": "again" }"#,
    ));
    let mut pages = api.client.entitlement_owners().list("app-1", "entitlement-1").pages();
    assert_eq!(pages.try_next().await.unwrap().unwrap().list.unwrap().len(), 1);
    let error = pages.try_next().await.unwrap_err();
    assert_eq!(
        (error.kind(), error.operation()),
        (ErrorKind::Paging, Some("entitlementOwners.list"))
    );
    assert_eq!(api.requests().len(), 2);
}
