//! From an OpenAPI document to the source of a crate of typed bindings: text in, files or diagnostics out.
//!
//! Data flows one way through four layers, each of which knows only its neighbour:
//!
//! ```text
//! text ──document──► Document ──lower──► ir::Api ──emit──► files
//! ```

pub mod diagnostics;
mod document;
mod emit;
pub mod ir;
mod lower;
pub mod public_api;
mod source_map;

use diagnostics::Diagnostics;
pub use document::{Node, Pointer, Source, parse};
use emit::emit;
pub use emit::{Settings, SourceFile};
use lower::lower;
use public_api::PublicApi;

/// What came of a document.
#[derive(Debug)]
pub struct Outcome {
    /// What is to be written; `None` if the document has errors.
    pub output: Option<Output>,
    /// The errors and warnings about the document.
    pub diagnostics: Diagnostics,
}

/// A generated crate.
#[derive(Debug)]
pub struct Output {
    /// The files, sorted by path.
    pub files: Vec<SourceFile>,
    /// How much there is.
    pub summary: Summary,
    /// The public items of the crate.
    pub public_api: PublicApi,
    /// What the files were written from.
    pub ir: ir::Api,
}

/// How much a crate holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The number of operations.
    pub operations: usize,
    /// The number of named types.
    pub types: usize,
}

/// Returns the public items of the crate that is generated from an OpenAPI document, without writing the crate.
pub fn public_api(source: &Source, settings: &Settings) -> (Option<PublicApi>, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let document = document::read(source, &mut diagnostics);
    let ir = document.and_then(|document| lower(&document, &mut diagnostics));
    (ir.map(|ir| public_api::of(&ir, &settings.package)), diagnostics)
}

/// Generates a crate from an OpenAPI document.
pub fn generate(source: &Source, settings: &Settings) -> Outcome {
    let mut diagnostics = Diagnostics::new();
    let document = document::read(source, &mut diagnostics);
    let ir = document.and_then(|document| {
        let ir = lower(&document, &mut diagnostics)?;
        document.check(&mut diagnostics);
        Some(ir)
    });
    let output = ir.map(|ir| {
        let public_api = public_api::of(&ir, &settings.package);
        let mut files = emit(&ir, settings);
        files.push(SourceFile { path: "api.txt".to_owned(), text: public_api.to_string() });
        files.sort_by(|left, right| left.path.cmp(&right.path));
        let summary = Summary { operations: ir.operations().count(), types: ir.types.len() };
        Output { files, summary, public_api, ir }
    });
    Outcome { output, diagnostics }
}
