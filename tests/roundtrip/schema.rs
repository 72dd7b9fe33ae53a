//! Schemas as written that apply to one value, and the choice of their branches.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::document::{Document, Place};

/// Schemas that all apply to one value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Schema<'d> {
    pub places: Vec<Place>,
    /// The lists whose branch was chosen; that branch is one of the places.
    chosen: Vec<Place>,
    /// The properties that name the chosen branches according to a `discriminator`.
    pub tags: Vec<Tag<'d>>,
    /// One of the kinds of value that the schemas allow.
    pub kind: Option<&'static str>,
}

/// A property that names the branch of a union.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tag<'d> {
    pub name: &'d str,
    /// The value that names the chosen branch.
    pub value: &'d str,
    /// The values that the `mapping` gives to the chosen branch.
    pub of_branch: Vec<&'d str>,
    /// Those that it gives to other branches.
    pub of_others: Vec<&'d str>,
}

impl<'d> Schema<'d> {
    /// Returns the schema at a place.
    pub fn at(place: Place) -> Self {
        Self { places: vec![place], chosen: Vec::new(), tags: Vec::new(), kind: None }
    }

    /// Returns the schema at a place, with those that other parts of an `allOf` around it have for the same values.
    pub fn in_parts(document: &Document<'d>, place: Place) -> Self {
        let of_parts = Self::of_parts(document, document.pointer(place));
        of_parts.filter(|all| all.places.contains(&place)).unwrap_or_else(|| Self::at(place))
    }

    fn of_parts(document: &Document<'d>, pointer: &str) -> Option<Self> {
        let (whole, inner) = pointer.split_once("/allOf/")?;
        let mut schema = Self::at(document.at(whole)?);
        let mut segments = inner.split('/').skip(1);
        while let Some(keyword) = segments.next() {
            let inner = match keyword {
                "allOf" if segments.next().is_some() => continue,
                "properties" => format!("/properties/{}", segments.next()?),
                "items" | "additionalProperties" | "unevaluatedProperties" => format!("/{keyword}"),
                _ => return None,
            };
            let closed = schema.closed(document);
            let values = closed.places.iter().map(|place| document.value(*place));
            let described = values.filter(|value| !document.is_reference_alone(value));
            let inner =
                described.filter_map(|value| value.pointer(&inner)).filter(|it| it.is_object());
            schema = Self::together(inner.map(|value| document.place(value)))?;
        }
        Some(schema)
    }

    /// Returns the schema of values at all of these places, if there are any.
    pub fn together(places: impl IntoIterator<Item = Place>) -> Option<Self> {
        let mut places = places.into_iter();
        let mut schema = Self::at(places.next()?);
        places.for_each(|place| schema.add(place));
        Some(schema)
    }

    /// Returns the place of the schema, or of the first one that applies.
    pub fn place(&self) -> Place {
        self.places.first().copied().unwrap_or_default()
    }

    /// Returns the schema for values of one kind.
    pub fn of_kind(&self, kind: &'static str) -> Self {
        Self { kind: Some(kind), ..self.clone() }
    }

    /// Adds a place whose schema also applies.
    pub fn add(&mut self, place: Place) {
        if !self.places.contains(&place) {
            self.places.push(place);
        }
    }

    /// Adds the schemas of `$ref` and `allOf`.
    pub fn closed(&self, document: &Document<'d>) -> Self {
        let mut all = self.clone();
        let mut next = 0;
        while let Some(&place) = all.places.get(next) {
            let value = document.value(place);
            let reference = value.get("$ref").and_then(Value::as_str);
            reference.and_then(|to| document.follow(to)).into_iter().for_each(|to| all.add(to));
            let parts = value
                .get("allOf")
                .filter(|_| !document.is_reference_alone(value))
                .and_then(Value::as_array)
                .into_iter()
                .flatten();
            parts.for_each(|part| all.add(document.place(part)));
            next += 1;
        }
        all
    }

