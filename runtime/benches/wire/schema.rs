//! The types that are measured: each once as emitted code has them, once with serde's derive, and once with derive and a
//! flattened map for undescribed properties.

/// Calls `$model`, `$open_enum` and `$group` with the description of every type.
macro_rules! schema {
    ($model:ident, $open_enum:ident, $group:ident) => {
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
        $model!(Ref { id: String = "id", app_id: String = "appId" });
        $model!(WaitForDuration { duration: String = "duration" });
        $model!(Webhook { payload: Map = "payload", webhook_id: String = "webhookId", webhook_id_cel: String = "webhookIdCel" });
        $model!(CallFunction { args: Map = "args", function_id: String = "functionId" });
        $model!(SendEmail {
            body: String = "body",
            subject: String = "subject",
            title: String = "title",
            use_subject_user: bool = "useSubjectUser",
            user_ids_cel: String = "userIdsCel",
            user_refs: Vec<Ref> = "userRefs",
        });
        $model!(RevokeTasks {
            app_entitlement_refs: Vec<Ref> = "appEntitlementRefs",
            excluded_app_entitlement_refs: Vec<Ref> = "excludedAppEntitlementRefs",
            revoke_all: bool = "revokeAll",
            use_subject_user: bool = "useSubjectUser",
            user_id_cel: String = "userIdCel",
            user_ref: Ref = "userRef",
        });
        $model!(UpdateUser {
            use_subject_user: bool = "useSubjectUser",
            user_id_cel: String = "userIdCel",
            user_ref: Ref = "userRef",
            user_status_cel: String = "userStatusCel",
        });
        $group!(
            Step {
                step_name: String = "stepName",
                step_display_name: String = "stepDisplayName",
                skip_if_true_cel: String = "skipIfTrueCel",
            }
            StepKind {
                call_function: CallFunction(CallFunction) = "callFunction",
                create_revoke_tasks: RevokeTasks(RevokeTasks) = "createRevokeTasks",
                send_email: SendEmail(SendEmail) = "sendEmail",
                update_user: UpdateUser(UpdateUser) = "updateUser",
                wait_for_duration: WaitForDuration(WaitForDuration) = "waitForDuration",
                webhook: Webhook(Webhook) = "webhook",
            }
        );
        $model!(Filter { cel_expression: String = "celExpression" });
        $model!(FunctionRef { commit_id: String = "commitId", function_id: String = "functionId" });
        $model!(CreditCards { flag_only: bool = "flagOnly" });
        $model!(LinkFilter { allowed_hosts: Vec<String> = "allowedHosts", block_images: bool = "blockImages" });
        $model!(Redaction { redact_fields: Vec<String> = "redactFields", replacement: String = "replacement" });
        $model!(SizeGuard { max_bytes: i64 = "maxBytes" });
        $group!(
            Pattern {}
            PatternKind {
                credit_cards: CreditCards(CreditCards) = "creditCardBlocking",
                link_filter: LinkFilter(LinkFilter) = "linkFilter",
                redaction: Redaction(Redaction) = "piiRedaction",
                size_guard: SizeGuard(SizeGuard) = "toolOutputSizeGuard",
            }
        );
        $model!(Hook {
            builtin_pattern: Pattern = "builtinPattern",
            created_at: Timestamp = "createdAt",
            deleted_at: Timestamp = "deletedAt",
            description: String = "description",
            display_name: String = "displayName",
            enabled: bool = "enabled",
            filter: Filter = "filter",
            function: FunctionRef = "function",
            id: String = "id",
            managed_by_guardrails: bool = "managedByGuardrails",
            priority: i32 = "priority",
            updated_at: Timestamp = "updatedAt",
        });
        $model!(Hooks { list: Vec<Hook> = "list", next_page_token: String = "nextPageToken" });
        $model!(Automation {
            automation_steps: Vec<Step> = "automationSteps",
            created_at: Timestamp = "createdAt",
            display_name: String = "displayName",
            enabled: bool = "enabled",
            id: String = "id",
        });
    };
}

pub mod wire {
    //! As emitted code has them.

    use access_governance_runtime as runtime;
    use runtime::{Map, Timestamp, UnknownProperties, UnknownUnion, UnknownValue};

    macro_rules! model {
        ($name:ident { $($field:ident: $type:ty = $member:literal),* $(,)? }) => {
            #[derive(Clone, Default)]
            pub struct $name {
                $(pub $field: Option<$type>,)*
                unknown: UnknownProperties,
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

    macro_rules! group {
        (
            $name:ident { $($field:ident: $type:ty = $member:literal),* $(,)? }
            $union:ident { $($choice:ident: $variant:ident($payload:ty) = $value:literal),* $(,)? }
        ) => {
            #[derive(Clone, Default)]
            pub struct $name {
                $(pub $field: Option<$type>,)*
                pub kind: Option<$union>,
                unknown: UnknownProperties,
            }

            #[derive(Clone)]
            pub enum $union {
                $($variant($payload),)*
                Unknown(UnknownUnion),
            }

            runtime::internal::object! { $name { $($field: $member,)* kind: .. } unknown }
            runtime::internal::union! { $union { $($variant($payload) = $value),* } }
        };
    }

    schema!(model, open_enum, group);
}

/// Declares the types with serde's derive, with `$rest` after the fields and `$other` for values that are not listed.
macro_rules! derived {
    (
        $(#[$doc:meta])* $module:ident, { $($rest:tt)* }, { $($other:tt)* }, $d:tt
    ) => {
        $(#[$doc])*
        pub mod $module {
            use access_governance_runtime::Map;
            use jiff::Timestamp;
            use serde::{Deserialize, Serialize};

            macro_rules! model {
                ($d name:ident { $d ($d field:ident: $d type:ty = $d member:literal),* $d (,)? }) => {
                    #[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
                    pub struct $d name {
                        $d (
                            #[serde(rename = $d member, skip_serializing_if = "Option::is_none")]
                            pub $d field: Option<$d type>,
                        )*
                        $($rest)*
                    }
                };
            }

            macro_rules! open_enum {
                ($d name:ident { $d ($d variant:ident = $d value:literal),* $d (,)? }) => {
                    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
                    pub enum $d name {
                        $d (
                            #[serde(rename = $d value)]
                            $d variant,
                        )*
                        $($other)*
                    }
                };
            }

            macro_rules! group {
                (
                    $d name:ident { $d ($d field:ident: $d type:ty = $d member:literal),* $d (,)? }
                    $d union:ident { $d ($d choice:ident: $d variant:ident($d payload:ty) = $d value:literal),* $d (,)? }
                ) => {
                    model!($d name { $d ($d field: $d type = $d member,)* $d ($d choice: $d payload = $d value),* });
                };
            }

            schema!(model, open_enum, group);
        }
    };
}

derived! {
    /// What is not described is lost.
    derived, { }, { #[serde(other)] Unknown }, $
}
derived! {
    /// A flattened map holds what is not described.
    flattened, { #[serde(flatten)] unknown: Map, }, { #[serde(untagged)] Unknown(String) }, $
}
