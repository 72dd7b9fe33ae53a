//! What JSON a schema allows, read from the description alone: nothing here knows what the generator makes of it.
//!
//! A [`Schema`] is a list of schemas as written that all apply, with a choice of branches; a [`Form`] is what they say
//! together.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use ::codegen::Node;

use super::description::{Description, PlaceId};
use super::form::{Form, Kind, Member};

/// Schemas that all apply to one value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Schema(Vec<Part>);

/// One schema as written, and which of its branches were chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// Where it is written.
    pub place: PlaceId,
    /// The chosen branch of its `oneOf`.
    pub one_of: Option<usize>,
    /// The chosen branch of its `anyOf`.
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

/// Reads schemas.
#[derive(Debug)]
pub struct Reader<'d> {
    /// What they are read from.
    pub description: &'d Description<'d>,
    forms: RefCell<HashMap<Schema, Rc<Form<'d>>>>,
    outcomes: RefCell<HashMap<Schema, Rc<[Rc<Form<'d>>]>>>,
    /// Whether there are instances.
    possible: RefCell<HashMap<Schema, bool>>,
    /// The schemas of which that is being found out.
    open: RefCell<Vec<Schema>>,
}

/// How many combinations of branches are told apart.
const MOST_OUTCOMES: usize = 64;

impl<'d> Reader<'d> {
    /// Returns a reader of a description.
    pub fn of(description: &'d Description<'d>) -> Self {
        Self {
            description,
            forms: RefCell::default(),
            outcomes: RefCell::default(),
            possible: RefCell::default(),
            open: RefCell::default(),
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
        let mut outcomes = Vec::new();
        let mut open = vec![schema.clone()];
        while let Some(schema) = open.pop() {
            let form = self.form(&schema);
            match &form.choice {
                Some(choice) if outcomes.len() + open.len() < MOST_OUTCOMES => {
                    let branches = self.branches(choice).into_iter();
                    open.extend(branches.map(|(_, branch)| branch.clone()));
                }
                Some(_) => {}
                None => outcomes.push(form),
            }
        }
        let outcomes: Rc<[_]> = outcomes.into();
        self.outcomes.borrow_mut().insert(schema.clone(), Rc::clone(&outcomes));
        outcomes
    }

    /// Tells whether there is a value that a schema allows. There is none where schemas apply that contradict each other,
    /// and where an object demands another of its kind without an end.
    pub fn is_possible(&self, schema: &Schema) -> bool {
        if let Some(&known) = self.possible.borrow().get(schema) {
            return known;
        }
        if self.open.borrow().contains(schema) {
            return false;
        }
        self.open.borrow_mut().push(schema.clone());
        let possible = self.has_instance(&self.form(schema));
        self.open.borrow_mut().pop();
        // What was found impossible on the way to another schema may only be so because that one was still open.
        if possible || self.open.borrow().is_empty() {
            self.possible.borrow_mut().insert(schema.clone(), possible);
        }
        possible
    }

    fn has_instance(&self, form: &Form<'d>) -> bool {
        if let Some(choice) = &form.choice {
            return choice.branches.iter().any(|branch| self.is_possible(branch));
        }
        if form.null || form.is_free {
            return true;
        }
        if let Some(values) = &form.values {
            return !values.is_empty();
        }
        match form.kinds.as_slice() {
            [] => false,
            [Kind::Object] => self.has_object(form),
            _ => true,
        }
    }

    fn has_object(&self, form: &Form<'d>) -> bool {
        let mut required = form.members.iter().filter(|member| member.required);
        let mut demanded = form.groups.iter().enumerate().filter(|(_, demanded)| **demanded);
        required.all(|member| self.is_possible(&member.schema))
            && demanded.all(|(group, _)| self.grouped(form, group).next().is_some())
    }

    /// Returns the members of a group that can be present.
    pub fn grouped<'f>(
        &self,
        form: &'f Form<'d>,
        group: usize,
    ) -> impl Iterator<Item = &'f Member<'d>> {
        let members = form.members.iter();
        members
            .filter(move |member| member.group == Some(group) && self.is_possible(&member.schema))
    }

    /// Returns the branches that can be chosen, with their numbers.
    pub fn branches<'c>(&self, choice: &'c Choice) -> Vec<(usize, &'c Schema)> {
        let branches = choice.branches.iter().enumerate();
        branches.filter(|(_, branch)| self.is_possible(branch)).collect()
    }

    /// Returns the places of schemas that no value can meet. Branches that merely do not go together are none.
    pub fn impossible(&self) -> Vec<PlaceId> {
        let known = self.possible.borrow();
        let mut places: Vec<PlaceId> = known
            .iter()
            .filter(|(schema, possible)| !**possible && schema.0.len() == 1)
            .map(|(schema, _)| schema.place())
            .collect();
        places.sort();
        places.dedup();
        places
    }

    /// Returns the schemas as written that apply together: those of `$ref`, `allOf` and the chosen branches as well.
    fn parts(&self, schema: &Schema) -> Vec<Part> {
        let mut parts = schema.clone();
        let mut next = 0;
        while let Some(&part) = parts.0.get(next) {
            let node = self.description.node(part.place);
            let reference = node.get("$ref").and_then(Node::as_str);
            if let Some(target) = reference.and_then(|to| self.description.follow(to)) {
                parts.and(&Schema::at(target));
            }
            if !self.is_reference_alone(node) {
                for inner in node.get("allOf").and_then(Node::as_array).unwrap_or_default() {
                    parts.and(&Schema::at(self.description.place(inner)));
                }
                for (keyword, chosen) in [("oneOf", part.one_of), ("anyOf", part.any_of)] {
                    let branches = node.get(keyword).and_then(Node::as_array);
                    if let Some(branch) = chosen.and_then(|chosen| branches?.get(chosen)) {
                        parts.and(&Schema::at(self.description.place(branch)));
                    }
                }
            }
            next += 1;
        }
        parts.0
    }

    /// Tells whether nothing but the `$ref` of a schema counts.
    pub fn is_reference_alone(&self, node: &Node) -> bool {
        self.description.is_3_0 && node.get("$ref").is_some()
    }

    /// Returns the first choice that is open in `parts`. Unions of members are none: they stay together in a [`Form`].
    pub fn open_choice(&self, parts: &[Part]) -> Option<Choice> {
        parts.iter().enumerate().find_map(|(index, part)| {
            let node = self.description.node(part.place);
            if self.is_reference_alone(node) {
                return None;
            }
            let choose = |keyword: &str, choose: fn(&mut Part, usize)| {
                let list = node.get(keyword)?;
                let branches = list.as_array()?;
                if branches.is_empty() {
                    return None;
                }
                let branches = (0..branches.len()).map(|branch| {
                    let mut parts = parts.to_vec();
                    if let Some(part) = parts.get_mut(index) {
                        choose(part, branch);
                    }
                    Schema(parts)
                });
                Some(Choice { place: self.description.place(list), branches: branches.collect() })
            };
            let one_of = (part.one_of.is_none() && super::groups::standard(node).is_none())
                .then(|| choose("oneOf", |part, branch| part.one_of = Some(branch)));
            let any_of = part
                .any_of
                .is_none()
                .then(|| choose("anyOf", |part, branch| part.any_of = Some(branch)));
            one_of.flatten().or_else(|| any_of.flatten())
        })
    }
}
