//! The input of every step: the document, the pinned names, and the components.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hash;

use super::servers::DeclaredServers;
use super::{Owner, Reading};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Place};
use crate::document::{Document, Pointer, Schema, View};
use crate::facts::Known;
use crate::ir::{JsonKind, ModulePath, Origin, OwnType, Type};
use crate::names::{self, ModulePaths, NameRequest, Priority, component_name};
use crate::settings::Settings;

/// Maximum size of the members of all types and operations, with their texts, in bytes: of any document, and for each byte of
/// it. References repeat them, up to the square of the document; those of real documents take at most 3 bytes.
const MAX_MEMBERS: [usize; 2] = [1 << 20, 16];

/// The size of a member without its text, in bytes.
const MEMBER: usize = 128;

/// The document, with the information that is available before lowering.
pub struct Context<'d> {
    pub document: &'d Document,
    pub settings: &'d Settings,
    pub modules: ModulePaths,
    /// The servers that have a type.
    pub servers: DeclaredServers<'d>,
    pub security_keys: Vec<String>,
    pub reading: Reading<'d>,
    diagnostics: RefCell<&'d mut Diagnostics>,
    /// What is left of [`MAX_MEMBERS`].
    pub room: Cell<usize>,
    /// The schemas under `components`, by key.
    components: HashMap<String, Component<'d>>,
    /// The keys of the components that extend one with a discriminator by `allOf`, by the key of the latter.
    extensions: HashMap<String, Extensions>,
    /// The keys in `[renames]` that were found in the document.
    renamed: RefCell<BTreeSet<&'d str>>,
    /// The keys in `[types]` that were found in the document.
    typed: RefCell<BTreeSet<&'d str>>,
}

/// The keys of settings that the document does not have.
#[derive(Default)]
pub struct Unused {
    /// Those of `[renames]`, which name no item.
    pub renames: Vec<String>,
    /// Those of `[types]`.
    pub types: Vec<String>,
}

/// A schema under `components`.
#[derive(Debug)]
pub struct Component<'d> {
    pub schema: Schema<'d>,
    pub owner: Owner,
}

impl<'d> Context<'d> {
    /// Names the components of a document.
    pub fn new(
        document: &'d Document,
        settings: &'d Settings,
        schemas: &[(String, Schema<'d>)],
        diagnostics: &'d mut Diagnostics,
    ) -> Self {
        let keys = schemas.iter().map(|(_, schema)| component_name(&schema.pointer));
        let reading = Reading::default();
        let credentials = document.components("securitySchemes");
        let mut security_keys: Vec<String> = credentials.map(|(key, _)| key.to_owned()).collect();
        security_keys.sort_unstable();
        let mut context = Self {
            document,
            settings,
            modules: ModulePaths::new(&keys),
            servers: DeclaredServers::new(document),
            security_keys,
            components: HashMap::new(),
            extensions: extensions(schemas, &reading),
            reading,
            diagnostics: RefCell::new(diagnostics),
            room: Cell::new(MAX_MEMBERS[0] + MAX_MEMBERS[1] * document.tree.size()),
            renamed: RefCell::default(),
            typed: RefCell::default(),
        };
        for (key, schema) in schemas {
            let owner = context.component_owner(schema);
            let component = Component { schema: schema.clone(), owner };
            context.components.insert(key.clone(), component);
        }
        context
    }

    pub fn diagnostics(&self) -> RefMut<'_, &'d mut Diagnostics> {
        self.diagnostics.borrow_mut()
    }

    pub fn report(
        &self,
        code: Code,
        place: Place,
        message: impl Into<String>,
    ) -> RefMut<'_, Diagnostic> {
        RefMut::map(self.diagnostics(), |diagnostics| diagnostics.report(code, place, message))
    }

    /// Takes room for the members of a type or an operation. Reports the first one without.
    pub fn take<'m>(&self, texts: impl Iterator<Item = Option<&'m String>>, pointer: &Pointer) {
        let size = texts.map(|text| MEMBER + text.map_or(0, String::len)).sum();
        let room = self.room.replace(self.room.get().saturating_sub(size));
        if (1..=size).contains(&room) {
            let message = "references repeat operations, properties, variants, parameters or headers too often";
            let help = "let schemas share by a property instead of `allOf`, and shorten texts to which many refer";
            let mut found = self.report(Code::Repeated, Place::document(), message);
            found.help(help).related(Place::value(pointer), "the crate has no room from here on");
        }
    }

