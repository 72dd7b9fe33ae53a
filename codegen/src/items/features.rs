//! The cargo features.

use crate::ir::Api;

/// Features of every crate that belong together.
#[derive(Debug)]
pub struct Group {
    /// A comment for the manifest.
    pub comment: &'static str,
    /// The names of the features, each with the features that it enables.
    pub features: &'static [(&'static str, &'static [&'static str])],
}

/// The features of every crate.
pub const COMMON: [Group; 9] = [
    Group {
        comment: "The client, for any transport. Without it, the models remain, without HTTP: 17 packages in place of 100.",
        features: &[("client", &["runtime/client"])],
    },
    Group {
        comment: "The default transport, over reqwest.",
        features: &[("reqwest", &["client", "runtime/reqwest", "runtime/http2"])],
    },
    Group {
        comment: "TLS: rustls with ring, aws-lc-rs or Graviola, or the TLS library of the operating system. `tls-aws-lc-rs` \
                  and\n`tls-graviola` take precedence over `tls-ring`; `native-tls` is used only without the others.",
        features: &[
            ("tls-ring", &["client", "runtime/tls-ring"]),
            ("tls-aws-lc-rs", &["client", "runtime/tls-aws-lc-rs"]),
            ("tls-graviola", &["client", "runtime/tls-graviola"]),
            ("native-tls", &["client", "runtime/native-tls"]),
        ],
    },
    Group {
        comment: "Compressed responses: gzip, brotli, deflate.",
        features: &[("compression", &["client", "runtime/compression"])],
    },
    Group {
        comment: "`send_blocking()` on every request.",
        features: &[("blocking", &["client", "runtime/blocking"])],
    },
    Group {
        comment: "`runtime::testing`: a fake transport for tests, and one that replays a recording.",
        features: &[("test-util", &["client", "runtime/test-util"])],
    },
    Group {
        comment: "`ClientBuilder::record`: requests and responses in a file, without secrets.",
        features: &[("record", &["client", "runtime/record"])],
    },
    Group {
        comment: "tower services as transports.",
        features: &[("tower", &["client", "runtime/tower"])],
    },
    Group { comment: "`uuid::Uuid` as a parameter.", features: &[("uuid", &["runtime/uuid"])] },
];

/// The name of the feature of logins.
pub const LOGIN: &str = "login";

/// The feature of crates whose documents have a flow by which users log in.
const LOGINS: Group =
    Group { comment: "Logins of users.", features: &[(LOGIN, &["client", "runtime/login"])] };

/// The feature of crates whose documents have the client credentials grant of OAuth 2.0.
const KEYS: Group = Group {
    comment: "Private keys in place of client secrets.",
    features: &[("jwk", &["client", "runtime/jwk"])],
};

/// The feature of crates whose requests or replies can be files.
pub const FILES: Group = Group {
    comment: "Files: `runtime::Upload::from_path` and `runtime::ByteStream::save`.",
    features: &[("fs", &["client", "runtime/fs"])],
};

/// Returns the groups of features of a crate, without the features of its resources.
pub fn groups(api: &Api) -> impl Iterator<Item = &'static Group> {
    let schemes = &api.credentials.schemes;
    let has_clients = schemes.iter().any(|scheme| scheme.client_credentials.is_some());
    let has_logins = schemes.iter().any(|scheme| scheme.login.is_some());
    let keys = has_clients.then_some(&KEYS);
    let logins = has_logins.then_some(&LOGINS);
    let files = api.has_files().then_some(&FILES);
    COMMON.iter().chain(keys).chain(logins).chain(files)
}

/// The name of the feature of all resources.
pub const OPERATIONS: &str = "operations";

/// Returns the features that are on by default.
pub fn default(api: &Api) -> Vec<&'static str> {
    let operations = (!of_resources(api).is_empty()).then_some(OPERATIONS);
    ["reqwest", "tls-ring"].into_iter().chain(operations).collect()
}

/// Returns the features of the resources, in a crate with many operations.
pub fn of_resources(api: &Api) -> Vec<&str> {
    let mut features: Vec<&str> =
        api.resources.iter().filter_map(|resource| resource.feature.as_deref()).collect();
    features.sort_unstable();
    features.dedup();
    features
}
