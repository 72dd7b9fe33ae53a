//! Texts that the manifest, the README and the documentation of a crate share.

use super::credentials;
use crate::emit::rust::docs::{Inline, text};
use crate::ir::Api;
use crate::settings::Settings;

/// The oldest Rust that compiles emitted crates.
pub const RUST_VERSION: &str = "1.89";

pub fn title(api: &Api) -> Inline {
    let name = Inline::plain(&api_name(api));
    match api.version.trim() {
        "" => text!("Typed bindings of the {}.", name),
        version => text!("Typed bindings of the {}, version {}.", name, Inline::plain(version)),
    }
}

/// Returns the name of an API as it follows an article.
pub fn api_name(api: &Api) -> String {
    let mut words: Vec<_> = api.title.split_whitespace().collect();
    let has_article = words.first().is_some_and(|word| word.eq_ignore_ascii_case("the"));
    if has_article && words.len() > 1 {
        words.remove(0);
    }
    if !words.contains(&"API") {
        words.push("API");
    }
    words.join(" ")
}

/// Returns a remark on the path of the base URL, if the spec has only a path.
pub fn base_path(api: &Api) -> Inline {
    let template = api.base_url_template.as_deref();
    let path = template.map(|url| url.trim_start_matches('.').trim_end_matches('/'));
    match path.filter(|path| path.starts_with('/') && !path.starts_with("//")) {
        Some(path) => text!(" (ending with {})", Inline::code(path)),
        None => text!(""),
    }
}

/// Returns a sentence on the environment variables that a client reads. `from_env` is the name of the function.
pub fn from_env(api: &Api, settings: &Settings, from_env: &'static str) -> Inline {
    let base_url = Inline::code(&format!("{}_BASE_URL", settings.env_prefix()));
    match credentials::variables(api, settings) {
        None => text!("{} reads the base URL{} from {}.", from_env, base_path(api), base_url),
        Some(credentials) => text!(
            "{} reads the base URL{} from {} and the credentials from {}.",
            from_env,
            base_path(api),
            base_url,
            credentials
        ),
    }
}