    /// Assigns a unique name to each request, as [`names::assign`].
    pub fn assign<'r, N: Clone + Eq + Hash>(
        &self,
        requests: impl IntoIterator<Item = NameRequest<'r>>,
        name: impl Fn(usize, &str) -> N,
        what: impl Fn(&N) -> String,
    ) -> Vec<N> {
        let requests: Vec<NameRequest<'_>> = requests.into_iter().collect();
        names::assign(&requests, &name, &what, &mut self.diagnostics())
    }

    pub fn component(&self, key: &str) -> Option<&Component<'d>> {
        self.components.get(key)
    }

    /// Names a component as an inline schema in a part of `root`, unless its name is pinned.
    pub fn name_as_part(&mut self, key: &str, root: &str, part: &str) {
        let component = self.components.get_mut(key);
        if let Some(component) = component.filter(|it| it.owner.priority == Priority::Declared) {
            let origin = Origin::Component(key.to_owned());
            let root = Owner::new(ModulePath::default(), root, origin.clone());
            component.owner = root.child(part, origin);
        }
    }

    /// Returns the keys of the components that a component with a discriminator represents: the components that extend
    /// it, which the discriminator distinguishes (OpenAPI 3.1.1 §4.8.25.4). Extensions of these that have a discriminator
    /// of another property represent others in turn.
    pub fn extensions(&self, key: &str) -> Option<&[String]> {
        Some(&self.extensions.get(key)?.represented)
    }

    /// Returns the closest component with a discriminator that all of these components extend, or are themselves. A base that
    /// lists some of its extensions does not stand for others.
    pub fn common_base(&self, keys: &[String]) -> Option<&Component<'d>> {
        let bases = self.extensions.iter().filter(|(base, extensions)| {
            keys.iter().all(|key| key == *base || extensions.all.contains(key))
        });
        let (base, _) = bases.min_by_key(|(base, extensions)| (extensions.all.len(), *base))?;
        let component = self.component(base)?;
        let listed = component.schema.alternatives();
        let listed = listed.iter().filter_map(|it| Document::key_of(it.reference()?));
        let listed: Vec<String> = listed.chain([base.clone()]).collect();
        let is_whole = listed.len() == 1 || keys.iter().all(|key| listed.contains(key));
        (is_whole || !keys.contains(base)).then_some(component)
    }

    /// Returns the pinned name of an element of the document: from the caller, or from `x-rust-name`.
    pub fn pin(&self, view: &View<'_>) -> Option<String> {
        let renamed = self.rename(view).and_then(|key| self.renamed(&key));
        renamed.or_else(|| view.rust_name().map(str::to_owned))
    }

    /// Returns the key of the name that the caller gives to an element of the document.
    fn rename(&self, view: &View<'_>) -> Option<String> {
        let renames = &self.settings.renames;
        let key = (!renames.is_empty()).then(|| view.pointer.to_string());
        key.filter(|key| renames.contains_key(key))
    }

    /// Returns the name that the caller gives to a place or a service.
    pub fn renamed(&self, key: &str) -> Option<String> {
        let (key, name) = self.settings.renames.get_key_value(key)?;
        self.renamed.borrow_mut().insert(key);
        Some(name.clone())
    }

    pub fn name_of(&self, owner: &Owner) -> String {
        if let Some(key) = &owner.rename {
            self.renamed(key);
        }
        owner.name()
    }

    /// Returns the type of another crate that the caller gives to a schema, by its place or by the format of its values, after
    /// their type or alone.
    pub fn own_type(&self, schema: &Schema<'d>, format: Option<&str>) -> Option<Type> {
        let types = &self.settings.types;
        let place = (!types.is_empty()).then(|| schema.pointer.to_string())?;
        let place = if place.contains('#') { place } else { format!("#{place}") };
        let values = self.reading.values(schema);
        let kind = values.only_kind();
        let ty = match kind {
            Some(JsonKind::Number) if values.is_narrow() => "integer",
            Some(JsonKind::Number) => "number",
            _ => "string",
        };
        let by_type = || types.get_key_value(&format!("{ty} {}", format?));
        let by_format = || types.get_key_value(format?);
        let found = types.get_key_value(&place).or_else(by_type).or_else(by_format);
        let (key, path) = found?;
        self.typed.borrow_mut().insert(key);
        Some(Type::Own(OwnType { path: path.clone(), kind }))
    }

    /// Returns the keys of settings that the document does not have.
    pub fn unused(&self) -> Unused {
        let Settings { renames, types, .. } = self.settings;
        Unused { renames: left(renames, &self.renamed), types: left(types, &self.typed) }
    }

    fn component_owner(&self, schema: &Schema<'_>) -> Owner {
        let name = component_name(&schema.pointer);
        let (module, base) = self.modules.split(name);
        // Whether an item has the name is known later: the component may have no type.
        let rename = self.rename(schema);
        let renamed = rename.as_ref().and_then(|key| self.settings.renames.get(key));
        let pin = renamed.map(String::as_str).or_else(|| schema.rust_name());
        let origin = Origin::Component(name.to_owned());
        let priority = if pin.is_some() { Priority::Pinned } else { Priority::Declared };
        Owner { rename, priority, ..Owner::new(module, pin.unwrap_or(base), origin) }
    }
}

