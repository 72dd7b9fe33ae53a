//! The files that references name, from the folder of the document.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use super::Node;
use super::keys::Keys;
use crate::source_map::Pointer;

/// Characters that are percent-encoded in a reference.
pub(super) const ENCODED: &AsciiSet = &CONTROLS.add(b'%').add(b'#');

/// The references of a part of a document.
#[derive(Default)]
pub(super) struct FoundReferences {
    /// The files that they name, each with an empty path, and with the path of a target that no field reads, and what its
    /// keys are.
    pub(super) targets: Vec<(String, String, Keys)>,
    /// Whether schemas name themselves.
    pub(super) has_names: bool,
}

/// The URI of the document, to which references are relative.
pub(super) struct Base {
    /// The names of the document.
    own: Vec<String>,
    /// The URI of the document (`$self` of OpenAPI 3.2).
    uri: Option<String>,
}

impl Base {
    pub(super) fn new(root: &Node, file: &str) -> Self {
        let version = root.text("openapi").unwrap_or_default();
        let uri = root.text("$self").filter(|_| version.starts_with("3.2"));
        let name = uri.and_then(|uri| uri.rsplit_once('/')).map(|(_, name)| name);
        let own = [file].into_iter().chain(name).map(str::to_owned).collect();
        Self { own, uri: uri.map(str::to_owned) }
    }

    /// Returns the references of a part, but not those in values that are not read.
    pub(super) fn found(&self, part: &Node, keys: Keys, file: &str) -> FoundReferences {
        let mut found = FoundReferences::default();
        let mut waiting = vec![(part, keys)];
        while let Some((node, keys)) = waiting.pop() {
            let names = ["$id", "$anchor", "$dynamicAnchor"];
            found.has_names |= names.iter().any(|key| node.text(key).is_some());
            let mapping = node.members(&["discriminator", "mapping"]);
            let mapped = mapping.filter_map(|(_, value)| value.as_str());
            let own = ["$ref", "$dynamicRef"].into_iter().filter_map(|key| node.text(key));
            for reference in own.chain(mapped.filter(|value| is_path(value))) {
                let (path, fragment) = reference.split_once('#').unwrap_or((reference, ""));
                let target = self.target(path, file);
                let place = Pointer::from_reference(&place(&target, fragment));
                if place.is_some_and(|place| Keys::at(&place).is_none()) {
                    found.targets.push((target.clone(), fragment.to_owned(), keys));
                }
                found.targets.push((target, String::new(), Keys::Either));
            }
            waiting.extend(keys.within(node).map(|(_, node, keys)| (node, keys)));
        }
        found
    }

    /// Makes every reference of a file relative to the folder of the document.
    pub(super) fn resolve(&self, root: &mut Node, file: &str) {
        let mut waiting = vec![root];
        while let Some(node) = waiting.pop() {
            if let Some(Node::Object(values)) = node.at_mut(&["discriminator", "mapping"]) {
                for (_, value) in values {
                    if let Node::String(text) = value
                        && is_path(text)
                    {
                        *text = self.resolved(text, file);
                    }
                }
            }
            match node {
                Node::Array(items) => waiting.extend(items),
                Node::Object(members) => {
                    for (key, node) in members {
                        if let Node::String(reference) = node
                            && key == "$ref"
                            && !reference.is_empty()
                        {
                            *reference = self.resolved(reference, file);
                        }
                        waiting.push(node);
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns a reference in a file, from the folder of the document.
    pub(super) fn resolved(&self, reference: &str, file: &str) -> String {
        let (path, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        place(&self.target(path, file), fragment)
    }

    /// Returns the path of a reference in a file, from the folder of the document; it is empty for the document itself.
    pub(super) fn target(&self, path: &str, file: &str) -> String {
        let folder = self.uri.as_deref().and_then(|uri| uri.rsplit_once('/'));
        let rest = folder.and_then(|(folder, _)| path.strip_prefix(folder)?.strip_prefix('/'));
        let target = match rest {
            Some(rest) => target(rest, ""),
            None => target(path, file),
        };
        if self.own.contains(&target) { String::new() } else { target }
    }
}

pub(super) fn reference_to(pointer: &Pointer) -> String {
    let text = pointer.to_string();
    let file = pointer.file().unwrap_or_default();
    let path = text.strip_prefix(file).unwrap_or(&text).trim_start_matches('#');
    place(file, &utf8_percent_encode(path, ENCODED).to_string())
}

pub(super) fn place(file: &str, fragment: &str) -> String {
    format!("{}#{fragment}", utf8_percent_encode(file, ENCODED))
}

/// Returns whether a reference begins with a scheme, or with the letter of a drive.
pub(super) fn is_url(reference: &str) -> bool {
    reference.split('/').next().is_some_and(|first| first.contains(':'))
        || reference.starts_with("//")
}

/// Returns the path of a relative reference in a file, from the folder of the document.
fn target(path: &str, file: &str) -> String {
    if path.is_empty() || is_url(path) || path.starts_with('/') {
        return if path.is_empty() { file } else { path }.to_owned();
    }
    let path = percent_decode_str(path).decode_utf8_lossy();
    let mut steps: Vec<&str> = file.split('/').collect();
    steps.pop();
    for step in path.split('/') {
        match step {
            "" | "." => {}
            ".." if steps.last().is_some_and(|last| *last != "..") => drop(steps.pop()),
            step => steps.push(step),
        }
    }
    steps.join("/")
}

/// Returns whether a value of a `mapping` is a reference, not the name of a schema.
fn is_path(value: &str) -> bool {
    let extension = value.rsplit_once('.').map(|(_, extension)| extension);
    value.contains(['/', '#']) || matches!(extension, Some("yaml" | "yml" | "json"))
}
