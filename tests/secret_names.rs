//! Properties that only their names make secrets: the note about them, `[secrets]`, and what `drift` shows of them.

use codegen::diagnostics::{Diagnostics, Severity};
use codegen::{Outcome, Settings, Source, generate};
use serde_json::json;
use traffic::Description;

const SPEC: &str = r"
openapi: 3.1.0
info: {title: Accounts, version: 1.0.0}
paths:
  /accounts:
    get:
      operationId: accounts.get
      tags: [accounts]
      responses:
        '200': {description: The account., content: {application/json: {schema: {$ref: '#/components/schemas/Account'}}}}
components:
  schemas:
    Account:
      type: object
      required: [id]
      properties:
        id: {type: string}
        password: {type: string}
        apiKey: {type: string}
        kept: {type: string}
        typed_secret: {type: string, format: password}
        hasPassword: {type: boolean}
        access_token: {$ref: '#/components/schemas/Level'}
        limits: {type: object, properties: {max_tokens: {type: integer}, pin: {type: integer}}}
    Level: {type: string, enum: [low, high]}
";

/// The start of the pointers of the properties.
const ACCOUNT: &str = "/components/schemas/Account/properties";

fn generated(hidden: &[&str], shown: &[&str]) -> Outcome {
    let pointers =
        |names: &[&str]| names.iter().map(|name| format!("{ACCOUNT}/{name}")).collect::<Vec<_>>();
    let [hidden, shown] = [hidden, shown].map(pointers);
    let text = format!("[secrets]\nhide = {hidden:?}\nshow = {shown:?}\n");
    let file = Some(("codegen.toml".to_owned(), text));
    let settings =
        Settings { package: "accounts".to_owned(), hidden, shown, file, ..Settings::default() };
    let source = Source { name: "openapi.yaml".to_owned(), text: SPEC.to_owned() };
    generate(&source, &settings)
}

fn messages(outcome: &Outcome, severity: Severity) -> Vec<String> {
    let found = outcome.diagnostics.iter().filter(|it| it.severity == severity);
    found.map(|it| format!("{}: {}", it.message, it.help.as_deref().unwrap_or_default())).collect()
}

#[test]
fn one_note_names_the_properties_that_only_their_names_hide() {
    let outcome = generated(&[], &[]);
    let [note] = messages(&outcome, Severity::Note).try_into().unwrap();
    for part in [
        &format!(
            "`{ACCOUNT}/apiKey`, `{ACCOUNT}/limits/properties/pin` and `{ACCOUNT}/password` are hidden in"
        ),
        "{target: \"$['components']['schemas']['Account']['properties']['apiKey']\", update: {format: password}}",
        "`secrets.show`",
    ] {
        assert!(note.contains(part), "{part}: {note}");
    }
    assert_eq!(messages(&outcome, Severity::Warning), [""; 0]);
}

#[test]
fn the_settings_decide_what_names_do_not() {
    let all = ["apiKey", "limits/properties/pin", "kept", "nothing"];
    let outcome = generated(&all, &["password"]);
    assert_eq!(messages(&outcome, Severity::Note), [""; 0]);
    let [warning] = messages(&outcome, Severity::Warning).try_into().unwrap();
    assert!(warning.starts_with(&format!("`{ACCOUNT}/nothing` is not the property")), "{warning}");
    let files = outcome.output.unwrap().files;
    let text = |path: &str| &files.iter().find(|file| file.path == path).unwrap().text;
    let account = text("src/models/account.rs");
    for row in [
        "password: \"password\" shown,",
        "api_key: \"apiKey\" secret,",
        "kept: \"kept\" secret,",
        "id!: \"id\",",
        "access_token: \"access_token\",",
    ] {
        assert!(account.contains(row), "{row}: {account}");
    }
    // The types stay as they are.
    let before = generated(&[], &[]).output.unwrap().public_api.to_string();
    assert_eq!(text("api.txt"), &before);
}

