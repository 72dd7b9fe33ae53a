//! The operations that `[operations]` of `codegen.toml` chooses. The others, and what only they need, are removed from the
//! tree before anything is read of it, so they cost nothing.

use crate::configuration::report_unused;
use crate::diagnostics::{Code, Diagnostics};
use crate::document::{Node, Parts, Tree, path_of};
use crate::settings::Settings;

/// An operation, as patterns see it.
struct Named<'t> {
    node: &'t Node,
    /// Its method and path, such as `GET /pets`, for each of its paths.
    titles: &'t [String],
}

impl<'t> Named<'t> {
    fn tags(&self) -> impl Iterator<Item = &'t str> {
        let tags = self.node.get("tags").and_then(Node::as_array).unwrap_or_default();
        tags.iter().filter_map(Node::as_str)
    }

    fn id(&self) -> Option<&'t str> {
        self.node.text("operationId")
    }

    /// Returns whether a pattern names the operation: by its `operationId`, `tag:…`, `GET /path`, `/path` or `x-field:value`.
    fn is(&self, pattern: &str) -> bool {
        if let Some(tag) = pattern.strip_prefix("tag:") {
            return self.tags().any(|it| is_match(tag, it));
        }
        if pattern.starts_with("x-") {
            let (field, value) = pattern.split_once(':').unwrap_or((pattern, "*"));
            let found = self.node.get(field);
            return found.is_some_and(|it| is_match(value, it.as_str().unwrap_or_default()));
        }
        let mut routes = self.titles.iter().flat_map(|title| [title.as_str(), path_of(title)]);
        routes.any(|route| is_match(pattern, route))
            || self.id().is_some_and(|id| is_match(pattern, id))
    }
}

/// Returns whether a text has the form of a pattern, in which `*` is any text.
fn is_match(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

/// Removes the operations that are not chosen. Warns of patterns that name none; it is an error if none is included.
pub(crate) fn choose(tree: &mut Tree, settings: &Settings, diagnostics: &mut Diagnostics) {
    let mut unused: Vec<&String> = settings.include.iter().chain(&settings.exclude).collect();
    if unused.is_empty() {
        return;
    }
    let parts = Parts::new(tree);
    let mut known = Vec::new();
    let mut others = Vec::new();
    let mut includes_any = settings.include.is_empty();
    for (pointer, titles) in parts.operations() {
        let Some(node) = tree.at(pointer) else { continue };
        let operation = Named { node, titles };
        let is_included =
            settings.include.is_empty() || settings.include.iter().any(|it| operation.is(it));
        includes_any |= is_included;
        if !is_included || settings.exclude.iter().any(|it| operation.is(it)) {
            others.push(pointer.clone());
        }
        unused.retain(|pattern| !operation.is(pattern));
        known.extend(operation.tags().map(|tag| format!("tag:{tag}")));
        known.extend(operation.id().map(str::to_owned));
        known.extend(titles.iter().cloned());
    }
    parts.remove(tree, &others);
    let what = [
        "no operation of the document",
        "write an `operationId`, `tag:NAME`, `GET /path` or `x-field:value`",
    ];
    let file = settings.file.as_ref();
    let (included, excluded): (Vec<_>, Vec<_>) =
        unused.into_iter().partition(|it| settings.include.contains(it));
    let of_included = if includes_any { Code::UnusedSetting } else { Code::NoOperation };
    for (code, patterns) in [(of_included, included), (Code::UnusedSetting, excluded)] {
        report_unused(code, file, "[operations]", &patterns, &known, what, diagnostics);
    }
}
