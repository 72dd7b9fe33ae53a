//! The fields of an object, collected from its properties and from the parts of its `allOf`.

use std::collections::{HashMap, HashSet};

use super::unions::{Part, UnionMember};
use crate::diagnostics::{Code, Place};
use crate::document::{Pointer, Schema};
use crate::facts::composition::{alternatives, has_only_alternatives, member_union};
use crate::facts::{Containers, Describing, Merged, Values, is_silent};
use crate::ir::JsonKind;
use crate::lower::classify::Definition;
use crate::lower::schemas::protobuf_oneof::{self, Oneof};
use crate::lower::schemas::{MAX_DEPTH, too_deep, union, untyped, untyped_next_to_union};
use crate::lower::{Context, Owner};

/// The members of an object, not named and typed yet.
pub struct Parts<'d> {
    pub members: Vec<Member<'d>>,
    pub required: HashSet<&'d str>,
    pub additional: Option<Additional<'d>>,
}

/// A member of an object that becomes a field.
pub enum Member<'d> {
    Property(OwnProperty<'d>),
    Union(UnionMember<'d>),
}

pub struct OwnProperty<'d> {
    pub name: &'d str,
    pub schema: Schema<'d>,
    /// What that schema says, if it was compared with others.
    described: Option<Box<Merged<'d>>>,
    /// The schemas that apply to it, the last first, including schemas that only annotate it.
    pub all: Vec<Schema<'d>>,
    pub owner: Owner,
}

pub struct Additional<'d> {
    /// The schemas of their values: each value has one of them. Empty if any value is allowed.
    pub values: Vec<Schema<'d>>,
    /// The schema that describes them.
    pub of: Schema<'d>,
    pub owner: Owner,
}

impl<'d> Parts<'d> {
    pub fn collect(schema: &Schema<'d>, owner: &Owner, context: &Context<'d>) -> Self {
        let mut merge = Merge {
            context,
            members: Vec::new(),
            properties: HashMap::new(),
            required: HashSet::new(),
            others: Vec::new(),
            is_closed: false,
            merged: HashSet::new(),
            open: Vec::new(),
        };
        merge.object(schema, owner);
        let is_closed = merge.is_closed;
        let mut parts = Self {
            additional: merge.additional(owner),
            members: merge.members.into_iter().flatten().collect(),
            required: merge.required,
        };
        parts.drop_overlapping_unions(context);
        parts.drop_shared_properties(context);
        // An object without properties is any object.
        if parts.members.is_empty() && parts.additional.is_none() && !is_closed {
            let (of, owner) = (schema.clone(), owner.clone());
            parts.additional = Some(Additional { values: Vec::new(), of, owner });
        }
        parts
    }

    /// Removes unions with properties that the object or another union also has, because those can be together.
    fn drop_overlapping_unions(&mut self, context: &Context<'d>) {
        let properties = self.members.iter().filter_map(|member| match member {
            Member::Property(property) => Some(property.name),
            Member::Union(_) => None,
        });
        let mut seen: HashSet<&str> = properties.collect();
        self.members.retain(|member| {
            let Member::Union(union) = member else { return true };
            let Definition::Properties(branches) = &union.definition else { return true };
            let overlaps = branches.iter().any(|branch| seen.contains(branch.property));
            if overlaps {
                let what = "`oneOf` over properties that the object also has";
                untyped(&union.pointer, what, context);
            } else {
                seen.extend(branches.iter().map(|branch| branch.property));
            }
            !overlaps
        });
    }

    /// Removes the properties that all variants of a union describe: the union has them.
    fn drop_shared_properties(&mut self, context: &Context<'d>) {
        let mut shared = HashSet::new();
        let mut has_union = false;
        for member in &self.members {
            if let Member::Union(UnionMember { schema, definition, .. }) = member
                && let Definition::Union(branches) = definition
            {
                has_union = true;
                shared.extend(union::shared_properties(schema, branches, &context.reading));
            }
        }
        self.members.retain(|member| match member {
            Member::Property(property) => !shared.contains(property.name),
            Member::Union(_) => true,
        });
        // The union retains all properties that are not described.
        if has_union && let Some(Additional { values, .. }) = self.additional.take() {
            untyped_next_to_union(&values, context);
        }
    }
}

