//! The branch oracle: `--branches`. An instance that only one branch of a union allows must be read as its variant.

use std::collections::BTreeMap;

use codegen::SourceFile;
use codegen::items::{Definition, ItemKind, Path, PublicApi};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::Value;

use super::validator::Validators;
use crate::campaign::Root;
use crate::compare::has_rounded_integer;
use crate::coverage::Coverage;
use crate::document::{Document, Place, resolved};
use crate::instance::instance;
use crate::shape::Shapes;
use crate::subject::{Answer, Failure, Program};
use ::tests::Tape;

/// Maximum number of random numbers for an instance.
const LENGTH: usize = 300;

/// Maximum percentage of instances that a best fit may read as another variant.
const TOLERANCE: usize = 1;

/// A union of branches.
struct Union {
    /// The index of its root.
    root: usize,
    /// The variants, with the pointers to their schemas.
    variants: Vec<(String, String)>,
    /// Whether some of its values are read as the variant that fits best.
    is_fitted: bool,
}

/// The outcome of a run.
#[derive(Debug, Default)]
pub struct Outcome {
    pub unions: usize,
    /// Those that are decided with certainty, and those by the best fit.
    pub tallies: [Tally; 2],
    /// An example of each exception, by the type and the two variants.
    pub examples: BTreeMap<String, String>,
}

/// Instances that only one branch allows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub instances: usize,
    /// Those that were read as another variant.
    pub exceptions: usize,
}

impl Outcome {
    /// Returns whether there are more exceptions than allowed.
    pub fn is_failure(&self) -> bool {
        let [certain, fitted] = self.tallies;
        certain.exceptions > 0 || fitted.exceptions * 100 > fitted.instances * TOLERANCE
    }
}

/// Sends instances of all unions, and compares the variants with the branches that a validator accepts.
pub fn run(
    (api, files): (&PublicApi, &[SourceFile]),
    (shapes, roots): (&Shapes<'_>, &[Root]),
    validators: &mut Validators<'_>,
    program: &mut Program,
    (instances, mut runner): (usize, TestRunner),
) -> Result<Outcome, Failure> {
    let unions = unions(api, files, roots);
    let mut outcome = Outcome { unions: unions.len(), ..Outcome::default() };
    for union in &unions {
        for _ in 0..instances.div_ceil(unions.len()) {
            let tape = vec(any::<u16>(), 0..LENGTH)
                .new_tree(&mut runner)
                .map_err(|reason| reason.to_string())?
                .current();
            let id = roots[union.root].id;
            let mut coverage = Coverage::default();
            let mut tape = Tape::new(&tape);
            let made = instance(shapes, (union.root, id), &[], &mut tape, &mut coverage);
            let Some((value, notes)) = made.filter(|(value, _)| !value.is_null()) else { continue };
            // The discriminator of a base precedes what its branches allow.
            if notes.is_contradictory || !notes.unmapped.is_empty() {
                continue;
            }
            // A variant of numbers cannot hold such an integer, so that the union retains it as a whole.
            if has_rounded_integer(&value) {
                continue;
            }
            let document = shapes.document;
            let Some((expected, pointer)) = sole_branch(document, union, &value, validators) else {
                continue;
            };
            // The mapping of a discriminator precedes the constants of the branches.
            if mapped(document, shapes.place(id), &value)
                .is_some_and(|mapped| mapped != target(document, pointer))
            {
                continue;
            }
            if is_tagged_as_other(document, union, pointer, &value) {
                continue;
            }
            let tally = &mut outcome.tallies[usize::from(union.is_fitted)];
            tally.instances += 1;
            let actual = match program.variant(union.root, &value.to_string())? {
                Answer::Encoded(variant) => variant,
                answer => answer.to_string(),
            };
            if actual != expected {
                tally.exceptions += 1;
                let rust = &roots[union.root].rust;
                let cause = format!("{rust}: an instance of {expected} is read as {actual}");
                let example = outcome.examples.entry(cause).or_insert_with(|| value.to_string());
                if example.len() > value.to_string().len() {
                    *example = value.to_string();
                }
            }
        }
    }
    Ok(outcome)
}

/// Returns the unions of branches.
fn unions(api: &PublicApi, files: &[SourceFile], roots: &[Root]) -> Vec<Union> {
    let roots = roots.iter().enumerate().filter_map(|(root, Root { rust, .. })| {
        let item = api.items.get(&Path::new(rust.as_str()))?;
        let variants = item.members.iter().filter_map(|((_, name), member)| {
            let is_branch = matches!(member.definition, Definition::Variant(Some(_), None));
            let place = &member.about.place;
            (is_branch && !place.is_empty()).then(|| (name.clone(), place.clone()))
        });
        let variants: Vec<_> = variants.collect();
        let table = table(files, rust);
        let is_fitted = table.is_some_and(|table| table.contains(" fit {"));
        let is_union = item.kind == ItemKind::Enum && !variants.is_empty();
        is_union.then_some(Union { root, variants, is_fitted })
    });
    roots.collect()
}

/// Returns the emitted table by which a union is decided.
fn table<'f>(files: &'f [SourceFile], rust: &str) -> Option<&'f str> {
    let (_, name) = rust.rsplit_once("::")?;
    let head = format!("internal::choice! {{\n    {name} {{\n");
    let (_, table) = files.iter().find_map(|file| file.text.split_once(&head))?;
    table.split("\n}\n").next()
}

