//! Which methods use which items.

use std::collections::{BTreeMap, VecDeque};

use super::renames::{accessor, operations};
use super::{PublicApi, paths};

/// The uses of the items of a crate.
pub(super) struct Uses<'a> {
    /// For each item, the members that name it, with the items that have them.
    users: BTreeMap<&'a str, Vec<(&'a str, String)>>,
    /// The operations by the paths of their requests.
    operations: BTreeMap<&'a str, String>,
}

impl<'a> Uses<'a> {
    /// Finds the uses.
    pub(super) fn of(api: &'a PublicApi) -> Self {
        let mut users: BTreeMap<&str, Vec<(&str, String)>> = BTreeMap::new();
        for part in api.parts() {
            let arguments = part.member.arguments.iter().map(|argument| &argument.ty);
            let types = arguments.chain([&part.member.ty]).flat_map(|ty| paths(ty));
            for named in types.filter(|named| *named != part.path) {
                users.entry(named).or_default().push((part.path, part.id()));
            }
        }
        let operations = operations(api).map(|method| {
            let handle = accessor(api, method.path).unwrap_or_default();
            (method.member.ty.as_str(), format!("{handle}().{}", method.name))
        });
        Self { users, operations: operations.collect() }
    }

    /// Returns the methods whose requests or results have an item, each with the members on the way to it.
    pub(super) fn methods(&self, path: &str) -> Vec<Vec<String>> {
        let mut ways: BTreeMap<&str, Vec<String>> = BTreeMap::from([(path, Vec::new())]);
        let mut waiting = VecDeque::from([path]);
        while let Some(path) = waiting.pop_front() {
            // A request belongs to one method; what names the request is the resource's handle.
            if self.operations.contains_key(path) {
                continue;
            }
            let way = ways.get(path).cloned().unwrap_or_default();
            for (user, member) in self.users.get(path).into_iter().flatten() {
                if !ways.contains_key(user) {
                    ways.insert(user, [vec![member.clone()], way.clone()].concat());
                    waiting.push_back(user);
                }
            }
        }
        let methods = ways.into_iter().filter_map(|(path, mut way)| {
            way.splice(..usize::from(!way.is_empty()), [self.operations.get(path)?.clone()]);
            Some(way)
        });
        methods.collect()
    }
}
