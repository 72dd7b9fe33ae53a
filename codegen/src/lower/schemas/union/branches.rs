//! The branches of a union: alternatives without null, without repetitions, and with scalars of one kind merged.

use std::collections::{BTreeMap, HashSet};

use crate::document::{Document, Pointer, Schema};
use crate::ir::{JsonKind, Type};
use crate::lower::Alternative;
use crate::lower::classify::{Classified, SchemaKind, classify};
use crate::lower::facts::{Values, is_null};
use crate::lower::references::resolve_refs;

/// Maximum nesting of alternatives within alternatives.
const MAX_DEPTH: usize = 16;

/// The alternatives of a schema.
#[derive(Clone, Debug)]
pub struct Alternatives<'d> {
    /// The different ones; `None` if one of them allows any value.
    pub branches: Option<Vec<Alternative<'d>>>,
    /// Whether null is among them.
    pub nullable: bool,
}

impl<'d> Alternatives<'d> {
    /// Normalizes the branches of a keyword.
    pub fn new(branches: &[Schema<'d>], document: &'d Document) -> Self {
        let mut collected = Collected {
            document,
            branches: Vec::new(),
            nullable: false,
            any: false,
            spliced: HashSet::new(),
        };
        collected.add(branches, 0);
        let nullable = collected.nullable;
        if collected.any {
            return Self { branches: None, nullable };
        }
        let mut scalars: BTreeMap<JsonKind, usize> = BTreeMap::new();
        let mut branches: Vec<Alternative<'d>> = Vec::new();
        for (branch, kind) in collected.branches {
            let Some(kind) = kind else {
                branches.push(Alternative::Schema(branch));
                continue;
            };
            let earlier = scalars.get(&kind).map(|&index| &mut branches[index]);
            if let Some(Alternative::Scalars(_, _, others)) = earlier {
                others.push(branch);
            } else {
                scalars.insert(kind, branches.len());
                branches.push(Alternative::Scalars(kind, branch, Vec::new()));
            }
        }
        Self { branches: Some(branches), nullable }
    }
}

struct Collected<'d> {
    document: &'d Document,
    /// The branches, with the kind of those that are scalars.
    branches: Vec<(Schema<'d>, Option<JsonKind>)>,
    nullable: bool,
    any: bool,
    /// The unions of scalars whose branches were added.
    spliced: HashSet<Pointer>,
}

impl<'d> Collected<'d> {
    /// Adds branches. A nameless union among them adds its own, and so does one of scalars if another branch has values of
    /// the same kinds, of which one of the two would never be read.
    fn add(&mut self, branches: &[Schema<'d>], depth: usize) {
        let values: Vec<Values<'d>> = branches.iter().map(Values::of).collect();
        for (index, branch) in branches.iter().enumerate() {
            if branch.is_false() {
                continue;
            }
            if is_null(branch) {
                self.nullable = true;
                continue;
            }
            let classified = classify(branch, false);
            self.nullable |= classified.nullable;
            match classified.kind {
                SchemaKind::Alternatives(_, inner) if depth < MAX_DEPTH => {
                    self.add(&inner, depth + 1);
                }
                SchemaKind::Ref(reference) => {
                    let kinds = values[index].kinds();
                    let mut others = values[..index].iter().chain(&values[index + 1..]);
                    let is_shared = values[index].is_scalar()
                        && others.any(|other| !other.kinds().is_disjoint(&kinds));
                    match resolve_refs(self.document, &reference) {
                        Some((
                            target,
                            Classified { kind: SchemaKind::Alternatives(_, inner), .. },
                        )) if is_shared && depth < MAX_DEPTH => {
                            if self.spliced.insert(target.pointer.clone()) {
                                self.add(&inner, depth + 1);
                            }
                        }
                        _ => self.push(reference),
                    }
                }
                _ => self.push(branch.clone()),
            }
        }
    }

    fn push(&mut self, branch: Schema<'d>) {
        let is_same = |(known, _): &(Schema<'d>, _)| match (known.reference(), branch.reference()) {
            (Some(one), Some(other)) => one == other,
            (None, None) => known.is_same_but_annotations(&branch),
            _ => false,
        };
        if self.branches.iter().any(is_same) {
            return;
        }
        let Some((target, classified)) = resolve_refs(self.document, &branch) else {
            self.branches.push((branch, None));
            return;
        };
        self.nullable |= classified.nullable;
        self.any |= matches!(classified.kind, SchemaKind::Simple(Type::Value));
        if !is_null(&target) {
            let kind = scalar_kind(&branch);
            self.branches.push((branch, kind));
        }
    }
}

/// Returns the kind of the values of a schema, if all of them are scalars of one kind.
fn scalar_kind(schema: &Schema<'_>) -> Option<JsonKind> {
    let values = Values::of(schema);
    let kinds = values.kinds();
    kinds.first().copied().filter(|_| values.is_scalar() && kinds.len() == 1)
}
