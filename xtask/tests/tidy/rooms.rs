//! The rooms of a crate, which are the folders and files below its `src`, and their imports.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::imports::{Crate, Imports};
use crate::{files, root, sources, text};

/// The folders of the product.
const PRODUCT: [&str; 3] = ["codegen", "runtime", "xtask"];

/// Maximum number of lines of the product: falls with each commit that deletes.
const MAX_PRODUCT_LINES: usize = 82_791;

/// Maximum number of lines of all snapshots, which are reviewed as code.
const MAX_SNAPSHOT_LINES: usize = 12_100;

/// The crates whose rooms ARCHITECTURE.md lists, with their root files.
const CRATES: [(&str, &str); 6] = [
    ("codegen", "codegen/src/lib.rs"),
    ("runtime", "runtime/src/lib.rs"),
    ("codegen/traffic", "codegen/traffic/src/lib.rs"),
    ("xtask/commands", "xtask/commands/src/lib.rs"),
    ("xtask", "xtask/src/lib.rs"),
    ("xtask/checks", "xtask/checks/src/main.rs"),
];

/// The rooms of `runtime` that no other room imports: a feature, which can be read without the rest and removed.
const APART: [&str; 2] = ["login", "testing"];

/// The rooms that each room imports from.
type Rooms = BTreeMap<String, BTreeSet<String>>;

/// Returns the rooms of a crate. Its root file is not one: it imports from all.
fn rooms(root_file: &Path) -> Rooms {
    let room = |file: &PathBuf| {
        let below = file.strip_prefix(root_file.parent()?).ok()?;
        let first = Path::new(below.iter().next()?).with_extension("");
        (file != root_file).then(|| first.display().to_string())
    };
    let found = Crate::read(root_file);
    let mut rooms: Rooms =
        found.files().filter_map(room).map(|room| (room, BTreeSet::new())).collect();
    let imports: Imports = found.imports();
    for (file, imported) in &imports {
        let Some(from) = room(file) else { continue };
        let others = imported.iter().filter_map(room).filter(|to| *to != from);
        rooms.entry(from.clone()).or_default().extend(others);
    }
    rooms
}

/// Returns the rooms with their imports, each after the rooms that it imports. `None` if some import each other.
fn picture(rooms: &Rooms) -> Option<String> {
    let mut lines = String::new();
    let mut listed = BTreeSet::new();
    let width = rooms.keys().map(String::len).max().unwrap_or_default();
    while listed.len() < rooms.len() {
        let is_next = |imported: &BTreeSet<String>| imported.is_subset(&listed);
        let (room, imported) =
            rooms.iter().find(|(room, imported)| !listed.contains(*room) && is_next(imported))?;
        let imported: Vec<_> = imported.iter().map(String::as_str).collect();
        let arrow = format!("  {room:width$} → {}", imported.join(", "));
        lines += arrow.trim_end_matches([' ', '→']);
        lines.push('\n');
        listed.insert(room.clone());
    }
    Some(lines)
}

#[test]
fn rooms_import_in_one_direction_as_the_architecture_lists_them() {
    let pictures = CRATES.map(|(name, root_file)| {
        let rooms = rooms(&root().join(root_file));
        match picture(&rooms) {
            Some(picture) => format!("{name}\n{picture}"),
            None => panic!("rooms of {name} import each other: {rooms:#?}"),
        }
    });
    let pictures = pictures.join("\n");
    let architecture = text(Path::new("ARCHITECTURE.md"));
    assert!(architecture.contains(&pictures), "ARCHITECTURE.md has to list:\n{pictures}");
}

#[test]
fn no_room_imports_the_rooms_of_features() {
    let rooms = rooms(&root().join("runtime/src/lib.rs"));
    for apart in APART {
        assert!(rooms.contains_key(apart), "there is no room `{apart}`");
        let entering: Vec<_> = rooms.iter().filter(|(_, to)| to.contains(apart)).collect();
        assert!(entering.is_empty(), "these rooms import from `{apart}`: {entering:#?}");
    }
}

/// Returns the lines of a source file before its unit tests, which are at its end.
fn product_lines(path: &Path) -> usize {
    let text = text(path);
    let lines: Vec<&str> = text.lines().collect();
    let tests = lines.windows(2).position(|it| it[0] == "#[cfg(test)]" && it[1] == "mod tests {");
    tests.unwrap_or(lines.len())
}

/// Returns the sources in a folder of the product, without tests.
fn product(folder: &str) -> Vec<PathBuf> {
    let is_test =
        |path: &Path| path.iter().any(|step| ["tests", "tests.rs"].map(OsStr::new).contains(&step));
    let mut product = sources(folder);
    product.retain(|path| path.iter().any(|step| step == "src") && !is_test(path));
    product
}

