//! An emitted client sends exactly the credentials that an operation needs: the operations of `cases/combinations` are
//! called with every subset of its credentials, and what a server receives is compared with a table.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use codegen::{Source, SourceFile};
use fake_tenant::server::bytes;
use fake_tenant::{Act, Seen, Server};

use crate::support::case::Case;
use crate::support::workspace::Workspace;

const MANIFEST: &str = "[package]\nname = \"calls\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
    case-combinations = { path = \"../combinations\", default-features = false, features = [\"client\"] }\n\
    tokio = { version = \"1\", default-features = false, features = [\"macros\", \"rt\"] }\n";

/// The schemes that the program can give credentials of, in the order of the bits of its subsets, with the header that
/// they are sent in; `?` is the query.
const SENT: [(&str, &str, &str); 10] = [
    ("header", "x-key", "header k3y"),
    ("other", "x-other-key", "other-k3y"),
    ("query", "?", "api%20key=query%26k3y"),
    ("cookie", "cookie", "session=cookie-k3y"),
    ("basic", "authorization", "Basic bWU6cGFzc3cwcmQ="),
    ("bearer", "authorization", "Bearer b3arer"),
    ("digest", "authorization", "Digest username=\"me\""),
    ("service", "authorization", "Bearer iss7ed"),
    ("user", "authorization", "Bearer us3r"),
    ("openid", "authorization", "Bearer op3nid"),
];

/// The operations with their sets of schemes, one of which is needed. Schemes of a set are sorted, as errors list them.
const NEEDED: [(&str, &[&[&str]]); 19] = [
    ("default", &[&["service"], &["openid"]]),
    ("none", &[&[]]),
    ("optional", &[&[], &["header"]]),
    ("header", &[&["header"]]),
    ("query", &[&["query"]]),
    ("cookie", &[&["cookie"]]),
    ("basic", &[&["basic"]]),
    ("bearer", &[&["bearer"]]),
    ("digest", &[&["digest"]]),
    ("service", &[&["service"]]),
    ("user", &[&["user"]]),
    ("openid", &[&["openid"]]),
    ("pair", &[&["header", "other"]]),
    ("everywhere", &[&["basic", "cookie", "header", "query"]]),
    ("either", &[&["header"], &["query"]]),
    ("more", &[&["header"], &["header", "query"], &["cookie"]]),
    ("mixed", &[&["basic", "header"], &["bearer"], &["cookie", "other", "query"]]),
    // Both are sent in `Authorization`, so they are alternatives.
    ("one_place", &[&["basic", "query"], &["bearer", "query"]]),
    ("certificate", &[&["certificate", "header"], &["certificate"], &["digest", "other"]]),
];

/// Headers of every request.
const ALWAYS: [&str; 4] = ["accept", "content-length", "host", "user-agent"];

#[test]
#[ignore = "part of `cargo ci --all`: it compiles a program that makes the calls"]
fn every_subset_of_credentials_sends_what_the_operation_needs() {
    let server = Server::new(|_, seen| {
        let token = r#"{"access_token":"iss7ed","expires_in":3600}"#;
        let body = if seen.target == "/token" { token } else { "" };
        Act::Close(bytes(200, &[], body))
    });
    let address = server.url().replace("http://", "");
    let errors = called(&address);
    let (tokens, calls): (Vec<_>, Vec<_>) =
        server.take().into_iter().partition(|seen| seen.target == "/token");
    let mut calls: BTreeMap<String, Seen> = calls
        .into_iter()
        .map(|seen| (seen.target.split('?').next().unwrap().to_owned(), seen))
        .collect();
    for subset in 0..1 << SENT.len() {
        let given = (0..SENT.len()).filter(|bit| subset >> bit & 1 == 1).map(|bit| SENT[bit].0);
        // A transport other than the default one may have a certificate.
        let given: BTreeSet<&str> = given.chain(["certificate"]).collect();
        for (operation, sets) in NEEDED {
            let path = format!("/{subset}/{}", operation.replace('_', "-"));
            let seen = calls.remove(&path).map(|seen| received(&seen));
            let error = errors.get(&(subset, operation.to_owned()));
            let satisfied = sets.iter().filter(|set| set.iter().all(|key| given.contains(key)));
            // Of equally large ones, the first.
            let chosen = satisfied.rev().max_by_key(|set| set.len());
            let about = format!("`{operation}` with {given:?}");
            if let Some(set) = chosen {
                assert_eq!(seen, Some(sent(set)), "{about}: {error:?}");
            } else {
                assert_eq!(seen, None, "{about} sends nothing");
                let error = error.unwrap_or_else(|| panic!("{about} does not fail"));
                assert!(error.ends_with(&missing(sets, &given)), "{about}: {error}");
            }
        }
    }
    assert!(calls.is_empty(), "{calls:?}");
    // One for each client that has them: the token is cached.
    assert_eq!(tokens.len(), 1 << (SENT.len() - 1));
    for seen in tokens {
        assert_eq!(seen.headers["host"], "acme.pets.example");
        let expected = [("content-type", "application/x-www-form-urlencoded")];
        assert_eq!(received(&seen), owned(expected));
        assert_eq!(
            seen.body,
            "grant_type=client_credentials&client_id=service&client_secret=s3cret&scope=read"
        );
    }
}

/// A document that does not say which operations need credentials may mean all of them together, as Billbee's does.
#[test]
fn without_requirements_the_schemes_that_fit_into_one_request_are_sent() {
    let operations = |count: usize| {
        let key = |index| format!("key{index}: {{type: apiKey, in: header, name: X-{index}}}");
        let keys: Vec<String> = (0..count).map(key).collect();
        let keys = keys.join(", ");
        let text = format!(
            "openapi: 3.1.1\ninfo: {{title: Pets, version: '1'}}\n\
             paths: {{/pets: {{get: {{operationId: pets, responses: {{'204': {{description: Done.}}}}}}}}}}\n\
             components: {{securitySchemes: {{basic: {{type: http, scheme: basic}}, \
             bearer: {{type: http, scheme: bearer}}, {keys}}}}}\n"
        );
        let source = Source { name: "openapi.yaml".to_owned(), text };
        let output = Case { name: "pets".to_owned(), source }.output();
        let api = output.files.into_iter().find(|file| file.path == "api.txt").unwrap().text;
        let line = api.lines().find_map(|line| line.split_once("\"pets\" with "));
        line.unwrap().1.to_owned()
    };
    assert_eq!(
        operations(1),
        "basic + api_key or bearer_token + api_key or basic or bearer_token or api_key or nothing"
    );
    // The number of sets has a bound.
    assert!(operations(200).matches(" or ").count() < 300);
}

/// Runs the calls, and returns their errors by the number of the subset and the operation.
fn called(address: &str) -> BTreeMap<(usize, String), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let case = Case::read(&folder.join("cases/combinations/openapi.yaml"));
    let file = |path: &str, text: &str| SourceFile { path: path.to_owned(), text: text.to_owned() };
    let program = include_str!("credentials/program.rs.in");
    let mut workspace = Workspace::new("credentials");
    workspace.add("combinations", &case.output().files);
    let transport = include_str!("support/transport.rs.in");
    let files = [
        file("Cargo.toml", MANIFEST),
        file("src/main.rs", program),
        file("src/transport.rs", transport),
    ];
    workspace.add("calls", &files);
    workspace.finish();
    let output = workspace.output(&["run", "--quiet", "--package", "calls", "--", address]);
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
    let errors = String::from_utf8(output.stdout).unwrap();
    let errors = errors.lines().map(|line| {
        let (call, error) = line.split_once(": ").unwrap();
        let (subset, operation) = call.split_once(' ').unwrap();
        ((subset.parse().unwrap(), operation.to_owned()), error.to_owned())
    });
    errors.collect()
}

