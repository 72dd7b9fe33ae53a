//! The tree of a document, with the trees of the files that it refers to.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::Node;
use super::base::{Base, is_url, place};
use super::input::{Input, Readable};
use super::keys::Keys;
use super::names::{Replacement, replacements};
use super::parse::parse_file;
use super::references::targets;
use crate::diagnostics::Diagnostics;
use crate::source_map::{Pointer, Syntax, body_start};

/// Maximum size of all other files, in bytes: a folder that links to itself has an unlimited number of files.
const MAX_BYTES: usize = 64 << 20;

/// The extensions of the files that a document can refer to: other files can hold secrets.
const EXTENSIONS: [&str; 4] = ["yaml", "yml", "json", TEXT];

/// The extension of a file that is one text.
const TEXT: &str = "md";

/// The tree of a document, with the trees of the files that it refers to. All references in it are relative to the
/// folder of the document.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) root: Node,
    /// The trees of other files, by path.
    files: BTreeMap<String, Result<Node, Unread>>,
}

/// The reason why a file is not read.
#[derive(Clone, Debug)]
pub(crate) struct Unread {
    pub(crate) reason: String,
    pub(crate) help: String,
}

impl Tree {
    /// Loads the files that a document refers to, directly or through other files.
    pub(super) fn load(root: Node, input: &Input<'_>, diagnostics: &mut Diagnostics) -> Self {
        let name = &input.source.name;
        let (folder, file) = name.split_at(name.rfind(['/', '\\']).map_or(0, |slash| slash + 1));
        let base = Base::new(&root, file);
        let mut tree = Self { root, files: BTreeMap::new() };
        let mut has_names = false;
        let mut budget = MAX_BYTES;
        let mut seen = HashSet::new();
        let mut waiting = BTreeSet::from([(String::new(), String::new(), Keys::Either)]);
        while let Some((file, path, keys)) = waiting.pop_first() {
            if !seen.insert((file.clone(), path.clone(), keys)) {
                continue;
            }
            if !file.is_empty() && !tree.files.contains_key(&file) {
                let loaded = read(&file, folder, input, &mut budget, diagnostics);
                tree.files.insert(file.clone(), loaded);
            }
            if let Some(place) = Pointer::from_reference(&place(&file, &path))
                && let Some(part) = tree.at(&place)
            {
                let found = base.found(part, Keys::at(&place).unwrap_or(keys), &file);
                has_names |= found.has_names;
                waiting.extend(found.targets);
            }
        }
        let is_3_0 = tree.root.text("openapi");
        let is_3_0 = is_3_0.is_some_and(|version| version.starts_with("3.0"));
        let files = tree.files.iter();
        let files = files.filter_map(|(path, tree)| Some((path.as_str(), tree.as_ref().ok()?)));
        let trees = files.chain([("", &tree.root)]).collect();
        let by_name = if has_names && !is_3_0 { replacements(&trees, &base) } else { Vec::new() };
        base.resolve(&mut tree.root, "");
        for (file, node) in &mut tree.files {
            if let Ok(node) = node {
                base.resolve(node, file);
            }
        }
        for replacement in by_name {
            tree.replace_reference(replacement);
        }
        tree
    }

