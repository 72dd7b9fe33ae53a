//! A description several times over: how the time to generate grows with the size is measured with it.

use ::codegen::diagnostics::Diagnostics;
use ::codegen::{Node, Source, parse};

/// The parts of `components` that are repeated. Security schemes are the API's, however many operations it has.
const REPEATED: [&str; 6] =
    ["schemas", "responses", "parameters", "requestBodies", "headers", "pathItems"];

/// Returns a description, in YAML, that holds the paths and components of another so many times. What the further ones
/// are called says which of them they are. `None` if the text is no description.
pub fn repeated(text: &str, times: usize) -> Option<String> {
    let source = Source { name: String::new(), text: text.to_owned() };
    let mut root = parse(&source, &mut Diagnostics::new())?;
    let original = root.clone();
    for copy in 2..=times {
        let suffix = format!("Copy{copy}");
        let mut extended = original.clone();
        rename(&mut extended, &suffix);
        for (path, item) in take(&mut extended, &["paths"]) {
            add(&mut root, &["paths"], format!("/{suffix}{path}"), item);
        }
        for section in REPEATED {
            for (key, component) in take(&mut extended, &["components", section]) {
                let key = format!("{key}{suffix}");
                add(&mut root, &["components", section], key, component);
            }
        }
        repeat_tags(&mut root, &original, &suffix);
    }
    serde_yaml::to_string(&root).ok()
}

/// Renames what must be unique, and whatever refers to something that is renamed.
fn rename(node: &mut Node, suffix: &str) {
    match node {
        Node::Array(items) => items.iter_mut().for_each(|item| rename(item, suffix)),
        Node::Object(members) => {
            for (key, value) in members {
                match (key.as_str(), value) {
                    ("operationId" | "x-rust-name", Node::String(name)) => name.push_str(suffix),
                    ("tags", Node::Array(tags))
                        if tags.iter().all(|tag| tag.as_str().is_some()) =>
                    {
                        for tag in tags {
                            append(tag, suffix);
                        }
                    }
                    (_, Node::String(target)) if target.starts_with("#/") => {
                        *target = renamed_target(target, suffix);
                    }
                    (_, value) => rename(value, suffix),
                }
            }
        }
        _ => {}
    }
}

fn append(node: &mut Node, suffix: &str) {
    if let Node::String(text) = node {
        text.push_str(suffix);
    }
}

/// Renames the component or the path that a reference leads to.
fn renamed_target(target: &str, suffix: &str) -> String {
    if let Some(path) = target.strip_prefix("#/paths/") {
        return format!("#/paths/~1{suffix}{path}");
    }
    let component = target.strip_prefix("#/components/");
    let Some((section, key)) = component.and_then(|rest| rest.split_once('/')) else {
        return target.to_owned();
    };
    if !REPEATED.contains(&section) {
        return target.to_owned();
    }
    let (key, inside) = key.split_at(key.find('/').unwrap_or(key.len()));
    format!("#/components/{section}/{key}{suffix}{inside}")
}

/// Declares the tags of a copy as the original's are declared.
fn repeat_tags(root: &mut Node, original: &Node, suffix: &str) {
    let declared = original.get("tags").and_then(Node::as_array);
    let mut copies: Vec<Node> = declared.unwrap_or_default().to_vec();
    for copy in &mut copies {
        for name in ["name", "x-rust-name"] {
            if let Some(name) = member(copy, name) {
                append(name, suffix);
            }
        }
    }
    if let Some(Node::Array(tags)) = member(root, "tags") {
        tags.extend(copies);
    }
}

fn take(root: &mut Node, path: &[&str]) -> Vec<(String, Node)> {
    match at(root, path) {
        Some(Node::Object(members)) => std::mem::take(members),
        _ => Vec::new(),
    }
}

fn add(root: &mut Node, path: &[&str], key: String, value: Node) {
    if let Some(Node::Object(members)) = at(root, path) {
        members.push((key, value));
    }
}

fn at<'n>(root: &'n mut Node, path: &[&str]) -> Option<&'n mut Node> {
    path.iter().try_fold(root, |node, key| member(node, key))
}

fn member<'n>(node: &'n mut Node, key: &str) -> Option<&'n mut Node> {
    let Node::Object(members) = node else {
        return None;
    };
    members.iter_mut().find_map(|(name, value)| (name == key).then_some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
openapi: 3.1.1
info: {title: "Pets: \"all\" of them", version: 1.0.0}
tags: [{name: pets, description: "Pets.\nAll of them."}]
paths:
  /pets/{id}:
    parameters: [{$ref: '#/components/parameters/id'}]
    get:
      tags: [pets]
      operationId: pets.get
      responses:
        '200': {description: A pet., content: {application/json: {schema: {$ref: '#/components/schemas/zoo.v1.Pet'}}}}
    delete:
      tags: [pets]
      operationId: pets.delete
      responses:
        '200': {$ref: '#/paths/~1pets~1{id}/get/responses/200'}
components:
  parameters:
    id: {name: id, in: path, required: true, schema: {type: string}}
  schemas:
    zoo.v1.Pet:
      type: object
      properties:
        tags: {type: array, items: {type: string}}
        friend: {$ref: '#/components/schemas/zoo.v1.Pet'}
        mother: {$ref: '#/components/schemas/zoo.v1.Pet/properties/friend'}
        weight: {type: number, default: 1.5, maximum: 90}
"#;

    fn generated(text: String) -> codegen::Output {
        let source = Source { name: "repeated.yaml".to_owned(), text };
        let settings = codegen::Settings {
            package: "pets".to_owned(),
            version: "0.1.0".to_owned(),
            runtime: "\"0.1\"".to_owned(),
            env_prefix: None,
            standalone: true,
        };
        let outcome = codegen::generate(&source, &settings);
        outcome.output.unwrap_or_else(|| panic!("{:?} in\n{}", outcome.diagnostics, source.text))
    }

    #[test]
    fn one_time_is_the_description_itself() {
        let own = generated(TEXT.to_owned());
        let once = generated(repeated(TEXT, 1).unwrap());
        assert_eq!(own.files, once.files);
    }

    #[test]
    fn each_copy_has_operations_types_and_resources_of_its_own() {
        let (one, three) = (generated(TEXT.to_owned()), generated(repeated(TEXT, 3).unwrap()));
        assert_eq!(three.summary.operations, 3 * one.summary.operations);
        assert_eq!(three.summary.types, 3 * one.summary.types);
        assert_eq!(three.ir.resources.len(), 3 * one.ir.resources.len());
        let models = |output: &codegen::Output| {
            let is_model = |file: &&codegen::SourceFile| file.text.contains("pub struct Pet");
            output.files.iter().filter(is_model).count()
        };
        assert_eq!(models(&three), 3 * models(&one));
    }

    #[test]
    fn what_is_no_description_cannot_be_repeated() {
        assert!(repeated("[", 2).is_none());
    }
}
