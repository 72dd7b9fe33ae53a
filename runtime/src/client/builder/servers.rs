//! The servers that operations have instead of the base URL.

use super::ClientBuilder;
use super::given::invalid;
use crate::client::Client;
use crate::error::Error;
use crate::url::base_url::BaseUrl;
use crate::url::server::Server;

impl<C: From<Client>> ClientBuilder<C> {
    /// Accepts a server that some operations have instead of the base URL: they are sent there, with their
    /// credentials.
    ///
    /// Without it, these operations fail before anything is sent, so that a client with a base URL of your
    /// own calls no other host. A server of the origin of the base URL needs no acceptance.
    pub fn server<S: Server>(mut self, server: S) -> Self {
        self.servers.insert(S::INDEX, (server.into(), None));
        self
    }

    /// Returns a URL unless it would send credentials unencrypted.
    pub(super) fn private(&self, url: BaseUrl) -> Result<BaseUrl, String> {
        if self.given.is_empty() || url.origin.is_private(self.settings.allow_http) {
            return Ok(url);
        }
        let why =
            "is http, which would send the credentials unencrypted; use https, or `allow_http()`";
        Err(why.to_owned())
    }

    /// Returns the URLs of the servers: the accepted ones, and the ones with the origin of the base URL.
    pub(super) fn resolved_servers(
        &self,
        base_url: &BaseUrl,
    ) -> Result<Vec<Option<BaseUrl>>, Error> {
        let all = self.settings.service.servers.iter().enumerate();
        let resolved = all.map(|(index, server)| match self.servers.get(&index) {
            Some((url, variable)) => {
                let accepted = self.accepted(url, base_url).map(Some);
                let named = |why| format!("the URL of the server `{}` {why}", server.name);
                accepted.map_err(|why| invalid(variable.as_deref(), named(why)))
            }
            None => Ok(within(base_url, server.url)),
        });
        resolved.collect()
    }

    fn accepted(&self, url: &str, base_url: &BaseUrl) -> Result<BaseUrl, String> {
        let parsed =
            if url.contains("://") { BaseUrl::parse(url) } else { relative(base_url, url) };
        self.private(parsed?)
    }
}

/// Resolves the URL of a server, if it has the origin of the base URL.
fn within(base_url: &BaseUrl, url: &str) -> Option<BaseUrl> {
    let resolved = relative(base_url, url).ok()?;
    (resolved.origin == base_url.origin).then_some(resolved)
}

fn relative(base_url: &BaseUrl, url: &str) -> Result<BaseUrl, String> {
    match base_url.resolve(url) {
        Some(resolved) => BaseUrl::parse(&resolved.to_string()),
        None => BaseUrl::parse(url),
    }
}
