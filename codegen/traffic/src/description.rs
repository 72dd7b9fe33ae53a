//! The document that traffic is checked against.

use super::check::Check;
use codegen::diagnostics::Diagnostics;
use codegen::document::{self, Document, Input};

/// A document for checks of traffic.
#[derive(Debug)]
pub struct Description(Document);

impl Description {
    /// Reads a document. Reports its problems; parts with errors are ignored. Returns `None` if it cannot be read at all.
    pub fn read<'f>(input: impl Into<Input<'f>>, diagnostics: &mut Diagnostics) -> Option<Self> {
        document::open(&input.into(), diagnostics).map(Self)
    }

    /// Returns a check of traffic, of servers with these addresses in addition to the servers of the document.
    pub fn check(&self, servers: &[String]) -> Check<'_> {
        Check::new(&self.0, servers)
    }
}