    /// Returns the first list of branches without a choice, and the schema for each of them: those of `oneOf` and `anyOf`,
    /// or those that extend a schema with a `discriminator`. Oneofs are not such lists: their properties stay together.
    pub fn branches(&self, document: &Document<'d>) -> Option<(Place, Vec<Self>)> {
        let values = self
            .places
            .iter()
            .map(|place| document.value(*place))
            .filter(|value| !document.is_reference_alone(value));
        let mut lists = values.flat_map(|value| {
            let one_of = value.get("oneOf").filter(|_| oneof(value).is_none());
            let lists = one_of.into_iter().chain(value.get("anyOf"));
            lists.filter_map(move |list| Some((value, list, list.as_array()?)))
        });
        let target = |branch: &Value| document.follow(branch.get("$ref")?.as_str()?);
        // A branch that extends the union applies already.
        let applies = |branch: &Value| target(branch).is_some_and(|it| self.places.contains(&it));
        let list = lists.find(|(_, list, branches)| {
            !branches.is_empty()
                && !self.chosen.contains(&document.place(list))
                && !branches.iter().any(applies)
        });
        let Some((value, list, branches)) = list else {
            return self.places.iter().find_map(|place| self.extensions(document, *place));
        };
        let place = document.place(list);
        let schema = |branch: &'d Value| {
            let mut schema = self.clone();
            schema.chosen.push(place);
            schema.add(document.place(branch));
            schema.tags.extend(tag(document, value, branch));
            // On its own it has no effect in OpenAPI 3.0, but documents use it for null.
            let nulls = [json!({"nullable": true}), json!({"type": "object", "nullable": true})];
            let is_null = nulls.contains(branch);
            if is_null { schema.of_kind("null") } else { schema }
        };
        // A union that is a branch of itself allows no other values than its other branches.
        let is_own = |branch: &&Value| {
            let target = target(branch).map(|target| document.value(target));
            let lists = ["oneOf", "anyOf"].map(|keyword| target?.get(keyword));
            let mut lists = lists.into_iter().flatten().map(|list| document.place(list));
            lists.any(|list| list == place || self.chosen.contains(&list))
        };
        let is_false = |branch: &&Value| [json!(false), json!({"not": {}})].contains(branch);
        let others = branches.iter().filter(|branch| !is_own(branch) && !is_false(branch));
        Some((place, others.map(schema).collect()))
    }

    /// Returns the schemas that the `mapping` of one names, or else those that extend it, unless one of them applies
    /// already.
    fn extensions(&self, document: &Document<'d>, place: Place) -> Option<(Place, Vec<Self>)> {
        let value = document.value(place);
        let discriminator = value.get("discriminator")?;
        let name = discriminator.get("propertyName")?.as_str()?;
        let mapping = discriminator.get("mapping");
        let target = |(tag, to): (&'d String, &'d Value)| {
            let to = to.as_str()?;
            let named = || document.follow(&format!("#/components/schemas/{to}"));
            Some((tag, document.follow(to).or_else(named)?))
        };
        let targets: Vec<_> = match mapping {
            Some(mapping) => mapping.as_object()?.iter().filter_map(target).collect(),
            None => document.extensions(place),
        };
        let has_branches = ["oneOf", "anyOf"].iter().any(|keyword| value.get(keyword).is_some());
        if has_branches
            || targets.is_empty()
            || targets.iter().any(|(_, target)| self.places.contains(target))
        {
            return None;
        }
        let schema = |(tag, target): &(&'d String, Place)| {
            let mut schema = self.clone();
            schema.add(*target);
            let tags_of = |is_own: bool| {
                let tags = targets.iter().filter(|(_, other)| (other == target) == is_own);
                tags.map(|(tag, _)| tag.as_str()).collect()
            };
            let [of_branch, of_others] = [tags_of(true), tags_of(false)];
            schema.tags.push(Tag { name, value: tag.as_str(), of_branch, of_others });
            schema
        };
        Some((
            document.place(mapping.unwrap_or(discriminator)),
            targets.iter().map(schema).collect(),
        ))
    }
}

