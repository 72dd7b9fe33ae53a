//! Related objects of tasks.

use serde_json::{Value, json};

/// Adds the related objects that are asked for, and the paths to them. Properties of the view are named after the
/// objects.
pub(crate) fn expand(reply: &mut Value, paths: &Value) {
    let is_wanted = |name: &str| {
        let mut wanted = paths.as_array().into_iter().flatten();
        wanted.any(|path| path == "*" || path == name)
    };
    let mut expanded = Vec::new();
    for (name, ty, properties, count) in RELATED {
        for property in *properties {
            let first = expanded.len();
            if is_wanted(name) {
                expanded.extend((0..*count).map(|number| {
                    json!({ "@type": format!("type.example.com/{ty}"), "id": format!("{name}-{number}") })
                }));
            }
            let indices: Vec<_> = (first..expanded.len()).map(|index| index.to_string()).collect();
            let path = json!(format!("$.expanded[{}]", indices.join(",")));
            if let Some(view) = reply["taskView"].as_object_mut() {
                view.remove(*property);
                view.extend((!indices.is_empty()).then(|| ((*property).to_owned(), path)));
            }
        }
    }
    reply["expanded"] = json!(expanded);
}

/// The paths of the expand mask: the type of the objects, the properties with their positions, and their number.
const RELATED: &[(&str, &str, &[&str], usize)] = &[
    ("access_review_id", "AccessReview", &["accessReviewPath"], 1),
    ("user_id", "User", &["userPath"], 1),
    ("created_by_user_id", "User", &["createdByUserPath"], 1),
    ("app_id", "App", &["appPath"], 1),
    ("app_user_id", "AppUser", &["appUserPath"], 1),
    ("app_entitlement_ids", "AppEntitlement", &["entitlementsPath"], 2),
    ("step_approver_ids", "User", &["stepApproversPath"], 3),
    ("approver_ids", "User", &["approversPath"], 2),
    ("identity_user_id", "User", &["identityUserPath"], 1),
    ("insight_ids", "Insight", &["insightsPath"], 2),
    ("app_user_last_usage", "Timestamp", &["appUserLastUsagePath"], 1),
    ("entitlement_scope_bindings", "EntitlementScopeBindingList", &["resourceBindingsPath"], 1),
    ("scope_role_resources", "AppResource", &["roleResourcePath", "scopeResourcePath"], 1),
    ("resource", "AppResource", &["principalResourcePath"], 1),
];
