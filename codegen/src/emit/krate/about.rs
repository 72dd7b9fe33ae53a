//! The facts about a crate that its manifest, its README and its documentation share.

use crate::emit::Settings;
use crate::emit::rust::docs::{Inline, text};
use crate::ir::Api;

/// The oldest Rust that compiles emitted crates.
pub const RUST_VERSION: &str = "1.89";

/// Returns the title of the crate, a sentence.
pub fn title(api: &Api) -> Inline {
    let name = Inline::plain(&api_name(api));
    text!("Typed bindings of the {}, version {}.", name, Inline::plain(&api.version))
}

/// Returns the name of an API as it follows an article.
pub fn api_name(api: &Api) -> String {
    let words: Vec<_> = api.title.split_whitespace().collect();
    let words = words.strip_prefix(&["The"]).unwrap_or(&words);
    let suffix = if words.contains(&"API") { "" } else { " API" };
    words.join(" ") + suffix
}

/// Returns which environment variables a client reads. `from_env` is the function.
pub fn from_env(settings: &Settings, from_env: &'static str) -> Inline {
    let prefix = settings.env_prefix();
    let variable = |name: &str| Inline::code(&format!("{prefix}_{name}"));
    text!(
        "{} reads the base URL from {} and the credentials from {}, or from {}, {} and {}.",
        from_env,
        variable("BASE_URL"),
        variable("TOKEN"),
        variable("TOKEN_URL"),
        variable("CLIENT_ID"),
        variable("CLIENT_SECRET"),
    )
}
