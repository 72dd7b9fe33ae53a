//! The branches of a union: alternatives without null and without repetitions; those of the same shape are one.

use std::collections::HashSet;

use super::discriminator;
use crate::document::{Pointer, Schema};
use crate::facts::{Facts, Known, Read, Values, has_only_null, is_null, is_null_among};
use crate::ir::Type;
use crate::lower::alternative::{Alternative, ValueShape};
use crate::lower::classify::{Classified, Content, SchemaKind, classify_known};
use crate::lower::references::{classify_target, resolve_refs};

/// Maximum number of lists and alternatives around values of a shape.
const MAX_SHAPE_DEPTH: usize = 4;

/// Maximum number of unions in which this one is searched.
const MAX_UNIONS: usize = 256;

/// Returns the different branches of a keyword; `None` if one of them allows any value. Values of the same shape are one
/// branch, unless a discriminator distinguishes them.
pub fn alternatives<'d>(
    branches: &[Schema<'d>],
    schema: &Schema<'d>,
    known: &mut Known<Values<'d>>,
) -> Option<Vec<Alternative<'d>>> {
    let own = branches.first().and_then(|branch| branch.pointer.parent()?.parent());
    let mut collected = Collected {
        branches: Vec::new(),
        any: false,
        spliced: own.cloned().into_iter().collect(),
        searched: HashSet::new(),
        known,
    };
    collected.add(branches.to_vec());
    if collected.any {
        return None;
    }
    let mut branches: Vec<Alternative<'d>> = Vec::new();
    for (branch, shape) in collected.branches {
        let has_tag = || discriminator::of_branch(schema, &branch).next().is_some();
        let shape = shape.filter(|shape| shape.is_scalar() || !has_tag());
        match branches.iter_mut().find(|it| shape.is_some() && it.shape == shape) {
            Some(earlier) => earlier.schemas.push(branch),
            None => branches.push(Alternative { schemas: vec![branch], shape, extension: None }),
        }
    }
    for Alternative { schemas, shape, .. } in &mut branches {
        shape.take_if(|shape| schemas.len() == 1 && !shape.is_scalar());
    }
    Some(branches)
}

struct Collected<'a, 'd> {
    /// The branches, with the shape of their values.
    branches: Vec<(Schema<'d>, Option<ValueShape>)>,
    any: bool,
    /// The unions whose branches were added, first of all this one: again, they would be no others.
    spliced: HashSet<Pointer>,
    /// The unions that contain none of these.
    searched: HashSet<Pointer>,
    known: &'a mut Known<Values<'d>>,
}

/// The branches of a keyword that are being added.
struct Keyword<'d> {
    branches: Vec<Schema<'d>>,
    values: Vec<Values<'d>>,
    /// The number of those that were added.
    added: usize,
}

impl<'d> Keyword<'d> {
    fn new(branches: Vec<Schema<'d>>, known: &mut Known<Values<'d>>) -> Self {
        let values = branches.iter().map(|branch| known.read(branch)).collect();
        Self { branches, values, added: 0 }
    }

    /// Returns whether a branch has values of the kind of another one, and one of the two has only scalars.
    fn is_shared(&self, index: usize) -> bool {
        let own = &self.values[index];
        let mut others = self.values[..index].iter().chain(&self.values[index + 1..]);
        others.any(|other| (own.is_scalar() || other.is_scalar()) && other.overlaps(own))
    }
}

impl<'d> Collected<'_, 'd> {
    /// Adds branches. A nameless union among them adds its own, and so does a union that contains this one as a branch,
    /// and a union with values of the kind of another branch, if one of the two has only scalars, which would never
    /// be read.
    fn add(&mut self, branches: Vec<Schema<'d>>) {
        let mut open = vec![Keyword::new(branches, self.known)];
        while let Some(keyword) = open.last_mut() {
            let index = keyword.added;
            let Some(branch) = keyword.branches.get(index) else {
                open.pop();
                continue;
            };
            keyword.added += 1;
            if branch.is_false() || is_null_among(branch, &keyword.branches) {
                continue;
            }
            match classify_known(branch, false, self.known).kind {
                SchemaKind::Alternatives(_, inner) => open.push(Keyword::new(inner, self.known)),
                SchemaKind::Ref(reference) => match self.union_at(&reference) {
                    Some((place, _)) if self.spliced.contains(&place) => {}
                    Some((place, inner))
                        if keyword.is_shared(index) || self.returns(inner.clone()) =>
                    {
                        self.spliced.insert(place);
                        self.searched.clear();
                        open.push(Keyword::new(inner, self.known));
                    }
                    _ => self.push(reference),
                },
                _ => {
                    let branch = branch.clone();
                    self.push(branch);
                }
            }
        }
    }

    /// Returns whether one of some branches is a union whose branches were added, or contains such a union as a branch.
    fn returns(&mut self, mut open: Vec<Schema<'d>>) -> bool {
        let limit = self.searched.len() + MAX_UNIONS;
        while let Some(branch) = open.pop().filter(|_| self.searched.len() < limit) {
            let Some(target) = branch.target() else { continue };
            if self.spliced.contains(&target.pointer) {
                return true;
            }
            if self.searched.insert(target.pointer.clone()) {
                open.extend(target.alternatives());
            }
        }
        false
    }

    /// Returns the place and the branches of the union that a reference names.
    fn union_at(&mut self, reference: &Schema<'d>) -> Option<(Pointer, Vec<Schema<'d>>)> {
        match resolve_refs(reference, self.known)? {
            (target, Classified { kind: SchemaKind::Alternatives(_, inner), .. }) => {
                Some((target.pointer.clone(), inner))
            }
            _ => None,
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
        let Some((target, classified)) = resolve_refs(&branch, self.known) else {
            self.branches.push((branch, None));
            return;
        };
        if !is_null(&branch) && !has_only_null(&target) {
            self.any |= matches!(classified.kind, SchemaKind::Simple(Type::Value));
            let shape = shape_of(&branch, 0, self.known);
            self.branches.push((branch, shape));
        }
    }
}

/// Returns the shape of the values of a schema; `None` if it is another one.
fn shape_of<'d>(
    schema: &Schema<'d>,
    depth: usize,
    known: &mut Known<Values<'d>>,
) -> Option<ValueShape> {
    let values = known.read(schema);
    let kind = values.only_kind()?;
    if values.is_scalar() {
        return Some(ValueShape::Scalar(kind));
    }
    match classify_target(schema, known)?.kind {
        SchemaKind::Map(_) if Facts::of(schema).required.is_empty() => Some(ValueShape::Map),
        SchemaKind::List(Content::Any) => Some(ValueShape::List(Box::new(ValueShape::Any))),
        SchemaKind::List(Content::Of(items)) if depth < MAX_SHAPE_DEPTH => {
            Some(ValueShape::List(Box::new(shape_of(&items, depth + 1, known)?)))
        }
        SchemaKind::Alternatives(_, branches) if depth < MAX_SHAPE_DEPTH => {
            let branches = branches.iter().filter(|branch| !is_null_among(branch, &branches));
            let mut shapes = branches.map(|branch| shape_of(branch, depth + 1, known));
            let first = shapes.next()??;
            shapes.all(|shape| shape.as_ref() == Some(&first)).then_some(first)
        }
        _ => None,
    }
}