/// Merges the parts of an `allOf`.
struct Merge<'a, 'd> {
    context: &'a Context<'d>,
    /// The members; `None` for a property that a later part replaces.
    members: Vec<Option<Member<'d>>>,
    /// The indices of the properties, by name.
    properties: HashMap<&'d str, usize>,
    required: HashSet<&'d str>,
    /// The schemas that describe other properties than their own.
    others: Vec<(Schema<'d>, Owner)>,
    /// Whether a schema allows no other properties than its own.
    is_closed: bool,
    /// The schemas and `oneof` comments that were merged: each counts once.
    merged: HashSet<Pointer>,
    /// The objects that are being merged, each with the index of its first member: seeing one again is a cycle.
    open: Vec<(Schema<'d>, usize, Owner)>,
}

impl<'d> Merge<'_, 'd> {
    /// Adds the members of an object, after the members of its `allOf`.
    fn object(&mut self, schema: &Schema<'d>, owner: &Owner) {
        if let Some(start) = self.open.iter().position(|(open, ..)| open.pointer == schema.pointer)
        {
            // All schemas of the cycle report it at the same place.
            let cycle = self.open[start..].iter().map(|(open, ..)| &open.pointer);
            let first = cycle.min_by_key(ToString::to_string);
            let place = Place::value(first.unwrap_or(&schema.pointer));
            let message = "this schema is a part of itself, which adds nothing";
            let help = "remove one of the references, in `allOf` or next to other keywords";
            self.context.report(Code::SelfReference, place, message).help(help);
            return;
        }
        if !self.merged.insert(schema.pointer.clone()) {
            return;
        }
        if self.open.len() == MAX_DEPTH {
            too_deep(schema, self.context);
            return;
        }
        self.open.push((schema.clone(), self.members.len(), owner.clone()));
        for part in schema.all_of() {
            self.part(&part, owner);
        }
        self.required.extend(schema.required());
        self.properties(schema, owner);
        self.open.pop();
        self.alternatives(Part { written: schema, schema, component: None, owner });
        if schema.is_open() {
            self.others.push((schema.clone(), owner.clone()));
        } else {
            self.is_closed |= schema.additional_properties().is_some();
        }
    }

    /// Adds a part of an `allOf`, or the target of its `$ref`.
    fn part(&mut self, part: &Schema<'d>, owner: &Owner) {
        let target = self.context.target(part);
        let Some((schema, component)) = target else { return };
        let values = Values::of_keywords(&schema);
        let is_object = values.only_kind() == Some(JsonKind::Object) || schema.has_all_of();
        let has_members = has_only_alternatives(&schema) && member_union(&schema).is_some();
        if has_members || !is_object && !alternatives(&schema).is_empty() {
            if self.merged.insert(schema.pointer.clone()) {
                self.alternatives(Part { written: part, schema: &schema, component, owner });
            }
        } else if is_silent(&schema) {
            // Nothing is described.
        } else if is_object || values.is_any() {
            // The types in a component are the same wherever it is used.
            self.object(&schema, component.unwrap_or(owner));
        } else {
            let what = "a part of `allOf` that is not an object";
            untyped(&part.pointer, what, self.context);
        }
    }

    fn union(&mut self, part: Part<'_, 'd>, keyword: &str, definition: Definition<'d>) {
        let union = UnionMember::new(part, keyword, definition, self.context);
        self.members.push(Some(Member::Union(union)));
    }

    /// Adds the properties of a schema: as unions if a `oneof` comment lists them.
    fn properties(&mut self, schema: &Schema<'d>, owner: &Owner) {
        let comments = schema.description().map(protobuf_oneof::parse).unwrap_or_default();
        let mut listed: HashMap<&str, &Oneof<'d>> = HashMap::new();
        for oneof in &comments.oneofs {
            for &name in &oneof.properties {
                listed.entry(name).or_insert(oneof);
            }
        }
        for (name, property) in schema.properties() {
            let Some(oneof) = listed.get(name) else {
                self.property(name, property, owner);
                continue;
            };
            let key = schema.pointer.join("description").join(oneof.name);
            if self.merged.insert(key.clone()) {
                let union = UnionMember::of_comment(oneof, key, schema, owner, self.context);
                self.members.push(Some(Member::Union(union)));
            }
        }
    }

    /// Adds a property, to which its schemas in earlier parts apply as well.
    fn property(&mut self, name: &'d str, schema: Schema<'d>, owner: &Owner) {
        let mut all = vec![schema.clone()];
        let owner = owner.clone();
        let mut property = OwnProperty { name, schema, described: None, all: Vec::new(), owner };
        if let Some(&index) = self.properties.get(name)
            && let Some(Member::Property(mut earlier)) = self.members[index].take()
        {
            let known = &self.context.reading;
            let described = earlier.described.map(|described| *described);
            let described = described.unwrap_or_else(|| Merged::of(earlier.schema, known));
            let (describing, described) = described.meet(Merged::of(property.schema, known), known);
            property.schema = described.schema.clone();
            property.described = Some(Box::new(described));
            if describing != Describing::Replacing {
                all.append(&mut earlier.all);
            }
            match describing {
                Describing::First => {
                    let property = OwnProperty { all, owner: earlier.owner, ..property };
                    self.members[index] = Some(Member::Property(property));
                    return;
                }
                Describing::Second | Describing::Replacing => {}
                Describing::Both => {
                    property.owner = self.owner_of_both(index, &property.owner).met();
                }
            }
        }
        self.properties.insert(name, self.members.len());
        self.members.push(Some(Member::Property(OwnProperty { all, ..property })));
    }

    /// Returns the owner of the innermost object that contains an earlier member, too.
    fn owner_of_both<'o>(&'o self, earlier: usize, owner: &'o Owner) -> &'o Owner {
        let outer = self.open.iter().rev().find(|(_, first, _)| *first <= earlier);
        outer.map_or(owner, |(.., owner)| owner)
    }

    /// Adds the unions of the alternatives of an object, or of a part that only has alternatives.
    fn alternatives(&mut self, part: Part<'_, 'd>) {
        let members = member_union(part.schema);
        for (index, (keyword, branches)) in alternatives(part.schema).into_iter().enumerate() {
            // The type of a component is the union of its first keyword.
            let part = match part.component {
                Some(owner) if index > 0 => Part { component: None, owner, ..part },
                _ => part,
            };
            match members.clone().filter(|_| keyword == "oneOf") {
                Some(members) => self.union(part, keyword, Definition::Properties(members)),
                None => self.union_of(part, keyword, &branches),
            }
        }
    }

    /// Adds the union of the branches of a keyword that are objects. A single branch is a part of the object,
    /// unless a discriminator makes it a variant.
    fn union_of(&mut self, part: Part<'_, 'd>, keyword: &str, branches: &[Schema<'d>]) {
        let Part { schema, owner, .. } = part;
        // A base lists the objects that extend it: one of those is being merged.
        if self.open.iter().any(|(open, ..)| self.context.reading.is_within(open, schema)) {
            return;
        }
        let branches = union::objects(branches, schema, &self.context.reading);
        match branches.as_deref() {
            None | Some([]) => {
                let what = format!("this use of `{keyword}` next to `properties`");
                untyped(&schema.pointer, &what, self.context);
            }
            Some(branches @ [only])
                if only.schemas.len() == 1 && !union::are_variants(branches, schema) =>
            {
                self.part(only.schema(), owner);
            }
            Some(branches) => self.union(part, keyword, Definition::Union(branches.to_vec())),
        }
    }

    /// Returns the properties that are not described by name: as one of the schemas describes them, or as all do.
    fn additional(&self, outermost: &Owner) -> Option<Additional<'d>> {
        let objects = |(schema, _): &(Schema<'d>, Owner)| Containers::of(schema);
        let pointers = |values: &[Schema<'d>]| -> Vec<Pointer> {
            values.iter().flat_map(Schema::pointers).collect()
        };
        let known = &self.context.reading;
        let values = self.others.iter().map(objects).reduce(Containers::meet)?.values(known);
        let describes_all =
            |other: &&_| pointers(&objects(other).values(known)) == pointers(&values);
        let has_patterns = |(schema, _): &&(Schema<'d>, _)| schema.has("patternProperties");
        let others = || self.others.iter();
        let (of, owner) = others()
            .rfind(describes_all)
            .map(|(schema, owner)| (schema, owner.clone()))
            .or_else(|| {
                let (schema, _) = others().rfind(has_patterns).or(self.others.last())?;
                Some((schema, outermost.met()))
            })?;
        let allows_none = !values.is_empty() && values.iter().all(Schema::is_false);
        (!allows_none).then(|| Additional { values, of: of.clone(), owner })
    }
}
