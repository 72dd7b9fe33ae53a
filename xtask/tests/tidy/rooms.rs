//! The rooms of a crate, which are the folders and files below its `src`, and their imports.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::imports::{Crate, Imports};
use crate::{files, root, sources, text};

/// Maximum number of rooms in `xtask`.
const MAX_ROOMS: usize = 12;

/// Maximum number of lines of a room without a budget of its own.
const MAX_LINES: usize = 1000;

/// The crates whose rooms ARCHITECTURE.md lists, with their root files.
const CRATES: [(&str, &str); 3] = [
    ("codegen", "codegen/src/lib.rs"),
    ("runtime", "runtime/src/lib.rs"),
    ("xtask", "xtask/src/main.rs"),
];

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

/// Returns the budget that ARCHITECTURE.md lists for a room, or for all snapshots.
fn budget(room: &str) -> Option<usize> {
    let start = format!("| `{room}` | ");
    let architecture = text(Path::new("ARCHITECTURE.md"));
    let row = architecture.lines().find_map(|line| line.strip_prefix(&start))?;
    Some(row.trim_end_matches(" |").replace(',', "").parse().unwrap())
}

#[test]
fn rooms_have_no_more_lines_than_the_architecture_allows() {
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for path in sources("") {
        let steps: Vec<_> = path.iter().filter_map(|step| step.to_str()).collect();
        if let [krate, "src", room, _, ..] = steps[..]
            && CRATES.iter().any(|(name, _)| *name == krate)
        {
            *lines.entry(format!("{krate}/src/{room}")).or_default() += text(&path).lines().count();
        }
    }
    assert!(lines.len() > 30, "{lines:?}");
    lines.retain(|room, lines| *lines > budget(room).unwrap_or(MAX_LINES));
    assert!(lines.is_empty(), "these rooms exceed their budgets in ARCHITECTURE.md: {lines:#?}");
}

#[test]
fn snapshots_have_no_more_lines_than_the_architecture_allows() {
    let mut snapshots = files("", &["target"]);
    snapshots.retain(|path| path.extension().is_some_and(|extension| extension == "snap"));
    assert!(snapshots.len() > 100, "{snapshots:?}");
    let lines: usize = snapshots.iter().map(|path| text(path).lines().count()).sum();
    let most = budget("*.snap").unwrap();
    assert!(lines <= most, "{lines} lines of snapshots, more than {most}: show less of a case");
}

#[test]
fn xtask_has_few_rooms() {
    let rooms = rooms(&root().join("xtask/src/main.rs"));
    assert!(rooms.len() <= MAX_ROOMS, "{:?}", rooms.keys());
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
