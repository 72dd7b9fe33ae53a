//! Clients from environment variables.

use std::env::VarError;
use std::sync::Arc;

use super::ClientBuilder;
use super::given::{Given, invalid};
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
    /// | `PREFIX_CLIENT_SECRET` | the client's secret, or with the feature `jwk` its private key |
    /// | `PREFIX_SCOPE` | the scope to request; optional |
    /// | `PREFIX_USERNAME`, `PREFIX_PASSWORD` | a user and a password |
    /// | `PREFIX_API_KEY` | an API key |
    /// | `PREFIX_SERVER_NAME` | the URL of the server `Name` of operations that have their own; optional |
    ///
    /// If the API has several schemes of a kind, their variables begin with `PREFIX_SCHEME`. Empty variables count as
    /// missing, and a line break at the end is removed. [`Client::credentials`] and the `Debug` output of the client show
    /// what was found.
    ///
    /// # Errors
    ///
    /// Fails if a required variable is missing, or is not UTF-8. Errors of [`build`](Self::build) name the variables of an
    /// invalid value. Without credentials it fails, unless the builder is given some.
    #[doc(hidden)]
    pub fn from_env(service: &'static Service) -> Result<Self, Error> {
        Self::from_vars(service, |name| std::env::var(name))
    }

    fn from_vars(
        service: &'static Service,
        lookup: impl Fn(&str) -> Result<String, VarError>,
    ) -> Result<Self, Error> {
        let variables = Variables { prefix: service.env_prefix, lookup };
        let name = variables.quoted("BASE_URL");
        let Some(base_url) = variables.get("BASE_URL")? else {
            return Err(Error::config(format!("the environment variable {name} is not set")));
        };
        let mut builder = Self::new(service, base_url);
        builder.base_url_variable = Some(name);
        for (index, server) in service.servers.iter().enumerate() {
            if let Some(url) = variables.get(server.variable)? {
                builder.servers.insert(index, (url, Some(variables.quoted(server.variable))));
            }
        }
        for (index, scheme) in service.schemes.iter().enumerate() {
            if let Some((given, names)) = variables.read(scheme)? {
                builder = builder.give(index, given, Some(names));
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

impl<F: Fn(&str) -> Result<String, VarError>> Variables<F> {
    fn quoted(&self, variable: &str) -> String {
        format!("`{}_{variable}`", self.prefix)
    }

    /// Returns the value of a variable, without the line break with which files of secrets end.
    fn get(&self, variable: &str) -> Result<Option<String>, Error> {
        match (self.lookup)(&format!("{}_{variable}", self.prefix)) {
            Ok(value) if value.trim().is_empty() => Ok(None),
            Ok(value) => Ok(Some(value.trim_end_matches(['\r', '\n']).to_owned())),
            Err(VarError::NotPresent) => Ok(None),
            Err(VarError::NotUnicode(_)) => {
                let name = self.quoted(variable);
                Err(Error::config(format!("the environment variable {name} is not UTF-8")))
            }
        }
    }

    /// Returns the credentials of a scheme, and the variables that they were read from.
    fn read(&self, scheme: &Scheme) -> Result<Option<(Given, String)>, Error> {
        let mut incomplete = None;
        for group in groups(scheme) {
            let mut found = Vec::new();
            let mut values = Vec::new();
            let mut missing = Vec::new();
            for variable in &group {
                match self.get(variable)? {
                    Some(value) => {
                        found.push(variable);
                        values.push(value);
                    }
                    None => missing.push(variable),
                }
            }
            if missing.is_empty() {
                let names = self.all(&found);
                let given = match (scheme.place, values.as_slice()) {
                    (Place::Basic, [user, password]) => {
                        let given = Given::basic(user, &password.as_str().into());
                        given.map_err(|why| invalid(Some(&names), why))?
                    }
                    (Place::Bearer, [url @ .., id, secret]) => {
                        let of_spec = scheme.client_credentials.unwrap_or_default();
                        let url = url.first().map_or(of_spec, String::as_str);
                        Given::Source(Arc::new(self.client_credentials(scheme, url, id, secret)?))
                    }
                    _ => Given::Value(values.concat().into()),
                };
                return Ok(Some((given, names)));
            }
            if let Some(found) = found.first() {
                let found = self.quoted(found);
                let missing = self.all(&missing);
                let message = format!("the environment variable {found} is set, but not {missing}");
                incomplete.get_or_insert(message);
            }
        }
        incomplete.map_or(Ok(None), |message| Err(Error::config(message)))
    }

    fn client_credentials(
        &self,
        scheme: &Scheme,
        url: &str,
        id: &str,
        secret: &str,
    ) -> Result<ClientCredentials, Error> {
        let source = ClientCredentials::new(url, id, secret);
        let scope = self.get(&variable(scheme, "SCOPE"))?;
        let scope = scope.unwrap_or_else(|| scheme.scope.to_owned());
        Ok(if scope.is_empty() { source } else { source.scope(scope) })
    }

    /// Returns the variables of all credentials of the API.
    fn listed(&self, service: &Service) -> String {
        let groups = service.schemes.iter().flat_map(groups);
        let groups = groups.map(|group| self.all(&group.iter().collect::<Vec<_>>()));
        groups.collect::<Vec<_>>().join(", or ")
    }

    fn all(&self, variables: &[&String]) -> String {
        let names = variables.iter().map(|variable| self.quoted(variable));
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
    use std::ffi::OsString;

    use super::*;
    use crate::auth::scheme::Alternatives;
    use crate::url::server::OwnServer;

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
        let lookup = |name: &str| match vars.iter().find(|(other, _)| *other == name) {
            None => Err(VarError::NotPresent),
            Some((_, NOT_UNICODE)) => Err(VarError::NotUnicode(OsString::new())),
            Some((_, value)) => Ok((*value).to_owned()),
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

    /// Every variable that an API can have.
    static EVERY: Service = Service {
        servers: &[OwnServer {
            name: "Files",
            variable: "SERVER_FILES",
            url: "https://files.example",
        }],
        ..service(
            &[
                Scheme::BEARER,
                Scheme {
                    method: "basic",
                    place: Place::Basic,
                    client_credentials: None,
                    ..Scheme::BEARER
                },
                Scheme {
                    method: "api_key",
                    variable: "API_KEY",
                    place: Place::Header("x-key"),
                    ..Scheme::BEARER
                },
            ],
            &[&[0]],
        )
    };

    const VALID: [(&str, &str); 9] = [
        ("PETS_BASE_URL", "https://localhost"),
        ("PETS_SERVER_FILES", "https://localhost"),
        ("PETS_TOKEN_URL", "/token"),
        ("PETS_CLIENT_ID", "me"),
        ("PETS_CLIENT_SECRET", "hunter2"),
        ("PETS_SCOPE", "read"),
        ("PETS_USERNAME", "me"),
        ("PETS_PASSWORD", "hunter2"),
        ("PETS_API_KEY", "hunter2"),
    ];

    const NOT_UNICODE: &str = "not UTF-8";

    #[test]
    fn invalid_variables_are_named() {
        let with = |name: &'static str, value| {
            let others = VALID.iter().filter(|(other, _)| *other != name).copied();
            built_for(&EVERY, &others.chain([(name, value)]).collect::<Vec<_>>())
        };
        for name in VALID.iter().map(|(name, _)| *name).chain(["PETS_TOKEN"]) {
            let error = with(name, NOT_UNICODE).unwrap_err();
            assert!(error.contains(&format!("variable `{name}` is not UTF-8")), "{error}");
        }
        for (name, value, why) in [
            ("PETS_BASE_URL", "tenant.example", "has no scheme"),
            ("PETS_BASE_URL", "http://tenant.example", "is http"),
            ("PETS_SERVER_FILES", "ftp://files.example", "neither http nor https"),
            ("PETS_SERVER_FILES", "http://files.example", "is http"),
            ("PETS_TOKEN_URL", "nonsense url", "the token URL is not a URL"),
            ("PETS_TOKEN_URL", "http://idp.example", "the token URL is http"),
            ("PETS_CLIENT_ID", " me", "the client id begins or ends"),
            ("PETS_CLIENT_SECRET", "hunter2 ", "the client secret begins or ends"),
            ("PETS_TOKEN", "hun\nter2", "invalid in a bearer token"),
            ("PETS_TOKEN", "Bearer hunter2", "begins with `Bearer`"),
            ("PETS_USERNAME", "m:e", "contains a colon"),
            ("PETS_PASSWORD", "hun\nter2", "the user and password contain a control"),
            ("PETS_API_KEY", "hunter2 ", "the API key begins or ends"),
        ] {
            let error = with(name, value).unwrap_err();
            let (_, names) = error.rsplit_once("(from ").unwrap();
            assert!(names.contains(&format!("`{name}`")) && error.contains(why), "{error}");
            assert!(!error.contains("hun"), "{error}");
        }
    }

    #[cfg(feature = "reqwest")]
    #[test]
    fn line_breaks_at_the_end_of_variables_are_removed() {
        for name in VALID.iter().map(|(name, _)| *name).chain(["PETS_TOKEN"]) {
            let others = VALID.iter().filter(|(other, _)| *other != name).copied();
            let value =
                VALID.iter().find(|(other, _)| *other == name).map_or("t", |(_, value)| value);
            let broken = format!("{value}\r\n");
            let vars: Vec<_> = others.chain([(name, &*broken)]).collect();
            built_for(&EVERY, &vars).unwrap();
        }
    }

    #[cfg(feature = "reqwest")]
    #[test]
    fn credentials_can_be_added_to_an_environment_without_any() {
        let lookup = |name: &str| match name {
            "PETS_BASE_URL" => Ok("http://localhost".to_owned()),
            _ => Err(VarError::NotPresent),
        };
        let builder = || ClientBuilder::<Client>::from_vars(&SERVICE, lookup).unwrap();
        assert!(builder().build().is_err());
        assert!(builder().credential(0, "hunter2").build().is_ok());
        assert!(builder().default_header("authorization", "Bearer hunter2").build().is_ok());
        assert!(builder().default_header("x-other", "hunter2").build().is_err());
    }

    #[cfg(feature = "reqwest")]
    #[test]
    fn the_chosen_source_is_shown() {
        let fixed =
            built(&[("PETS_BASE_URL", "http://localhost"), ("PETS_TOKEN", "hunter2")]).unwrap();
        assert_eq!(fixed.credentials().unwrap(), "a fixed bearer token, from `PETS_TOKEN`");
        let asked = built(&[
            ("PETS_BASE_URL", "http://localhost/tenant"),
            ("PETS_TOKEN_URL", "auth/token"),
            ("PETS_CLIENT_ID", "me"),
            ("PETS_CLIENT_SECRET", "hunter2"),
        ])
        .unwrap();
        let shown = format!("{asked:?}");
        assert!(
            shown.contains("OAuth 2.0 client credentials of `me`, from `PETS_TOKEN_URL` and"),
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
            "a user and a password, from `PETS_USERNAME` and `PETS_PASSWORD`; a fixed API key, from `PETS_APP_KEY`"
        );
        let of_client = [("PETS_ADMIN_CLIENT_ID", "id"), ("PETS_ADMIN_CLIENT_SECRET", "hunter2")];
        let client = built_for(&PETS, &[&vars[..1], &of_client[..]].concat()).unwrap();
        assert_eq!(
            client.credentials().unwrap(),
            "OAuth 2.0 client credentials of `id` at login.example, from `PETS_ADMIN_CLIENT_ID` and \
             `PETS_ADMIN_CLIENT_SECRET`"
        );
    }
}
