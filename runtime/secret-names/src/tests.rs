use super::{Name, is_secret};

/// Names of secrets.
const SECRET: &[&str] = &[
    // Passwords, in the styles of names.
    "password",
    "PASSWORD",
    "old_password",
    "newPassword",
    "user[password]",
    "password[new]",
    "passwordConfirmation",
    "password2",
    "root-password",
    "db.passwd",
    "DB_PWD",
    "user_pass",
    "passphrase",
    "key_passphrase",
    "passcode",
    "pass_word",
    "userpassword",
    "password_hash",
    "password for the archive",
    "sign_in_password",
    // Keys.
    "api_key",
    "apikey",
    "apiKey",
    "APIKey",
    "APIkey",
    "X-Api-Key",
    "api_keys",
    "apiKey1",
    "private_key",
    "privateKeyPem",
    "private_key_pem",
    "jwtPrivateKey",
    "sshPrivateKey",
    "secretAccessKey",
    "accessKey",
    "SharedAccessKey",
    "signing_key",
    "encryption-key",
    "api_key_primary",
    "Ocp-Apim-Subscription-Key",
    "x-functions-key",
    "pre_shared_key",
    // Tokens.
    "token",
    "access_token",
    "accessToken",
    "accesstoken",
    "idToken",
    "refresh_tokens",
    "X-Auth-Token",
    "x-amz-security-token",
    "csrf-token",
    "token_value",
    "pushAuthTokenPlaintext",
    "tokenString",
    "opt_in_token",
    "page_access_token",
    // Secrets and credentials.
    "secret",
    "client_secret",
    "clientSecret",
    "clientsecret",
    "webhookHmacSecret",
    "secretValue",
    "secrets",
    "credential",
    "credentials",
    "credentialsJson",
    "X-Amz-Credential",
    "client_assertion",
    "jwt",
    "idJwt",
    "assertion",
    "bearer",
    "Binding.Secret",
    "secretOfClient",
    "connectionString",
    // What is sent in headers and URLs.
    "Authorization",
    "Proxy-Authorization",
    "Cookie",
    "Set-Cookie",
    "my_cookie1",
    "x-auth",
    "auth",
    "signature",
    "X-Amz-Signature",
    "X-Hub-Signature-256",
    "sig",
    "session",
    "session_id",
    "sessionid",
    "JSESSIONID",
    "PHPSESSID",
    "code_verifier",
    // Codes.
    "pin",
    "new_pin",
    "PIN",
    "pinCode",
    "pincode",
    "otp",
    "email_otp",
    "totp",
    "cvc",
    "cvv2",
    "ssn",
    "mfa_code",
    "2fa_code",
    "backup_codes",
    "recoveryCodes",
    "device_code",
    "seed_phrase",
];

/// Names that are none.
const OTHER: &[&str] = &[
    // What belongs to a secret.
    "password_policy_id",
    "password_expires_at",
    "passwordUpdatedAt",
    "passwordField",
    "secret_name",
    "secretRef",
    "secretFile",
    "secretCreatedAt",
    "credentialType",
    "credential_status",
    "connectorManagedCredentialId",
    "credentialBundlePath",
    "api_key_id",
    "api_key_ids",
    "accessKeyId",
    "token_type",
    "tokenType",
    "issued_token_type",
    "token_url",
    "tokenEndpoint",
    "token_endpoint_auth_method",
    "accessTokenTtlSeconds",
    "approvalTokenId",
    "cvc_check",
    "ssn_last_4",
    "jwtIssuer",
    "cookie_domain",
    "signature_color",
    "authorizationUrl",
    "session_expires_at",
    "sessionPolicy",
    "auth_method",
    "client_id",
    // Counts and limits.
    "token_count",
    "max_tokens",
    "prompt_tokens",
    "completion_tokens",
    "total_tokens",
    "tokens",
    "valid_tokens",
    "input_token_details",
    "max_token_len",
    "num_tokens_for_completion",
    "max_output_tokens",
    // Flags.
    "has_password",
    "isSecret",
    "is_password_required",
    "requireSignature",
    "awsSecretAccessKeyConfigured",
    "enable_token",
    "user_has_strong_password_policy",
    // Places in a list.
    "page_token",
    "pageToken",
    "nextPageToken",
    "next_token",
    "continuationToken",
    "syncToken",
    // Other keys, codes, ids and words.
    "key",
    "keys",
    "keyValue",
    "public_key",
    "file_key",
    "idempotency-key",
    "partition_key",
    "code",
    "error_code",
    "postal_code",
    "user_code",
    "spin",
    "spinning",
    "comment_pin",
    "lesson",
    "laptop",
    "author",
    "authority",
    "authorized",
    "checkout_session",
    "pass",
    "bypass",
    "compass",
    "passed",
    "passport",
    "upload_id",
    "sid",
    "tokenizer",
    "passkey",
    "string",
    "",
    "_",
    "42",
];

