//! Reads an overlay (Overlay 1.0 and 1.1, section 4).

use std::collections::HashMap;

use super::json_path::JsonPath;
use crate::diagnostics::{Code, Diagnostics, Place, help_for_unknown};
use crate::document::{Node, is_extension};
use crate::source_map::Pointer;

/// An action of an overlay.
pub(super) struct Action<'o> {
    /// Its place in the overlay.
    pub(super) at: Pointer,
    pub(super) target: JsonPath,
    pub(super) change: ActionKind<'o>,
}

/// The change of the selected values.
pub(super) enum ActionKind<'o> {
    None,
    Remove,
    Update(&'o Node),
    Copy(JsonPath),
}

#[derive(Clone, Copy)]
enum FieldKind {
    Any,
    Text,
    Flag,
    Object,
    List,
}

/// A field: its name, its kind, and whether it is required.
type Field = (&'static str, FieldKind, bool);

const OVERLAY: [Field; 4] = [
    ("overlay", FieldKind::Text, true),
    ("info", FieldKind::Object, true),
    ("extends", FieldKind::Text, false),
    ("actions", FieldKind::List, true),
];

const INFO: [Field; 3] = [
    ("title", FieldKind::Text, true),
    ("version", FieldKind::Text, true),
    ("description", FieldKind::Text, false),
];

const ACTION: [Field; 5] = [
    ("target", FieldKind::Text, true),
    ("description", FieldKind::Text, false),
    ("update", FieldKind::Any, false),
    ("copy", FieldKind::Text, false),
    ("remove", FieldKind::Flag, false),
];

/// Reads the actions of an overlay. Reports all problems, and returns `None` if there are any.
pub(super) fn read<'o>(
    tree: &'o Node,
    file: &Pointer,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Action<'o>>> {
    let mut reader = ActionReader { diagnostics, is_valid: true };
    if tree.get("overlay").is_none() {
        let message = "this is not an OpenAPI Overlay 1.0 or 1.1";
        let help = "write `overlay: 1.1.0`, `info` and a list of `actions`";
        reader.error(Place::value(file), message, help);
        return None;
    }
    reader.fields("an overlay", tree, file, &OVERLAY);
    if let Some(version) = tree.text("overlay")
        && !is_version(version)
    {
        let message = format!("Overlay `{version}` is not supported");
        let help = "versions 1.0 and 1.1 are supported: write `overlay: 1.1.0`";
        reader.error(Place::value(&file.join("overlay")), message, help);
    }
    if let Some(info) = tree.get("info").filter(|info| info.as_object().is_some()) {
        reader.fields("`info`", info, &file.join("info"), &INFO);
    }
    let list = tree.get("actions").and_then(Node::as_array)?;
    let at = file.join("actions");
    if list.is_empty() {
        reader.error(
            Place::value(&at),
            "an overlay needs an action",
            "add an action with a `target`",
        );
    }
    let mut actions = Vec::new();
    let mut first = HashMap::new();
    for (index, action) in list.iter().enumerate() {
        let at = at.join_index(index);
        let earlier = *first.entry(action.to_text()).or_insert(index);
        if earlier < index {
            let message = format!("the action is equal to action {}", earlier + 1);
            reader.error(Place::value(&at), message, "remove one of them");
        }
        actions.extend(reader.action(action, at));
    }
    reader.is_valid.then_some(actions)
}

/// Returns whether a version is 1.0.x or 1.1.x.
fn is_version(version: &str) -> bool {
    let patch = ["1.0.", "1.1."].iter().find_map(|minor| version.strip_prefix(minor));
    let number = patch.and_then(|patch| patch.split('-').next()).unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

struct ActionReader<'d> {
    diagnostics: &'d mut Diagnostics,
    is_valid: bool,
}

impl ActionReader<'_> {
    fn action<'o>(&mut self, node: &'o Node, at: Pointer) -> Option<Action<'o>> {
        self.fields("an action", node, &at, &ACTION);
        let target = self.path(node, "target", &at)?;
        let change = if node.get("remove").and_then(Node::as_bool) == Some(true) {
            ActionKind::Remove
        } else if let Some(update) = node.get("update") {
            ActionKind::Update(update)
        } else {
            self.path(node, "copy", &at).map_or(ActionKind::None, ActionKind::Copy)
        };
        Some(Action { at, target, change })
    }

    fn path(&mut self, node: &Node, field: &str, at: &Pointer) -> Option<JsonPath> {
        let text = node.text(field)?;
        let path = JsonPath::parse(text);
        path.map_err(|message| {
            let help = "the syntax of JSONPath is defined by RFC 9535";
            self.error(Place::value(&at.join(field)), message, help);
        })
        .ok()
    }

    /// Reports fields that are missing, unknown, or of another type.
    fn fields(&mut self, what: &str, node: &Node, at: &Pointer, fields: &[Field]) {
        let Some(properties) = node.as_object() else {
            let message = format!("{what} must be an object, not {}", node.kind());
            return self.error(Place::value(at), message, "write `key: value` lines");
        };
        for (name, kind, is_required) in fields {
            match node.get(name) {
                Some(value) => {
                    if let Some(expected) = kind.violated_by(value) {
                        let message = format!("`{name}` must be {expected}, not {}", value.kind());
                        let help = match kind {
                            FieldKind::Text if value.scalar().is_some() => "put it in quotes",
                            _ => "correct the value",
                        };
                        self.error(Place::value(&at.join(name)), message, help);
                    }
                }
                None if *is_required => {
                    let message = format!("{what} needs the field `{name}`");
                    self.error(Place::value(at), message, "add it");
                }
                None => {}
            }
        }
        for (key, _) in properties {
            let is_known = fields.iter().any(|(name, ..)| name == key) || is_extension(key);
            if !is_known {
                let names = fields.iter().map(|(name, ..)| *name);
                let meant = self.diagnostics.spelling().closest(key, names);
                let help = help_for_unknown(meant, "remove it, or prefix its name with `x-`");
                let message = format!("`{key}` is not a field of {what}");
                self.error(Place::key(&at.join(key)), message, help);
            }
        }
    }

    fn error(&mut self, place: Place, message: impl Into<String>, help: impl Into<String>) {
        self.is_valid = false;
        self.diagnostics.report(Code::Overlay, place, message).help(help);
    }
}

impl FieldKind {
    /// Returns the expected kind with its article, if a value is of another one.
    fn violated_by(self, value: &Node) -> Option<&'static str> {
        let (is_kept, expected) = match self {
            Self::Any => (true, ""),
            Self::Text => (value.as_str().is_some(), "a string"),
            Self::Flag => (value.as_bool().is_some(), "true or false"),
            Self::Object => (value.as_object().is_some(), "an object"),
            Self::List => (value.as_array().is_some(), "an array"),
        };
        (!is_kept).then_some(expected)
    }
}
