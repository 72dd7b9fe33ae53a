//! The words that an `operationId` repeats of the operation's path, or of the handle of the method.

use std::borrow::Cow;

use super::number::singular;

/// Words at the beginning of a path that are in no name.
const PREFIXES: [&str; 3] = ["api", "rest", "v1"];

/// The first words of ids after which the name of a resource is the object: `list_users`, `get_user_by_name`.
pub const VERBS: &[&str] = &[
    "activate", "add", "approve", "archive", "bulk", "cancel", "check", "clear", "clone",
    "complete", "confirm", "copy", "count", "create", "deactivate", "del", "delete", "destroy",
    "disable", "download", "edit", "enable", "execute", "export", "fetch", "find", "generate",
    "get", "head", "import", "insert", "list", "lookup", "make", "modify", "new", "patch", "post",
    "preview", "publish", "put", "query", "read", "refresh", "register", "remove", "rename",
    "replace", "resend", "reset", "restore", "resume", "retrieve", "revoke", "rotate", "run",
    "save", "search", "send", "set", "show", "start", "stop", "submit", "sync", "test",
    "unarchive", "update", "upload", "upsert", "validate", "verify", "view", "watch",
];

/// The verbs with a plural as their object: after any other verb, `users` differs from `user`, and both may exist.
const VERBS_OF_LISTS: &[&str] = &["count", "export", "find", "list", "query", "search"];

/// The plurals that name one object: getting them lists nothing.
const PLURALS_OF_ONE: &[&str] =
    &["analytics", "details", "metrics", "news", "preferences", "settings", "statistics", "stats"];

/// Returns whether an `operationId` has no words of its own, only those of the verb and of all segments of the path:
/// `get-users-userId`, `GetUsersUserId`, `get_users_id`. People write these words as well where they name no parameter, so
/// `getHealth`, `post_login`, `delete_users` and `getUsers` are names; not so `post_users`, for which there is a better word.
pub fn is_route(id: &str, verb: &str, path: &str) -> bool {
    let is_letter = |char: &char| char.is_alphanumeric() || *char == '.' && id.contains('.');
    let letters = |text: &str| text.to_lowercase().chars().filter(is_letter).collect::<String>();
    let verb = verb.to_ascii_lowercase();
    let prefix: Vec<&str> = path.split('/').skip(1).take_while(|it| is_prefix(it)).collect();
    let is_path = |words: &str, path: &str| {
        !words.is_empty() && after_prefixes(path, &prefix).any(|rest| letters(rest) == words)
    };
    let is_whole =
        |words: &str| is_path(words, path) || is_path(words, &with_parameters(path, "id"));
    if path.split('/').any(|it| it.contains('{') && !letters(&with_parameters(it, "")).is_empty()) {
        return false;
    }
    let has_parameters = path.contains('{');
    let words = letters(id);
    let after = words.strip_prefix(&verb).unwrap_or_default();
    let last = super::snake(path.rsplit('/').next().unwrap_or_default());
    let is_action = VERBS.iter().any(|verb| last.starts_with(&format!("{verb}_")));
    match &*verb {
        "get" if PLURALS_OF_ONE.iter().any(|one| after.ends_with(one)) => false,
        _ if has_parameters => {
            is_whole(after) || id.contains('-') && is_path(after, &with_parameters(path, ""))
        }
        _ if is_action => false,
        "get" if id.starts_with(char::is_lowercase) && !id.contains('-') => false,
        "get" | "patch" | "post" | "put" => is_plural(&last) && is_path(after, path),
        _ => false,
    }
}

fn with_parameters(path: &str, text: &str) -> String {
    let literals = path.split('{').map(|it| it.split_once('}').map_or(it, |(_, after)| after));
    literals.collect::<Vec<_>>().join(text)
}

/// Returns whether a segment at the beginning of a path is in no name: a word without a meaning, or a version with a dot
/// (`v0.1`, `2.1`).
pub fn is_prefix(segment: &str) -> bool {
    let version = segment.strip_prefix(['v', 'V']).unwrap_or(segment);
    let mut numbers = version.split('.');
    PREFIXES.contains(&super::snake(segment).as_str())
        || version.contains('.')
            && numbers.all(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
}

pub fn is_plural(words: &str) -> bool {
    words.rsplit('_').next().is_some_and(|last| singular(last) != last)
}

/// Returns a path, and its rest after each of the segments of a prefix.
pub fn after_prefixes<'p>(path: &'p str, prefix: &[&str]) -> impl Iterator<Item = &'p str> {
    std::iter::once(path).chain(prefix.iter().scan(path, |rest, segment| {
        let inner = rest.strip_prefix('/')?.strip_prefix(segment)?;
        *rest = Some(inner).filter(|inner| inner.is_empty() || inner.starts_with('/'))?;
        Some(*rest)
    }))
}

