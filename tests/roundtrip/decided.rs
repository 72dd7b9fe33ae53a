//! How the branches of unions are told apart: by what a change leaves as it is, and by discriminators.

use std::collections::HashSet;

use serde_json::Value;

use crate::samples::ANY;
use crate::shape::{Id, Object, Shape, Shapes};

impl<'d> Shapes<'d> {
    /// Returns whether a `discriminator` of a shape says of an object that it is of a schema which does not exist.
    pub fn names_no_schema(&self, id: Id, object: &Value) -> bool {
        let at = |pointer: &str| Some(self.document.value(self.document.at(pointer)?));
        let is_name =
            |name: &str| at("/components/schemas").is_some_and(|it| it.get(name).is_some());
        self.places(id).iter().any(|place| {
            let discriminator = at(place).and_then(|it| it.get("discriminator"));
            let property = discriminator.and_then(|it| it["propertyName"].as_str());
            let name = property.and_then(|property| object[property].as_str());
            let is_mapped =
                |name: &str| discriminator.is_some_and(|it| it["mapping"].get(name).is_some());
            name.is_some_and(|name| !is_name(name) && !is_mapped(name))
        })
    }

    /// Returns whether values have one of several branches, other than null.
    pub fn is_union(&self, id: Id) -> bool {
        self.others_than_null(id).is_some_and(|branches| branches.count() > 1)
    }

    fn others_than_null(&self, id: Id) -> Option<impl Iterator<Item = Id>> {
        let Shape::OneOf(branches) = self.shape(id) else { return None };
        let is_null = |id: &Id| matches!(self.shape(*id), Shape::Scalar("null", _));
        Some(branches.iter().map(|(_, id)| *id).filter(move |id| !is_null(id)))
    }

    /// Returns the properties that tell the branches of a union which are objects apart, if there are several; `None` if
    /// neither they nor the kinds of values decide.
    pub fn tags(&self, id: Id) -> Option<Vec<&'d str>> {
        let mut kinds = HashSet::new();
        let mut objects = Vec::new();
        for branch in self.others_than_null(id)? {
            let kind = match self.shape(branch) {
                Shape::Object(object) if object.oneofs.is_empty() => {
                    objects.push(object);
                    continue;
                }
                Shape::Scalar("integer", _) => "number",
                Shape::Scalar(kind, _) if *kind != ANY => kind,
                Shape::Array(..) => "array",
                _ => return None,
            };
            if !kinds.insert(kind) {
                return None;
            }
        }
        let [first, _, ..] = objects.as_slice() else { return Some(Vec::new()) };
        let constant = |object: &Object<'d>, name: &str| {
            let property = object.property(name)?;
            match (self.shape(property.id), &property.tag) {
                (Shape::Values(values), _) if values.len() == 1 && property.required => {
                    values[0].1.as_str()
                }
                (Shape::Values(_), _) => None,
                (_, tag) => Some(tag.as_ref()?.value),
            }
        };
        let differ = |name: &&str| {
            let mut known = HashSet::new();
            let mut constants = objects.iter().map(|object| constant(object, name));
            constants.all(|constant| constant.is_some_and(|constant| known.insert(constant)))
        };
        let tags: Vec<_> = first.properties.iter().map(|it| it.name).filter(differ).collect();
        (!tags.is_empty()).then_some(tags)
    }
}
