//! Makes instances of schemas from a tape.

use serde_json::{Map, Value};

use crate::compare::Step;
use crate::coverage::{ABSENT, BOUNDARY, Coverage, Item, PRESENT, VALUE};
use crate::document::Place;
use crate::samples::{self, ANY};
use crate::shape::{Id, Object, Property, Rest, Shape, Shapes};
use tests::Tape;

/// From this depth on, and in instances of this many values, optional parts are omitted.
const DEEP: usize = 8;
const LARGE: usize = 150;

/// Number of elements in lists and maps.
const LENGTHS: [usize; 3] = [0, 1, 3];

/// The record of making a value that a schema allows.
#[derive(Debug, Default)]
pub struct Notes {
    /// The decisions.
    pub items: Vec<Item>,
    /// Whether there may be properties that are neither described nor excluded.
    pub has_more: bool,
    /// Whether a `discriminator` gives a tag in it to another branch than the one that lists the tag.
    pub is_contradictory: bool,
    /// The objects with a tag that a `discriminator` gives to no branch.
    pub unmapped: Vec<Vec<Step>>,
    /// The values within, and their shapes.
    pub spots: Vec<(Vec<Step>, Id)>,
    /// Those with branches.
    pub unions: Vec<(Vec<Step>, Id)>,
}

/// Makes an instance of the shape of a root by the decisions in `plan`, as far as they occur, and by those of the tape
/// for the rest. Returns `None` if there is no instance.
pub fn instance(
    shapes: &Shapes<'_>,
    (root, id): (usize, Id),
    plan: &[Item],
    tape: &mut Tape<'_>,
    coverage: &mut Coverage,
) -> Option<(Value, Notes)> {
    shapes.height(id)?;
    let path = Vec::new();
    let steps = Vec::new();
    let notes = Notes::default();
    let mut maker = Maker { shapes, root, plan, tape, coverage, path, steps, notes };
    let value = maker.value(id)?;
    Some((value, maker.notes))
}

struct Maker<'a, 't, 'd> {
    shapes: &'a Shapes<'d>,
    root: usize,
    plan: &'a [Item],
    tape: &'a mut Tape<'t>,
    coverage: &'a mut Coverage,
    /// The decisions on the way from the root to the current value.
    path: Vec<Item>,
    /// The way itself.
    steps: Vec<Step>,
    notes: Notes,
}

impl<'d> Maker<'_, '_, 'd> {
    fn value(&mut self, id: Id) -> Option<Value> {
        let shapes = self.shapes;
        let shape = shapes.shape(id);
        let place = shapes.place(id);
        let is_union = matches!(shape, Shape::OneOf(_));
        let spots = if is_union { &mut self.notes.unions } else { &mut self.notes.spots };
        spots.push((self.steps.clone(), id));
        match shape {
            Shape::OneOf(branches) => {
                let branches = branches.iter().filter(|(_, id)| shapes.height(*id).is_some());
                let (options, ids): (Vec<Item>, Vec<Id>) = branches.copied().unzip();
                let chosen = self.decide(&options, shapes.shallowest(&ids));
                self.below(*options.get(chosen)?, *ids.get(chosen)?)
            }
            Shape::Values(values) => {
                let places = values.iter().map(|(place, _)| Item::new(*place, VALUE, 0));
                let chosen = self.decide(&places.collect::<Vec<_>>(), None);
                values.get(chosen).map(|(_, value)| (*value).clone())
            }
            &Shape::Scalar(kind, format) => self.scalar(place, kind, format),
            Shape::Array(first, items) => {
                let (item, length) = self.length(place);
                // Elements after those of a tuple are described, or there are none.
                let length = if items.is_none() && !first.is_empty() { 0 } else { length };
                let rest = (0..length).map(|_| *items);
                let elements = first.iter().copied().map(Some).chain(rest).enumerate();
                elements.map(|(index, id)| self.element(Step::Index(index), item, id)).collect()
            }
            Shape::Object(object) => self.object(object, place),
        }
    }

    /// Makes a value that depends on a decision.
    fn below(&mut self, item: Item, id: Id) -> Option<Value> {
        self.path.push(item);
        let value = self.value(id);
        self.path.pop();
        value
    }

    fn scalar(&mut self, place: Place, kind: &str, format: Option<&str>) -> Option<Value> {
        let values = samples::values(kind, format);
        // After the lengths, which may be of the same place.
        let numbers = LENGTHS.len()..LENGTHS.len() + values.len();
        let options: Vec<Item> = numbers.map(|number| Item::new(place, BOUNDARY, number)).collect();
        self.coverage.offer(self.root, &self.path, &options);
        let is_planned = self.planned().is_some_and(|item| options.contains(&item));
        let is_random = !is_planned && self.tape.one_in(2);
        let random = is_random.then(|| samples::random(kind, format, self.tape));
        random.flatten().or_else(|| values.get(self.decide(&options, None)).cloned())
    }

