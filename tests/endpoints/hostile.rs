//! Values that try to leave their path segment.

use std::array;

use access_governance::runtime::ErrorKind;
use access_governance::{Client, Error};

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

/// Checks that whatever stands for one of the path parameters of an operation, such as `GET /apps/{app_id}/owners`,
/// becomes one segment of the path and nothing else; and that what no segment can be fails before anything is sent.
pub async fn values_stay_in_their_segments<const N: usize, R, T>(
    operation: &str,
    call: impl Fn(&Client, [&str; N]) -> R,
) where
    R: IntoFuture<Output = Result<T, Error>>,
{
    let api = Api::new();
    let names: Vec<_> = operation
        .split('/')
        .filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
        .collect();
    assert_eq!(names.len(), N, "{operation}");

    let long = ("/ü".repeat(800), "%2F%C3%BC".repeat(800));
    let values = VALUES.iter().copied().chain([(long.0.as_str(), long.1.as_str())]);
    for (value, segment) in values {
        for place in 0..N {
            let (values, segments) = with(place, value, segment);
            call(&api.client, values.each_ref().map(String::as_str)).await.unwrap();
            assert_eq!(api.request().line(), filled(operation, &names, &segments), "{value:?}");
        }
        call(&api.client, [value; N]).await.unwrap();
        let everywhere = filled(operation, &names, &[segment; N]);
        assert_eq!(api.request().line(), everywhere, "{value:?}");
    }

    for value in IMPOSSIBLE {
        for (place, name) in names.iter().enumerate() {
            let (values, _) = with::<N>(place, value, "");
            let Err(error) = call(&api.client, values.each_ref().map(String::as_str)).await else {
                panic!("{name} can be {value:?}")
            };
            assert_eq!(error.kind(), ErrorKind::Request);
            let parameter =
                [format!("path parameter `{name}`"), format!("path parameter in `{{{name}}}`")];
            assert!(
                parameter.iter().any(|parameter| error.to_string().contains(parameter)),
                "{name} = {value:?}: {error}"
            );
            assert!(api.requests().is_empty(), "{name} = {value:?} was sent");
        }
    }
}

/// Returns one value and plain ones beside it, and the segments of a path that they are.
fn with<const N: usize>(place: usize, value: &str, segment: &str) -> ([String; N], [String; N]) {
    let beside = |index| format!("plain-{index}");
    let either = |one: &str| {
        array::from_fn(|index| if index == place { one.to_owned() } else { beside(index) })
    };
    (either(value), either(segment))
}

/// Returns an operation with segments in place of the names of its parameters.
fn filled(operation: &str, names: &[&str], segments: &[impl AsRef<str>]) -> String {
    let parts = operation.split('/').map(|part| {
        let name = names.iter().position(|name| part == format!("{{{name}}}"));
        name.map_or(part, |index| segments[index].as_ref())
    });
    parts.collect::<Vec<_>>().join("/")
}