fn words(name: &str) -> Vec<String> {
    let name = Name::new(name);
    (0..name.ends.len()).map(|at| name.word(at).to_owned()).collect()
}

#[test]
fn names_of_secrets_are_recognized_by_their_last_words() {
    for name in SECRET {
        assert!(is_secret(name), "{name}: {:?}", words(name));
    }
}

#[test]
fn names_that_only_contain_one_of_a_secret_are_none() {
    for name in OTHER {
        assert!(!is_secret(name), "{name}: {:?}", words(name));
    }
}

#[test]
fn words_end_at_separators_digits_and_changes_of_case() {
    for (name, expected) in [
        ("clientSecret", &["client", "secret"][..]),
        ("HTTPHeader", &["http", "header"]),
        ("X-Api-Key", &["x", "api", "key"]),
        ("user[new password]", &["user", "new", "password"]),
        ("oauth2Token_3", &["oauth", "token"]),
        ("ÄußereÖffnung", &["äußere", "öffnung"]),
        ("--", &[]),
    ] {
        assert_eq!(words(name), expected);
    }
}

#[test]
fn values_are_found_by_their_names_in_texts() {
    for (text, redacted) in [
        ("old_password=a&x=1; api_key = b", "old_password=[]&x=1; api_key = []"),
        ("see https://h/?x=1&access_token=a#b", "see https://h/?x=1&access_token=[]#b"),
        ("https://me:a@h/b@c and ftp://h/@", "https://[]@h/b@c and ftp://h/@"),
        (r#"{"secret":"a b","x":1}"#, r#"{"secret":"[]","x":1}"#),
        (r#"[{"secret" : ["a",{"b":"]"}], "x": 1}"#, r#"[{"secret" : []"#),
        (r#"{"pin":47,"cvc":"","totp":"#, r#"{"pin":[],"cvc":"","totp":"#),
        (r#"{"secret":"a"#, r#"{"secret":"[]"#),
        (r#"{"secret":"a\"b","x":"c"}"#, r#"{"secret":"[]","x":"c"}"#),
        (r#"{"m":"{\"secret\":\"a\",\"x\":1}"}"#, r#"{"m":"{\"secret\":\"[]\",\"x\":1}"}"#),
        ("{'secret': 'a', 'x': 'b'}", "{'secret': '[]', 'x': 'b'}"),
        ("<x secret=\"a b\" y=\"c\"/>", "<x secret=\"[]\" y=\"c\"/>"),
        ("<x><secret>a b</secret> c</x>", "<x><secret>[]</secret> c</x>"),
        ("q=1%26user[secret]%3Da%2Fb%26x%3D2", "q=1%26user[secret]%3D[]%26x%3D2"),
        ("password: at least 8 bytes", "password: at least 8 bytes"),
        ("secret=", "secret="),
        ("pin > 8 and <pin> 8", "pin > 8 and <pin> []"),
        (
            "<a:Password b=\"c#d\">a<![CDATA[<]]></a:Password>",
            "<a:Password b=\"c#d\">[]</a:Password>",
        ),
        ("<pin> <![CDATA[a<b]]></pin>", "<pin> <![CDATA[[]]]></pin>"),
        ("<secret/><secret><a>b</a></secret>", "<secret/><secret>[]</secret>"),
        ("token=a%26b,c&x=1", "token=[],c&x=1"),
    ] {
        assert_eq!(super::redact(text, &[""; 0], "[]"), redacted);
    }
}
