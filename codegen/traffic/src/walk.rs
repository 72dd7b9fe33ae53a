//! The check of a value: one walk for values that schemas describe, and for values that are learned.

use std::collections::BTreeMap;

use super::seen::{MAX_LENGTH, MAX_NAMES, Moment, Tally, bounded};
use super::table::{Id, PartId, Rest, Rules, Slot, Table, Union};
use super::value::{Value, index, is_placeholder, key};

/// The weight of a value whose kind a branch of a union does not allow.
const UNFIT: u32 = 10_000;

/// Maximum number of values that are compared to choose one branch.
const MAX_COMPARED: u32 = 5_000;

impl<'d> Table<'d> {
    /// Checks a value against the schemas of its place. A place without schemas learns it.
    pub fn walk(&mut self, id: Id, value: &Value<'_>, moment: Moment) {
        // A recorder writes placeholders for secrets of all kinds in requests.
        if moment.origin.status.is_none()
            && matches!(value, Value::Text(text) if is_placeholder(text))
        {
            return;
        }
        let Some(rules) = self.rules(id) else { return self.learn(id, value, moment) };
        if *value == Value::Null && !self.allows_null(id) {
            for root in &rules.roots {
                self.parts[*root].seen.kinds[0].add(moment, value);
            }
            return;
        }
        if let Some(union) = &rules.union {
            if let Some(branch) = self.branch(union, value, moment) {
                self.walk(branch, value, moment);
            } else {
                for part in &rules.parts {
                    self.parts[*part].check_kind(value, moment);
                }
                let unfit = &mut self.parts[union.part].seen.unfit;
                unfit[index(value.kind())].add(moment, value);
            }
            return;
        }
        let moment = Moment { is_secret: moment.is_secret || rules.is_secret, ..moment };
        let mut fits = true;
        for part in &rules.parts {
            fits &= self.check(*part, value, moment);
        }
        match value {
            _ if !fits => {}
            Value::Object(members) => {
                let described = members.iter().filter(|(_, member)| !moment.is_removal(member));
                for (name, member) in described {
                    match (rules.properties.get(&**name), &rules.rest) {
                        (Some(property), _) => self.walk(*property, member, moment.of(name)),
                        (None, Rest::Of(rest)) => self.walk(*rest, member, moment.of(name)),
                        (None, Rest::Any) => {}
                        (None, Rest::Undescribed) => {
                            if !is_placeholder(name) && !moment.is_secret {
                                let owner = &mut self.parts[rules.owner].seen.names;
                                let mut names = std::mem::take(owner);
                                self.add_name(&mut names, name, Some(member), moment);
                                self.parts[rules.owner].seen.names = names;
                            }
                        }
                    }
                }
                for (name, part) in rules.missing(members, moment) {
                    let missing = self.parts[part].seen.missing.entry(name).or_default();
                    missing.add(moment, value);
                }
            }
            Value::List(items) => {
                let moment = moment.inside(value);
                for (index, item) in items.iter().enumerate() {
                    if let Some(place) = rules.first.get(index).copied().or(rules.items) {
                        self.walk(place, item, moment);
                    }
                }
            }
            _ => {}
        }
    }

    /// Checks a value against a schema itself. Returns whether its kind is allowed.
    fn check(&mut self, part: PartId, value: &Value<'_>, moment: Moment) -> bool {
        let part = &mut self.parts[part];
        part.seen.count += 1;
        if let Some(values) = &part.values
            && let Some(key) = key(value)
            && !moment.is_secret
        {
            let key = if values.contains(&*key) { key } else { bounded(&key).into_owned().into() };
            if let Some(tally) = part.seen.values.get_mut(&*key) {
                tally.add(moment, value);
            } else if values.contains(&*key)
                || *value != Value::Null && part.seen.values.len() < values.len() + MAX_NAMES
            {
                part.seen.values.entry(key.into()).or_default().add(moment, value);
            } else if *value != Value::Null {
                self.beyond += 1;
            }
        }
        if *value == Value::Null {
            return true;
        }
        let fits = part.check_kind(value, moment);
        if fits && !part.has_format(value) {
            part.seen.unformatted.add(moment, value);
        }
        fits
    }

    /// Adds a name that no schema describes, with its value.
    pub fn add_name(
        &mut self,
        names: &mut BTreeMap<Box<str>, (Tally, Id)>,
        name: &str,
        value: Option<&Value<'_>>,
        moment: Moment,
    ) {
        let name = bounded(name);
        if !names.contains_key(&*name) {
            if names.len() == MAX_NAMES {
                self.beyond += 1;
                return;
            }
            names.insert((&*name).into(), (Tally::default(), self.undescribed()));
        }
        let Some((tally, place)) = names.get_mut(&*name) else { return };
        let moment = moment.of(&name);
        tally.add(moment, value.unwrap_or(&Value::Null));
        if let Some(value) = value {
            self.walk(*place, value, moment);
        }
    }

