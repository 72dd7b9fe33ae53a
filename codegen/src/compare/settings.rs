//! The texts of the report on values that no program names.

use crate::items::Setting;

const NEW_FORM: &str = "upgrade when the servers support the new form";

/// Returns the programs that a change of a setting affects, and the help text.
pub(super) fn reason_and_remedy(setting: Setting) -> [&'static str; 2] {
    match setting {
        Setting::TokenUrl => [
            "existing programs still compile, but send the client's secret or code to the new URL",
            "check that the new URL is trustworthy",
        ],
        Setting::AuthorizationUrl | Setting::DeviceUrl | Setting::DiscoveryUrl => [
            "existing programs still compile, but users log in at the new URL",
            "check that the new URL is trustworthy",
        ],
        Setting::Scopes => [
            "existing programs still compile, but request tokens with other scopes",
            "check that the client may have the new scopes",
        ],
        Setting::Variable | Setting::EnvPrefix => [
            "existing programs still compile, but `from_env` reads other environment variables",
            "set the new variables",
        ],
        Setting::RequestId => [
            "existing programs still compile, but find other identifiers in error messages",
            "check the identifiers in error reports",
        ],
        Setting::Default => [
            "existing programs still compile, but send requests to another server",
            "set the variable, or check that the new server is the right one",
        ],
        Setting::Wait => [
            "existing programs still compile, but waits end on another condition",
            "check the code that runs after the wait",
        ],
        Setting::IdempotencyKey => [
            "existing programs still compile, but calls are retried or recognized in another way",
            NEW_FORM,
        ],
        Setting::Mask | Setting::MediaType | Setting::PageToken | Setting::Sentinel => {
            ["existing programs still compile, but send or expect something else", NEW_FORM]
        }
    }
}
