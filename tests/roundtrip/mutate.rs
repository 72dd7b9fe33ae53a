//! Makes an instance into something that a later version of a service, or a careless one, may send.

use serde_json::{Value, json};

use crate::compare::{Step, shown};
use crate::coverage::Coverage;
use crate::instance::instance;
use crate::samples;
use crate::shape::{Id, Property, Rest, Scalar, Shape, Shapes};
use crate::tape::Tape;

/// A value to change, and what is described of it.
struct Spot<'a, 't, 'd> {
    shapes: &'a Shapes<'d>,
    shape: &'a Shape<'d>,
    value: &'a mut Value,
    tape: &'a mut Tape<'t>,
}

/// Changes a value, where that is possible.
type Mutation = fn(&mut Spot<'_, '_, '_>) -> Option<()>;

/// All of them, and what they are called.
const MUTATIONS: [(&str, Mutation); 11] = [
    ("unknown properties", |spot| (0..=spot.tape.below(3)).try_for_each(|_| spot.add_unknown())),
    ("unknown enum values", |spot| spot.unknown_value()),
    ("unions without a member", |spot| spot.remove_members()),
    ("unions of an unknown member", |spot| {
        spot.described()?;
        spot.remove_members()?;
        spot.add_unknown()
    }),
    ("unions of several members", |spot| spot.add_member()),
    ("properties made null", |spot| {
        let object = spot.value.as_object_mut()?;
        let index = spot.tape.below(object.len());
        object.values_mut().nth(index).map(|value| *value = Value::Null)
    }),
    ("properties removed", |spot| {
        let object = spot.value.as_object_mut()?;
        let name = object.keys().nth(spot.tape.below(object.len()))?.clone();
        object.remove(&name).map(drop)
    }),
    ("elements made null", |spot| {
        let items = spot.value.as_array_mut().filter(|items| !items.is_empty())?;
        let index = spot.tape.below(items.len());
        let replaced = usize::from(!spot.tape.one_in(2));
        items.splice(index..index + replaced, [Value::Null]);
        Some(())
    }),
    ("numbers for integers in strings", |spot| {
        let text = spot.text_of(&["int64", "uint64"])?;
        let signed = text.parse::<i64>().map(Value::from);
        *spot.value = signed.or_else(|_| text.parse::<u64>().map(Value::from)).ok()?;
        Some(())
    }),
    ("empty strings for integers and times", |spot| {
        spot.text_of(&["int64", "uint64", "date-time"])?;
        *spot.value = json!("");
        Some(())
    }),
    (OTHER_TYPE, |spot| {
        let mut others = vec![json!(-7), json!("surprise"), json!({"surprise": 1}), json!([])];
        others
            .retain(|other| std::mem::discriminant(&*spot.value) != std::mem::discriminant(other));
        *spot.value = spot.tape.choose(&others).filter(|_| !spot.value.is_null())?;
        Some(())
    }),
];

/// Returns the names of all mutations.
pub fn names() -> impl Iterator<Item = &'static str> {
    MUTATIONS.iter().map(|(name, _)| *name)
}

/// The mutation after which a value may be refused.
pub const OTHER_TYPE: &str = "values of another type";

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
            mutation(&mut Spot { shapes, shape, value, tape }).map(|()| shown(path))
        })?;
        Some((*name, path))
    })
}

impl<'d> Spot<'_, '_, 'd> {
    /// Returns the described properties of an object that can have others of any kind.
    fn described(&self) -> Option<&[Property<'d>]> {
        match self.shape {
            Shape::Object(object) if !matches!(object.rest, Rest::Of(_)) => {
                Some(&object.properties)
            }
            Shape::Any => Some(&[]),
            _ => None,
        }
    }

    /// Returns the text of a string with one of these formats.
    fn text_of(&self, formats: &[&str]) -> Option<&str> {
        match self.shape {
            Shape::Scalar(Scalar { kind: "string", format: Some(format), .. }) => {
                self.value.as_str().filter(|_| formats.contains(format))
            }
            _ => None,
        }
    }

    fn unknown_value(&mut self) -> Option<()> {
        let Shape::Values(values) = self.shape else { return None };
        let known = values.iter().find_map(|(_, value)| value.as_str())?;
        let is_text = |value: &Value| value.is_string() || value.is_null();
        if !self.value.is_string() || !values.iter().all(|(_, value)| is_text(value)) {
            return None;
        }
        let (lower, spaced) = (known.to_lowercase(), format!("{known} "));
        let unknown = ["UNKNOWN_VALUE", "", &lower, &spaced, &self.tape.text()];
        *self.value = json!(self.tape.choose(&unknown));
        Some(())
    }

    /// Adds a property that is not described.
    fn add_unknown(&mut self) -> Option<()> {
        let described: Vec<_> = self.described()?.iter().map(|property| property.name).collect();
        let object = self.value.as_object_mut()?;
        let like_another =
            object.keys().next().map_or_else(String::new, |name| name.to_uppercase());
        let random = self.tape.text();
        let names = ["unknown", "$ref", "additional_properties", &like_another, &random];
        let name = self.tape.choose(&names)?;
        if !described.contains(&name) {
            object.insert(name.to_owned(), self.tape.choose(&samples::free())?);
        }
        Some(())
    }

    /// Removes the members of oneofs.
    fn remove_members(&mut self) -> Option<()> {
        let Shape::Object(object) = self.shape else { return None };
        let value = self.value.as_object_mut().filter(|_| !object.oneofs.is_empty())?;
        for member in object.properties.iter().filter(|property| property.oneof.is_some()) {
            value.remove(member.name);
        }
        Some(())
    }

    /// Adds another member of a oneof, sometimes as null.
    fn add_member(&mut self) -> Option<()> {
        let Shape::Object(object) = self.shape else { return None };
        let value = self.value.as_object_mut()?;
        let members = object.properties.iter();
        let members: Vec<_> = members
            .filter(|property| property.oneof.is_some() && !value.contains_key(property.name))
            .map(|property| (property.name, property.id))
            .collect();
        let (name, id) = self.tape.choose(&members)?;
        let member = if self.tape.one_in(4) {
            Value::Null
        } else {
            instance(self.shapes, (0, id), &[], self.tape, &mut Coverage::default())?.0
        };
        value.insert(name.to_owned(), member);
        Some(())
    }
}
