//! Reduces a document to what a find needs.

use ::codegen::diagnostics::Diagnostics;
use ::codegen::{Node, Source, parse};

use crate::host::exit::Failure;

/// How many smaller documents are tried.
const ATTEMPTS: usize = 600;

/// Returns the smallest document found for which `fails` still holds: parts of its tree are removed, or of its lines if
/// it has no tree.
pub fn reduce(
    document: String,
    mut fails: impl FnMut(&str) -> Result<bool, Failure>,
) -> Result<String, Failure> {
    let source = Source { name: String::new(), text: document };
    let mut attempts = 0;
    let Some(mut node) = parse(&source, &mut Diagnostics::new()) else {
        let mut lines: Vec<_> = source.text.lines().collect();
        let mut length = lines.len() / 2;
        while length > 0 {
            let mut start = 0;
            while start < lines.len() && attempts < ATTEMPTS {
                let end = lines.len().min(start + length);
                let shorter = [&lines[..start], &lines[end..]].concat();
                attempts += 1;
                if fails(&shorter.join("\n"))? {
                    lines = shorter;
                } else {
                    start = end;
                }
            }
            length /= 2;
        }
        return Ok(lines.join("\n"));
    };
    let text = |node: &Node| serde_json::to_string_pretty(node).unwrap_or_default();
    if !fails(&text(&node))? {
        return Ok(source.text);
    }
    let mut number = 0;
    while attempts < ATTEMPTS {
        let mut smaller = node.clone();
        if !remove(&mut smaller, &mut number.clone()) {
            break;
        }
        attempts += 1;
        if fails(&text(&smaller))? {
            node = smaller;
        } else {
            number += 1;
        }
    }
    Ok(text(&node))
}

/// Removes the property or element with this number, counted from the outermost; returns whether there is one.
fn remove(root: &mut Node, number: &mut usize) -> bool {
    let mut level = vec![root];
    while !level.is_empty() {
        let mut below = Vec::new();
        for node in level {
            let length = match node {
                Node::Array(items) => items.len(),
                Node::Object(properties) => properties.len(),
                _ => 0,
            };
            if *number < length {
                match node {
                    Node::Array(items) => drop(items.remove(*number)),
                    Node::Object(properties) => drop(properties.remove(*number)),
                    _ => {}
                }
                return true;
            }
            *number -= length;
            match node {
                Node::Array(items) => below.extend(items.iter_mut()),
                Node::Object(properties) => {
                    below.extend(properties.iter_mut().map(|(_, node)| node));
                }
                _ => {}
            }
        }
        level = below;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_fails_is_left() {
        let document = "a: {b: [1, 2, {c: needle, d: x}], e: 5}\nf: [3]\n".to_owned();
        let reduced = reduce(document, |text| Ok(text.contains("needle"))).unwrap();
        let compact: String = reduced.split_whitespace().collect();
        assert_eq!(compact, r#"{"a":{"b":[{"c":"needle"}]}}"#);
        let lines = reduce("{\nx\nneedle\ny\n".to_owned(), |text| Ok(text.contains("needle")));
        assert_eq!(lines.unwrap(), "needle");
    }
}