/// Returns an `operationId` without the path and the verb that `FastAPI` adds to the name of the function:
/// `read_item_items__item_id__get` of `GET /items/{item_id}` is `read_item`. Such an id has `__`, or its function a verb or
/// a word of the path.
pub fn without_route<'i>(id: &'i str, verb: &str, path: &str) -> Cow<'i, str> {
    let words = super::snake(id);
    let route = super::snake(path);
    let has_verb = |it: &str| it.split('_').any(|word| VERBS.contains(&word));
    let is_own = |it: &str| id.contains("__") || has_verb(it) || missing_words(it, &route) != route;
    let function = words
        .strip_suffix(&format!("_{route}_{}", verb.to_ascii_lowercase()))
        .filter(|function| !route.is_empty() && is_name(function) && is_own(function));
    function.map_or(Cow::Borrowed(id), |function| Cow::Owned(function.to_owned()))
}

/// Returns the name of a method without the words of path parameters that follow the words of their collections:
/// `delete_customers_customer_cards_card_id` of `/customers/{customer}/cards/{card_id}` is `delete_customers_cards`.
pub fn without_parameters(method: &str, path: &str) -> String {
    let segments: Vec<&str> = path.split('/').collect();
    let mut words = format!("_{}_", super::snake(method));
    for pair in segments.windows(2).filter(|pair| pair[1].starts_with('{')) {
        let collection = format!("_{}_", super::snake(pair[0]));
        words = words.replacen(&format!("{collection}{}_", super::snake(pair[1])), &collection, 1);
    }
    words.trim_matches('_').to_owned()
}

/// Returns the words of a verb and a path that the name of a method lacks, in either number.
pub fn missing_words(method: &str, route: &str) -> String {
    let method = super::snake(method);
    let known: Vec<Cow<'_, str>> = method.split('_').map(singular).collect();
    let route = super::snake(route);
    let missing = route.split('_').filter(|word| !known.contains(&singular(word)));
    missing.collect::<Vec<_>>().join("_")
}

/// Returns the name of a method without the words of its resource, if they are first, or follow the verb:
/// `issues_create` and `create_issue` of `issues` are `create`. `get_issues` is `list`, because `get_issue` is `get`, unless
/// the operation `gets_one`.
pub fn without_resource<'m>(method: &'m str, resource: &str, gets_one: bool) -> Cow<'m, str> {
    let all = super::snake(method);
    let words: Vec<&str> = all.split('_').collect();
    // `xcom` repeats `x_com`.
    let joined = |words: &[&str]| words.iter().map(|word| singular(word)).collect::<String>();
    let resource = joined(&resource.split('_').collect::<Vec<_>>());
    let repeated = |start: usize| {
        let mut ends = start + 1..=words.len();
        ends.find(|end| joined(&words[start..*end]) == resource)
    };
    let rest = repeated(0)
        .map(|end| words[end..].join("_"))
        .or_else(|| {
            let verb = words.first().filter(|verb| VERBS.contains(verb))?;
            let start = if words.get(1) == Some(&"all") { 2 } else { 1 };
            let has_article = matches!(words.get(1), Some(&("a" | "an" | "the")));
            let end = repeated(start + usize::from(has_article)).or_else(|| repeated(start))?;
            let is_list = start == 2 || VERBS_OF_LISTS.contains(verb);
            let object = words[end - 1];
            let method = if is_list || object == singular(object) {
                &words[..start]
            } else if *verb == "get" && !PLURALS_OF_ONE.contains(&object) {
                if gets_one { &words[..start] } else { &["list"] }
            } else {
                return None;
            };
            Some([method, &words[end..]].concat().join("_"))
        })
        .filter(|rest| is_name(rest));
    rest.map_or(Cow::Borrowed(method), Cow::Owned)
}

/// Returns whether the rest of a name is itself a name, more than a number or a version.
fn is_name(rest: &str) -> bool {
    let letters = rest.trim_start_matches('v');
    letters.starts_with(|first: char| !first.is_numeric())
}

#[cfg(test)]
mod tests {
    use super::{is_route, missing_words, without_parameters, without_resource, without_route};

    #[test]
    fn the_words_of_parameters_after_their_collections_are_removed() {
        let path = "/v1/subscription_items/{subscription_item}/usage/{id}/{part}/close";
        let cases = [
            (
                "PostSubscriptionItemsSubscriptionItemUsageIdPartClose",
                "post_subscription_items_usage_part_close",
            ),
            ("getSubscriptionItem", "get_subscription_item"),
            ("subscription_item_close", "subscription_item_close"),
        ];
        for (method, expected) in cases {
            assert_eq!(without_parameters(method, path), expected);
        }
    }

