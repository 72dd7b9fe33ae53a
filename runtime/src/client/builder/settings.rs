//! The settings of builders, as tables: of the builder here, and of those of emitted crates.

use super::ClientBuilder;
use crate::client::Client;
#[cfg(feature = "reqwest")]
use crate::transport::reqwest::proxy::Proxies;

/// The settings of every builder: documentation, arguments, and the change. Passes them to another macro.
#[doc(hidden)]
#[macro_export]
macro_rules! __settings {
    ($with:ident) => {
        $crate::$with! {
            /// Sends calls without credentials if the client has no credential that the operation needs, rather
            /// than failing: for interceptors and proxies that add them, and for the login of a spec that requires
            /// credentials for it.
            allow_anonymous() => |builder| builder.given.allow_anonymous = true;
            /// Allows sending credentials unencrypted to other machines. Meant for tests inside a trusted network.
            allow_http() => |builder| builder.settings.allow_http = true;
            /// Replaces the base URL. A client of [`Client::to_builder`] shares neither credentials nor interceptors with
            /// another origin.
            base_url(base_url: impl ::std::convert::Into<::std::string::String>) => |builder| {
                builder.base_url = base_url.into();
                builder.base_url_variable = None;
            };
            /// Replaces the source of time, pauses and randomness. Meant for tests.
            clock(clock: impl $crate::Clock) => |builder| builder.settings.clock = ::std::sync::Arc::new(clock);
            /// Sets the timeout of connecting, for the default transport: 10 seconds by default.
            connect_timeout(limit: ::std::time::Duration) => |builder| builder.settings.connect_timeout = limit;
            /// Sends a header with every call and every request for a token to the origin of the base URL. Other
            /// origins receive `Accept` and `User-Agent` alone, and what a call sets itself. An invalid name or
            /// value fails [`build`](Self::build).
            default_header(name: impl ::std::convert::AsRef<str>, value: impl ::std::convert::AsRef<str>)
                => |builder| builder.set_header(name.as_ref(), value.as_ref());
            /// Follows redirects of GET and HEAD to other origins, such as a download from a storage service.
            ///
            /// Such a request has only the headers `Accept`, `If-Range`, `Range` and `User-Agent`: no credentials, no
            /// cookies, no headers of the client or the call, and none of interceptors, which do not see it. Without this
            /// setting, such a redirect is the error [`ErrorKind::Redirect`]($crate::ErrorKind::Redirect), whose
            /// [`location`]($crate::Error::location) is its target. A redirect from https to http is always an error.
            follow_redirects_to_other_origins() => |builder| builder.settings.leaves_origin = true;
            /// Omits the values in the path from errors, which then show the template. Spans never show them.
            hide_path_values() => |builder| builder.settings.hides_path_values = true;
            /// Adds an interceptor; they run in the order in which they were added.
            interceptor(interceptor: impl $crate::Interceptor)
                => |builder| builder.settings.interceptors.push(::std::sync::Arc::new(interceptor));
            /// Limits the size of a response body in bytes, decompressed: 64 MiB by default.
            max_response_bytes(limit: usize) => |builder| builder.settings.options.max_response_bytes = limit;
            /// Calls `hook` when a response deviates from the spec. [`DriftKind`]($crate::DriftKind) lists the
            /// deviations. Models retain what was received with or without a hook.
            on_drift(hook: impl ::std::ops::Fn(&$crate::DriftReport<'_>) + Send + Sync + 'static) => |builder| {
                builder.settings.drift.get_or_insert_default().report = Some(::std::sync::Arc::new(hook));
            };
            /// Sets the retry policy.
            retry(policy: $crate::RetryPolicy) => |builder| builder.settings.options.retry = policy;
            /// Sets the retries that all calls of the client have together: 100 by default, and one for every 10
            /// successes. Keep a clone to read what is left of them, or to pass it to another client.
            retry_budget(budget: $crate::RetryBudget) => |builder| builder.settings.budget = budget;
            /// Makes drift an error: a response that deviates from the spec is
            /// [`Decode`]($crate::ErrorKind::Decode), after the [`on_drift`](Self::on_drift) hook was called.
            ///
            /// Meant for tests and staging, where it shows that the service has changed. In production, a new
            /// property would be an outage.
            strict() => |builder| builder.settings.drift.get_or_insert_default().strict = true;
            /// Sets the timeout of each attempt, from the request to the end of the response, and of each request for a
            /// token: 60 seconds by default.
            timeout(limit: ::std::time::Duration) => |builder| builder.settings.options.timeout = limit;
            /// Sets the timeout of a call in total, with tokens, attempts and the pauses between them: 3 minutes by default.
            total_timeout(limit: ::std::time::Duration) => |builder| builder.settings.options.total_timeout = limit;
            /// Replaces the transport, for example by a fake in a test.
            transport(transport: impl $crate::Transport)
                => |builder| builder.settings.transport = Some(::std::sync::Arc::new(transport));
            /// Adds a product, such as `inventory/2.1`, before the default `User-Agent`.
            user_agent(product: impl ::std::convert::AsRef<str>) => |builder| {
                let agent = format!("{} {}", product.as_ref(), builder.own_agent());
                builder.set_header("user-agent", &agent);
            };
        }
    };
}

#[cfg(feature = "record")]
#[doc(hidden)]
#[macro_export]
macro_rules! __record_setting {
    ($with:ident) => {
        $crate::$with! {
            /// Writes requests and responses to a file, without secrets. Needs the feature `record`.
            record(recorder: $crate::Recorder) => |builder| {
                if let Some(fault) = recorder.fault() {
                    builder.fault.get_or_insert_with(|| fault.to_owned());
                }
                builder.settings.recorder = Some(recorder);
            };
        }
    };
}

#[cfg(feature = "reqwest")]
#[doc(hidden)]
#[macro_export]
macro_rules! __transport_settings {
    ($with:ident) => {
        $crate::$with! {
            /// Trusts root certificates, in PEM, next to the certificates of the operating system.
            ///
            /// On Linux, the files that `SSL_CERT_FILE` and `SSL_CERT_DIR` name replace the files of the operating system.
            add_root_certificate(pem: impl ::std::convert::Into<::std::vec::Vec<u8>>)
                => |builder| builder.http().certificates.roots.push(pem.into());
            /// Authenticates the client by a certificate: the chain of certificates and the private key
            /// (PKCS #8, PKCS #1 or SEC 1), in PEM.
            ///
            /// Which keys are supported depends on the TLS provider: P-256, P-384, Ed25519 and RSA with
            /// `tls-ring`. [`build`](Self::build) refuses others.
            identity(pem: impl ::std::convert::Into<$crate::SecretString>)
                => |builder| builder.http().certificates.identity = Some(pem.into());
            /// Sends all requests directly, without the proxies of the environment.
            no_proxy() => |builder| builder.http().proxies = Proxies::None;
            /// Sends all requests through a proxy with an http or https URL, which can contain a user and a
            /// password. Requests to this machine and to the hosts of `NO_PROXY` are sent directly.
            ///
            /// By default, `HTTPS_PROXY` and `HTTP_PROXY` (also in lower case) name the proxies for https and http URLs,
            /// `ALL_PROXY` one for both, and `NO_PROXY` hosts, domains (also as `*.example.com`) and networks that are
            /// reached directly, separated by commas and without ports. SOCKS is not supported: an `ALL_PROXY` of another
            /// kind is ignored with a warning if one of the other variables is set, and otherwise fails
            /// [`build`](Self::build).
            proxy(url: impl ::std::convert::Into<$crate::SecretString>)
                => |builder| builder.http().proxies = Proxies::All(url.into());
            /// Sends requests through a configured reqwest client.
            /// [`reqwest::client_builder`]($crate::reqwest::client_builder) returns a builder of clients that follow no
            /// redirects.
            ///
            /// GET, HEAD, PUT, DELETE and OPTIONS are retried as with the default client. POST and PATCH are not retried after
            /// a failed connection or a refused stream, and fail as
            /// [`ErrorKind::Interrupted`]($crate::ErrorKind::Interrupted): the client may have followed a redirect, after the
            /// server has acted on the call. For all retries of the default, pass a client that follows none as
            /// [`ReqwestTransport::without_redirects`]($crate::ReqwestTransport::without_redirects) to
            /// [`transport`](Self::transport).
            reqwest_client(client: $crate::reqwest::Client) => |builder| {
                builder.settings.transport = Some(::std::sync::Arc::new($crate::ReqwestTransport::new(client)));
            };
        }
    };
}

#[cfg(all(feature = "reqwest", feature = "http2"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __http2_settings {
    ($with:ident) => {
        $crate::$with! {
            /// Sets the pings of HTTP/2 connections: a connection that has open calls, and receives nothing for `interval`, is
            /// pinged, and closed if the answer takes longer than `timeout`. The calls fail with
            /// [`Timeout`]($crate::ErrorKind::Timeout), and later ones use another connection. The default is 20 and 10
            /// seconds; an interval of `None` sends no pings.
            ///
            /// After an attempt that timed out, later calls use new connections in any case.
            http2_keep_alive(
                interval: impl ::std::convert::Into<::std::option::Option<::std::time::Duration>>,
                timeout: ::std::time::Duration
            ) => |builder| {
                builder.http().http2.ping_after = interval.into();
                builder.http().http2.ping_timeout = timeout;
            };
            /// Limits the size of the headers of a response over HTTP/2 in bytes, decoded, each with an overhead of 32 (RFC
            /// 9113, section 6.5.2). The default is 64 KiB.
            http2_max_header_bytes(limit: u32) => |builder| builder.http().http2.max_header_bytes = limit;
        }
    };
}

/// No settings, without the features for them.
#[cfg(not(feature = "record"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __record_setting {
    ($with:ident) => {};
}

/// No settings, without the features for them.
#[cfg(not(feature = "reqwest"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __transport_settings {
    ($with:ident) => {};
}

/// No settings, without the features for them.
#[cfg(not(all(feature = "reqwest", feature = "http2")))]
#[doc(hidden)]
#[macro_export]
macro_rules! __http2_settings {
    ($with:ident) => {};
}

/// Adds settings to the builder here.
#[doc(hidden)]
#[macro_export]
macro_rules! __own_settings {
    ($(
        $(#[$documentation:meta])*
        $name:ident($($argument:ident: $type:ty),*) => |$builder:ident| $change:expr;
    )*) => {
        impl<C: From<Client>> ClientBuilder<C> {$(
            $(#[$documentation])*
            pub fn $name(mut self $(, $argument: $type)*) -> Self {
                let $builder = &mut self;
                $change;
                self
            }
        )*}
    };
}

crate::__settings!(__own_settings);
crate::__record_setting!(__own_settings);
crate::__transport_settings!(__own_settings);
crate::__http2_settings!(__own_settings);
