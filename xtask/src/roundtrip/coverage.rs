//! What the instances of a run must have been, and which of it they were.

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use super::description::{Description, PlaceId};
use super::form::{Form, Kind, Rest};
use super::samples;
use super::schema::{Reader, Schema};

/// One way to go at a place of the description where there are several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// A member is there.
    Present,
    /// An optional member is not there.
    Absent,
    /// A member is null.
    Null,
    /// No member of a group is there.
    Vacant,
    /// This branch of `oneOf` or `anyOf`.
    Branch(usize),
    /// This kind of value, where several are allowed.
    Kind(Kind),
    /// This value of those that are listed.
    Value,
    /// This one of the values that must be tried.
    Sample(Kind, usize),
    /// This one of the values that must be tried where anything may stand.
    Free(usize),
    /// A list or a map with that many elements.
    Length(usize),
}

/// A way to go, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Item {
    pub place: PlaceId,
    pub way: Way,
}

/// How many elements lists and maps are given.
pub const LENGTHS: [usize; 3] = [0, 1, 3];

impl Item {
    /// Returns a way to go at a place.
    pub fn new(place: PlaceId, way: Way) -> Self {
        Self { place, way }
    }

    /// Tells what the item is counted as.
    pub fn class(self) -> Class {
        match self.way {
            Way::Present => Class::Present,
            Way::Absent | Way::Vacant => Class::Absent,
            Way::Null => Class::Null,
            Way::Branch(_) | Way::Kind(_) => Class::Branch,
            Way::Value => Class::Value,
            Way::Sample(..) | Way::Free(_) | Way::Length(_) => Class::Bound,
        }
    }

    /// Describes the item for people.
    pub fn describe(self, description: &Description<'_>) -> String {
        format!("{:?} at {}", self.way, description.pointer(self.place))
    }
}

/// What items are counted as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    Present,
    Absent,
    Null,
    Branch,
    Value,
    Bound,
}

/// All classes, and what they are called.
pub const CLASSES: [(Class, &str); 6] = [
    (Class::Present, "members present"),
    (Class::Absent, "members absent"),
    (Class::Null, "members null"),
    (Class::Branch, "branches"),
    (Class::Value, "enum values"),
    (Class::Bound, "boundary values"),
];

/// The items of a description, and which of them were met.
#[derive(Debug, Default)]
pub struct Coverage {
    /// All items with the way to each, in the order in which they were found.
    pub targets: Vec<Target>,
    known: HashSet<Item>,
    met: HashSet<Item>,
}

/// An item, and the way to it.
#[derive(Clone, Debug)]
pub struct Target {
    /// The number of the root from which it is reached.
    pub root: usize,
    pub item: Item,
    path: Option<Rc<Step>>,
}

#[derive(Debug)]
struct Step {
    item: Item,
    before: Option<Rc<Step>>,
}

impl Target {
    /// Returns the ways to go from the root to the item, and the item.
    pub fn plan(&self) -> Vec<Item> {
        let mut plan = vec![self.item];
        let mut step = self.path.as_deref();
        while let Some(Step { item, before }) = step {
            plan.push(*item);
            step = before.as_deref();
        }
        plan.reverse();
        plan
    }
}

impl Coverage {
    /// Finds all that is described behind `roots`.
    pub fn of(reader: &Reader<'_>, roots: &[Schema]) -> Self {
        let mut coverage = Self::default();
        let mut seen: HashSet<Schema> = HashSet::new();
        let mut queue: VecDeque<(usize, Schema, Option<Rc<Step>>)> = VecDeque::new();
        for (root, schema) in roots.iter().enumerate() {
            queue.push_back((root, schema.clone(), None));
        }
        while let Some((root, schema, path)) = queue.pop_front() {
            if !reader.is_possible(&schema) || !seen.insert(schema.clone()) {
                continue;
            }
            let form = reader.form(&schema);
            for (item, inner) in ways(reader, &form, &schema) {
                if coverage.known.insert(item) {
                    coverage.targets.push(Target { root, item, path: path.clone() });
                }
                for inner in inner {
                    let before = path.clone();
                    queue.push_back((root, inner, Some(Rc::new(Step { item, before }))));
                }
            }
        }
        coverage
    }

