//! Security schemes and requirements.

use std::collections::HashMap;

use super::grammar::{Expected, Field, Form, Object};
use super::validator::Validator;
use crate::diagnostics::{Code, help_for_unknown, listed};
use crate::document::is_token;
use crate::document::view::{Kind, View};

/// The `security` of the document or an operation.
pub(super) const SECURITY: Field = Field::new(
    &["security"],
    Expected::List(&Expected::Named(
        "a security requirement",
        &Expected::Map(&Expected::List(&Expected::Named("a scope", &Expected::Text))),
    )),
);

const A_SCHEME: &str = "a security scheme";

const TYPES: &str = "write `http`, `apiKey`, `oauth2`, `openIdConnect` or `mutualTLS`";

const TYPE_NAMES: [&str; 5] = ["http", "apiKey", "oauth2", "openIdConnect", "mutualTLS"];

/// Authentication schemes of HTTP (IANA registry), as descriptions write them.
const SCHEMES: [&str; 7] = ["basic", "bearer", "digest", "dpop", "hoba", "mutual", "negotiate"];

const LOCATIONS: &str = "write `query`, `header` or `cookie`";

/// The required fields of each type of scheme.
const REQUIRED: [(&str, &str, &str); 5] = [
    ("apiKey", "name", "add the name of the parameter"),
    ("apiKey", "in", LOCATIONS),
    ("http", "scheme", "write `bearer` or `basic`"),
    ("oauth2", "flows", "describe at least one flow, such as `clientCredentials`"),
    ("openIdConnect", "openIdConnectUrl", "add the discovery URL"),
];

pub(super) static SECURITY_SCHEME: Object = Object {
    form: Form::Referable(Kind::SecurityScheme),
    check: check_scheme,
    ..Object::new(
        A_SCHEME,
        &[
            Field::texts(&["type"]).required(TYPES),
            Field::texts(&["scheme", "in", "name", "openIdConnectUrl", "x-rust-name"]),
            Field::new(&["flows"], Expected::Any),
            Field::unread(
                &["flow", "authorizationUrl", "tokenUrl", "scopes"],
                "move it into a flow of `flows`, such as `clientCredentials`: here, it is Swagger 2.0",
            ),
            Field::flags(&["deprecated"]),
            Field::silent(&["description", "bearerFormat"]),
            Field::texts(&["oauth2MetadataUrl"]).new_in_3_2(),
        ],
    )
};

static FLOWS: Object = Object::new(
    "`flows`",
    &[Field::new(
        &["implicit", "password", "clientCredentials", "authorizationCode", "deviceAuthorization"],
        Expected::Object(&FLOW),
    )],
);

static FLOW: Object = Object {
    check: check_flow,
    ..Object::new(
        "an OAuth 2.0 flow",
        &[
            Field::texts(&["authorizationUrl", "tokenUrl"]),
            Field::new(
                &["scopes"],
                Expected::Map(&Expected::Named("the description of a scope", &Expected::Text)),
            ),
            Field::silent(&["refreshUrl", "deviceAuthorizationUrl"]),
        ],
    )
};

/// Reports schemes that the `security` of the document or an operation needs although they are not declared.
pub(super) fn check_requirements(view: &View<'_>, validator: &mut Validator<'_>) {
    let schemes: HashMap<&str, View<'_>> =
        validator.document.components("securitySchemes").collect();
    for (name, requirement) in view.list("security").flat_map(View::members) {
        if let Some(scheme) = schemes.get(name) {
            check_scopes(scheme, &requirement, validator);
            continue;
        }
        let meant = validator.diagnostics.spelling().closest(name, schemes.keys().copied());
        let otherwise = format!(
            "add `{name}` to `components.securitySchemes`; until then, calls use the other alternatives, or \
             are sent without it"
        );
        let help = help_for_unknown(meant, &otherwise);
        let message = format!("the security scheme `{name}` is not declared");
        validator.at_key(Code::UndeclaredSecurity, &requirement.pointer, message).help(help);
    }
}

/// Reports scopes that no flow of an OAuth 2.0 scheme declares.
fn check_scopes(scheme: &View<'_>, requirement: &View<'_>, validator: &mut Validator<'_>) {
    let Some(flows) = scheme.clone().followed().and_then(|it| it.child("flows")) else { return };
    let declared = flows.members().flat_map(|(_, flow)| flow.map("scopes"));
    let declared: Vec<&str> = declared.map(|(scope, _)| scope).collect();
    for (index, scope) in requirement.node.as_array().into_iter().flatten().enumerate() {
        let Some(scope) = scope.as_str().filter(|scope| !declared.contains(scope)) else {
            continue;
        };
        let meant = validator.diagnostics.spelling().closest(scope, declared.iter().copied());
        let help = help_for_unknown(meant, &format!("add `{scope}` to the `scopes` of the flow"));
        let message = format!("the scope `{scope}` is not declared");
        validator
            .at_value(Code::UndeclaredScope, &requirement.pointer.join_index(index), message)
            .help(help);
    }
}

