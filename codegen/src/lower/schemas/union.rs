//! Unions: objects that hold exactly one of several members.

use super::protobuf_oneof::Group;
use crate::diagnostics::Place;
use crate::document::Schema;
use crate::ir::{Docs, Union, UnionVariant, VariantName};
use crate::lower::names::{self, Scope};
use crate::lower::{Lowering, Owner, docs};

/// The variants of a union in the making.
#[derive(Default)]
struct Variants {
    list: Vec<UnionVariant>,
    names: Scope<VariantName>,
}

impl<'d> Lowering<'d> {
    /// Lowers the branches of a union, each an object with one required member.
    pub(crate) fn union_of(&mut self, branches: &'d [Schema], owner: &Owner) -> Union {
        let mut variants = Variants::default();
        for branch in branches {
            let Some((member, schema)) = branch.properties.first() else {
                continue;
            };
            let said =
                branch.rust_name.as_ref().or(branch.title.as_ref()).or(schema.rust_name.as_ref());
            let described = branch.description.as_ref().or(schema.description.as_ref());
            let docs = docs(described, None, branch.deprecated || schema.deprecated);
            self.add_variant(&mut variants, said.unwrap_or(member), member, schema, docs, owner);
        }
        Union { variants: variants.list }
    }

    /// Lowers a union that the description of an object tells in words, out of the object's own members.
    pub(crate) fn told_union(
        &mut self,
        group: &Group<'_>,
        schema: &'d Schema,
        owner: &Owner,
    ) -> Union {
        let mut variants = Variants::default();
        for &listed in &group.members {
            let Some((member, schema)) =
                schema.properties.iter().find(|(member, _)| member == listed)
            else {
                self.diagnostics
                    .warning(
                        "unknown-member",
                        Place::value(&schema.pointer.join("description")),
                        format!("`{listed}` is not a member of the object"),
                    )
                    .help("correct the list of the members that exclude one another");
                continue;
            };
            let said = schema.rust_name.as_ref().unwrap_or(member);
            let docs = docs(schema.description.as_ref(), schema.title.as_ref(), schema.deprecated);
            self.add_variant(&mut variants, said, member, schema, docs, owner);
        }
        Union { variants: variants.list }
    }

    fn add_variant(
        &mut self,
        variants: &mut Variants,
        said: &str,
        member: &str,
        schema: &'d Schema,
        docs: Docs,
        owner: &Owner,
    ) {
        let name = names::variant(said);
        let what = format!("the variant `{}::{name}`", owner.name);
        if !variants.names.take(name.clone(), &schema.pointer, &what, self.diagnostics) {
            return;
        }
        let ty = self.type_of(schema, &owner.child(member)).ty;
        let pointer = schema.pointer.to_string();
        variants.list.push(UnionVariant {
            constructor: names::method(name.as_str()),
            name,
            member: member.to_owned(),
            ty,
            boxed: false,
            docs,
            pointer,
        });
    }
}
