//! Unions: objects that hold exactly one of several members.

use super::names::{self, Scope};
use super::{Lowering, Owner, docs};
use crate::document::Schema;
use crate::ir::{Union, UnionVariant};

impl<'d> Lowering<'d> {
    /// Lowers the branches of a union, each an object with one required member.
    pub(super) fn union_of(&mut self, branches: &'d [Schema], owner: &Owner) -> Union {
        let mut scope = Scope::default();
        let mut variants = Vec::new();
        for branch in branches {
            let Some((member, schema)) = branch.properties.first() else { continue };
            let said = branch.rust_name.as_ref().or(branch.title.as_ref()).or(schema.rust_name.as_ref());
            let name = names::variant(said.unwrap_or(member));
            let what = format!("the variant `{}::{name}`", owner.name);
            if !scope.take(name.clone(), &schema.pointer, &what, self.diagnostics) {
                continue;
            }
            let typed = self.type_of(schema, &owner.child(member));
            let described = branch.description.as_ref().or(schema.description.as_ref());
            variants.push(UnionVariant {
                name,
                member: member.clone(),
                ty: typed.ty,
                boxed: false,
                docs: docs(described, None, branch.deprecated || schema.deprecated),
                pointer: schema.pointer.to_string(),
            });
        }
        Union { variants }
    }
}
