//! Rules that the compiler does not check: the length of files, imports between layers, and names that must not occur.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod imports;
mod kinds;
mod links;
mod rooms;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use serde_json::Value;

/// Maximum number of lines of a hand-written source.
const MAX_LINES: usize = 500;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Returns the files below a folder of the workspace, without some folders, relative to the root and sorted.
fn files(folder: &str, without: &[&str]) -> Vec<PathBuf> {
    let root = root();
    let mut found = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(&inner).unwrap().map(Result::unwrap) {
            let path = entry.path().strip_prefix(&root).unwrap().to_owned();
            let name = entry.file_name().into_string().unwrap();
            let is_folder = entry.file_type().unwrap().is_dir();
            if is_folder && !without.contains(&name.as_str()) && !name.starts_with('.') {
                folders.push(entry.path());
            } else if !is_folder {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Returns the hand-written files below a folder of the workspace, relative to the root and sorted.
fn written_by_hand(folder: &str) -> Vec<PathBuf> {
    let mut files = files(folder, &NOT_BY_HAND);
    files.retain(|path| is_text(path) && !text(path).starts_with("// @generated"));
    files
}

/// The folders whose content is not written by hand.
const NOT_BY_HAND: [&str; 3] = ["generated", "snapshots", "target"];

fn is_text(path: &Path) -> bool {
    let kinds = ["rs", "toml", "md", "yaml", "yml", "sh"];
    path.extension().is_some_and(|extension| kinds.iter().any(|kind| extension == *kind))
}

fn sources(folder: &str) -> Vec<PathBuf> {
    let mut files = written_by_hand(folder);
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    files
}

/// Returns the sources of the generator, or of one of its layers, without tests.
fn generator(layer: &str) -> Vec<PathBuf> {
    let mut files = sources(&format!("codegen/src/{layer}"));
    files.retain(|path| !path.ends_with("tests.rs") && !path.iter().any(|step| step == "tests"));
    files
}

fn text(path: &Path) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_default()
}

#[test]
fn files_have_at_most_500_lines() {
    let long: Vec<_> =
        sources("").into_iter().filter(|path| text(path).lines().count() > MAX_LINES).collect();
    assert!(long.is_empty(), "longer than {MAX_LINES} lines, split them by subject: {long:#?}");
}

#[test]
fn guides_have_lines_of_at_most_120_columns() {
    let mut guides = written_by_hand("");
    let is_guide = |path: &Path| path.extension().is_some_and(|extension| extension == "md");
    // `release` writes the lines of the changelog.
    guides.retain(|path| is_guide(path) && !path.ends_with("CHANGELOG.md"));
    for path in guides {
        let text = text(&path);
        let prose = text.split("```").step_by(2).flat_map(str::lines);
        let long = prose.filter(|line| line.chars().count() > 120 && !line.trim().starts_with('|'));
        let long: Vec<&str> = long.filter(|line| line.trim().contains(' ')).collect();
        assert!(long.is_empty(), "{} has long lines, wrap them: {long:#?}", path.display());
    }
}

#[test]
fn no_text_names_a_folder_of_one_machine() {
    // The needles are concatenated, so that this file does not contain them.
    let folders = ["home", "root", "Users", "work", "tmp/scratch"].map(|name| format!("/{name}/"));
    for path in written_by_hand("") {
        let text = text(&path);
        let named = folders.iter().find(|folder| {
            let absolute = |(place, _): (usize, &str)| {
                text[..place].chars().last().is_none_or(|c| " \"'`(=<\n".contains(c))
            };
            text.match_indices(folder.as_str()).any(absolute)
        });
        assert_eq!(named, None, "{} names a folder that only one machine has", path.display());
    }
}

/// The libraries that only one layer may use.
const LIBRARIES: [(&str, &[&str]); 8] = [
    ("annotate_snippets", &["diagnostics"]),
    ("libyaml_safer", &["source_map"]),
    ("serde_yaml", &["document"]),
    ("serde_json", &["document", "source_map"]),
    ("syn", &["emit"]),
    ("quote", &["emit"]),
    ("proc_macro2", &["compare/code.rs", "emit"]),
    ("prettyplease", &["emit"]),
];

#[test]
fn libraries_stay_in_their_layer() {
    for path in generator("") {
        let names = names_of(&path);
        for (library, layers) in LIBRARIES {
            let may = layers.iter().any(|layer| path.starts_with(format!("codegen/src/{layer}")));
            assert!(may || !names.contains(library), "{} names `{library}`", path.display());
        }
    }
}

#[test]
fn only_one_file_uses_the_frozen_yaml_reader() {
    let files: Vec<_> =
        generator("").into_iter().filter(|path| names_of(path).contains("serde_yaml")).collect();
    assert!(files.len() <= 1, "{files:#?}");
}

#[test]
fn the_generator_does_no_io() {
    for path in generator("") {
        let tokens = tokens_of(&path);
        let mut named = BTreeSet::new();
        below("std", &tokens, &mut named);
        // Only one file starts threads.
        if path.ends_with("codegen/src/parallel.rs") {
            named.remove("thread");
        }
        for module in ["env", "fs", "net", "process", "thread"] {
            assert!(!named.contains(module), "{} names `std::{module}`", path.display());
        }
        for name in ["stdin", "stdout", "stderr", "println", "eprint", "eprintln", "dbg"] {
            assert!(!names_of(&path).contains(name), "{} names `{name}`", path.display());
        }
    }
}

/// The functions that write to files.
const WRITERS: [(&str, &[&str]); 4] = [
    ("fs", &["copy", "hard_link", "rename", "set_permissions", "write"]),
    ("File", &["create", "create_new", "options"]),
    ("OpenOptions", &["new"]),
    ("io", &["copy"]),
];

/// Those that write to a file in place, or through a link.
const IN_PLACE: [&str; 4] = ["fs::copy", "fs::write", "File::create", "OpenOptions::new"];

/// Returns the functions that write to files, in the code before the tests of a file.
fn writers(tokens: &[TokenTree]) -> BTreeSet<String> {
    let is_tests =
        |pair: &[TokenTree]| pair[0].to_string() == "#" && pair[1].to_string() == "[cfg (test)]";
    let end = tokens.windows(2).position(is_tests).unwrap_or(tokens.len());
    let of_module = WRITERS.iter().flat_map(|(module, functions)| {
        let mut named = BTreeSet::new();
        below(module, &tokens[..end], &mut named);
        named.retain(|name| functions.contains(&name.as_str()));
        named.into_iter().map(move |name| format!("{module}::{name}"))
    });
    of_module.collect()
}

#[test]
fn files_are_written_by_the_functions_for_it() {
    let mut product = sources("xtask");
    product.retain(|path| path.iter().any(|step| step == "src"));
    for path in product {
        let found = writers(&tokens_of(&path));
        let in_place: Vec<_> =
            found.iter().filter(|name| IN_PLACE.contains(&name.as_str())).collect();
        let advice = "use `host::write` for files of people, `host::scratch` for others";
        assert!(in_place.is_empty(), "{} has {in_place:?}: {advice}", path.display());
        let may = path.starts_with("xtask/commands/src/host");
        assert!(may || found.is_empty(), "{} has {found:?}: {advice}", path.display());
    }
    let found = |text: &str| {
        let tokens: Vec<_> = text.parse::<TokenStream>().unwrap().into_iter().collect();
        writers(&tokens).into_iter().collect::<Vec<_>>()
    };
    assert_eq!(found("fn f() { std::fs::write(a, b)?; g(fs::copy) }"), ["fs::copy", "fs::write"]);
    assert_eq!(
        found("use std::fs::{self, write}; use std::io::{Read, copy};"),
        ["fs::write", "io::copy"]
    );
    assert_eq!(found("fn f() { File::create(a) }"), ["File::create"]);
    assert!(
        found("fn f() { fs::read(a) } #[cfg(test)] mod tests { fn f() { fs::write(a, b) } }")
            .is_empty()
    );
}

#[test]
fn the_checks_find_names_and_imports() {
    let tokens = |text: &str| text.parse::<TokenStream>().unwrap().into_iter().collect::<Vec<_>>();
    let named = |start: &str, text: &str| {
        let mut found = BTreeSet::new();
        below(start, &tokens(text), &mut found);
        found.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(named("crate", "use crate::ir::Api; fn f() { crate::emit::go() }"), ["emit", "ir"]);
    assert_eq!(named("crate", "use crate::{document::Node, ir::{Api, self}};"), ["document", "ir"]);
    assert_eq!(
        named("crate", "// crate::emit\nconst A: &str = \"crate::emit\"; use super::x;"),
        Vec::<String>::new()
    );
    assert_eq!(named("std", "use std::{fmt, io::Write};"), ["fmt", "io"]);
    assert!(!generator("").is_empty() && !sources("xtask").is_empty());
}

fn tokens_of(path: &Path) -> Vec<TokenTree> {
    let tokens = text(path).parse::<TokenStream>();
    tokens
        .unwrap_or_else(|error| unreachable!("{} compiles, so it lexes: {error}", path.display()))
        .into_iter()
        .collect()
}

/// Returns the names in a source, outside of comments and strings.
fn names_of(path: &Path) -> BTreeSet<String> {
    fn collect(tokens: TokenStream, names: &mut BTreeSet<String>) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) => drop(names.insert(name.to_string())),
                TokenTree::Group(group) => collect(group.stream(), names),
                _ => {}
            }
        }
    }
    let mut names = BTreeSet::new();
    collect(tokens_of(path).into_iter().collect(), &mut names);
    names
}

