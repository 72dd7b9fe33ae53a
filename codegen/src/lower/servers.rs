//! Base URLs from the servers of a document.

use crate::document::Document;

/// Returns the first server's URL, if it is absolute and has no variables.
pub fn base_url(document: &Document) -> Option<String> {
    let url = document.root().list("servers").next()?.text("url")?;
    (url.contains("://") && !url.contains('{')).then(|| url.trim_end_matches('/').to_owned())
}

/// Returns a base URL for examples: the first server's, with the defaults of its variables.
pub fn example_base_url(document: &Document) -> String {
    let filled = document.root().list("servers").next().and_then(|server| {
        let url = server.text("url")?.to_owned();
        Some(server.map("variables").fold(url, |url, (name, variable)| {
            url.replace(&format!("{{{name}}}"), variable.text("default").unwrap_or_default())
        }))
    });
    filled
        .filter(|url| url.starts_with("https://"))
        .unwrap_or_else(|| "https://api.example.com".to_owned())
}
