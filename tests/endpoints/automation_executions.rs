//! Executions of automations.

use access_governance::models::{AutomationContext, AutomationExecution};
use serde_json::json;

use crate::api::{Api, at, model, object, text};
use crate::hostile::values_stay_in_their_segments;
use crate::sample::Sample;

#[tokio::test]
async fn get_sends() {
    let api = Api::new();
    api.client.automation_executions().get("4711").await.unwrap();
    api.sent("GET /api/v1/automation_executions/4711");
}

#[tokio::test]
async fn get_keeps_values_in_their_segments() {
    values_stay_in_their_segments("GET /api/v1/automation_executions/{id}", |client, [id]| {
        client.automation_executions().get(id)
    })
    .await;
}

#[tokio::test]
async fn get_receives() {
    let api = Api::with_sample("automationExecutions.get");
    let reply = api.client.automation_executions().get("4711").await.unwrap();
    assert_eq!(json!(reply), Sample::of("automationExecutions.get").body);

    let execution = reply.automation_execution.unwrap();
    let mut described = model!(AutomationExecution {
        id: "4711",
        automation_template_id: "automation-1",
        duration: "12.5s",
        current_version: 3,
        is_draft: false,
        context: model!(AutomationContext {
            context: object(json!({ "user": { "id": "user-1" }, "tries": 2 }))
        }),
        created_at: at("2025-03-04T05:06:07Z"),
        updated_at: at("2025-03-04T05:06:18Z"),
        completed_at: at("2025-03-04T05:06:19.5Z"),
        deleted_at: at("2025-04-04T05:06:07Z")
    });
    assert_eq!(execution, described);

    let expanded = reply.expanded.unwrap();
    assert_eq!(expanded[0].r#type, text("type.example.com/Automation"));
    assert_eq!(expanded[0].additional_properties["enabled"], true);
    assert_eq!(expanded[1].additional_properties["emails"], json!(["ada@example.com"]));

    let view = reply.view.unwrap();
    assert_eq!(view.automation_path, text("$.expanded[0]"));
    assert_eq!(view.automation_execution_trigger_path, text("$.expanded[1]"));
    described.is_draft = Some(true);
    described.context = Some(model!(AutomationContext { context: object(json!({})) }));
    assert_eq!(view.automation_execution, Some(described));
}
