//! The tree of a document, with those of the files that it refers to.

use std::collections::{BTreeMap, BTreeSet};

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use super::Node;
use super::input::{Input, Readable};
use super::parse::parse_file;
use crate::diagnostics::Diagnostics;
use crate::source_map::{Pointer, Syntax, body_start};

/// Maximum size of all other files, in bytes: a folder that links to itself has an unlimited number of files.
const MAX_BYTES: usize = 64 << 20;

/// The extensions of the files that a document can refer to: other files can hold secrets.
const EXTENSIONS: [&str; 4] = ["yaml", "yml", "json", TEXT];

/// The extension of a file that is one text.
const TEXT: &str = "md";

/// Characters that are percent-encoded in the file name of a reference.
const ENCODED: &AsciiSet = &CONTROLS.add(b'%').add(b'#');

/// The tree of a document, with those of the files that it refers to. All references in it are from the folder of the
/// document.
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
        let mut waiting = base.resolve(&mut tree.root, "");
        let mut budget = MAX_BYTES;
        while let Some(file) = waiting.pop_first() {
            if tree.files.contains_key(&file) {
                continue;
            }
            let mut loaded = allowed(&file, &input.readable).and_then(|()| {
                let help = "correct the reference, or add the file".to_owned();
                let unread =
                    |reason: &str| Unread { reason: reason.to_owned(), help: help.clone() };
                let text = (input.read_file)(&file).map_err(|reason| unread(&reason))?;
                budget = budget
                    .checked_sub(text.len())
                    .ok_or_else(|| unread("the files that the spec refers to exceed 64 MiB"))?;
                let name = format!("{folder}{file}");
                if extension(&file).as_deref() == Some(TEXT) {
                    diagnostics.add_file(Some(&file), &name, &text, Syntax::Yaml);
                    return Ok(Node::String(text[body_start(&text)..].to_owned()));
                }
                let invalid = || unread("its syntax is invalid");
                parse_file(Some(&file), &name, &text, diagnostics).ok_or_else(invalid)
            });
            if let Ok(node) = &mut loaded {
                waiting.append(&mut base.resolve(node, &file));
            }
            tree.files.insert(file, loaded);
        }
        tree
    }

    /// Returns all trees by path; that of the document itself has none.
    pub(crate) fn into_files(self) -> BTreeMap<String, Node> {
        let others = self.files.into_iter().filter_map(|(path, tree)| Some((path, tree.ok()?)));
        others.chain([(String::new(), self.root)]).collect()
    }

    /// Returns the names of the files.
    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Returns the value at a pointer.
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

    /// Replaces a value.
    pub(super) fn replace(&mut self, pointer: &Pointer, value: Node) {
        let root = self.root_of(pointer);
        if let Some(node) = root.and_then(|root| root.at_mut(&pointer.segments())) {
            *node = value;
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

/// Returns whether a reference begins with a scheme, or with the letter of a drive.
fn is_url(reference: &str) -> bool {
    reference.split('/').next().is_some_and(|first| first.contains(':'))
        || reference.starts_with("//")
}

/// The URI of the document, to which references are relative.
struct Base {
    /// The names of the document.
    own: Vec<String>,
    /// The URI of its folder, with a slash at the end, if the document names its URI (`$self` of OpenAPI 3.2).
    folder: Option<String>,
}

impl Base {
    fn new(root: &Node, file: &str) -> Self {
        let version = root.get("openapi").and_then(Node::as_str).unwrap_or_default();
        let uri = root.get("$self").and_then(Node::as_str).filter(|_| version.starts_with("3.2"));
        let named = uri.and_then(|uri| uri.rsplit_once('/'));
        let own = [file].into_iter().chain(named.map(|(_, name)| name));
        Self {
            own: own.map(str::to_owned).collect(),
            folder: named.map(|(folder, _)| format!("{folder}/")),
        }
    }

    /// Makes every reference of a file relative to the folder of the document; returns the files that they name.
    fn resolve(&self, root: &mut Node, file: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut resolve = |reference: &mut String| {
            let (path, fragment) = reference.split_once('#').unwrap_or((reference, ""));
            let target = self.target(path, file);
            let resolved = format!("{}#{fragment}", utf8_percent_encode(&target, ENCODED));
            if !target.is_empty() {
                found.insert(target);
            }
            *reference = resolved;
        };
        let mut waiting = vec![root];
        while let Some(node) = waiting.pop() {
            match node {
                Node::Array(items) => waiting.extend(items),
                Node::Object(members) => {
                    for (key, node) in members {
                        match (key.as_str(), &mut *node) {
                            ("$ref", Node::String(reference)) if !reference.is_empty() => {
                                resolve(reference);
                            }
                            ("discriminator", parts) => {
                                let values = match parts.at_mut(&["mapping"]) {
                                    Some(Node::Object(values)) => values.as_mut_slice(),
                                    _ => &mut [],
                                };
                                for (_, value) in values {
                                    if let Node::String(text) = value
                                        && is_path(text)
                                    {
                                        resolve(text);
                                    }
                                }
                            }
                            _ => {}
                        }
                        waiting.push(node);
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// Returns the path of a reference in a file, from the folder of the document; it is empty for the document itself.
    fn target(&self, path: &str, file: &str) -> String {
        let folder = self.folder.as_deref();
        let target = match folder.and_then(|folder| path.strip_prefix(folder)) {
            Some(rest) => target(rest, ""),
            None => target(path, file),
        };
        if self.own.contains(&target) { String::new() } else { target }
    }
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