    fn length(&mut self, place: Place) -> (Item, usize) {
        let options = [0, 1, 2].map(|number| Item::new(place, BOUNDARY, number));
        let chosen = self.decide(&options, Some(0));
        (options[chosen], LENGTHS[chosen])
    }

    /// Makes a property, or an element of an array, that depends on a decision: of a shape, or anything.
    fn element(&mut self, step: Step, item: Item, id: Option<Id>) -> Option<Value> {
        self.steps.push(step);
        let value = match id {
            Some(id) => self.below(item, id),
            None => self.tape.choose(samples::values(ANY, None)),
        };
        self.steps.pop();
        value
    }

    fn object(&mut self, object: &Object<'d>, place: Place) -> Option<Value> {
        let mut made = Map::new();
        for property in object.properties.iter().filter(|property| property.oneof.is_none()) {
            let optional = !property.required && property.tag.is_none();
            let absent = optional.then(|| Item::new(property.place, ABSENT, 0));
            self.one_of(&[property], absent, &mut made)?;
        }
        for (oneof, &required) in object.oneofs.iter().enumerate() {
            let absent = (!required).then(|| Item::new(place, ABSENT, oneof));
            self.one_of(&object.members(oneof).collect::<Vec<_>>(), absent, &mut made)?;
        }
        let values = match object.rest {
            Rest::Of(id) => Some(id),
            Rest::None => return Some(Value::Object(made)),
            Rest::Unsaid if !object.properties.is_empty() => return Some(Value::Object(made)),
            Rest::Unsaid | Rest::Any => None,
        };
        let (item, length) = self.length(place);
        self.notes.has_more |= object.rest == Rest::Unsaid && length > 0;
        for index in 0..length {
            let name = if index == 0 { self.tape.text() } else { format!("key{index}") };
            let value = self.element(Step::Name(name.clone()), item, values)?;
            if object.property(&name).is_none() {
                made.insert(name, value);
            }
        }
        Some(Value::Object(made))
    }

    /// Adds one of several properties, or none if there is an item for that.
    fn one_of(
        &mut self,
        properties: &[&Property<'d>],
        absent: Option<Item>,
        object: &mut Map<String, Value>,
    ) -> Option<()> {
        let shapes = self.shapes;
        let possible = properties.iter().filter(|property| shapes.height(property.id).is_some());
        let possible: Vec<_> = possible.copied().collect();
        let present = possible.iter().map(|property| Item::new(property.place, PRESENT, 0));
        let options: Vec<Item> = absent.into_iter().chain(present).collect();
        let ids: Vec<Id> = possible.iter().map(|property| property.id).collect();
        let small = if absent.is_some() { Some(0) } else { shapes.shallowest(&ids) };
        let chosen = self.decide(&options, small);
        let property = chosen.checked_sub(usize::from(absent.is_some()));
        let Some(property) = property.and_then(|property| possible.get(property)) else {
            return Some(());
        };
        let step = Step::Name(property.name.to_owned());
        let item = *options.get(chosen)?;
        let value = match &property.tag {
            Some(tag) if !shapes.is_listed(property.id) => tag.value.into(),
            _ => self.element(step, item, Some(property.id))?,
        };
        if let (Some(tag), Some(value)) = (&property.tag, value.as_str()) {
            self.notes.is_contradictory |= tag.of_others.contains(&value);
            let is_mapped = [&tag.of_branch, &tag.of_others].map(|tags| tags.contains(&value));
            if !tag.of_branch.is_empty() && is_mapped == [false; 2] {
                self.notes.unmapped.push(self.steps.clone());
            }
        }
        object.insert(property.name.to_owned(), value);
        Some(())
    }

    /// Returns the decision of the plan that comes next on the way to its target, if the current value is on it.
    fn planned(&self) -> Option<Item> {
        let next = self.plan.get(self.path.len());
        next.copied().filter(|_| self.plan.starts_with(&self.path))
    }

    /// Chooses one of several options: that of the plan, or, in a large instance, the small one, or else that of the
    /// tape.
    fn decide(&mut self, options: &[Item], small: Option<usize>) -> usize {
        self.coverage.offer(self.root, &self.path, options);
        let planned = self.planned().and_then(|next| options.iter().position(|item| *item == next));
        let is_large = self.path.len() > DEEP || self.notes.spots.len() > LARGE;
        let chosen =
            planned.or(small.filter(|_| is_large)).unwrap_or_else(|| match options.len() {
                0 | 1 => 0,
                count => self.tape.below(count),
            });
        self.notes.items.extend(options.get(chosen));
        chosen
    }
}
