//! Responses with things that the spec does not describe, and how the client reports them.

use std::sync::{Arc, Mutex};

use access_governance::models::{
    AutomationStepKind, AutomationTrigger, TaskActionType, TaskOrigin,
};
use access_governance::{Client, Model, Value};
use serde_json::json;
use tests::{Reply, Server};

use crate::api::Api;

#[tokio::test]
async fn unknown_enum_values_are_readable() {
    let body = json!({ "taskView": { "task": { "actions": ["TASK_ACTION_TYPE_CLOSE", "TASK_ACTION_TYPE_NOT_IN_THE_SPEC"], "origin": "TASK_ORIGIN_NOT_IN_THE_SPEC" } } });
    let reply = Api::answering(&Reply::json(&body))
        .client
        .tasks()
        .create_resource_action("1")
        .await
        .unwrap();
    assert_eq!(json!(reply), body);
    let task = reply.task_view.unwrap().task.unwrap();
    let Some([TaskActionType::Close, TaskActionType::Unknown(action)]) = task.actions.as_deref()
    else {
        panic!()
    };
    assert_eq!(action.as_str(), "TASK_ACTION_TYPE_NOT_IN_THE_SPEC");
    assert!(matches!(task.origin, Some(TaskOrigin::Unknown(_))));
    assert_eq!(task.origin.unwrap().to_string(), "TASK_ORIGIN_NOT_IN_THE_SPEC");
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
    let reply = Api::answering(&Reply::json(&body)).client.automations().get("1").await.unwrap();
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

#[tokio::test]
async fn the_client_reports_drift() {
    let body = json!({ "automation": {
        "owner": { "id": "user-1" },
        "automationSteps": [{ "sendFax": {} }, { "webhook": {}, "callFunction": {} }],
    } });
    let server = Server::new(move |_, _| Reply::json(&body).into());
    let reports = Arc::new(Mutex::new(Vec::new()));
    let reported = Arc::clone(&reports);
    let builder = Client::builder(server.url()).on_drift(move |report| {
        let findings =
            report.findings.iter().map(|finding| format!("{} {}", finding.path, finding.name));
        reported.lock().unwrap().push((report.operation.id, findings.collect::<Vec<_>>()));
    });
    builder.build().unwrap().automations().get("1").await.unwrap();
    let reports = reports.lock().unwrap();
    let [("automations.get", findings)] = &reports[..] else { panic!("{reports:?}") };
    let mut findings = findings.clone();
    findings.sort();
    assert_eq!(
        findings,
        [
            "automation owner",
            "automation.automationSteps[0] sendFax",
            "automation.automationSteps[1] webhook",
        ]
    );
}
