//! The state of a validation, and reports shared by several rules.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use crate::diagnostics::{Code, Diagnostic, Diagnostics, Place};
use crate::document::Node;
use crate::document::view::{Document, Kind, Version, View};
use crate::source_map::Pointer;

/// Fields that are read, but only for the documentation.
pub(super) const DOCUMENTATION: [&str; 4] = ["description", "summary", "title", "version"];

/// The fields of a kind of object.
pub(super) trait Fields {
    /// The noun with its article.
    fn what(&self) -> &'static str;

    /// Returns whether there is a field of this name.
    fn has(&self, name: &str) -> bool;
}

pub(super) struct Validator<'a> {
    pub(super) document: &'a Document,
    pub(super) diagnostics: &'a mut Diagnostics,
    /// The places of all objects that can be a `$ref`.
    pub(super) items: HashSet<(Kind, Pointer)>,
    /// The targets of the `$ref`s of schemas.
    pub(super) targets: Vec<Pointer>,
    /// The properties that components describe which extend others by `allOf`, by the places of the latter.
    pub(super) extensions: OnceCell<HashMap<Pointer, HashSet<&'a str>>>,
    /// The kinds of the validated object and of the objects around it.
    pub(super) around: Vec<&'static dyn Fields>,
    /// The values that are read as others, because of a common mistake.
    pub(super) repairs: Vec<(Pointer, Node)>,
}

impl Validator<'_> {
    pub(super) fn is_version(&self, version: Version) -> bool {
        self.document.version == version
    }

    /// Reports a value in a file that is not read, and returns whether it is one.
    pub(super) fn is_unread(&mut self, view: &View<'_>) -> bool {
        let Some(target) = view.reference() else { return false };
        let file = Pointer::from_reference(target);
        let Some(unread) = file.and_then(|file| self.document.tree.unread(&file)) else {
            return false;
        };
        let message =
            format!("`{}` cannot be read: {}", target.trim_end_matches('#'), unread.reason);
        self.at_value(Code::DanglingRef, &view.pointer.join("$ref"), message)
            .help(unread.help.as_str());
        true
    }

    /// Reports a problem at a key.
    pub(super) fn at_key(
        &mut self,
        code: Code,
        pointer: &Pointer,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.diagnostics.report(code, Place::key(pointer), message)
    }

    /// Reports a problem at a value.
    pub(super) fn at_value(
        &mut self,
        code: Code,
        pointer: &Pointer,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.diagnostics.report(code, Place::value(pointer), message)
    }

    /// Reports a value that is not allowed.
    pub(super) fn invalid(
        &mut self,
        pointer: &Pointer,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.at_value(Code::InvalidValue, pointer, message).help(help);
    }

    /// Reports a required field of an object if it is missing.
    pub(super) fn require(
        &mut self,
        code: Code,
        view: &View<'_>,
        what: &str,
        name: &str,
        help: &str,
    ) {
        if view.get(name).is_none() {
            self.at_key(code, &view.pointer, format!("{what} needs the field `{name}`")).help(help);
        }
    }

    /// Reports two fields of an object that exclude each other.
    pub(super) fn report_exclusive(&mut self, view: &View<'_>, one: &str, other: &str) {
        if view.get(one).is_some() && view.get(other).is_some() {
            let message = format!("`{one}` and `{other}` are mutually exclusive");
            self.at_key(Code::ConflictingFields, &view.pointer.join(other), message)
                .related(Place::Key(view.pointer.join(one)), format!("`{one}` is written here"))
                .help("keep one of the two");
        }
    }

    /// Reports a value of the wrong type.
    pub(super) fn wrong_type(
        &mut self,
        pointer: &Pointer,
        name: &str,
        expected: &str,
        found: &Node,
    ) {
        let message = format!("{name} must be {expected}, not {}", found.kind());
        let help = match (found, expected) {
            (Node::Null, _) => "remove the key, or add a value",
            (Node::Array(_), "an object") => "write `key: value` lines instead of a list",
            (_, "an object") => "write `key: value` lines",
            (_, "an array") => "write a list: begin each element with `- `",
            (_, "a string") => "write one text, in quotes if it begins with a bracket",
            _ => "write `true` or `false`",
        };
        let is_documentation = pointer.last().is_some_and(|field| DOCUMENTATION.contains(&field));
        let is_text = is_documentation && expected == "a string";
        let code = if is_text { Code::NotText } else { Code::WrongType };
        self.at_value(code, pointer, message).help(help);
    }

    /// Warns of a key without a value. A reference is never meant to have none.
    pub(super) fn no_value(&mut self, pointer: &Pointer, what: &str) {
        let (code, help) = if pointer.last() == Some("$ref") {
            let help = "put the reference in quotes, such as '#/components/schemas/Pet': a `#` after a space begins a comment";
            (Code::DanglingRef, help)
        } else {
            (Code::NoValue, "add a value, or remove the key: it is read as empty")
        };
        self.at_key(code, pointer, format!("{what} has no value")).help(help);
    }

    /// Warns of a scalar that YAML does not read as a string, and reports other values that are not strings.
    pub(super) fn text(&mut self, node: &Node, pointer: &Pointer, name: &str) {
        let Some(text) = node.scalar() else {
            return self.wrong_type(pointer, name, "a string", node);
        };
        if node.as_str().is_none() {
            let message = format!("{name} must be a string, not {}", node.kind());
            self.at_value(Code::Unquoted, pointer, message)
                .help(format!("put it in quotes; it is read as '{text}'"));
            self.repairs.push((pointer.clone(), Node::String(text)));
        }
    }

    /// Warns of a boolean that YAML reads as a string, and reports other values that are not booleans.
    pub(super) fn flag(&mut self, node: &Node, pointer: &Pointer, name: &str) {
        let flag = match (node, quoted_flag(node)) {
            (Node::Bool(_), _) => return,
            (_, Some(flag)) => flag,
            _ => return self.wrong_type(pointer, name, "true or false", node),
        };
        let message = format!("{name} must be true or false, not a string");
        self.at_value(Code::Quoted, pointer, message)
            .help(format!("write `{flag}`, without quotes"));
        self.repairs.push((pointer.clone(), Node::Bool(flag)));
    }
}

/// Returns the boolean that a string is meant to be.
pub(super) fn quoted_flag(node: &Node) -> Option<bool> {
    match node.as_str()?.to_ascii_lowercase().as_str() {
        "true" | "yes" => Some(true),
        "false" | "no" => Some(false),
        _ => None,
    }
}
