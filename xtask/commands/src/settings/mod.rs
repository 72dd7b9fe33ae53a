//! `codegen.toml`: the settings of an emitted crate. docs/settings.md describes it.

mod conventions;
mod package;
pub mod package_name;
pub mod project;
mod runtime;
pub mod types;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ::codegen::document::is_token;
use ::codegen::{Kept, ListKeys, Settings};
use toml::de::DeTable;

use crate::host::exit::Fallible;
use crate::host::paths::display_path;
use crate::host::toml_file::{
    self, Invalid, Key, Reader, Value, entries, filled, flag, list, string, strings_of, table,
};
use crate::settings::package::Package;
use crate::settings::types::Dependency;

/// The content of a `codegen.toml`.
#[derive(Clone, Debug, Default)]
pub struct SettingsFile {
    /// `spec`: the spec, relative to the folder of the file.
    pub spec: Option<PathBuf>,
    /// `out`: the folder of the emitted crate, relative to the folder of the file.
    pub out: Option<PathBuf>,
    /// `overlays`: OpenAPI Overlays, relative to the folder of the file.
    pub overlays: Vec<PathBuf>,
    /// `files`: the folder whose files the spec may refer to, relative to the folder of the file.
    pub files: Option<PathBuf>,
    /// `[package]`: the metadata in the emitted manifest.
    pub package: Package,
    /// `[runtime]`: the location of the runtime.
    pub runtime: BTreeMap<String, String>,
    /// `[dependencies]`: the packages with the types of `[types]`.
    pub dependencies: BTreeMap<String, Dependency>,
    /// The other keys, which the generator reads, and the name and the text of the file.
    pub generator: Settings,
}

/// The keys of the file: paths, and tables.
const KEYS: [&str; 24] = [
    "agents", "spec", "out", "overlays", "files", "keep-going", "package", "runtime", "client",
    "components", "errors", "warnings", "paging", "parameters", "streams", "masks", "wait",
    "operations", "secrets", "renames", "aliases", "types", "derive", "dependencies",
];

/// Maximum length of a name, in bytes. It becomes the name of a file, which may have 255.
const MAX_NAME: usize = 200;

impl SettingsFile {
    /// Returns the content of a file, or the defaults if there is none.
    pub fn read(path: &Path) -> Fallible<Self> {
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::parse_in(
            &toml_file::text(path)?,
            &display_path(path).display().to_string(),
            Some(folder),
        )
    }

    /// Returns the content of a text. Messages refer to it by `name`.
    pub fn parse(text: &str, name: &str) -> Fallible<Self> {
        Self::parse_in(text, name, None)
    }

    /// Returns the settings without the text of the file, for an older spec: what does not exist in it is ignored.
    #[must_use]
    pub fn without_text(&self) -> Self {
        let generator = Settings { file: None, ..self.generator.clone() };
        Self { generator, ..self.clone() }
    }

    fn parse_in(text: &str, name: &str, folder: Option<&Path>) -> Fallible<Self> {
        toml_file::parse(text, name, |root| {
            let source = Some((name.to_owned(), text.to_owned()));
            let generator = Settings { file: source, ..Settings::default() };
            let mut file = Self { generator, ..Self::default() };
            if let Some(dependencies) = root.get("dependencies") {
                file.dependencies = types::dependencies(table(dependencies)?, folder)?;
            }
            for (key, value) in root {
                file.read_key(key, value, text, folder)?;
            }
            Ok(file)
        })
    }

