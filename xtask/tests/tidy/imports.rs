//! The imports between the files of a crate, as the compiler resolves them: through modules and re-exports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The segments of a path: of a module, below the root of the crate, or of what a source names.
type Segments = Vec<String>;

/// A module, and its declarations.
#[derive(Default)]
struct Module {
    file: PathBuf,
    /// The imports: the name in this module (`*` for a glob), and the path.
    uses: Vec<(String, Segments)>,
    /// The names of its own items.
    items: BTreeSet<String>,
    /// Every path that its source names, those of `use` included.
    paths: Vec<Segments>,
}

/// The modules of a crate by their paths, without those that only tests compile.
#[derive(Default)]
pub struct Crate {
    modules: BTreeMap<Segments, Module>,
}

/// The files that each file imports from.
pub type Imports = BTreeMap<PathBuf, BTreeSet<PathBuf>>;

impl Crate {
    /// Reads the modules of a crate from its root.
    pub fn read(root: &Path) -> Self {
        let mut found = Self::default();
        found.read_file(root, root.parent().unwrap(), Segments::new());
        found
    }

    /// Returns the files of the crate.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.modules.values().map(|module| &module.file)
    }

    /// Returns the imports of each file from other files of the crate.
    pub fn imports(&self) -> Imports {
        let mut imports = Imports::new();
        for (at, module) in &self.modules {
            for path in &module.paths {
                if let Some(file) = self.resolve(at, path, 0)
                    && *file != module.file
                {
                    imports.entry(module.file.clone()).or_default().insert(file.clone());
                }
            }
        }
        imports
    }

    /// Reads a module's file. Its children are in `folder`.
    fn read_file(&mut self, file: &Path, folder: &Path, at: Segments) {
        let text = fs::read_to_string(file).unwrap();
        let tokens: TokenStream = text.parse().unwrap();
        self.read_module(tokens, file, folder, at);
    }

    fn read_module(&mut self, tokens: TokenStream, file: &Path, folder: &Path, at: Segments) {
        let mut module = Module { file: file.to_owned(), ..Module::default() };
        let tokens: Vec<_> = tokens.into_iter().collect();
        let mut index = 0;
        let mut elsewhere = None;
        while let Some(token) = tokens.get(index) {
            let rest = &tokens[index + 1..];
            match (token.to_string().as_str(), rest) {
                ("#", [TokenTree::Group(attribute), ..]) if is_test(attribute) => {
                    index += length_of_item(rest);
                }
                ("#", [TokenTree::Group(attribute), ..]) if path_of(attribute).is_some() => {
                    elsewhere = path_of(attribute).map(|path| file.with_file_name(path));
                    index += 1;
                }
                ("mod", [TokenTree::Ident(name), after, ..]) => {
                    let child = [&at[..], &[name.to_string()]].concat();
                    let inner = folder.join(name.to_string());
                    match (after, elsewhere.take()) {
                        (_, Some(path)) => self.read_file(&path, path.parent().unwrap(), child),
                        (TokenTree::Group(body), _) => {
                            self.read_module(body.stream(), file, &inner, child);
                        }
                        _ if inner.with_extension("rs").exists() => {
                            self.read_file(&inner.with_extension("rs"), &inner, child);
                        }
                        _ => self.read_file(&inner.join("mod.rs"), &inner, child),
                    }
                    index += 2;
                }
                // `use<'a>` is a bound.
                ("use", [after, ..]) if after.to_string() != "<" => {
                    let end = rest.iter().position(|token| token.to_string() == ";").unwrap();
                    let mut uses = Vec::new();
                    flatten(&rest[..end], &mut Segments::new(), &mut uses);
                    // A re-export is a name for others, not an import of this file.
                    if !is_public(&tokens[..index]) {
                        module.paths.extend(uses.iter().map(|(_, path)| path.clone()));
                    }
                    module.uses.extend(uses);
                    index += end;
                }
                _ => {
                    declared(&tokens[index..], &mut module.items);
                    named(&tokens[index..], &mut module.paths);
                }
            }
            index += 1;
        }
        self.modules.insert(at, module);
    }

    /// Returns the file that defines the item of a path, relative to a module.
    fn resolve(&self, from: &[String], path: &[String], depth: usize) -> Option<&PathBuf> {
        let (first, mut rest) = path.split_first()?;
        let mut at = from.to_vec();
        match first.as_str() {
            "crate" => at.clear(),
            "self" => {}
            "super" => drop(at.pop()),
            _ => rest = path,
        }
        let is_relative = rest.len() == path.len();
        for (index, name) in rest.iter().enumerate() {
            let below = [&at[..], std::slice::from_ref(name)].concat();
            if name == "super" {
                at.pop();
            } else if self.modules.contains_key(&below) {
                at = below;
            } else if index == 0 && is_relative {
                return None;
            } else {
                return self.definition(&at, name, &rest[index + 1..], depth);
            }
        }
        self.modules.get(&at).map(|module| &module.file)
    }

    /// Returns the file that defines a name that a module declares or re-exports, or that a macro defines.
    fn definition(
        &self,
        at: &[String],
        name: &str,
        rest: &[String],
        depth: usize,
    ) -> Option<&PathBuf> {
        let module = self.modules.get(at)?;
        if module.items.contains(name) || depth > 8 {
            return Some(&module.file);
        }
        let full = |path: &[String]| [path, rest].concat();
        let by_name = module.uses.iter().find(|(alias, _)| alias == name);
        if let Some((_, path)) = by_name {
            return self.resolve(at, &full(path), depth + 1);
        }
        let globs = module.uses.iter().filter(|(alias, _)| alias == "*");
        let by_glob = globs.filter_map(|(_, path)| {
            let path = [&path[..], &[name.to_owned()], rest].concat();
            self.resolve(at, &path, depth + 1)
        });
        let by_macro = || {
            let mut modules = self.modules.values();
            modules
                .find(|module| module.items.contains(&format!("{name}!")))
                .map(|module| &module.file)
        };
        by_glob.into_iter().next().or_else(by_macro)
    }
}

