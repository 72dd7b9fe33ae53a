//! The servers and the ways to authenticate that a description declares.

use crate::document::{Components, RefOr, SecuritySchemeKind, Server};
use crate::ir::Security;

/// Returns the first server's URL, if it is absolute and has no variables: only then it can be offered as it is.
pub fn base_url(servers: &[Server]) -> Option<String> {
    let url = &servers.first()?.url;
    (url.contains("://") && !url.contains('{')).then(|| url.trim_end_matches('/').to_owned())
}

/// Returns a base URL for examples: the first server's, with the defaults of its variables.
pub fn example_base_url(servers: &[Server]) -> String {
    let filled = servers.first().map(|server| {
        let variables = server.variables.iter();
        variables.fold(server.url.clone(), |url, (name, variable)| {
            url.replace(&format!("{{{name}}}"), &variable.default)
        })
    });
    filled
        .filter(|url| url.starts_with("https://"))
        .unwrap_or_else(|| "https://api.example.com".to_owned())
}

/// Returns the declared ways to authenticate that the runtime performs.
pub fn declared(components: &Components) -> Security {
    let mut security = Security::default();
    for (_, scheme) in &components.security_schemes {
        let RefOr::Item(scheme) = scheme else {
            continue;
        };
        match &scheme.kind {
            SecuritySchemeKind::Http { scheme } if scheme == "bearer" => security.bearer = true,
            SecuritySchemeKind::OAuth2 { flows }
                if flows.iter().any(|(flow, _)| flow == "clientCredentials") =>
            {
                security.client_credentials = true;
            }
            _ => {}
        }
    }
    security
}