    fn read_key(
        &mut self,
        key: &Key<'_>,
        value: &Value<'_>,
        text: &str,
        folder: Option<&Path>,
    ) -> Result<(), Invalid> {
        match key.get_ref().as_ref() {
            "spec" => self.spec = Some(relative_path(value)?),
            "out" => self.out = Some(relative_path(value)?),
            "overlays" => {
                let overlays = list(value)?.iter().map(relative_path);
                self.overlays = overlays.collect::<Result<_, _>>()?;
            }
            "agents" => self.generator.without_agents = !flag(value)?,
            "keep-going" => self.generator.keep_going = flag(value)?,
            "files" => self.files = Some(relative_path(value)?),
            "package" => {
                for (key, value) in table(value)? {
                    self.package.read(key, value, text)?;
                }
            }
            "runtime" => self.runtime = runtime::read(table(value)?, folder)?,
            "client" => {
                let [prefix] = entries(value, [("env-prefix", variable_prefix)])?;
                self.generator.env_prefix = prefix;
            }
            "components" => [self.generator.kept] = entries(value, [("keep", kept)])?,
            "errors" => {
                let [pattern] = entries(value, [("request-id", with_identifier)])?;
                self.generator.request_id = pattern;
            }
            "masks" => self.generator.conventions.masks = conventions::masks(table(value)?)?,
            "wait" => self.generator.conventions.waits = conventions::waits(value)?,
            "warnings" => [self.generator.allowed] = entries(value, [("allow", strings_of)])?,
            "operations" => {
                [self.generator.include, self.generator.exclude] =
                    entries(value, [("include", strings_of), ("exclude", strings_of)])?;
            }
            "secrets" => {
                [self.generator.hidden, self.generator.shown] =
                    entries(value, [("hide", strings_of), ("show", strings_of)])?;
            }
            "paging" => read_paging(&mut self.generator, value)?,
            "parameters" => {
                let known: [(_, Reader<Option<String>>); 2] =
                    [("deep-object-lists", list_keys), ("idempotency-key", header)];
                let [keys, header] = entries(value, known)?;
                self.generator.idempotency_key = header;
                self.generator.list_keys =
                    keys.as_deref().and_then(ListKeys::from_name).unwrap_or_default();
            }
            "streams" => {
                let [sentinel] = entries(value, [("sentinel", filled_text)])?;
                self.generator.sentinel = sentinel;
            }
            "dependencies" => {}
            "derive" => {
                self.generator.derives = types::derives(table(value)?, &self.dependencies)?;
            }
            "types" => self.generator.types = types::types(table(value)?, &self.dependencies)?,
            "renames" => self.generator.renames = renames(table(value)?)?,
            "aliases" => {
                for (old, new) in table(value)? {
                    self.generator
                        .aliases
                        .insert(old.get_ref().to_string(), string(new)?.to_owned());
                }
            }
            _ => return Err(Invalid::key(key, &KEYS)),
        }
        Ok(())
    }
}

fn read_paging(settings: &mut Settings, value: &Value<'_>) -> Result<(), Invalid> {
    let keys = ["token", "next_token", "next_link", "items", "offset", "page", "total", "first"];
    let known = keys.map(|key| -> (_, Reader<Option<String>>) {
        (
            key,
            if key == "first" { |value| Ok(Some(string(value)?.to_owned())) } else { filled_text },
        )
    });
    let [token, next_token, next_link, items, offset, page, total, first] = entries(value, known)?;
    settings.page_token = token;
    settings.next_page_token = next_token;
    settings.next_link = next_link;
    settings.page_items = items;
    settings.page_offset = offset;
    settings.page_number = page;
    settings.page_total = total;
    settings.first_page_token = first;
    Ok(())
}

/// Returns a path that leads from the folder of the file.
fn relative_path(value: &Value<'_>) -> Result<PathBuf, Invalid> {
    let path = PathBuf::from(filled(value)?);
    if path.is_absolute() {
        let message = "an absolute path exists only on one machine";
        return Err(Invalid::value(value, message).help("write a path relative to this file"));
    }
    Ok(path)
}

fn filled_text(value: &Value<'_>) -> Result<Option<String>, Invalid> {
    Ok(Some(filled(value)?.to_owned()))
}

fn variable_prefix(value: &Value<'_>) -> Result<Option<String>, Invalid> {
    let prefix = string(value)?;
    if prefix.starts_with(|first: char| first.is_ascii_digit())
        || prefix.is_empty()
        || !prefix.chars().all(|char| char.is_ascii_alphanumeric() || char == '_')
    {
        let message = "an environment variable cannot begin with this";
        let help = "use letters, digits and `_`, such as `MY_API`";
        return Err(Invalid::value(value, message).help(help));
    }
    Ok(Some(prefix.to_owned()))
}

fn header(value: &Value<'_>) -> Result<Option<String>, Invalid> {
    let name = string(value)?;
    if is_token(name) {
        return Ok(Some(name.to_owned()));
    }
    let message = "a header cannot have this name";
    Err(Invalid::value(value, message).help("write a name such as `X-Idempotency-Key`"))
}

fn with_identifier(value: &Value<'_>) -> Result<Option<String>, Invalid> {
    let pattern = string(value)?;
    if pattern.contains("{id}") {
        return Ok(Some(pattern.to_owned()));
    }
    Err(Invalid::value(value, "the pattern needs `{id}` in the place of the identifier"))
}

