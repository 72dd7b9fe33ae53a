//! The names that schemas give themselves: `$id`, `$anchor` and `$dynamicAnchor` (JSON Schema 2020-12 Core §8.2).
//!
//! A reference to a name becomes one to the place of the schema, so that nothing else has to know about names.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::rc::Rc;

use super::Node;
use super::base::{Base, MAX_URI, is_url, joined, reference_to};
use super::keys::Keys;
use crate::source_map::Pointer;

/// A reference to replace.
pub(super) struct Replacement {
    /// The place of its object.
    pub(super) object: Pointer,
    /// Its key, which becomes `$ref`.
    pub(super) key: &'static str,
    pub(super) reference: String,
}

/// The names of the schemas, each with its place; without it if several schemas have the name.
#[derive(Default)]
struct SchemaNames<'n> {
    /// The schemas with an `$id`, by URI.
    resources: HashMap<String, Option<Pointer>>,
    /// By the URI of the resource that contains them.
    anchors: HashMap<(Rc<str>, &'n str), Option<Pointer>>,
    /// The targets of `$dynamicRef`s, of all resources.
    dynamic: HashMap<&'n str, Option<Pointer>>,
}

/// The trees by path, with the paths of references in them; the path of the document is empty.
struct Files<'n> {
    trees: BTreeMap<&'n str, &'n Node>,
    base: &'n Base,
}

/// An object of a tree.
struct Visited<'n> {
    node: &'n Node,
    pointer: Pointer,
    keys: Keys,
    /// The URI of the resource that contains it.
    uri: Rc<str>,
}

/// Returns the references to schemas by name, with the places of the schemas.
pub(super) fn replacements(trees: BTreeMap<&str, &Node>, base: &Base) -> Vec<Replacement> {
    let files = &Files { trees, base };
    let mut names = SchemaNames::default();
    visit(files, |object| {
        let text = |key: &str| object.node.get(key).and_then(Node::as_str);
        if text("$id").is_some_and(|id| id.len() <= MAX_URI) {
            add(&mut names.resources, object.uri.to_string(), &object.pointer);
        }
        for name in [text("$anchor"), text("$dynamicAnchor")].into_iter().flatten() {
            add(&mut names.anchors, (object.uri.clone(), name), &object.pointer);
        }
        if let Some(name) = text("$dynamicAnchor") {
            add(&mut names.dynamic, name, &object.pointer);
        }
    });
    let mut replacements = Vec::new();
    visit(files, |object| {
        let text = |key: &str| object.node.get(key).and_then(Node::as_str);
        let (key, target, written) = match (text("$ref"), text("$dynamicRef")) {
            (Some(written), _) => ("$ref", names.target(written, object, files), written),
            (None, Some(written)) => {
                ("$dynamicRef", names.dynamic_target(written, object, files), written)
            }
            (None, None) => return,
        };
        let is_place = |(_, fragment): &(_, &str)| fragment.starts_with('/');
        let reference = match target {
            Some(target) => reference_to(&target),
            None if key == "$dynamicRef"
                && written.split_once('#').as_ref().is_some_and(is_place) =>
            {
                base.resolved(written, object.pointer.file().unwrap_or_default())
            }
            None => return,
        };
        replacements.push(Replacement { object: object.pointer.clone(), key, reference });
    });
    replacements
}

impl SchemaNames<'_> {
    /// Returns the schema that a `$dynamicRef` refers to, unless that depends on the schemas that refer to it.
    fn dynamic_target(
        &self,
        written: &str,
        object: &Visited<'_>,
        files: &Files<'_>,
    ) -> Option<Pointer> {
        let name = written.split_once('#').map_or("", |(_, name)| name);
        match self.dynamic.get(name) {
            Some(only) => only.clone(),
            None => self.target(written, object, files),
        }
    }

    /// Returns the schema that a reference names: by the URI of its resource, or by the path of a file.
    fn target(&self, written: &str, object: &Visited<'_>, files: &Files<'_>) -> Option<Pointer> {
        let (path, fragment) = written.split_once('#').unwrap_or((written, ""));
        let file = files.base.target(path, object.pointer.file().unwrap_or_default());
        let resources = [join(&object.uri, path), files.uri(&file)];
        if fragment.is_empty() || fragment.starts_with('/') {
            let path = Pointer::from_reference(&format!("#{fragment}"))?;
            let roots = resources.iter().filter_map(|uri| self.resources.get(uri)?.clone());
            let mut targets = roots
                .map(|root| path.segments().into_iter().fold(root, |place, step| place.join(step)));
            return targets.find(|target| fragment.is_empty() || files.at(target).is_some());
        }
        let mut anchors = resources.map(|uri| self.anchors.get(&(uri.into(), fragment)));
        anchors.iter_mut().find_map(Option::take)?.clone()
    }
}

impl Files<'_> {
    fn at(&self, pointer: &Pointer) -> Option<&Node> {
        self.trees.get(pointer.file().unwrap_or_default())?.at(pointer)
    }

    /// Returns the URI of a file: its `$id`, or the URI of its path.
    fn uri(&self, file: &str) -> String {
        let uri = join(self.base.uri.as_deref().unwrap_or_default(), file);
        let node = self.trees.get(file).filter(|_| !file.is_empty());
        let id = node.and_then(|node| node.get("$id")).and_then(Node::as_str);
        id.map_or(uri.clone(), |id| join(&uri, id))
    }
}

/// Visits the objects of all trees in which a reference can be read.
fn visit<'n>(files: &Files<'n>, mut visit: impl FnMut(&Visited<'n>)) {
    let root = files.base.uri.as_deref().unwrap_or_default();
    let visited = |(path, node): (&&str, &&'n Node)| {
        let pointer = if path.is_empty() { Pointer::root() } else { Pointer::to_file(path) };
        let keys = Keys::at(&pointer).unwrap_or(Keys::Either);
        Visited { node, pointer, keys, uri: join(root, path).into() }
    };
    let mut waiting: Vec<_> = files.trees.iter().map(visited).collect();
    while let Some(mut visited) = waiting.pop() {
        if let Some(id) = visited.node.get("$id").and_then(Node::as_str) {
            let uri = join(&visited.uri, id);
            if uri.len() <= MAX_URI {
                visited.uri = uri.into();
            }
        }
        visit(&visited);
        waiting.extend(visited.keys.within(visited.node).map(|(key, node, keys)| Visited {
            node,
            pointer: visited.pointer.join(&key),
            keys,
            uri: visited.uri.clone(),
        }));
    }
}

fn add<K: Eq + Hash>(names: &mut HashMap<K, Option<Pointer>>, name: K, place: &Pointer) {
    names.entry(name).and_modify(|place| *place = None).or_insert_with(|| Some(place.clone()));
}

/// Returns the URI of a reference in a resource (RFC 3986 §5.2), without its fragment.
fn join(uri: &str, reference: &str) -> String {
    let path = reference.split('#').next().unwrap_or_default();
    if path.is_empty() || is_url(path) {
        return if path.is_empty() { uri } else { path }.to_owned();
    }
    let (scheme, rest) = uri.split_once("//").map_or(("", uri), |(scheme, rest)| (scheme, rest));
    let (authority, folder) = match scheme {
        "" => ("", rest),
        _ => rest.split_once('/').unwrap_or((rest, "")),
    };
    let folder = if path.starts_with('/') { "" } else { folder };
    let joined = joined(folder, path);
    if scheme.is_empty() { joined } else { format!("{scheme}//{authority}/{joined}") }
}