    /// Returns all trees by path; the path of the document itself is empty.
    pub(crate) fn into_files(self) -> BTreeMap<String, Node> {
        let others = self.files.into_iter().filter_map(|(path, tree)| Some((path, tree.ok()?)));
        others.chain([(String::new(), self.root)]).collect()
    }

    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.files.values().filter_map(|file| file.as_ref().ok()).chain([&self.root])
    }

    pub(crate) fn size(&self) -> usize {
        self.nodes().map(Node::size).sum()
    }

    pub(crate) fn targets(&self) -> impl Iterator<Item = Pointer> {
        self.nodes().flat_map(targets)
    }

    pub(crate) fn at(&self, pointer: &Pointer) -> Option<&Node> {
        let root = match pointer.file() {
            None => &self.root,
            Some(file) => self.files.get(file)?.as_ref().ok()?,
        };
        root.at(pointer)
    }

    /// Returns why the file of a pointer was not read.
    pub(crate) fn unread(&self, pointer: &Pointer) -> Option<&Unread> {
        self.files.get(pointer.file()?)?.as_ref().err()
    }

    /// Removes a property; returns whether it existed. Elements of lists stay, so that the others keep their places.
    pub(super) fn remove(&mut self, pointer: &Pointer) -> bool {
        if pointer.parent().and_then(|outer| self.at(outer)?.as_object()).is_none() {
            return false;
        }
        self.root_of(pointer).and_then(|root| root.remove(&pointer.segments())).is_some()
    }

    pub(super) fn replace(&mut self, pointer: &Pointer, value: Node) {
        let root = self.root_of(pointer);
        if let Some(node) = root.and_then(|root| root.at_mut(&pointer.segments())) {
            *node = value;
        }
    }

    /// Replaces a reference to a name by one to a place.
    fn replace_reference(&mut self, replacement: Replacement) {
        let root = self.root_of(&replacement.object);
        if let Some(Node::Object(members)) =
            root.and_then(|root| root.at_mut(&replacement.object.segments()))
            && let Some((key, value)) = members.iter_mut().find(|(key, _)| *key == replacement.key)
        {
            *key = "$ref".into();
            *value = Node::String(replacement.reference);
        }
    }

    /// Returns the tree of the file of a pointer.
    fn root_of(&mut self, pointer: &Pointer) -> Option<&mut Node> {
        match pointer.file() {
            None => Some(&mut self.root),
            Some(file) => self.files.get_mut(file)?.as_mut().ok(),
        }
    }
}

/// Reads and parses a file.
fn read(
    file: &str,
    folder: &str,
    input: &Input<'_>,
    budget: &mut usize,
    diagnostics: &mut Diagnostics,
) -> Result<Node, Unread> {
    allowed(file, &input.readable)?;
    let help = "correct the reference, or add the file".to_owned();
    let unread = |reason: &str| Unread { reason: reason.to_owned(), help: help.clone() };
    let text = (input.read_file)(file).map_err(|reason| unread(&reason))?;
    *budget = budget
        .checked_sub(text.len())
        .ok_or_else(|| unread("the files that the spec refers to exceed 64 MiB"))?;
    let name = format!("{folder}{file}");
    if extension(file).as_deref() == Some(TEXT) {
        diagnostics.add_file(Some(file), &name, &text, Syntax::Yaml);
        return Ok(Node::String(text[body_start(&text)..].to_owned()));
    }
    parse_file(Some(file), &name, &text, diagnostics).ok_or_else(|| unread("its syntax is invalid"))
}

/// Checks that a document can refer to a file, by its path from the folder whose files it may read. If the path is a link,
/// its target must be checked, too.
///
/// # Errors
///
/// Fails with the reason.
pub fn may_read(file: &str) -> Result<(), String> {
    allowed(file, &Readable::default()).map_err(|unread| unread.reason)
}

/// Rejects files outside of the folder that the document may read: a spec is not trusted to read others.
fn allowed(file: &str, readable: &Readable) -> Result<(), Unread> {
    let unread =
        |reason: &str, help: &str| Err(Unread { reason: reason.to_owned(), help: help.to_owned() });
    let levels = file.split('/').take_while(|step| *step == "..").count();
    let mut below = file.split(['/', '\\']).skip(levels);
    if is_url(file) {
        let help = "download it next to the spec, and refer to the copy by its relative path";
        unread("only local files are read", help)
    } else if file.starts_with(['/', '\\']) || below.clone().any(|step| step == "..") {
        unread("it is outside of the folder of the spec", "refer to it by a relative path")
    } else if file.contains('\\') {
        unread("steps of a path are separated by `/`", "write `/` in place of each `\\`")
    } else if levels > readable.levels {
        let setting = readable.setting(levels);
        let help = format!(
            "write `{setting}` into codegen.toml: the folder whose files the spec may read"
        );
        unread("it is outside of the folder of the spec", &help)
    } else if below.any(|step| step.starts_with('.')) {
        let help = "rename it: a spec cannot read files or folders whose names begin with a dot";
        unread("it is hidden", help)
    } else if !extension(file).is_some_and(|found| EXTENSIONS.contains(&found.as_str())) {
        let help = "rename it: a spec can read YAML, JSON and, for texts, Markdown";
        unread("its name does not end in `.yaml`, `.yml`, `.json` or `.md`", help)
    } else {
        Ok(())
    }
}

/// Returns the extension of the name of a file, in lower case.
fn extension(file: &str) -> Option<String> {
    let name = file.rsplit(['/', '\\']).next()?;
    let (_, extension) = name.rsplit_once('.')?;
    Some(extension.to_ascii_lowercase())
}
