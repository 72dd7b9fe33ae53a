//! Unions: their branches, how these are told apart, and the names and types of their variants.

mod best_fit;
mod branches;
mod discriminator;
mod distinguished;
mod levels;
mod questions;
mod rules;
mod tags;

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::Schemas;
use crate::diagnostics::{Code, Place, listed};
use crate::document::{Document, Schema};
use crate::facts::{Branch, Facts, Known, Values};
use crate::ir::{Constant, Decision, Union, UnionVariant, VariantName};
use crate::lower::{Alternative, Annotations, Owner, docs};
use crate::names::{self, NameRequest, Priority};
pub use branches::{alternatives, are_variants, is_open, objects, shared_properties};
pub use discriminator::base_among;
use distinguished::{only, only_text};
use rules::Decided;

impl<'d> Schemas<'_, 'd> {
    pub fn union_of(
        &mut self,
        mut branches: Vec<Alternative<'d>>,
        schema: &Schema<'d>,
        owner: &Owner,
    ) -> Union {
        let known = &self.context.reading;
        // Whether objects are closed is a matter of the branches.
        let own = Facts { is_closed: false, ..known.facts(&schema.base()) };
        let mut decided: Vec<rules::Branch<'d>> =
            branches.iter().map(|branch| facts_of(branch, &own, known)).collect();
        let base = discriminator::base(schema, &branches, self.context);
        for branch in branches.iter_mut().filter(|_| base.is_some()) {
            branch.extension = branch.component_key();
        }
        let declaring = base.unwrap_or(schema);
        let declared = discriminator::declared(declaring, &branches, &mut decided, self.context);
        let Decided { mut rules, ambiguous } = rules::decide(&decided, declared.as_ref(), known);
        rules.is_open = is_open(schema);
        rules.siblings = branches::siblings(schema, &decided, &rules);
        let names = self.names_of(&branches, &decided, owner);
        let groups = ambiguous.iter().map(|group| {
            listed(&group.iter().map(|&index| names[index].as_str()).collect::<Vec<_>>())
        });
        if let [first, others @ ..] = &groups.collect::<Vec<_>>()[..] {
            let others = others.iter().fold(String::new(), |all, group| all + ", nor can " + group);
            let message = format!(
                "{first} cannot be told apart{others}: a value that matches several is decoded as the smallest"
            );
            self.context
                .report(Code::AmbiguousUnion, Place::value(&schema.pointer), message)
                .help("with an overlay, give each branch a required property with its own `const`");
        }
        let tag = declared.map_or("", |declared| declared.name);
        let variants = branches.iter().zip(names);
        let variants = variants.map(|(branch, name)| self.variant_of(branch, name, tag, owner));
        Union { decision: Decision::Rules(rules), variants: variants.collect(), base: None }
    }

    fn variant_of(
        &mut self,
        branch: &Alternative<'d>,
        name: VariantName,
        tag: &str,
        owner: &Owner,
    ) -> UnionVariant {
        let of_variant = owner.variant(name.as_str());
        let described = branch.schema();
        let ty = match &branch.extension {
            Some(key) => self.extension_type(key, tag, &described.pointer),
            None => self.type_of_alternative(branch, &of_variant),
        };
        UnionVariant {
            snake_case: names::method(name.as_str()),
            name,
            property: None,
            ty,
            boxed: false,
            shown: None,
            docs: Annotations::of(described, &self.context.reading).docs(),
            pointer: described.pointer.to_string(),
        }
    }

    /// Names the variants: after the component, the title, a constant, the only required property, or the kind. If these
    /// are equal, after a property that only one of them has. A title that several have is none.
    fn names_of(
        &mut self,
        branches: &[Alternative<'d>],
        decided: &[rules::Branch<'d>],
        owner: &Owner,
    ) -> Vec<VariantName> {
        let titles: Vec<Option<&str>> = branches.iter().map(title).collect();
        let is_distinct =
            |title: &&str| titles.iter().filter(|other| **other == Some(*title)).count() == 1;
        let wanted: Vec<(String, Priority)> = branches
            .iter()
            .zip(decided)
            .zip(&titles)
            .map(|((branch, described), title)| {
                let title = || title.filter(is_distinct).map(str::to_owned);
                if let Some(name) = self.component_name(branch).or_else(title) {
                    return (name, Priority::Declared);
                }
                let name = constant_name(described, decided)
                    .or_else(|| property_name(described, decided))
                    .or_else(|| value_name(described))
                    .unwrap_or_else(|| branch.kind_name(&self.context.reading));
                (name, Priority::Derived)
            })
            .collect();
        let distinguished =
            distinguished::candidates(&wanted, branches, decided, &self.context.reading);
        let named = wanted.iter().zip(branches).zip(distinguished);
        let requests = named.map(|(((name, priority), branch), (raw, candidates, is_hashed))| {
            let raw = if *priority == Priority::Derived { raw } else { name.clone() };
            let mut request = NameRequest::new(raw, &branch.schema().pointer);
            request.candidates = candidates.into_iter().map(Cow::from).collect();
            let method = format!("into_{}", names::snake(name));
            if method.len() > names::MAX_NAME
                && request.candidates.first().is_some_and(|first| first == name)
                && let Some(short) = names::without_union(&owner.name(), name)
            {
                request.candidates.insert(0, short.into());
            }
            let pins = branch.named().iter().filter_map(|schema| self.context.pin(schema));
            NameRequest { priority: *priority, is_hashed, ..request }.pinned(only_of(pins))
        });
        let what = |name: &VariantName| format!("the variant `{}::{name}`", owner.name());
        self.context.assign(requests, |_, text| names::variant(text), what)
    }

    fn component_name(&self, branch: &Alternative<'d>) -> Option<String> {
        let component = |key: &str| Some(self.context.name_of(&self.context.component(key)?.owner));
        if let Some(key) = &branch.extension {
            return component(key);
        }
        let schemas = branch.named().iter();
        let keys = schemas.filter_map(|schema| Document::key_of(schema.reference()?));
        only_of(keys.filter_map(|key| component(&key)))
    }

    pub fn property_union(&mut self, branches: &[Branch<'d>], owner: &Owner) -> Union {
        let names = self.variant_names(branches, owner);
        let variants = branches.iter().zip(names).map(|(branch, name)| {
            let Branch { schema, property, value } = branch;
            let title = value.title().filter(|_| branch.is_bare());
            let of_value = Annotations::of(value, &self.context.reading);
            let described = schema.description().or(of_value.description);
            UnionVariant {
                snake_case: names::method(name.as_str()),
                name,
                property: Some((*property).to_owned()),
                ty: self.type_of(value, &owner.property(property)).ty,
                boxed: false,
                shown: None,
                docs: docs(described, title, schema.flag("deprecated") || value.flag("deprecated")),
                pointer: value.pointer.to_string(),
            }
        });
        Union { decision: Decision::Property, variants: variants.collect(), base: None }
    }

    /// Names the variants after the titles of their branches, or after the properties.
    fn variant_names(&mut self, branches: &[Branch<'d>], owner: &Owner) -> Vec<VariantName> {
        let requests = branches.iter().map(|branch| {
            let Branch { schema, value, .. } = branch;
            let title = schema.title().filter(|_| !branch.is_bare()).map(str::to_owned);
            let pin = self.context.pin(schema).or(title).or_else(|| self.context.pin(value));
            NameRequest::new(branch.property, &value.pointer).pinned(pin)
        });
        let what = |name: &VariantName| format!("the variant `{}::{name}`", owner.name());
        self.context.assign(requests, |_, text| names::variant(text), what)
    }
}

fn title<'d>(branch: &Alternative<'d>) -> Option<&'d str> {
    only_of(branch.named().iter().filter_map(|schema| schema.title()))
}

/// Returns the facts about a branch, which the schema of the union itself restricts.
fn facts_of<'d>(branch: &Alternative<'d>, own: &Facts<'d>, known: &Known<'d>) -> rules::Branch<'d> {
    let (facts, key) = if let Some(shape) = &branch.shape {
        (known.facts_of_any(&branch.schemas), shape.name.to_lowercase())
    } else {
        let key = branch.component_key().unwrap_or_else(|| branch.schema().to_text());
        (known.facts(branch.schema()), key)
    };
    let mut own = own.clone();
    // A type that excludes a branch is a slip.
    if !facts.values.overlaps(&own.values) {
        own.values = Values::ANY;
    }
    let facts = own.meet(facts);
    rules::Branch { facts, key, tags: BTreeSet::new() }
}

