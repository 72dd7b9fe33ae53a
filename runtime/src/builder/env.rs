//! Clients from environment variables.

use super::ClientBuilder;
use super::given::Given;
use crate::auth::client_credentials::ClientCredentials;
use crate::auth::scheme::{Place, Scheme};
use crate::client::{Client, Service};
use crate::error::Error;

impl<C: From<Client>> ClientBuilder<C> {
    /// Returns a builder with the base URL, servers and credentials of these environment variables, where `PREFIX` is the prefix
    /// of the API:
    ///
    /// | variable | meaning |
    /// |---|---|
    /// | `PREFIX_BASE_URL` | the base URL; required |
    /// | `PREFIX_TOKEN` | a fixed access token; or, instead of it, the next three |
    /// | `PREFIX_TOKEN_URL` | the token endpoint, absolute or relative to the base URL, if the spec has none |
    /// | `PREFIX_CLIENT_ID` | the client's identifier |
    /// | `PREFIX_CLIENT_SECRET` | the client's secret |
    /// | `PREFIX_SCOPE` | the scope to request; optional |
    /// | `PREFIX_USERNAME`, `PREFIX_PASSWORD` | a user and a password |
    /// | `PREFIX_API_KEY` | an API key |
    /// | `PREFIX_SERVER_NAME` | the URL of the server `Name` of operations that have their own; optional |
    ///
    /// If the API has several schemes of a kind, their variables begin with `PREFIX_SCHEME`. Empty variables count as
    /// missing. [`Client::credentials`] and the `Debug` output of the client show what was found.
    ///
    /// # Errors
    ///
    /// Fails if a required variable is missing. Without credentials [`build`](Self::build) fails, unless the builder is
    /// given some.
    #[doc(hidden)]
    pub fn from_env(service: &'static Service) -> Result<Self, Error> {
        Self::from_vars(service, |name| std::env::var(name).ok())
    }

    fn from_vars(
        service: &'static Service,
        lookup: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, Error> {
        let variables = Variables { prefix: service.env_prefix, lookup };
        let Some(base_url) = variables.get("BASE_URL") else {
            let name = variables.name("BASE_URL");
            return Err(Error::config(format!("the environment variable `{name}` is not set")));
        };
        let mut builder = Self::new(service, base_url);
        for (index, server) in service.servers.iter().enumerate() {
            if let Some(url) = variables.get(server.variable) {
                builder = builder.set_server(index, url);
            }
        }
        for (index, scheme) in service.schemes.iter().enumerate() {
            if let Some((given, variable)) = variables.read(scheme)? {
                builder = builder.give(index, given, Some(variable));
            }
        }
        builder.given.variables = Some(variables.listed(service));
        Ok(builder)
    }
}

/// The environment variables of an API.
struct Variables<F> {
    prefix: &'static str,
    lookup: F,
}

impl<F: Fn(&str) -> Option<String>> Variables<F> {
    fn name(&self, variable: &str) -> String {
        format!("{}_{variable}", self.prefix)
    }

    fn get(&self, variable: &str) -> Option<String> {
        (self.lookup)(&self.name(variable)).filter(|value| !value.trim().is_empty())
    }

    /// Returns the credentials of a scheme, and a variable that they were read from.
    fn read(&self, scheme: &Scheme) -> Result<Option<(Given, String)>, Error> {
        let groups = groups(scheme);
        for group in &groups {
            let values: Vec<String> =
                group.iter().filter_map(|variable| self.get(variable)).collect();
            if values.len() < group.len() {
                continue;
            }
            let named = group.iter().find(|variable| !variable.ends_with("TOKEN_URL"));
            let name = self.name(named.map_or("", String::as_str));
            let given = match (scheme.place, values.as_slice()) {
                (Place::Basic, [user, password]) => {
                    Given::Value(format!("{user}:{password}").into())
                }
                (Place::Bearer, [.., id, secret]) => {
                    let of_spec = scheme.client_credentials.unwrap_or_default();
                    let url =
                        values.first().filter(|_| values.len() > 2).map_or(of_spec, String::as_str);
                    let mut source = ClientCredentials::new(url, id, secret.as_str());
                    let scope = self
                        .get(&variable(scheme, "SCOPE"))
                        .unwrap_or_else(|| scheme.scope.to_owned());
                    if !scope.is_empty() {
                        source = source.scope(scope);
                    }
                    Given::Source(Box::new(source))
                }
                _ => Given::Value(values.concat().into()),
            };
            return Ok(Some((given, name)));
        }
        for group in groups {
            let (found, missing): (Vec<_>, Vec<_>) =
                group.iter().partition(|variable| self.get(variable).is_some());
            if let Some(found) = found.first() {
                let found = self.name(found);
                let missing = self.all(&missing);
                let message =
                    format!("the environment variable `{found}` is set, but not {missing}");
                return Err(Error::config(message));
            }
        }
        Ok(None)
    }

    /// Returns the variables of all credentials of the API.
    fn listed(&self, service: &Service) -> String {
        let groups = service.schemes.iter().flat_map(groups);
        let groups: Vec<_> =
            groups.map(|group| self.all(&group.iter().collect::<Vec<_>>())).collect();
        groups.join(", or ")
    }

