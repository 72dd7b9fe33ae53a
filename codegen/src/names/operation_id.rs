//! The parts of an `operationId`: `…<service>.<method>`, where `…` is a package that ends with its version, or
//! `<service>Controller_<method>`, as NestJS writes them.

use std::borrow::Cow;
use std::fmt;

use percent_encoding::percent_decode_str;

use super::repeats::{VERBS, is_plural, is_prefix};

/// The words for the verbs of HTTP.
const ACTIONS: [&str; 6] = ["create", "delete", "get", "list", "replace", "update"];

/// The verbs of operations that read. Only one verb of HTTP stands for each action of a path, so that a GET beside a POST
/// renames neither.
const READING: [&str; 12] = [
    "count", "download", "export", "fetch", "find", "get", "list", "lookup", "read", "retrieve",
    "show", "view",
];

/// The service of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Service<'d> {
    /// The package with its version, empty where there is none: `c1.api.app.v2`.
    pub package: &'d str,
    /// The part between the package and the method.
    name: &'d str,
}

impl fmt::Display for Service<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dot = if self.package.is_empty() { "" } else { "." };
        write!(f, "{}{dot}{}", self.package, self.name)
    }
}

impl Service<'_> {
    /// Returns the names of the handle: the service without a `Service` suffix, and the version unless it is `v1`;
    /// after collisions, with the last word of the package, then with the whole package.
    pub fn labels<'c>(&self) -> Vec<Cow<'c, str>> {
        let short = self
            .name
            .strip_suffix("Service")
            .filter(|short| !short.is_empty())
            .unwrap_or(self.name);
        let (outer, version) = self.package.rsplit_once('.').unwrap_or(("", self.package));
        let has_version = matches!(version, "" | "v1")
            || short.to_ascii_lowercase().ends_with(&version.to_ascii_lowercase());
        let versioned = if has_version { short.to_owned() } else { format!("{short}_{version}") };
        let longer = format!("{}_{versioned}", outer.rsplit('.').next().unwrap_or(outer));
        [versioned, longer, self.to_string()].map(Cow::from).into()
    }
}

/// Splits an `operationId` into its service, if it has one, and its method.
pub fn split(id: &str) -> (Option<Service<'_>>, Cow<'_, str>) {
    let Some((path, method)) = id.rsplit_once('.').filter(|(path, method)| {
        !method.is_empty() && path.starts_with(|first: char| first.is_alphanumeric())
    }) else {
        return of_controller(id).unwrap_or((None, id.into()));
    };
    let mut dots = path.rmatch_indices('.').map(|(at, _)| at);
    let is_package = |at: &usize| path[..*at].rsplit('.').next().is_some_and(is_version);
    let package = dots.find(is_package).unwrap_or(0);
    let name = path[package..].trim_start_matches('.');
    (Some(Service { package: &path[..package], name }), method.into())
}

