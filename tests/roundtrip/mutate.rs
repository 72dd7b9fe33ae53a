//! Turns an instance into a value that a later version of a service, or a careless one, may send.

use serde_json::{Map, Value, json};

use crate::compare::{Step, path_text};
use crate::coverage::Coverage;
use crate::instance::instance;
use crate::samples::{self, ANY};
use crate::shape::{Id, Object, Property, Rest, Shape, Shapes};
use tests::Tape;

/// A value to change, with its description.
pub struct Spot<'a, 't, 'd> {
    shapes: &'a Shapes<'d>,
    shape: &'a Shape<'d>,
    value: &'a mut Value,
    tape: &'a mut Tape<'t>,
}

/// Changes a value, if that is possible.
type Mutation = fn(&mut Spot<'_, '_, '_>) -> Option<()>;

/// The mutation after which a value may be refused.
pub const OTHER_TYPE: &str = "values of another type";

/// All of them, with their names.
pub const MUTATIONS: [(&str, Mutation); 9] = [
    ("unknown properties", |spot| (0..=spot.tape.below(3)).try_for_each(|_| spot.add_unknown())),
    ("unknown enum values", |spot| spot.make_unknown()),
    ("unions without a member", |spot| spot.remove_members()),
    ("unions of an unknown member", |spot| {
        spot.described()?;
        spot.remove_members()?;
        spot.add_unknown()
    }),
    ("unions of several members", |spot| spot.add_member()),
    ("properties made null", |spot| {
        spot.property().map(|(object, name)| object[&name] = Value::Null)
    }),
    ("properties removed", |spot| spot.property().map(|(object, name)| drop(object.remove(&name)))),
    ("elements made null", |spot| {
        let items = spot.value.as_array_mut().filter(|items| !items.is_empty())?;
        let index = spot.tape.below(items.len());
        let replaced = usize::from(!spot.tape.one_in(2));
        items.splice(index..index + replaced, [Value::Null]);
        Some(())
    }),
    (OTHER_TYPE, |spot| {
        let mut others = vec![json!(-7), json!("surprise"), json!({"surprise": 1}), json!([])];
        let kind = std::mem::discriminant(&*spot.value);
        others.retain(|other| std::mem::discriminant(other) != kind);
        *spot.value = spot.tape.choose(&others).filter(|_| !spot.value.is_null())?;
        Some(())
    }),
];

/// Applies a mutation at one of the spots of an instance, and returns its name and the path of the spot. Where the one
/// that the tape names is not possible, it is the turn of the next.
pub fn mutate(
    shapes: &Shapes<'_>,
    spots: &[(Vec<Step>, Id)],
    value: &mut Value,
    tape: &mut Tape<'_>,
) -> Option<(&'static str, String)> {
    let first = tape.below(MUTATIONS.len());
    let start = tape.below(spots.len());
    MUTATIONS.iter().cycle().skip(first).take(MUTATIONS.len()).find_map(|(name, mutation)| {
        let mut spots = spots.iter().cycle().skip(start).take(spots.len());
        let path = spots.find_map(|(path, id)| {
            let value = path.iter().try_fold(&mut *value, |value, step| match step {
                Step::Name(name) => value.get_mut(name),
                Step::Index(index) => value.get_mut(index),
            })?;
            let shape = shapes.shape(*id);
            mutation(&mut Spot { shapes, shape, value, tape }).map(|()| path_text(path))
        })?;
        Some((*name, path))
    })
}

impl<'a, 'd> Spot<'a, '_, 'd> {
    /// Returns an object, and the name of one of its properties.
    fn property(&mut self) -> Option<(&mut Map<String, Value>, String)> {
        let object = self.value.as_object_mut()?;
        let name = object.keys().nth(self.tape.below(object.len()))?.clone();
        Some((object, name))
    }

    /// Returns the described properties of an object that can have others of any kind.
    fn described(&self) -> Option<&'a [Property<'d>]> {
        match self.shape {
            Shape::Object(object) if !matches!(object.rest, Rest::Of(_)) => {
                Some(&object.properties)
            }
            Shape::Scalar(ANY, _) => Some(&[]),
            _ => None,
        }
    }

    /// Returns an object with oneofs, and their members.
    fn members(&mut self) -> Option<(&mut Map<String, Value>, Vec<&'a Property<'d>>)> {
        let Shape::Object(Object { properties, oneofs, .. }) = self.shape else { return None };
        let object = self.value.as_object_mut().filter(|_| !oneofs.is_empty())?;
        let members = properties.iter().filter(|property| property.oneof.is_some());
        Some((object, members.collect()))
    }

    /// Replaces the value of an enum of strings by one that is not listed.
    fn make_unknown(&mut self) -> Option<()> {
        let Shape::Values(values) = self.shape else { return None };
        let known = values.iter().find_map(|(_, value)| value.as_str())?;
        let is_text = |value: &Value| value.is_string() || value.is_null();
        if !self.value.is_string() || !values.iter().all(|(_, value)| is_text(value)) {
            return None;
        }
        let lower = known.to_lowercase();
        let spaced = format!("{known} ");
        let unknown = ["UNKNOWN_VALUE", "", &lower, &spaced, &self.tape.text()];
        *self.value = json!(self.tape.choose(&unknown));
        Some(())
    }

    /// Adds a property that is not described.
    fn add_unknown(&mut self) -> Option<()> {
        let described = self.described()?;
        let object = self.value.as_object_mut()?;
        let like_another = object.keys().next().map(|name| name.to_uppercase()).unwrap_or_default();
        let random = self.tape.text();
        let names = ["unknown", "$ref", "additional_properties", &like_another, &random];
        let name = self.tape.choose(&names)?;
        if !described.iter().any(|property| property.name == name) {
            object.insert(name.to_owned(), self.tape.choose(samples::values(ANY, None))?);
        }
        Some(())
    }

    fn remove_members(&mut self) -> Option<()> {
        let (object, members) = self.members()?;
        object.retain(|name, _| !members.iter().any(|member| member.name == name));
        Some(())
    }

    /// Adds another member of a oneof, sometimes as null.
    fn add_member(&mut self) -> Option<()> {
        let (object, mut members) = self.members()?;
        members.retain(|member| !object.contains_key(member.name));
        let member = self.tape.choose(&members)?;
        let value = if self.tape.one_in(4) {
            Value::Null
        } else {
            instance(self.shapes, (0, member.id), &[], self.tape, &mut Coverage::default())?.0
        };
        self.value.as_object_mut()?.insert(member.name.to_owned(), value);
        Some(())
    }
}
