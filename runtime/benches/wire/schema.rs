//! The types that are measured: each once as emitted code has them, once with serde's derive, and once with derive and a
//! flattened map that keeps what is not described.

/// Calls `$model` and `$open_enum` with the description of every type.
macro_rules! schema {
    ($model:ident, $open_enum:ident) => {
        $open_enum!(Status { Enabled = "STATUS_ENABLED", Disabled = "STATUS_DISABLED", Deleted = "STATUS_DELETED" });
        $open_enum!(Origin {
            Unspecified = "TASK_ORIGIN_UNSPECIFIED",
            ProfileMembershipAutomation = "TASK_ORIGIN_PROFILE_MEMBERSHIP_AUTOMATION",
            Chat = "TASK_ORIGIN_CHAT",
            Api = "TASK_ORIGIN_API",
            Ticketing = "TASK_ORIGIN_TICKETING",
            Assistant = "TASK_ORIGIN_ASSISTANT",
            Webapp = "TASK_ORIGIN_WEBAPP",
        });
        $open_enum!(Action {
            Close = "TASK_ACTION_TYPE_CLOSE",
            Approve = "TASK_ACTION_TYPE_APPROVE",
            Deny = "TASK_ACTION_TYPE_DENY",
            Comment = "TASK_ACTION_TYPE_COMMENT",
            Reassign = "TASK_ACTION_TYPE_REASSIGN",
            Restart = "TASK_ACTION_TYPE_RESTART",
        });
        $model!(Source {
            app_id: String = "appId",
            app_user_id: String = "appUserId",
            app_user_profile_attribute_key: String = "appUserProfileAttributeKey",
            user_attribute_mapping_id: String = "userAttributeMappingId",
            value: String = "value",
            priority: i32 = "priority",
        });
        $model!(User {
            id: String = "id",
            username: String = "username",
            display_name: String = "displayName",
            email: String = "email",
            department: String = "department",
            job_title: String = "jobTitle",
            employment_status: String = "employmentStatus",
            employment_type: String = "employmentType",
            delegated_user_id: String = "delegatedUserId",
            status: Status = "status",
            created_at: Timestamp = "createdAt",
            updated_at: Timestamp = "updatedAt",
            deleted_at: Timestamp = "deletedAt",
            directory_ids: Vec<String> = "directoryIds",
            emails: Vec<String> = "emails",
            employee_ids: Vec<String> = "employeeIds",
            manager_ids: Vec<String> = "managerIds",
            role_ids: Vec<String> = "roleIds",
            usernames: Vec<String> = "usernames",
            profile: Map = "profile",
            department_sources: Vec<Source> = "departmentSources",
            email_sources: Vec<Source> = "emailSources",
            job_title_sources: Vec<Source> = "jobTitleSources",
            manager_sources: Vec<Source> = "managerSources",
        });
        $model!(Users { list: Vec<User> = "list", next_page_token: String = "nextPageToken" });
        $model!(Task {
            actions: Vec<Action> = "actions",
            analysis_id: String = "analysisId",
            approver_ids: Vec<String> = "approverIds",
            comment_count: i32 = "commentCount",
            created_at: Timestamp = "createdAt",
            created_by_user_id: String = "createdByUserId",
            data: Map = "data",
            deleted_at: Timestamp = "deletedAt",
            description: String = "description",
            display_name: String = "displayName",
            emergency_access: bool = "emergencyAccess",
            id: String = "id",
            insight_ids: Vec<String> = "insightIds",
            origin: Origin = "origin",
            policy_generation_id: String = "policyGenerationId",
            score: f64 = "score",
        });
        $model!(TaskView {
            task: Task = "task",
            access_review_path: String = "accessReviewPath",
            app_path: String = "appPath",
            app_user_path: String = "appUserPath",
            approvers_path: String = "approversPath",
            created_by_user_path: String = "createdByUserPath",
            entitlements_path: String = "entitlementsPath",
            identity_user_path: String = "identityUserPath",
            insights_path: String = "insightsPath",
            step_approvers_path: String = "stepApproversPath",
            user_path: String = "userPath",
        });
        $model!(Tasks { list: Vec<TaskView> = "list", next_page_token: String = "nextPageToken" });
    };
}

pub mod wire {
    //! As emitted code has them.

    use access_governance_runtime as runtime;
    use runtime::{Map, Timestamp, UnknownMembers, UnknownValue};

    macro_rules! model {
        ($name:ident { $($field:ident: $type:ty = $member:literal),* $(,)? }) => {
            #[derive(Clone, Default, PartialEq)]
            pub struct $name {
                $(pub $field: Option<$type>,)*
                unknown: UnknownMembers,
            }

            runtime::internal::object! { $name { $($field: $member),* } unknown }
        };
    }

    macro_rules! open_enum {
        ($name:ident { $($variant:ident = $value:literal),* $(,)? }) => {
            #[derive(Clone, Debug, PartialEq, Eq, Hash)]
            pub enum $name {
                $($variant,)*
                Unknown(UnknownValue),
            }

            runtime::internal::open_enum! { $name { $($variant = $value),* } }
        };
    }

    schema!(model, open_enum);
}

pub mod derived {
    //! With serde's derive. What is not described is lost.

    use access_governance_runtime::{Map, Timestamp};
    use serde::{Deserialize, Serialize};

    macro_rules! model {
        ($name:ident { $($field:ident: $type:ty = $member:literal),* $(,)? }) => {
            #[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
            pub struct $name {
                $(
                    #[serde(rename = $member, skip_serializing_if = "Option::is_none")]
                    pub $field: Option<$type>,
                )*
            }
        };
    }

    macro_rules! open_enum {
        ($name:ident { $($variant:ident = $value:literal),* $(,)? }) => {
            #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
            pub enum $name {
                $(
                    #[serde(rename = $value)]
                    $variant,
                )*
                #[serde(other)]
                Unknown,
            }
        };
    }

    schema!(model, open_enum);
}

pub mod flattened {
    //! With serde's derive and a flattened map for what is not described.

    use access_governance_runtime::{Map, Timestamp};
    use serde::{Deserialize, Serialize};

    macro_rules! model {
        ($name:ident { $($field:ident: $type:ty = $member:literal),* $(,)? }) => {
            #[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
            pub struct $name {
                $(
                    #[serde(rename = $member, skip_serializing_if = "Option::is_none")]
                    pub $field: Option<$type>,
                )*
                #[serde(flatten)]
                unknown: Map,
            }
        };
    }

    macro_rules! open_enum {
        ($name:ident { $($variant:ident = $value:literal),* $(,)? }) => {
            #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
            pub enum $name {
                $(
                    #[serde(rename = $value)]
                    $variant,
                )*
                #[serde(untagged)]
                Unknown(String),
            }
        };
    }

    schema!(model, open_enum);
}