/// Derives the `operationId` of an operation that has none from the words of its path and its verb
/// (`GET /api/v1/users/{id}/keys` is `users_keys_list`). A GET of a path that ends with a parameter is a `get`; if it
/// returns a list or its path ends with a plural, it is a `list`; any other GET has no word for its verb. A verb after an
/// action has none either (`POST /users/{id}/activate` and `POST /users/{id}:activate` are `users_activate`). `is_post`
/// says that the document calls the operation so: then only a POST of a collection is a `create`.
pub fn derived(verb: &str, path: &str, returns_list: bool, is_post: bool) -> String {
    let (resource, custom) = custom_verb(path);
    let segments: Vec<&str> = resource.split('/').filter(|it| !it.is_empty()).collect();
    // The key of OData follows the collection: `users({id})`.
    let named = segments.iter().map(|segment| segment.split("({").next().unwrap_or(segment));
    let named = named.filter(|segment| !segment.contains('{'));
    let named: Vec<&str> = named.chain(custom).collect();
    let prefix = named.iter().take_while(|segment| is_prefix(segment)).count();
    let own = named.get(prefix..).filter(|own| !own.is_empty()).unwrap_or(&named);
    let decoded = own.iter().map(|segment| percent_decode_str(segment).decode_utf8_lossy());
    let words: Vec<String> = decoded.map(|segment| super::snake(&segment)).collect();
    let last = words.last().map_or("", String::as_str);
    let first = last.split('_').next().unwrap_or_default();
    let ends_with_parameter = segments.last().is_none_or(|segment| segment.contains('{'));
    let reads = last.split('_').any(|word| READING.contains(&word));
    let lower = verb.to_ascii_lowercase();
    let action = match verb {
        // The words for the verbs are those of other operations.
        _ if ACTIONS.contains(&last) => lower.as_str(),
        "GET" if custom.is_some() && (reads || !VERBS.contains(&first)) => "",
        "POST" if custom.is_some() && !reads => "",
        _ if custom.is_some() => &lower,
        "GET" if ends_with_parameter => "get",
        "GET" if READING.contains(&first) => "",
        "GET" if VERBS.contains(&first) => "get",
        "GET" if returns_list || is_plural(last) => "list",
        "GET" => "",
        "POST" if VERBS.contains(&first) && !READING.contains(&first) => "",
        "POST" if is_post && (ends_with_parameter || !is_plural(last)) => &lower,
        "POST" => "create",
        "PUT" => "replace",
        "PATCH" => "update",
        _ => &lower,
    };
    let action = Some(action).filter(|action| !action.is_empty());
    words.iter().map(String::as_str).chain(action).collect::<Vec<_>>().join("_")
}

/// Splits a path before a custom verb at its end: `/users/{id}:disable` (AIP-136).
fn custom_verb(path: &str) -> (&str, Option<&str>) {
    let split = path.rsplit_once(':').filter(|(resource, verb)| {
        let is_word = verb.starts_with(char::is_alphabetic) && !verb.contains(['/', '{', '}']);
        is_word && !resource.ends_with('/')
    });
    split.map_or((path, None), |(resource, verb)| (resource, Some(verb)))
}

/// Splits an id of NestJS. The version is a part of the method unless it is `v1`, and so is the index of one of several
/// paths, `list[1]`, except for the first one, which has the name that it had alone.
fn of_controller(id: &str) -> Option<(Option<Service<'_>>, Cow<'_, str>)> {
    let (name, method) = id.split_once("Controller_")?;
    let versioned = method.rsplit_once('_').filter(|(_, version)| is_version(version));
    let (bare, version) = versioned.unwrap_or((method, "v1"));
    let method = if version == "v1" { bare } else { method };
    let (function, index) = bare.split_once('[').unwrap_or((bare, "0]"));
    let is_method = is_word(function) && index.strip_suffix(']').is_some_and(is_word);
    let service = Some(Service { package: "", name });
    (is_word(name) && is_method).then(|| (service, method.replace("[0]", "").into()))
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(char::is_alphanumeric)
}

