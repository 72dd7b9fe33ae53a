//! The bodies that are measured.

use std::iter;

use serde_json::{Value, json};

/// Returns a page of 100 users.
pub fn users() -> Vec<u8> {
    page((0..100).map(user))
}

/// Returns an automation with 60 steps of all kinds.
pub fn automation() -> Vec<u8> {
    let automation = json!({
        "automationSteps": (0..60).map(step).collect::<Value>(),
        "createdAt": "2024-03-01T09:30:15Z",
        "displayName": "Offboarding",
        "enabled": true,
        "id": "2Ft7aut0000000000000000001",
    });
    serde_json::to_vec(&automation).expect("values are JSON")
}

/// Returns 60 events of all kinds, whose first property is the tag.
pub fn events_by_first() -> Vec<u8> {
    events(|tag, properties| format!("{{{tag},{properties}}}"))
}

/// Returns 60 events of all kinds, whose last property is the tag.
pub fn events_by_last() -> Vec<u8> {
    events(|tag, properties| format!("{{{properties},{tag}}}"))
}

fn events(joined: impl Fn(&str, &str) -> String) -> Vec<u8> {
    let event = |number| {
        let (kind, value) = kind(number);
        let object = value.to_string();
        let properties =
            object.strip_prefix('{').and_then(|it| it.strip_suffix('}')).unwrap_or_default();
        joined(&format!(r#""type":"{kind}""#), properties)
    };
    let events: Vec<String> = (0..60).map(event).collect();
    format!(r#"{{"list":[{}]}}"#, events.join(",")).into_bytes()
}

/// Returns a page of 100 users with undescribed properties.
pub fn users_newer() -> Vec<u8> {
    page((0..100).map(|number| {
        let mut user = user(number);
        user["accountType"] = json!("ACCOUNT_TYPE_EMPLOYEE");
        user["riskScore"] = json!(number);
        user["location"] = json!({ "country": "PT", "office": "Lisbon" });
        user
    }))
}

fn page(list: impl Iterator<Item = Value>) -> Vec<u8> {
    let page = json!({ "list": list.collect::<Vec<_>>(), "nextPageToken": "b2Zmc2V0PTEwMA" });
    serde_json::to_vec(&page).expect("values are JSON")
}

fn user(number: u32) -> Value {
    let source = |value: &str| {
        json!([{
            "appId": id("app", number),
            "appUserId": id("usr", number),
            "appUserProfileAttributeKey": "profile.key",
            "userAttributeMappingId": id("map", number),
            "value": value,
            "priority": number % 7,
        }])
    };
    json!({
        "id": id("Jzx", number),
        "username": format!("user{number}"),
        "displayName": format!("Robin Example {number}"),
        "email": format!("robin.{number}@example.com"),
        "department": "Research and Development",
        "jobTitle": "Senior \"Staff\" Engineer",
        "employmentStatus": "active",
        "employmentType": "full-time",
        "status": "STATUS_ENABLED",
        "createdAt": "2024-03-01T09:30:15Z",
        "updatedAt": "2025-07-12T21:04:55Z",
        "directoryIds": [id("dir", number)],
        "emails": [format!("robin.{number}@example.com"), format!("r{number}@example.org")],
        "employeeIds": [format!("E-{number:05}")],
        "managerIds": ["2Ft7JzXjrTwg000000000000001"],
        "roleIds": ["2Ft7rol000000000000000001", "2Ft7rol000000000000000002"],
        "usernames": [format!("user{number}")],
        "profile": { "costCenter": number, "remote": true, "site": "Lisbon" },
        "departmentSources": source("Research and Development"),
        "emailSources": source("robin@example.com"),
        "jobTitleSources": source("Senior Staff Engineer"),
        "managerSources": source("2Ft7JzXjrTwg000000000000001"),
    })
}

fn step(number: u32) -> Value {
    let (kind, value) = kind(number);
    json!({ "stepName": format!("step-{number}"), "stepDisplayName": format!("Step {number}"), kind: value })
}

/// Returns one of all kinds of steps, with its name.
fn kind(number: u32) -> (&'static str, Value) {
    let user = json!({ "id": id("usr", number) });
    let entitlement = json!({ "appId": id("app", number), "id": id("ent", number) });
    match number % 6 {
        0 => (
            "callFunction",
            json!({ "args": { "user": "subject", "force": true }, "functionId": id("fun", number) }),
        ),
        1 => (
            "createRevokeTasks",
            json!({ "excludedAppEntitlementRefs": [entitlement, entitlement], "revokeAll": true, "userRef": user }),
        ),
        2 => (
            "sendEmail",
            json!({ "body": "Your access ends today.\nThank you.", "subject": "Goodbye", "userRefs": [user, user] }),
        ),
        3 => ("updateUser", json!({ "useSubjectUser": true, "userStatusCel": "'DISABLED'" })),
        4 => ("waitForDuration", json!({ "duration": "86400s" })),
        _ => (
            "webhook",
            json!({ "payload": { "event": "offboarded", "step": number }, "webhookId": id("web", number) }),
        ),
    }
}

/// Returns an id of 27 letters and digits, as the server writes them.
fn id(kind: &str, number: u32) -> String {
    const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut state = u64::from(number);
    let letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let index = (state >> 40) % 62;
        char::from(LETTERS[usize::try_from(index).unwrap_or_default()])
    };
    let letters: String = iter::repeat_with(letter).take(20).collect();
    format!("2Ft7{kind}{letters}")
}
