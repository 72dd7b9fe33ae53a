//! Clients that authenticate by private keys.

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD as BASE64_URL};
use openapi_bindings_runtime::{Client, ClientCredentials, ClientKey, RetryPolicy};
use rcgen::{KeyPair, PKCS_ECDSA_P256_SHA256, PKCS_ED25519, PublicKeyData as _};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaKeyPair, UnparsedPublicKey,
};
use ring::signature::{KeyPair as _, VerificationAlgorithm};
use serde_json::{Value, json};

use super::issuer;
use crate::support::FirstScheme as _;
use crate::support::api::get;
use crate::support::clock::TestClock;
use crate::support::{client, timed};

const RSA: &str = include_str!("../support/keys/rsa.pkcs8.pem");
const RSA_PKCS1: &str = include_str!("../support/keys/rsa.pkcs1.pem");
const SEC1: &str = include_str!("../support/keys/p256.sec1.pem");
const P521: &str = include_str!("../support/keys/p521.pkcs8.pem");

/// Returns the private key of Ed25519 as a JWK: its seed is at the end of PKCS #8 (RFC 8410, section 7).
fn ed25519(pair: &KeyPair) -> Value {
    let der = pair.serialized_der();
    let (seed, public) = (&der[16..48], pair.der_bytes());
    let [d, x] = [seed, public].map(|bytes| BASE64_URL.encode(bytes));
    json!({ "kty": "OKP", "crv": "Ed25519", "d": d, "x": x, "kid": "first" })
}

fn p256(pair: &KeyPair) -> Value {
    let der = pair.serialized_der();
    let (private, public) = (&der[36..68], &pair.der_bytes()[1..]);
    let [d, x, y] = [private, &public[..32], &public[32..]].map(|it| BASE64_URL.encode(it));
    json!({ "kty": "EC", "crv": "P-256", "d": d, "x": x, "y": y })
}

/// Returns the form of the request for a token that a call with these credentials sends.
async fn form_of(
    credentials: impl FnOnce(&str) -> ClientCredentials,
    clock: &TestClock,
) -> Vec<(String, String)> {
    let (server, _) = issuer("");
    let source = credentials(&(server.url() + "/token"));
    let client: Client = timed(client(server.url()).token_source(source), clock).build().unwrap();
    get(&client, "7").await.unwrap();
    let seen = server.seen();
    assert!(!seen[0].headers.contains_key("authorization"));
    let pairs = seen[0].body.split('&').filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(name, value)| (name.to_owned(), value.replace("%2F", "/").replace("%3A", ":")))
        .collect()
}

/// Verifies an assertion, and returns its header and its claims.
fn verified(
    form: &[(String, String)],
    algorithm: &'static dyn VerificationAlgorithm,
    public: &[u8],
) -> (Value, Value) {
    let names: Vec<_> = form.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["grant_type", "client_id", "client_assertion_type", "client_assertion"]);
    let (signed, signature) = form[3].1.rsplit_once('.').unwrap();
    let signature = BASE64_URL.decode(signature).unwrap();
    UnparsedPublicKey::new(algorithm, public).verify(signed.as_bytes(), &signature).unwrap();
    let (header, claims) = signed.split_once('.').unwrap();
    let [header, claims] = [header, claims]
        .map(|part| serde_json::from_slice(&BASE64_URL.decode(part).unwrap()).unwrap());
    (header, claims)
}

