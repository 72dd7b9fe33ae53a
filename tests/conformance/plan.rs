//! The calls of `scenarios.txt`.

use std::collections::BTreeSet;

use crate::step::Failure;

/// The scenarios that are called, and those that are not.
#[derive(Debug, Default)]
pub struct Plan<'t> {
    pub documents: Vec<Document<'t>>,
    /// The scenarios without a call, with the reason.
    pub omitted: Vec<(&'t str, &'t str)>,
}

/// A document of `@typespec/http-specs` with its calls.
#[derive(Debug)]
pub struct Document<'t> {
    /// The folder below `specs`.
    pub path: &'t str,
    /// A namespace that no `OpenAPI` document can describe: it is removed before the document is compiled.
    pub without: Option<&'t str>,
    /// A text that no `OpenAPI` document can describe, and the one that replaces it.
    pub replaced: Option<(&'t str, &'t str)>,
    pub calls: Vec<Call<'t>>,
}

/// A call of an emitted crate. A scenario can have several.
#[derive(Debug)]
pub struct Call<'t> {
    pub scenario: &'t str,
    /// The methods of the client's builder that set credentials, in Rust.
    pub credentials: Option<&'t str>,
    /// A text in the body of the error that the server sends, as its declared type shows it.
    pub failure: Option<&'t str>,
    /// The methods of the client, in Rust.
    pub methods: &'t str,
}

impl Document<'_> {
    /// Returns the name of the emitted crate.
    pub fn package(&self) -> String {
        format!("spec_{}", self.path.replace(['/', '-'], "_"))
    }
}

impl<'t> Plan<'t> {
    /// Parses the file.
    ///
    /// # Errors
    ///
    /// Fails at a line that is neither a document, nor a scenario, nor a comment.
    pub fn parse(text: &'t str) -> Result<Self, Failure> {
        let mut plan = Self::default();
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        for line in lines {
            if let Some(path) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                let (path, without) = option(path, " without ");
                let (path, replaced) = option(path, " with ");
                let replaced = replaced.and_then(|it| it.split_once(" for "));
                let replaced = replaced.map(|(new, old)| (old, new));
                plan.documents.push(Document { path, without, replaced, calls: Vec::new() });
            } else if let Some((scenario, methods)) = line.split_once(" = ") {
                let document = plan.documents.last_mut().ok_or("a call is before all documents")?;
                let (scenario, credentials) = option(scenario, " with ");
                let (scenario, failure) = option(scenario, " fails ");
                document.calls.push(Call { scenario, credentials, failure, methods });
            } else if let Some((scenario, reason)) = line.split_once(": ") {
                plan.omitted.push((scenario, reason));
            } else {
                return Err(format!("invalid line of scenarios.txt: {line}").into());
            }
        }
        Ok(plan)
    }

    /// Returns the scenarios with calls.
    pub fn called(&self) -> BTreeSet<&'t str> {
        let calls = self.documents.iter().flat_map(|document| &document.calls);
        calls.map(|call| call.scenario).collect()
    }
}

/// Splits a text at a separator that it may have.
fn option<'t>(text: &'t str, separator: &str) -> (&'t str, Option<&'t str>) {
    text.split_once(separator).map_or((text, None), |(text, option)| (text, Some(option)))
}