/// Collects the names after `start::`, one or several in braces, at any place.
fn below(start: &str, tokens: &[TokenTree], found: &mut BTreeSet<String>) {
    let start: Vec<_> = start.split("::").collect();
    // Each step of a path is a name and two colons.
    let length = 3 * start.len();
    for (place, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            below(&start.join("::"), &group.stream().into_iter().collect::<Vec<_>>(), found);
        }
        let Some(path) = tokens.get(place..place + length) else {
            continue;
        };
        let is_start = path.chunks(3).zip(&start).all(|(step, name)| {
            step.iter().map(ToString::to_string).eq([
                (*name).to_owned(),
                ":".to_owned(),
                ":".to_owned(),
            ])
        });
        if is_start {
            first_names(tokens.get(place + length), found);
        }
    }
}

/// Collects a name, or the first name of each path in braces.
fn first_names(token: Option<&TokenTree>, found: &mut BTreeSet<String>) {
    match token {
        Some(TokenTree::Ident(name)) => drop(found.insert(name.to_string())),
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            let tokens: Vec<_> = group.stream().into_iter().collect();
            let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
            tokens.split(is_comma).for_each(|path| first_names(path.first(), found));
        }
        _ => {}
    }
}

#[test]
fn files_do_not_import_each_other_in_circles() {
    let mut found = Vec::new();
    for target in targets() {
        let imports = imports::Crate::read(&target).imports();
        for circle in imports::circles(&imports) {
            let edges = circle.iter().flat_map(|file| {
                let imported = imports[file].intersection(&circle);
                imported.map(move |other| format!("{} -> {}", file.display(), other.display()))
            });
            found.extend(edges);
        }
    }
    assert!(found.is_empty(), "circles of imports: {found:#?}");
}

