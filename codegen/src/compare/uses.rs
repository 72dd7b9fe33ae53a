//! The methods that use an item.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::items::{MemberKind, Path, PublicApi};

/// The uses of the items of a crate.
pub(super) struct Uses<'a> {
    /// For each item, the fields, arguments and results that have it, with their items.
    users: BTreeMap<&'a Path, Vec<(&'a Path, String)>>,
    /// The operations by the paths of their requests: the handle, and the call such as `tasks().get`.
    pub(super) operations: BTreeMap<&'a Path, (&'a Path, String)>,
}

impl<'a> Uses<'a> {
    /// Finds the uses.
    pub(super) fn new(api: &'a PublicApi) -> Self {
        let mut users: BTreeMap<&Path, Vec<(&Path, String)>> = BTreeMap::new();
        for member in api.members().filter(|member| member.kind != MemberKind::Trait) {
            for named in member.named_items().filter(|named| *named != member.path) {
                users.entry(named).or_default().push((member.path, member.id()));
            }
        }
        let operations =
            api.operations().map(|(method, request)| (request, (method.path, api.call(method))));
        Self { users, operations: operations.collect() }
    }

    /// Returns the methods whose requests or results have an item, each with the members that lead to it.
    pub(super) fn methods(&self, path: &Path) -> Vec<Vec<String>> {
        let methods = self.users(path).into_iter().filter_map(|(path, mut chain)| {
            let (_, method) = self.operations.get(path)?;
            chain.splice(..usize::from(!chain.is_empty()), [method.clone()]);
            Some(chain)
        });
        methods.collect()
    }

    /// Returns the handles of the methods that use an item, or that an item consists of.
    pub(super) fn handles(&self, path: &Path) -> BTreeSet<&'a Path> {
        let handles = self.operations.values().map(|(handle, _)| *handle);
        let own = handles.filter(|handle| *handle == path);
        let users = self.users(path);
        let of_users = users.keys().filter_map(|path| Some(self.operations.get(path)?.0));
        own.chain(of_users).collect()
    }

    /// Returns the items that use an item, and the item itself, each with the members that lead to it.
    fn users<'p>(&'p self, path: &'p Path) -> BTreeMap<&'p Path, Vec<String>> {
        let mut chains: BTreeMap<&Path, Vec<String>> = BTreeMap::from([(path, Vec::new())]);
        let mut waiting = VecDeque::from([path]);
        while let Some(path) = waiting.pop_front() {
            // A request belongs to one method; only the resource's handle names it.
            if self.operations.contains_key(path) {
                continue;
            }
            let chain = chains.get(path).cloned().unwrap_or_default();
            for (user, member) in self.users.get(path).into_iter().flatten() {
                if !chains.contains_key(user) {
                    chains.insert(user, [vec![member.clone()], chain.clone()].concat());
                    waiting.push_back(user);
                }
            }
        }
        chains
    }
}