/// Returns the constant that names a branch: the constant of a declared tag, or else of one of its own properties. A constant
/// that is not a word, such as a URL, names no branch that the kind of JSON tells apart.
fn constant_name(branch: &rules::Branch<'_>, all: &[rules::Branch<'_>]) -> Option<String> {
    let rules::Branch { facts, tags, .. } = branch;
    let alike = all.iter().filter(|other| other.facts.values.overlaps(&facts.values)).count();
    let is_word =
        |text: &str| text.chars().all(|char| char.is_alphanumeric() || " -_.".contains(char));
    let mut names: Vec<&str> = facts.properties.keys().copied().collect();
    names.sort_by_key(|name| !facts.required.contains(name));
    let text = |name: &str| only_text(facts.constants(name)?);
    let constant = tags.iter().copied().chain(names).find_map(text);
    constant.filter(|text| alike > 1 || is_word(text))
}

/// Returns the required property whose number or boolean names a branch, with this value.
fn value_name(branch: &rules::Branch<'_>) -> Option<String> {
    branch.facts.required.iter().find_map(|name| match only(branch.facts.constants(name)?)? {
        Constant::Json(value) => Some(format!("{name} {}", value.replace('-', "minus "))),
        Constant::Text(_) => None,
    })
}

/// Returns the property that names a branch: the only required property that is neither the declared tag nor has
/// constants that distinguish the branch from another.
fn property_name(branch: &rules::Branch<'_>, all: &[rules::Branch<'_>]) -> Option<String> {
    let rules::Branch { facts, tags, .. } = branch;
    let is_shared =
        |name: &str| all.iter().filter(|it| it.facts.properties.contains_key(name)).count() > 1;
    let is_tag =
        |name: &str| facts.constants(name).is_some() && is_shared(name) || tags.contains(name);
    let mut required = facts.required.iter().filter(|name| !is_tag(name));
    let only = required.next().filter(|_| required.next().is_none())?;
    facts.properties.contains_key(only).then(|| (*only).to_owned())
}

/// Returns a name that all schemas with a name have.
fn only_of<N: PartialEq>(mut names: impl Iterator<Item = N>) -> Option<N> {
    let first = names.next()?;
    names.all(|other| other == first).then_some(first)
}
