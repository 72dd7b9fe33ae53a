//! OpenAPI Overlay 1.0 and 1.1: changes to a document's tree before it is read.

mod action;
mod json_path;

use std::collections::HashSet;

use crate::diagnostics::{Code, Diagnostics, Origins, Place};
use crate::document::Node;
use crate::document::Source;
use crate::document::parse::{MAX_DEPTH, parse_file};
use crate::source_map::{Pointer, array_index};
use action::{Action, ActionKind, read};
pub use json_path::JsonPath;

/// Maximum size that an overlay adds to a document, in bytes: actions can select what others have added.
const MAX_ADDED: usize = 4 << 20;

/// Applies the actions of an overlay to a document, in order.
///
/// An action that selects or changes nothing is a warning. An invalid overlay is an error: none of its actions is applied.
pub fn apply(root: &mut Node, overlay: &Source, diagnostics: &mut Diagnostics) {
    let name = &overlay.name;
    let Some(tree) = parse_file(Some(name), name, &overlay.text, diagnostics) else { return };
    let Some(actions) = read(&tree, &Pointer::to_file(name), diagnostics) else { return };
    let mut budget = MAX_ADDED;
    for action in actions {
        if let Err((place, message)) = apply_action(root, &action, &mut budget, diagnostics) {
            diagnostics.report(Code::Overlay, place, message);
        }
        if budget == 0 {
            return;
        }
    }
}

fn apply_action(
    root: &mut Node,
    action: &Action<'_>,
    budget: &mut usize,
    diagnostics: &mut Diagnostics,
) -> Result<(), (Place, String)> {
    let place = Place::value(&action.at.join("target"));
    let mut found = action.target.select(root).map_err(|message| (place.clone(), message))?;
    let mut seen = HashSet::new();
    found.retain(|location| seen.insert(location.clone()));
    if found.is_empty() {
        diagnostics.report(Code::UnusedAction, place, "the target matches nothing in the document");
        return Ok(());
    }
    let update = match &action.change {
        ActionKind::None => {
            diagnostics
                .report(Code::UnusedAction, Place::value(&action.at), "the action changes nothing")
                .help("add `update`, `copy` or `remove: true`");
            return Ok(());
        }
        ActionKind::Remove => {
            let count = found.len();
            found.retain(|location| !location.segments().is_empty());
            if found.len() < count {
                diagnostics
                    .report(Code::UnusedAction, place, "the document as a whole cannot be removed")
                    .help("select what to remove, such as `$.paths`");
            }
            remove(root, &found, &action.at, &mut diagnostics.origins);
            return Ok(());
        }
        ActionKind::Update(update) => (*update).clone(),
        ActionKind::Copy(source) => {
            let place = Place::value(&action.at.join("copy"));
            let copied = source.select(root).map_err(|message| (place.clone(), message))?;
            let copied = if let [location] = &copied[..] { root.at(location) } else { None };
            copied.cloned().ok_or((place, "`copy` must select exactly one value".to_owned()))?
        }
    };
    let mut objects = found.iter().filter_map(|location| root.at(location)?.as_object());
    if update.as_object().is_none() && objects.next().is_some() {
        let message = format!("the target is an object, with which {} cannot merge", update.kind());
        return Err((place, message));
    }
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
    let keyword = if let ActionKind::Copy(_) = action.change { "copy" } else { "update" };
    let origin = action.at.join(keyword);
    for location in found {
        if let Some(node) = root.at_mut(&location.segments()) {
            match node {
                Node::Array(items) => {
                    diagnostics.origins.write(location.join_index(items.len()), origin.clone());
                    items.push(update.clone());
                }
                node => merge(node, &update, &location, &origin, &mut diagnostics.origins),
            }
        }
    }
    Ok(())
}

