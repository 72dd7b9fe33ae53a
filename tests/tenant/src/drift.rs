//! A tenant that differs from the spec, as a newer one does.

use serde_json::{Value, json};

use crate::Tenant;
use crate::tenant::Outcome;

impl Tenant {
    /// Returns a tenant whose responses differ from the spec; docs/tenant.md lists the differences.
    #[must_use]
    pub fn drifting() -> Self {
        let mut tenant = Self::default();
        tenant.change = change;
        tenant
    }
}

fn change(line: &str, mut value: Value) -> Outcome {
    match line {
        "POST /api/v1/task/resource-action" => {
            let task = &mut value["taskView"]["task"];
            task["riskScore"] = json!(7);
            task["origin"] = json!("TASK_ORIGIN_AGENT");
        }
        "POST /api/v1/webhooks" => value["webhook"]["callbackTimeout"] = json!(30),
        line if line.ends_with("/clients/update") => value["client"]["authentication"] = json!({}),
        line if line.ends_with("/pause") => {
            return Err((409, "the connector is being synchronized".to_owned()));
        }
        _ => {}
    }
    Ok(value)
}
