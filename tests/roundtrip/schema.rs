//! What JSON a schema allows, read from the document alone: nothing here knows what the generator makes of it.
//!
//! A [`Schema`] is a list of schemas as written that all apply, with a choice of branches; a [`Form`] is what they say
//! together.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use serde_json::Value;

use crate::document::{Document, PlaceId};
use crate::form::{Form, Kind, Property};
use crate::oneof;

/// Schemas that all apply to one value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Schema(Vec<Part>);

/// One schema as written, and which of its branches were chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    pub place: PlaceId,
    pub one_of: Option<usize>,
    pub any_of: Option<usize>,
}

impl Schema {
    /// Returns the schema at a place.
    pub fn at(place: PlaceId) -> Self {
        Self(vec![Part { place, one_of: None, any_of: None }])
    }

    /// Returns where the schema is written, or the first of those that apply.
    pub fn place(&self) -> PlaceId {
        self.0.first().map(|part| part.place).unwrap_or_default()
    }

    /// Adds schemas that apply as well.
    pub fn and(&mut self, other: &Self) {
        for &part in &other.0 {
            if !self.0.iter().any(|known| known.place == part.place) {
                self.0.push(part);
            }
        }
    }
}

/// A choice between branches that is still open.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Where the list of branches is written.
    pub place: PlaceId,
    /// The schema for each branch, in the order of the list.
    pub branches: Vec<Schema>,
}

/// How many combinations of branches are told apart.
const MOST_OUTCOMES: usize = 64;

/// A schema whose smallest instance has more levels than this is taken to have none.
const DEEPEST: usize = 40;

/// The schemas of a document.
#[derive(Debug)]
pub struct Schemas<'d> {
    pub document: &'d Document<'d>,
    forms: RefCell<HashMap<Schema, Rc<Form<'d>>>>,
    outcomes: RefCell<HashMap<Schema, Rc<[Rc<Form<'d>>]>>>,
    fits: RefCell<HashMap<(Schema, usize), bool>>,
    impossible: RefCell<BTreeSet<PlaceId>>,
}

impl<'d> Schemas<'d> {
    pub fn of(document: &'d Document<'d>) -> Self {
        Self {
            document,
            forms: RefCell::default(),
            outcomes: RefCell::default(),
            fits: RefCell::default(),
            impossible: RefCell::default(),
        }
    }