/// Returns whether an attribute is `#[cfg(test)]` or the like.
fn is_test(attribute: &Group) -> bool {
    let text = attribute.stream().to_string();
    let mut words = text.split(|c: char| !c.is_alphanumeric() && !"_-\"".contains(c));
    text.starts_with("cfg") && words.any(|word| word == "test") && !text.contains("not (test")
}

/// Returns the path of `#[path = "…"]`.
fn path_of(attribute: &Group) -> Option<String> {
    let text = attribute.stream().to_string();
    Some(text.strip_prefix("path = \"")?.strip_suffix('"')?.to_owned())
}

/// Returns whether the item after these tokens is `pub`, or `pub(…)`.
fn is_public(before: &[TokenTree]) -> bool {
    match before {
        [.., TokenTree::Ident(word)] => word == "pub",
        [.., TokenTree::Ident(word), TokenTree::Group(scope)] => {
            word == "pub" && scope.delimiter() == Delimiter::Parenthesis
        }
        _ => false,
    }
}

/// Returns the number of tokens of an item, from its first attribute to its body or semicolon.
fn length_of_item(tokens: &[TokenTree]) -> usize {
    let is_end = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        token => token.to_string() == ";",
    };
    tokens.iter().position(is_end).map_or(tokens.len(), |end| end + 1)
}

/// Adds the name of the item that begins here; `NAME!` for a macro.
fn declared(tokens: &[TokenTree], items: &mut BTreeSet<String>) {
    const KINDS: [&str; 8] = ["struct", "enum", "union", "trait", "fn", "type", "const", "static"];
    match tokens {
        [TokenTree::Ident(kind), TokenTree::Ident(name), ..]
            if KINDS.iter().any(|known| kind == known) =>
        {
            items.insert(name.to_string());
        }
        [TokenTree::Ident(kind), _, TokenTree::Ident(name), ..] if kind == "macro_rules" => {
            items.insert(format!("{name}!"));
        }
        _ => {}
    }
}

/// Adds the path that begins here, and those within groups.
fn named(tokens: &[TokenTree], paths: &mut Vec<Segments>) {
    match tokens.first() {
        Some(TokenTree::Group(group)) => {
            let inner: Vec<_> = group.stream().into_iter().collect();
            // The path of `pub(in …)` is a scope, not an import.
            if inner.first().is_none_or(|first| first.to_string() != "in") {
                (0..inner.len()).for_each(|index| named(&inner[index..], paths));
            }
        }
        Some(TokenTree::Ident(_)) => {
            let mut path = Segments::new();
            let mut rest = tokens;
            while let [TokenTree::Ident(name), after @ ..] = rest {
                path.push(name.to_string());
                match after {
                    [one, other, next @ ..]
                        if one.to_string() == ":" && other.to_string() == ":" =>
                    {
                        rest = next;
                    }
                    _ => break,
                }
            }
            if path.len() > 1 {
                paths.push(path);
            }
        }
        _ => {}
    }
}

/// Adds each path of a `use`, with its name.
fn flatten(tokens: &[TokenTree], prefix: &mut Segments, uses: &mut Vec<(String, Segments)>) {
    let length = prefix.len();
    let mut rest = tokens;
    loop {
        match rest {
            [TokenTree::Group(group), ..] => {
                let inner: Vec<_> = group.stream().into_iter().collect();
                let parts = inner.split(|token| token.to_string() == ",");
                parts.filter(|part| !part.is_empty()).for_each(|part| flatten(part, prefix, uses));
                break;
            }
            [token, ..] if token.to_string() == "*" => {
                uses.push(("*".to_owned(), prefix.clone()));
                break;
            }
            [TokenTree::Ident(name), ..] if name != "self" || prefix.is_empty() => {
                prefix.push(name.to_string());
                match &rest[1..] {
                    [_, _, next @ ..] if rest[1].to_string() == ":" => rest = next,
                    [_, alias] => {
                        uses.push((alias.to_string(), prefix.clone()));
                        break;
                    }
                    _ => {
                        uses.push((name.to_string(), prefix.clone()));
                        break;
                    }
                }
            }
            [_self, ..] => {
                uses.push((prefix.last().cloned().unwrap_or_default(), prefix.clone()));
                break;
            }
            // `use ::name`
            [] => break,
        }
    }
    prefix.truncate(length);
}

/// Returns the groups of files that import each other, directly or through others.
pub fn circles(imports: &Imports) -> BTreeSet<BTreeSet<PathBuf>> {
    let mut reachable = BTreeMap::new();
    for start in imports.keys() {
        let found: &mut BTreeSet<_> = reachable.entry(start).or_default();
        let mut open = vec![start];
        while let Some(file) = open.pop() {
            open.extend(imports.get(file).into_iter().flatten().filter(|file| found.insert(*file)));
        }
    }
    let reaches =
        |from: &PathBuf, to: &PathBuf| reachable.get(from).is_some_and(|found| found.contains(to));
    let on_circles = imports.keys().filter(|file| reaches(file, file));
    let circle = |file: &PathBuf| {
        let both = imports.keys().filter(|other| reaches(file, other) && reaches(other, file));
        both.cloned().collect()
    };
    on_circles.map(circle).collect()
}
