//! The types that are measured: each once as emitted code has them, and once with serde's derive.

/// Calls `$model`, `$open_enum`, `$group` and `$tagged` with the description of every type.
macro_rules! schema {
    ($model:ident, $open_enum:ident, $group:ident, $tagged:ident) => {
        $open_enum!(Status { Enabled = "STATUS_ENABLED", Disabled = "STATUS_DISABLED", Deleted = "STATUS_DELETED" });
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
        $model!(Automation {
            automation_steps: Vec<Step> = "automationSteps",
            created_at: Timestamp = "createdAt",
            display_name: String = "displayName",
            enabled: bool = "enabled",
            id: String = "id",
        });
        $tagged!(Event {
            CallFunction(CallFunction) = "callFunction",
            RevokeTasks(RevokeTasks) = "createRevokeTasks",
            SendEmail(SendEmail) = "sendEmail",
            UpdateUser(UpdateUser) = "updateUser",
            WaitForDuration(WaitForDuration) = "waitForDuration",
            Webhook(Webhook) = "webhook",
        });
        $model!(Events { list: Vec<Event> = "list" });
    };
}

/// As emitted code has them.
pub mod wire {
    use openapi_bindings_runtime as runtime;
    use runtime::{Map, Timestamp, UnknownProperties, UnknownUnion, UnknownValue, UnknownVariant};

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
            runtime::internal::union! { $union { $($variant = $value),* } }
        };
    }

    macro_rules! tagged {
        ($name:ident { $($variant:ident($payload:ty) = $value:literal),* $(,)? }) => {
            #[derive(Clone)]
            pub enum $name {
                $($variant($payload),)*
                Unknown(UnknownVariant),
            }

            runtime::internal::choice! {
                $name { $($variant writes { "type" = $value }),* }
                object => tag "type" {
                    $($value => $variant,)*
                },
            }
        };
    }

    schema!(model, open_enum, group, tagged);
}

/// With serde's derive: undescribed properties are lost.
pub mod derived {
    use jiff::Timestamp;
    use openapi_bindings_runtime::Map;
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

    macro_rules! group {
        (
            $name:ident { $($field:ident: $type:ty = $member:literal),* $(,)? }
            $union:ident { $($choice:ident: $variant:ident($payload:ty) = $value:literal),* $(,)? }
        ) => {
            model!($name { $($field: $type = $member,)* $($choice: $payload = $value),* });
        };
    }

    macro_rules! tagged {
        ($name:ident { $($variant:ident($payload:ty) = $value:literal),* $(,)? }) => {
            #[derive(Clone, PartialEq, Serialize, Deserialize)]
            #[serde(tag = "type")]
            pub enum $name {
                $(
                    #[serde(rename = $value)]
                    $variant($payload),
                )*
            }
        };
    }

    schema!(model, open_enum, group, tagged);
}