    /// Tells whether an item is still to be met.
    pub fn lacks(&self, item: Item) -> bool {
        self.known.contains(&item) && !self.met.contains(&item)
    }

    /// Notes that items were met.
    pub fn meet(&mut self, items: &[Item]) {
        self.met.extend(items.iter().filter(|item| self.known.contains(item)));
    }

    /// Returns what was not met.
    pub fn missing(&self) -> impl Iterator<Item = Item> {
        let items = self.targets.iter().map(|target| target.item);
        items.filter(|item| !self.met.contains(item))
    }

    /// Returns for each class how many items were met, and how many there are.
    pub fn tally(&self) -> HashMap<&'static str, (usize, usize)> {
        let mut tally: HashMap<_, (usize, usize)> = HashMap::new();
        for target in &self.targets {
            for (class, name) in CLASSES {
                if target.item.class() == class {
                    let counts = tally.entry(name).or_default();
                    counts.0 += usize::from(self.met.contains(&target.item));
                    counts.1 += 1;
                }
            }
        }
        tally
    }
}

/// Returns the ways to go that a form offers, and what lies behind each.
fn ways(reader: &Reader<'_>, form: &Form<'_>, schema: &Schema) -> Vec<(Item, Vec<Schema>)> {
    let place = schema.place();
    if let Some(choice) = &form.choice {
        let branches = reader.branches(choice).into_iter();
        return branches
            .map(|(index, branch)| {
                let item = Item::new(choice.place, Way::Branch(index));
                (item, vec![branch.clone()])
            })
            .collect();
    }
    let leaf = |item| (item, Vec::new());
    if let Some(values) = &form.values {
        let values = values.iter().map(|&value| Item::new(value, Way::Value));
        return values.map(leaf).collect();
    }
    if form.is_free {
        let free = 0..samples::free().len();
        return free.map(|index| leaf(Item::new(place, Way::Free(index)))).collect();
    }
    let mut found = Vec::new();
    if form.kinds.len() > 1 {
        found.extend(form.kinds.iter().map(|&kind| leaf(Item::new(place, Way::Kind(kind)))));
    }
    for &kind in &form.kinds {
        let count = samples::of(form, kind).len();
        found.extend((0..count).map(|index| leaf(Item::new(place, Way::Sample(kind, index)))));
    }
    if form.kinds.contains(&Kind::Object) {
        object_ways(reader, form, place, &mut found);
    }
    if form.kinds.contains(&Kind::Array) {
        let inner = form.first_items.iter().chain(&form.items);
        found.extend(lengths(place, inner.cloned().collect()));
    }
    found
}

fn object_ways(
    reader: &Reader<'_>,
    form: &Form<'_>,
    place: PlaceId,
    found: &mut Vec<(Item, Vec<Schema>)>,
) {
    for member in &form.members {
        if !reader.is_possible(&member.schema) {
            continue;
        }
        let at = member.schema.place();
        let item = Item::new(at, Way::Present);
        found.push((item, vec![member.schema.clone()]));
        if member.group.is_none() {
            if !member.required {
                found.push((Item::new(at, Way::Absent), Vec::new()));
            }
            if reader.form(&member.schema).null {
                found.push((Item::new(at, Way::Null), Vec::new()));
            }
        }
    }
    if form.groups.iter().any(|demanded| !demanded) {
        found.push((Item::new(place, Way::Vacant), Vec::new()));
    }
    if let Some(entries) = form.entries() {
        let values = match entries {
            Rest::Schema(values) => vec![values.clone()],
            _ => Vec::new(),
        };
        found.extend(lengths(place, values));
    }
}

fn lengths(place: PlaceId, inner: Vec<Schema>) -> impl Iterator<Item = (Item, Vec<Schema>)> {
    LENGTHS.into_iter().map(move |length| {
        let item = Item::new(place, Way::Length(length));
        let inner = if length == 1 { inner.clone() } else { Vec::new() };
        (item, inner)
    })
}
