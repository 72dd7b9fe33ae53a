//! Values that try to leave their path segment.

use access_governance::{Error, ErrorKind};

use crate::api::Api;

/// Values, and the one segment that each of them is in a path (RFC 3986, section 2).
const VALUES: &[(&str, &str)] = &[
    ("a/b", "a%2Fb"),
    ("/", "%2F"),
    ("a b", "a%20b"),
    (" ", "%20"),
    ("100%", "100%25"),
    ("%2F", "%252F"),
    ("%2e%2e", "%252e%252e"),
    ("a?b=c&d", "a%3Fb%3Dc%26d"),
    ("a#b", "a%23b"),
    ("a+b", "a%2Bb"),
    ("a;b=c,d", "a%3Bb%3Dc%2Cd"),
    ("user:key@host:1", "user%3Akey%40host%3A1"),
    ("//host/a", "%2F%2Fhost%2Fa"),
    ("a\\b", "a%5Cb"),
    ("...", "..."),
    (".a", ".a"),
    ("../..", "..%2F.."),
    ("..;", "..%3B"),
    ("{id}", "%7Bid%7D"),
    ("{app_id}", "%7Bapp_id%7D"),
    ("\"<>'`|^[]", "%22%3C%3E%27%60%7C%5E%5B%5D"),
    ("!$&'()*=:@", "%21%24%26%27%28%29%2A%3D%3A%40"),
    ("AZaz09-._~", "AZaz09-._~"),
    ("Zürich", "Z%C3%BCrich"),
    ("部署", "%E9%83%A8%E7%BD%B2"),
    ("👩‍💻", "%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB"),
    ("\u{202e}\u{feff}", "%E2%80%AE%EF%BB%BF"),
    ("a\tb\r\nHost: c\r\n\r\n", "a%09b%0D%0AHost%3A%20c%0D%0A%0D%0A"),
    ("\0\u{1f}\u{7f}\u{80}", "%00%1F%7F%C2%80"),
];

/// Values that no path segment can be.
const IMPOSSIBLE: &[&str] = &["", ".", ".."];

/// A path of several parameters.
const PATH: &str = "GET /api/v2/apps/{app_id}/owners/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}";

const NAMES: [&str; 4] =
    ["app_id", "role_slug", "app_entitlement_ref_app_id", "app_entitlement_ref_id"];

/// Sends values, each for the parameter at its index.
async fn send(api: &Api, values: [&str; 4]) -> Result<(), Error> {
    let [app_id, role_slug, ref_app_id, ref_id] = values;
    let owners = api.client.entitlement_owners();
    owners.get(app_id, role_slug, ref_app_id, ref_id).await.map(drop)
}

/// Returns a value at one index, and plain ones beside it.
fn with(place: usize, value: &str) -> [&str; 4] {
    let mut values = ["plain-0", "plain-1", "plain-2", "plain-3"];
    values[place] = value;
    values
}

#[tokio::test]
async fn a_value_is_one_segment_whatever_it_holds() {
    let api = Api::new();
    let long = ("/ü".repeat(800), "%2F%C3%BC".repeat(800));
    for (value, segment) in VALUES.iter().copied().chain([(long.0.as_str(), long.1.as_str())]) {
        for place in 0..4 {
            send(&api, with(place, value)).await.unwrap();
            let filled = NAMES
                .iter()
                .zip(with(place, segment))
                .fold(PATH.to_owned(), |path, (name, segment)| {
                    path.replacen(&format!("{{{name}}}"), segment, 1)
                });
            assert_eq!(api.request().line(), filled, "{value:?}");
        }
    }
}

#[tokio::test]
async fn what_no_segment_can_be_is_not_sent() {
    let api = Api::new();
    for value in IMPOSSIBLE {
        for (place, name) in NAMES.iter().enumerate() {
            let error = send(&api, with(place, value)).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Request);
            assert!(error.to_string().contains(name), "{value:?}: {error}");
            assert!(api.requests().is_empty(), "{value:?} was sent");
        }
    }
}
