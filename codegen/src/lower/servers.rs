//! Base URLs from the servers of a document.

use crate::document::Server;

/// Returns the first server's URL, if it is absolute and has no variables.
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
