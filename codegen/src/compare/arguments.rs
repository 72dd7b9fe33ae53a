//! The differences between the arguments of two methods.

use super::causes::is_for_tests;
use super::differences::{Differences, Sides};
use super::what::{ArgumentChange, What};
use crate::ir::Scalar;
use crate::items::{Argument, MemberKind, MemberRef, Method, Ty, Wire};

impl<'a> Differences<'a> {
    pub(super) fn compare_methods(
        &mut self,
        pair: Sides<'a>,
        [old, new]: [&Method; 2],
        cause: &str,
    ) {
        if is_for_tests(pair.new) && !is_for_tests(pair.old) {
            let [from, to] = [pair.old, pair.new].map(|it| MemberRef::whole(it.path, it.item));
            return self.add(&self.causes.of_member(from, to), What::Unsent, pair);
        }
        self.compare_arguments(pair, [old, new], cause);
        if let Some(feature) = &new.feature
            && old.feature != new.feature
            && old.feature.as_ref().is_none_or(|lost| self.has_feature(lost))
        {
            let lost = old.feature.clone();
            let what = What::Gated { lost, features: vec![feature.clone()] };
            self.add(cause, what, pair);
        }
        self.compare_outputs(pair, [&old.signature.output, &new.signature.output], cause);
    }

    fn compare_arguments(&mut self, pair: Sides<'a>, [old, new]: [&Method; 2], cause: &str) {
        let before = &old.signature.arguments;
        let after = &new.signature.arguments;
        let accepts = |(old, new): (&Argument, &Argument)| self.accepts(&old.ty, &new.ty);
        let pairs = before.iter().zip(after);
        let causes = self.causes;
        let request = old.signature.output.as_item();
        let of_arguments = || causes.of_arguments(request, before, after, cause);
        if before.len() != after.len() || !pairs.clone().all(accepts) {
            let changes = self.changes(pair, before, after);
            return self.add(&of_arguments(), What::Arguments(changes), pair);
        }
        let others = pairs.clone().filter(|(from, to)| !self.is_same(pair, from, to));
        let (lost, added): (Vec<_>, Vec<_>) = others.unzip();
        if is_reordered(before, after) || is_reordered(lost.iter().copied(), added.iter().copied())
        {
            return self.add(cause, What::Reordered, pair);
        }
        if !lost.is_empty() {
            let replaced = lost.into_iter().zip(added).map(|(from, to)| {
                (ArgumentChange::Replaced, format!("`{}` instead of `{}`", to.name, from.name))
            });
            return self.add(cause, What::Arguments(replaced.collect()), pair);
        }
        let is_sent_otherwise = pairs.clone().any(|(old, new)| {
            // The names of parameters in the path are not sent.
            old.wire.as_ref().map(Wire::unnamed_in_path)
                != new.wire.as_ref().map(Wire::unnamed_in_path)
        });
        if is_sent_otherwise || (old.wire != new.wire && new.alias_of.is_none()) {
            return self.add(cause, What::Wire, pair);
        }
        let narrowed: Vec<_> = pairs.clone().filter_map(narrowed).collect();
        if !narrowed.is_empty() {
            self.add(&of_arguments(), What::Arguments(narrowed), pair);
        } else if pairs.clone().any(|(old, new)| self.renames.translated(&old.ty) != new.ty) {
            self.add(&of_arguments(), What::Widened, pair);
        }
    }

    /// Returns whether an argument takes all values that another one takes, and sends the same.
    fn accepts(&self, old: &Ty, new: &Ty) -> bool {
        if let (Ty::IntoIterator(old), Ty::IntoIterator(new)) = (old, new) {
            return self.accepts(old, new);
        }
        let old = self.renames.translated(old);
        let is_integer = matches!(&old, Ty::IntoInteger(ty) if !matches!(**ty, Ty::Secret(_)));
        let is_parameter = is_integer || matches!(old, Ty::Scalar(_));
        // JSON values are made from these types.
        let is_value = matches!(old, Ty::Scalar(Scalar::Bool | Scalar::Float64) | Ty::Map)
            && *new == Ty::Into(Box::new(Ty::Value));
        let is_wider = is_value || (is_parameter && *new == Ty::Param);
        integers(&old, new).is_some() || old == *new || *new == Ty::Into(Box::new(old)) || is_wider
    }

