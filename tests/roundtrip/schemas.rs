//! What JSON a schema allows, read from the document alone: nothing here knows what the generator makes of it.
//!
//! A [`Schema`] is a list of schemas as written that all apply, with a choice of branches; a [`Form`] is what they say
//! together.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use crate::document::{Document, PlaceId};
use crate::form::{Form, Kind, Property};
use crate::schema::{Choice, Schema};

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
        let form = Rc::new(Form::read(self.document, &schema.parts(self.document)));
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
        if !is_possible && *schema == Schema::at(schema.place()) {
            self.impossible.borrow_mut().insert(schema.place());
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
}