/// Returns all that a request has for itself: its headers, and the query as `?`.
fn received(seen: &Seen) -> BTreeMap<String, String> {
    let headers = seen
        .headers
        .iter()
        .filter(|(name, _)| !ALWAYS.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()));
    let query = seen.target.split_once('?').map(|(_, query)| ("?".to_owned(), query.to_owned()));
    headers.chain(query).collect()
}

/// Returns the credentials that are sent for a set of schemes.
fn sent(set: &[&str]) -> BTreeMap<String, String> {
    let in_set = SENT.iter().filter(|(key, ..)| set.contains(key));
    owned(in_set.map(|(_, name, value)| (*name, *value)))
}

fn owned<'t>(pairs: impl IntoIterator<Item = (&'t str, &'t str)>) -> BTreeMap<String, String> {
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Returns the end of the error of an operation without credentials.
fn missing(sets: &[&[&str]], given: &BTreeSet<&str>) -> String {
    let named = |methods: &mut dyn Iterator<Item = &&str>| {
        let methods = methods.map(|key| if *key == "certificate" { "identity" } else { key });
        methods.map(|method| format!("`{method}`")).collect::<Vec<_>>().join(" and ")
    };
    let sets: Vec<_> = sets.iter().map(|set| named(&mut set.iter())).collect();
    let needed = sets.join(", or ");
    let given = named(&mut given.iter());
    format!(
        "the operation needs credentials: call {needed} of the client's builder; it has {given}"
    )
}