/// Returns the `discriminator` of a schema that another one extends.
fn inherited<'d>(document: &Document<'d>, schema: &'d Value, depth: usize) -> Option<&'d Value> {
    let target = document.value(document.follow(schema.get("$ref")?.as_str()?)?);
    let mut parts = target.get("allOf").filter(|_| depth > 0)?.as_array()?.iter();
    parts.find_map(|part| {
        let base = document.value(document.follow(part.get("$ref")?.as_str()?)?);
        base.get("discriminator").or_else(|| inherited(document, part, depth - 1))
    })
}

/// Returns the property that names a branch of a schema according to its `discriminator`, or to that of the schema which
/// the branch extends.
fn tag<'d>(document: &Document<'d>, schema: &'d Value, branch: &'d Value) -> Option<Tag<'d>> {
    let own = schema.get("discriminator");
    let discriminator = own.or_else(|| inherited(document, branch, 5))?;
    let name = discriminator.get("propertyName")?.as_str()?;
    let reference = branch.get("$ref")?.as_str()?;
    let own = reference.rsplit('/').next()?;
    let target = document.follow(reference);
    let is_branch = |to: &str| to == own || (target.is_some() && document.follow(to) == target);
    let mapping = discriminator.get("mapping").and_then(Value::as_object).into_iter().flatten();
    let mapped = mapping.filter_map(|(value, to)| Some((value.as_str(), to.as_str()?)));
    let (branch, others): (Vec<_>, Vec<_>) = mapped.partition(|(_, to)| is_branch(to));
    let [of_branch, of_others]: [Vec<_>; 2] =
        [branch, others].map(|mapped| mapped.into_iter().map(|(value, _)| value).collect());
    let value = of_branch.first().copied().unwrap_or(own);
    Some(Tag { name, value, of_branch, of_others })
}

/// Mutually exclusive properties of an object, with their schemas.
pub type Oneof<'d> = Vec<(&'d str, &'d Value)>;

/// Returns the oneof of a schema whose `oneOf` lists objects with one required property each.
pub fn oneof<'d>(schema: &'d Value) -> Option<Oneof<'d>> {
    let branches = schema.get("oneOf")?.as_array()?.iter();
    let sole_property = |branch: &'d Value| {
        let mut properties = branch.get("properties")?.as_object()?.iter();
        let (name, property) = properties.next()?;
        let combines = ["$ref", "allOf", "oneOf", "anyOf"];
        let is_alone = !combines.iter().any(|keyword| branch.get(keyword).is_some());
        let is_sole =
            properties.next().is_none() && branch.get("required")?.as_array()? == &[name.as_str()];
        (is_sole && is_alone).then_some((name.as_str(), property))
    };
    let mut names = HashSet::new();
    let oneof: Oneof<'_> = branches.map(sole_property).collect::<Option<_>>()?;
    let is_oneof = !oneof.is_empty() && oneof.iter().all(|(name, _)| names.insert(*name));
    is_oneof.then_some(oneof)
}

/// Returns the oneofs that the description of an object lists, as tools for Protocol Buffers write it.
pub fn oneofs_in_comment(schema: &Value) -> Vec<Oneof<'_>> {
    let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let properties = schema.get("properties").and_then(Value::as_object);
    let oneofs = text.split("contains a oneof named ").skip(1).filter_map(|comment| {
        let (first, list) = comment.split_once('\n')?;
        // The tools write an optional property as a oneof whose name begins with an underscore.
        let is_oneof = !comment.starts_with('_')
            && first.contains("Only a single field of the following list may be set");
        let names = list.lines().map_while(|line| line.trim_start().strip_prefix("- "));
        let members = names.filter_map(|name| properties?.get_key_value(name.trim()));
        Some(members.map(|(name, property)| (name.as_str(), property)).collect::<Vec<_>>())
            .filter(|oneof| is_oneof && !oneof.is_empty())
    });
    oneofs.collect()
}