/// Removes values from the last to the first, so that the remaining elements of a list keep their indices.
fn remove(root: &mut Node, found: &[Pointer], action: &Pointer, origins: &mut Origins) {
    let places = found.iter().map(|location| {
        let steps =
            location.segments().into_iter().map(|step| (array_index(step), step.to_owned()));
        (steps.collect::<Vec<_>>(), location)
    });
    let mut places: Vec<_> = places.collect();
    places.sort_by(|(left, _), (right, _)| right.cmp(left));
    for (_, location) in places {
        let is_element = location.parent().and_then(|list| root.at(list)?.as_array()).is_some();
        origins.remove(location.clone(), is_element, action.clone());
        root.remove(&location.segments());
    }
}

/// Merges objects property by property and joins arrays; everything else is replaced.
fn merge(node: &mut Node, update: &Node, at: &Pointer, origin: &Pointer, origins: &mut Origins) {
    match (node, update) {
        (Node::Object(properties), Node::Object(updates)) => {
            for (key, value) in updates {
                let at = at.join(key);
                let origin = origin.join(key);
                if let Some((_, property)) = properties.iter_mut().find(|(name, _)| name == key) {
                    merge(property, value, &at, &origin, origins);
                } else {
                    origins.write(at, origin);
                    properties.push((key.clone(), value.clone()));
                }
            }
        }
        (Node::Array(items), Node::Array(more)) => {
            for (index, value) in more.iter().enumerate() {
                origins.write(at.join_index(items.len()), origin.join_index(index));
                items.push(value.clone());
            }
        }
        (node, update) => {
            origins.write(at.clone(), origin.clone());
            *node = update.clone();
        }
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
        let repeated = |count: usize, action: &str| -> String {
            let numbered = |number| format!("- {{description: '{number}', {action}}}\n");
            (0..count).map(numbered).collect()
        };
        let text = "x".repeat(1 << 14);
        let multiply =
            repeated(40, &format!("target: '$..*', update: {{a: {{b: {{c: {text}}}}}}}"));
        let (json, diagnostics) = applied("a: {}\n", &multiply);
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
        let deepen = repeated(200, "target: $..a, update: {a: {}}");
        let (_, diagnostics) = applied("a: {}\n", &deepen);
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
    fn each_selected_value_is_removed_and_changed_once() {
        let actions = "\
- {target: '$.a[::-1, 0]', remove: true}
- {target: '$.b[0, 0]', update: {y: 2}}
- {target: '$.c[1, 0, 10]', remove: true}
";
        let document = "a: [1, 2, 3]\nb: [{x: 1}]\nc: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n";
        let (json, diagnostics) = applied(document, actions);
        assert_eq!(json, r#"{"a":[],"b":[{"x":1,"y":2}],"c":[2,3,4,5,6,7,8,9]}"#);
        assert!(diagnostics.iter().next().is_none());
    }

    #[test]
    fn an_action_without_effect_warns() {
        let actions = "- {target: $.b, update: {}}\n- {target: $.a}\n- {target: $, remove: true}\n";
        let (json, diagnostics) = applied("a: 1\n", actions);
        assert_eq!(json, r#"{"a":1}"#);
        assert_eq!(diagnostics.count(Severity::Warning), 3);
        assert_eq!(diagnostics.count(Severity::Error), 0);
    }

    #[test]
    fn an_object_is_updated_by_objects_only() {
        let actions = "- {target: $.a, update: [1]}\n- {target: $.a, copy: $.b}\n- {target: '$.*', update: x}\n";
        let (json, diagnostics) = applied("a: {c: 1}\nb: 2\n", actions);
        assert_eq!(json, r#"{"a":{"c":1},"b":2}"#);
        let shown = render(&diagnostics, false);
        assert_eq!(diagnostics.count(Severity::Error), 3, "{shown}");
        assert!(shown.contains("an object, with which an array cannot merge"), "{shown}");
        let (json, _) = applied("a: {c: 1}\n", "- {target: $.a.c, update: [1]}\n");
        assert_eq!(json, r#"{"a":{"c":[1]}}"#);
    }

    #[test]
    fn an_invalid_overlay_changes_nothing() {
        let valid = "- {target: $.a, update: 2}\n";
        for (invalid, line) in [
            ("- {target: b, update: {}}\n", "--> overlay.yaml:5:12"),
            ("- {update: {}}\n", "--> overlay.yaml:5:3"),
            ("- 1\n", "--> overlay.yaml:5:3"),
            ("- {target: 1}\n", "--> overlay.yaml:5:12"),
            ("- {target: $.a, remove: maybe}\n", "--> overlay.yaml:5:25"),
            ("- {target: $.a, copy: a}\n", "--> overlay.yaml:5:23"),
            ("- {target: $.a, updates: 1}\n", "did you mean `update`?"),
            ("- {target: $.a, update: 2}\n", "equal to action 1"),
        ] {
            let (json, diagnostics) = applied("a: 1\n", &format!("{valid}{invalid}"));
            let shown = render(&diagnostics, false);
            assert_eq!(json, r#"{"a":1}"#, "{shown}");
            assert_eq!(diagnostics.count(Severity::Error), 1, "{shown}");
            assert!(shown.contains(line), "{shown}");
        }
        let head = "overlay: 1.1.0\ninfo: {title: t, version: v}\n";
        for text in [
            "[]".to_owned(),
            head.to_owned(),
            format!("{head}actions: []\n"),
            format!("{head}actions: {{}}\n"),
            format!("{head}actions: [{{target: $}}]\nextends: {{}}\n"),
            format!("{head}actions: [{{target: $}}]\nother: 1\n"),
            "overlay: '1.1'\ninfo: {title: t, version: v}\nactions: [{target: $}]\n".to_owned(),
            "overlay: 1.1.0\ninfo: {title: 1, version: v}\nactions: [{target: $}]\n".to_owned(),
            "overlay: 1.1.0\ninfo: {title: t}\nactions: [{target: $}]\n".to_owned(),
        ] {
            let mut diagnostics = Diagnostics::new();
            apply(&mut Node::Null, &source("overlay.yaml", &text), &mut diagnostics);
            assert!(diagnostics.has_errors(), "{text}");
        }
    }

    #[test]
    fn a_copy_needs_one_source() {
        let (json, diagnostics) = applied("a: 1\nc: 2\n", "- {target: $.a, copy: $.*}\n");
        assert_eq!(json, r#"{"a":1,"c":2}"#);
        let shown = render(&diagnostics, false);
        assert!(shown.contains("`copy` must select exactly one value"), "{shown}");
    }

    #[test]
    fn values_are_shown_where_they_are_written() {
        let actions = "\
- {target: $.a, update: {b: {c: 1}, d: [x]}}
- {target: $.list, update: new}
- {target: '$.list[0, 2]', remove: true}
- {target: $.copied, copy: $.a}
- {target: '$.list[0]', update: {n: 9}}
";
        let document =
            "a: {b: 0, d: [y]}\nlist:\n- {n: 1}\n- {n: 2}\n- {n: 3}\n- {n: 4}\ncopied: {}\n";
        let (json, mut diagnostics) = applied(document, actions);
        assert_eq!(
            json,
            r#"{"a":{"b":{"c":1},"d":["y","x"]},"list":[{"n":9},{"n":4},"new"],"copied":{"b":{"c":1},"d":["y","x"]}}"#
        );
        let places = [
            ("/a/d/0", "openapi.yaml:1:15"),
            ("/a/d/1", "overlay.yaml:4:41"),
            ("/a/b/c", "overlay.yaml:4:33"),
            ("/list/0", "openapi.yaml:4:3"),
            ("/list/0/n", "overlay.yaml:8:37"),
            ("/list/1/n", "openapi.yaml:6:7"),
            ("/list/2", "overlay.yaml:5:28"),
            ("/copied/b/c", "overlay.yaml:7:28"),
        ];
        for (pointer, _) in places {
            let place = Place::Value(Pointer::from_escaped(pointer));
            diagnostics.report(Code::Overlay, place, pointer);
        }
        let shown = render(&diagnostics, false);
        for (pointer, place) in places {
            let (_, shown_for) = shown.split_once(&format!("error[overlay]: {pointer}\n")).unwrap();
            let line = shown_for.lines().next().unwrap();
            assert!(line.ends_with(&format!("--> {place}")), "{pointer}: {line}");
        }
    }
}