#[tokio::test]
async fn a_key_in_place_of_a_secret_signs_an_assertion() {
    let clock = TestClock::new();
    let pairs =
        [&PKCS_ED25519, &PKCS_ECDSA_P256_SHA256].map(|it| KeyPair::generate_for(it).unwrap());
    let [first, second] = &pairs;
    let (_, rsa_pem) = RSA.split_once("KEY-----").unwrap();
    let rsa_der: String = rsa_pem.lines().filter(|line| !line.starts_with('-')).collect();
    let rsa = RsaKeyPair::from_pkcs8(&BASE64_STANDARD.decode(rsa_der).unwrap()).unwrap();
    let rsa_public = rsa.public_key().as_ref();
    let token = format!("secret-token:tenant:v1:{}", BASE64_URL.encode(ed25519(first).to_string()));
    let algorithms: [(&str, &dyn VerificationAlgorithm, &[u8]); 3] = [
        ("EdDSA", &ED25519, first.der_bytes()),
        ("ES256", &ECDSA_P256_SHA256_FIXED, second.der_bytes()),
        ("RS256", &RSA_PKCS1_2048_8192_SHA256, rsa_public),
    ];
    let [eddsa, es256, rs256] = algorithms;
    for (text, (name, algorithm, public), id) in [
        (ed25519(first).to_string(), eddsa, json!("first")),
        (token, eddsa, json!("first")),
        (first.serialize_pem().trim().to_owned(), eddsa, Value::Null),
        (p256(second).to_string(), es256, Value::Null),
        (second.serialize_pem().trim().to_owned(), es256, Value::Null),
        (RSA.trim().to_owned(), rs256, Value::Null),
        (RSA_PKCS1.trim().to_owned(), rs256, Value::Null),
    ] {
        let mut seen = Vec::new();
        for in_header in [false, true] {
            let source = |url: &str| {
                let source = ClientCredentials::new(url, "me", text.clone());
                if in_header { source.secret_in_header() } else { source }
            };
            let form = form_of(source, &clock).await;
            let (header, claims) = verified(&form, algorithm, public);
            assert_eq!((&header["alg"], &header["kid"]), (&json!(name), &id));
            assert_eq!((&claims["iss"], &claims["sub"]), (&json!("me"), &json!("me")));
            let audience = claims["aud"].as_str().unwrap();
            if text.starts_with("secret-token:") {
                assert_eq!(audience, "127.0.0.1");
            } else {
                assert!(audience.starts_with("http://127.0.0.1:") && audience.ends_with("/token"));
            }
            let [issued, from, until] =
                ["iat", "nbf", "exp"].map(|it| claims[it].as_i64().unwrap());
            assert!(from < issued && issued < until && until - from <= 300, "{claims}");
            seen.push(claims["jti"].clone());
        }
        assert!(seen[0].is_string() && seen[0] != seen[1], "{seen:?}");
    }
}

#[tokio::test]
async fn a_key_has_options() {
    let pair = KeyPair::generate_for(&PKCS_ED25519).unwrap();
    let key = ClientKey::new(&pair.serialize_pem()).unwrap().key_id("second").audience("tenant");
    assert_eq!(
        format!("{key:?}"),
        r#"ClientKey { algorithm: "EdDSA", key_id: Some("second"), .. }"#
    );
    let form =
        form_of(|url| ClientCredentials::with_assertion(url, "me", key), &TestClock::new()).await;
    let (header, claims) = verified(&form, &ED25519, pair.der_bytes());
    assert_eq!((&header["kid"], &claims["aud"]), (&json!("second"), &json!("tenant")));
}

#[test]
fn keys_that_cannot_sign_are_errors_that_do_not_show_them() {
    let pair = KeyPair::generate_for(&PKCS_ED25519).unwrap();
    let with = |name: &str, value: Value| {
        let mut jwk = ed25519(&pair);
        jwk[name] = value;
        jwk.to_string()
    };
    let seed = BASE64_URL.encode(&pair.serialized_der()[16..48]);
    for (text, why) in [
        (SEC1.trim().to_owned(), "convert it: `openssl pkcs8 -topk8 -nocrypt`"),
        (P521.trim().to_owned(), "not a key of Ed25519, P-256 or RSA"),
        (with("d", Value::Null), "the JWK has no text `d`"),
        (with("d", json!("hunter2!")), "`d` of the JWK is not valid base64url"),
        (with("x", json!(seed)), "the JWK is not a valid key"),
        (with("crv", json!("X25519")), "keys of the kind `OKP X25519`"),
        (with("kty", json!("oct")), "keys of the kind `oct Ed25519`"),
    ] {
        let source = ClientCredentials::new("/token", "me", text.clone());
        let built = client("http://127.0.0.1:1").token_source(source).retry(RetryPolicy::never());
        let error = built.build().map(drop).unwrap_err().to_string();
        assert!(error.contains("is an unusable private key") && error.contains(why), "{error}");
        assert!(!error.contains("hunter2") && !error.contains(&seed), "{error}");
    }
    let not_keys =
        ["hunter2", "{}", r#"{"kty":1}"#, "secret-token:hunter2", "-----BEGIN CERTIFICATE-----"];
    for text in not_keys {
        let source = ClientCredentials::new("/token", "me", text);
        client("http://127.0.0.1:1").token_source(source).build().unwrap();
        assert!(ClientKey::new(text).unwrap_err().to_string().starts_with("it is neither"));
    }
}
