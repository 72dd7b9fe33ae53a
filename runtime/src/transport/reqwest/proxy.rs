//! Proxies of the builder or of the environment.

use secrecy::{ExposeSecret, SecretString};

use crate::future::BoxError;

/// Hosts that are never reached through a proxy: this machine.
const LOOPBACK: &str = "localhost,127.0.0.0/8,::1";

/// The proxies of the default client.
#[derive(Clone, Debug, Default)]
pub(crate) enum Proxies {
    /// Those of `HTTPS_PROXY`, `HTTP_PROXY` and `ALL_PROXY`.
    #[default]
    Environment,
    None,
    /// One for all requests. The URL can contain a password.
    All(SecretString),
}

/// Sets the proxies of a client; `variable` reads the environment.
pub(super) fn configure(
    builder: reqwest::ClientBuilder,
    proxies: &Proxies,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<reqwest::ClientBuilder, BoxError> {
    let first = |names: &[&'static str]| {
        names.iter().find_map(|name| {
            let value = variable(name).filter(|value| !value.trim().is_empty())?;
            Some((*name, value))
        })
    };
    let direct = first(&["NO_PROXY", "no_proxy"]).map(|(_, hosts)| hosts).unwrap_or_default();
    let direct = reqwest::NoProxy::from_string(&format!("{LOOPBACK},{direct}"));
    // Otherwise reqwest reads the environment, and sends requests for this machine to a proxy.
    let builder = builder.no_proxy();
    match proxies {
        Proxies::None => Ok(builder),
        Proxies::All(url) => {
            let url = parse(url.expose_secret()).ok_or("the proxy is not an http or https URL")?;
            Ok(builder.proxy(reqwest::Proxy::all(url)?.no_proxy(direct)))
        }
        Proxies::Environment => {
            // A web server gives a CGI program the header `Proxy` of a request as `HTTP_PROXY`.
            let is_cgi = variable("REQUEST_METHOD").is_some();
            let http: &[_] = if is_cgi { &["http_proxy"] } else { &["HTTP_PROXY", "http_proxy"] };
            let all = || first(&["ALL_PROXY", "all_proxy"]);
            let https = first(&["HTTPS_PROXY", "https_proxy"]).or_else(all);
            let http = first(http).or_else(all);
            let mut builder = builder;
            for (found, is_https) in [(https, true), (http, false)] {
                let Some((name, url)) = found else { continue };
                let url = parse(&url).ok_or_else(|| {
                    format!(
                        "the environment variable `{name}` is not an http or https URL; \
                         correct it, or use `no_proxy()`"
                    )
                })?;
                let proxy =
                    if is_https { reqwest::Proxy::https(url)? } else { reqwest::Proxy::http(url)? };
                builder = builder.proxy(proxy.no_proxy(direct.clone()));
            }
            Ok(builder)
        }
    }
}

/// Parses the URL of a proxy, which may lack the scheme.
fn parse(url: &str) -> Option<reqwest::Url> {
    let url = url.trim();
    let url = if url.contains("://") { url.to_owned() } else { format!("http://{url}") };
    let url: reqwest::Url = url.parse().ok()?;
    matches!(url.scheme(), "http" | "https").then_some(url)
}
