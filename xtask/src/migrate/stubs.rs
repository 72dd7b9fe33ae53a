//! Stand-ins for removed types, in the copy of the emitted crate: rustc checks neither fields nor methods while a name is
//! not found, so one type without a replacement would hide everything else.

use std::collections::{BTreeMap, BTreeSet};

use ::codegen::SourceFile;

/// The note of the deprecation by which rustc names the uses.
const NOTE: &str = "removed";

/// Types and modules by their names; a type has none of them.
#[derive(Default)]
struct Module(BTreeMap<String, Self>);

/// Returns the files of a crate with stand-ins for the types at these paths.
pub fn with_stubs(files: &[SourceFile], removed: &BTreeSet<String>) -> Vec<SourceFile> {
    let mut added: BTreeMap<String, Module> = BTreeMap::new();
    for path in removed {
        let segments: Vec<&str> = path.split("::").collect();
        let found = (0..segments.len()).rev().find_map(|count| {
            let file = file(files, &segments[..count])?;
            Some((file, &segments[count..]))
        });
        if let Some((file, rest)) = found.filter(|(file, rest)| !imports(files, file, rest[0])) {
            let mut module = added.entry(file).or_default();
            for name in rest {
                module = module.0.entry((*name).to_owned()).or_default();
            }
        }
    }
    let mut files = files.to_vec();
    for file in &mut files {
        if let Some(module) = added.get(&file.path) {
            file.text.push_str(&module.text());
        }
    }
    files
}

/// Returns the file of a module.
fn file(files: &[SourceFile], segments: &[&str]) -> Option<String> {
    let path = segments.join("/");
    let candidates = match segments {
        [] => vec!["src/lib.rs".to_owned()],
        _ => vec![format!("src/{path}/mod.rs"), format!("src/{path}.rs")],
    };
    candidates.into_iter().find(|path| files.iter().any(|file| file.path == *path))
}

/// Returns whether a file imports a name: it cannot declare it.
fn imports(files: &[SourceFile], path: &str, name: &str) -> bool {
    let text = files.iter().find(|file| file.path == path).map_or("", |file| &file.text);
    let imports = text.split(';').filter_map(|statement| statement.rsplit_once("\nuse "));
    imports.map(|(_, import)| import).any(|import| {
        import.split(|char: char| !char.is_alphanumeric() && char != '_').any(|word| word == name)
    })
}

impl Module {
    fn text(&self) -> String {
        let items = self.0.iter().map(|(name, module)| {
            if module.0.is_empty() {
                return format!(
                    "#[deprecated(note = {NOTE:?})] #[derive(Clone, Debug, Default, PartialEq)] pub struct {name};\n"
                );
            }
            format!("pub mod {name} {{ {} }}\n", module.text())
        });
        items.collect()
    }
}
