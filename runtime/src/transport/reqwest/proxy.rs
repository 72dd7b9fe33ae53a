//! Proxies of the builder or of the environment.

use std::error::Error as StdError;
use std::iter::successors;
use std::sync::Arc;

use hyper_util::client::proxy::matcher::Matcher;
use secrecy::{ExposeSecret, SecretString};
use tracing::warn;

use super::tls;
use crate::time::future::BoxError;
use crate::transport::error::TransportError;

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

/// The proxies of URLs, and the hosts without one.
#[derive(Clone, Default)]
pub(super) struct ProxyList(Option<Arc<Inner>>);

struct Inner {
    http: Option<reqwest::Url>,
    https: Option<reqwest::Url>,
    /// Has a proxy for all hosts but those that are reached directly.
    others: Matcher,
}

impl ProxyList {
    /// Reads the proxies; `variable` reads the environment.
    pub(super) fn new(
        proxies: &Proxies,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, BoxError> {
        let first = |names: &[&'static str]| {
            names.iter().find_map(|name| {
                let value = variable(name).filter(|value| !value.trim().is_empty())?;
                Some((*name, value))
            })
        };
        let (http, https) = match proxies {
            Proxies::None => (None, None),
            Proxies::All(url) => {
                let url =
                    parse(url.expose_secret()).ok_or("the proxy is not an http or https URL")?;
                (Some(url.clone()), Some(url))
            }
            Proxies::Environment => {
                // A web server gives a CGI program the header `Proxy` of a request as `HTTP_PROXY`.
                let is_cgi = variable("REQUEST_METHOD").is_some();
                let http: &[_] =
                    if is_cgi { &["http_proxy"] } else { &["HTTP_PROXY", "http_proxy"] };
                let http = named(first(http))?;
                let https = named(first(&["HTTPS_PROXY", "https_proxy"]))?;
                let all = match named(first(&["ALL_PROXY", "all_proxy"])) {
                    Err(why) if http.is_some() || https.is_some() => {
                        warn!(target: env!("CARGO_CRATE_NAME"), "{why}; it is ignored");
                        None
                    }
                    all => all?,
                };
                (http.or_else(|| all.clone()), https.or(all))
            }
        };
        if http.is_none() && https.is_none() {
            return Ok(Self(None));
        }
        let listed = first(&["NO_PROXY", "no_proxy"]).map(|(_, hosts)| hosts).unwrap_or_default();
        let direct: Vec<_> = LOOPBACK.split(',').chain(listed.split(',')).map(host).collect();
        let others = Matcher::builder().all("http://any").no(direct.join(",")).build();
        Ok(Self(Some(Arc::new(Inner { http, https, others }))))
    }

    pub(super) fn apply(&self, builder: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
        // Otherwise reqwest reads the environment, and sends requests for this machine to a proxy.
        let builder = builder.no_proxy();
        let Some(inner) = &self.0 else { return builder };
        let inner = Arc::clone(inner);
        builder.proxy(reqwest::Proxy::custom(move |url| {
            inner.of(&url.as_str().parse().ok()?).cloned()
        }))
    }

    /// Explains an error of a proxy between the client and a URL, if it is one.
    pub(super) fn explain(
        &self,
        error: &reqwest::Error,
        uri: &http::Uri,
    ) -> Option<TransportError> {
        let proxy = self.0.as_ref()?.of(uri)?;
        let host = proxy.host_str().unwrap_or_default();
        let port = proxy.port_or_known_default().unwrap_or_default();
        let target = uri.authority().map(http::uri::Authority::as_str).unwrap_or_default();
        let causes = || successors(error.source(), |&cause| cause.source());
        let named =
            |why: &str| TransportError::connect(format!("the proxy `{host}:{port}`: {why}"));
        let refusal = causes().find_map(|cause| refusal(&cause.to_string(), target));
        match refusal {
            Some((why, lasting)) => Some(named(&why).lasting_if(lasting)),
            // That of the server behind it has its own explanation.
            None if error.is_connect() && tls::refusal(error).is_none() => {
                Some(named(&causes().last()?.to_string()))
            }
            None => None,
        }
    }
}

/// Explains an error of reqwest that a tunnel through a proxy can have, and returns whether it is lasting. The types of
/// these errors are private.
fn refusal(error: &str, target: &str) -> Option<(String, bool)> {
    Some(match error {
        "tunnel error: proxy authorization required" => {
            let why = "it rejected the user and the password of its URL (HTTP 407), for";
            (format!("{why} `{target}`"), true)
        }
        "tunnel error: unsuccessful" => {
            let why = "it refused to connect to";
            (format!("{why} `{target}`; reqwest does not report the status"), false)
        }
        "Invalid Server Name" if target.starts_with('[') => {
            let why = "reqwest cannot check the certificate of the IPv6 address";
            let cure = "use the name of the host, or `NO_PROXY`";
            (format!("{why} `{target}` there; {cure}"), true)
        }
        _ => return None,
    })
}

impl Inner {
    fn of(&self, uri: &http::Uri) -> Option<&reqwest::Url> {
        let proxy = match uri.scheme_str()? {
            "http" => self.http.as_ref()?,
            "https" => self.https.as_ref()?,
            _ => return None,
        };
        self.others.intercept(uri).map(|_| proxy)
    }
}

/// Returns an entry of `NO_PROXY` as reqwest knows it: without `*` before a domain, and without brackets around an address.
fn host(entry: &str) -> &str {
    let host = entry.trim().trim_start_matches('[').trim_end_matches(']');
    host.strip_prefix('*').filter(|rest| rest.starts_with('.')).unwrap_or(host)
}

/// Parses a variable with the URL of a proxy.
fn named(variable: Option<(&str, String)>) -> Result<Option<reqwest::Url>, BoxError> {
    let Some((name, url)) = variable else { return Ok(None) };
    let url = parse(&url).ok_or_else(|| {
        format!(
            "the environment variable `{name}` is not an http or https URL; \
             correct it, or use `no_proxy()`"
        )
    })?;
    Ok(Some(url))
}

/// Parses the URL of a proxy, which may lack the scheme.
fn parse(url: &str) -> Option<reqwest::Url> {
    let url = url.trim();
    let url = if url.contains("://") { url.to_owned() } else { format!("http://{url}") };
    let url: reqwest::Url = url.parse().ok()?;
    matches!(url.scheme(), "http" | "https").then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socks_proxy_for_all_is_ignored_next_to_another() {
        let list = |all: &str, https: &str| {
            ProxyList::new(&Proxies::Environment, |name| match name {
                "ALL_PROXY" => Some(all.to_owned()),
                "HTTPS_PROXY" => Some(https.to_owned()),
                _ => None,
            })
        };
        let socks = "socks5://me:hunter2@localhost:1080";
        let inner = list(socks, "http://proxy.test:3128").unwrap().0.unwrap();
        assert!(inner.http.is_none() && inner.https.is_some());
        for (all, https, refused) in [(socks, "", "`ALL_PROXY`"), ("", socks, "`HTTPS_PROXY`")] {
            let error = list(all, https).err().unwrap().to_string();
            assert!(error.contains(refused) && !error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn hosts_without_a_proxy_are_listed_in_the_usual_forms() {
        for (entry, direct, proxied) in [
            ("*", "https://a.test", ""),
            ("a.test", "https://a.test:8443", "https://b.test"),
            ("a.test", "https://x.a.test", "https://xa.test"),
            (".a.test", "https://x.a.test", "https://xa.test"),
            ("*.a.test", "https://x.a.test", "https://xa.test"),
            (" A.test ", "https://a.TEST", "https://b.test"),
            ("192.0.2.1", "http://192.0.2.1:81", "http://192.0.2.2"),
            ("192.0.2.0/24", "http://192.0.2.7", "http://192.0.3.7"),
            ("2001:db8::1", "http://[2001:db8::1]:81", "http://[2001:db8::2]"),
            ("[2001:db8::1]", "http://[2001:db8::1]:81", "http://[2001:db8::2]"),
            ("2001:db8::/32", "http://[2001:db8::7]", "http://[2001:db9::7]"),
            ("b.test, a.test", "https://a.test", "https://c.test"),
            ("", "http://localhost", "http://localhost.test"),
            ("x", "http://[::1]:8080", "http://[::2]"),
            ("x", "http://127.9.9.9", "http://128.0.0.1"),
        ] {
            let variable = |name: &str| match name {
                "ALL_PROXY" => Some("proxy.test:3128".to_owned()),
                "NO_PROXY" => Some(entry.to_owned()),
                _ => None,
            };
            let list = ProxyList::new(&Proxies::Environment, variable).unwrap().0.unwrap();
            assert!(list.of(&direct.parse().unwrap()).is_none(), "{entry}: {direct}");
            if !proxied.is_empty() {
                assert!(list.of(&proxied.parse().unwrap()).is_some(), "{entry}: {proxied}");
            }
        }
    }
}