#[test]
fn circles_are_found_through_modules_and_re_exports() {
    let folder = tempfile::tempdir().unwrap();
    let found = |files: &[(&str, &str)]| {
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let imports = imports::Crate::read(&folder.path().join("lib.rs")).imports();
        let circles = imports::circles(&imports).into_iter().flatten();
        let names = circles.map(|path| path.strip_prefix(folder.path()).unwrap().to_owned());
        names.map(|path| path.to_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // `a` names `B`, which `inner` re-exports from `inner/b`; the re-export itself is not an import.
    let lib = ("lib.rs", "mod a; mod inner; pub use a::A;");
    let inner = ("inner/mod.rs", "mod b; pub use b::{B, C as D};");
    let a = ("a.rs", "pub struct A; fn f(_: crate::inner::B) {}");
    let b = |body| ("inner/b.rs", body);
    assert!(found(&[lib, inner, a, b("pub struct B;")]).is_empty());
    let both = ["a.rs", "inner/b.rs"];
    assert_eq!(found(&[b("use crate::A; pub struct B;")]), both);
    assert_eq!(found(&[b("pub struct B(super::super::a::A);")]), both);
    assert_eq!(found(&[b("macro_rules! m { () => { $crate::a::A } } pub struct B;")]), both);
    assert!(found(&[b("#[cfg(test)] mod tests { use crate::a::A; } pub struct B;")]).is_empty());
    assert!(found(&[b("pub(in crate::a) struct C; pub struct B;")]).is_empty());
    let behind_tests = ("lib.rs", "#[cfg(test)] mod tests; mod a; mod inner; pub use a::A;");
    assert_eq!(found(&[behind_tests, b("pub struct B(crate::A);")]), both);
}

/// Returns the root files of all hand-written targets in the workspace.
fn targets() -> Vec<PathBuf> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--format-version", "1"]).current_dir(root());
    let metadata: Value = serde_json::from_slice(&cargo.output().unwrap().stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let targets = packages.flat_map(|package| package["targets"].as_array().unwrap());
    let sources = targets.map(|target| PathBuf::from(target["src_path"].as_str().unwrap()));
    sources.filter(|path| !path.starts_with(root().join("generated"))).collect()
}
