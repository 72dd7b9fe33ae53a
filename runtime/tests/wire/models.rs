//! Models as emitted code has them.

use std::collections::BTreeMap;

use access_governance_runtime as runtime;
use runtime::{Map, Secret, Timestamp, UnknownProperties, UnknownUnion, UnknownValue, Value};

#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Task {
    pub id: String,
    pub owner: User,
    pub actions: Option<Vec<Action>>,
    pub numeric_id: Option<i64>,
    pub size: Option<u64>,
    pub counts: Option<Vec<i64>>,
    pub totals: Option<BTreeMap<String, u64>>,
    pub data: Option<Map>,
    pub anything: Option<Value>,
    pub created_at: Option<Timestamp>,
    pub reminders: Option<Vec<Timestamp>>,
    pub deadlines: Option<BTreeMap<String, Timestamp>>,
    pub score: Option<f64>,
    pub ratio: Option<f32>,
    pub level: Option<i32>,
    pub limit: Option<u32>,
    pub urgent: Option<bool>,
    pub grid: Option<Vec<Vec<f64>>>,
    pub names: Option<Vec<Option<String>>>,
    pub parent: Option<Box<Task>>,
    pub children: Option<Vec<Task>>,
    pub kind: Option<Kind>,
    pub policy: Option<Policy>,
    pub policies: Option<Vec<Policy>>,
    pub token: Option<Secret<String>>,
    pub settings: Option<Secret<Map>>,
    pub labels: Option<Labels>,
    pub limits: Option<Limits>,
    pub window: Option<Window>,
    pub(crate) unknown: UnknownProperties,
}

runtime::internal::object! {
    Task {
        id!: "id" readonly,
        owner!: "owner",
        actions: "actions",
        numeric_id: "numericId" as text readonly,
        size: "size" as text,
        counts: "counts" as text,
        totals: "totals" as text,
        data: "data",
        anything: "anything",
        created_at: "createdAt",
        reminders: "reminders",
        deadlines: "deadlines",
        score: "score",
        ratio: "ratio",
        level: "level",
        limit: "limit",
        urgent: "urgent",
        grid: "grid",
        names: "names",
        parent: "parent",
        children: "children",
        kind: ..,
        policy: "policy",
        policies: "policies",
        token: "token",
        settings: "settings",
        labels: "labels",
        limits: "limits",
        window: "window",
    }
    unknown
}

#[derive(Clone, Default)]
#[non_exhaustive]
pub struct User {
    pub name: Option<String>,
    pub seen_at: Option<Timestamp>,
    pub(crate) unknown: UnknownProperties,
}

runtime::internal::object! {
    User {
        name: "name",
        seen_at: "seenAt" readonly,
    }
    unknown
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    Close,
    Approve,
    Deny,
    Unknown(UnknownValue),
}

runtime::internal::open_enum! {
    Action {
        Close = "ACTION_CLOSE",
        Approve = "ACTION_APPROVE",
        Deny = "ACTION_DENY",
    }
}

/// The flattened union of [`Task`].
#[derive(Clone)]
#[non_exhaustive]
pub enum Kind {
    Wait(Wait),
    Run(Box<Task>),
    Until(Timestamp),
    Times(i64),
    Unknown(UnknownUnion),
}

runtime::internal::union! {
    Kind {
        Wait(Wait) = "wait",
        Run(Box<Task>) = "run",
        Until(Timestamp) = "until",
        Times(i64) = "times" as text,
    }
}

/// A union that is not flattened.
#[derive(Clone)]
#[non_exhaustive]
pub enum Policy {
    Manual(Wait),
    Automatic(Map),
    After(Timestamp),
    Before(Timestamp),
    Unknown(UnknownUnion),
}

runtime::internal::union! {
    Policy {
        Manual(Wait) = "manual",
        Automatic(Map) = "automatic",
        After(Timestamp) = "after",
        Before(Timestamp) = "before",
    }
}

#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Wait {
    pub duration: Option<String>,
    pub users: Option<Vec<User>>,
    pub(crate) unknown: UnknownProperties,
}

runtime::internal::object! {
    Wait {
        duration: "duration",
        users: "users",
    }
    unknown
}

/// Its additional properties are free-form.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Labels {
    pub type_: Option<String>,
    pub additional_properties: Map,
    pub(crate) unknown: UnknownProperties,
}

runtime::internal::object! {
    Labels {
        type_: "@type",
    }
    additional: additional_properties
}

/// Its additional properties have a type.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Limits {
    pub until: Option<Timestamp>,
    pub additional_properties: BTreeMap<String, i64>,
    pub(crate) unknown: UnknownProperties,
}

runtime::internal::object! {
    Limits {
        until: "until",
    }
    additional: additional_properties as text
}

/// It has two flattened unions.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Window {
    pub open: Option<Opening>,
    pub close: Option<Closing>,
    pub(crate) unknown: UnknownProperties,
}

runtime::internal::object! {
    Window {
        open: .. readonly,
        close: ..,
    }
    unknown
}

#[derive(Clone)]
#[non_exhaustive]
pub enum Opening {
    At(Timestamp),
    When(User),
    Unknown(UnknownUnion),
}

runtime::internal::union! {
    Opening {
        At(Timestamp) = "openAt",
        When(User) = "openWhen",
    }
}

#[derive(Clone)]
#[non_exhaustive]
pub enum Closing {
    At(Timestamp),
    Never(User),
    Unknown(UnknownUnion),
}

runtime::internal::union! {
    Closing {
        At(Timestamp) = "closeAt",
        Never(User) = "closeNever",
    }
}