fn check_scheme<'d>(view: &View<'d>, validator: &mut Validator<'d>) {
    let ty = view.text("type").unwrap_or("mutualTLS");
    for (_, name, help) in REQUIRED.iter().filter(|(of, _, _)| *of == ty) {
        validator.require(Code::RequiredField, view, A_SCHEME, name, help);
    }
    match ty {
        "oauth2" => {
            if view.text("oauth2MetadataUrl").is_some_and(|url| !url.contains("/.well-known/")) {
                let message = "the URL of the metadata is ignored: it does not name its issuer";
                let help = "write a URL with `/.well-known/oauth-authorization-server` (RFC 8414, section 3)";
                validator
                    .at_value(Code::Unread, &view.pointer.join("oauth2MetadataUrl"), message)
                    .help(help);
            }
            if let Some(flows) = view.child("flows") {
                validator.object(flows.node, &flows.pointer, &FLOWS);
                check_flows(view, &flows, validator);
            }
        }
        "apiKey" => {
            let location = view.text("in").unwrap_or("query");
            if location != "query" {
                check_token("name", &format!("a {location}"), view, validator);
            }
            if !matches!(location, "query" | "header" | "cookie") {
                let message = format!("an API key cannot be sent in `{location}`");
                validator.invalid(&view.pointer.join("in"), message, LOCATIONS);
            }
        }
        "http" => {
            let scheme = view.text("scheme").unwrap_or("basic");
            check_token("scheme", "an HTTP scheme", view, validator);
            let is_known = SCHEMES.iter().any(|known| known.eq_ignore_ascii_case(scheme));
            let meant = validator.diagnostics.spelling().closest(scheme, SCHEMES.into_iter());
            if let Some(meant) = meant.filter(|_| !is_known) {
                let message = format!("`{scheme}` is not a registered HTTP scheme");
                let help = format!("did you mean `{meant}`?");
                validator
                    .at_value(Code::UnsendableSecurity, &view.pointer.join("scheme"), message)
                    .help(help);
            }
        }
        "openIdConnect" | "mutualTLS" => {}
        other => {
            let meant = validator.diagnostics.spelling().closest(other, TYPE_NAMES.into_iter());
            // Swagger 2.0 has `type: basic`.
            let help = if SCHEMES.contains(&other) {
                format!("write `type: http` with `scheme: {other}`")
            } else {
                help_for_unknown(meant, TYPES)
            };
            let message = format!("security schemes of the type `{other}` are ignored");
            validator.at_value(Code::Unread, &view.pointer.join("type"), message).help(help);
        }
    }
}

/// Warns of a scheme whose credentials cannot be sent, because of an invalid name.
fn check_token(field: &str, what: &str, view: &View<'_>, validator: &mut Validator<'_>) {
    if let Some(name) = view.text(field).filter(|name| !is_token(name)) {
        let message = format!("`{name}` is not the name of {what}");
        validator.at_value(Code::UnsendableSecurity, &view.pointer.join(field), message)
            .help("names may contain letters, digits and symbols such as `-`, but no spaces (RFC 9110, section 5.6.2)");
    }
}

/// Warns of a scheme whose tokens the client cannot obtain.
fn check_flows(scheme: &View<'_>, flows: &View<'_>, validator: &mut Validator<'_>) {
    let others = ["clientCredentials", "authorizationCode", "deviceAuthorization"];
    let mut own = vec!["implicit", "password"];
    own.retain(|flow| flows.get(flow).is_some());
    if !own.is_empty() && others.iter().all(|flow| flows.get(flow).is_none()) {
        let flow = if own.len() == 1 { "flow" } else { "flows" };
        let message = format!("the client does not obtain tokens of the {flow} {}", listed(&own));
        validator
            .at_key(Code::UnsupportedSecurity, &scheme.pointer, message)
            .help("pass a token to the client, or a `TokenSource` that obtains tokens");
    }
}

fn check_flow(view: &View<'_>, validator: &mut Validator<'_>) {
    let name = view.pointer.last().unwrap_or_default();
    let what = FLOW.what;
    if matches!(name, "implicit" | "authorizationCode") {
        let help = "add the URL of the authorization endpoint";
        validator.require(Code::MissingField, view, what, "authorizationUrl", help);
    }
    if name != "implicit" {
        let help = "add the URL of the token endpoint";
        validator.require(Code::MissingField, view, what, "tokenUrl", help);
    }
}
