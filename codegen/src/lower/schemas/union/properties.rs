//! Unions: objects with exactly one of several properties.

use crate::facts::Branch;
use crate::ir::{Decision, Union, UnionVariant, VariantName};
use crate::lower::Annotations;
use crate::lower::schemas::Schemas;
use crate::lower::{Owner, docs};
use crate::names::{self, NameRequest};

impl<'d> Schemas<'_, 'd> {
    /// Lowers a union of properties.
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
                docs: docs(described, title, schema.deprecated() || value.deprecated()),
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