/// Returns whether a word is a version of an API, such as `v2` or `v1beta3`.
fn is_version(word: &str) -> bool {
    let Some(rest) = word.strip_prefix('v') else {
        return false;
    };
    let stage = rest.trim_start_matches(|char: char| char.is_ascii_digit());
    let number = stage.trim_start_matches("alpha").trim_start_matches("beta");
    stage.len() < rest.len() && number.chars().all(|char| char.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{derived, split};
    use crate::names::of_client;

    #[test]
    fn handles_are_named_after_services() {
        let cases = [
            ("entitlementOwners.list", "entitlement_owners", "list"),
            ("orders.track.create", "orders_track", "create"),
            (
                "c1.api.cross_app_access.v1.XAAResourceServerService.List",
                "xaa_resource_server",
                "List",
            ),
            ("c1.api.app.v2.AppOwners.Set", "app_owners_v2", "Set"),
            ("c1.api.app.v2.UserOwnersV2.Set", "user_owners_v2", "Set"),
            ("a.v1beta1.Things.Get", "things_v1beta1", "Get"),
            ("x.v1.Outer.Service.Get", "outer", "Get"),
            ("v1.get", "v1", "get"),
            ("CatsController_findAll", "cats", "findAll"),
            ("CatsController_findAll_v1", "cats", "findAll"),
            ("CatsController_findAll_v2", "cats", "findAll_v2"),
            ("CatsController_findAll[0]_v1", "cats", "findAll"),
            ("CatsController_findAll[0]_v2", "cats", "findAll_v2"),
            ("CatsController_findAll[1]_v2", "cats", "findAll[1]_v2"),
        ];
        for (id, handle, method) in cases {
            let (service, found) = split(id);
            let label = service.map(|service| service.labels().swap_remove(0)).unwrap_or_default();
            assert_eq!((of_client(&label).as_str(), &*found), (handle, method), "{id}");
        }
        for id in
            ["getUser", "", ".", "a.", ".a", "Controller_get", "get_Controller_x", "AController_"]
        {
            assert_eq!(split(id), (None, id.into()));
        }
    }

    #[test]
    fn an_operation_without_id_is_named_after_verb_and_path() {
        let cases = [
            ("GET", "/users/{id}/keys", "users_keys_list"),
            ("GET", "/users/{id}", "users_get"),
            ("POST", "/users", "users_create"),
            ("DELETE", "/users/{id}", "users_delete"),
            ("GET", "/", "get"),
            ("GET", "/users/count", "users_count"),
            ("GET", "/organization/list-members", "organization_list_members"),
            ("POST", "/organization/create", "organization_create_post"),
            ("POST", "/organization/create-invitation", "organization_create_invitation"),
            ("POST", "/users/{id}/activate", "users_activate"),
            ("POST", "/users/search", "users_search"),
            ("GET", "/users/search", "users_search_get"),
            ("DELETE", "/users/{id}/activate", "users_activate_delete"),
            ("GET", "/users/{id}/status", "users_status"),
            ("GET", "/api/v1/verify-email", "verify_email_get"),
            ("GET", "/media", "media"),
            ("GET", "/media/{id}", "media_get"),
            ("GET", "/api/v1", "api_v1"),
            ("GET", "/api/v2/users", "v2_users_list"),
            ("GET", "/v0.1/users", "users_list"),
            ("GET", "/%40users/list%20all", "users_list_all"),
            ("GET", "/api/2.1/users/{id}", "users_get"),
            ("GET", "/v1.0", "v1_0"),
            ("GET", "/users/1.0", "users_1_0"),
            ("GET", "/users/list", "users_list_get"),
            ("POST", "/v1/users/{id}:disable", "users_disable"),
            ("POST", "/v1/users/{id}/keys/{key}:rotate", "users_keys_rotate"),
            ("POST", "/v1/users:batchDelete", "users_batch_delete"),
            ("GET", "/v1/users:batchGet", "users_batch_get"),
            ("POST", "/v1/users:batchGet", "users_batch_get_post"),
            ("GET", "/v1/users:search", "users_search_get"),
            ("POST", "/v1/users:create", "users_create_post"),
            ("GET", "/v1/users:total", "users_total"),
            ("GET", "/users/:id", "users_id"),
            ("GET", "/users/{id:int}", "users_get"),
            ("GET", "/v1/users({id})", "users_get"),
            ("POST", "/v1/users({id})/Default.Reset", "users_default_reset_create"),
        ];
        for (verb, path, expected) in cases {
            assert_eq!(derived(verb, path, false, false), expected);
        }
        assert_eq!(derived("GET", "/flights/delayed", true, false), "flights_delayed_list");
        assert_eq!(derived("GET", "/flights/{id}", true, false), "flights_get");
        let posts = [
            ("/users", "users_create"),
            ("/users/{id}", "users_post"),
            ("/users/{id}/infer", "users_infer_post"),
        ];
        for (path, expected) in posts {
            assert_eq!(derived("POST", path, false, true), expected);
        }
    }
}
