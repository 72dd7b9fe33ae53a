//! The map of a text: the ranges of its values.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use super::pointer::{Pointer, array_index};

/// The key that merges other mappings into its own (YAML 1.1 types, "Merge Key").
pub(crate) const MERGE_KEY: &str = "<<";

/// Maximum nesting depth of merge keys.
const MAX_MERGE_DEPTH: usize = 16;

/// Returns the offset after a byte order mark.
pub(crate) fn body_start(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// The ranges of the values of a text. Built only to show something.
#[derive(Debug, Default)]
pub(crate) struct SourceMap {
    /// All values; the first is the root.
    pub(super) values: Vec<SpannedValue>,
    /// The YAML tags that are not part of YAML's own schema.
    pub(crate) tags: Vec<(String, Range<usize>)>,
    /// The start of a second YAML document.
    pub(crate) second_document: Option<Range<usize>>,
}

/// A value and its range.
#[derive(Debug)]
pub(super) struct SpannedValue {
    pub(super) span: Range<usize>,
    pub(super) content: Content,
}

/// The content of a value; other values are referred to by index.
#[derive(Debug)]
pub(super) enum Content {
    Scalar,
    Sequence(Vec<usize>),
    Mapping(Mapping),
    Alias(usize),
}

/// The members of an object.
#[derive(Debug, Default)]
pub(super) struct Mapping {
    pub(super) members: Vec<(MapKey, usize)>,
    /// The first member of each name, built when a member of a large object is looked up.
    by_name: OnceLock<HashMap<String, usize>>,
}

/// Minimum number of members of an object whose names are indexed.
const MIN_INDEXED: usize = 32;

impl Mapping {
    /// Returns the first member of a name.
    fn get(&self, name: &str) -> Option<&(MapKey, usize)> {
        if self.members.len() < MIN_INDEXED {
            return self.members.iter().find(|(key, _)| key.text == name);
        }
        let by_name = self.by_name.get_or_init(|| {
            let names = self.members.iter().enumerate().rev();
            names.map(|(index, (key, _))| (key.text.clone(), index)).collect()
        });
        self.members.get(*by_name.get(name)?)
    }
}

/// A key and its range.
#[derive(Debug)]
pub(crate) struct MapKey {
    /// The unquoted key.
    pub(crate) text: String,
    /// Its range, including quotes.
    pub(crate) span: Range<usize>,
    /// Whether it is unquoted.
    pub(crate) plain: bool,
}

/// The ranges of a property or an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    /// The key of a property.
    pub(crate) key: Option<Range<usize>>,
    /// The value; empty if the text omits it.
    pub(crate) value: Range<usize>,
}

impl SourceMap {
    /// Returns the spot of a pointer; `None` if it does not exist.
    pub(crate) fn find(&self, pointer: &Pointer) -> Option<Spot> {
        let mut index = 0;
        let mut key = None;
        for segment in pointer.segments() {
            (key, index) = match &self.resolved(index)?.content {
                Content::Sequence(items) => (None, *items.get(array_index(segment)?)?),
                Content::Mapping(mapping) => {
                    let (key, value) = self.member(mapping, segment, 0)?;
                    (Some(key.span.clone()), value)
                }
                Content::Scalar | Content::Alias(_) => return None,
            };
        }
        Some(Spot { key, value: self.values.get(index)?.span.clone() })
    }

    /// Returns the duplicate keys of objects, each with its object and the first key of the same name.
    pub(crate) fn repeated_keys(&self, file: &Pointer) -> Vec<(Pointer, &MapKey, &MapKey)> {
        let mut repeated = Vec::new();
        for (pointer, members) in self.mappings(file) {
            let mut first: HashMap<&str, &MapKey> = HashMap::with_capacity(members.len());
            for (key, _) in members {
                match first.get(key.text.as_str()) {
                    Some(first) => repeated.push((pointer.clone(), *first, key)),
                    None => {
                        first.insert(&key.text, key);
                    }
                }
            }
        }
        repeated
    }

    /// Returns the keys of all objects, each with its object.
    pub(crate) fn keys(&self, file: &Pointer) -> impl Iterator<Item = (Pointer, &MapKey)> {
        let mappings = self.mappings(file).into_iter();
        mappings.flat_map(|(pointer, members)| {
            members.iter().map(move |(key, _)| (pointer.clone(), key))
        })
    }

    /// Returns all objects with their places; those with aliases at their anchors.
    fn mappings(&self, file: &Pointer) -> Vec<(Pointer, &[(MapKey, usize)])> {
        let mut found = Vec::new();
        let mut waiting = vec![(file.clone(), 0)];
        while let Some((pointer, index)) = waiting.pop() {
            match self.values.get(index).map(|value| &value.content) {
                Some(Content::Sequence(items)) => {
                    let items = items.iter().enumerate();
                    waiting.extend(items.map(|(index, item)| (pointer.join_index(index), *item)));
                }
                Some(Content::Mapping(Mapping { members, .. })) => {
                    waiting.extend(
                        members.iter().map(|(key, value)| (pointer.join(&key.text), *value)),
                    );
                    found.push((pointer, members.as_slice()));
                }
                _ => {}
            }
        }
        found
    }

    /// Returns a value, or the target if it is an alias.
    fn resolved(&self, index: usize) -> Option<&SpannedValue> {
        match self.values.get(index)? {
            SpannedValue { content: Content::Alias(target), .. } => self.values.get(*target),
            value => Some(value),
        }
    }

    /// Returns a property; the mapping's own properties have precedence over merged ones.
    fn member<'a>(
        &'a self,
        mapping: &'a Mapping,
        name: &str,
        depth: usize,
    ) -> Option<(&'a MapKey, usize)> {
        if let Some((key, value)) = mapping.get(name) {
            return Some((key, *value));
        }
        if depth == MAX_MERGE_DEPTH {
            return None;
        }
        let merges = mapping.members.iter().filter(|(key, _)| key.plain && key.text == MERGE_KEY);
        merges
            .flat_map(|(_, value)| self.merged(*value))
            .find_map(|mapping| self.member(mapping, name, depth + 1))
    }

    /// Returns the mappings of a merge key.
    fn merged(&self, value: usize) -> Vec<&Mapping> {
        let values = match self.resolved(value).map(|value| &value.content) {
            Some(Content::Sequence(items)) => &items[..],
            _ => &[value],
        };
        let mappings = values.iter().filter_map(|index| match &self.resolved(*index)?.content {
            Content::Mapping(mapping) => Some(mapping),
            _ => None,
        });
        mappings.collect()
    }
}