/// Returns the only variant whose schema allows a value, with the pointer to the schema.
fn sole_branch<'u>(
    document: &Document<'_>,
    union: &'u Union,
    value: &Value,
    validators: &mut Validators<'_>,
) -> Option<(&'u str, &'u str)> {
    let mut values = vec![value.clone()];
    // A null property is an absent one.
    if let Some(object) = value.as_object().filter(|it| it.values().any(Value::is_null)) {
        let rest = object.iter().filter(|(_, property)| !property.is_null());
        values.push(rest.map(|(name, value)| (name.clone(), value.clone())).collect());
    }
    let mut found = None;
    for (name, pointer) in &union.variants {
        let mut is_allowed = false;
        for value in &values {
            is_allowed |= allows(document, pointer, value, validators)?;
        }
        if is_allowed && found.replace((name.as_str(), pointer.as_str())).is_some() {
            return None;
        }
    }
    found
}

/// Returns whether a schema allows a value, or the branch that its discriminator names.
fn allows(
    document: &Document<'_>,
    pointer: &str,
    value: &Value,
    validators: &mut Validators<'_>,
) -> Option<bool> {
    let is_allowed = validators.allows(pointer, value)?;
    let named = mapped(document, target(document, pointer), value);
    let named = named.filter(|_| !is_allowed).map(|place| document.pointer(place));
    Some(is_allowed || named.and_then(|named| validators.allows(named, value)) == Some(true))
}

/// Returns the schema that the `mapping` of a union names for a value.
fn mapped(document: &Document<'_>, union: Place, value: &Value) -> Option<Place> {
    let discriminator = document.value(union).get("discriminator")?;
    let tag = value.get(discriminator.get("propertyName")?.as_str()?)?.as_str()?;
    let name = discriminator.get("mapping")?.get(tag)?.as_str()?;
    let component = || document.at(&format!("/components/schemas/{name}"));
    document.follow(name).or_else(component)
}

/// Returns whether a property has a constant of another variant, and the expected one does not describe it. The constant
/// precedes whatever else is wrong with such a value, which the expected schema allows only because it is open.
fn is_tagged_as_other(
    document: &Document<'_>,
    union: &Union,
    expected: &str,
    value: &Value,
) -> bool {
    let properties = |pointer: &str| {
        let schema = resolved(document, document.value(target(document, pointer)));
        schema.get("properties").and_then(Value::as_object)
    };
    let is_described = |name: &str| properties(expected).is_some_and(|own| own.contains_key(name));
    let others = union.variants.iter().filter(|(_, pointer)| pointer != expected);
    others.filter_map(|(_, pointer)| properties(pointer)).flatten().any(|(name, schema)| {
        let schema = resolved(document, schema);
        value.get(name).is_some_and(|value| {
            let listed = schema.get("enum").and_then(Value::as_array);
            let is_constant = schema.get("const") == Some(value)
                || listed.is_some_and(|values| values.contains(value));
            is_constant && !is_described(name)
        })
    })
}

