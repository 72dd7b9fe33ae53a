//! OpenAPI Overlay 1.0 and 1.1: changes to a document's tree before it is read.

mod json_path;

use crate::diagnostics::{Diagnostics, Place};
use crate::document::Node;
use crate::document::Source;
use crate::document::parse::{MAX_DEPTH, parse_file};
use crate::source_map::Pointer;
use json_path::JsonPath;

/// Maximum size that an overlay adds to a document, in bytes: actions can select what others have added.
const MAX_ADDED: usize = 4 << 20;

/// Applies the actions of an overlay to a document, in order.
///
/// An action that selects nothing is a warning. An invalid action is an error, and changes nothing.
pub fn apply(root: &mut Node, overlay: &Source, diagnostics: &mut Diagnostics) {
    let name = &overlay.name;
    let Some(tree) = parse_file(Some(name), name, &overlay.text, diagnostics) else { return };
    let file = Pointer::to_file(name);
    let version = tree.get("overlay").and_then(Node::as_str).unwrap_or_default();
    let actions = tree.get("actions").and_then(Node::as_array);
    let Some(actions) = actions.filter(|_| version.starts_with("1.")) else {
        diagnostics
            .error("overlay", Place::value(&file), "this is not an OpenAPI Overlay 1.0 or 1.1")
            .help("write `overlay: 1.0.0`, `info` and a list of `actions`");
        return;
    };
    let mut budget = MAX_ADDED;
    for (index, action) in actions.iter().enumerate() {
        let at = file.join("actions").join_index(index);
        if let Err((place, message)) = apply_action(root, action, &at, &mut budget, diagnostics) {
            diagnostics.error("overlay", place, message);
        }
        if budget == 0 {
            return;
        }
    }
}

fn apply_action(
    root: &mut Node,
    action: &Node,
    at: &Pointer,
    budget: &mut usize,
    diagnostics: &mut Diagnostics,
) -> Result<(), (Place, String)> {
    let missing = || (Place::value(at), "an action needs a `target`, a JSONPath".to_owned());
    let target = action.get("target").and_then(Node::as_str).ok_or_else(missing)?;
    let place = Place::value(&at.join("target"));
    let path = JsonPath::parse(target).map_err(|message| (place.clone(), message))?;
    let found = path.select(root).map_err(|message| (place.clone(), message))?;
    if found.is_empty() {
        diagnostics.warning("overlay", place, "the target matches nothing in the document");
        return Ok(());
    }
    if action.get("remove").and_then(Node::as_bool) == Some(true) {
        // From the last to the first, so that the remaining elements keep their indices.
        for location in found.iter().rev() {
            root.remove(&location.segments());
        }
        return Ok(());
    }
    let update = match (action.get("update"), action.get("copy").and_then(Node::as_str)) {
        (Some(update), _) => update.clone(),
        (None, Some(source)) => {
            let place = Place::value(&at.join("copy"));
            let path = JsonPath::parse(source).map_err(|message| (place.clone(), message))?;
            let found = path.select(root).map_err(|message| (place.clone(), message))?;
            let copied = match found.as_slice() {
                [location] => root.at_mut(&location.segments()).cloned(),
                _ => None,
            };
            copied.ok_or((place, "`copy` must select exactly one value".to_owned()))?
        }
        (None, None) => {
            let message = "an action needs `update`, `copy` or `remove: true`";
            return Err((Place::value(at), message.to_owned()));
        }
    };
    let added = update.size().saturating_mul(found.len());
    let depth =
        found.iter().map(|location| location.segments().len()).max().unwrap_or(0) + update.depth();
    *budget = budget.saturating_sub(added);
    if *budget == 0 {
        let message = "the overlay adds more than 4 MiB to the document: select fewer values";
        return Err((place, message.to_owned()));
    }
    if depth > MAX_DEPTH {
        let message = format!("the document would nest deeper than {MAX_DEPTH} levels");
        return Err((place, message));
    }
    for location in found {
        if let Some(node) = root.at_mut(&location.segments()) {
            match node {
                Node::Array(items) => items.push(update.clone()),
                node => merge(node, &update),
            }
        }
    }
    Ok(())
}