    #[test]
    fn the_words_of_the_resource_are_removed() {
        let cases = [
            ("issues_create", "issues", "create"),
            ("issues/list-comments", "issues", "list_comments"),
            ("listUsers", "users", "list"),
            ("getUser", "users", "get"),
            ("getUserByName", "user", "get_by_name"),
            ("getAllUsers", "users", "get_all"),
            ("createChatCompletion", "chat", "create_completion"),
            ("listAppsV1NamespacedDeployment", "apps_v1", "list_namespaced_deployment"),
            ("updateCategory", "categories", "update"),
            ("retrieve-a-data-source", "data_sources", "retrieve"),
            ("get_a_b", "a", "get_b"),
            ("getXcomEntries", "x_com", "get_entries"),
            ("listDataSources", "datasource", "list"),
            ("nutlink_get", "nut_link", "get"),
            ("getUsers", "users", "list"),
            ("get-users-by-name", "users", "list_by_name"),
            ("getSettings", "settings", "getSettings"),
            // Both `deleteUser` and `deleteUsers` may exist, now or later.
            ("deleteUsers", "users", "deleteUsers"),
            // The resource is not the object.
            ("addUserToGroup", "groups", "addUserToGroup"),
            ("getUserGroup", "groups", "getUserGroup"),
            ("auditLogs", "logs", "auditLogs"),
            // Nothing would be left, or no name.
            ("users", "users", "users"),
            ("users_2", "users", "users_2"),
            ("users_v2", "users", "users_v2"),
            ("usersettings_get", "users", "usersettings_get"),
        ];
        for (id, resource, expected) in cases {
            assert_eq!(without_resource(id, resource, false), expected, "{id} of {resource}");
        }
        assert_eq!(without_resource("getUsersById", "users", true), "get_by_id");
    }

    #[test]
    fn the_words_that_a_name_lacks_are_those_of_neither_number() {
        let route = "_post_/v1/messages/batches/{message_batch_id}/cancel?beta=true";
        assert_eq!(missing_words("betaMessageBatchCancel", route), "post_v1_id_true");
        assert_eq!(missing_words("postUsers", "_post_/users"), "");
    }

    #[test]
    fn an_id_without_words_of_its_own_is_a_route() {
        let cases = [
            (true, "get-users", "/users"),
            (true, "post-users", "/v1/users"),
            (true, "GetUsers", "/api/users"),
            (true, "get-users-userId", "/users/{userId}"),
            (true, "getUsersUserId", "/v1/users/{userId}"),
            (true, "patch-users-groups", "/users/{id}/groups/{group}"),
            (true, "get-v1.0-users-id", "/v1.0/users/{id}"),
            (true, "post-v2-models-$-MODEL-infer", "/v2/models/${MODEL}/infer"),
            (false, "users_id_get", "/users/{id}"),
            (false, "getUsers", "/users"),
            (false, "get-health", "/health"),
            (false, "get-tax-settings", "/tax/{id}/settings"),
            (false, "GetTestClocks", "/test_clocks"),
            (false, "delete_users", "/users"),
            (false, "users.id.get", "/users/{id}"),
            (false, "patch_user", "/user/{id}"),
            (false, "get_files_id_image_id", "/files/{id}/image.{extension}"),
            (false, "put_files_id#share", "/files/{id}#share"),
        ];
        for (expected, id, path) in cases {
            let verbs = ["DELETE", "GET", "PATCH", "POST", "PUT"];
            assert_eq!(verbs.iter().any(|verb| is_route(id, verb, path)), expected, "{id}");
        }
    }

    #[test]
    fn the_route_at_the_end_of_an_id_is_removed() {
        let cases = [
            (
                "chat_completion_v1_chat_completions_post",
                "POST",
                "/v1/chat/completions",
                "chat_completion",
            ),
            ("read_item_items__item_id__get", "GET", "/items/{item_id}", "read_item"),
            ("readItemItemsItemIdGet", "GET", "/items/{item_id}", "read_item"),
            ("items_get", "GET", "/items", "items_get"),
            ("read_items_get", "POST", "/items", "read_items_get"),
            ("session_get", "GET", "/", "session_get"),
            ("admin_carts_post", "POST", "/carts", "admin_carts_post"),
            ("admin_carts__id__get", "GET", "/carts/{id}", "admin"),
        ];
        for (id, verb, path, expected) in cases {
            assert_eq!(without_route(id, verb, path), expected, "{id}");
        }
    }
}
