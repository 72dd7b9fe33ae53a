//! The official JSON Schemas of OpenAPI as a second verdict on every document.

use std::path::Path;

use codegen::diagnostics::Diagnostics;
use codegen::{Source, parse};
use jsonschema::{Registry, Validator};
use serde_json::{Value, json};

use crate::reading::{Failure, Verdict, entries, text};
use crate::specs::{first_error, is_denied, validated};

/// The folders of the documents.
const DOCUMENTS: [&str; 6] = [
    ".",
    "judges/learn-v3.2",
    "judges/openapi-v3.2/tests/schema/fail",
    "judges/openapi-v3.2/tests/schema/pass",
    "official/fail",
    "official/pass",
];

/// Judges all documents of the versions that have a schema.
pub fn judge(folder: &Path) -> Result<Vec<Verdict>, Failure> {
    let schemas = [validator(folder, "3.1")?, validator(folder, "3.2")?];
    let mut verdicts = Vec::new();
    for documents in DOCUMENTS {
        for path in entries(&folder.join(documents))?.iter().filter(|path| is_document(path)) {
            let Some(value) = value(path)? else { continue };
            let version = value["openapi"].as_str().unwrap_or_default();
            let schema = match version.get(..3) {
                Some("3.1") => &schemas[0],
                Some("3.2") => &schemas[1],
                _ => continue,
            };
            let name = path.strip_prefix(folder).unwrap_or(path).display();
            verdicts.push(Verdict {
                case: name.to_string().trim_start_matches("./").to_owned(),
                problem: difference(schema, &value, &validated(path)?),
            });
        }
    }
    Ok(verdicts)
}

/// Returns the difference between the verdict of the schema and that of the generator.
fn difference(schema: &Validator, document: &Value, diagnostics: &Diagnostics) -> Option<String> {
    match schema.iter_errors(document).next() {
        None if diagnostics.has_errors() => {
            Some(format!("valid, but refused: {}", first_error(diagnostics)))
        }
        Some(error) if !is_denied(diagnostics) => {
            let place = error.instance_path().to_string();
            let error: String = error.to_string().chars().take(200).collect();
            Some(format!("accepted, but invalid: {place}: {error}"))
        }
        _ => None,
    }
}

/// Returns the validator of a version, with the dialect of its schemas.
fn validator(folder: &Path, version: &str) -> Result<Validator, Failure> {
    let folder = folder.join(format!("judges/openapi-v{version}/src/schemas/validation"));
    let mut registry = Registry::new();
    let mut whole = Value::Null;
    for path in entries(&folder)?.iter().filter(|path| is_document(path)) {
        let Some(mut schema) = value(path)? else { continue };
        let id = schema["$id"].as_str().unwrap_or_default().to_owned();
        if path.ends_with("schema-base.yaml") {
            whole = json!({"$ref": id});
            // Only the dialect is checked there, and the validator looks for it in the wrong schema.
            for place in ["", "/$defs/schema"] {
                if let Some(Value::Object(part)) = schema.pointer_mut(place) {
                    part.remove("properties");
                }
            }
        }
        registry = registry.add(id, schema).map_err(|error| error.to_string())?;
    }
    let registry = registry.prepare().map_err(|error| error.to_string())?;
    let options = jsonschema::options().with_registry(&registry);
    options.build(&whole).map_err(|error| format!("the schema of {version}: {error}"))
}

fn is_document(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml" || extension == "json")
}

/// Returns the value of a document, unless its syntax is invalid.
fn value(path: &Path) -> Result<Option<Value>, Failure> {
    let source = Source { name: String::new(), text: text(path)? };
    let node = parse(&source, &mut Diagnostics::new());
    Ok(node.and_then(|node| serde_json::to_value(node).ok()))
}