/// Returns the keys of a table that were not found.
fn left(table: &BTreeMap<String, String>, found: &RefCell<BTreeSet<&str>>) -> Vec<String> {
    let found = found.borrow();
    table.keys().filter(|key| !found.contains(key.as_str())).cloned().collect()
}

/// Returns the keys of the components that extend one with a discriminator by `allOf`, through any number of steps.
fn extensions<'d>(
    schemas: &[(String, Schema<'d>)],
    known: &Known<'d>,
) -> HashMap<String, Extensions> {
    let mut direct: HashMap<String, Vec<&str>> = HashMap::new();
    for (key, schema) in schemas {
        let parts = schema.all_of();
        let extended = parts.iter().filter_map(|part| Document::key_of(part.reference()?));
        for target in extended {
            direct.entry(target).or_default().push(key);
        }
    }
    let bases = schemas
        .iter()
        .filter(|(key, schema)| direct.contains_key(key) && schema.has("discriminator"));
    let all: HashMap<&str, BTreeSet<&str>> =
        bases.map(|(key, _)| (key.as_str(), descendants(key, &direct))).collect();
    let schemas: HashMap<&str, &Schema<'d>> =
        schemas.iter().map(|(key, schema)| (key.as_str(), schema)).collect();
    let owned = |keys: &BTreeSet<&str>| keys.iter().map(|key| (*key).to_owned()).collect();
    let extensions = all.iter().map(|(base, keys)| {
        let represented = owned(&represented(base, &all, &schemas, known));
        ((*base).to_owned(), Extensions { all: owned(keys), represented })
    });
    extensions.collect()
}

/// The components that extend one with a discriminator.
struct Extensions {
    all: Vec<String>,
    /// Those that no other one represents.
    represented: Vec<String>,
}

/// Returns the extensions of a base that no other of them represents. One with a discriminator of another property represents
/// those that extend it, if the discriminator of the base has the same values for both.
fn represented<'k, 'd>(
    base: &str,
    all: &HashMap<&'k str, BTreeSet<&'k str>>,
    schemas: &HashMap<&str, &Schema<'d>>,
    known: &Known<'d>,
) -> BTreeSet<&'k str> {
    let tag = |key: &str| schemas[key].child("discriminator")?.text("propertyName");
    let Some(own) = tag(base) else { return all[base].clone() };
    let constants = |key: &str| known.facts(schemas[key]).constants(own).cloned();
    let mapped = mapped(schemas[base]);
    let mut represented = all[base].clone();
    for middle in all[base].iter().filter(|key| all.contains_key(*key) && tag(key) != Some(own)) {
        let values = constants(middle);
        if mapped.contains(*middle) || values != constants(base) {
            represented.retain(|key| {
                !all[middle].contains(key) || mapped.contains(*key) || constants(key) != values
            });
        }
    }
    represented
}

/// Returns the keys of the components that the discriminator of a schema maps values to.
fn mapped(schema: &Schema<'_>) -> HashSet<String> {
    let discriminator = schema.child("discriminator");
    let mapping = discriminator.iter().flat_map(|discriminator| discriminator.map("mapping"));
    let targets = mapping.filter_map(|(_, target)| target.node.as_str());
    targets.map(|it| Document::key_of(it).unwrap_or_else(|| it.to_owned())).collect()
}

/// Returns the components that extend another one.
fn descendants<'k>(key: &str, direct: &HashMap<String, Vec<&'k str>>) -> BTreeSet<&'k str> {
    let mut found: BTreeSet<&str> = BTreeSet::new();
    let mut waiting: Vec<&str> = vec![key];
    while let Some(key) = waiting.pop() {
        for &extension in direct.get(key).into_iter().flatten() {
            if found.insert(extension) {
                waiting.push(extension);
            }
        }
    }
    found.remove(key);
    found
}
