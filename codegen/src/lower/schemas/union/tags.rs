//! The constants that distinguish the variants of a union.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::ir::{Constant, JsonKind, Rule, RuleId, Rules, Tag};

/// Properties with a constant.
type Tags = Vec<(String, Constant)>;

/// Whether a variant has a constant of a property.
type Has<'a> = dyn Fn(usize, &str, &Constant) -> bool + 'a;

/// The ways to each variant.
type Ways = BTreeMap<usize, Way>;

/// The constants on the ways to a variant.
#[derive(Clone, Default)]
struct Way {
    tags: Tags,
    /// The values of the tags on any of the ways.
    recognized: BTreeMap<String, BTreeSet<Constant>>,
}

/// Sets the constants of the variants. The tags are the properties with a constant on every way to a variant: objects that
/// came another way may lack the others, but not the declared ones (OpenAPI 3.1.1, "Discriminator Object"). Of several
/// constants, the tag is the first. A variant that allows any value has none (`has`).
pub fn set(rules: &mut Rules, declared: &[Tags], has: &Has<'_>) {
    let mut known: HashMap<RuleId, Ways> = HashMap::new();
    for id in rules.in_order() {
        let ways = ways(rules.get(id), &known, declared, has);
        known.insert(id, ways);
    }
    let is_object = |kinds: &[JsonKind]| kinds.contains(&JsonKind::Object);
    let objects = rules.kinds.iter().find(|(kinds, _)| is_object(kinds));
    let mut ways = objects.and_then(|(_, id)| known.remove(id)).unwrap_or_default();
    let all = declared.iter().enumerate().map(|(variant, declared)| {
        let Way { mut tags, recognized } = ways.remove(&variant).unwrap_or_default();
        let others = declared.iter().filter(|tag| tags.iter().all(|known| known.0 != tag.0));
        let others: Tags = others.cloned().collect();
        tags.extend(others);
        (tags, recognized)
    });
    (rules.tags, rules.recognized) = all.unzip();
}

fn ways(rule: &Rule, known: &HashMap<RuleId, Ways>, declared: &[Tags], has: &Has<'_>) -> Ways {
    let of = |id: &RuleId| known.get(id).cloned().unwrap_or_default();
    match rule {
        Rule::Variant(index) => [(*index, Way::default())].into(),
        Rule::Fit(candidates) => candidates.iter().map(|it| (it.variant, Way::default())).collect(),
        Rule::Tag(tag) => {
            let constants = constants(tag, known, has);
            let mut otherwise = tag.otherwise.as_ref().map(of).unwrap_or_default();
            for (variant, way) in &mut otherwise {
                // An object with another value has the property.
                let tags = constants.get(variant).into_iter().flat_map(|way| &way.tags);
                way.tags.extend(tags.filter(|it| it.0 == tag.name).take(1).cloned());
            }
            let mut missing = tag.missing.as_ref().map(of).unwrap_or_default();
            missing.retain(|variant, _| declared[*variant].iter().all(|it| it.0 != tag.name));
            for (variant, way) in &mut missing {
                // What else recognizes an object is not asked if it has the value.
                let values = constants.get(variant).and_then(|it| it.recognized.get(&tag.name));
                if values.is_some_and(|values| values.len() == 1) {
                    way.recognized.clear();
                }
            }
            common([constants, otherwise, missing])
        }
        Rule::Required(properties, otherwise) => {
            common(properties.iter().map(|(_, id)| id).chain(otherwise).map(of))
        }
        Rule::Property(_, kinds, missing) => {
            common(kinds.iter().map(|(_, id)| id).chain(missing).map(of))
        }
        Rule::Items(items) => {
            // Constants of items are not properties of the object that contains the list.
            let of_items = items.kinds.iter().flat_map(|(_, id)| of(id).into_keys());
            let of_items: Ways = of_items.map(|variant| (variant, Way::default())).collect();
            common([of_items].into_iter().chain(items.empty.iter().chain(&items.otherwise).map(of)))
        }
    }
}

/// Returns the ways through the known values of a tag.
fn constants(tag: &Tag, known: &HashMap<RuleId, Ways>, has: &Has<'_>) -> Ways {
    let mut values: Vec<(&Constant, &RuleId)> = Vec::new();
    for (constants, id) in &tag.values {
        values.extend(constants.iter().map(|constant| (constant, id)));
    }
    values.sort();
    let with_tag = values.into_iter().map(|(constant, id)| {
        let mut ways = known.get(id).cloned().unwrap_or_default();
        for (variant, way) in &mut ways {
            if has(*variant, &tag.name, constant) {
                way.tags.push((tag.name.clone(), constant.clone()));
                let values = way.recognized.entry(tag.name.clone()).or_default();
                values.insert(constant.clone());
            }
        }
        ways
    });
    common(with_tag)
}

/// Joins the ways to the variants: the tags that all of them have, with the values of the first one.
fn common(all: impl IntoIterator<Item = Ways>) -> Ways {
    let mut common = Ways::new();
    for ways in all {
        for (variant, way) in ways {
            let Some(known) = common.get_mut(&variant) else {
                common.insert(variant, way);
                continue;
            };
            known.tags.retain(|(name, _)| way.tags.iter().any(|tag| tag.0 == *name));
            for (name, values) in way.recognized {
                known.recognized.entry(name).or_default().extend(values);
            }
        }
    }
    common
}
