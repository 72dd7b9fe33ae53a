//! Secrets of requests, which no finding shows, whatever repeats them.

use std::collections::BTreeSet;
use std::fs;

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use codegen::Source;
use codegen::diagnostics::Diagnostics;
use serde_json::{Map, Value, json};
use traffic::Description;

use super::doors::{exchanges, found};
use super::{checked, entry, pet, text, xtask};

const SECRET: &str = "hunter2/secret";

/// A body with the secret, in base64.
const ENCODED: &str = "eyJwYXNzd29yZCI6Imh1bnRlcjIvc2VjcmV0In0=";

/// A user and the secret, in base64.
const BASIC: &str = "dXNlcjpodW50ZXIyL3NlY3JldA==";

/// Returns an exchange with the secret in each part of a request that can have one.
fn requests() -> Vec<Value> {
    let [exchange, _, _, form] = exchanges();
    let with = |exchange: &Value, at: &str, value: Value| {
        let mut exchange = exchange.clone();
        *exchange.pointer_mut(at).unwrap() = value;
        exchange
    };
    let url = |url: &Value| format!("{}&token={SECRET}", url.as_str().unwrap());
    let header = |name: &str, value: String| json!([{ "name": name, "value": value }]);
    let body = |text: String| json!({ "mimeType": "application/json", "text": text });
    vec![
        with(&exchange, "/request/url", url(&exchange["request"]["url"]).into()),
        with(&exchange, "/request/headers", header("Authorization", format!("Bearer {SECRET}"))),
        with(&exchange, "/request/headers", header("Cookie", format!("a=b; session={SECRET}"))),
        with(&exchange, "/request/postData", body(json!({ "password": SECRET }).to_string())),
        with(&exchange, "/request/postData", body(r#"{"password":"hunter2\/secret"}"#.to_owned())),
        with(
            &exchange,
            "/request/postData",
            json!({ "mimeType": "application/json", "encoding": "base64", "text": ENCODED }),
        ),
        with(&form, "/request/postData/text", "client_secret=hunter2%2Fsecret".into()),
    ]
}

/// Changes an exchange so that a part of it repeats the secret.
type Repeat = fn(&mut Value);

const REPEATS: [Repeat; 12] = [
    |it| it["response"] = reply("application/json", &json!({ SECRET: 1 }).to_string()),
    |it| it["response"] = reply("application/json", r#"{"hunter2\/secret":1}"#),
    |it| it["response"] = reply("application/json", &json!({ "a": { SECRET: 1 } }).to_string()),
    |it| it["response"] = reply("application/xml+hunter2/secret", "a"),
    |it| {
        it["response"]["headers"] = json!([{ "name": format!("X-{SECRET}"), "value": "1" }]);
    },
    |it| {
        let url = it["request"]["url"].as_str().unwrap();
        it["request"]["url"] = format!("{url}&hunter2%2Fsecret=1").into();
    },
    |it| {
        let url = it["request"]["url"].as_str().unwrap();
        it["request"]["url"] = url.replace("all=red", "all=hunter2%2Fsecret").into();
    },
    |it| it["response"] = reply("application/json", r#"{"hunter2%2Fsecret":1}"#),
    |it| it["response"] = reply("application/json", r#"{"hunter2\\/secret":1}"#),
    |it| it["response"]["headers"] = json!([{ "name": "X-HUNTER2/SECRET", "value": "1" }]),
    |it| it["request"]["url"] = format!("/events?token={SECRET}").into(),
    |it| it["request"]["url"] = format!("/lines?token={SECRET}").into(),
];

fn reply(media_type: &str, text: &str) -> Value {
    json!({ "status": 200, "content": { "mimeType": media_type, "text": text } })
}

/// Returns an exchange with the secret in another part, by its number.
fn repeated(request: &Value, index: usize) -> Value {
    let mut entry = request.clone();
    REPEATS[index](&mut entry);
    match index {
        10 => {
            entry["request"]["method"] = "GET".into();
            let event = format!("event: {SECRET}\ndata: {{}}\n\n");
            entry["response"] = reply("text/event-stream", &event);
        }
        11 => {
            entry["request"]["method"] = "GET".into();
            entry["response"] = reply("application/jsonl", &json!({ SECRET: 1 }).to_string());
        }
        _ => {}
    }
    entry
}

#[test]
fn an_overlay_has_names_that_only_look_shortened() {
    let [exchange, ..] = exchanges();
    let mut overlays = 0;
    for index in 0..REPEATS.len() {
        let entry = repeated(&exchange, index).to_string();
        let [plain, dotted] = ["nime", "ni…me"].map(|name| {
            let entry = entry.replace("hunter2", name).replace(&format!("token={name}"), "t=1");
            let overlay = found(Vec::new(), &[serde_json::from_str(&entry).unwrap()]).overlay();
            overlay.unwrap_or_default().matches(name).count()
        });
        overlays += plain;
        assert_eq!(plain, dotted, "{index}");
    }
    assert!(overlays > 5, "{overlays}");
}

#[test]
fn a_value_that_is_shortened_leaves_the_others_in_the_overlay() {
    let [exchange, ..] = exchanges();
    let overlay = |values: [&str; 2]| {
        let entries = values.map(|value| {
            let text = exchange.to_string().replace("all=red", &format!("all={value}"));
            serde_json::from_str(&text).unwrap()
        });
        found(Vec::new(), &entries).overlay().unwrap_or_default()
    };
    let long = "a".repeat(300);
    assert_eq!(overlay([&long, "green"]).matches("update:").count(), 1);
    // The longest that is shown whole.
    assert!(overlay([&"a".repeat(256), "green"]).contains(&"a".repeat(256)));
}

#[test]
fn no_overlay_has_a_name_that_is_too_long_to_be_shown() {
    let [exchange, ..] = exchanges();
    let mut overlays = 0;
    for index in 0..REPEATS.len() {
        for (length, is_long) in [(100, false), (300, true)] {
            let name = "n".repeat(length);
            let entry = repeated(&exchange, index).to_string();
            let entry = entry.replace("hunter2", &name).replace(&format!("token={name}"), "t=1");
            let entry = serde_json::from_str(&entry).unwrap();
            let overlay = found(Vec::new(), &[entry]).overlay().unwrap_or_default();
            overlays += usize::from(overlay.contains("nnnn"));
            assert!(!is_long || !overlay.contains("nnnn"), "{index}: {overlay}");
        }
    }
    assert!(overlays > 5, "{overlays}");
}

/// Returns a document that makes texts with ordinary names secrets.
fn declaring() -> Value {
    let secret = json!({ "type": "string", "format": "password" });
    let body = json!({ "schema": { "type": "object", "properties": { "plain": secret, "nick": { "type": "string" } } } });
    let reply = json!({ "type": "object", "properties": {
        "color": { "type": "string", "enum": ["red"] }, "count": { "type": "string" },
    }});
    let parameter = |place: &str, name: &str, schema: &Value| json!({ "name": name, "in": place, "required": place == "path", "schema": schema });
    let text = json!({ "type": "string", "enum": ["red"] });
    json!({
        "openapi": "3.2.0",
        "info": { "title": "Secrets", "version": "1" },
        "paths": { "/secrets/{token}": { "post": {
            "parameters": [
                parameter("path", "token", &json!({ "type": "string" })),
                parameter("query", "hidden", &secret),
                parameter("query", "color", &text),
                parameter("header", "X-Hidden", &secret),
            ],
            "requestBody": { "content": {
                "application/json": body, "application/x-www-form-urlencoded": body,
            }},
            "responses": { "2XX": {
                "description": "", "content": { "application/json": { "schema": reply } },
            }},
        }}},
        "components": { "securitySchemes": {
            "header": { "type": "apiKey", "in": "header", "name": "X-Own" },
            "query": { "type": "apiKey", "in": "query", "name": "own" },
        }},
    })
}

/// Returns requests, each with the secret in one part.
fn planted(secret: &str, number: u64) -> Vec<Value> {
    let url = |rest: &str| json!({ "url": format!("https://a.example/secrets/{rest}") });
    let body = |media_type: &str, text: String| json!({ "url": "https://a.example/secrets/1", "postData": { "mimeType": media_type, "text": text } });
    let xml = |text: String| {
        body("application/soap+xml", format!("<e:a xmlns:e='e'><b>{text}</b></e:a>"))
    };
    let listed = |list: &str, name: &str, value: String| json!({ "url": "https://a.example/secrets/1", list: [{ "name": name, "value": value }] });
    let encoded = secret.replace('/', "%2F");
    let password = json!({ "password": secret }).to_string();
    let part = format!(
        "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n{secret}\r\n--b--"
    );
    vec![
        url(&encoded),
        url(&format!("1?hidden={encoded}")),
        url(&format!("1?own={encoded}")),
        url(&format!("1#access_token={encoded}")),
        listed("headers", "x-hidden", secret.to_owned()),
        listed("headers", "x-own", secret.to_owned()),
        listed("headers", "authorization", format!("Basic {BASIC}")),
        listed("cookies", "session", secret.to_owned()),
        listed("queryString", "token", secret.to_owned()),
        json!({ "url": "https://a.example/secrets/1", "postData": {
            "mimeType": "multipart/form-data", "params": [{ "name": "password", "value": secret }],
        }}),
        body("multipart/form-data", part),
        body("application/json", json!({ "plain": secret }).to_string()),
        body("application/json", json!({ "body": password }).to_string()),
        body("application/json", json!({ "pin": number }).to_string()),
        body("application/x-www-form-urlencoded", format!("plain={encoded}")),
        body("application/x-ndjson", format!("{{}}\n{password}\n")),
        body("text/plain", format!("a=b&password={encoded}")),
        // Texts with names in other forms.
        xml(format!("<e:Password Type=\"e#Text\">{secret}</e:Password>")),
        xml(format!("<password><![CDATA[{secret}]]></password>")),
        xml(format!("<credentials><c>{secret}</c></credentials>")),
        xml(format!("<c password='{secret}'/>")),
        body(
            "multipart/form-data",
            format!("--b\nContent-Disposition: form-data; name=password\n\n{secret}\n--b--"),
        ),
        body(
            "multipart/form-data",
            format!(
                "--b\r\nContent-Disposition: form-data; name=\"password\"; filename=\"k\"\r\n\r\n{secret}\r\n--b--"
            ),
        ),
        body("application/json", format!("{{\"a\":1}}\n{{\"password\":\"{secret}\", ")),
        body("application/yaml", format!("a: b\npassword: {secret}\n")),
        body("application/graphql", format!("mutation {{ login(password: \"{secret}\") }}")),
        body(
            "application/json",
            json!({ "query": format!("{{ login(password: \"{secret}\") }}") }).to_string(),
        ),
        body(&format!("text/plain; token=\"{secret}\""), "a".to_owned()),
        listed("headers", "content-type", format!("text/plain; token=\"{secret}\"")),
        listed("headers", "referer", format!("https://a.example/?token={encoded}")),
        listed(
            "headers",
            "authorization",
            format!("Digest username=\"u\", uri=\"/\", response=\"{secret}\", qop=auth"),
        ),
        listed(
            "headers",
            "authorization",
            format!("OAuth oauth_nonce={encoded},oauth_version=1.0"),
        ),
        listed("headers", "cookie", format!("a={encoded}; b=c")),
        listed("cookies", "a", secret.to_owned()),
        url(&format!("1;token={encoded}/x")),
        json!({ "url": format!("https://u:{encoded}@a.example/secrets/1") }),
        // Paths without an operation.
        json!({ "url": format!("https://a.example/token/{encoded}") }),
        // What replies set, and a setting hides.
        json!({ "url": "https://a.example/secrets/1", "received": ["Set-Cookie", format!("a={secret}; Path=/")] }),
        json!({ "url": "https://a.example/secrets/1", "received": ["Location", format!("/a#token={encoded}")] }),
        body("application/json", json!({ "nick": secret }).to_string()),
        body("application/x-www-form-urlencoded", format!("nick={encoded}")),
        // A key as a user, other white space, and quotes of a shell.
        listed(
            "headers",
            "authorization",
            format!("Basic {}", BASE64_STANDARD.encode(format!("{secret}:"))),
        ),
        listed("headers", "authorization", format!("Bearer \t{secret}")),
        body("text/plain", format!("curl -H 'Authorization: Bearer {secret}'")),
        // Names in values, and values in several forms.
        body("application/json", format!("[{{\"path\":\"/a/password\",\"value\":\"{secret}\"}}]")),
        body("application/json", json!({ "name": "Authorization", "value": [secret] }).to_string()),
        body(
            "application/json",
            json!({ "a": BASE64_URL_SAFE_NO_PAD.encode(&password) }).to_string(),
        ),
        body("application/yaml", format!("a: {{password: {secret}, b: c}}\n")),
        body("application/graphql", format!("{{ login(password: \"\"\"{secret}\"\"\") }}")),
        json!({ "url": "https://a.example/secrets/1", "redirect": format!("/a?token={encoded}") }),
    ]
}

/// Returns a secret as servers repeat it.
fn spellings(secret: &str) -> Vec<String> {
    let base64 = |text: &str| BASE64_STANDARD.encode(text);
    let upper = secret.to_uppercase();
    let encoded = secret.bytes().map(|byte| format!("%{byte:02x}")).collect::<Vec<_>>().concat();
    let url = BASE64_URL_SAFE_NO_PAD.encode(format!("\u{3ff}{secret}"));
    vec![
        secret.to_owned(),
        upper.clone(),
        upper.replace('/', "%2F"),
        secret.replace('/', "&#47;"),
        encoded,
        base64(secret),
        base64(&format!("a{secret}b")),
        base64(&format!("ab{secret}")),
        url,
        base64(secret).replace('=', "%3D"),
    ]
}

/// Returns the messages about a request.
fn messages(method: &str, url: &str) -> Vec<String> {
    let source = Source { name: "openapi.json".to_owned(), text: declaring().to_string() };
    let description = Description::read(&source, &mut Diagnostics::new()).unwrap();
    let mut check = description.check(&["https://a.example".to_owned()]);
    let request = json!({ "method": method, "url": url });
    let entry = json!({ "request": request, "response": { "status": 200, "content": {} } });
    check.entry(&entry.to_string()).unwrap();
    check.findings(1).all.into_iter().map(|it| it.message).collect()
}

/// A secret property of the document, and a key in a header, say nothing of the query.
#[test]
fn only_the_credentials_of_the_query_are_no_new_parameters() {
    let url = "https://a.example/secrets/1?plain=1&own=2&X-Own=3&hidden=4#top";
    let messages = messages("POST", url);
    let new = |name: &str| messages.iter().any(|it| it.contains(&format!("`{name}`")));
    assert_eq!(["plain", "own", "X-Own", "hidden"].map(new), [true, false, true, false]);
}

/// Returns exchanges in which a reply, the method or the query repeats the secret of a request.
fn repeating(secret: &str, number: u64) -> Vec<(usize, Value)> {
    let json = |value: Value| json!({ "mimeType": "application/json", "text": value.to_string() });
    let mut all = Vec::new();
    for (place, request) in planted(secret, number).into_iter().enumerate() {
        for spelled in spellings(secret) {
            let replies = [
                json!({ "status": 200, "content": json(json!({ &spelled: 1, "color": spelled })) }),
                json!({ "status": 422, "content": json(json!({ &spelled: { &spelled: 1 } })) }),
                json!({ "status": 200, "content": json(json!({ "count": number, "new": number })) }),
                json!({ "status": 200, "content": { "mimeType": format!("text/{spelled}"), "text": "a" } }),
                json!({ "status": 200, "headers": [{ "name": format!("X-{spelled}"), "value": "a" }] }),
            ];
            for mut response in replies {
                // One repeats it in the method, too.
                let methods = if response["status"] == 422 { 2 } else { 1 };
                for method in ["POST", &spelled].into_iter().take(methods) {
                    let mut request = request.clone();
                    if let Some(received) = request.get("received") {
                        response["headers"] =
                            json!([{ "name": received[0], "value": received[1] }]);
                    }
                    response["redirectURL"] = request["redirect"].clone();
                    request["method"] = method.into();
                    let url = request["url"].as_str().unwrap().to_owned();
                    let repeated = format!(
                        "?color={0}&{0}=1",
                        spelled.replace('&', "%26").replace('#', "%23")
                    );
                    let is_plain = !url.contains(['?', '#']);
                    request["url"] = if is_plain { (url + &repeated).into() } else { url.into() };
                    all.push((place, json!({ "request": request, "response": response })));
                }
            }
        }
    }
    all
}

/// Returns what a text shows of a secret.
fn shown(text: &str, secret: &str) -> Vec<String> {
    let all = spellings(secret).into_iter();
    let text = text.to_lowercase();
    // Without the ends of base64, which have bits of its neighbors.
    let core = |it: &str| {
        it.trim_end_matches(['=', '%', '3', 'D']).get(3..it.len() - 3).unwrap_or(it).to_lowercase()
    };
    all.filter(|it| text.contains(&core(it))).collect()
}

#[test]
fn no_finding_shows_a_secret_of_any_part_of_an_exchange() {
    let (secret, number) = ("hunter2/secret", 918_273_645);
    let source = Source { name: "openapi.json".to_owned(), text: declaring().to_string() };
    let description = Description::read(&source, &mut Diagnostics::new()).unwrap();
    let description = description.hiding(&HIDDEN.map(str::to_owned));
    let mut faults = BTreeSet::new();
    for (place, entry) in repeating(secret, number) {
        let mut check = description.check(&["https://a.example".to_owned()]);
        check.entry(&entry.to_string()).unwrap();
        let findings = check.findings(1);
        let text = format!("{:?} {:?}", findings.all, findings.overlay());
        // One has the number instead.
        let is_number = place == 13 && text.contains(&number.to_string());
        let shown = if place == 13 { Vec::new() } else { shown(&text, secret) };
        let shown = shown.into_iter().chain(is_number.then(|| number.to_string()));
        faults.extend(shown.map(|it| (place, it)));
    }
    assert_eq!(faults, BTreeSet::new(), "the numbers of requests, and what is shown");
}

/// The properties that a setting hides.
const HIDDEN: [&str; 1] =
    ["/paths/~1secrets~1{token}/post/requestBody/content/application~1json/schema/properties/nick"];

#[test]
fn no_format_shows_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("openapi.json"), declaring().to_string()).unwrap();
    fs::write(folder.join("codegen.toml"), format!("[secrets]\nhide = {HIDDEN:?}\n")).unwrap();
    let secret = "hunter2/secret";
    let lines = repeating(secret, 918_273_645).into_iter();
    let lines = lines.filter(|(place, _)| *place != 13).map(|(_, it)| it.to_string());
    let lines = lines.collect::<Vec<_>>().join("\n");
    for format in ["text", "json", "github"] {
        let overlay = format!("{format}.yaml");
        let options =
            ["--server", "https://a.example", "--min", "1", "--verbose", "--overlay", &overlay];
        let arguments =
            [&["drift", "--spec", "openapi.json", "--format", format], &options[..], &["-"]];
        let output = xtask(folder, &arguments.concat(), &lines);
        let overlay = fs::read_to_string(folder.join(overlay)).unwrap();
        let printed = [text(output.stdout), text(output.stderr), overlay].concat();
        assert!(printed.contains("unknown-property") || format == "github", "{printed}");
        assert_eq!(shown(&printed, secret), [""; 0], "{format}");
    }
}

#[test]
fn the_route_of_a_request_has_no_value_after_the_name_of_a_secret() {
    let url = "https://a.example/password/hunter/owners/secret/pin/abc";
    let route = "`GET /password/{}/owners/secret/{}/{}` is not an operation";
    assert_eq!(messages("GET", url)[0], route);
}

#[test]
fn names_that_are_not_shown_are_differences() {
    let mut pet = pet();
    pet["first"] = json!(1);
    let mut entry = entry(&pet);
    let secrets: Vec<String> = (0..1_000).map(|number| format!("secret{number}")).collect();
    let text = json!({ "passwords": secrets }).to_string();
    entry["request"]["postData"] = json!({ "mimeType": "application/json", "text": text });
    let (code, report) = checked(&entry.to_string());
    assert!(!report.to_string().contains("`first`"), "{report:#}");
    assert_eq!((code, &report["findings"]), (Some(5), &json!([])));
}

#[test]
fn a_request_with_too_many_secrets_shows_no_name() {
    let [mut entry, ..] = exchanges();
    let secrets: Vec<String> = (0..20_000).map(|number| format!("secret{number}")).collect();
    let names = (0..3_000).map(|number| (format!("na%6de{number}"), json!(1)));
    let names: Map<String, Value> = names.collect();
    entry["request"]["postData"]["text"] = json!({ "passwords": secrets }).to_string().into();
    entry["response"] = reply("application/json", &Value::from(names).to_string());
    let findings = found(Vec::new(), &[entry]);
    assert_eq!(findings.counts.beyond, 3_001, "{:#?}", findings.all);
}

#[test]
fn no_finding_shows_a_secret_that_a_message_repeats() {
    // One that is shorter than most words, and one in capitals.
    let others: [fn(&str) -> String; 3] = [
        str::to_owned,
        |text| {
            let text = text.replace("hunter2", "h").replace("HUNTER2/SECRET", "H/2R");
            text.replace("/secret", "/2r").replace("%2Fsecret", "%2F2r")
        },
        |text| text.replace("hunter2", "Hunter2"),
    ];
    let mut shown = Vec::new();
    for (number, request) in requests().into_iter().enumerate() {
        for index in 0..REPEATS.len() {
            let entry = repeated(&request, index);
            // The other secrets are not in the body in base64.
            let others = if number == 5 { &others[..1] } else { &others[..] };
            for (kind, other) in others.iter().enumerate() {
                let entry = serde_json::from_str(&other(&entry.to_string())).unwrap();
                let findings = found(Vec::new(), &[entry]);
                let overlay = findings.overlay().unwrap_or_default();
                assert!(!overlay.contains("redacted-"), "{overlay}");
                let text = format!("{:?} {overlay}", findings.all).to_lowercase();
                let secret = other(SECRET).to_lowercase();
                let found =
                    [secret.clone(), secret.replace('/', "%2f"), secret.replace('/', "\\\\\\\\/")];
                shown.extend(
                    found.iter().any(|it| text.contains(it)).then_some((number, index, kind)),
                );
            }
        }
    }
    assert_eq!(shown, [], "the numbers of requests and of the parts that repeat their secrets");
}
