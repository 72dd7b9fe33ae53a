//! Builders with the settings of a client.

use std::sync::Arc;

use http::HeaderMap;

use super::ClientBuilder;
use super::given::Given;
use crate::auth::credentials::ValueSource;
use crate::client::{Client, Settings, Shared};
use crate::transport::Transport;
use crate::url::base_url::BaseUrl;

impl Client {
    /// Returns a builder with the settings of this client, for another one with a few other settings: a base URL, a
    /// timeout, default headers, or credentials.
    ///
    /// Both clients share their connections, unless a setting of the default transport is called, their retry budget,
    /// interceptors and hooks, and the credentials, unless any are set: a token is obtained once for both, by this client
    /// with its headers and its timeout. Default headers in the place of credentials that are set are not shared.
    ///
    /// If its base URL has another origin (scheme, host and port), it has no credentials, client certificate, accepted
    /// servers and interceptors, and of the default headers `Accept` and `User-Agent`, until they are set: no secret of
    /// this client is sent to another host. A transport of your own is shared, with all that it adds.
    pub fn to_builder<C: From<Self>>(&self) -> ClientBuilder<C> {
        let Shared { settings, base_url, credentials, .. } = &*self.shared;
        let mut builder = ClientBuilder::new(settings.service, base_url.text.clone());
        builder.settings = settings.clone();
        #[cfg(feature = "reqwest")]
        {
            builder.settings.http.certificates.identity = None;
        }
        builder.given.allow_anonymous = credentials.allow_anonymous;
        builder.parent = Some(self.clone());
        builder
    }
}

impl<C: From<Client>> ClientBuilder<C> {
    /// Returns the default transport of the parent, unless this client has another one, and whether it trusts certificates.
    pub(super) fn inherited_transport(
        &self,
        needs_tls: bool,
    ) -> Option<(Arc<dyn Transport>, bool)> {
        let Client { shared } = self.parent.as_ref()?;
        let Settings { transport, connect_timeout, .. } = &self.settings;
        let is_shared = transport.is_none()
            && !self.sets_http
            && *connect_timeout == shared.settings.connect_timeout
            && self.settings.has_certificate() == shared.settings.has_certificate()
            && (shared.uses_tls || !needs_tls);
        is_shared.then(|| (Arc::clone(&shared.transport), shared.uses_tls))
    }

    /// Adds the headers, servers, certificate and credentials of the parent that are not set, as far as a client with this
    /// base URL may have them.
    pub(super) fn inherit(&mut self, base_url: &BaseUrl) {
        let Some(Client { shared }) = &self.parent else { return };
        let schemes = self.settings.service.schemes;
        for (name, value) in shared.headers_for(&base_url.origin) {
            let header = HeaderMap::from_iter([(name.clone(), value.clone())]);
            let mut given = self.given.by_scheme.keys().filter_map(|scheme| schemes.get(*scheme));
            if !given.any(|scheme| scheme.place.is_in(&header)) {
                self.headers.entry(name).or_insert_with(|| value.clone());
            }
        }
        if !shared.has_defaults(&base_url.origin) {
            self.settings.interceptors.drain(..shared.settings.interceptors.len());
            return;
        }
        for (server, accepted) in &shared.accepted {
            self.servers.entry(*server).or_insert_with(|| accepted.clone());
        }
        #[cfg(feature = "reqwest")]
        if let Some(identity) = &shared.settings.http.certificates.identity {
            self.settings.http.certificates.identity.get_or_insert_with(|| identity.clone());
        }
        if !self.given.is_empty() {
            return;
        }
        for (scheme, credential) in shared.credentials.given.iter().enumerate() {
            // A certificate is that of the transport.
            if let Some(credential) = credential
                && !matches!(credential.value, ValueSource::InTransport)
            {
                self.given.by_scheme.insert(scheme, (Given::Shared(credential.clone()), None));
            }
        }
    }
}