/// Merges objects property by property and joins arrays; everything else is replaced.
fn merge(node: &mut Node, update: &Node) {
    match (node, update) {
        (Node::Object(properties), Node::Object(updates)) => {
            for (key, value) in updates {
                match properties.iter_mut().find(|(name, _)| name == key) {
                    Some((_, property)) => merge(property, value),
                    None => properties.push((key.clone(), value.clone())),
                }
            }
        }
        (Node::Array(items), Node::Array(more)) => items.extend(more.iter().cloned()),
        (node, update) => *node = update.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{Severity, render};
    use crate::document::parse;

    fn source(name: &str, text: &str) -> Source {
        Source { name: name.to_owned(), text: text.to_owned() }
    }

    fn applied(document: &str, actions: &str) -> (String, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let mut root = parse(&source("openapi.yaml", document), &mut diagnostics).unwrap();
        let overlay =
            format!("overlay: 1.0.0\ninfo: {{title: t, version: '1'}}\nactions:\n{actions}");
        apply(&mut root, &source("overlay.yaml", &overlay), &mut diagnostics);
        (serde_json::to_string(&root).unwrap(), diagnostics)
    }

    #[test]
    fn objects_merge_arrays_grow_and_the_rest_is_replaced() {
        let actions = "\
- target: $.a
  update: {b: {d: 2}, tags: [y], e: new}
- target: $.list
  update: {n: 3}
- target: $.a.b.c
  update: other
- {target: $.copied, copy: $.a.b}
";
        let document = "a: {b: {c: 1}, tags: [x], e: old}\nlist: [1]\ncopied: {}\n";
        let (json, diagnostics) = applied(document, actions);
        let expected = r#"{"a":{"b":{"c":"other","d":2},"tags":["x","y"],"e":"new"},"list":[1,{"n":3}],"copied":{"c":"other","d":2}}"#;
        assert_eq!(json, expected, "{}", render(&diagnostics, false));
        assert!(diagnostics.iter().next().is_none());
    }

    #[test]
    fn overlays_have_a_size_limit() {
        let multiply = "- {target: '$..*', update: {a: {b: {c: 1}}}}\n";
        let (json, diagnostics) = applied("a: {}\n", &multiply.repeat(40));
        let shown = render(&diagnostics, false);
        assert!(shown.contains("the overlay adds more than 4 MiB"), "{shown}");
        assert!(json.len() < 8 << 20, "{} bytes", json.len());
        let text = "x".repeat(1 << 20);
        let add = format!("- {{target: '$.a[*]', update: {{b: {text}}}}}\n");
        for (document, is_added) in [("a: [{}, {}, {}]\n", true), ("a: [{}, {}, {}, {}]\n", false)]
        {
            let (json, diagnostics) = applied(document, &add);
            assert_eq!(diagnostics.count(Severity::Error) == 0, is_added, "{document}");
            assert_eq!(json.contains(&text), is_added, "{document}");
        }
        let deepen = "- {target: $..a, update: {a: {}}}\n";
        let (_, diagnostics) = applied("a: {}\n", &deepen.repeat(1_000));
        let shown = render(&diagnostics, false);
        assert!(shown.contains("nest deeper than 128 levels"), "{shown}");
        let deep = format!("a: {}{}", "{a: ".repeat(100), "}".repeat(100));
        let (_, diagnostics) = applied(&deep, "- {target: '$..*..*..*..*..*', update: 1}\n");
        let shown = render(&diagnostics, false);
        assert!(shown.contains("visits too many values"), "{shown}");
    }

    #[test]
    fn everything_selected_is_removed() {
        let (json, _) = applied(
            "a: [1, {x: 1}, 2, {x: 2}]\nb: {x: 1, y: 2}\n",
            "- {target: '$.a[?@.x]', remove: true}\n- {target: $.b.x, remove: true}\n",
        );
        assert_eq!(json, r#"{"a":[1,2],"b":{"y":2}}"#);
    }

    #[test]
    fn an_action_without_effect_warns_and_an_invalid_one_is_an_error() {
        let actions = "\
- {target: $.b, update: {}}
- {target: b, update: {}}
- {target: $.a}
- {target: $.a, copy: $.*}
- {update: {}}
";
        let (json, diagnostics) = applied("a: 1\nc: 2\n", actions);
        assert_eq!(json, r#"{"a":1,"c":2}"#);
        assert_eq!(diagnostics.count(Severity::Warning), 1);
        assert_eq!(diagnostics.count(Severity::Error), 4);
        let shown = render(&diagnostics, false);
        assert!(shown.contains("--> overlay.yaml:4:12"), "{shown}");
    }
}