    /// Returns what a schema says.
    pub fn form(&self, schema: &Schema) -> Rc<Form<'d>> {
        if let Some(form) = self.forms.borrow().get(schema) {
            return Rc::clone(form);
        }
        let form = Rc::new(Form::read(self, &self.parts(schema)));
        self.forms.borrow_mut().insert(schema.clone(), Rc::clone(&form));
        form
    }

    /// Returns what a schema says, for each combination of its branches.
    pub fn outcomes(&self, schema: &Schema) -> Rc<[Rc<Form<'d>>]> {
        if let Some(outcomes) = self.outcomes.borrow().get(schema) {
            return Rc::clone(outcomes);
        }
        let (mut outcomes, mut open) = (Vec::new(), vec![schema.clone()]);
        while let Some(schema) = open.pop() {
            let form = self.form(&schema);
            match &form.choice {
                Some(choice) if outcomes.len() + open.len() < MOST_OUTCOMES => {
                    open.extend(
                        self.branches(choice).into_iter().map(|(_, branch)| branch.clone()),
                    );
                }
                Some(_) => {}
                None => outcomes.push(form),
            }
        }
        let outcomes: Rc<[_]> = outcomes.into();
        self.outcomes.borrow_mut().insert(schema.clone(), Rc::clone(&outcomes));
        outcomes
    }

    /// Returns whether a schema has an instance. It has none where schemas apply that contradict each other, and where
    /// an object requires another of its kind without an end.
    pub fn is_possible(&self, schema: &Schema) -> bool {
        let is_possible = self.fits(schema, DEEPEST);
        // Branches that merely do not go together are not worth a note.
        if let ([Part { place, one_of: None, any_of: None }], false) = (&schema.0[..], is_possible)
        {
            self.impossible.borrow_mut().insert(*place);
        }
        is_possible
    }

    /// Returns the places of schemas that no value can meet, of those that were looked at.
    pub fn impossible(&self) -> Vec<&str> {
        self.impossible.borrow().iter().map(|&place| self.document.pointer(place)).collect()
    }

    /// Returns the first of several schemas with an instance of as few levels as any of them has.
    pub fn shallowest<'s>(
        &self,
        schemas: &(impl Iterator<Item = &'s Schema> + Clone),
    ) -> Option<usize> {
        (1..=DEEPEST)
            .find_map(|levels| schemas.clone().position(|schema| self.fits(schema, levels)))
    }

    fn fits(&self, schema: &Schema, levels: usize) -> bool {
        let key = (schema.clone(), levels);
        if let Some(&known) = self.fits.borrow().get(&key) {
            return known;
        }
        let fits =
            levels.checked_sub(1).is_some_and(|rest| self.form_fits(&self.form(schema), rest));
        self.fits.borrow_mut().insert(key, fits);
        fits
    }

    fn form_fits(&self, form: &Form<'d>, levels: usize) -> bool {
        if let Some(choice) = &form.choice {
            return choice.branches.iter().any(|branch| self.fits(branch, levels));
        }
        let is_listed = form.values.as_ref().map(|values| !values.is_empty());
        match form.kinds.as_slice() {
            _ if form.null || form.is_free => true,
            _ if is_listed.is_some() => is_listed == Some(true),
            [] => false,
            [Kind::Object] => {
                let mut properties = form.properties.iter();
                let fits = |property: &Property<'_>| self.fits(&property.schema, levels);
                properties.all(|property| !property.required || fits(property))
                    && form
                        .oneofs
                        .iter()
                        .enumerate()
                        .all(|(oneof, &required)| !required || form.members(oneof).any(fits))
            }
            _ => true,
        }
    }

    /// Returns the properties of a oneof that can be present.
    pub fn members<'f>(&self, form: &'f Form<'d>, oneof: usize) -> Vec<&'f Property<'d>> {
        form.members(oneof).filter(|property| self.is_possible(&property.schema)).collect()
    }

    /// Returns the branches that can be chosen, with their numbers.
    pub fn branches<'c>(&self, choice: &'c Choice) -> Vec<(usize, &'c Schema)> {
        let branches = choice.branches.iter().enumerate();
        branches.filter(|(_, branch)| self.is_possible(branch)).collect()
    }

    /// Returns the schemas as written that apply together: those of `$ref`, `allOf` and the chosen branches as well.
    fn parts(&self, schema: &Schema) -> Vec<Part> {
        let mut parts = schema.clone();
        let mut next = 0;
        while let Some(&part) = parts.0.get(next) {
            let value = self.document.value(part.place);
            let reference = value.get("$ref").and_then(Value::as_str);
            if let Some(target) = reference.and_then(|to| self.document.follow(to)) {
                parts.and(&Schema::at(target));
            }
            if !self.is_reference_alone(value) {
                for inner in value.get("allOf").and_then(Value::as_array).into_iter().flatten() {
                    parts.and(&Schema::at(self.document.place(inner)));
                }
                for (keyword, chosen) in [("oneOf", part.one_of), ("anyOf", part.any_of)] {
                    if let Some(branch) = chosen.and_then(|chosen| value.get(keyword)?.get(chosen))
                    {
                        parts.and(&Schema::at(self.document.place(branch)));
                    }
                }
            }
            next += 1;
        }
        parts.0
    }

    /// Returns whether nothing but the `$ref` of a schema counts.
    pub fn is_reference_alone(&self, value: &Value) -> bool {
        self.document.is_3_0 && value.get("$ref").is_some()
    }

    /// Returns the first choice that is open. Oneofs are none: they stay together in a [`Form`].
    pub fn open_choice(&self, parts: &[Part]) -> Option<Choice> {
        parts.iter().enumerate().find_map(|(index, part)| {
            let value = self.document.value(part.place);
            if self.is_reference_alone(value) {
                return None;
            }
            let choose = |keyword: &str, choose: fn(&mut Part, usize)| {
                let list = value.get(keyword)?;
                let count = list.as_array().map(Vec::len).filter(|count| *count > 0)?;
                let branches = (0..count).map(|branch| {
                    let mut parts = parts.to_vec();
                    parts.get_mut(index).into_iter().for_each(|part| choose(part, branch));
                    Schema(parts)
                });
                Some(Choice { place: self.document.place(list), branches: branches.collect() })
            };
            let is_open = part.one_of.is_none() && oneof::standard(value).is_none();
            let one_of =
                is_open.then(|| choose("oneOf", |part, branch| part.one_of = Some(branch)));
            let is_open = part.any_of.is_none();
            let any_of =
                is_open.then(|| choose("anyOf", |part, branch| part.any_of = Some(branch)));
            one_of.flatten().or_else(|| any_of.flatten())
        })
    }
}
