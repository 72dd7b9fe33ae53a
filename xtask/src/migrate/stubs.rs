//! Stand-ins in the copy of the emitted crate. For removed types: rustc checks neither fields nor methods while a name is
//! not found, so one type without a replacement would hide everything else. For the variants of enums that have other
//! names, or none: without its import, a variant in a pattern is a new variable, which compiles. For lost features: cargo
//! does not start with an unknown one.

use std::collections::BTreeMap;

use ::codegen::SourceFile;

use crate::migrate::join::words;
use crate::migrate::plan::Plan;

/// The note of the deprecation by which rustc names the uses.
const NOTE: &str = "removed";

/// Types and modules by their names; a type has none of them.
#[derive(Default)]
struct Module(BTreeMap<String, Self>);

/// Returns the files of a crate with stand-ins.
pub fn with_stubs(files: &[SourceFile], plan: &Plan) -> Vec<SourceFile> {
    let mut added: BTreeMap<String, Module> = BTreeMap::new();
    for path in &plan.removed {
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
    if let Some(manifest) = files.iter_mut().find(|file| file.path == "Cargo.toml") {
        let lost = plan.features.keys().map(|feature| format!("{feature} = []\n"));
        let features = ["[features]\n".to_owned()].into_iter().chain(lost);
        manifest.text = manifest.text.replacen("[features]\n", &features.collect::<String>(), 1);
    }
    for (number, (owner, name)) in (1..).zip(plan.lost_variants()) {
        for file in &mut files {
            add_variant(file, owner, name, number);
        }
    }
    files
}

/// Adds a variant to an enum, if the file declares it without this variant. Its value is one that no server sends.
fn add_variant(file: &mut SourceFile, owner: &str, name: &str, number: i64) {
    let (module, ty) = owner.rsplit_once("::").unwrap_or(("", owner));
    let is_inside = |path: &str| path.starts_with(&module.replace("::", "/"));
    if !file.path.strip_prefix("src/").is_some_and(is_inside) {
        return;
    }
    let end = |head: String| Some(file.text.find(&head)? + head.len());
    let listed = |table: &str| end(format!("{table}! {{\n    {ty} {{\n"));
    let texts = listed("open_enum").map(|at| (at, format!("\"\\0{number}\"")));
    let values = texts.or_else(|| Some((listed("integer_enum")?, (i64::MIN + number).to_string())));
    let declared = end(format!("pub enum {ty} {{\n"));
    let (Some(declared), Some((listed, value))) = (declared, values) else { return };
    let variants = file.text.get(declared..listed).unwrap_or_default();
    let has = |end: char| variants.contains(&format!("\n    {name}{end}"));
    if declared < listed && !has(',') && !has('(') {
        file.text.insert_str(listed, &format!("        {name} = {value},\n"));
        let variant = format!("    #[deprecated(note = {NOTE:?})]\n    {name},\n");
        file.text.insert_str(declared, &variant);
    }
}

fn file(files: &[SourceFile], segments: &[&str]) -> Option<String> {
    let path = [&["src"], segments].concat().join("/");
    let mut paths = ["/mod.rs", ".rs", "/lib.rs"].map(|end| [&path, end].concat()).into_iter();
    paths.find(|path| files.iter().any(|file| file.path == *path))
}

/// Returns whether a file imports a name: it cannot declare it.
fn imports(files: &[SourceFile], path: &str, name: &str) -> bool {
    let text = files.iter().find(|file| file.path == path).map_or("", |file| &file.text);
    let imports = text.split(';').filter_map(|statement| statement.rsplit_once("\nuse "));
    imports.map(|(_, import)| import).any(|import| words(import).any(|word| word == name))
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