    fn learn(&mut self, id: Id, value: &Value<'_>, moment: Moment) {
        let Some(Slot::Learned(learned)) = self.places.get_mut(id) else { return };
        learned.add(value);
        // What is learned of the places in it is joined with what was learned of others.
        let mut learned = std::mem::take(learned);
        match value {
            Value::List(items) => {
                let place = *learned.items.get_or_insert_with(|| self.undescribed());
                for item in items {
                    self.walk(place, item, moment);
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    let is_new = !learned.properties.contains_key(&**name);
                    let is_full = learned.properties.len() == MAX_NAMES || name.len() > MAX_LENGTH;
                    if is_new && is_full || is_placeholder(name) || moment.is_secret {
                        learned.is_map = true;
                        continue;
                    }
                    if is_new {
                        learned.properties.insert((&**name).into(), (0, self.undescribed()));
                    }
                    if let Some((count, place)) = learned.properties.get_mut(&**name) {
                        *count += 1;
                        self.walk(*place, member, moment.of(name));
                    }
                }
            }
            _ => {}
        }
        if let Some(place) = self.places.get_mut(id) {
            *place = Slot::Learned(learned);
        }
    }

    /// Returns whether a place allows null.
    pub fn allows_null(&mut self, id: Id) -> bool {
        let Some(rules) = self.rules(id) else { return true };
        // The schemas of a branch include those around the union.
        match &rules.union {
            Some(union) => union.branches.iter().any(|branch| self.allows_null(*branch)),
            None => rules.allows_null,
        }
    }

    /// Returns the branch of a union that a value has: the branch that its tag names, or else the branch with the
    /// fewest faults.
    fn branch(&mut self, union: &Union<'d>, value: &Value<'_>, moment: Moment) -> Option<Id> {
        if let Some(branch) = union.tagged(value) {
            return Some(branch);
        }
        let mut budget = MAX_COMPARED;
        let mut best = None;
        let mut least = UNFIT;
        for branch in &union.branches {
            let faults = self.faults(*branch, value, moment, least, &mut budget);
            if faults < least {
                (best, least) = (Some(*branch), faults);
            }
            if least == 0 {
                break;
            }
        }
        // Only alternatives within the branch may not allow the kind.
        best.or_else(|| {
            let is_fit = |table: &mut Self, branch: Id| {
                let rules = table.rules(branch);
                let mut parts = rules.iter().flat_map(|rules| &rules.parts);
                parts.all(|part| table.parts[*part].allows_kind(value))
            };
            union.branches.iter().copied().find(|branch| is_fit(self, *branch))
        })
    }

    /// Returns the weight of the differences between a value and the schemas of a place, up to a limit.
    fn faults(
        &mut self,
        id: Id,
        value: &Value<'_>,
        moment: Moment,
        limit: u32,
        budget: &mut u32,
    ) -> u32 {
        let Some(rules) = self.rules(id) else { return 0 };
        *budget = budget.saturating_sub(1);
        if *value == Value::Null {
            return if self.allows_null(id) { 0 } else { UNFIT };
        }
        if let Some(union) = &rules.union {
            if let Some(branch) = union.tagged(value) {
                return self.faults(branch, value, moment, limit, budget);
            }
            let mut least = UNFIT;
            for branch in &union.branches {
                let faults = self.faults(*branch, value, moment, least.min(limit), budget);
                least = least.min(faults);
                if least == 0 {
                    break;
                }
            }
            return least;
        }
        let Some(mut faults) = self.own_faults(&rules, value) else { return UNFIT };
        // A property of another kind weighs less than a missing one, and that less than another constant.
        let inside = moment.inside(value);
        let mut inner = |table: &mut Self, id, value: &Value<'_>, faults: u32| {
            let rest = limit.saturating_sub(faults);
            if rest == 0 || *budget == 0 || inside.is_removal(value) {
                return 0;
            }
            match table.faults(id, value, inside, rest, budget) {
                UNFIT => 15,
                faults => faults.min(60),
            }
        };
        match value {
            Value::Object(members) => {
                faults += 20 * saturated(rules.missing(members, moment).count());
                for (name, member) in members {
                    faults += match (rules.properties.get(&**name), &rules.rest) {
                        (Some(property), _) => inner(self, *property, member, faults),
                        (None, Rest::Of(rest)) => inner(self, *rest, member, faults),
                        (None, Rest::Any) => 0,
                        (None, Rest::Undescribed) => 10,
                    };
                }
            }
            Value::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    if let Some(place) = rules.first.get(index).copied().or(rules.items) {
                        faults += inner(self, place, item, faults);
                    }
                }
            }
            _ => {}
        }
        faults.min(UNFIT - 1)
    }

    /// Returns the weight of the differences between a value other than null and the schemas of a place, apart from the values
    /// in it; `None` if its kind is not allowed.
    fn own_faults(&self, rules: &Rules<'d>, value: &Value<'_>) -> Option<u32> {
        let mut faults = 0;
        for part in rules.parts.iter().map(|part| &self.parts[*part]) {
            if !part.allows_kind(value) || part.schema.is_false() {
                return None;
            }
            if let (Some(values), Some(key)) = (&part.values, key(value))
                && !values.contains(&*key)
            {
                faults += if values.len() == 1 { 100 } else { 20 };
            }
            if !part.has_format(value) {
                faults += 5;
            }
        }
        Some(faults)
    }
}

fn saturated(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX / 100)
}
