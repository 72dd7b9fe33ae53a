//! Annotations of a property: its documentation, and the messages that can contain it.

use crate::document::{Document, MAX_CHAIN, Schema};
use crate::ir::{Access, Docs};
use crate::lower::classify::{SchemaKind, classify};
use crate::lower::constraints::remarks;
use crate::lower::docs;

/// The schemas that annotate a property.
pub struct Annotations<'d> {
    /// Its own and those in other parts of the object, with the parts of their `allOf` that only annotate them.
    own: Vec<Schema<'d>>,
    /// The targets of its `$ref`s that are not named types, whose documentation is nowhere else.
    aliases: Vec<Schema<'d>>,
    /// The named type at the end of its `$ref`s.
    named: Option<Schema<'d>>,
}

impl<'d> Annotations<'d> {
    /// Collects the annotations of a property of this kind, which these schemas have, the most important first.
    pub fn new(schemas: &[Schema<'d>], kind: &SchemaKind<'d>, document: &'d Document) -> Self {
        let mut aliases = Vec::new();
        let mut named = None;
        let mut kind = kind.clone();
        for _ in 0..MAX_CHAIN {
            let SchemaKind::Ref(reference) = kind else { break };
            let target = reference.reference().and_then(|target| document.schema_at(target));
            let Some(target) = target else { break };
            kind = classify(&target, true).kind;
            if let SchemaKind::Named(_) = kind {
                named = Some(target);
                break;
            }
            aliases.extend(remarks(&target));
        }
        Self { own: schemas.iter().flat_map(remarks).collect(), aliases, named }
    }

    /// Returns the documentation of the property.
    pub fn docs(&self) -> Docs {
        let remarks = || self.own.iter().chain(&self.aliases);
        docs(
            remarks().find_map(|remark| remark.description()),
            remarks().find_map(|remark| remark.title()),
            self.own.iter().any(|remark| remark.deprecated()),
        )
    }

    /// Returns the messages that can contain the property.
    pub fn access(&self) -> Access {
        access_of(self.own.iter().chain(&self.aliases).chain(&self.named))
    }
}

/// Returns the messages that can contain a part of an object.
pub fn access(schema: &Schema<'_>) -> Access {
    access_of(&remarks(schema))
}

fn access_of<'s, 'd: 's>(remarks: impl IntoIterator<Item = &'s Schema<'d>>) -> Access {
    let mut is_read = false;
    let mut is_written = false;
    for remark in remarks {
        is_read |= remark.flag("readOnly");
        is_written |= remark.flag("writeOnly");
    }
    match (is_read, is_written) {
        (true, false) => Access::Read,
        (false, true) => Access::Write,
        _ => Access::Both,
    }
}
