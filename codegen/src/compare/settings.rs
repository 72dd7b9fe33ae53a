//! The texts of the report on values that no program names.

use crate::items::Setting;

/// Returns the programs that a change of a setting affects.
pub(super) fn reason(setting: Setting) -> &'static str {
    match setting {
        Setting::TokenUrl => {
            "existing programs still compile, but send the client's secret or code to the new URL"
        }
        Setting::AuthorizationUrl | Setting::DeviceUrl | Setting::DiscoveryUrl => {
            "existing programs still compile, but users log in at the new URL"
        }
        Setting::Scopes => "existing programs still compile, but request tokens with other scopes",
        Setting::Variable | Setting::EnvPrefix => {
            "existing programs still compile, but `from_env` reads other environment variables"
        }
        Setting::RequestId => {
            "existing programs still compile, but find other identifiers in error messages"
        }
        Setting::Default => "existing programs still compile, but send requests to another server",
        Setting::Mask => "existing programs still compile, but edits send another mask",
        Setting::Wait => "existing programs still compile, but waits end on another condition",
        Setting::IdempotencyKey => {
            "existing programs still compile, but calls are retried or recognized in another way"
        }
        Setting::Sentinel => "existing programs still compile, but streams end on another message",
        Setting::MediaType => "existing programs still compile, but ask for another media type",
        Setting::PageToken => {
            "existing programs still compile, but request further pages in another way"
        }
    }
}

/// Returns the help text for a changed setting.
pub(super) fn remedy(setting: Setting) -> &'static str {
    match setting {
        Setting::TokenUrl
        | Setting::AuthorizationUrl
        | Setting::DeviceUrl
        | Setting::DiscoveryUrl => "check that the new URL is trustworthy",
        Setting::Scopes => "check that the client may have the new scopes",
        Setting::Variable | Setting::EnvPrefix => "set the new variables",
        Setting::RequestId => "check the identifiers in error reports",
        Setting::Default => "set the variable, or check that the new server is the right one",
        Setting::Mask
        | Setting::PageToken
        | Setting::IdempotencyKey
        | Setting::Sentinel
        | Setting::MediaType => "upgrade when the servers support the new form",
        Setting::Wait => "check the code that runs after the wait",
    }
}