    /// Returns the changes of the arguments of a method.
    fn changes(
        &self,
        pair: Sides<'a>,
        old: &[Argument],
        new: &[Argument],
    ) -> Vec<(ArgumentChange, String)> {
        let changed = old.iter().filter_map(|from| {
            let name = &from.name;
            let Some(to) = counterpart(new, from) else {
                return Some(if self.has_setter(pair.new, name) {
                    (ArgumentChange::Setter, format!("`{name}` is now a setter"))
                } else {
                    (ArgumentChange::Removed, format!("`{name}` is removed"))
                });
            };
            let text = || format!("`{name}` is now `{}` instead of `{}`", to.ty, from.ty);
            (to.ty != from.ty).then(|| (ArgumentChange::Retyped, text()))
        });
        let added = new.iter().enumerate().filter(|(_, it)| counterpart(old, it).is_none());
        let added = added.map(|(at, Argument { name, .. })| {
            match new[at..].iter().find(|it| counterpart(old, it).is_some()) {
                Some(next) => {
                    (ArgumentChange::Inserted, format!("`{name}` is new, before `{}`", next.name))
                }
                None => (ArgumentChange::Added, format!("`{name}` is new")),
            }
        });
        changed.chain(added).collect()
    }

    /// Returns whether what a method returns has a setter.
    fn has_setter(&self, method: MemberRef<'a>, name: &str) -> bool {
        let output = method.method().and_then(|method| method.signature.output.as_item());
        let item = output.map_or(Some(method.item), |path| self.new.items.get(path));
        let setter = item.and_then(|item| item.member(method.path, MemberKind::Method, name));
        setter.and_then(MemberRef::method).is_some_and(|it| it.signature.output == Ty::Itself)
    }

    /// Returns whether two arguments at the same position set the same parameter or property.
    fn is_same(&self, pair: Sides<'a>, old: &Argument, new: &Argument) -> bool {
        let [from, to] = [old, new].map(|it| it.wire.as_ref());
        // The names of parameters in the path are not sent.
        let is_path = [from, to].iter().all(|wire| wire.is_some_and(Wire::is_path));
        let name = from.and_then(Wire::name);
        let is_sent_alike = name.is_some() && name == to.and_then(Wire::name);
        let field = pair.old.item.member(pair.old.path, MemberKind::Field, &old.name);
        let is_renamed = field
            .is_some_and(|field| self.renames.member(field) == (pair.new.path, new.name.as_str()));
        old.name == new.name || is_path || is_sent_alike || is_renamed
    }
}

/// Returns the types of two integers, also within lists, if both arguments take all primitive ones.
fn integers<'t>(old: &'t Ty, new: &'t Ty) -> Option<[&'t Ty; 2]> {
    match (old, new) {
        (Ty::IntoIterator(old), Ty::IntoIterator(new)) => integers(old, new),
        (Ty::IntoInteger(old), Ty::IntoInteger(new)) => Some([old, new]),
        _ => None,
    }
}

/// Returns the change of integers that must fit into a smaller type now.
fn narrowed((old, new): (&Argument, &Argument)) -> Option<(ArgumentChange, String)> {
    let [from, to] = integers(&old.ty, &new.ty)?;
    let is_wider = match to {
        Ty::Scalar(Scalar::Int64) => matches!(from, Ty::Scalar(Scalar::Int32 | Scalar::UInt32)),
        Ty::Scalar(Scalar::UInt64) => *from == Ty::Scalar(Scalar::UInt32),
        to => *to == Ty::Scalar(Scalar::Int128),
    };
    let text = format!("`{}` must fit into `{to}` now", new.name);
    (from != to && !is_wider).then_some((ArgumentChange::Narrowed, text))
}

/// Returns the argument with the name of another one.
fn counterpart<'a>(list: &'a [Argument], of: &Argument) -> Option<&'a Argument> {
    list.iter().find(|it| it.name == of.name)
}

/// Returns whether arguments of the same types have changed places.
fn is_reordered<'a>(
    old: impl IntoIterator<Item = &'a Argument>,
    new: impl IntoIterator<Item = &'a Argument>,
) -> bool {
    let mut old: Vec<&str> = old.into_iter().map(|argument| argument.name.as_str()).collect();
    let mut new: Vec<&str> = new.into_iter().map(|argument| argument.name.as_str()).collect();
    let differs = old != new;
    old.sort_unstable();
    new.sort_unstable();
    differs && old == new
}