fn list_keys(value: &Value<'_>) -> Result<Option<String>, Invalid> {
    let name = string(value)?;
    if ListKeys::from_name(name).is_some() {
        return Ok(Some(name.to_owned()));
    }
    let message = "lists in `deepObject` cannot have this form";
    let help = "write \"indices\" for `a[0]=`, \"brackets\" for `a[]=`, or \"repeated\" for `a=`";
    Err(Invalid::value(value, message).help(help))
}

/// Reads `keep` of `[components]`.
fn kept(value: &Value<'_>) -> Result<Kept, Invalid> {
    match string(value) {
        Ok("all") => Ok(Kept::All),
        Ok(name) => {
            let help = format!("write \"all\", or a list: [{name:?}]");
            Err(Invalid::value(value, "this is not a list of schemas").help(help))
        }
        Err(_) => Ok(Kept::Named(strings_of(value)?)),
    }
}

/// Reads `[renames]`.
fn renames(table: &DeTable<'_>) -> Result<BTreeMap<String, String>, Invalid> {
    let mut renames = BTreeMap::new();
    for (key, value) in table {
        let name = filled(value)?;
        if name.len() > MAX_NAME {
            let message = format!("a name of {} bytes is too long for a file name", name.len());
            let help = format!("use at most {MAX_NAME}");
            return Err(Invalid::value(value, message).help(help));
        }
        renames.insert(key.get_ref().to_string(), name.to_owned());
    }
    Ok(renames)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<SettingsFile, String> {
        SettingsFile::parse(text, "codegen.toml").map_err(|failure| failure.message)
    }

    #[test]
    fn all_keys_are_read() {
        let file = read(
            "keep-going = true\nspec = \"api.yaml\"\nout = \"../pets\"\noverlays = [\"a.yaml\", \"b.yaml\"]\n\
             [warnings]\nallow = [\"unused\"]\n[paging]\ntoken = \"cursor\"\nnext_token = \"next\"\n\
             next_link = \"links.next\"\nitems = \"data\"\noffset = \"skip\"\npage = \"p\"\ntotal = \"all\"\nfirst = \"\"\n\
             [parameters]\ndeep-object-lists = \"brackets\"\nidempotency-key = \"X-Key\"\n[streams]\nsentinel = \"END\"\n\
             [package]\nname = \"a-b\"\nversion = \"0.1.0-alpha\"\nlicense = \"MIT\"\nkeywords = ['a', \"b\"]\n\
             [runtime]\ngit = \"https://example.com/r.git\"\nrev = \"1a\"\n[client]\nenv-prefix = \"A_B\"\n\
             [errors]\nrequest-id = \"(id: {id})\"\n\
             [components]\nkeep = [\"A\"]\n[operations]\ninclude = [\"tag:a\"]\nexclude = [\"b*\"]\n\
             [secrets]\nhide = [\"/a\"]\nshow = [\"/b\"]\n[renames]\n\"/components/schemas/a\" = \"B\"\n",
        )
        .unwrap();
        assert_eq!(file.package.name.unwrap().as_str(), "a-b");
        assert_eq!(file.package.version.unwrap().to_string(), "0.1.0-alpha");
        let metadata = file.package.metadata.iter().map(|(key, value)| format!("{key} = {value}"));
        assert_eq!(metadata.collect::<Vec<_>>(), ["keywords = ['a', \"b\"]", "license = \"MIT\""]);
        assert_eq!(file.spec, Some("api.yaml".into()));
        assert_eq!(file.out, Some("../pets".into()));
        assert_eq!(file.overlays, [PathBuf::from("a.yaml"), "b.yaml".into()]);
        assert!(file.generator.keep_going);
        assert_eq!(file.generator.kept, Kept::Named(vec!["A".to_owned()]));
        assert_eq!((&*file.generator.include[0], &*file.generator.exclude[0]), ("tag:a", "b*"));
        assert_eq!(file.generator.allowed, ["unused"]);
        assert_eq!((&*file.generator.hidden[0], &*file.generator.shown[0]), ("/a", "/b"));
        assert_eq!(file.generator.page_token.as_deref(), Some("cursor"));
        assert_eq!(file.generator.idempotency_key.as_deref(), Some("X-Key"));
        assert_eq!(file.generator.next_page_token.as_deref(), Some("next"));
        assert_eq!(file.generator.next_link.as_deref(), Some("links.next"));
        assert_eq!(file.generator.page_items.as_deref(), Some("data"));
        assert_eq!(file.generator.page_offset.as_deref(), Some("skip"));
        assert_eq!(file.generator.page_number.as_deref(), Some("p"));
        assert_eq!(file.generator.page_total.as_deref(), Some("all"));
        assert_eq!(file.generator.first_page_token.as_deref(), Some(""));
        assert_eq!(file.generator.sentinel.as_deref(), Some("END"));
        assert_eq!(file.generator.list_keys, ListKeys::Brackets);
        assert_eq!(file.runtime["rev"], "1a");
        assert_eq!(file.generator.env_prefix.as_deref(), Some("A_B"));
        assert_eq!(file.generator.request_id.as_deref(), Some("(id: {id})"));
        assert_eq!(file.generator.renames["/components/schemas/a"], "B");
    }

    #[test]
    fn conventions_are_read() {
        let file = read(
            "[masks]\nseparator = \";\"\npaths = \"nested\"\n\"a.b\" = \"c\"\n\
             [[wait]]\noperation = \"a.b\"\nproperty = \"c.d\"\nvalues = [\"e\"]\n\
             [[wait]]\noperation = \"a.c\"\nproperty = \"d\"\n",
        );
        let ::codegen::conventions::Conventions { masks, waits } =
            file.unwrap().generator.conventions;
        assert_eq!((masks.separator.as_deref(), masks.nested), (Some(";"), true));
        assert_eq!(masks.objects["a.b"], "c");
        assert_eq!((waits.len(), waits[0].property.as_str()), (2, "c.d"));
        assert_eq!(waits[0].values, ["e"]);
    }

    #[test]
    fn a_missing_file_is_an_empty_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = SettingsFile::read(&folder.path().join("codegen.toml")).unwrap();
        assert!(
            file.package.name.is_none() && file.package.metadata.is_empty() && file.spec.is_none()
        );
    }

    #[test]
    fn mistakes_are_reported_with_their_place() {
        for (text, expected) in [
            ("[package]\nname = \"a\"\nnaem = \"b\"\n", ":3:1: unknown key `naem`"),
            ("[package]\nname = \"1a\"\n", ":2:8: `1a` cannot name a crate"),
            ("\n\n[package]\nversion = \"1.0\"\n", ":4:11: unexpected end"),
            ("[package]\nname = 1\n", ":2:8: expected a string, found integer"),
            ("package = 1\n", ":1:11: expected a table"),
            ("[pakage]\n", ":1:2: unknown key `pakage`"),
            ("[package]\nlicense.workspace = true\n", ":2:1: expected a string, found table"),
            ("[package]\nlicense = 2026-11-22\n", ":2:11: expected a string, found datetime"),
            ("[package]\nauthors = {a = 1}\n", ":2:11: expected a list, found table"),
            ("[package]\nkeywords = \"a\"\n", ":2:12: expected a list, found string"),
            ("[package]\nkeywords = [\"a\", 1]\n", ":2:18: expected a string, found integer"),
            ("[package]\npublish = \"no\"\n", ":2:11: expected a list, found string"),
            ("[client]\nenv-prefix = \"my-api\"\n", ":2:14: an environment variable cannot"),
            ("[client]\nenv-prefix = \"\"\n", ":2:14: an environment variable cannot"),
            ("[client]\nenv-prefix = \"A\\nB\"\n", ":2:14: an environment variable cannot"),
            ("[client]\nprefix = \"A\"\n", ":2:1: unknown key `prefix`"),
            (
                "[parameters]\ndeep-object-lists = \"[]\"\n",
                ":2:21: lists in `deepObject` cannot have",
            ),
            ("[parameters]\nidempotency-key = \"a b\"\n", ":2:19: a header cannot have this name"),
            ("keep-going = 1\n", ":1:14: expected `true` or `false`, found integer"),
            ("spec = \"\"\n", ":1:8: this is empty"),
            ("out = \"/a\"\n", ":1:7: an absolute path"),
            ("overlays = \"a.yaml\"\n", ":1:12: expected a list"),
            ("[warnings]\ndeny = []\n", ":2:1: unknown key `deny`"),
            ("[paging]\ntoken = \" \"\n", ":2:9: this is empty"),
            ("[renames]\n\"/a\" = \"\"\n", ":2:8: this is empty"),
            ("[masks]\npaths = \"deep\"\n", ":2:9: expected `top-level`"),
            ("[masks]\nseparator = \"\"\n", ":2:13: the separator cannot be empty"),
            ("[masks]\n\"a.b\" = true\n", ":2:9: expected a string"),
            ("[wait]\noperation = \"a\"\n", ":1:1: expected a list"),
            ("[[wait]]\noperation = \"a\"\n", ":1:1: a wait needs"),
            ("[[wait]]\nend = \"a\"\n", ":2:1: unknown key `end`"),
            ("[package\n", ":1:9: "),
        ] {
            let message = read(text).unwrap_err();
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn all_keys_are_documented() {
        let guide = include_str!("../../../../docs/settings.md");
        let is_documented =
            |key: &str| ["| `", "| `[["].iter().any(|start| guide.contains(&[start, key].concat()));
        assert_eq!(KEYS.into_iter().find(|key| !is_documented(key)), None);
    }

    #[test]
    fn names_fit_into_the_name_of_a_file() {
        let renamed =
            |length: usize| read(&format!("[renames]\n\"/a\" = \"{}\"\n", "a".repeat(length)));
        assert!(renamed(200).is_ok());
        let message = renamed(201).unwrap_err();
        assert!(
            message.contains(":2:8: a name of 201 bytes is too long for a file name"),
            "{message}"
        );
    }

    #[test]
    fn invalid_types_are_reported_with_their_place() {
        for (entries, expected) in [
            ("[types]\nuuid = \"Uuid\"", "2:8: `Uuid` is not the path of a type in a crate"),
            ("[types]\nuuid = \"a b\"", "2:8: `a b` is not the path of a type in a crate"),
            ("[types]\nuuid = \"&a::B\"", "2:8: `&a::B` is not the path of a type in a crate"),
            ("[types]\nuuid = \"crate::B\"", "2:8: `crate::B` is not the path"),
            ("[types]\nuuid = \"<a::B as c::D>::E\"", "2:8: `<a::B as c::D>::E` is not the path"),
            ("[types]\nuuid = \"\"", "2:8: this is empty"),
            ("[types]\nuuid = true", "2:8: expected a string"),
            ("[types]\nuuid = \"a::B\"\nuuid = \"a::C\"", "3:1: duplicate key"),
            ("[types]\n\"/a\" = \"std::A\"\n\"#/a\" = \"std::B\"", "2:8: `/a` has two types"),
            ("[types]\nint64 = \"a::B\"\n[dependencies]\na = \"1\"", "2:9: values of the format"),
            ("[types]\n\"integer int64\" = \"std::B\"", "2:19: values of the format"),
            ("[types]\nuuid = \"a::B\"", "2:8: the crate `a` is missing in `[dependencies]`"),
            (
                "[types]\nuuid = \"a::B<c_d::E>\"\n[dependencies]\na = \"1\"",
                "2:8: the crate `c_d` is missing in `[dependencies]`",
            ),
            ("[derive]\nall = \"Hash\"", "2:7: expected a list"),
            ("[derive]\nall = [\"Eq\", \"a b\"]", "2:14: `a b` is not the path of a derive macro"),
            ("[derive]\nall = [\"JsonSchema\"]", "2:8: `JsonSchema` is not the path of a derive"),
            ("[derive]\nall = [\"a::B<c::D>\"]", "2:8: `a::B<c::D>` is not the path of a"),
            ("[derive]\nall = [\"a::B\"]", "2:8: the crate `a` is missing in `[dependencies]`"),
            ("[dependencies]\na = \"one\"", "2:5: unexpected character 'o'"),
            ("[dependencies]\na = {}", "2:5: the location of the package is missing"),
            ("[dependencies]\na = {workspace = true}", "2:6: unknown key `workspace`"),
            ("[dependencies]\na = {version = \"1\", features = \"b\"}", "2:32: expected a list"),
            ("[dependencies]\nruntime = \"1\"", "2:11: a dependency cannot have the name"),
        ] {
            let failure = SettingsFile::parse(entries, "codegen.toml").err();
            let message = failure.unwrap_or_else(|| panic!("accepted: {entries}")).message;
            assert!(message.starts_with(&format!("codegen.toml:{expected}")), "{message}");
        }
    }

    #[test]
    fn types_are_paths_from_the_crates_of_dependencies() {
        let file = SettingsFile::parse(
            "[types]\nuuid = \"std::vec::Vec<c_d::E>\"\n\"/a/b\" = \"c_d::F\"\n\
             [dependencies.c-d]\npath = \"../d\"\nfeatures = [\"serde\"]\ndefault-features = false\n",
            "codegen.toml",
        )
        .unwrap();
        assert_eq!(file.generator.types["#/a/b"], "c_d::F");
        let folder = std::env::current_dir().unwrap();
        let found = types::dependencies_of(
            &file.dependencies,
            &folder.join("codegen.toml"),
            &folder.join("a/b"),
        );
        let value = "{ path = \"../../../d\", default-features = false, features = [\"serde\"] }";
        assert_eq!(found.unwrap(), [("c-d".to_owned(), value.to_owned())]);
    }
}
