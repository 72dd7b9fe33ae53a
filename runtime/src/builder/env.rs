//! Clients from environment variables.

use super::ClientBuilder;
use crate::auth::client_credentials::ClientCredentials;
use crate::client::{Client, Service};
use crate::error::Error;

impl<C: From<Client>> ClientBuilder<C> {
    /// Returns a builder with the settings of these environment variables, where `PREFIX` is the prefix
    /// of the API:
    ///
    /// | variable | meaning |
    /// |---|---|
    /// | `PREFIX_BASE_URL` | the base URL; required |
    /// | `PREFIX_TOKEN` | a fixed access token; or, instead of it, the next three |
    /// | `PREFIX_TOKEN_URL` | the token endpoint, absolute or relative to the base URL |
    /// | `PREFIX_CLIENT_ID` | the client's identifier |
    /// | `PREFIX_CLIENT_SECRET` | the client's secret |
    /// | `PREFIX_SCOPE` | the scope to request; optional |
    ///
    /// Empty variables count as missing. [`Client::credentials`] and the `Debug` output of the client
    /// show the source that was chosen.
    ///
    /// # Errors
    ///
    /// Fails if a required variable is missing.
    #[doc(hidden)]
    pub fn from_env(service: &'static Service) -> Result<Self, Error> {
        Self::from_vars(service, |name| std::env::var(name).ok())
    }

    fn from_vars(
        service: &'static Service,
        lookup: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, Error> {
        let name = |variable: &str| format!("{}_{variable}", service.env_prefix);
        let get = |variable: &str| lookup(&name(variable)).filter(|value| !value.trim().is_empty());
        let Some(base_url) = get("BASE_URL") else {
            return Err(Error::config(format!("the environment has no `{}`", name("BASE_URL"))));
        };
        let builder = Self::new(service, base_url);
        if let Some(token) = get("TOKEN") {
            return Ok(builder.bearer_token(token).credentials_from(name("TOKEN")));
        }
        let needed = ["TOKEN_URL", "CLIENT_ID", "CLIENT_SECRET"];
        let [Some(token_url), Some(client_id), Some(secret)] = needed.map(get) else {
            let missing: Vec<_> =
                needed.into_iter().filter(|variable| get(variable).is_none()).map(name).collect();
            let missing = missing.join("`, `");
            return Err(Error::config(format!(
                "the environment has no credentials: set `{}`, or for OAuth 2.0 also `{missing}`",
                name("TOKEN")
            )));
        };
        let mut credentials = ClientCredentials::new(token_url, client_id, secret);
        if let Some(scope) = get("SCOPE") {
            credentials = credentials.scope(scope);
        }
        Ok(builder.token_source(credentials).credentials_from(name("CLIENT_ID")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SERVICE: Service =
        Service { package: "pets", version: "1.0.0", env_prefix: "PETS", request_id: None };

    fn built(vars: &[(&str, &str)]) -> Result<Client, String> {
        let lookup = |name: &str| {
            vars.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned())
        };
        ClientBuilder::<Client>::from_vars(&SERVICE, lookup)
            .and_then(ClientBuilder::build)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn names_missing_variables() {
        assert!(built(&[]).unwrap_err().contains("`PETS_BASE_URL`"));
        let missing = built(&[
            ("PETS_BASE_URL", "http://localhost"),
            ("PETS_CLIENT_ID", "me"),
            ("PETS_TOKEN", " "),
        ])
        .unwrap_err();
        assert!(
            missing.contains(
                "set `PETS_TOKEN`, or for OAuth 2.0 also `PETS_TOKEN_URL`, `PETS_CLIENT_SECRET`"
            ),
            "{missing}"
        );
    }

    #[test]
    fn shows_the_chosen_source() {
        let fixed =
            built(&[("PETS_BASE_URL", "http://localhost"), ("PETS_TOKEN", "hunter2")]).unwrap();
        assert_eq!(fixed.credentials().unwrap(), "a fixed bearer token, from PETS_TOKEN");
        let asked = built(&[
            ("PETS_BASE_URL", "http://localhost/tenant"),
            ("PETS_TOKEN_URL", "auth/token"),
            ("PETS_CLIENT_ID", "me"),
            ("PETS_CLIENT_SECRET", "hunter2"),
        ])
        .unwrap();
        let shown = format!("{asked:?}");
        assert!(
            shown
                .contains("OAuth 2.0 client credentials of `me` at localhost, from PETS_CLIENT_ID"),
            "{shown}"
        );
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}