#[test]
fn product_lines_do_not_grow() {
    let mut total = 0;
    for name in PRODUCT {
        let lines: usize = product(name).iter().map(|path| product_lines(path)).sum();
        println!("product lines of {name}: {lines}");
        total += lines;
    }
    println!("product lines: {total}, at most {MAX_PRODUCT_LINES}");
    assert!((50_000..=MAX_PRODUCT_LINES).contains(&total), "{total} lines: delete before you add");
}

/// Maximum number of names that three or more types have.
const MAX_SHARED_NAMES: usize = 15;

/// Returns the name of the type that begins at a line.
fn type_at(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
    let is_type = words.next().is_some_and(|word| ["struct", "enum", "trait"].contains(&word));
    let name = words.next()?.split(|it: char| !it.is_alphanumeric()).next()?;
    (is_type && name.starts_with(char::is_uppercase)).then_some(name)
}

#[test]
fn few_names_are_those_of_three_types() {
    let mut types: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for path in PRODUCT.iter().flat_map(|folder| product(folder)) {
        for line in text(&path).lines().take(product_lines(&path)) {
            if let Some(name) = type_at(line) {
                types.entry(name.to_owned()).or_default().push(path.clone());
            }
        }
    }
    assert!(types.len() > 500, "{types:#?}");
    types.retain(|_, paths| paths.len() >= 3);
    assert!(types.len() <= MAX_SHARED_NAMES, "name one of these types otherwise: {types:#?}");
}

/// Maximum number of product files that a new format of scalars touches.
const MAX_FILES_OF_A_SCALAR: usize = 9;

#[test]
fn a_scalar_is_a_row() {
    // Other rooms only use the type of date-times.
    let rooms = [
        "codegen/src",
        "codegen/traffic/src/walk.rs",
        "runtime/src/lib.rs",
        "runtime/src/reply",
        "runtime/src/wire",
        "xtask/checks/src",
    ];
    // The rules of unions tell date-times from other texts.
    let of_unions = ["codegen/src/facts/values.rs", "codegen/traffic/src/unions.rs"];
    let is_scalar = |path: &PathBuf| {
        let text = text(path);
        let mut words = text.split(|it: char| !it.is_alphanumeric() && it != '_');
        let names_it = words.any(|word| word == "Timestamp") || text.contains("\"date-time\"");
        names_it && rooms.iter().any(|room| path.starts_with(room))
    };
    let mut found = sources("");
    found.retain(|path| is_scalar(path) && !of_unions.iter().any(|other| path.ends_with(other)));
    assert!((1..=MAX_FILES_OF_A_SCALAR).contains(&found.len()), "{found:#?}");
    let contributing = text(Path::new("CONTRIBUTING.md"));
    let unlisted = |path: &&PathBuf| !contributing.contains(&format!("`{}`", path.display()));
    let unlisted: Vec<_> = found.iter().filter(unlisted).collect();
    assert!(unlisted.is_empty(), "CONTRIBUTING.md has to list {unlisted:#?}");
}

#[test]
fn snapshots_are_few_enough_to_be_reviewed() {
    let mut snapshots = files("", &["target"]);
    snapshots.retain(|path| path.extension().is_some_and(|extension| extension == "snap"));
    assert!(snapshots.len() > 100, "{snapshots:?}");
    let lines: usize = snapshots.iter().map(|path| text(path).lines().count()).sum();
    assert!(
        lines <= MAX_SNAPSHOT_LINES,
        "{lines} lines of snapshots, more than {MAX_SNAPSHOT_LINES}: show less of a case"
    );
}

#[test]
fn rooms_that_import_each_other_are_found() {
    let rooms = |arrows: &[(&str, &[&str])]| -> Rooms {
        let owned = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        arrows.iter().map(|(room, imported)| ((*room).to_owned(), owned(imported))).collect()
    };
    let sound = rooms(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])]);
    assert_eq!(picture(&sound).unwrap(), "  c\n  b → c\n  a → b, c\n");
    let circular = rooms(&[("a", &["b"]), ("b", &["c"]), ("c", &["a"])]);
    assert_eq!(picture(&circular), None);
}

#[test]
fn modules_with_children_are_called_mod() {
    let is_beside_folder = |path: &PathBuf| {
        path.iter().any(|step| step == "src") && root().join(path).with_extension("").is_dir()
    };
    let found: Vec<_> = sources("").into_iter().filter(is_beside_folder).collect();
    assert!(found.is_empty(), "write `x/mod.rs`: {found:#?}");
}
