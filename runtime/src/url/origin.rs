//! Origins (RFC 6454): credentials are sent to one only.

use http::Uri;

/// Returns whether a URL has user information, which can be a password.
pub(crate) fn has_user(uri: &Uri) -> bool {
    uri.authority().is_some_and(|authority| authority.as_str().contains('@'))
}

/// Returns the origin of a URL as it is written, without user information.
#[cfg(any(feature = "record", feature = "test-util"))]
pub(crate) fn written_origin(uri: &Uri) -> String {
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{}://{host}", uri.scheme_str().unwrap_or_default())
}

/// The scheme, host and port of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) scheme: String,
    pub(crate) host: String,
    pub(crate) port: u16,
}

impl Origin {
    /// Returns the origin of an absolute `http` or `https` URL with a valid port, else `None`.
    pub(crate) fn new(uri: &Uri) -> Option<Self> {
        let scheme = uri.scheme_str()?.to_ascii_lowercase();
        let default = match scheme.as_str() {
            "http" => 80,
            "https" => 443,
            _ => return None,
        };
        let host = uri.host()?;
        // `Uri::port` is `None` for a port that does not fit 16 bits.
        let after_userinfo = uri.authority()?.as_str().rsplit('@').next()?;
        let port = match after_userinfo.strip_prefix(host)? {
            "" | ":" => default,
            port => port.strip_prefix(':')?.parse().ok().filter(|port| *port != 0)?,
        };
        Some(Self { scheme, host: host.to_ascii_lowercase(), port })
    }

    pub(crate) fn is_https(&self) -> bool {
        self.scheme == "https"
    }

    /// Returns whether credentials may be sent there: encrypted, or within this machine, or because the user allows it.
    pub(crate) fn is_private(&self, allow_http: bool) -> bool {
        self.is_https() || self.is_loopback() || allow_http
    }

    fn is_loopback(&self) -> bool {
        let host = self.host.trim_start_matches('[').trim_end_matches(']');
        match host.parse::<std::net::IpAddr>() {
            Ok(address) => address.is_loopback(),
            Err(_) => host == "localhost" || host.ends_with(".localhost"),
        }
    }
}