    fn all(&self, variables: &[&String]) -> String {
        let names = variables.iter().map(|variable| format!("`{}`", self.name(variable)));
        names.collect::<Vec<_>>().join(" and ")
    }
}

/// Returns the groups of variables, one of which a scheme needs.
fn groups(scheme: &Scheme) -> Vec<Vec<String>> {
    let group = |suffixes: &[&str]| -> Vec<String> {
        suffixes.iter().map(|suffix| variable(scheme, suffix)).collect()
    };
    match (scheme.place, scheme.client_credentials) {
        (Place::Bearer, None) => vec![group(&["TOKEN"])],
        (Place::Bearer, Some("")) => {
            vec![group(&["TOKEN"]), group(&["TOKEN_URL", "CLIENT_ID", "CLIENT_SECRET"])]
        }
        (Place::Bearer, Some(_)) => vec![group(&["TOKEN"]), group(&["CLIENT_ID", "CLIENT_SECRET"])],
        (Place::Basic, _) => vec![group(&["USERNAME", "PASSWORD"])],
        (Place::Certificate, _) => Vec::new(),
        (Place::Http(_) | Place::Header(_) | Place::Query(_) | Place::Cookie(_), _) => {
            vec![vec![scheme.variable.to_owned()]]
        }
    }
}

fn variable(scheme: &Scheme, suffix: &str) -> String {
    match scheme.variable {
        "" => suffix.to_owned(),
        variable => format!("{variable}_{suffix}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::scheme::Alternatives;

    static SERVICE: Service = service(&[Scheme::BEARER], &[&[0]]);

    const fn service(schemes: &'static [Scheme], security: Alternatives) -> Service {
        Service {
            package: "pets",
            version: "1.0.0",
            env_prefix: "PETS",
            request_id: None,
            schemes,
            security,
            servers: &[],
        }
    }

    fn built(vars: &[(&str, &str)]) -> Result<Client, String> {
        built_for(&SERVICE, vars)
    }

    fn built_for(service: &'static Service, vars: &[(&str, &str)]) -> Result<Client, String> {
        let lookup = |name: &str| {
            vars.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned())
        };
        ClientBuilder::<Client>::from_vars(service, lookup)
            .and_then(ClientBuilder::build)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn missing_variables_are_named() {
        assert!(built(&[]).unwrap_err().contains("`PETS_BASE_URL`"));
        let missing = built(&[
            ("PETS_BASE_URL", "http://localhost"),
            ("PETS_CLIENT_ID", "me"),
            ("PETS_TOKEN", " "),
        ])
        .unwrap_err();
        assert!(
            missing.contains(
                "`PETS_CLIENT_ID` is set, but not `PETS_TOKEN_URL` and `PETS_CLIENT_SECRET`"
            ),
            "{missing}"
        );
        let none = built(&[("PETS_BASE_URL", "http://localhost")]).unwrap_err();
        assert!(
            none.contains(
                "set `PETS_TOKEN`, or `PETS_TOKEN_URL` and `PETS_CLIENT_ID` and `PETS_CLIENT_SECRET`"
            ),
            "{none}"
        );
    }

    #[cfg(feature = "reqwest")]
    #[test]
    fn credentials_can_be_added_to_an_environment_without_any() {
        let lookup = |name: &str| (name == "PETS_BASE_URL").then(|| "http://localhost".to_owned());
        let builder = || ClientBuilder::<Client>::from_vars(&SERVICE, lookup).unwrap();
        assert!(builder().build().is_err());
        assert!(builder().bearer_token("hunter2").build().is_ok());
        assert!(builder().default_header("authorization", "Bearer hunter2").build().is_ok());
        assert!(builder().default_header("x-other", "hunter2").build().is_err());
    }

    #[cfg(feature = "reqwest")]
    #[test]
    fn the_chosen_source_is_shown() {
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

    #[cfg(feature = "reqwest")]
    #[test]
    fn each_scheme_has_its_own_variables() {
        static SCHEMES: [Scheme; 3] = [
            Scheme {
                method: "basic",
                variable: "",
                place: Place::Basic,
                client_credentials: None,
                scope: "",
            },
            Scheme {
                method: "app_key",
                variable: "APP_KEY",
                place: Place::Header("x-app-key"),
                client_credentials: None,
                scope: "",
            },
            Scheme {
                method: "admin_token",
                variable: "ADMIN",
                place: Place::Bearer,
                client_credentials: Some("https://login.example/token"),
                scope: "admin",
            },
        ];
        static PETS: Service = service(&SCHEMES, &[&[0, 1], &[2]]);
        let vars = [
            ("PETS_BASE_URL", "http://localhost"),
            ("PETS_USERNAME", "me"),
            ("PETS_PASSWORD", "hunter2"),
        ];
        let missing = built_for(&PETS, &vars).unwrap_err();
        assert!(
            missing.contains(
                "`PETS_USERNAME` and `PETS_PASSWORD`, or `PETS_APP_KEY`, or `PETS_ADMIN_TOKEN`, or \
                 `PETS_ADMIN_CLIENT_ID` and `PETS_ADMIN_CLIENT_SECRET`"
            ),
            "{missing}"
        );
        let key = [("PETS_APP_KEY", "k3y")];
        let client = built_for(&PETS, &[&vars[..], &key[..]].concat()).unwrap();
        assert_eq!(
            client.credentials().unwrap(),
            "a user and a password, from PETS_USERNAME; a fixed API key, from PETS_APP_KEY"
        );
        let of_client = [("PETS_ADMIN_CLIENT_ID", "id"), ("PETS_ADMIN_CLIENT_SECRET", "hunter2")];
        let client = built_for(&PETS, &[&vars[..1], &of_client[..]].concat()).unwrap();
        assert_eq!(
            client.credentials().unwrap(),
            "OAuth 2.0 client credentials of `id` at login.example, from PETS_ADMIN_CLIENT_ID"
        );
    }
}
