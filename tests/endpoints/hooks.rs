//! Hooks and their built-in patterns.

use access_governance::models::{HookBuiltinPattern, HookFilter, HookFunction};
use serde_json::json;

use crate::api::{Api, at, model, text, texts};
use crate::sample::Sample;

#[tokio::test]
async fn list_sends() {
    let api = Api::new();
    api.client.hooks().list().await.unwrap();
    api.sent("GET /api/v1/hooks");
    api.client.hooks().list().with_query("page_token", "hooks-2").await.unwrap();
    api.sent("GET /api/v1/hooks?page_token=hooks-2");
}

#[tokio::test]
async fn list_receives() {
    let api = Api::with_sample("hooks.list");
    let reply = api.client.hooks().list().await.unwrap();
    assert_eq!(json!(reply), Sample::of("hooks.list").body);
    assert_eq!(reply.next_page_token, text("hooks-2"));

    let hooks = reply.list.unwrap();
    assert_eq!(hooks[0].display_name, text("No card numbers in answers"));
    assert_eq!(
        (hooks[0].enabled, hooks[0].managed_by_guardrails, hooks[0].priority),
        (Some(true), Some(false), Some(10))
    );
    assert_eq!(
        hooks[0].filter,
        Some(model!(HookFilter { cel_expression: "tool.name == 'search'" }))
    );
    assert_eq!(
        hooks[0].function,
        Some(model!(HookFunction { commit_id: "commit-1", function_id: "function-1" }))
    );
    assert_eq!(hooks[0].updated_at, Some(at("2025-02-01T00:00:00Z")));

    let mut kinds = Vec::new();
    for hook in &hooks {
        kinds.push(match hook.builtin_pattern.as_ref().unwrap() {
            HookBuiltinPattern::BlockOutput(pattern) => {
                assert_eq!(pattern.message, text("Not for you"));
                assert_eq!(
                    pattern.surfaces,
                    Some(vec![json!("chat"), json!({ "kind": "mail" }), json!(3)])
                );
                "blockOutput"
            }
            HookBuiltinPattern::CreditCardBlocking(_) => "creditCardBlocking",
            HookBuiltinPattern::EncodedContentGuard(pattern) => {
                assert_eq!((pattern.min_base64_run, pattern.min_hex_run), (Some(40), Some(64)));
                "encodedContentGuard"
            }
            HookBuiltinPattern::LinkFilter(pattern) => {
                assert_eq!(
                    (&pattern.allowed_hosts, pattern.block_images),
                    (&texts(["docs.example.com"]), Some(true))
                );
                "linkFilter"
            }
            HookBuiltinPattern::PiiRedaction(pattern) => {
                assert_eq!(
                    (&pattern.redact_fields, &pattern.replacement),
                    (&texts(["email", "phone"]), &text("█"))
                );
                "piiRedaction"
            }
            HookBuiltinPattern::PromptInjectionScan(pattern) => {
                assert_eq!(pattern.flag_only, Some(false));
                "promptInjectionScan"
            }
            HookBuiltinPattern::QueryScopeLimit(pattern) => {
                assert_eq!((&pattern.fields, pattern.max_limit), (&texts(["limit"]), Some(100)));
                "queryScopeLimit"
            }
            HookBuiltinPattern::SecretsMasking(pattern) => {
                assert_eq!(pattern.additional_patterns, texts(["gw_[a-z0-9]+"]));
                "secretsMasking"
            }
            HookBuiltinPattern::SensitiveFileGuard(pattern) => {
                assert_eq!(pattern.blocked_patterns, texts(["*.pem", "id_*"]));
                "sensitiveFileGuard"
            }
            HookBuiltinPattern::ToolOutputSizeGuard(pattern) => {
                assert_eq!(pattern.max_bytes, Some(9_007_199_254_740_993));
                "toolOutputSizeGuard"
            }
            HookBuiltinPattern::WriteAuthorization(pattern) => {
                let hours = pattern.business_hours.as_ref().unwrap();
                assert_eq!(hours.days, Some(vec![1, 2, 3, 4, 5]));
                assert_eq!((&hours.start, &hours.end), (&text("08:00"), &text("18:00")));
                "writeAuthorization"
            }
            other => panic!("{other:?}"),
        });
    }
    kinds.dedup();
    assert_eq!(kinds.len(), 11, "{kinds:?}");
}
