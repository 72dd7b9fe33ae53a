//! Logins on another device.

use std::time::Duration;

use super::{call, error, forms, login, token};
use crate::support::clock::TestClock;
use crate::support::server::{Server, json, response};

const DEVICE: &str = r#"{"device_code":"d3vice","user_code":"WDJB-MJHT",
    "verification_uri":"https://login.example/device","expires_in":1800,"interval":5}"#;

#[tokio::test]
async fn a_device_login_waits_and_slows_down() {
    let server = Server::new(|number, seen| match (seen.target.as_str(), number) {
        ("/device", _) => json(200, DEVICE),
        (_, 1 | 4) => error("authorization_pending"),
        (_, 2) => error("slow_down"),
        (_, 3) => json(503, "busy"),
        ("/token", _) => token(1),
        _ => json(200, "{}"),
    });
    let clock = TestClock::new();
    let device = login(&server, &clock).scope("read").device().await.unwrap();
    assert_eq!(server.seen()[0].body, "client_id=app&scope=read");
    assert_eq!(device.user_code(), "WDJB-MJHT");
    assert_eq!(device.verification_uri(), "https://login.example/device");
    assert!(!format!("{device:?}").contains("d3vice"));
    let session = device.wait().await.unwrap();
    let pauses: Vec<u64> = clock.pauses().iter().map(Duration::as_secs).collect();
    assert_eq!(pauses, [5, 5, 10, 20, 20]);
    let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code\
                &device_code=d3vice&client_id=app";
    assert!(forms(&server).iter().all(|sent| sent == form));
    assert_eq!(call(&server, &session, &clock).await, "Bearer t1");
}

#[tokio::test]
async fn a_device_login_ends_if_it_is_refused_or_expires() {
    for (code, why, requests) in [
        ("access_denied", "access_denied", 2),
        ("expired_token", "expired_token", 2),
        ("authorization_pending", "before the code expired", 12),
    ] {
        let server = Server::new(move |_, seen| match seen.target.as_str() {
            "/device" => json(200, &DEVICE.replace("1800", "60")),
            _ => error(code),
        });
        let device = login(&server, &TestClock::new()).device().await.unwrap();
        let error = device.wait().await.unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
        assert_eq!(server.seen().len(), requests, "{code}");
    }
}

#[tokio::test]
async fn a_device_login_pauses_for_a_second_at_least() {
    for (interval, expected) in [
        ("0", 1),
        ("0.5", 1),
        ("1.01", 2),
        ("\"7\"", 7),
        ("-5", 5),
        ("-0.1", 5),
        ("1e300", 5),
        ("1800", 5),
        ("null", 5),
        ("\"soon\"", 5),
        ("\"NaN\"", 5),
    ] {
        let answer = DEVICE.replace("\"interval\":5", &format!("\"interval\":{interval}"));
        let server = Server::new(move |number, seen| match (seen.target.as_str(), number) {
            ("/device", _) => json(200, &answer),
            (_, 1) => error("authorization_pending"),
            _ => token(1),
        });
        let clock = TestClock::new();
        login(&server, &clock).device().await.unwrap().wait().await.unwrap();
        let pauses: Vec<u64> = clock.pauses().iter().map(Duration::as_secs).collect();
        assert_eq!(pauses, [expected, expected], "{interval}");
    }
}

#[tokio::test]
async fn transient_failures_are_backed_off_up_to_a_minute() {
    let answer = DEVICE.replace("\"interval\":5", "\"interval\":0");
    let server = Server::new(move |number, seen| match (seen.target.as_str(), number) {
        ("/device", _) => json(200, &answer),
        (_, 1..=8) => json(503, "busy"),
        _ => token(1),
    });
    let clock = TestClock::new();
    login(&server, &clock).device().await.unwrap().wait().await.unwrap();
    let pauses: Vec<u64> = clock.pauses().iter().map(Duration::as_secs).collect();
    assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
}

#[tokio::test]
async fn a_device_login_pauses_for_as_long_as_it_is_asked_to_up_to_a_minute() {
    let server = Server::new(|number, seen| match (seen.target.as_str(), number) {
        ("/device", _) => json(200, DEVICE),
        (_, 1) => response(429, &[("retry-after", "30")], ""),
        (_, 2) => error("authorization_pending"),
        (_, 3) => response(503, &[("retry-after", "3600")], ""),
        _ => token(1),
    });
    let clock = TestClock::new();
    login(&server, &clock).device().await.unwrap().wait().await.unwrap();
    let pauses: Vec<u64> = clock.pauses().iter().map(Duration::as_secs).collect();
    assert_eq!(pauses, [5, 30, 10, 60]);
}

#[tokio::test]
async fn what_a_device_login_shows_can_be_printed_and_opened() {
    let begun = |name: &'static str, value: &'static str| async move {
        let mut answer: serde_json::Value = serde_json::from_str(DEVICE).unwrap();
        answer[name] = value.into();
        let answer = answer.to_string();
        let server = Server::new(move |_, _| json(200, &answer));
        login(&server, &TestClock::new()).device().await
    };
    let device = begun("user_code", "\u{1b}[2JAB\u{202e}CD\u{7}\n").await.unwrap();
    assert_eq!(device.user_code(), " [2JAB\\u{202e}CD  ");
    for name in ["verification_uri", "verification_uri_complete"] {
        for value in [
            "javascript:alert(1)",
            "file:///etc/passwd",
            "https://login.example/\u{1b}[2J",
            "https://login.example/\u{202e}",
            "https://login.example/a b",
            "login.example/device",
            "https://",
        ] {
            let error = begun(name, value).await.unwrap_err().to_string();
            assert!(error.contains("not an http or https URL"), "{value}: {error}");
            assert!(!error.contains(value), "{error}");
        }
    }
    let complete = "https://login.example/device?user_code=WDJB-MJHT";
    let device = begun("verification_uri_complete", complete).await.unwrap();
    assert_eq!(device.verification_uri_complete(), Some(complete));
}
