//! Results of custom role-mining analyses.

use access_governance::models::{CustomAnalysisResult, ProfileFilter};
use serde_json::json;

use crate::api::{Api, at, model, text};
use crate::sample::Sample;

#[tokio::test]
async fn list_custom_analysis_results_sends() {
    let api = Api::new();
    api.client.role_mining().list_custom_analysis_results().await.unwrap();
    api.sent("GET /api/v1/role-mining/custom-analysis");
    api.client
        .role_mining()
        .list_custom_analysis_results()
        .with_query("page_token", "analyses-2")
        .await
        .unwrap();
    api.sent("GET /api/v1/role-mining/custom-analysis?page_token=analyses-2");
}

#[tokio::test]
async fn list_custom_analysis_results_receives() {
    let api = Api::with_sample("roleMining.listCustomAnalysisResults");
    let reply = api.client.role_mining().list_custom_analysis_results().await.unwrap();
    assert_eq!(json!(reply), Sample::of("roleMining.listCustomAnalysisResults").body);
    assert_eq!(reply.next_page_token, text("analyses-2"));
    let failed = model!(CustomAnalysisResult {
        id: "analysis-2",
        error_message: "the cohort is empty",
        cohort_size: 0,
        suggestions_generated: 0,
        created_at: at("2025-03-04T05:06:07Z"),
        completed_at: at("2025-03-04T05:07:00Z"),
        profile_filters: [
            model!(ProfileFilter { attribute: "department", values: ["Sales"].map(String::from) }),
            model!(ProfileFilter {
                attribute: "jobTitle",
                values: ["Clerk", "Buyer"].map(String::from)
            }),
        ]
    });
    let done = model!(CustomAnalysisResult {
        id: "analysis-1",
        cohort_size: 120,
        suggestions_generated: 7,
        profile_filters: Vec::<ProfileFilter>::new()
    });
    assert_eq!(reply.list, Some(vec![failed, done]));
}