/// Returns the schema of a branch.
fn target(document: &Document<'_>, pointer: &str) -> Place {
    let place = document.at(pointer).unwrap_or_default();
    let reference = document.value(place).get("$ref").and_then(Value::as_str);
    reference.and_then(|reference| document.follow(reference)).unwrap_or(place)
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::super::validator::registry;
    use super::*;

    #[test]
    fn a_branch_has_the_values_of_its_discriminator_and_null_for_absent_properties() {
        let event = |own: &str| {
            let kind = json!({ "enum": ["text", "debug"] });
            let properties = json!({ "kind": kind, own: { "type": "string" } });
            json!({ "required": ["kind"], "properties": properties })
        };
        let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
        let mapping = json!({ "text": "#/components/schemas/Text", "debug": "Debug" });
        let required = |required: &[&str]| {
            let end = json!({ "type": ["string", "null"] });
            json!({ "required": required, "properties": { "id": { "type": "string" }, "end": end } })
        };
        let schemas = json!({
            "Text": event("text"),
            "Debug": event("prompt"),
            "Event": {
                "oneOf": [reference("Text"), reference("Debug")],
                "discriminator": { "propertyName": "kind", "mapping": mapping },
            },
            "Whole": required(&["id", "end"]),
            "Part": required(&["id"]),
        });
        let root = json!({ "openapi": "3.1.1", "components": { "schemas": schemas } });
        let files = Map::from_iter([(String::new(), root)]);
        let document = Document::new(&files);
        let registry = registry(&files).unwrap();
        let validators = &mut Validators::new(&registry);
        let mut sole = |names: [&str; 2], value: Value| {
            let variants = names.map(|it| (it.to_owned(), format!("/components/schemas/{it}")));
            let union = Union { root: 0, variants: variants.into(), is_fitted: false };
            sole_branch(&document, &union, &value, validators).map(|(name, _)| name.to_owned())
        };
        assert_eq!(sole(["Event", "Part"], json!({ "kind": "debug", "id": "" })), None);
        assert_eq!(sole(["Event", "Part"], json!({ "id": "" })), Some("Part".to_owned()));
        assert_eq!(sole(["Whole", "Part"], json!({ "id": "", "end": null })), None);
        assert_eq!(sole(["Whole", "Part"], json!({ "id": "" })), Some("Part".to_owned()));
    }

    #[test]
    fn the_constant_of_a_branch_precedes_an_open_branch_without_the_property() {
        let text = json!({ "type": "string", "pattern": "^[a-z]$" });
        let kind = json!({ "enum": ["done", "failed"] });
        let tagged =
            json!({ "required": ["kind", "text"], "properties": { "kind": kind, "text": text } });
        let plain = json!({ "required": ["text"], "properties": { "text": { "type": "string" } } });
        let described = json!({ "properties": { "kind": { "type": "string" } } });
        let schemas = json!({ "Tagged": tagged, "Plain": plain, "Described": described });
        let root = json!({ "openapi": "3.1.1", "components": { "schemas": schemas } });
        let files = Map::from_iter([(String::new(), root)]);
        let document = Document::new(&files);
        let value = json!({ "kind": "done", "text": "1" });
        let is_other = |name: &str, value: &Value| {
            let pointer = |name: &str| format!("/components/schemas/{name}");
            let variants = ["Tagged", name].map(|it| (it.to_owned(), pointer(it)));
            let union = Union { root: 0, variants: variants.into(), is_fitted: false };
            is_tagged_as_other(&document, &union, &pointer(name), value)
        };
        assert!(is_other("Plain", &value));
        assert!(!is_other("Described", &value));
        assert!(!is_other("Plain", &json!({ "kind": "other", "text": "1" })));
        assert!(!is_other("Plain", &json!({ "text": "1" })));
    }
}