#[test]
fn no_report_shows_what_names_make_secrets() {
    let planted = "hunter2hunter2";
    let number = 918_273_645;
    let source = Source { name: "openapi.yaml".to_owned(), text: SPEC.to_owned() };
    let description = Description::read(&source, &mut Diagnostics::new()).unwrap();
    for (body, found) in [
        (json!({"id": "a", "access_token": planted}), None),
        (json!({"id": "a", "password": number}), Some("other-kind")),
        (json!({"id": "a", "password": {planted: number}}), Some("other-kind")),
        (json!({"id": "a", "limits": {"pin": planted}}), Some("other-kind")),
        (json!({"id": "a", "session": number}), Some("unknown-property")),
        (json!({"id": "a", "new": {"secrets": {planted: number}}}), Some("unknown-property")),
        // The name of the required property can be the one that was redacted.
        (json!({"redacted-0123456789abcdef": 1}), None),
    ] {
        let entry = json!({
            "request": {"method": "GET", "url": "http://localhost/accounts"},
            "response": {
                "status": 200,
                "content": {"mimeType": "application/json", "text": body.to_string()},
            },
        });
        let mut check = description.check(&[]);
        check.entry(&entry.to_string()).unwrap();
        let findings = check.findings(1);
        let report = format!("{:?} {:?}", findings.all, findings.overlay());
        assert!(!report.contains(planted) && !report.contains(&number.to_string()), "{report}");
        assert_eq!(findings.all.first().map(|finding| finding.code), found, "{report}");
    }
}

#[test]
fn drift_hides_the_secrets_of_a_request_wherever_the_reply_has_them() {
    let put = "    put:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Account'}}}}
      responses: {'200': {description: The account., content: {application/json: {schema: {$ref: '#/components/schemas/Account'}}}}}
components:
";
    let spec = SPEC.replace("components:\n", put);
    let source = Source { name: "openapi.yaml".to_owned(), text: spec };
    let description = Description::read(&source, &mut Diagnostics::new()).unwrap();
    // In the query, a header, a cookie, the body by its name, and by its type.
    let planted =
        ["pl4nted-query", "pl4nted-header", "pl4nted-cookie", "pl4nted-name", "pl4nted-type"];
    let [query, header, cookie, name, typed] = planted;
    let sent = json!({"id": "a", "new": {"secret": [name]}, "typed_secret": typed});
    for secret in planted {
        for (body, media_type) in [
            (json!({"id": "a", secret: 1}), "application/json"),
            (json!({"id": "a", "access_token": secret}), "application/json"),
            (
                json!({"id": "a", "limits": {"max_tokens": secret, "more": {secret: [secret]}}}),
                "application/json",
            ),
            (json!({}), &*format!("text/{secret}")),
        ] {
            let entry = json!({
                "request": {
                    "method": "PUT",
                    "url": format!("http://localhost/accounts?api_key={query}"),
                    "headers": [
                        {"name": "Authorization", "value": format!("Bearer {header}")},
                        {"name": "Cookie", "value": format!("theme=dark; id={cookie}")},
                    ],
                    "postData": {"mimeType": "application/json", "text": sent.to_string()},
                },
                "response": {
                    "status": 200,
                    "headers": [{"name": format!("x-{secret}"), "value": secret}],
                    "content": {"mimeType": media_type, "text": body.to_string()},
                },
            });
            let mut check = description.check(&[]);
            check.entry(&entry.to_string()).unwrap();
            let findings = check.findings(1);
            let report = format!("{:?} {:?}", findings.all, findings.overlay());
            assert!(!report.contains("pl4nted") && report.contains("x-redacted-"), "{report}");
        }
    }
}

#[test]
fn the_examples_and_defaults_of_secrets_are_not_documented() {
    let described = "example: pl4nted-example, default: pl4nted-default, ";
    let sent = "    put:
      parameters:
      - {name: api_key, in: query, example: pl4nted-parameter, schema: {DESCRIBED type: string}}
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Account'}}}}
";
    let spec = SPEC
        .replace("    get:\n", &sent.replace("DESCRIBED ", described))
        .replace("password: {", &format!("password: {{{described}"))
        .replace("typed_secret: {", &format!("typed_secret: {{{described}"))
        .replace("hasPassword: {", "hasPassword: {default: true, ")
        .replace("kept: {", "kept: {example: shown-example, ");
    let source = Source { name: "openapi.yaml".to_owned(), text: spec };
    let settings = Settings { package: "accounts".to_owned(), ..Settings::default() };
    let files = generate(&source, &settings).output.unwrap().files;
    let all: String = files.into_iter().map(|file| file.text).collect();
    assert!(!all.contains("pl4nted"), "{all}");
    assert!(all.contains("shown-example") && all.contains("The default is `true`."), "{all}");
}
